"""Scores and rows of real numbers: what rounding broke ties, and each number is what it is."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from corpora.sum_scores import deviation, macro, precision
from oracles import real_rows, reals, swaps
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, Ratio, paired_permutation_test
from properties import cases, generators

A, B, C = 3**-0.5, 7**-0.5, 10**-0.5
ABOVE, BELOW = math.nextafter(2**-0.5, 1.0), 2**-0.5
ROOTS = [2**0.5, -(2**0.5), 3**0.5]
SHARE = {"score": Ratio([1, 0], [0, 1])}
GREATER, LESS = {"alternative": "greater"}, {"alternative": "less"}
NARROW = np.array([0.1, 0.2, 0.3, 1.1e-15], dtype=np.float32)
WIDE = [*np.nextafter(NARROW.astype(str).astype(float), 2.0)[:3], 1.3e-15]
FAR_APART = [[A, 1e5 / 3], [1 / 7, 1 / 9]], [[2 / 3, 1 / 7], [1 / 3, 1 / 11]]
TWICE = [[A, 0.1, 0.3]] * 3, [[B, 0.2, 0.2]] * 3  # 0.1 + 0.3 is 0.2 + 0.2 in floats alone
LEFT = [[A, 0.1, 0.2, 0.3], [B, 0.1, 0.2, 0.3], [0.5, 4, 0, 0]]  # 0.1 + 0.2 - 0.3 counts as 0
OTHERS = [[2 * A, 0.1, 0.2, 0.3], [C, 0.1, 0.2, 0.3], [0.5, 4, 0, 0]]
OF_LEFT = {"score": Ratio([1, 0, 0, 0], [0, 1, 1, -1])}
VANISHING = [[0.1, 0.2, 0.3]] * 2, [[A, 0, 0], [B, 0, 0]]
TINY = [[1e200, 1 / 3, 1e-200], [1 / 3, 1e200, 1e-200]]
TURNED = [[1 / 3, 1e200, 1e-200], [1e200, 1 / 3, 1e-200]]
OF_TINY = {"score": Ratio([1, -1, 0], [0, 0, 1])} | GREATER


def beside_zeros(*scores):
    return list(scores), [0.0] * len(scores)


def of_floats(columns, alternative):
    """P of the floats as they are, and the most if each is off by two units of its last bit."""
    options = {"alternative": alternative}
    return reals.pvalue(*columns, **options), reals.upper(*columns, **options), columns, options


def of_rows(columns, score, alternative):
    rows = [[[*map(Fraction, row)] for row in x] for x in columns]
    p = real_rows.brute_force(*rows, lambda x: Fraction(x[0]) / sum(x[1:]))[alternative]
    return p, p, columns, score | {"alternative": alternative}


@pytest.mark.parametrize(
    ("low", "p", "columns", "options"),
    [
        # a float and the next one: 0 is meant, and three of ±b ±b; or a - b > 0, and a + b too
        (1 / 4, 3 / 4, beside_zeros(ABOVE, -BELOW), GREATER),
        (1 / 2, 3 / 4, beside_zeros(ABOVE, -BELOW), LESS),
        (1 / 2, 1, beside_zeros(ABOVE, -BELOW), {}),
        # √3 is reached by the two ways of cancelling √2, and 2√2 + √3 is above
        (3 / 4, 3 / 4, beside_zeros(*ROOTS), {}),
        (3 / 8, 3 / 8, beside_zeros(*ROOTS), GREATER),
        (7 / 8, 7 / 8, beside_zeros(*ROOTS), LESS),
        # sums 2^-60 apart, and integers of up to two thousand bits
        *(of_floats(beside_zeros(2.0**-8 + 2.0**-60, -(2.0**-8), A), x) for x in ALTERNATIVES),
        *(of_floats(beside_zeros(1e-310, 3e-320, -5e-324, 2e-300), x) for x in ALTERNATIVES),
        *(of_floats(beside_zeros(1e200, 3e-200, -1e-200, 2e100, 1 / 3), x) for x in ALTERNATIVES),
        # a float32 may have been rounded by more than the differences are: all sums may tie
        (reals.pvalue(NARROW.astype(str).astype(float), WIDE), 1, (NARROW, WIDE), {}),
        # the scores are 1 - 1e-13 and 1 - 2e-13, which tie; or 1 - 1e-11 and 1 - 2e-11
        (1, 1, ([[1 / 3, 1e-13 / 3]], [[1 / 3, 2e-13 / 3]]), {"score": precision} | GREATER),
        (
            1 / 2,
            1 / 2,
            ([[1 / 3, 1e-11 / 3]], [[1 / 3, 2e-11 / 3]]),
            {"score": precision} | GREATER,
        ),
        # 0.1 + 0.2 - 0.3 is no denominator: ±3/4, or if one is swapped ±0.09
        (1 / 2, 1 / 2, VANISHING, {"score": Ratio([1, 0, 0], [1, 1, -1], zero_division=0.25)}),
        # rows far apart in size, each the number that it is
        *(of_rows(FAR_APART, SHARE, x) for x in ALTERNATIVES),
        *(of_rows(TWICE, {"score": Ratio([1, 0, 0], [0, 1, 1])}, x) for x in ALTERNATIVES),
        # what is small beside others is a denominator all the same
        (1, 1, ([[1e12, 0.0], [1e-3, 40.9]], [[0.1, 1000.0], [7.9e280, 2.7e-119]]), SHARE),
        # -a + b - c is nearer to 0 than without the last
        (1, 1, (LEFT, OTHERS), OF_LEFT),
        # p does not depend on denominators of 2e-200
        (3 / 4, 3 / 4, (TINY, TURNED), OF_TINY),
    ],
)
def test_listed_swaps(low, p, columns, options):
    """P counts all that may tie, and the interval begins with what does for sure."""
    result = paired_permutation_test(*columns, **options)
    assert (result.method, result.fraction) == ("enumeration", p)
    assert (result.pvalue, result.log_pvalue) == (float(p), swaps.nearest_log(Fraction(p)))
    assert Fraction(result.pvalue_interval[0]) <= low <= p <= Fraction(result.pvalue_interval[1])
    assert low == p or result.pvalue_interval[0] < p


def test_scores_of_hard_rows():
    none = paired_permutation_test(LEFT[:2], OTHERS[:2], **OF_LEFT)
    assert (none.score1, none.score2, none.pvalue) == (0.0, 0.0, 1.0)
    result = paired_permutation_test(TINY, TURNED, **OF_TINY)
    with pytest.raises(InputError, match="some swaps have scores beyond floats"):
        result.null_distribution()
    result = paired_permutation_test([[1 / 3, 1e5 / 3]], [[2 / 3, 1 / 7]], **SHARE, **GREATER)
    assert result.pvalue_interval == (1.0, 1.0)  # the only swap is no better


@pytest.mark.parametrize("method", ["enumeration", "bracket", "monte_carlo"])
def test_shares_that_were_float32(method):
    """tensor.tolist() widens each: p is that of the integers k, never less."""
    for alternative, q in zip(ALTERNATIVES, (3, 7, 10), strict=True):
        whole = np.random.default_rng(q).integers(0, q + 1, (2, 30))
        truth = reals.of_integers((whole[0] - whole[1]).tolist(), alternative)
        scores = (whole / q).astype(np.float32).tolist()
        options = {"alternative": alternative, "method": method, "rng": 0}
        result = paired_permutation_test(*scores, **options)
        assert reals.contains(result.pvalue_interval, truth)
        assert method == "monte_carlo" or truth <= result.pvalue <= 1.2 * truth


def test_groups_of_rounded_scores():
    """Sums over groups that cancel: what rounding left of their numbers counts, not of the sum."""
    whole = np.random.default_rng(5).integers(-9, 10, (2, 48)) + np.tile([70_000, -70_000], 24)
    groups = np.repeat(np.arange(12), 4)
    sums = np.add.reduceat(whole[0] - whole[1], np.arange(0, 48, 4))
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(*whole / 7**0.5, groups=groups, alternative=alternative)
        assert result.fraction == reals.of_integers(sums.tolist(), alternative)


@pytest.mark.parametrize(("alternative", "power"), [("two-sided", -2998), ("greater", -2999)])
def test_far_below_the_smallest_float(alternative, power):
    """√1 of 3,000 square roots is against: two subsets have no larger a sum."""
    scores = np.sqrt(np.arange(1.0, 3001.0)) * np.where(np.arange(3000), 1.0, -1.0)
    options = {"alternative": alternative, "method": "bracket"}
    result = paired_permutation_test(scores, 0 * scores, **options)
    low, high = result.log_pvalue_interval
    assert low <= power * math.log(2.0) <= high == result.log_pvalue
    assert result.pvalue_interval[0] == 0.0 < result.pvalue < 1e-300


def test_differences_that_round_across_the_middle():
    """The float differences' law has its middle elsewhere; no interval may rely on it."""
    tiny = [1.0880185641326534e-16, 6.661338147750939e-17, -1.1324274851176597e-16]
    scores = [1.0, 1.0, -2.0, 2.0, -1.0, -1.0], [*tiny, tiny[0], tiny[2], tiny[1]]
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "method": "bracket"}
        low, high = paired_permutation_test(*scores, **options).pvalue_interval
        assert (
            low <= reals.pvalue(*scores, alternative) <= reals.upper(*scores, alternative) <= high
        )


