"""Hamming loss: its contract, of labels, sequences and sets; labels left out."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume
from sklearn import metrics

from corpora.classes import TAGS, corpus, flat
from oracles import label_averages as oracle
from pairedperm import compare
from scoring.contract import Contract, check_metric

KINDS = ["strings", "integers", "sequences", "sets", "sets"]


def compared(*columns, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that do not occur
        return compare(*columns, "hamming_loss", **options)


def wrong(found, right, labels):
    """Wrong labels of an example, and how many there are."""
    if isinstance(right, set):
        return len((found ^ right) & {*labels}), len(labels)
    found, right = ([x] if not isinstance(x, list) else x for x in (found, right))
    return sum(a != b for a, b in zip(found, right, strict=True)), len(right)


def share_of_wrong(predictions, references, there, multilabel=False, labels=None):
    rows = [wrong(*x, labels or there) for x in zip(predictions, references, strict=True)]
    n_wrong, n = (sum(column) for column in zip(*rows, strict=True))
    return Fraction(n_wrong, n or 1)


def from_sklearn(predictions, references, there, multilabel=False, labels=None):
    if multilabel:
        labels = labels or there
        matrices = [[[k in row for k in labels] for row in x] for x in (references, predictions)]
        matrices = [np.array(matrix, dtype=int) for matrix in matrices]
        if len(labels) == 1:  # a column would be taken for two classes
            matrices = [matrix[:, 0] for matrix in matrices]
        return metrics.hamming_loss(*matrices)
    return metrics.hamming_loss(flat(references), flat(predictions))


def drawn(rng, n):
    """Sets may have labels that do not count, and may be chosen labels that do not occur."""
    kind, n_right = str(rng.choice(KINDS)), int(rng.integers(1, 5))
    columns = corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)), (0.6, 0.3))
    there = oracle.there(columns[::2])  # also if system 1 is compared with itself
    assume(there)
    if kind != "sets":
        return columns, {}
    some = {there[int(rng.integers(len(there)))], *(x for x in (*TAGS, "X") if rng.random() < 0.25)}
    return columns, {"multilabel": True, **({"labels": sorted(some)} if rng.random() < 0.5 else {})}


test_contract = check_metric(
    Contract(
        "hamming_loss", drawn, share_of_wrong, library=from_sklearn, is_of_all=True, share=0.3
    ),
)


def test_labels_that_stand_for_none():
    assert compared([[1, 0]], [[1, 1]], [[1, -100]]).n_ignored == 1
    kept = compared([[1, 0]], [[1, 1]], [[1, -100]], ignore_label=None)
    assert (kept.score1, kept.metric_options) == (0.5, {"ignore_label": None})


def test_words_of_chosen_labels():
    columns = corpus(np.random.default_rng(8), 30, "sets")
    result = compared(*columns, multilabel=True, labels={"VERB", "ADJ"})
    assert result.metric_options == {"multilabel": True, "labels": ["ADJ", "VERB"]}
    assert "Hamming loss for labels 'ADJ', 'VERB'" in str(result)
    assert str(compared(*columns, multilabel=True)).startswith("Hamming loss: ")


# Degenerate


def test_sets_without_any_label():
    result = compared([set()] * 2, [set()] * 2, [set()] * 2, multilabel=True)
    assert (result.score1, result.pvalue) == (0.0, 1.0)
    result = compared([set(), {"a"}], [set()] * 2, [set()] * 2, multilabel=True)
    assert (result.score1, result.score2) == (0.5, 0.0)


def test_labels_that_are_others():
    """Nothing is right: it is said, also where all is wrong."""
    with pytest.warns(UserWarning, match="`predictions1` has only labels that no reference has"):
        assert compare(TAGS, list("bcda"), list("dcba"), "hamming_loss").score1 == 1.0
