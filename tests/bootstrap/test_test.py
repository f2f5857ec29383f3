"""The paired bootstrap of means: oracle, laws, percentile intervals."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import draws as boot
from oracles.draws import assert_is
from oracles.vectors import ALTERNATIVES
from pairedperm import (
    Budget,
    PairedBootstrapResult,
    PairedCounts,
    paired_bootstrap_test,
)
from pairedperm.bootstrap import ideal
from properties import cases, generators, one_in

TIES = ("include", "exclude")


def check(counts1, counts2, alternatives=ALTERNATIVES, ties=TIES):
    for alternative in alternatives:
        for rule in ties:
            result = paired_bootstrap_test(counts1, counts2, alternative=alternative, ties=rule)
            assert_is(result, boot.mean_pvalue(counts1, counts2, alternative, rule))
            assert (result.alternative, result.ties) == (alternative, rule)


def columns(differences):
    base = np.arange(len(differences)) % 7
    return base + np.asarray(differences), base


# Against the oracle


tenths = st.integers(-3, 3).map(lambda x: x / 10)


@cases(0.2)
@given(st.lists(st.tuples(tenths, tenths), min_size=2, max_size=5))
def test_the_oracle_is_all_resamples(pairs):
    n, (counts1, counts2) = len(pairs), zip(*pairs, strict=True)
    every = boot.Enumeration(boot.mean_scores(counts1, counts2), n)
    assert sum(weight for _, weight in every.law) == n**n
    for alternative in ALTERNATIVES:
        for ties in TIES:
            truth = every.pvalue(alternative, ties)
            assert truth == boot.mean_pvalue(counts1, counts2, alternative, ties)


@cases(0.8)
@given(rng=generators)
def test_random_corpora(rng):
    n = int(rng.choice([2, 3, 4, 5, 6, 10, 30, 100, 200]))
    largest = int(rng.choice([1, 2, 5, 20] if n > 50 else [1, 2, 5, 20, 60]))
    counts1, counts2 = rng.integers(0, largest + 1, (2, n))
    if rng.random() < 0.5:  # one system is better: small p-values
        worse = rng.random(n) < rng.random()
        counts1 = np.where(worse, np.maximum(counts1, counts2), counts1)
    unit = float(rng.choice([1, 10, 100]))  # decimals: 0.7, 0.07
    check(counts1 / unit, counts2 / unit)


@one_in(6)
@pytest.mark.parametrize("n_lost", [100, 90, 70, 50, 20, 10, 1])
@pytest.mark.parametrize("largest", [1, pytest.param(3, marks=pytest.mark.thorough), 12])
def test_from_one_to_far_below_underflow(n_lost, largest):
    """With one loss and 199 wins, less than 1 of 10^400 resamples has a sum of at most 0."""
    magnitudes = np.random.default_rng(0).integers(1, largest + 1, 200)
    differences = np.where(np.arange(200) < n_lost, -magnitudes, magnitudes)
    check(*columns(differences))


@one_in(4)
@pytest.mark.parametrize("n_large", [1, 3, 10, 40, 90])
def test_few_large_wins(n_large):
    """Twice the mean is near the maximum: "greater" is small, down to 200^-199."""
    differences = np.where(np.arange(200) < n_large, 101 - n_large // 4, 50)
    truth = boot.mean_pvalue(*columns(differences), "greater")
    check(*columns(differences))
    check(*columns(-differences))
    assert n_large > 1 or 0 < truth < Fraction(1, 10**300)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=30),
    st.sampled_from([1, 10]),
)
def test_any_small_corpus(pairs, unit):
    check(*(np.array(column) / unit for column in zip(*pairs, strict=True)))


@one_in(3)
@pytest.mark.parametrize(
    ("huge", "n_won"),
    [
        *((10**3, 0), (10**3, 25), (10**4, 50), (-(10**4), 0)),
        *(
            pytest.param(huge, n_won, marks=pytest.mark.thorough)
            for huge, n_won in [
                *product([10**3], [20, 50]),
                *product([10**4], [0, 20, 25]),
                *product([-(10**4)], [20, 25, 50]),
            ]
        ),
    ],
)
def test_one_huge_difference(huge, n_won):
    """The huge one is drawn 0, 1, 2, … times; 2 delta is among the sums with two draws of it."""
    small = [1] * n_won + [-1] * (50 - n_won)
    for alternative in ALTERNATIVES:
        for ties in TIES:
            truth = boot.pvalue_with_one_huge(huge, small, alternative, ties)
            result = paired_bootstrap_test(
                *columns([huge, *small]), alternative=alternative, ties=ties
            )
            assert_is(result, truth)


# Hand derivations


@pytest.mark.parametrize(
    ("differences", "options", "p"),
    [
        # sums 0, 1, 2 in 1, 2, 1 of 4 resamples; the observed one is 1
        ([1, 0], {}, Fraction(1, 2)),
        ([1, 0], {"ties": "exclude"}, Fraction(0)),
        ([1, 0], {"alternative": "greater"}, Fraction(1, 4)),
        ([1, 0], {"alternative": "less", "ties": "exclude"}, Fraction(3, 4)),
        # the mean of three is 0 if neither is drawn, 1 of 27, or each once, 6 of 27
        ([1, -1, 0], {"ties": "exclude"}, Fraction(20, 27)),
        ([1, -1, 0], {}, Fraction(1)),
        ([1, -1, 0], {"alternative": "greater"}, Fraction(17, 27)),
        # all wins: no resample has a mean of 0, or twice the mean
        ([1] * 9, {}, Fraction(0)),
        ([3, 4, 5] * 30, {}, Fraction(0)),
        ([3, 4, 5] * 30, {"alternative": "greater"}, Fraction(0)),
        ([3, 4, 5] * 30, {"alternative": "less"}, Fraction(1)),
        ([-0.3, -0.4], {"alternative": "less", "ties": "exclude"}, Fraction(0)),
        ([-0.3, -0.4], {"alternative": "greater", "ties": "exclude"}, Fraction(1)),
        # one that is not won: drawn always
        ([1] * 9 + [0], {}, Fraction(1, 10**10)),
    ],
)
def test_known_pvalues(differences, options, p):
    result = paired_bootstrap_test(differences, [0] * len(differences), **options)
    assert_is(result, p)
    if p in (0, 1):
        assert (result.pvalue, result.pvalue_interval) == (float(p), (float(p),) * 2)


def test_decimals_tie_as_decimals():
    """Three draws of 0.1, 0.2 and -0.3 add up to exactly 0 in 6 of 27 resamples."""
    differences = [0.1, 0.2, -0.3]
    truth = boot.mean_pvalue(differences, [0] * 3, ties="exclude")
    assert truth == Fraction(27 - 6, 27)
    assert_is(paired_bootstrap_test(differences, [0.0] * 3, ties="exclude"), truth)
    assert paired_bootstrap_test([0.7, 0.1], [0.5, 0.3]).pvalue == 1.0


@pytest.mark.parametrize("column", [[3, 3], [0, 1, 1], list(range(100))])
def test_identical_systems(column):
    for alternative in ALTERNATIVES:
        result = paired_bootstrap_test(column, column, alternative=alternative)
        assert (result.pvalue, result.log_pvalue, result.n_differing) == (1.0, 0.0, 0)
        strict = paired_bootstrap_test(column, column, alternative=alternative, ties="exclude")
        assert (strict.pvalue, strict.log_pvalue) == (0.0, -math.inf)
        assert result.confidence_interval() == strict.confidence_interval() == (0.0, 0.0)


# Laws


@cases(0.1)
@given(rng=generators)
def test_laws(rng):
    n = int(rng.choice([2, 7, 40, 200]))
    counts1, counts2 = rng.integers(0, 9, (2, n))
    for ties in TIES:
        found = {
            alternative: paired_bootstrap_test(counts1, counts2, alternative=alternative, ties=ties)
            for alternative in ALTERNATIVES
        }
        for alternative, mirrored in zip(
            ALTERNATIVES, ("two-sided", "less", "greater"), strict=True
        ):
            result = found[alternative]
            options = {"alternative": alternative, "ties": ties}
            swapped = paired_bootstrap_test(
                counts2, counts1, **(options | {"alternative": mirrored})
            )
            assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-13)
            assert swapped.statistic == -result.statistic
            low, high = result.confidence_interval()
            assert swapped.confidence_interval() == pytest.approx((-high, -low), rel=1e-15)
            assert swapped.score1_interval == result.score2_interval
            assert paired_bootstrap_test(counts1[::-1], counts2[::-1], **options) == result
            pairs = PairedCounts.from_rows(counts1, counts2)
            assert paired_bootstrap_test(pairs, **options) == result
            assert paired_bootstrap_test(counts1, counts2, **options) == result  # the same bits
            scaled = paired_bootstrap_test(10 * counts1, 10 * counts2, **options)
            assert scaled.pvalue == pytest.approx(result.pvalue, rel=1e-13)
            moved = paired_bootstrap_test(counts1 + np.arange(n), counts2 + np.arange(n), **options)
            assert moved.pvalue == pytest.approx(result.pvalue, rel=1e-13)
            assert moved.confidence_interval() == result.confidence_interval()
    complement = 1.0 - paired_bootstrap_test(counts1, counts2, alternative="less").pvalue
    strict = paired_bootstrap_test(counts1, counts2, alternative="greater", ties="exclude")
    assert strict.pvalue == pytest.approx(complement, abs=1e-12)


# Percentile intervals


@one_in(3)
@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("confidence_level", [0.5, 0.9, 0.95, 0.99])
def test_percentile_intervals(rng, confidence_level):
    n, unit = int(rng.choice([2, 3, 7, 35, 120])), float(rng.choice([1, 10]))
    counts1, counts2 = rng.integers(0, 12, (2, n)) / unit
    result = paired_bootstrap_test(counts1, counts2, confidence_level=confidence_level)
    for found, values in (
        (result.confidence_interval(), boot.differences(counts1, counts2)),
        (result.score1_interval, counts1),
        (result.score2_interval, counts2),
    ):
        low, high = boot.percentiles(boot.mean_law(values), confidence_level)
        assert found == pytest.approx((float(low), float(high)), rel=1e-12, abs=1e-15)
        assert (found.low, found.high) == tuple(found)
    assert result.confidence_level == confidence_level


def test_a_percentile_may_be_reached_exactly():
    """P(0) = P(1) = 1/4, which is alpha/2."""
    result = paired_bootstrap_test([1, 0], [0, 0], confidence_level=0.5)
    assert result.confidence_interval() == (0.0, 1.0)
    narrower = paired_bootstrap_test([1, 0], [0, 0], confidence_level=0.49)
    assert narrower.confidence_interval() == (0.5, 0.5)


# The result, and errors


def test_the_result_says_what_ran():
    result = paired_bootstrap_test([2, 1, 0, 1], [1, 0, 0, 1])
    assert isinstance(result, PairedBootstrapResult)
    assert (result.statistic, result.score1, result.score2) == (0.5, 1.0, 0.5)
    assert (result.metric, result.metric_options) == (None, None)
    assert (result.n, result.n_differing, result.n_resamples) == (4, 2, None)
    assert "PairedBootstrapResult(statistic=0.5, " in repr(result)
    with pytest.raises(AttributeError):
        result.pvalue = 0.0


@pytest.mark.thorough
def test_auto_spends_less_than_exact(monkeypatch):
    """Without a budget, "auto" samples where "exact" would still compute."""
    counts = np.random.default_rng(0).integers(0, 3000, (2, 2000))
    exact = paired_bootstrap_test(*counts, method="exact")
    monkeypatch.setattr(ideal, "_QUICK", Budget(max_points=1))
    with pytest.warns(UserWarning, match="p is estimated .*`max_points` of `budget` allows 1[.]"):
        assert paired_bootstrap_test(*counts).method == "monte_carlo"
    assert paired_bootstrap_test(*counts, budget={"max_points": 2**24}).pvalue == exact.pvalue
