"""The bracket: intervals that contain the truth, and are narrow enough."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from corpora.real_sizes import SIZES, check_core
from oracles import reals as real_oracle
from oracles import swaps as oracle
from oracles.reals import true_tails
from oracles.vectors import ALTERNATIVES
from pairedperm import (
    paired_permutation_test,
)
from pairedperm.convolution.reals.bracket import LISTED, RealSplit, WholeSplit, bracket_lower_tail
from pairedperm.options import Budget
from properties import cases, generators, one_in, some


def bracketed(scores1, scores2=None, **options):
    scores2 = np.zeros(len(scores1)) if scores2 is None else scores2
    return paired_permutation_test(scores1, scores2, method="bracket", **options)


def check(result, truth):
    """Both intervals contain it; the value is the upper end."""
    assert oracle.is_certified(result, truth), (result, float(truth))
    assert result.pvalue == result.pvalue_interval[1]
    assert result.log_pvalue == result.log_pvalue_interval[1]
    assert (result.method, result.interval, result.fraction) == ("bracket", "certified", None)


# The core


@cases(0.4)
@given(rng=generators)
@pytest.mark.parametrize("kind", SIZES)
def test_core_on_reals(rng, kind):
    """Any part of the values being taken, none and all included."""
    values = np.unique(SIZES[kind](rng, rng.choice([1, 2, 3, 5, 8, 13, 18, 24])))
    is_taken = rng.random(values.size) < rng.choice([0.0, 0.1, 0.3, 0.5, 0.8, 1.0])
    split = RealSplit(values, np.ones(values.size, dtype=np.int64), is_taken.astype(int))
    for strict, truth in zip((False, True), true_tails(values, is_taken), strict=True):
        p = bracket_lower_tail(split, strict, Budget())
        check_core(p, truth)
        assert p.value == p.high


@one_in(2)
@cases(0.05)
@given(rng=generators)
@pytest.mark.parametrize("is_small", [False, True])
def test_core_with_multiplicities(rng, is_small):
    """Lattice values, exactly, and in units that are no floats: rounded as floats may be."""
    whole = np.unique(rng.integers(1, 40, rng.integers(1, 6)))
    if is_small:
        counts = rng.integers(30, 150, whole.size)
        taken = rng.binomial(counts, 0.05)
    else:
        counts = rng.integers(1, int(rng.choice([3, 30, 150])), whole.size)
        taken = rng.binomial(counts, rng.choice([0.05, 0.3, 0.5]))
    differences, bound = np.repeat(whole, counts), int(taken @ whole)
    by_sum, total = oracle.signed_sum_counts(differences.tolist()), int(counts @ whole)
    units = some([Fraction(1, 3), Fraction(10**22, 7), Fraction(1, 1000)], every=2)
    reals = [np.array([float(unit * v) for v in whole.tolist()]) for unit in units]
    above = sum(c for s, c in by_sum.items() if s > total - 2 * bound)
    assume(not is_small or 0 < above < 1e-10 * 2.0**differences.size)
    for strict in (False, True):
        n_extreme = above + (0 if strict else by_sum[total - 2 * bound])
        truth = Fraction(n_extreme, 2**differences.size)
        for split in (
            *(RealSplit(values, counts, taken) for values in reals),
            WholeSplit(whole.tolist(), counts, bound),
            WholeSplit([v << 200 for v in whole.tolist()], counts, bound << 200),
        ):
            check_core(bracket_lower_tail(split, strict, Budget()), truth)


# P-values

THOROUGH = pytest.mark.thorough
UNITS = 1.0, 1e-3, 1 / 3, 7.7e-9 * math.pi


@cases(0.4)
@given(rng=generators)
def test_reals_by_enumeration(rng):
    scores = rng.normal(size=(2, rng.choice([1, 2, 4, 7, 12, 20, 27])))
    scores[0] += rng.choice([0.0, 0.5, -1.5])
    for alternative in ALTERNATIVES:
        truth = real_oracle.pvalue(*scores, alternative)
        check(bracketed(*scores, alternative=alternative), truth)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "kind", ["cauchy", *(pytest.param(x, marks=THOROUGH) for x in ("lognormal", "pareto"))]
)
def test_heavy_tails(kind):
    """More than are listed, by the engine that counts all swaps, which other tests are for."""
    rng = np.random.default_rng(38)
    scores = SIZES[kind](rng, 38) * np.where(rng.random(38) < 0.3, -1.0, 1.0)
    for alternative in ("greater", "less"):
        options = {"alternative": alternative, "method": "enumeration"}
        counted = paired_permutation_test(scores, np.zeros(38), **options)
        result = bracketed(scores, alternative=alternative)
        check(result, counted.fraction)
        assert result.pvalue <= 1.01 * result.pvalue_interval[0]


@pytest.mark.parametrize(("n", "largest"), [(9, 9), (36, 40), (80, 9), (80, 5)])
def test_core_of_values_that_are_off(n, largest):
    """Integers of which each came off by 1e-9 of it: ties are broken, and the interval has them."""
    rng, n_missed = np.random.default_rng(n + largest), 0
    for share in (0.1, 0.3, 0.5, 0.7):
        whole = rng.integers(1, largest + 1, n)
        is_taken = rng.random(n) < share
        bound = int(whole[is_taken].sum())
        off = whole * (1.0 + 1e-9 * rng.choice([-1.0, 1.0], n))
        values, place = np.unique(off, return_inverse=True)
        counts = np.bincount(place), np.bincount(place, is_taken).astype(int)
        for strict in (False, True):
            truth = Fraction(real_oracle.n_at_most(whole.tolist(), bound, strict), 2**n)
            p, exact = (
                bracket_lower_tail(RealSplit(values, *counts, slack), strict, Budget())
                for slack in (1e-9 * float(whole.sum()) * (1 + 1e-6), 0.0)
            )
            assert Fraction(p.low) <= truth <= Fraction(p.high) == Fraction(p.value)
            n_missed += not Fraction(exact.low) <= truth <= Fraction(exact.high)
    assert n_missed or n > LISTED  # of the values as they came; a lattice widens as well


def test_core_of_little_but_rounding():
    """60 values of the slack's size: nothing is known but that the observed assignment counts."""
    ones, taken = np.ones(60, dtype=np.int64), np.arange(60) % 3 == 0
    for unit, slack in ((1e-17, 1e-14), (1e-302, 1e271)):  # the latter that of a larger value
        split = RealSplit(unit * np.sqrt(np.arange(1.0, 61.0)), ones, taken, slack)
        found = [bracket_lower_tail(split, strict, Budget()) for strict in (False, True)]
        assert [(p.low, p.high) for p in found] == [(2.0**-60, 1.0), (0.0, 1.0)]
        turned = split.turned()  # b is above the middle
        found = [bracket_lower_tail(turned, strict, Budget()) for strict in (False, True)]
        assert [(p.low, p.high) for p in found] == 2 * [(0.0, 1.0)]


