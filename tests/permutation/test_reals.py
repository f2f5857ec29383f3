"""Real scores: their types, samples of their swaps, and their null distribution."""

import itertools
import json
import math

import numpy as np
import pytest

from choices import plan
from oracles import reals as real_oracle
from oracles.reals import contains
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, paired_permutation_test

# Types


def test_float32_reals():
    """The decimals that they print as; what they may have been rounded by widens the interval."""
    narrow = np.random.default_rng(3).random((2, 12)).astype(np.float32)
    printed = narrow.astype(str).astype(float)
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(*narrow, alternative=alternative)
        assert result.method == "enumeration"
        assert contains(result.pvalue_interval, real_oracle.pvalue(*printed, alternative))
        wide = paired_permutation_test(*printed, alternative=alternative, method="enumeration")
        assert result.pvalue_interval[0] <= wide.pvalue_interval[0]
        assert result.pvalue == result.pvalue_interval[1] >= wide.pvalue
    many = np.random.default_rng(4).random((2, 500)).astype(np.float32)
    assert paired_permutation_test(*many).method == "bracket"


# Shares and other results of a step or two, as JSON writes them


@pytest.mark.parametrize(
    ("method", "n"),
    [("auto", 12), ("enumeration", 30), ("auto", 90), ("bracket", 20), ("bracket", 90)],
)
@pytest.mark.parametrize("q", [3, 6, 7])
def test_shares_have_the_p_of_their_fractions(method, n, q):
    """k/q as floats: p is that of the integers k, whatever computes it; never less."""
    rng = np.random.default_rng(n + q)
    for alternative in ALTERNATIVES:
        whole = rng.integers(0, q + 1, (2, n))
        scores = json.loads(json.dumps((whole / q).tolist()))
        truth = real_oracle.of_integers((whole[0] - whole[1]).tolist(), alternative)
        result = paired_permutation_test(*scores, alternative=alternative, method=method)
        assert contains(result.pvalue_interval, truth)
        if result.method == "enumeration":
            assert result.fraction == truth
        else:
            assert float(truth) <= result.pvalue <= 1.2 * float(truth)


@pytest.mark.parametrize("method", ["auto", "bracket", "monte_carlo"])
@pytest.mark.parametrize("q", [3, 7, 10])
def test_shares_of_a_float32_that_was_listed(q, method):
    """tensor.tolist() widens each: p is that of the integers k, never less."""
    options = {"method": method} | ({"rng": 0} if method == "monte_carlo" else {})
    for alternative in ALTERNATIVES:
        whole = np.random.default_rng(q).integers(0, q + 1, (2, 30))
        truth = real_oracle.of_integers((whole[0] - whole[1]).tolist(), alternative)
        scores = (whole / q).astype(np.float32).tolist()
        result = paired_permutation_test(*scores, alternative=alternative, **options)
        assert contains(result.pvalue_interval, truth)
        if method != "monte_carlo":
            assert float(truth) <= result.pvalue <= 1.2 * float(truth)


def test_sampled_shares():
    """The samples are those of the integers, and so are their ties."""
    whole = np.random.default_rng(1).integers(0, 8, (2, 25))
    for scores in (whole / 7, whole / 7 + 1e3, (whole * 0.1 + 0.2) / 3):
        for alternative in ALTERNATIVES:
            truth = real_oracle.of_integers((whole[0] - whole[1]).tolist(), alternative)
            options = {"alternative": alternative, "rng": 0, "n_resamples": 20_000}
            result = paired_permutation_test(*scores, method="monte_carlo", **options)
            assert contains(result.pvalue_interval, truth)


def test_one_sum_of_floats_spoils_no_column():
    """0.1 + 0.2 among decimals: p of decimals, by every engine."""
    scores = np.array([[0.3, 0.5, 0.7, 0.2, 0.9, 0.4, 0.8], [0.3, 0.2, 0.4, 0.5, 0.6, 0.7, 0.5]])
    truth = paired_permutation_test(*scores).pvalue
    scores[0, 0] = 0.1 + 0.2
    for method in ("auto", "enumeration", "bracket"):
        assert paired_permutation_test(*scores, method=method).pvalue == truth
    options = {"method": "monte_carlo", "n_resamples": 20_000, "rng": 0}
    assert contains(paired_permutation_test(*scores, **options).pvalue_interval, truth)


def test_groups_of_rounded_scores():
    """Sums over groups that cancel: what rounding left of their numbers counts, not of the sum."""
    whole = np.random.default_rng(5).integers(-9, 10, (2, 48)) + np.tile([70_000, -70_000], 24)
    groups = np.repeat(np.arange(12), 4)
    sums = np.add.reduceat(whole[0] - whole[1], np.arange(0, 48, 4))
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(*whole / 7**0.5, groups=groups, alternative=alternative)
        assert result.fraction == real_oracle.of_integers(sums.tolist(), alternative)


# Sampling, and the null distribution