def test_columns_of_any_scale():
    """Columns have units of their own, so a power of two changes no bit."""
    rows = np.random.default_rng(4).random((2, 10, 4))
    expected = paired_permutation_test(*rows, score=macro)
    scales = np.ldexp(1.0, np.array([900, -900, 3, -900]))
    found = paired_permutation_test(*rows * scales, score=lambda s: macro(s / scales))
    assert (found.fraction, found.statistic) == (expected.fraction, expected.statistic)


@cases(1 / 3)
@given(rng=generators)
@pytest.mark.parametrize("method", ["auto", "monte_carlo"])
def test_the_observed_assignment_counts(method, rng):
    """And with two sides its mirror image, although the roots of squares lose half the digits."""
    n = int(rng.integers(1, 7))
    values = 100 + rng.integers(0, rng.choice([2, 5, 1000]), (2, n)) / rng.choice([3, 7, 900])
    differing = int((values[0] != values[1]).sum())
    for alternative in ALTERNATIVES:
        options = {"score": deviation(n), "alternative": alternative, "method": method, "rng": 1}
        result = paired_permutation_test(*np.stack((values, values**2), axis=-1), **options)
        least = 2.0**-differing * (1 + (alternative == "two-sided" and differing > 0))
        assert result.pvalue_interval[method == "monte_carlo"] >= least
