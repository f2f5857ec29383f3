"""Subset accuracy: scikit-learn's of indicator matrices, brute force, errors."""

from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

from corpora.classes import TAGS, corpus
from corpora.real_tags import sentences
from oracles import draws
from oracles import label_averages as oracle
from pairedperm import InputError, compare
from properties import cases, generators


def from_sklearn(predictions, references, known):
    binarizer = MultiLabelBinarizer(classes=known).fit([])
    return metrics.accuracy_score(*map(binarizer.transform, (references, predictions)))


def truth_of(predictions, references):
    same = [a == b for a, b in zip(predictions, references, strict=True)]
    return Fraction(sum(same), len(same))


@cases(0.3)
@given(rng=generators)
def test_scores_are_those_of_indicator_matrices(rng):
    columns = corpus(rng, int(rng.choice([1, 5, 60])), "sets", 2, 2)
    result = compare(*columns, "zero_one")
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        assert found == from_sklearn(column, columns[2], TAGS)
        assert found == float(truth_of(column, columns[2]))
    lists = [[sorted(row, reverse=True) for row in column] for column in columns]
    assert compare(*lists, "zero_one") == result
    assert (result.metric, result.metric_options) == ("zero_one", None)


@cases(0.3)
@given(rng=generators)
def test_pvalues_by_brute_force(rng):
    columns = corpus(rng, 9, "sets", 1, 2)
    expected = oracle.brute_force(truth_of, columns)
    oracle.assert_pvalues(partial(compare, *columns, "zero_one"), expected, rel=0)


def test_bootstrap_is_ideal():
    columns = corpus(np.random.default_rng(5), 20, "sets", 2, 2)
    right = [[int(a == b) for a, b in zip(x, columns[2], strict=True)] for x in columns[:2]]
    result = compare(*columns, "zero_one", test="bootstrap")
    draws.assert_is(result, draws.mean_pvalue(*right))


def test_sets_of_real_tags():
    """Each sentence's tags as a set; p against 40,000 swaps."""
    columns = [[set(row) for row in column] for column in sentences()]
    result = compare(*columns, "zero_one")
    known, rows = oracle.there(columns), []
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        assert found == pytest.approx(from_sklearn(column, columns[2], known), abs=1e-12)
        right = [a == b for a, b in zip(column, columns[2], strict=True)]
        rows.append(np.array(right, dtype=np.int64)[:, None])
    share, error = oracle.sampled(
        *rows, lambda sums: sums[:, 0] / len(columns[2]), 40_000, np.random.default_rng(6)
    )
    assert abs(result.pvalue - share) <= 4 * error
    assert result.summary().startswith("The subset accuracy of system")


def test_empty_sets_and_absent_labels():
    result = compare([set(), {"a"}, {"x"}], [set()] * 3, [set(), {"a"}, set()], "zero_one")
    assert (result.score1, result.score2) == (2 / 3, 2 / 3)
    assert compare([set()], [set()], [set()], "zero_one").score1 == 1.0
    with pytest.warns(UserWarning, match="`predictions2` holds no label that `references` has"):
        assert compare([{1}, {2}], [{3}, {4}], [{1}, {2}], "zero_one").score2 == 0.0


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ((["a"],) * 3, {}, "must hold a set of labels per example, got single labels"),
        (([1, 0], [1, 1], [1, 0]), {}, "must hold a set of labels per example, got single labels"),
        (([["a", "a"]],) * 3, {}, "is in its set twice: give each label once"),
        ((np.ones((1, 1, 1)),) * 3, {}, "must hold a set of labels per example, or be an indicat"),
        (([[0.5]],) * 3, {}, "must hold a set of labels per example, got floats"),
        (([[0, 1], [1, 0]],) * 3, {}, "look like rows of an indicator matrix"),
        ((np.array([[2]]),) * 3, {}, "For sets of labels, a two-dimensional array"),
        ((pd.DataFrame({"a": [1], None: [0]}),) * 3, {}, "for sets of labels, the columns. names"),
        ((pd.DataFrame({"a": [1], 0: [0]}),) * 3, {}, "for sets of labels, these names are th"),
        (
            (pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]})),
            {},
            "'a', 'b' in one of them only. These are the labels",
        ),
        (([{"a"}],) * 3, {"multilabel": True}, "`multilabel` is no option of metric 'zero_one'"),
        (([{"a"}, {"b"}], [{"a"}], [{"a"}]), {}, "`predictions1` has 2 examples and"),
    ],
)
def test_bad_input(columns, options, message):
    with pytest.raises(InputError, match=message) as error:
        compare(*columns, "zero_one", **options)
    assert ("multilabel" in str(error.value)) is ("multilabel" in options)  # it needs none
    with pytest.raises(InputError, match="Did you mean metric='zero_one'"):
        compare(*columns, "subset_accuracy")
