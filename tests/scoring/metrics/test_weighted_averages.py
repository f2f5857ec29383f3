"""Classes' scores weighted by right labels, average="weighted": scikit-learn's, brute force."""

import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given

from corpora.classes import TAGS, corpus
from corpora.real_tags import confusions, sentences
from oracles import draws
from oracles import label_averages as oracle
from oracles.class_averages import MACRO, of_matrices, truth_of
from pairedperm import compare
from properties import cases, generators

KINDS = ["strings", "sequences", "sets"]
METRICS = list(MACRO)


def options_of(metric, average, kind, **options):
    """As `compare` takes them."""
    return {"average": average, "multilabel": kind == "sets", **MACRO[metric][1], **options}


def compared(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that do not occur
        return compare(*arguments, **options)


@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", METRICS)
def test_weighted_scores_are_those_of_scikit_learn(metric, kind, rng):
    """Also with classes that only predictions have, and where no class has a right label."""
    columns = corpus(rng, int(rng.choice([4, 30])), kind)
    assume(any(columns[2]))
    known = [*TAGS, "X"]
    for labels in (None, ["ADJ", "VERB"], ["VERB"], ["ADJ", "X"]):
        if labels and set(labels).isdisjoint(oracle.there(columns)):
            continue
        for zero_division in (0.0, 1.0):
            options = options_of(
                metric, "weighted", kind, labels=labels, zero_division=zero_division
            )
            result = compared(*columns, metric, n_resamples=9, rng=1, **options)
            for found, column in zip((result.score1, result.score2), columns, strict=False):
                if kind == "sets":
                    expected = of_matrices(
                        metric,
                        "weighted",
                        column,
                        columns[2],
                        labels or known,
                        known,
                        zero_division=zero_division,
                    )
                else:
                    expected = truth_of(
                        metric, column, columns[2], labels, zero_division, average="weighted"
                    )
                assert found == pytest.approx(expected, abs=1e-14)
                own = oracle.weighted(metric, column, columns[2], labels or known, zero_division)
                assert found == pytest.approx(float(own), abs=1e-14)


@cases(0.03)
@given(rng=generators)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", METRICS)
def test_weighted_pvalues_by_brute_force(metric, kind, rng):
    for n, n_classes, labels in ((6, 2, None), (5, 3, None), (5, 3, ["ADJ", "PROPN"])):
        columns = corpus(rng, n, kind, n_classes, n_classes, (0.6, 0.3))
        counted = labels or oracle.there(columns)
        assume(any(columns[2]))
        assume(not set(counted).isdisjoint(oracle.there(columns)))
        expected = oracle.brute_force(
            lambda p, r, x=counted: oracle.weighted(metric, p, r, x, Fraction(1, 2)), columns
        )
        options = options_of(metric, "weighted", kind, labels=labels, zero_division=0.5)
        oracle.assert_pvalues(partial(compared, *columns, metric, **options), expected)


def test_weighted_recall_of_single_labels_is_accuracy():
    """A mean, exact at any size: the class's weight is its denominator."""
    columns = corpus(np.random.default_rng(1), 3000)
    expected = compare(*columns)
    result = compare(*columns, "recall", average="weighted", method="exact")
    assert (result.pvalue, result.score1) == (expected.pvalue, expected.score1)
    drawn = compare(*columns, "recall", average="weighted", test="bootstrap")
    assert (drawn.method, drawn.interval) == ("exact", "certified")
    expected = compare(*columns, test="bootstrap")
    assert drawn.confidence_interval == expected.confidence_interval


@pytest.mark.parametrize("metric", ["precision", "f1", "jaccard"])
def test_weights_are_drawn_too(metric):
    """The bootstrap's law, of all resamples; those without a right label average over classes."""
    columns = [["a", "b", "c", "b"], ["a", "b", "b", "a"], ["a", "b", "c", "c"]]
    labels = ["a", "b"]
    score, options = MACRO[metric]
    scores = draws.label_scores(
        score, *columns, labels=labels, average="weighted", zero_division=0, **options
    )
    truth = draws.Enumeration(scores, 4, 1e-12)
    options = options_of(metric, "weighted", "strings", labels=labels)
    result = compare(
        *columns, metric, test="bootstrap", method="monte_carlo", n_resamples=4999, rng=1, **options
    )
    assert result.score1 == pytest.approx(truth.score1, abs=1e-14)
    p = float(truth.pvalue())
    assert abs(result.pvalue - p) <= 4 * (p * (1 - p) / 4999) ** 0.5 + 1 / 4999


def test_words():
    columns = corpus(np.random.default_rng(1), 30)
    result = compare(*columns, "f1", average="weighted", labels=["ADJ", "NOUN"], n_resamples=9)
    assert result.summary().startswith("The weighted F1 for labels 'ADJ', 'NOUN' of system 1 ")
    assert result.metric_options == {"average": "weighted", "labels": ["ADJ", "NOUN"]}


def test_no_right_label_anywhere():
    columns = [{"a"}, {"b"}], [{"a", "b"}, set()], [{"c"}, set()]
    options = {"average": "weighted", "labels": ["a", "b"], "multilabel": True}
    for metric in METRICS:
        for zero_division in (0.0, 1.0):
            given_options = {**options, **MACRO[metric][1]}
            result = compare(*columns, metric, zero_division=zero_division, **given_options)
            for found, column in zip((result.score1, result.score2), columns, strict=False):
                expected = of_matrices(
                    metric,
                    "weighted",
                    column,
                    columns[2],
                    ["a", "b"],
                    ["a", "b", "c"],
                    zero_division=zero_division,
                )
                assert found == expected


CONTENT = {"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"}


def weighted_f1(sums):
    """Of sums of confusion matrices, shape (b, K K)."""
    width = round(sums.shape[1] ** 0.5)
    table = sums.reshape(-1, width, width)
    correct = np.diagonal(table, axis1=1, axis2=2)
    right, predicted = table.sum(axis=2), table.sum(axis=1)
    scores = 2 * correct / np.maximum(right + predicted, 1)
    return (scores * right).sum(axis=1) / right.sum(axis=1)


@pytest.mark.parametrize("is_of_two", [True, False])
def test_weighted_f1_of_real_taggers(is_of_two):
    """Of all sentences, by 40,000 swaps: of two classes exactly, of all tags sampled likewise."""
    columns = sentences()
    if is_of_two:
        columns = [
            [["content" if tag in CONTENT else "other" for tag in row] for row in column]
            for column in columns
        ]
    options = {} if is_of_two else {"method": "monte_carlo", "rng": 1}
    result = compare(*columns, "f1", average="weighted", **options)
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        expected = truth_of("f1", column, columns[2], average="weighted")
        assert found == pytest.approx(expected, abs=1e-12)
    rows = [table.reshape(len(table), -1) for table in confusions(columns)]
    assert weighted_f1(rows[0].sum(axis=0)[None])[0] == pytest.approx(result.score1, abs=1e-12)
    share, error = oracle.sampled(*rows, weighted_f1, 40_000, np.random.default_rng(2))
    if not is_of_two:
        error *= 5**0.5  # beside that of as many swaps, that of a quarter of them
    assert abs(result.pvalue - share) <= 4 * error
    assert result.method == ("exact" if is_of_two else "monte_carlo")
