"""Compare two pipelines on the same reviews, from inference to the model card.

The models are tiny transformers that are trained here in a second, offline, so that the example
runs anywhere. Yours come from ``transformers.pipeline("text-classification", model=...)``.
It needs ``pip install ".[transformers]"``.
"""

import random
import tempfile
from pathlib import Path

import datasets
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from pairedperm import model_card
from pairedperm.hf import predict_and_compare

PRAISE = ["good", "fine", "great", "moving", "funny", "clever"]
BLAME = ["bad", "dull", "poor", "silly", "flat", "tired"]
FILLERS = ["the", "a", "plot", "film", "cast", "was", "and", "rather", "its", "score"]
WORDS = ["[PAD]", "[UNK]", *PRAISE, *BLAME, *FILLERS]


def reviews(n, seed):
    """Return texts with four words of praise or blame; the label is what most of them say."""
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        label = rng.randrange(2)
        says = [rng.choice(PRAISE if label else BLAME) for _ in range(3)]
        words = [*says, rng.choice(PRAISE + BLAME), *rng.choices(FILLERS, k=8)]
        rng.shuffle(words)
        rows.append({"text": " ".join(words), "label": label})
    return datasets.Dataset.from_list(rows).cast_column(
        "label", datasets.ClassLabel(names=["negative", "positive"])
    )


def trained_pipeline(train):
    """Train a classifier of one small layer, whose labels are LABEL_0 and LABEL_1."""
    tokenizer = Tokenizer(
        models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=32
    )
    torch.manual_seed(0)
    model = transformers.DistilBertForSequenceClassification(
        transformers.DistilBertConfig(
            vocab_size=len(WORDS), dim=16, hidden_dim=32, n_layers=1, n_heads=2, pad_token_id=0
        )
    )
    batch = tokenizer(train["text"][:], padding=True, return_tensors="pt")
    labels = torch.tensor(train["label"][:])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(40):
        model.zero_grad()
        model(**batch, labels=labels).loss.backward()
        optimizer.step()
    return transformers.pipeline(
        "text-classification", model=model.eval(), tokenizer=tokenizer, batch_size=32
    )


datasets.disable_progress_bars()
train, test = reviews(300, seed=0), reviews(1000, seed=1)
one, other = trained_pipeline(train), trained_pipeline(train.select(range(60)))

result, predicted = predict_and_compare(
    one,
    other,
    test,
    input_column="text",
    label_column="label",
    label_mapping={"LABEL_0": "negative", "LABEL_1": "positive"},
)
print(result)
print(predicted)

with tempfile.TemporaryDirectory() as folder:
    card = Path(folder, "README.md")
    card.write_text("# Trained on 300 reviews\n", encoding="utf-8")
    model_card.update(
        card, result, name1="300 reviews", name2="60 reviews", dataset="1,000 new reviews"
    )
    print(f"\n{card.read_text(encoding='utf-8')}")
