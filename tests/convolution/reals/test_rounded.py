"""Between two exact tails of rounded values: intervals that contain the truth."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from oracles import swaps as oracle
from pairedperm.convolution.line.tail import Line
from pairedperm.convolution.reals import bracket as bracket_module
from pairedperm.convolution.reals import rounded as rounded_module
from pairedperm.convolution.reals.bracket import RealSplit, bracket_lower_tail
from pairedperm.convolution.reals.rounded import rounded_tails
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
    points = (2.0 ** rng.uniform(1, 14),)
    with mock.patch.object(rounded_module, "_TRANSFORM_POINTS", points):
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
        for points in (2.0**7, 2.0**10):
            with mock.patch.multiple(rounded_module, _TRANSFORM_POINTS=(points,), _SHARE=1e-2):
                p = rounded_tails(values * unit, counts, bound * unit, Budget())
            assert Fraction(p.low) <= below
            assert Fraction(p.high) >= up_to
            assert p.log_low <= math.log(below)


@pytest.mark.thorough
def test_narrow_where_examples_are_many():
    """About 80 √n / M of p: 1e-5 of a thousand normal sizes, far out in the tail as well."""
    rng = np.random.default_rng(0)
    values = np.sort(np.abs(rng.normal(size=1000)))
    counts, total = np.ones(1000, dtype=np.int64), math.fsum(values)
    for share in (0.3, 0.49):
        p = rounded_tails(values, counts, share * total, Budget())
        assert p.low > 0.0
        assert p.high - p.low < 1e-4 * p.high


def test_far_below_the_least_float():
    values = np.sort(np.abs(np.random.default_rng(0).normal(size=3000)))
    p = rounded_tails(values, np.ones(3000, dtype=np.int64), 0.02 * math.fsum(values), Budget())
    assert p.high < 1e-300
    assert -math.inf < p.log_low < p.log_high < -700.0
    assert p.log_high - p.log_low < 0.1


def test_none_where_no_lattice_is_quick():
    values = np.sort(np.random.default_rng(0).random(1000))
    counts = np.ones(1000, dtype=np.int64)
    assert rounded_tails(values, counts, 200.0, Budget(max_points=1, max_bytes=1)) is None
    with mock.patch.object(rounded_module, "_TOO_SLOW", 0.0):
        assert rounded_tails(values, counts, 200.0, Budget()) is None
    with mock.patch.multiple(rounded_module, QUICK_TAILS=0.0, _VALUE=0.0):
        assert rounded_tails(values, counts, 200.0, Budget()) is None


def test_tails_that_prove_to_be_too_much():
    """Only while they are computed: there is no interval between rounded tails then."""
    values, counts = np.sort(np.random.default_rng(0).random(100)), np.ones(100, dtype=np.int64)
    assert rounded_tails(values, counts, 20.0, Budget()) is not None
    with mock.patch.object(Line, "tail", side_effect=BudgetError("too much")):
        assert rounded_tails(values, counts, 20.0, Budget()) is None


def test_no_sum_is_below_a_bound_near_zero():
    """The lower end is 0 then, and the observed sum belongs to the tail."""
    values, counts = np.sort(np.random.default_rng(0).random(100)), np.ones(100, dtype=np.int64)
    p = rounded_tails(values, counts, 0.0, Budget())
    assert p is None or p.low == 0.0


@pytest.mark.thorough
def test_all_that_a_budget_leaves():
    """A bracket is that of rounded tails where functions would take too much; or none."""
    rng = np.random.default_rng(0)
    values, taken = np.sort(np.abs(rng.normal(size=100))), (rng.random(100) < 0.4).astype(int)
    split = RealSplit(values, np.ones(100, dtype=np.int64), taken)
    p = bracket_lower_tail(split, False, Budget())
    with mock.patch.object(bracket_module, "_between_functions", side_effect=BudgetError):
        found = bracket_lower_tail(split, False, Budget())
        assert p.low < found.high < 1.01 * found.low
        assert found.low < p.high
        with mock.patch.object(bracket_module, "_WIDE", 0.0), pytest.raises(BudgetError):
            bracket_lower_tail(split, False, Budget())
