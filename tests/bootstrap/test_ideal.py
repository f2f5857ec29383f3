"""The paired bootstrap of ratios and functions of sums: exact with common denominators, sampled."""

import math
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from oracles import draws as boot
from oracles.draws import assert_is
from oracles.vectors import ALTERNATIVES
from pairedperm import (
    BudgetError,
    InputError,
    PairedCounts,
    Ratio,
    compare,
    paired_bootstrap_test,
)
from properties import cases, generators, one_in

TIES = ("include", "exclude")
SHARE = Ratio([1, 0], [0, 1])


def sentences(rng, n, accuracies=(0.7, 0.6), sizes=6):
    """Correct labels and labels of n sentences, some empty: a column for each system."""
    size = rng.integers(0, sizes, n)
    size[0] += not size.any()
    return [np.stack((rng.binomial(size, share), size), axis=1) for share in accuracies]


def check(rows1, rows2, score=SHARE):
    for alternative, ties in product(ALTERNATIVES, TIES):
        result = paired_bootstrap_test(
            rows1, rows2, score=score, alternative=alternative, ties=ties
        )
        truth = boot.common_pvalue(rows1[:, 0], rows2[:, 0], rows1[:, 1], alternative, ties)
        assert_is(result, truth)


def assert_is_sampled(result, truth, n_resamples):
    """Within 5 standard errors."""
    error = math.sqrt(float(truth) * (1.0 - float(truth)) / n_resamples) + 1.0 / n_resamples
    assert (result.method, result.interval) == ("monte_carlo", "confidence")
    assert result.n_resamples == n_resamples
    assert abs(result.pvalue - float(truth)) <= 5.0 * error
    low, high = result.pvalue_interval
    assert low <= result.pvalue <= high
    assert high - low <= 8.0 * error
    assert (result.pvalue * (n_resamples + 1)) % 1 == pytest.approx(0.5, abs=0.5)


# Common denominators


@pytest.mark.thorough
@cases(0.25)
@given(rng=generators)
def test_the_oracle_is_all_resamples(rng):
    n = int(rng.integers(2, 6))
    rows1, rows2 = sentences(rng, n, sizes=3)
    every = boot.Enumeration(boot.ratio_scores(rows1, rows2, [1, 0], [0, 1]), n)
    assert sorted(every.law1) == sorted(boot.common_law(rows1[:, 0], rows1[:, 1]))
    for alternative, ties in product(ALTERNATIVES, TIES):
        columns = rows1[:, 0], rows2[:, 0], rows1[:, 1]
        truth = every.pvalue(alternative, ties)
        assert truth == boot.common_pvalue(*columns, alternative, ties)


@cases(0.3)
@given(rng=generators)
def test_random_sentences(rng):
    n = int(rng.choice([2, 3, 5, 10, 30, 60]))
    share = float(rng.choice([0.3, 0.6, 0.7, 0.95]))
    check(*sentences(rng, n, (share, 0.6), sizes=int(rng.choice([2, 4, 7]))))


@one_in(2)
@pytest.mark.parametrize(
    ("n_lost", "n"),
    [(30, 90), (6, 90), (1, 90), pytest.param(1, 140, marks=pytest.mark.thorough)],
)
def test_from_small_to_underflow(n_lost, n):
    size = 1 + np.arange(n) % 3
    won = np.where(np.arange(n) < n_lost, 0, size)
    check(np.stack((won, size), axis=1), np.stack((size - won, size), axis=1))


def test_zero_sizes():
    """Two of four examples are empty; where only these are drawn, the difference is 0."""
    rows1 = np.array([[2, 2], [0, 0], [0, 0], [1, 3]])
    rows2 = np.array([[1, 2], [0, 0], [0, 0], [1, 3]])
    check(rows1, rows2)
    for zero_division in (0.0, 0.5, 1.0):
        score = Ratio([1, 0], [0, 1], zero_division=zero_division)
        check(rows1, rows2, score)
        result = paired_bootstrap_test(rows1, rows2, score=score)
        for found, rows in ((result.score1_interval, rows1), (result.score2_interval, rows2)):
            law = boot.common_law(rows[:, 0], rows[:, 1], zero_division)
            ends = tuple(map(float, boot.percentiles(law, 0.95)))
            assert found == pytest.approx(ends, abs=0.05 * boot.spread(law))


