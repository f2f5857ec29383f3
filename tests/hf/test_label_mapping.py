"""predict_and_compare: what pipelines predict, and what that means."""

import warnings

import numpy as np
import pytest
from datasets import ClassLabel, Dataset

from corpora.stand_ins import (
    IN_WORDS,
    NAMES,
    PAIRS,
    StandIn,
    classifier,
    tagger,
    token,
)
from pairedperm.hf import compare_dataset, predict_and_compare


def test_all_labels_of_a_text():
    many = StandIn(
        "text-classification",
        [[{"label": "neg", "score": 0.4}, {"label": "pos", "score": 0.6}]] * 2,
    )
    result, dataset = predict_and_compare(many, classifier("neg", "pos"), PAIRS)
    assert dataset["predictions1"][:] == ["pos", "pos"]
    assert (result.score1, result.score2) == (0.5, 1.0)


def test_pairs_of_texts():
    first, second = classifier("neg", "pos"), classifier("neg", "neg")
    predict_and_compare(first, second, PAIRS, second_input_column="other", batch_size=2)
    assert first.inputs == [{"text": "a", "text_pair": "c"}, {"text": "b", "text_pair": "d"}]
    assert first.options == {"truncation": True, "batch_size": 2}


def test_the_first_token_of_a_word():
    """Offsets may begin at the space before a word; words may be of several tokens."""
    dataset = Dataset.from_dict({"tokens": [["ab", "c", "d"]], "tags": [["X", "Y", "Y"]]})
    outputs = [token("X", 0, 1), token("Y", 1, 2), token("X", 1, 3), token("Y", 2, 4)]
    first = tagger([*outputs, token("Y", 5, 6)])
    second = tagger([token("X", 0, 4), token("Y", 4, 6)])  # one token for two words
    result, dataset = predict_and_compare(first, second, dataset, **IN_WORDS)
    assert first.inputs == ["ab c d"]
    assert first.options == {"ignore_labels": [], "aggregation_strategy": "none"}
    assert dataset["predictions1"][:] == [["X", "Y", "Y"]]
    assert dataset["predictions2"][:] == [["X", "X", "Y"]]
    assert result.score2 == pytest.approx(2 / 3)


@pytest.mark.parametrize("space", [(2, 3), (3, 3)])
def test_a_space_before_a_word_is_of_it(space):
    """As when models are trained on words: the first token of "c" is the space."""
    dataset = Dataset.from_dict({"tokens": [["ab", "c"]], "tags": [["X", "X"]]})
    pipeline = tagger([token("X", 0, 2), token("X", *space), token("Y", 3, 4)])
    assert predict_and_compare(pipeline, pipeline, dataset, **IN_WORDS).result.score1 == 1.0


def test_a_class_that_the_data_lack():
    """Plain labels do not tell it from a slip of the pen: it is no error."""
    numbered = ("LABEL_0", "LABEL_1", "LABEL_2")
    mapping = {"LABEL_0": "neg", "LABEL_1": "neu", "LABEL_2": "pos"}
    first = classifier("LABEL_0", "LABEL_1", labels=numbered)
    with pytest.warns(UserWarning, match="has 'LABEL_1', which `label_mapping` maps to 'neu'"):
        result, dataset = predict_and_compare(
            first, classifier("neg", "pos"), PAIRS, label_mapping=(mapping, None)
        )
    assert dataset["predictions1"][:] == ["neg", "neu"]
    assert result.score1 == 0.5
    knows_more = classifier("neg", "pos", labels=("neg", "neu", "pos"))
    assert predict_and_compare(knows_more, knows_more, PAIRS).result.score1 == 1.0


def test_a_class_that_numbers_lack():
    dataset = Dataset.from_dict({"text": ["a", "b"], "label": [0, 1]})
    numbered = ("LABEL_0", "LABEL_1", "LABEL_2")
    outputs = ["LABEL_0", "LABEL_2"]
    for mapping, none in (
        ({"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": "LABEL_2"}, -1),
        ({"LABEL_0": 0, 1: 1, 2: 7}, 7),  # ids of the model will do
    ):
        pipelines = classifier(*outputs, labels=numbered), classifier(*outputs, labels=numbered)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            result, predicted = predict_and_compare(*pipelines, dataset, label_mapping=mapping)
        assert predicted["predictions1"][:] == [0, none]
        assert result.score1 == 0.5
        assert len(found) == (0 if none == -1 else 2)


@pytest.mark.parametrize("labelled", [True, False])
def test_a_label_that_counts_as_wrong(labelled):
    dataset = PAIRS.cast_column("label", ClassLabel(names=NAMES)) if labelled else PAIRS
    labels = (*NAMES, "mixed")
    result, predicted = predict_and_compare(
        classifier("neg", "mixed", labels=labels),
        classifier("neg", "pos"),
        dataset,
        label_mapping={"mixed": "mixed"},
    )
    assert predicted["predictions1"][:] == ["neg", "mixed"]
    assert (result.score1, result.score2) == (0.5, 1.0)


def test_a_pipeline_that_does_not_name_its_labels():
    """They are checked when it has run."""
    other = classifier("neg", "neg")
    nameless = classifier("neg", "mixed")
    del nameless.model
    result, dataset = predict_and_compare(nameless, other, PAIRS)
    assert dataset["predictions1"][:] == ["neg", "mixed"]
    assert result == compare_dataset(dataset, references="label")


def test_empty_sentences():
    dataset = Dataset.from_dict({"tokens": [[], ["a"]], "tags": [[], ["X"]]})
    pipelines = tagger([], [token("X", 0, 1)]), tagger([], [token("Y", 0, 1)])
    result, dataset = predict_and_compare(*pipelines, dataset, **IN_WORDS, label_mapping={"Y": "Y"})
    assert dataset["predictions1"][:] == [[], ["X"]]
    assert (result.score1, result.score2, result.n) == (1.0, 0.0, 2)
    assert np.isclose(result.pvalue, 1.0)


def test_types_of_entities_that_no_reference_has():
    """Tags outside of entities meet, so that only the metric can tell."""
    dataset = Dataset.from_dict({"tokens": [["a", "b", "c"]], "tags": [["B-PER", "O", "B-LOC"]]})
    tags = ["B-PERSON", "O", "B-PLACE"]
    tokens = [token(tag, 2 * k, 2 * k + 1) for k, tag in enumerate(tags)]
    pipelines = tagger(tokens, labels=tags), tagger(tokens, labels=tags)
    with pytest.warns(UserWarning, match="only labels .* has: 'PERSON', 'PLACE'. The ") as found:
        predict_and_compare(*pipelines, dataset, **IN_WORDS, metric="span_f1")
    assert [str(x.message)[:14] for x in found] == ["`predictions1`", "`predictions2`"]
