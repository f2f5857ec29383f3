"""The bracket: intervals that contain the truth, and are narrow enough."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from oracles import swaps as oracle
from oracles.reals import n_at_most
from pairedperm.convolution.line.tilted import fit
from pairedperm.convolution.reals import rounded as rounded_module
from pairedperm.convolution.reals.bracket import LISTED, RealSplit, bracket_lower_tail
from pairedperm.convolution.reals.rounded import between_tilted_tails, rounded_tails
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from properties import cases, generators

# The core


SIZES = {
    "alike": lambda rng, n: 1.0 + 1e-9 * rng.random(n),
    "lognormal": lambda rng, n: np.exp(3.0 * rng.normal(size=n)),
    "far apart": lambda rng, n: 10.0 ** rng.integers(-30, 30, n) * (1.0 + rng.random(n)),
}


@cases(0.25)
@given(rng=generators)
@pytest.mark.parametrize("kind", SIZES)
def test_core_on_reals(rng, kind):
    """Any part of the values being taken, none and all included."""
    values = np.unique(SIZES[kind](rng, rng.choice([1, 2, 3, 5, 8, 13, 18, 24])))
    is_taken = rng.random(values.size) < rng.choice([0.0, 0.1, 0.3, 0.5, 0.8, 1.0])
    split = RealSplit(values, np.ones(values.size, dtype=np.int64), is_taken.astype(int))
    fractions = [Fraction(x) for x in values.tolist()]
    bound = sum(x for x, taken in zip(fractions, is_taken, strict=True) if taken)
    for strict in (False, True):
        truth = Fraction(n_at_most(fractions, bound, strict), 2**values.size)
        p = bracket_lower_tail(split, strict, Budget())
        assert Fraction(p.low) <= truth <= Fraction(p.high) == Fraction(p.value)
        assert truth == 0 or oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))


@pytest.mark.parametrize(
    ("n", "largest", "huge"), [(9, 9, 1), (30, 40, 1), (80, 5, 1), (60, 5, 95), (60, 5, 999)]
)
def test_core_of_values_that_are_off(n, largest, huge):
    """Integers of which each came off by 1e-9 of it: ties are broken, and the interval has them."""
    rng, n_missed = np.random.default_rng(n + largest), 0
    for share in (0.1, 0.3, 0.5, 0.7):
        whole = rng.integers(1, largest + 1, n)
        whole[0] = max(whole[0], huge)
        is_taken = (rng.random(n) < share) | (whole >= max(huge, 2 * largest))
        off = whole * (1.0 + 1e-9 * rng.choice([-1.0, 1.0], n))
        values, place = np.unique(off, return_inverse=True)
        counts = np.bincount(place), np.bincount(place, is_taken).astype(int)
        for strict in (False, True):
            n_tail = n_at_most(whole.tolist(), int(whole[is_taken].sum()), strict)
            p, exact = (
                bracket_lower_tail(RealSplit(values, *counts, slack), strict, Budget())
                for slack in (1e-9 * float(whole.sum()) * (1 + 1e-6), 0.0)
            )
            truth = Fraction(n_tail, 2**n)
            assert Fraction(p.low) <= truth <= Fraction(p.high) == Fraction(p.value)
            n_missed += not Fraction(exact.low) <= truth <= Fraction(exact.high)
    assert n_missed or n > LISTED  # of the values as they came; a lattice widens as well


def test_core_of_little_but_rounding():
    """60 values of the slack's size: nothing is known but that the observed assignment counts."""
    ones, taken = np.ones(60, dtype=np.int64), np.arange(60) % 3 == 0
    for unit, slack in ((1e-17, 1e-14), (1e-302, 1e271)):  # the latter that of a larger value
        split = RealSplit(unit * np.sqrt(np.arange(1.0, 61.0)), ones, taken, slack)
        for asked, strict, low in (
            *((split, False, 2.0**-60), (split, True, 0.0)),
            *((split.turned(), False, 0.0), (split.turned(), True, 0.0)),  # b above the middle
        ):
            p = bracket_lower_tail(asked, strict, Budget())
            assert (p.low, p.high) == (low, 1.0)


