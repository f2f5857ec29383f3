"""predict_and_compare: two tiny models that are trained here, for each task."""

import pytest
from datasets import Dataset, Value

from corpora.stand_ins import (
    IN_WORDS,
    LABELS,
    NAMES,
    REVIEWS,
    SENTENCES,
    TEXTS,
    token,
)
from extras import needs
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset, predict_and_compare
from pairedperm.hf.tasks import TASKS


@pytest.fixture(scope="module")
def classifiers():
    """The better one first; the second knows its labels by number only."""
    from corpora.tiny_models import tiny_pipeline

    task = "text-classification"
    return (
        tiny_pipeline(task, TEXTS, LABELS, NAMES, 30),
        tiny_pipeline(task, TEXTS, LABELS, ["LABEL_0", "LABEL_1"], 2),
    )


@pytest.fixture(scope="module")
def taggers():
    from corpora.tiny_models import tiny_pipeline

    texts = [" ".join(words) for words in SENTENCES["tokens"][:]]
    arguments = "token-classification", texts, SENTENCES["tags"][:], ["O", "B-GOOD"]
    return tiny_pipeline(*arguments, 30), tiny_pipeline(*arguments, 1)


MEANING = (None, {"LABEL_0": "neg", "LABEL_1": "pos"})


def test_text_classification(classifiers, capfd, terminal):
    capfd.readouterr()
    result, dataset = predict_and_compare(*classifiers, REVIEWS, label_mapping=MEANING)
    shown = capfd.readouterr().err
    assert "Predicting with pipeline1: " in shown
    assert "Predicting with pipeline2: " in shown
    first, second = ([output["label"] for output in p(TEXTS)] for p in classifiers)
    second = [MEANING[1][label] for label in second]
    assert dataset["predictions1"][:] == first
    assert dataset["predictions2"][:] == second
    assert dataset.remove_columns(["predictions1", "predictions2"]).to_list() == REVIEWS.to_list()
    assert result == compare(first, second, [NAMES[label] for label in LABELS])
    assert result.score1 > result.score2
    assert result.pvalue < 1e-3
    assert compare_dataset(dataset, references="label") == result
    authors = [f"author {k % 5}" for k in range(len(REVIEWS))]
    grouped, _ = predict_and_compare(
        *classifiers,
        REVIEWS.add_column("author", authors),
        label_mapping=MEANING,
        groups="author",
    )
    assert grouped == compare(first, second, [NAMES[k] for k in LABELS], groups=authors)


@pytest.mark.thorough
@pytest.mark.parametrize("batch_size", [None, 1, 7])
@pytest.mark.parametrize("form", ["names", "ids", "texts"])
def test_forms_of_labels(classifiers, batch_size, form):
    expected = predict_and_compare(*classifiers, REVIEWS, label_mapping=MEANING)
    dataset, mapping = REVIEWS, {"LABEL_0": "neg", "LABEL_1": "pos"}
    if form == "ids":
        dataset = REVIEWS.cast_column("label", Value("int64"))
        mapping = {"neg": 0, "pos": 1, "LABEL_0": 0, "LABEL_1": 1}
    elif form == "texts":
        names = [NAMES[label] for label in LABELS]
        dataset = REVIEWS.remove_columns("label").add_column("label", names)
    else:
        mapping = {"LABEL_0": 0, "LABEL_1": 1}
    result, predicted = predict_and_compare(
        *classifiers, dataset, label_mapping=mapping, batch_size=batch_size
    )
    assert result == expected.result
    if form == "ids":
        assert [NAMES[x] for x in predicted["predictions1"]] == expected.dataset["predictions1"][:]
        assert predicted.features["predictions1"] == Value("int64")
    else:
        assert predicted["predictions1"][:] == expected.dataset["predictions1"][:]


def test_options_pass_through(classifiers):
    options = {"metric": "exact_match", "alternative": "less"}
    result, _ = predict_and_compare(
        *classifiers, REVIEWS, "text", "label", label_mapping=MEANING, **options
    )
    assert (result.metric, result.alternative) == ("exact_match", "less")
    assert result.pvalue > 0.99


