"""Between two exact tails of rounded values: intervals that contain the truth."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from oracles import swaps as oracle
from pairedperm.convolution.line.tilted import fit
from pairedperm.convolution.reals import rounded as rounded_module
from pairedperm.convolution.reals.rounded import between_tilted_tails, rounded_tails
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from properties import cases, generators


def drawn(rng, n, size):
    """Distinct floats that are integers in disguise, ascending, their counts, and their unit."""
    values, counts = np.unique(rng.integers(1, size + 1, n), return_counts=True)
    return values, counts, 2.0 ** -int(size).bit_length()


def true_tails(values, counts, bounds):
    """P(B < bound) and P(B ≤ bound) of each bound, as fractions."""
    differences = np.repeat(values, counts).tolist()
    total, whole = sum(differences), 2 ** len(differences)
    by_sum = {(total - s) // 2: c for s, c in oracle.signed_sum_counts(differences).items()}
    for bound in bounds:
        yield tuple(
            Fraction(sum(c for b, c in by_sum.items() if b < bound + is_in), whole)
            for is_in in (False, True)
        )


def holds(p, truth):
    return p.low <= truth <= p.high and oracle.is_certified(oracle.AsResult(p), truth)


@pytest.mark.thorough
@cases(1)
@given(rng=generators)
def test_both_tails_are_within(rng):
    """On lattices so coarse that all is in the rounding, and on fine ones."""
    values, counts, unit = drawn(rng, int(rng.integers(1, 80)), int(rng.choice([5, 60, 1000])))
    total = int((values * counts).sum())
    bound = int(total * rng.uniform(0.0, 0.5))
    widths = (10.0 ** rng.uniform(-4, 1),)
    with mock.patch.object(rounded_module, "_WIDTHS", widths):
        p = rounded_tails(values * unit, counts, bound * unit, Budget())
    [(below, up_to)] = true_tails(values, counts, [bound])
    assert Fraction(p.low) <= below
    assert Fraction(p.high) >= up_to
    assert p.value == p.high
    for truth in (below, up_to):
        assert truth == 0 or holds(p, truth)


@pytest.mark.parametrize("n", [100, pytest.param(300, marks=pytest.mark.thorough)])
def test_what_is_lost_is_in_the_interval(n):
    """Rounding that Hoeffding's bound limits, with as much lost as matters."""
    rng = np.random.default_rng(n)
    values, counts, unit = drawn(rng, n, 300)
    total = int((values * counts).sum())
    bounds = [round(share * total) for share in (0.35, 0.45, 0.499)]
    for bound, truths in zip(bounds, true_tails(values, counts, bounds), strict=True):
        below, up_to = truths
        for width in (1e-2, 0.3):
            with mock.patch.multiple(rounded_module, _WIDTHS=(width,), _LOST=0.5):
                p = rounded_tails(values * unit, counts, bound * unit, Budget())
            assert Fraction(p.low) <= below
            assert Fraction(p.high) >= up_to
            assert p.log_low <= math.log(below)


@pytest.mark.parametrize("share", [0.3, 0.49])
@pytest.mark.parametrize("size", [1000, pytest.param(20_000, marks=pytest.mark.thorough)])
def test_narrow_where_examples_are_many(size, share):
    """Six digits of normal sizes, far out in the tail as well, in 0.3 s."""
    values = np.sort(np.abs(np.random.default_rng(0).normal(size=size)))
    counts, total = np.ones(size, dtype=np.int64), math.fsum(values)
    p = rounded_tails(values, counts, share * total, Budget())
    assert p.relative_width < 1e-6


def test_patience_buys_digits():
    """Intervals of the same p, of 200 sizes; three digits are always there."""
    values = np.sort(np.abs(np.random.default_rng(0).normal(size=200)))
    counts, bound = np.ones(200, dtype=np.int64), 0.45 * math.fsum(values)
    found = [rounded_tails(values, counts, bound, Budget(), patience=x) for x in (0.0, 3e7, 3e8)]
    widths = [p.relative_width for p in found]
    assert 1e-3 > widths[0] > 2.0 * widths[1]
    assert widths[1] > 2.0 * widths[2] < 2e-5
    assert max(p.low for p in found) <= min(p.high for p in found)


