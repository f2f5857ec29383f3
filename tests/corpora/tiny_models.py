"""Transformers small enough to be trained in a test: no download, a second, one thread."""

from extras import needs

transformers = needs("transformers", "transformers")
tokenizers = needs("tokenizers", "transformers")
torch = needs("torch", "transformers")


def tiny_pipeline(texts, labels, names, steps):
    """It tags words.

    Texts are of words that spaces divide; the label of a word is its index in `names`.
    """
    words = ["[PAD]", "[UNK]", *sorted({word for text in texts for word in text.split()})]
    numbers = {word: number for number, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=32
    )
    torch.manual_seed(0)
    model = transformers.DistilBertForTokenClassification(
        transformers.DistilBertConfig(
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
    labels = [[*row, *[-100] * (width - len(row))] for row in labels]
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        model.zero_grad()
        model(**batch, labels=torch.tensor(labels)).loss.backward()
        optimizer.step()
    task = "token-classification"
    return transformers.pipeline(task, model=model.eval(), tokenizer=fast, device="cpu")