# P-values


# Between two exact tails of rounded values


def true_tail(values, counts, bound):
    return Fraction(n_at_most(np.repeat(values, counts).tolist(), bound), 2 ** int(counts.sum()))


@pytest.mark.parametrize("lost", [0.02, 0.5])
@cases(0.3)
@given(rng=generators)
def test_both_tails_are_within(lost, rng):
    """On lattices so coarse that all is in the rounding, and on fine ones; much may be lost."""
    size = int(rng.choice([5, 60, 1000]))  # floats that are integers in disguise
    drawn = rng.integers(1, size + 1, int(rng.integers(1, 80)))
    values, counts = np.unique(drawn, return_counts=True)
    bound, unit = int(values @ counts * rng.uniform(0.0, 0.5)), 2.0 ** -size.bit_length()
    widths = (10.0 ** rng.uniform(-4, 1),)
    with mock.patch.multiple(rounded_module, _WIDTHS=widths, _LOST=lost):
        p = rounded_tails(values * unit, counts, bound * unit, Budget())
    below, up_to = true_tail(values, counts, bound - 1), true_tail(values, counts, bound)
    assert Fraction(p.low) <= below <= up_to <= Fraction(p.high) == Fraction(p.value)
    for truth in (below, up_to):
        assert truth == 0 or oracle.is_certified(oracle.AsResult(p), truth)


def normal_sizes(n):
    values = np.sort(np.abs(np.random.default_rng(0).normal(size=n)))
    return values, np.ones(n, dtype=np.int64)


def tails(n, share, budget=Budget(), **options):  # noqa: B008, it is frozen
    """Of n normal sizes, and a bound of a share of their sum."""
    values, counts = normal_sizes(n)
    return rounded_tails(values, counts, share * math.fsum(values), budget, **options)


@pytest.mark.parametrize("share", [0.3, 0.49])
def test_narrow_where_examples_are_many(share):
    """Six digits of normal sizes, far out in the tail as well, in 0.3 s."""
    assert tails(1000, share).relative_width < 1e-6
    assert tails(100, 0.0).low == 0.0  # no sum is below


def test_what_takes_too_much():
    """Also if only the run tells: the next width is taken, and the last one raises."""
    with pytest.raises(BudgetError, match="frequencies of a Fourier transform"):
        tails(1000, 0.4, Budget(max_points=1, max_bytes=1))
    run, effects = rounded_module.between_tilted_tails, iter([BudgetError("too much")])

    def once(*given):
        for error in effects:
            raise error
        return run(*given)

    with mock.patch.object(rounded_module, "between_tilted_tails", once):
        wider = tails(400, 0.4)
    assert 3.0 * tails(400, 0.4).relative_width < wider.relative_width < 1e-4


@cases(0.5)
@given(rng=generators)
def test_the_ends_hold_whatever_is_dropped(rng):
    """From the exact tails to shares of a half, of bounds that are near, far, or beyond all."""
    values, counts = np.unique(rng.integers(1, rng.choice([5, 60, 900]), 30), return_counts=True)
    total = int(values @ counts)
    bound = int(rng.integers(1, (total - 1) // 2 + 1))
    low, high = bound - int(rng.integers(0, total)), bound + int(rng.integers(0, total))
    if rng.random() < 0.7:
        low, high = max(low, bound - 3), min(high, bound + 3)
    fitted = fit(values, counts, bound, total, share=float(10.0 ** rng.uniform(-17, -0.3)))
    p = between_tilted_tails(fitted, bound, low, high, Budget())
    assert Fraction(p.low) <= true_tail(values, counts, low)
    assert true_tail(values, counts, high) <= Fraction(p.high) == Fraction(p.value)


def test_an_end_of_which_no_digit_is_left():
    values, counts = np.array([1, 2]), np.array([30, 30])
    p = between_tilted_tails(fit(values, counts, 7, 90, share=0.4), 7, 4, 13, Budget())
    assert 0.0 < p.low <= true_tail(values, counts, 4)
    assert true_tail(values, counts, 13) < p.high == 1.0
