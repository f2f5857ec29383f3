"""Transformers small enough to be trained in a test: no download, a second, one thread."""

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import (
    DistilBertConfig,
    DistilBertForSequenceClassification,
    DistilBertForTokenClassification,
    PreTrainedTokenizerFast,
    pipeline,
)

_MODELS = {
    "text-classification": DistilBertForSequenceClassification,
    "token-classification": DistilBertForTokenClassification,
}


def trained(task, texts, labels, names, steps):
    """A model and its tokenizer.

    Texts are of words that spaces divide; a label, or one a word, is its index in `names`.
    """
    words = ["[PAD]", "[UNK]", *sorted({word for text in texts for word in text.split()})]
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=32
    )
    torch.manual_seed(0)
    model = _MODELS[task](
        DistilBertConfig(
            vocab_size=len(words),
            dim=16,
            hidden_dim=32,
            n_layers=1,
            n_heads=2,
            max_position_embeddings=32,
            id2label=dict(enumerate(names)),
            label2id={name: i for i, name in enumerate(names)},
            pad_token_id=0,
        )
    )
    batch = fast(texts, padding=True, return_tensors="pt")
    width = batch["input_ids"].shape[1]
    if task == "token-classification":
        labels = [[*row, *[-100] * (width - len(row))] for row in labels]
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        model.zero_grad()
        model(**batch, labels=torch.tensor(labels)).loss.backward()
        optimizer.step()
    return model.eval(), fast


def tiny_pipeline(task, texts, labels, names, steps):
    model, tokenizer = trained(task, texts, labels, names, steps)
    return pipeline(task, model=model, tokenizer=tokenizer, device="cpu")