@pytest.mark.parametrize(
    ("n", "n_empty"),
    [(4, 1), (50, 25), pytest.param(2_000, 1, marks=pytest.mark.thorough), (2_000, 1_000)],
)
def test_where_all_that_is_not_empty_is_right(n, n_empty):
    """System 1 is always right, 2 never: they tie only in resamples of empty examples alone."""
    size = (np.arange(n) >= n_empty).astype(np.int64)
    rows1, rows2 = np.stack((size, size), axis=1), np.stack((0 * size, size), axis=1)
    empty = Fraction(n_empty, n) ** n
    truths = {  # of a resampled difference that is 1, or 0 where all are empty; 1 is observed
        ("greater", "include"): Fraction(0),
        ("greater", "exclude"): Fraction(0),
        ("less", "include"): Fraction(1),
        ("less", "exclude"): Fraction(1),
        ("two-sided", "include"): empty,
        ("two-sided", "exclude"): Fraction(0),
    }
    for (alternative, ties), truth in truths.items():
        options = {"score": SHARE, "alternative": alternative, "ties": ties, "method": "exact"}
        assert_is(paired_bootstrap_test(rows1, rows2, **options), truth)
        turned = {"greater": "less", "less": "greater"}.get(alternative, alternative)
        options["alternative"] = turned
        assert_is(paired_bootstrap_test(rows2, rows1, **options), truth)


@pytest.mark.parametrize("n", [2, 9, 30_000])
def test_differences_that_are_all_the_same(n):
    """Every resample is like the data, so none has twice the difference."""
    for scores1, scores2 in (([3] * n, [1] * n), ([0.3] * n, [0.1] * n), ([1 / 3] * n, [0] * n)):
        for ties in TIES:
            for truth, alternative in ((0, "greater"), (0, "two-sided"), (1, "less")):
                options = {"alternative": alternative, "ties": ties}
                assert_is(paired_bootstrap_test(scores1, scores2, **options), Fraction(truth))


def test_all_sizes_zero():
    rows = [[0, 0], [0, 0], [0, 0]]
    result = paired_bootstrap_test(rows, rows, score=SHARE)
    assert (result.pvalue, result.statistic, result.confidence_interval()) == (1.0, 0.0, (0.0, 0.0))


def test_sizes_that_are_all_the_same_are_those_of_a_mean():
    rng = np.random.default_rng(3)
    for size in (1, 4):
        correct1, correct2 = rng.integers(0, size + 1, (2, 50))
        rows1, rows2 = (np.stack((x, np.full(50, size)), axis=1) for x in (correct1, correct2))
        for alternative, ties in product(ALTERNATIVES, TIES):
            options = {"alternative": alternative, "ties": ties}
            mean = paired_bootstrap_test(correct1, correct2, **options)
            found = paired_bootstrap_test(rows1, rows2, score=SHARE, **options)
            assert found.pvalue == pytest.approx(mean.pvalue, rel=1e-12)
            assert found.statistic == pytest.approx(mean.statistic / size, rel=1e-15)
            expected = [x / size for x in mean.confidence_interval()]
            assert found.confidence_interval() == pytest.approx(expected, abs=0.01)


def test_weights_decimals_and_laws():
    rng = np.random.default_rng(4)
    rows1, rows2 = sentences(rng, 25)
    expected = paired_bootstrap_test(rows1, rows2, score=SHARE)
    weighted = paired_bootstrap_test(rows1, rows2, score=Ratio([2, 0], [0, 3]))
    assert weighted.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert weighted.statistic == pytest.approx(expected.statistic * 2 / 3, rel=1e-14)
    tenths = paired_bootstrap_test(rows1 / 10, rows2 / 10, score=SHARE)
    assert tenths.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    pairs = PairedCounts.from_rows(rows1, rows2)
    assert paired_bootstrap_test(pairs, score=SHARE) == expected
    assert paired_bootstrap_test(rows1[::-1], rows2[::-1], score=SHARE) == expected
    swapped = paired_bootstrap_test(rows2, rows1, score=SHARE)
    assert swapped.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
    low, high = expected.confidence_interval()
    assert swapped.confidence_interval() == pytest.approx((-high, -low), rel=1e-9)
    parts = [np.stack((x[:, 0] + 1, 1 + 0 * x[:, 0], x[:, 1]), axis=1) for x in (rows1, rows2)]
    found = paired_bootstrap_test(*parts, score=Ratio([1, -1, 0], [0, 0, 1]))
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-12)


@one_in(2)
@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("n", [3, 8, 12, pytest.param(30, marks=pytest.mark.thorough)])
def test_percentile_intervals(rng, n):
    rows1, rows2 = sentences(rng, n)
    systems = rows1[:, 0] - rows2[:, 0], rows1[:, 0], rows2[:, 0]
    laws = [boot.common_law(numerators, rows1[:, 1]) for numerators in systems]
    for confidence_level in (0.8, 0.95, 0.99):
        result = paired_bootstrap_test(rows1, rows2, score=SHARE, confidence_level=confidence_level)
        intervals = result.confidence_interval(), result.score1_interval, result.score2_interval
        for found, law in zip(intervals, laws, strict=True):
            ends = boot.percentiles(law, confidence_level)
            assert found == pytest.approx(tuple(map(float, ends)), abs=0.05 * boot.spread(law))


