"""The null distribution against the oracle's counts, and its quantiles."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from oracles import swaps as oracle
from pairedperm import BudgetError, InputError, compare, paired_permutation_test
from pairedperm.convolution.line import pmf as pmf_module
from properties import cases, generators


def null_of(differences, **options):
    scores = np.asarray(differences)
    return paired_permutation_test(scores, np.zeros_like(scores)).null_distribution(**options)


def check(differences, tolerance=1e-15):
    null, n = null_of(differences), len(differences)
    truth = oracle.signed_sum_counts(differences)
    sums = sorted(truth)
    assert null.support.tolist() == [s / n for s in sums]
    exact = np.array([float(Fraction(truth[s], 2**n)) for s in sums])
    assert np.abs(null.pmf - exact).max() <= tolerance
    assert abs(math.fsum(null.pmf.tolist()) - 1.0) <= 1e-15
    assert null.pmf.min() >= 0.0
    assert (null.pmf == null.pmf[::-1]).all()
    return null, exact


@cases(2)
@given(st.lists(st.integers(-40, 40), min_size=1, max_size=30))
def test_small_laws_are_relatively_accurate(differences):
    null, exact = check(differences)
    assert null.pmf == pytest.approx(exact, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    "differences",
    [
        [1] * 5000,
        [2] * 3000 + [1] * 3,
        [1000] * 30 + [1] * 30,
        list(range(1, 120)),
        [100_000] + [1] * 40,
        [3, 5, 7] * 400,
        [9_999, 10_001],
        [2**k for k in range(16)] + [2**15] * 3,
    ],
    ids=lambda d: f"{len(d)} up to {max(d)}",
)
def test_large_laws(differences):
    check(differences)


@given(rng=generators)
def test_random_laws_by_transform(rng):
    n, largest = int(rng.integers(1, 60)), int(rng.choice([1, 3, 20, 300]))
    differences = rng.integers(1, largest + 1, n).tolist()
    assume(math.gcd(*differences) == 1)
    with mock.patch.object(pmf_module, "CONVOLVED", 0):
        check(differences)


def test_identical_systems():
    null = null_of([0, 0])
    assert (null.support.tolist(), null.pmf.tolist()) == ([0.0], [1.0])
    assert null.quantile(0.3) == 0.0
    assert repr(null) == "NullDistribution(1 values from 0 to 0)"


def test_units_of_the_statistic():
    result = paired_permutation_test([0.75, 0.5, 0.25], [0.25, 0.75, 0.25])
    null = result.null_distribution()
    assert null.support.tolist() == [-0.25, -0.25 / 3, 0.25 / 3, 0.25]
    assert result.statistic in null.support
    result = compare([[1, 1, 1], [1]], [[0, 0, 1], [0]], [[1, 1, 1], [1]])
    assert result.null_distribution().support.tolist() == [-0.75, -0.25, 0.25, 0.75]
    huge = paired_permutation_test([2**62, 2**62, 3], [0, -1, 0]).null_distribution()
    assert huge.support.size == 8
    big = paired_permutation_test([2**62] * 5, [0] * 5).null_distribution()
    assert big.support.tolist() == [k * 2.0**62 / 5 for k in (-5, -3, -1, 1, 3, 5)]


@cases(3)
@given(rng=generators)
def test_the_statistic_is_in_the_support(rng):
    """Rounded as the statistic is, whatever the unit: not twice."""
    unit = int(rng.integers(1, 10 ** int(rng.integers(1, 18))))
    differences = unit * rng.integers(-5, 6, int(rng.integers(1, 12)))
    result = paired_permutation_test(differences, np.zeros_like(differences))
    assert result.statistic in result.null_distribution().support


def test_decimals_are_in_the_support():
    for scores in ([3e-20, 1e-20], [0.123456789012, 0.5, -0.25]):
        result = paired_permutation_test(scores, [0] * len(scores))
        null = result.null_distribution()
        assert result.statistic in null.support
        assert null.pmf.tolist() == [0.5 ** len(scores)] * 2 ** len(scores)


def test_it_agrees_with_the_test():
    rng = np.random.default_rng(4)
    scores1, scores2 = rng.integers(0, 30, (2, 20_000))
    result = paired_permutation_test(scores1, scores2, alternative="greater")
    null = result.null_distribution()
    extreme = null.support >= result.statistic
    assert null.pmf[extreme].sum() == pytest.approx(result.pvalue, abs=1e-13)
    assert 1 - null.cdf(np.nextafter(result.statistic, -1)) == pytest.approx(result.pvalue)


def test_cdf_and_quantiles_are_those_of_a_binomial():
    null = null_of([1] * 40)
    k = np.arange(41)
    assert null.support == pytest.approx((2 * k - 40) / 40)
    assert null.cdf(null.support) == pytest.approx(stats.binom.cdf(k, 40, 0.5), rel=1e-12)
    assert null.cdf([-2.0, 2.0]).tolist() == [0.0, 1.0]
    levels = [1e-9, 0.025, 0.1, 0.5, 0.9, 0.975, 1.0]
    expected = (2 * stats.binom.ppf(levels, 40, 0.5) - 40) / 40
    assert null.quantile(levels) == pytest.approx(expected)
    assert null.quantile(0.0) == -1.0
    # at a level that is attained, and that sums of masses may miss by a rounding
    for x, below in zip(null.support[:-1], stats.binom.cdf(k, 40, 0.5), strict=False):
        assert null.cdf(null.quantile(below)) >= below - 1e-15
        assert null.quantile(below) <= x


def test_budget():
    rng = np.random.default_rng(0)
    differences = rng.integers(1, 3000, 1000)
    with pytest.raises(BudgetError, match=r"has up to .* points, .* bytes; `max_bytes` allows 1e"):
        null_of(differences, max_bytes=10**6)
    with pytest.raises(BudgetError, match=r"frequencies.*`max_frequencies` allows 100\. Raise it"):
        null_of(differences, max_frequencies=100)
    assert null_of(differences).support.size > 5 * 10**5
    with pytest.raises(InputError, match="`max_bytes` must be a positive integer, got 0"):
        null_of([1], max_bytes=0)


def test_bad_arguments():
    null = null_of([1, 2])
    for q in (-0.1, 1.1, float("nan"), [0.5, 2]):
        with pytest.raises(InputError, match="`q` must be probabilities from 0 to 1"):
            null.quantile(q)
    with pytest.raises(InputError, match="`x` must be numbers, got NaN"):
        null.cdf([0.0, float("nan")])
    with pytest.raises(ValueError, match="read-only"):
        null.pmf[0] = 1.0
    with pytest.raises(AttributeError):
        null.pmf = null.support
