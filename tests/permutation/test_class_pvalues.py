"""P-values of scores that average over classes, by brute force and as other tests' p-values."""

import math
import warnings
from itertools import chain, product

import numpy as np
import pytest
from hypothesis import assume, given

from corpora.classes import TAGS, corpus
from oracles.class_averages import MACRO, METRICS, options_of, truth_of, truth_of_sets
from oracles.vectors import ALTERNATIVES
from pairedperm import compare, paired_permutation_test
from properties import cases, generators, one_in


def brute_force(score, columns):
    """Return p by alternative, the share of the 2^n swaps; differences tie within 1e-11."""
    n = len(columns[0])
    pairs = list(zip(*columns[:2], strict=True))
    known = {}

    def of(swaps):
        chosen = [pair[swapped] for pair, swapped in zip(pairs, swaps, strict=True)]
        key = repr(sorted(zip(chosen, columns[2], strict=True)))  # the order does not matter
        if key not in known:
            known[key] = score(chosen, columns[2])
        return known[key]

    scores = np.array([of(swaps) for swaps in product((0, 1), repeat=n)])
    d = scores - scores[::-1]  # the other system has what this one has not
    return {
        "two-sided": np.count_nonzero(np.abs(d) >= abs(d[0]) - 1e-11) / 2**n,
        "greater": np.count_nonzero(d >= d[0] - 1e-11) / 2**n,
        "less": np.count_nonzero(d <= d[0] + 1e-11) / 2**n,
    }


def check_pvalues(columns, metric, expected, **options):
    for alternative in ALTERNATIVES:
        result = compare(*columns, metric, alternative=alternative, method="exact", **options)
        assert result.pvalue == pytest.approx(expected[alternative], rel=1e-12)
        low, high = result.pvalue_interval
        assert low <= expected[alternative] * (1 + 1e-15)
        assert high >= expected[alternative] * (1 - 1e-15)


@one_in(10)
@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_pvalues_by_brute_force(metric, n_classes, rng):
    # the first of a class that only predictions have, unless there is one
    for kind, n, n_right in (
        ("strings", 6, max(n_classes - 1, 1)),
        ("integers", 5, n_classes),
        ("sequences", 5, n_classes),
    ):
        columns = corpus(rng, n, kind, n_right, n_classes, (0.6, 0.3))
        assume(columns[2] != [[]] * n)
        zero_division = float(rng.integers(2))
        expected = brute_force(
            lambda p, r, z=zero_division: truth_of(metric, p, r, zero_division=z), columns
        )
        check_pvalues(columns, metric, expected, **options_of(metric, zero_division=zero_division))
        assert n_classes > 1 or set(expected.values()) == {1.0}


