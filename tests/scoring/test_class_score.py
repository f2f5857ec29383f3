"""Scores that average over classes are scikit-learn's."""

import warnings
from itertools import chain

import pytest
from hypothesis import assume, given

from corpora.classes import corpus
from oracles.class_averages import MACRO, METRICS, options_of, truth_of, truth_of_sets
from pairedperm import InputError, compare
from pairedperm.scoring import class_counts
from properties import cases, generators


@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("kind", ["strings", "integers", "sequences"])
@pytest.mark.parametrize("metric", METRICS)
def test_scores_are_those_of_scikit_learn(metric, kind, rng):
    columns, is_macro = corpus(rng, int(rng.choice([4, 40])), kind), metric in MACRO
    assume(kind != "sequences" or any(columns[2]))
    some = [-1, 2] if kind == "integers" else ["ADJ", "VERB"]
    absent = [*some, 7 if kind == "integers" else "X"]
    for labels in (None, some, absent) if is_macro else (None,):
        for zero_division in (0.0, 1.0) if is_macro else (0.0,):
            options = options_of(metric, labels=labels, zero_division=zero_division)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of labels that do not occur
                result = compare(*columns, metric, n_resamples=9, rng=1, **options)
            for found, column in zip((result.score1, result.score2), columns[:2], strict=True):
                expected = truth_of(metric, column, columns[2], labels, zero_division)
                assert found == pytest.approx(expected, abs=1e-14)
            assert result.statistic == pytest.approx(result.score1 - result.score2, abs=1e-14)
            assert (result.metric, result.n) == (metric, len(columns[2]))


@cases(0.05)
@given(rng=generators)
@pytest.mark.parametrize("metric", MACRO)
def test_scores_of_sets_are_those_of_indicator_matrices(metric, rng):
    """Also where a class is in one system's predictions only."""
    sampled = {"n_resamples": 9, "rng": 1, "multilabel": True}
    columns = corpus(rng, int(rng.choice([4, 12])), "sets")
    columns = columns[0], [row - {"VERB"} for row in columns[1]], columns[2]
    assume(any(chain.from_iterable(columns)))
    for labels in (None, ["ADJ", "VERB"], ["VERB"]):
        there = set().union(*chain.from_iterable(columns))
        classes = labels or sorted(there)
        if there.isdisjoint(classes):  # which cannot be meant
            continue
        for zero_division in (0.0, 1.0):
            options = options_of(metric, labels=labels, zero_division=zero_division)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of labels that do not occur
                result = compare(*columns, metric, **sampled, **options)
            for found, column in zip((result.score1, result.score2), columns, strict=False):
                expected = truth_of_sets(metric, column, columns[2], classes, zero_division)
                assert found == pytest.approx(expected, abs=1e-14)


def test_labels_that_never_occur():
    """They are averaged over, and warned of."""
    columns = ["a", "b", "b"], ["a", "a", "b"], ["a", "b", "b"]
    options = {"metric": "f1", "average": "macro"}
    with pytest.warns(UserWarning, match="`labels`: 'x' occurs neither") as warned:
        result = compare(*columns, labels=["a", "b", "x"], **options)
    assert warned[0].filename == __file__
    assert result.score1 == 2 / 3  # (1 + 1 + 0) / 3
    with pytest.warns(UserWarning, match="`labels`: 'x' occurs neither"):
        result = compare(*columns, labels=["a", "b", "x"], zero_division=1.0, **options)
    assert result.score1 == 1.0
    assert result.metric_options == {
        "average": "macro",
        "labels": ["a", "b", "x"],
        "zero_division": 1.0,
    }


# Errors


@pytest.mark.parametrize("metric", METRICS)
def test_no_label(metric):
    columns = [[[], []]] * 3
    with pytest.raises(InputError, match="`references` holds no label: every sequence is empty"):
        compare(*columns, metric, **options_of(metric))


def test_sets_without_a_label():
    columns = [[set(), set()]] * 3
    with pytest.raises(InputError, match="`references` holds no label"):
        compare(*columns, "f1", average="macro", multilabel=True)


@pytest.mark.parametrize("nest", [lambda x: x, lambda x: [x]], ids=["single", "sequences"])
def test_too_many_classes(monkeypatch, nest):
    monkeypatch.setattr(class_counts, "MAX_CELLS", 6 * 32 * 3 - 1)
    columns = [[nest(x) for x in column] for column in ("abc", "acb", "abc")]
    with pytest.raises(InputError, match=r"3 classes in 3 distinct examples are too many.*'micro'"):
        compare(*columns, "f1", average="macro")
    with pytest.raises(InputError, match=r"allowed: give rare ones one name in all columns\.$"):
        compare(*columns, "matthews_correlation")
    monkeypatch.setattr(class_counts, "MAX_CELLS", 6 * 32 * 3)
    assert compare(*columns, "f1", average="macro").n == 3


def test_columns_that_do_not_fit():
    options = {"metric": "matthews_correlation"}
    with pytest.raises(InputError, match=r"`predictions2` has 1 examples and .* has 2"):
        compare(["a", "b"], ["a"], ["a", "b"], **options)
    with pytest.raises(InputError, match=r"`predictions1`\[1\] has 2 labels"):
        compare([["a"], ["a", "b"]], [["a"], ["b"]], [["a"], ["b"]], **options)
    with pytest.raises(InputError, match="must hold a set of labels per example"):
        compare(["a"], ["a"], ["a"], "f1", average="macro", multilabel=True)