@one_in(2)
@pytest.mark.parametrize(
    ("n", "unit"),
    [
        *((40, 1.0), (60, 1 / 3)),
        *(pytest.param(40, unit, marks=THOROUGH) for unit in UNITS[1:]),
        *(pytest.param(500, unit, marks=THOROUGH) for unit in UNITS),
        pytest.param(1500, UNITS[-1], marks=THOROUGH),
    ],
)
def test_lattices_by_polynomials(n, unit):
    """Ties of integers in units that are rounded: p down to 1e-300, of any alternative."""
    rng = np.random.default_rng(n)
    ps = []
    for share in some([0.5, 0.7, 0.99] if n >= 500 else [0.5, 0.55, 0.7, 0.9, 0.99], every=2):
        whole = rng.integers(1, 10, n) * np.where(rng.random(n) < share, 1, -1)
        # two-sided, the far tail of a long law takes as long as the others
        for alternative in ALTERNATIVES if n < 1500 or share < 0.9 else ("two-sided",):
            truth = oracle.pvalue(whole, alternative)
            check(bracketed(whole * unit, alternative=alternative), truth)
            ps.append(truth)
    assert max(ps) > Fraction(1, 2)
    assert n < 1500 or 0 < min(ps) < 1e-290


def test_all_differences_of_one_sign():
    """The least p there is, and the largest."""
    for n in (1, 5, 80, 1200):
        scores = np.random.default_rng(n).random(n) + 1e-3
        for sign, smallest, largest in ((1, "greater", "less"), (-1, "less", "greater")):
            ways = {"two-sided": 2, smallest: 1, largest: 2**n}
            for alternative, p in ways.items():
                found = bracketed(sign * scores, alternative=alternative)
                check(found, Fraction(p, 2**n))


