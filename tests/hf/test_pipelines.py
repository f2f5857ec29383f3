"""predict_and_compare: what pipelines predict, and what that means; at the end with real ones."""

import pytest
from datasets import ClassLabel, Dataset, Value

from corpora.stand_ins import (
    IN_WORDS,
    NAMES,
    NUMBERED,
    PAIRS,
    SENTENCES,
    StandIn,
    classifier,
    tagger,
    token,
)
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset, predict_and_compare

COLUMNS = "predictions1", "predictions2"
ONE, TWO, RIGHT = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 0, 0], [0, 1, 1, 0, 1, 1]
AUTHORS = [*"aabbcc"]
BY_NAME, BY_ID = (dict(zip(NUMBERED, x, strict=True)) for x in (NAMES, range(2)))
KINDS = {"ids": Value("int64"), "texts": Value("string"), "names": ClassLabel(names=NAMES)}


@pytest.mark.parametrize(
    ("form", "mapping", "options", "whole"),
    [
        ("names", (None, BY_NAME), {"metric": "exact_match", "alternative": "less"}, {}),
        ("names", BY_ID, {"metric": "f1"}, {"pos_label": "pos"}),
        ("names", (None, BY_ID), {"metric": "f1", "pos_label": 0}, {"pos_label": "neg"}),
        ("names", BY_NAME, {"groups": "author"}, {"groups": AUTHORS}),
        ("texts", (None, BY_NAME), {"test": "bootstrap"}, {}),
        ("ids", BY_ID | {"neg": 0, "pos": 1}, {"metric": "f1"}, {}),
    ],
)
def test_text_classification(form, mapping, options, whole, capfd, terminal):
    """Rows are read as they are stored, and come back with two columns more."""
    terms = range(2) if form == "ids" else NAMES
    one, two, right = ([terms[x] for x in column] for column in (ONE, TWO, RIGHT))
    rows = {"text": [*"abcdef"], "label": right, "author": AUTHORS}
    dataset = Dataset.from_dict(rows).cast_column("label", KINDS[form]).with_format("numpy")
    first = classifier(*(NAMES[x] for x in ONE))
    second = classifier(*(NUMBERED[x] for x in TWO), labels=NUMBERED)
    found = predict_and_compare(first, second, dataset, label_mapping=mapping, **options)
    assert "Predicting with pipeline2: " in capfd.readouterr().err
    stored = found.dataset.with_format(None)
    assert [stored[name][:] for name in COLUMNS] == [one, two]
    assert stored.remove_columns(COLUMNS).to_list() == dataset.with_format(None).to_list()
    assert first.inputs == rows["text"]
    assert found.result == compare(one, two, right, **options | whole)
    assert compare_dataset(stored, references="label", **options) == found.result


def test_all_labels_of_a_text():
    choices = [{"label": "neg", "score": 0.4}, {"label": "pos", "score": 0.6}]
    many = StandIn("text-classification", [choices] * 2)
    result, dataset = predict_and_compare(many, classifier("neg", "pos"), PAIRS)
    assert dataset["predictions1"][:] == ["pos", "pos"]
    assert (result.score1, result.score2) == (0.5, 1.0)


def test_pairs_of_texts():
    first, second = classifier("neg", "pos"), classifier("neg", "neg")
    predict_and_compare(first, second, PAIRS, second_input_column="other")
    assert first.inputs == [{"text": "a", "text_pair": "c"}, {"text": "b", "text_pair": "d"}]
    assert first.options == {"truncation": True}


X, Y = "X", "Y"


@pytest.mark.parametrize(
    ("words", "tokens", "labels"),
    [
        (["ab", "c", "d"], [(X, 0, 1), (Y, 1, 2), (X, 1, 3), (Y, 2, 4), (Y, 5, 6)], [X, Y, Y]),
        (["ab", "c", "d"], [(X, 0, 4), (Y, 4, 6)], [X, X, Y]),  # one token for two words
        (["ab", "c"], [(X, 0, 2), (X, 2, 3), (Y, 3, 4)], [X, X]),
        ([], [], []),
    ],
)
def test_the_first_token_of_a_word(words, tokens, labels):
    """It may begin at the space before the word, as in models that are trained on words."""
    dataset = Dataset.from_dict({"tokens": [words, ["a"]], "tags": [labels, [X]]})
    first = tagger([token(*x) for x in tokens], [token(X, 0, 1)])
    second = tagger([token(Y, *x[1:]) for x in tokens], [token(Y, 0, 1)])
    options = IN_WORDS | {"label_mapping": {Y: Y}}
    result, dataset = predict_and_compare(first, second, dataset, **options)
    assert first.inputs == [" ".join(words), "a"]
    assert first.options == {"ignore_labels": [], "aggregation_strategy": "none"}
    assert [dataset[name][0] for name in COLUMNS] == [labels, [Y] * len(words)]
    assert (result.score1, result.n) == (1.0, 2)


