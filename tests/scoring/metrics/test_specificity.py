"""Specificity: its contract, truth values, labels left out."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume
from sklearn import metrics

from corpora.classes import corpus, flat
from oracles.label_averages import there
from pairedperm import InputError, compare
from scoring.contract import Contract, check_metric


def compared(*columns, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that are not in the references
        return compare(*columns, "specificity", **options)


def negatives(found, right, label):
    """True negatives and right negatives of an example."""
    if isinstance(right, set):
        return int(label not in found | right), int(label not in right)
    found, right = ([x] if not isinstance(x, list) else x for x in (found, right))
    pairs = list(zip(found, right, strict=True))
    return sum(label not in pair for pair in pairs), sum(x != label for x in right)


def share_of_negatives(predictions, references, pos_label=1, zero_division=0, multilabel=False):
    pairs = zip(predictions, references, strict=True)
    counts = [negatives(*pair, pos_label) for pair in pairs]
    n_true, n = (sum(column) for column in zip(*counts, strict=True))
    return Fraction(n_true, n) if n else Fraction(zero_division)


def from_sklearn(predictions, references, pos_label=1, zero_division=0, multilabel=False):
    """Right negatives, tn / (tn + fp) of its confusion matrix of the label against the rest."""
    columns = references, predictions
    if multilabel:
        columns = [[pos_label in row for row in column] for column in columns]
    else:
        columns = [[x == pos_label for x in flat(column)] for column in columns]
    (tn, fp), _ = metrics.confusion_matrix(*columns, labels=[False, True])
    return tn / (tn + fp) if tn + fp else zero_division


def drawn(rng, n):
    """Any label may be the one; of 0 and 1 it need not be named."""
    zero_division = [{}, {"zero_division": 0.5}, {"zero_division": 1.0}][int(rng.integers(3))]
    kind = str(rng.choice(["strings", "integers", "sequences", "sets", "zeros and ones"]))
    if kind == "zeros and ones":
        return rng.integers(0, 2, (3, n)).tolist(), zero_division
    n_right = int(rng.integers(1, 5))
    columns = corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)), (0.6, 0.3))
    labels = there(columns[::2])  # also if system 1 is compared with itself
    assume(labels)
    options = {"pos_label": labels[int(rng.integers(len(labels)))], **zero_division}
    return columns, options | ({"multilabel": True} if kind == "sets" else {})


test_contract = check_metric(
    Contract("specificity", drawn, share_of_negatives, library=from_sklearn, share=0.3),
)


def test_truth_values():
    columns = np.random.default_rng(1).integers(0, 2, (3, 50))
    result = compared(*columns)
    assert result.metric_options == {"pos_label": 1}
    assert compared(*columns.astype(bool)) == result


def test_sequences_with_labels_that_stand_for_none():
    columns = [[1, 0, 0]], [[1, 1, 0]], [[-100, 0, 0]]
    result = compared(*columns)
    assert (result.score1, result.score2, result.n_ignored) == (1.0, 0.5, 1)


# Degenerate


def test_a_label_that_never_occurs():
    """All are negative then, and right; it cannot be meant."""
    columns = ["a", "b", "b"], ["b", "b", "b"], ["b", "a", "b"]
    with pytest.raises(InputError, match="'x' occurs neither"):
        compared(*columns, pos_label="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compare(*columns, "specificity", pos_label="a").score2 == 1.0
