"""Options of metrics that there are not, and columns that do not fit them."""

from itertools import product

import numpy as np
import pytest

from pairedperm import InputError, compare
from pairedperm.scoring.metric import METRICS


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("f1", {}, "`pos_label` is missing: .* `predictions1` holds 'a' .*average='micro'"),
        ("f1", {"average": "mean"}, "`average` must be one of .*'macro', .*, got 'mean'"),
        (
            "f1",
            {"labels": ["a"]},
            "`labels` is for average='micro' or 'macro', got",
        ),
        ("f1", {"average": "micro", "pos_label": "a"}, r"`pos_label` is for .* labels=\['a'\]"),
        ("f1", {"average": "micro", "labels": []}, "`labels` is empty"),
        ("f1", {"average": "micro", "labels": "a"}, "`labels` must be a list"),
        ("f1", {"average": "micro", "labels": [0.5]}, r"`labels\[0\]` must be a label, .* got 0.5"),
        ("f1", {"pos_label": ["a"]}, "`pos_label` must be a label"),
        ("f1", {"pos_label": "a", "beta": 2}, "`beta` is no option of metric 'f1': leave it"),
        ("fbeta", {"pos_label": "a"}, "`beta` is missing: metric 'fbeta' has no default"),
        ("fbeta", {"pos_label": "a", "beta": -1}, "`beta` must be a number from 0 to 1000, got -1"),
        ("fbeta", {"pos_label": "a", "beta": 2**0.5}, "`beta` must be a ratio of integers up to"),
        (
            "f1",
            {"pos_label": "a", "zero_division": "warn"},
            "`zero_division` must be .*'warn' is 0",
        ),
        ("f1", {"pos_label": "a", "multilabel": 1}, "`multilabel` must be True or False, got 1"),
        ("f1", {"pos_label": "a", "multilabel": True}, "must hold a set of labels .*'a'"),
        ("f1", {"multilabel": True}, "`pos_label` is missing: with multilabel=True"),
        (
            "f1",
            {"average": "micro", "labels": np.array(1)},
            "`labels` must be a list of the labels",
        ),
        *(
            (metric, {option: value}, f"`{option}` is no option of metric '{metric}'")
            for metric, (option, value) in product(
                ("accuracy", "exact_match"),
                {
                    "average": "micro",
                    "pos_label": "a",
                    "labels": ["a"],
                    "beta": 1,
                    "zero_division": 1.0,
                    "multilabel": True,
                }.items(),
            )
        ),
    ],
)
def test_bad_options(metric, options, message):
    columns = ["a", "b", "c"], ["b", "b", "c"], ["a", "b", "c"]
    with pytest.raises(InputError, match=message):
        compare(*columns, metric, **options)


def test_without_pos_label_labels_must_be_0_and_1():
    for column in ([0, 1, 2], ["0", "1", "1"], [-1, 1, 1]):
        with pytest.raises(
            InputError, match="`pos_label` is missing: with average='binary' it is 1"
        ):
            compare(column, column, column, "f1")


def test_an_error_of_the_metric_itself_is_its_own(monkeypatch):
    """It is not taken for an option that there is not."""

    class Broken(METRICS["f1"]):
        def __post_init__(self):
            raise TypeError("of its own")

    monkeypatch.setitem(METRICS, "f1", Broken)
    with pytest.raises(TypeError, match=r"^of its own$"):
        compare([1], [0], [1], "f1", pos_label=1)