def test_spans():
    """Tags outside of entities meet, so that only the metric can tell types that none has."""
    tags = ["B-PER", "O", "B-LOC"]
    dataset = Dataset.from_dict({"tokens": [["a", "b", "c"]], "tags": [tags]})

    def tagging(*tags):
        return tagger([token(x, 2 * k, 2 * k + 1) for k, x in enumerate(tags)], labels=tags)

    options = IN_WORDS | {"metric": "span_f1"}
    result, _ = predict_and_compare(tagging(*tags), tagging("O", *tags[1:]), dataset, **options)
    assert result == compare([tags], [["O", *tags[1:]]], [tags], "span_f1")
    strange = tagging("B-PERSON", "O", "B-PLACE")
    with pytest.warns(UserWarning, match="only labels .* has: 'PERSON', 'PLACE'. The ") as found:
        predict_and_compare(strange, strange, dataset, **options)
    assert [str(x.message)[:14] for x in found] == ["`predictions1`", "`predictions2`"]


THREE = ("LABEL_0", "LABEL_1", "LABEL_2")
TO_THREE = dict(zip(THREE, ("neg", "neu", "pos"), strict=True))
WARNED = "has 'LABEL_1', which `label_mapping` maps to 'neu'"


@pytest.mark.parametrize(
    ("labels", "predicted", "kind", "mapping", "stored", "said"),
    [
        # Plain labels do not tell a class that the data lack from a slip of the pen.
        (THREE, ("LABEL_0", "LABEL_1"), "texts", TO_THREE, ["neg", "neu"], WARNED),
        (("neg", "neu", "pos"), ("neg", "neg"), "texts", None, ["neg", "neg"], None),
        ((*NAMES, "mixed"), ("neg", "mixed"), "texts", {"mixed": "mixed"}, ["neg", "mixed"], None),
        # Numbers have a negative one for none.
        (THREE, (*THREE[::2],), "ids", BY_ID | {"LABEL_2": "LABEL_2"}, [0, -1], None),
        (THREE, (*THREE[::2],), "ids", {"LABEL_0": 0, 1: 1, 2: 7}, [0, 7], "maps to 7"),
        # A pipeline that does not name its labels is checked when it has run.
        (None, ("neg", "mixed"), "texts", None, ["neg", "mixed"], None),
    ],
)
def test_classes_that_the_data_lack(labels, predicted, kind, mapping, stored, said, recwarn):
    right = [0, 1] if kind == "ids" else NAMES
    dataset = Dataset.from_dict({"text": ["a", "b"], "label": right})
    dataset = dataset.cast_column("label", KINDS[kind])
    pipeline = classifier(*predicted, labels=labels or ())
    if labels is None:
        del pipeline.model
    result, dataset = predict_and_compare(pipeline, pipeline, dataset, label_mapping=mapping)
    assert dataset["predictions1"][:] == stored
    assert result.score1 == 0.5
    assert len(recwarn) == (0 if said is None else 2)  # systems
    assert all(said in str(x.message) for x in recwarn)


# With transformers


@pytest.mark.thorough
def test_models_of_words():
    from corpora.tiny_models import tiny_pipeline

    texts = [" ".join(words) for words in SENTENCES["tokens"][:]]
    arguments = texts, SENTENCES["tags"][:], ["O", "B-GOOD"]
    models = tiny_pipeline(*arguments, 30), tiny_pipeline(*arguments, 1)
    result, dataset = predict_and_compare(*models, SENTENCES, **IN_WORDS)
    tags = [[["O", "B-GOOD"][tag] for tag in row] for row in SENTENCES["tags"]]
    assert result == compare(*(dataset[name][:] for name in COLUMNS), tags)
    assert (result.score1, result.n) == (1.0, 60)
    assert result.score1 > result.score2
    long = Dataset.from_dict({"tokens": [["good"] * 40], "tags": [["B-GOOD"] * 40]})
    with pytest.raises(InputError, match="word 32 of 40, 'good', has no token"):
        predict_and_compare(*models, long, **IN_WORDS, label_mapping={"O": "O"})