def test_token_classification(taggers):
    result, dataset = predict_and_compare(*taggers, SENTENCES, **IN_WORDS, batch_size=4)
    assert all(
        [len(row) for row in dataset[name]] == [len(row) for row in SENTENCES["tokens"]]
        for name in ("predictions1", "predictions2")
    )
    tags = [[["O", "B-GOOD"][tag] for tag in row] for row in SENTENCES["tags"]]
    assert result == compare(dataset["predictions1"], dataset["predictions2"], tags)
    assert result.score1 == 1.0
    assert result.score1 > result.score2
    assert result.n == 60
    assert compare_dataset(dataset, references="tags") == result


def test_f1_and_spans(classifiers, taggers):
    result, dataset = predict_and_compare(
        *classifiers, REVIEWS, label_mapping=MEANING, metric="f1", alternative="greater"
    )
    columns = dataset["predictions1"][:], dataset["predictions2"][:], [NAMES[x] for x in LABELS]
    assert result == compare(*columns, "f1", pos_label="pos", alternative="greater")
    again, _ = predict_and_compare(
        *classifiers, REVIEWS, label_mapping=MEANING, metric="f1", pos_label=0
    )
    assert again == compare(*columns, "f1", pos_label="neg")
    spans, dataset = predict_and_compare(*taggers, SENTENCES, **IN_WORDS, metric="span_f1")
    right = [[["O", "B-GOOD"][tag] for tag in tags] for tags in SENTENCES["tags"][:]]
    predicted = dataset["predictions1"][:], dataset["predictions2"][:]
    assert spans == compare(*predicted, right, "span_f1")


def test_splits_formats_and_other_columns(classifiers):
    dataset = REVIEWS.add_column("id", list(range(120))).with_format("numpy").shuffle(seed=3)
    result, predicted = predict_and_compare(*classifiers, dataset, label_mapping=MEANING)
    assert result == predict_and_compare(*classifiers, REVIEWS, label_mapping=MEANING).result
    assert predicted["id"][:].tolist() == dataset["id"][:].tolist()


def test_tokenizers_with_spaces():
    """The same as the labels of first tokens by `word_ids`, on words with and without a token."""
    tokenizers = needs("tokenizers", "transformers")
    transformers = needs("transformers", "transformers")
    words = ["New", "York", "is", "日本語", "🙂🙂", "x", "naïve", "a"]
    for pre_tokenizer in (
        tokenizers.pre_tokenizers.Metaspace(),
        tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True),
    ):
        trained = tokenizers.Tokenizer(tokenizers.models.BPE())
        trained.pre_tokenizer = pre_tokenizer
        alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
        trained.train_from_iterator(
            ["New York is a x"] * 9 + ["日本語 🙂"],
            tokenizers.trainers.BpeTrainer(vocab_size=320, initial_alphabet=alphabet),
        )
        fast = transformers.PreTrainedTokenizerFast(tokenizer_object=trained)
        whole = fast(" ".join(words), return_offsets_mapping=True)
        tokens = fast.convert_ids_to_tokens(whole["input_ids"])
        output = [token(t, *span) for t, span in zip(tokens, whole["offset_mapping"], strict=True)]
        in_words = fast(words, is_split_into_words=True)
        ids = in_words.word_ids()
        first = [
            fast.convert_ids_to_tokens(in_words["input_ids"][ids.index(number)])
            for number in range(len(words))
        ]
        assert TASKS["token-classification"].labels(words, output) == first


def test_a_sentence_that_is_too_long(taggers):
    long = Dataset.from_dict({"tokens": [["good"] * 40], "tags": [["B-GOOD"] * 40]})
    with pytest.raises(InputError, match="word 32 of 40, 'good', has no token"):
        predict_and_compare(*taggers, long, **IN_WORDS, label_mapping={"O": "O"})
