"""Metrics as objects, and intervals, at every door of Hugging Face."""

import evaluate
import numpy as np
import pytest
from datasets import Dataset

from pairedperm import InputError, compare, load
from pairedperm.hf import compare_dataset
from pairedperm.scoring import F1, Accuracy, ExactMatch, SquadF1

COLUMNS = {
    "predictions1": [0, 1, 2, 2, 1, 0],
    "predictions2": [0, 1, 1, 0, 1, 1],
    "references": [0, 1, 2, 2, 1, 1],
}
MACRO = F1(average="macro")


def test_of_a_dataset():
    dataset = Dataset.from_dict(COLUMNS)
    expected = compare(**COLUMNS, metric="f1", average="macro")
    assert compare_dataset(dataset, metric=MACRO) == expected
    assert compare_dataset(dataset, metric="f1", average="macro") == expected
    with pytest.raises(
        InputError, match="`average` is an option of the metric, but `metric` is an obj"
    ):
        compare_dataset(dataset, metric=MACRO, average="micro")
    with pytest.raises(TypeError, match=r"unexpected option 'averge'\. Did you mean average="):
        compare_dataset(dataset, metric="f1", averge="micro")


def test_of_a_module(registered):
    module = load("paired_perm")
    expected = compare(**COLUMNS, metric=MACRO).to_dict()
    assert module.compute(**COLUMNS, metric=MACRO) == expected
    module.add_batch(**COLUMNS)
    assert module.compute(metric=Accuracy()) == compare(**COLUMNS).to_dict()
    module.add_batch(**COLUMNS)
    assert module.compute(metric=ExactMatch())["p"] == compare(**COLUMNS).pvalue
    answers = {name: ["a b", "c"] for name in COLUMNS}
    assert (
        module.compute(**answers, metric=SquadF1())
        == compare(**answers, metric="squad_f1").to_dict()
    )


def test_intervals(registered):
    module = evaluate.load("paired_perm")
    found = module.compute(**COLUMNS, confidence_level=0.9)
    assert found == compare(**COLUMNS, confidence_level=0.9).to_dict()
    low, high, method = compare(**COLUMNS).confidence_interval(0.9)
    assert (found["stat_low"], found["stat_high"], found["stat_interval"]) == (low, high, method)
    dataset = Dataset.from_dict(COLUMNS)
    assert compare_dataset(dataset, confidence_level=0.9).to_dict() == found
    scores = evaluate.load("paired_perm", "scores")
    columns = {"predictions1": [3, 1, 4, 1], "predictions2": [2, 7, 1, 8]}
    assert scores.compute(**columns, confidence_level=0.9)["confidence_level"] == 0.9


@pytest.mark.parametrize(
    ("n", "options", "message"),
    [
        (1, {}, "at least two examples or groups, some dozens to be of use, got one"),
        (6, {"alternative": "less"}, "`alternative` must be 'two-sided', got 'less'"),
    ],
)
def test_intervals_that_there_are_not(registered, n, options, message):
    """The examples stay."""
    module = evaluate.load("paired_perm")
    module.add_batch(**{name: column[:n] for name, column in COLUMNS.items()})
    with pytest.raises(InputError, match=message):
        module.compute(confidence_level=0.9, **options)
    assert module.compute()["n"] == n


@pytest.mark.parametrize("metric", [F1(), F1(average="macro", zero_division=1.0)], ids=repr)
def test_an_object_without_the_options_of_loading_is_not_another(registered, metric):
    module = load("paired_perm", "f1", average="macro", labels=[0, 1])
    expected = compare(**COLUMNS, metric="f1", average="macro", labels=[0, 1]).to_dict()
    with pytest.raises(
        InputError, match=r"but the options from loading make it F1\(.*labels=\[0, 1\]"
    ):
        module.compute(**COLUMNS, metric=metric)
    assert module.compute(**COLUMNS, metric=F1(average="macro", labels=[0, 1])) == expected
    assert module.compute(**COLUMNS, metric="f1") == expected


@pytest.mark.parametrize("metric", ["f1", MACRO], ids=repr)
def test_a_metric_is_the_configuration_when_loading(registered, metric):
    with pytest.raises(
        TypeError, match=r"unexpected option 'metric': .* Name the metric as configurat"
    ):
        load("paired_perm", metric=metric)


@pytest.mark.parametrize("name", [3, MACRO, np.array(["f1", "f1"])], ids=repr)
def test_what_is_no_configuration(registered, name):
    with pytest.raises(InputError, match=r"unknown configuration .* names the metric, one of"):
        load("paired_perm", name)


def test_names_that_are_meant(registered):
    module = load("paired_perm")
    with pytest.raises(InputError, match="Did you mean metric='f1', average='macro'"):
        module.compute(**COLUMNS, metric="f1_macro")