def test_far_below_the_least_float():
    values = np.sort(np.abs(np.random.default_rng(0).normal(size=3000)))
    p = rounded_tails(values, np.ones(3000, dtype=np.int64), 0.02 * math.fsum(values), Budget())
    assert p.high < 1e-300
    assert -math.inf < p.log_low < p.log_high < -700.0
    assert p.log_high - p.log_low < 0.1


def test_a_budget_that_is_too_small():
    values, counts = np.sort(np.random.default_rng(0).random(1000)), np.ones(1000, dtype=np.int64)
    with pytest.raises(BudgetError, match="frequencies of a Fourier transform"):
        rounded_tails(values, counts, 200.0, Budget(max_points=1, max_bytes=1))


def test_tails_that_prove_to_be_too_much():
    """Only while they are computed: the next width is taken, and the last one raises."""
    values, counts = np.sort(np.random.default_rng(0).random(400)), np.ones(400, dtype=np.int64)
    tails = rounded_module.between_tilted_tails
    p = rounded_tails(values, counts, 80.0, Budget())
    effects = iter([BudgetError("too much")])

    def once(*given):
        for error in effects:
            raise error
        return tails(*given)

    with mock.patch.object(rounded_module, "between_tilted_tails", once):
        wider = rounded_tails(values, counts, 80.0, Budget())
    assert 3.0 * p.relative_width < wider.relative_width < 1e-4
    always = mock.patch.object(
        rounded_module, "between_tilted_tails", side_effect=BudgetError("too much")
    )
    with always, pytest.raises(BudgetError, match="too much"):
        rounded_tails(values, counts, 80.0, Budget())


def test_no_sum_is_below_a_bound_near_zero():
    """The lower end is 0 then, and the observed sum belongs to the tail."""
    values, counts = np.sort(np.random.default_rng(0).random(100)), np.ones(100, dtype=np.int64)
    assert rounded_tails(values, counts, 0.0, Budget()).low == 0.0


@cases(1)
@given(rng=generators)
def test_the_ends_hold_whatever_is_dropped(rng):
    """From the exact tails to shares of a half, of bounds that are near, far, or beyond all."""
    values, counts = np.unique(rng.integers(1, rng.choice([5, 60, 900]), 30), return_counts=True)
    total = int(values @ counts)
    bound = int(rng.integers(1, (total - 1) // 2 + 1))
    low, high = bound - int(rng.integers(0, total)), bound + int(rng.integers(0, total))
    if rng.random() < 0.7:
        low, high = max(low, bound - 3), min(high, bound + 3)
    share = float(10.0 ** rng.uniform(-17, -0.3))
    p = between_tilted_tails(
        fit(values, counts, bound, total, share=share), bound, low, high, Budget()
    )
    (_, least), (_, most) = true_tails(values, counts, (low, high))
    assert Fraction(p.low) <= least
    assert most <= Fraction(p.high) == Fraction(p.value)


def test_an_end_of_which_no_digit_is_left():
    values, counts = np.array([1, 2]), np.array([30, 30])
    p = between_tilted_tails(fit(values, counts, 7, 90, share=0.4), 7, 4, 13, Budget())
    (_, least), (_, most) = true_tails(values, counts, (4, 13))
    assert 0.0 < p.low <= least < most < p.high == 1.0


@pytest.mark.parametrize("share", [pytest.param(1e-9, marks=pytest.mark.thorough), 1e-6])
def test_a_share_saves_frequencies_and_costs_width(share):
    values = np.unique(np.random.default_rng(0).integers(1, 10**9, 400))
    counts, total = np.ones(values.size, dtype=np.int64), int(values.sum())
    bound = int(0.45 * total)
    exact, fitted = (fit(values, counts, bound, total, share=x) for x in (0.0, share))
    p = between_tilted_tails(fitted, bound, bound, bound, Budget())
    assert 0.0 < p.relative_width < 10.0 * share
    assert fitted.window.length < 0.8 * exact.window.length
    assert fitted.cost < 0.1 * exact.cost