@one_in(2)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [20, pytest.param(300, marks=pytest.mark.thorough)])
def test_agrees_with_many_resamples(n, alternative):
    rng = np.random.default_rng(5)
    rows1, rows2 = sentences(rng, n, (0.65, 0.6))
    result = paired_bootstrap_test(rows1, rows2, score=SHARE, alternative=alternative)
    samples = boot.sampled_differences(
        rows1, rows2, lambda sums: sums[..., 0] / np.maximum(sums[..., 1], 1), 100_000, rng
    )
    share = boot.share_of(samples, result.statistic, alternative)
    p = result.pvalue
    assert abs(share - p) <= 5.0 * math.sqrt(p * (1.0 - p) / 100_000) + 1e-5
    error = float(samples.std())
    ends = np.quantile(samples, [0.025, 0.975])
    assert result.confidence_interval() == pytest.approx(ends, abs=0.08 * error)


# Sampling: means, different denominators, functions


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("ties", TIES)
def test_sampled_means(alternative, ties):
    rng = np.random.default_rng(2)
    options = {"alternative": alternative, "ties": ties}
    for seed, n in enumerate((2, 6, 60)):
        counts = rng.integers(0, 5, (2, n)) / 10
        result = paired_bootstrap_test(
            *counts, method="monte_carlo", n_resamples=20_000, rng=seed, **options
        )
        assert_is_sampled(result, boot.mean_pvalue(*counts, **options), 20_000)


def f1_rows(rng, n):
    """2 tp and predicted + gold: the predictions of the systems differ in number."""
    gold = rng.integers(0, 4, n)
    rows = []
    for _ in range(2):
        tp = rng.binomial(gold, 0.6)
        rows.append(np.stack((2 * tp, gold + tp + rng.poisson(0.7, n)), axis=1))
    return rows


def as_function(sums):
    return sums[..., 0] / np.where(sums[..., 1] == 0, 1.0, sums[..., 1])


@one_in(5)
@cases(0.05)
@given(rng=generators)
@pytest.mark.parametrize("n", [2, 4, 5])
@pytest.mark.parametrize("ties", TIES)
def test_different_denominators(rng, ties, n):
    n_resamples, rows = 20_000, f1_rows(rng, n)
    every = boot.Enumeration(boot.ratio_scores(*rows, [1, 0], [0, 1]), n)
    for alternative in ALTERNATIVES:
        for score in (SHARE, as_function):
            result = paired_bootstrap_test(
                *rows,
                score=score,
                alternative=alternative,
                ties=ties,
                method="monte_carlo",
                n_resamples=n_resamples,
                rng=rng,
            )
            assert result.statistic == pytest.approx(float(every.statistic), abs=1e-15)
            assert_is_sampled(result, every.pvalue(alternative, ties), n_resamples)
        assert result.score1 == pytest.approx(float(every.score1), abs=1e-15)


def test_sampled_percentiles():
    rows = f1_rows(np.random.default_rng(7), 6)
    every = boot.Enumeration(boot.ratio_scores(*rows, [1, 0], [0, 1]), 6)
    result = paired_bootstrap_test(
        *rows, score=SHARE, method="monte_carlo", n_resamples=50_000, rng=0, confidence_level=0.9
    )
    for found, law in (
        (result.confidence_interval(), every.law),
        (result.score1_interval, every.law1),
        (result.score2_interval, every.law2),
    ):
        for end, (least, greatest) in zip(
            found, boot.sampled_percentiles(law, 0.9, 50_000), strict=True
        ):
            assert float(least) - 1e-12 <= end <= float(greatest) + 1e-12


def test_functions_that_are_no_ratio():
    """The product of two means, of a sum of three columns."""

    def of_three(sums):
        return sums[..., 0] * sums[..., 1] / 36.0 + sums[..., 2]

    rng = np.random.default_rng(8)
    rows = rng.integers(0, 4, (2, 5, 3))
    every = boot.Enumeration(boot.sum_scores(of_three, *rows), 5, boot.TIE)
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "rng": 1, "n_resamples": 20_000}
        result = paired_bootstrap_test(*rows, score=of_three, method="monte_carlo", **options)
        assert_is_sampled(result, every.pvalue(alternative), 20_000)
        assert result == paired_bootstrap_test(
            *rows, score=of_three, method="monte_carlo", **options
        )


@pytest.mark.thorough
def test_macro_f1():
    rng, names = np.random.default_rng(9), ["a", "b", "c"]
    for n in (3, 4):
        columns = [rng.choice(names, n).tolist() for _ in range(3)]
        every = boot.Enumeration(boot.macro_f1(*columns), n, boot.TIE)
        options = {"average": "macro", "method": "monte_carlo", "n_resamples": 20_000, "rng": n}
        for ties in TIES:
            result = compare(*columns, "f1", test="bootstrap", ties=ties, **options)
            assert_is_sampled(result, every.pvalue(ties=ties), 20_000)


def test_exact_needs_common_denominators():
    rows = f1_rows(np.random.default_rng(1), 30)
    for score in (SHARE, as_function):
        with pytest.raises((BudgetError, InputError)):
            paired_bootstrap_test(*rows, score=score, method="exact")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = paired_bootstrap_test(*rows, score=score, rng=0)
        assert (result.method, result.n_resamples) == ("monte_carlo", 9999)