@one_in(3)
@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("metric", MACRO)
def test_pvalues_of_selected_classes_by_brute_force(metric, rng):
    for labels in (["NOUN"], ["ADJ", "PROPN"], ["ADJ", "NOUN", "X"]):
        columns = corpus(rng, 5, "strings", 3, 3, (0.6, 0.3))
        expected = brute_force(
            lambda p, r, labels=labels: truth_of(metric, p, r, labels, 1.0), columns
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_pvalues(
                columns,
                metric,
                expected,
                **options_of(metric, labels=labels, zero_division=1.0),
            )


@one_in(3)
@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("metric", MACRO)
def test_pvalues_of_sets_by_brute_force(metric, rng):
    for n_classes in (2, 3):
        columns = corpus(rng, 5, "sets", n_classes, n_classes)
        classes = sorted(set().union(*chain.from_iterable(columns)))
        assume(classes)
        expected = brute_force(
            lambda p, r, classes=classes: truth_of_sets(metric, p, r, classes), columns
        )
        check_pvalues(columns, metric, expected, **options_of(metric, multilabel=True))


# What a permutation of systems, classes or examples changes


@one_in(3)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_systems_swapped(metric, n_classes):
    columns = corpus(np.random.default_rng(6), 30, "strings", n_classes, n_classes)
    options = options_of(metric)
    by_alternative = {
        name: compare(*columns, metric, alternative=name, **options) for name in ALTERNATIVES
    }
    turned = columns[1], columns[0], columns[2]
    for name, other in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        result = compare(*turned, metric, alternative=name, **options)
        expected = by_alternative[other]
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.statistic == pytest.approx(-expected.statistic, abs=1e-15)
        assert (result.score1, result.score2) == (expected.score2, expected.score1)
    assert by_alternative["greater"].pvalue != by_alternative["less"].pvalue


@one_in(3)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_names_and_order_do_not_matter(metric, n_classes):
    rng = np.random.default_rng(7)
    columns = corpus(rng, 30, "strings", n_classes, n_classes)
    expected = compare(*columns, metric, **options_of(metric))
    assert expected.pvalue < 1.0
    order = rng.permutation(30)
    for names in (TAGS[1:] + TAGS[:1], TAGS[::-1], [3, 1, 0, 2], ["", "é", "z" * 99, "B-PER"]):
        meaning = dict(zip(TAGS, names, strict=True))
        renamed = [[meaning[column[k]] for k in order] for column in columns]
        result = compare(*renamed, metric, **options_of(metric))
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.score1 == pytest.approx(expected.score1, abs=1e-15)
        assert result.score2 == pytest.approx(expected.score2, abs=1e-15)


@one_in(3)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_examples_on_which_the_systems_agree(metric, n_classes):
    """Such examples are counted, but their swaps change nothing."""
    rng = np.random.default_rng([8, n_classes])
    columns = corpus(rng, 6, "strings", n_classes, n_classes, (0.8, 0.1))
    same, _, right = corpus(rng, 40, "strings", n_classes, n_classes)
    expected = brute_force(
        lambda p, r: truth_of(metric, p + same, r + right),
        columns,
    )
    whole = columns[0] + same, columns[1] + same, columns[2] + right
    check_pvalues(whole, metric, expected, **options_of(metric))
    result = compare(*whole, metric, **options_of(metric))
    assert result.n == 46
    assert result.n_differing == sum(a != b for a, b in zip(*columns[:2], strict=True))


# As other tests


@pytest.mark.parametrize("metric", METRICS)
def test_three_classes_as_a_function_of_sums(metric):
    """The same law by a test of rows of counts, with a score in floats."""
    columns = corpus(
        np.random.default_rng([9, METRICS.index(metric)]), 40, n_right=3, n_predicted=3
    )
    classes = TAGS[:3]
    gold = np.array([columns[2].count(label) for label in classes])

    def rows(column):
        pairs = list(zip(column, columns[2], strict=True))
        right = [[p == r == label for label in classes] for p, r in pairs]
        return np.hstack((right, [[p == label for label in classes] for p, _ in pairs])).astype(int)

    def score(sums):
        tp, predicted = sums[..., :3], sums[..., 3:]
        if metric == "matthews_correlation":
            covariance = tp.sum(axis=-1) * 40 - predicted @ gold
            variance = (1600 - (predicted**2).sum(axis=-1)) * float(1600 - gold @ gold)
            return covariance / np.sqrt(variance)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = {
                "precision": tp / predicted,
                "f1": 2 * tp / (predicted + gold),
                "fbeta": 5 * tp / (gold + 4 * predicted),
                "jaccard": tp / (predicted + gold - tp),
            }.get(metric, tp / gold)
        return np.nan_to_num(ratios).mean(axis=-1)

    truth = paired_permutation_test(rows(columns[0]), rows(columns[1]), score=score, method="exact")
    result = compare(*columns, metric, method="exact", **options_of(metric))
    assert result.pvalue == pytest.approx(truth.pvalue, rel=1e-9)
    assert result.score1 == pytest.approx(truth.score1, abs=1e-14)
    assert 1e-6 < result.pvalue < 1.0


@pytest.mark.parametrize(
    ("gold", "is_predicted_only"), [((80, 100, 120), True), ((30, 40, 60, 12, 8, 20, 24), False)]
)
def test_balanced_accuracy_is_a_mean(gold, is_predicted_only):
    """A correct label counts 1 / (K g), for g labels of its class and K classes."""
    n_classes, n, unit = len(gold), sum(gold), math.lcm(*gold)
    rng = np.random.default_rng(n_classes)
    right = rng.permutation(np.repeat(np.arange(n_classes), gold))
    one, two = (
        np.where(rng.random(n) < share, right, rng.integers(n_classes + is_predicted_only, size=n))
        for share in (0.8, 0.7)
    )
    weights = np.array([unit // g for g in gold])[right]
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "method": "exact"}
        result = compare(one, two, right, "balanced_accuracy", **options)
        scores = weights * (one == right), weights * (two == right)
        expected = paired_permutation_test(*scores, **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.score1 == pytest.approx(expected.score1 * n / unit / n_classes, rel=1e-14)
        labels = list(range(n_classes))
        named = compare(one, two, right, "recall", average="macro", labels=labels, **options)
        assert named.pvalue == result.pvalue
        assert named.score2 == result.score2


# Many classes


def test_beyond_the_budget():
    """Many classes are sampled, with a warning."""
    columns = corpus(np.random.default_rng(10), 900, n_right=4, accuracies=(0.7, 0.65))
    options = {"metric": "f1", "average": "macro"}
    with pytest.warns(UserWarning, match="p is estimated .*, because") as warned:
        result = compare(*columns, n_resamples=999, rng=1, **options)
    assert warned[0].filename == __file__
    assert (result.method, result.n_resamples) == ("monte_carlo", 999)
    assert 0.001 < result.pvalue < 1.0
    for predictions, score in zip(columns, (result.score1, result.score2), strict=False):
        assert score == pytest.approx(truth_of("f1", predictions, columns[2]), abs=1e-14)
