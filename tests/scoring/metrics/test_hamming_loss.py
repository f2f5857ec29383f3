"""Hamming loss: scikit-learn's, of labels, sequences and sets; brute force, errors."""

import warnings
from fractions import Fraction
from functools import partial
from itertools import chain

import numpy as np
import pytest
from hypothesis import assume, given
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

from corpora.classes import TAGS, corpus
from corpora.real_tags import sentences
from oracles import draws
from oracles import label_averages as oracle
from pairedperm import InputError, compare
from properties import cases, generators

KINDS = ["strings", "integers", "sequences", "sets"]


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


def truth_of(predictions, references, labels):
    pairs = zip(predictions, references, strict=True)
    n_wrong, n = np.sum([wrong(*pair, labels) for pair in pairs], axis=0).tolist()
    return Fraction(n_wrong, n)


def from_sklearn(predictions, references, labels):
    if isinstance(references[0], set):
        matrices = [[[k in row for k in labels] for row in x] for x in (references, predictions)]
        matrices = [np.array(matrix, dtype=int) for matrix in matrices]
        if len(labels) == 1:  # a column would be taken for two classes
            matrices = [matrix[:, 0] for matrix in matrices]
        return metrics.hamming_loss(*matrices)
    if isinstance(references[0], list):
        references, predictions = map(list, map(chain.from_iterable, (references, predictions)))
    return metrics.hamming_loss(references, predictions)


@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_scikit_learn(kind, rng):
    columns = corpus(rng, int(rng.choice([3, 50])), kind)
    there = oracle.there(columns)
    assume(any(columns[2]) and there)
    is_sets = kind == "sets"
    for labels in (None, ["ADJ", "VERB"], ["VERB"], ["ADJ", "X"]) if is_sets else (None,):
        if labels and set(labels).isdisjoint(there):
            continue
        options = {"multilabel": True, "labels": labels} if is_sets else {}
        result = compared(*columns, **options)
        for found, column in zip((result.score1, result.score2), columns, strict=False):
            expected = from_sklearn(column, columns[2], labels or there)
            assert found == pytest.approx(expected, abs=1e-15)
            assert found == float(truth_of(column, columns[2], labels or there))


@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("kind", KINDS)
def test_pvalues_by_brute_force(kind, rng):
    columns = corpus(rng, 9, kind, accuracies=(0.6, 0.3))
    labels = ["ADJ", "NOUN"] if kind == "sets" else None
    assume(any(columns[2]) or kind == "sets")
    assume(not labels or not set(labels).isdisjoint(oracle.there(columns)))
    options = {"multilabel": True, "labels": labels} if labels else {}
    expected = oracle.brute_force(lambda p, r: truth_of(p, r, labels), columns)
    oracle.assert_pvalues(partial(compared, *columns, **options), expected, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_bootstrap_is_ideal(kind):
    """The number of labels of sets is that of the data in each resample."""
    columns = corpus(np.random.default_rng(5), 20, kind)
    there = oracle.there(columns)
    one, two = (
        [wrong(*pair, there) for pair in zip(x, columns[2], strict=True)] for x in columns[:2]
    )
    result = compared(*columns, multilabel=kind == "sets", test="bootstrap")
    n_wrong = [[x for x, _ in rows] for rows in (one, two)]
    draws.assert_is(result, draws.common_pvalue(*n_wrong, [n for _, n in one]))


def test_labels_and_sequences_as_accuracy():
    columns = corpus(np.random.default_rng(7), 200)
    for found in (columns, [[[x] for x in column] for column in columns]):
        result, accuracy = compared(*found), compare(*found)
        assert (result.pvalue, result.statistic) == (accuracy.pvalue, -accuracy.statistic)
        assert result.score1 == pytest.approx(1 - accuracy.score1, abs=1e-15)
    assert compared([[1, 0]], [[1, 1]], [[1, -100]]).n_ignored == 1
    kept = compared([[1, 0]], [[1, 1]], [[1, -100]], ignore_label=None)
    assert (kept.score1, kept.metric_options) == (0.5, {"ignore_label": None})


def test_sets_of_real_tags():
    """Each sentence's tags as a set; p against 40,000 swaps."""
    columns = [[set(row) for row in column] for column in sentences()]
    result = compared(*columns, multilabel=True)
    known = oracle.there(columns)
    binarizer, rows = MultiLabelBinarizer(classes=known).fit([]), []
    right = binarizer.transform(columns[2])
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        predicted = binarizer.transform(column)
        assert found == pytest.approx(metrics.hamming_loss(right, predicted), abs=1e-12)
        rows.append((right != predicted).sum(axis=1)[:, None])
    n = right.size
    share, error = oracle.sampled(
        *rows, lambda sums: sums[:, 0] / n, 40_000, np.random.default_rng(8)
    )
    assert abs(result.pvalue - share) <= 4 * error
    assert result.summary().startswith("The Hamming loss of system")


def test_words_of_chosen_labels():
    columns = corpus(np.random.default_rng(8), 30, "sets")
    result = compared(*columns, multilabel=True, labels={"VERB", "ADJ"})
    assert result.metric_options == {"multilabel": True, "labels": ["ADJ", "VERB"]}
    assert "Hamming loss for labels 'ADJ', 'VERB'" in str(result)
    assert compared(*columns, **result.metric_options) == result


# Degenerate


def test_sets_without_any_label():
    result = compared([set()] * 2, [set()] * 2, [set()] * 2, multilabel=True)
    assert (result.score1, result.pvalue) == (0.0, 1.0)
    result = compared([set(), {"a"}], [set()] * 2, [set()] * 2, multilabel=True)
    assert (result.score1, result.score2) == (0.5, 0.0)


def test_labels_that_are_others():
    """Nothing is right: it is said, also where all is wrong."""
    with pytest.warns(UserWarning, match="`predictions1` holds no label that `references` has"):
        assert compare(TAGS, list("bcda"), list("dcba"), "hamming_loss").score1 == 1.0


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ((["a"],) * 3, {"multilabel": 1}, "`multilabel` must be True or False, got 1"),
        ((["a"],) * 3, {"labels": ["a"]}, "`labels` names the labels that sets may have: give"),
        (([{"a"}],) * 3, {"multilabel": True, "labels": []}, "`labels` is empty"),
        (([{"a"}],) * 3, {"multilabel": True, "labels": ["x"]}, "`labels`: 'x' occurs neither"),
        ((["a"],) * 3, {"multilabel": True}, "must hold a set of labels .* got single labels"),
        (([[]],) * 3, {}, "`references` holds no label: every sequence is empty"),
        (([["a"]], [["a", "b"]], [["a"]]), {}, r"`predictions2`\[0\] has 2 labels"),
    ],
)
def test_bad_input(columns, options, message):
    with pytest.raises(InputError, match=message):
        compare(*columns, "hamming_loss", **options)
