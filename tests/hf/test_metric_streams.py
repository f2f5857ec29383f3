"""Metrics with options through the `evaluate` module."""

import pickle

import evaluate
import pytest
from datasets import Dataset, Features, Sequence, Value

from corpora.labelled import IDS, spelled, tagged
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from properties import one_in

OF_IDS = {"metric": "f1", "pos_label": 2}


def test_options_at_load(registered, hold):
    hold(50)
    module = evaluate.load("paired_perm", "f1", pos_label=2)
    expected = compare(**IDS, **OF_IDS).to_dict()
    for _ in range(2):  # also after a reset
        for start in range(0, 500, 20):
            module.add_batch(**{name: x[start : start + 20] for name, x in IDS.items()})
        assert pickle.loads(pickle.dumps(module)).compute() == expected
        assert module.compute(metric="accuracy") == compare(**IDS).to_dict()
    assert module.compute(**IDS, metric="f1", pos_label=0) == (
        compare(**IDS, metric="f1", pos_label=0).to_dict()
    )
    scores = evaluate.load("paired_perm", "scores")
    columns = {"predictions1": [1, 2], "predictions2": [0, 0]}
    assert scores.compute(**columns, zero_division=None, labels=None)["p"] == 0.5


def test_batches_that_the_metric_cannot_take(registered):
    """They are not added, and nothing is lost."""
    sets = evaluate.load("paired_perm", "f1", average="micro", multilabel=True)
    sets.add_batch(**{name: [["a"], ["b"]] for name in IDS})
    with pytest.raises(InputError, match="is in its set twice"):
        sets.add_batch(**{name: [["a", "a"]] for name in IDS})
    assert sets.compute()["n"] == 2
    spans = evaluate.load("paired_perm", "span_f1")
    with pytest.raises(InputError, match="holds integers"):
        spans.add_batch(**{name: [[1, 2]] for name in IDS})
    assert len(spans) == 0


@pytest.mark.parametrize(
    ("first", "given", "whole"),
    [
        ({"average": "micro", "labels": [0]}, {"average": "micro"}, {}),
        ({"average": "micro", "labels": [0]}, {"pos_label": None, "labels": None}, {}),
        ({"pos_label": 0}, {"average": "binary", "labels": None, "multilabel": None}, {}),
        ({"pos_label": 0, "zero_division": 1.0}, {"zero_division": None}, {}),
        ({"average": "micro", "labels": [0]}, {"pos_label": 1}, {"pos_label": 1}),
        ({"pos_label": 0}, {"average": "micro"}, {"average": "micro"}),
        ({"pos_label": 0}, {"average": "macro"}, {"average": "macro"}),
        (
            {"pos_label": 0},
            {"average": "macro", "labels": [1, 2]},
            {"average": "macro", "labels": [1, 2]},
        ),
        (
            {"average": "macro", "labels": [0, 2]},
            {"labels": [1]},
            {"average": "macro", "labels": [1]},
        ),
        (
            {"average": "macro", "labels": [0, 2]},
            {"average": "micro"},
            {"average": "micro", "labels": [0, 2]},
        ),
        (
            {"average": "macro", "labels": [0, 2]},
            {"average": "binary", "pos_label": 1},
            {"pos_label": 1},
        ),
        ({"average": "macro", "labels": [0, 2]}, {"pos_label": 1}, {"pos_label": 1}),
    ],
)
def test_options_at_load_stay_unless_others_replace_them(registered, first, given, whole):
    """What is said again changes nothing; one label gives way to an average, and back."""
    module = evaluate.load("paired_perm", "f1", **first)
    columns = {name: column[:60] for name, column in IDS.items()}
    expected = compare(**columns, metric="f1", **(whole or first)).to_dict()
    assert module.compute(**columns, **given) == expected


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ({"metric": "precision"}, {"metric": "precision", "pos_label": 0}),
        ({"beta": 2}, {"metric": "fbeta", "beta": 2, "pos_label": 0}),
        ({"pos_label": 1}, {"metric": "fbeta", "beta": 0.5, "pos_label": 1}),
        ({"metric": "balanced_accuracy"}, {"metric": "balanced_accuracy"}),
    ],
)
def test_options_at_load_stay_for_another_metric(registered, given, whole):
    module = evaluate.load("paired_perm", "fbeta", pos_label=0, beta=0.5)
    assert module.compute(**IDS, **given) == compare(**IDS, **whole).to_dict()


def test_options_of_other_kinds_of_metric_do_not_stay(registered):
    module = evaluate.load("paired_perm", "f1", average="micro", labels=["B-PER"])
    columns = spelled(tagged())
    assert module.compute(**columns, labels=["I-PER"]) == (
        compare(**columns, metric="f1", average="micro", labels=["I-PER"]).to_dict()
    )
    assert module.compute(**columns, metric="span_f1") == (
        compare(**columns, metric="span_f1").to_dict()
    )


def test_sets_of_0_and_1_in_any_batches(registered):
    columns = {
        "predictions1": [{0}, {0, 1}, {1}],
        "predictions2": [{0, 1}, {1}, {0, 1}],
        "references": [{0}, {0, 1}, {0, 1}],
    }
    options = {"average": "micro", "multilabel": True}
    module = evaluate.load("paired_perm", "f1", **options)
    for row in zip(*columns.values(), strict=True):
        module.add(**dict(zip(columns, row, strict=True)))
    assert module.compute() == compare(**columns, metric="f1", **options).to_dict()


def test_rows_given_to_compute_count_from_0(registered):
    module = evaluate.load("paired_perm", "f1", pos_label=1)
    module.add_batch(**{name: [[1], [1]] for name in IDS})
    uneven = {name: [[1], [1]] for name in IDS} | {"predictions2": [[1], [1, 1]]}
    with pytest.raises(InputError, match=r"`predictions2`\[1\] has 2 labels"):
        module.compute(**uneven)
    assert module.compute()["n"] == 2


def test_empty_sequences_are_counted_too(registered, hold):
    hold(50)
    module = evaluate.load("paired_perm", "f1", average="micro")
    sizes = []
    for _ in range(100):
        module.add_batch(**{name: [[]] * 10 for name in IDS})
        sizes.append(len(pickle.dumps(module._stream)))
    assert max(sizes[50:]) <= max(sizes[:50])


@one_in(2)
def test_a_system_that_predicts_nothing(batches):
    columns = {
        "predictions1": [[]] * 600,
        "predictions2": [["a"]] * 600,
        "references": [["a", "b"]] * 600,
    }
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    features = Features({name: Sequence(Value("string")) for name in columns})
    dataset = Dataset.from_dict(columns, features=features)
    expected = compare(**columns, **options)
    assert compare_dataset(dataset, **options) == expected
    assert compare_dataset(dataset.to_iterable_dataset(), **options) == expected


def test_options_that_come_too_late(paired_perm, hold):
    hold(50)
    paired_perm.add_batch(**IDS)
    with pytest.raises(InputError, match="counted for 'accuracy'"):
        paired_perm.compute(**OF_IDS)
    assert paired_perm.compute()["n"] == 500  # nothing was lost
