"""Subset accuracy: its contract, lists of labels, empty sets."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn import metrics

from corpora.classes import TAGS, corpus
from pairedperm import compare
from pairedperm.scoring import ZeroOne
from scoring.contract import Contract, check_metric


def sets(rng, n):
    """Of few labels, so that some are right; sometimes of integers."""
    columns = corpus(rng, n, "sets", int(rng.integers(1, 3)), int(rng.integers(2, 4)))
    if rng.random() < 0.5:
        columns = [[{TAGS.index(x) - 1 for x in row} for row in column] for column in columns]
    return columns, {}


def share_of_right(predictions, references):
    same = [a == b for a, b in zip(predictions, references, strict=True)]
    return Fraction(sum(same), len(same))


def from_sklearn(predictions, references):
    known = [*set().union(*references, *predictions), None, ()]  # two columns at least
    columns = ([[x in row for x in known] for row in y] for y in (references, predictions))
    return metrics.accuracy_score(*(np.array(x, dtype=int) for x in columns))


test_contract = check_metric(
    Contract(
        "subset_accuracy",
        sets,
        share_of_right,
        library=from_sklearn,
        words="subset accuracy",
        share=0.3,
    ),
)


def test_lists_of_labels():
    columns = corpus(np.random.default_rng(5), 60, "sets", 2, 2)
    lists = [[sorted(row, reverse=True) for row in column] for column in columns]
    assert compare(*lists, "subset_accuracy") == compare(*columns, "subset_accuracy")


def test_former_name():
    columns = [{1}, {2}, {3}], [{1}, {3}, {2}], [{1}, {2}, {2}]
    result = compare(*columns, "zero_one")
    assert result == compare(*columns, "subset_accuracy")
    assert (result.metric, repr(ZeroOne())) == ("subset_accuracy", "SubsetAccuracy()")


def test_empty_sets_and_absent_labels():
    assert compare([set()], [set()], [set()], "subset_accuracy").score1 == 1.0
    with pytest.warns(UserWarning, match="`predictions2` has only labels that no reference has"):
        assert compare([{1}, {2}], [{3}, {4}], [{1}, {2}], "subset_accuracy").score2 == 0.0