def test_the_same_means():
    """√2 against √2 + √3 - √3: nothing to compute two-sided, half of the ties otherwise."""
    scores = np.array([2**0.5, -(2**0.5), 3**0.5, -(3**0.5)])
    check(bracketed(scores), Fraction(1))
    for alternative in ("greater", "less"):
        check(
            bracketed(scores, alternative=alternative),
            real_oracle.pvalue(scores, [0.0] * 4, "less"),
        )
    assert bracketed(scores, scores).pvalue == 1.0


@cases(0.04)
@given(rng=generators)
@pytest.mark.parametrize("n", [6, 30, pytest.param(400, marks=pytest.mark.thorough)])
def test_float_noise_on_a_lattice(rng, n):
    """Sums of tenths that are not rounded: 0.30000000000000004 beside 0.3."""
    tenths = rng.integers(-8, 12, (n, 3))
    scores = (tenths * 0.1).cumsum(axis=1)[:, -1]
    meant = tenths.sum(axis=1)
    scores[meant == 0] = 0.0
    for alternative in ALTERNATIVES:
        result = bracketed(scores, alternative=alternative)
        if n == 400:  # hundreds of sums tie, or nearly: in the interval, both ways
            assert oracle.is_certified(result, oracle.pvalue(meant, alternative))
        else:  # of these numbers
            check(result, real_oracle.pvalue(scores, np.zeros(n), alternative))


@pytest.mark.parametrize("scale", [1.0, math.pi, pytest.param(1e-9, marks=pytest.mark.thorough)])
def test_one_far_above_the_others(scale):
    """A thousand and one of 500 in size: the two cases of its sign."""
    for huge, observed in some([(500, 560), (500, 480), (90, 60), (90, 300)], every=2):
        n_ones = 1000
        n_minus = (huge + n_ones - observed) // 2
        ones = np.ones(n_ones)
        ones[:n_minus] = -1.0
        truth = oracle.pvalue_with_one_huge(huge, n_ones, observed)
        scores = np.append(ones, float(huge)) * scale
        check(bracketed(scores), truth)
        check(bracketed(-scores, alternative="less"), truth / 2)


@pytest.mark.parametrize(
    "scores",
    [
        [1e200, 3e-200, -1e-200, 2e100, 1 / 3],
        [1e-310, 3e-320, -5e-324, 2e-300],
        [1.0, 1e-17, -1e-17, -1e-300, 3e-5],
        [-1e250, 1e-90, 1e-200, 1e-310, 1 / 3],
    ],
    ids=lambda scores: f"{scores[0]:g}",
)
def test_differences_below_the_rounding_of_others(scores):
    """Down to those that would underflow in units of the largest."""
    for alternative in ALTERNATIVES:
        truth = real_oracle.pvalue(scores, [0.0] * len(scores), alternative)
        check(bracketed(scores, alternative=alternative), truth)


@one_in(3)
@pytest.mark.parametrize("kind", ["normal", "skewed", "heavy tails"])
def test_ten_thousand_reals(kind):
    """The interval is at most 1 % of p at p of about 0.05."""
    rng = np.random.default_rng(10_000)
    x = {"normal": rng.normal, "skewed": rng.exponential}.get(
        kind, lambda size: rng.standard_t(3, size)
    )(size=10_000)
    x = (x - x.mean()) / x.std() + 0.0196
    result = bracketed(x)
    low, high = result.pvalue_interval
    assert 0.04 < low < high < 0.06
    assert high - low <= 0.01 * low
    # by the normal law, apart from its error, here below 1e-3
    assert result.pvalue == pytest.approx(
        math.erfc(x.sum() / math.sqrt(2 * (x**2).sum())), rel=5e-3
    )


# Limits


@pytest.mark.thorough
def test_an_interval_that_may_be_wide():
    """Of sums in clusters, the observed one among others in its own."""
    rng = np.random.default_rng(1)
    signs = np.where(rng.random(48) < 0.3, -1.0, 1.0)
    scores = signs * np.repeat([1.0, 1.0 + 1e-7, 1e-3 * 2**0.5, 1e-3 * 3**0.5], 12)
    result = bracketed(scores)
    check(result, real_oracle.pvalue(scores, np.zeros(48)))
    assert result.pvalue_interval[0] > 0.9 * result.pvalue