def test_sampled_reals():
    """Within the interval around the sampled p, which counts ties up to rounding."""
    for seed, shift in enumerate((0.0, 0.5, -1.2)):
        scores = np.random.default_rng(seed).normal(size=(2, 18))
        scores[0] += shift
        for alternative in ALTERNATIVES:
            truth = real_oracle.pvalue(*scores, alternative)
            options = {"alternative": alternative, "rng": seed, "method": "monte_carlo"}
            result = paired_permutation_test(*scores, **options, n_resamples=20_000)
            assert contains(result.pvalue_interval, truth), (result, float(truth))
            if truth > 1e-3:
                assert result.pvalue == pytest.approx(float(truth), rel=0.3)


def test_sampled_reals_tie():
    """√2 + √3 - √3 is observed: the ways of cancelling count, as enumeration says."""
    scores = np.array([2**0.5, 3**0.5, -(3**0.5)])
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "rng": 0, "n_resamples": 20_000}
        result = paired_permutation_test(scores, np.zeros(3), method="monte_carlo", **options)
        truth = real_oracle.pvalue(scores, np.zeros(3), alternative)
        assert contains(result.pvalue_interval, truth)


@pytest.mark.parametrize("n", [1, 4, 9, 12])
def test_null_distribution_of_reals(n):
    """The law has all sums and their shares of swaps; shares of equal sums are added."""
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(2, n))
    if n == 9:
        scores[:, 5:] = [[0.75], [3**0.5]]  # the same difference four times
    result = paired_permutation_test(*scores)
    null = result.null_distribution()
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1)
    sums = np.sort((scores[0] - scores[1]) @ signs) / n
    if n == 9:
        assert null.support.size == 2**5 * 5
    assert np.repeat(null.support, np.rint(null.pmf * 2**n).astype(int)) == pytest.approx(
        sums, abs=1e-14
    )
    assert null.pmf.sum() == pytest.approx(1.0, abs=1e-15)
    assert np.abs(null.support - result.statistic).min() < 1e-14
    extreme = np.abs(null.support) >= abs(result.statistic) - 1e-13
    assert null.pmf[extreme].sum() == pytest.approx(result.pvalue, abs=1e-14)


@pytest.mark.thorough
def test_null_distribution_of_many_reals():
    result = paired_permutation_test(*np.random.default_rng(0).normal(size=(2, 14)))
    assert result.null_distribution().support.size == 2**14


@pytest.mark.parametrize("n_against", [1, 3])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_far_below_the_smallest_float(n_against, alternative):
    """A few of 3,000 square roots are against: few subsets have no larger a sum."""
    scores = np.sqrt(np.arange(1.0, 3001.0))
    bound = scores[:n_against].sum()
    few = scores[scores <= bound].tolist()
    n_less = sum(
        math.fsum(some) <= bound
        for size in range(len(few) + 1)
        for some in itertools.combinations(few, size)
        if size <= 4
    )
    scores[:n_against] *= -1.0
    result = paired_permutation_test(
        scores, np.zeros(3000), alternative=alternative, method="bracket"
    )
    truth = math.log(n_less) - (3000 - (alternative == "two-sided")) * math.log(2.0)
    low, high = result.log_pvalue_interval
    assert low <= truth <= high
    assert result.log_pvalue == high
    assert result.pvalue_interval[0] == 0.0 < result.pvalue == result.pvalue_interval[1] < 1e-300


def test_differences_that_round_across_the_middle():
    """The float differences' law has its middle elsewhere; no interval may rely on it."""
    tiny = [1.0880185641326534e-16, 6.661338147750939e-17, -1.1324274851176597e-16]
    scores = [1.0, 1.0, -2.0, 2.0, -1.0, -1.0], [*tiny, tiny[0], tiny[2], tiny[1]]
    for alternative in ("two-sided", "greater", "less"):
        exact = paired_permutation_test(*scores, alternative=alternative, method="enumeration")
        low, high = paired_permutation_test(
            *scores, alternative=alternative, method="bracket"
        ).pvalue_interval
        assert low <= real_oracle.pvalue(*scores, alternative) <= high
        assert exact.pvalue_interval[1] == exact.pvalue <= high


def test_long_doubles():
    """Beyond float64 they are not finite."""
    huge = np.array([1, 2], dtype=np.longdouble) * np.longdouble("1e4000")
    if np.isfinite(huge).all():  # not on every platform
        with pytest.raises(InputError, match=r"finite: `counts1`\[0\] is inf"):
            paired_permutation_test(huge, [0.0, 1.0])
    thirds = np.array([1, 2], dtype=np.longdouble) / 3
    assert paired_permutation_test(thirds, [0.0, 0.0]).pvalue == 0.5


def test_more_swaps_than_a_float_holds():
    """Plans of 3,000 differing examples."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2, 3000))
    assert plan(*scores, method="monte_carlo").n_points == 2**62
