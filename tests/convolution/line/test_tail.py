"""Tails on a line: every engine against the oracle, and hard laws."""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from scipy import stats

from convolution.misses import line_cases
from convolution.tails import line_tail
from oracles import swaps as oracle
from pairedperm.convolution.integers import MAX_HALVED, halved_lower_tail
from pairedperm.convolution.law import TiltedLaw
from pairedperm.convolution.line import tail as tail_module
from pairedperm.convolution.line import tilted as tilted_module
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.line.tilted import fit, tilted_lower_tail
from pairedperm.convolution.polynomials import count_lower_tail
from pairedperm.options import Budget
from properties import some


def tilted(values, counts, bound):
    """The tilted sum, whatever else could be used."""
    return tilted_lower_tail(fit(values, counts, bound, int(values @ counts)), bound, Budget())


def check(p, truth):
    assert oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
    assert oracle.relative_error(oracle.AsResult(p), truth) <= 1e-12
    if truth >= Fraction(1, 10**300):
        assert p.high - p.low <= 1e-10 * p.value


@pytest.mark.parametrize("is_long", [False, True])
def test_engines(monkeypatch, is_long):
    """On a fine lattice, a value above the sum of all others is set apart."""
    monkeypatch.setattr(tail_module, "is_long", lambda _: is_long)
    for (values, counts, bound, total), truth in some(line_cases()[::4], every=9):
        n = int(counts.sum())
        check(line_tail(values, counts, total, bound), truth)
        check(line_tail(values, counts, total, total - bound - 1), 1 - truth)
        check(tilted(values, counts, bound), truth)
        if n <= MAX_HALVED:
            check(halved_lower_tail(values, counts, bound), truth)
        assert count_lower_tail(values.tolist(), counts.tolist(), bound) == truth * 2**n


@pytest.mark.parametrize("below", [1, 2, 301])
@pytest.mark.parametrize("n_even", [3000, 1_000_000])
def test_second_peak_of_the_characteristic_function(n_even, below):
    """Many differences of 2 and three of 1: as much of φ near the frequency M/2 as near 0.

    P(2 · Binomial(n_even, 1/2) + Binomial(3, 1/2) ≤ bound) by the value of the second.
    """
    bound = (3 + 2 * n_even) // 2 - below
    p = tilted(np.array([1, 2]), np.array([3, n_even]), bound)
    ends = [(bound - k) // 2 for k in (0, 1, 1, 1, 2, 2, 2, 3)]
    if n_even == 3000:
        at_most = [*accumulate(math.comb(n_even, k) for k in range(max(ends) + 1))]
        check(p, Fraction(sum(at_most[k] for k in ends), 2 ** (n_even + 3)))
    assert p.value == pytest.approx(stats.binom.cdf(ends, n_even, 0.5).mean(), rel=1e-10)
    assert p.high - p.low <= 1e-10 * p.value


@pytest.mark.parametrize("side", [+1, -1])
@pytest.mark.parametrize("ulps", [-3, 0, 3])
def test_window_of_a_law_whose_end_has_just_the_tolerance(side, ulps):
    law = TiltedLaw(np.array([1, 3]), np.array([10, 4]), 0.5)
    end = -law.log_scale - 14 * math.log(2.0) - (law.tau * 22 if side < 0 else 0.0)
    point = tilted_module._chernoff_point(law, 22, end * (1.0 + ulps * 2.0**-52), side)
    assert point < 1e-6 if side > 0 else point > 22 - 1e-6


@pytest.mark.parametrize("share", [0.03, 0.4])
def test_halves_of_large_values(share):
    """Some 150 examples with two hundred thousand units in all, against integers."""
    values = np.unique(np.random.default_rng(0).integers(1, 3000, 150))
    bound = int(values.sum() * share)
    ways = np.zeros(bound + 1, dtype=object)
    ways[0] = 1
    for value in values:
        ways[value:] += ways[: max(bound + 1 - value, 0)].copy()
    p = halved_lower_tail(values, np.ones(values.size, dtype=np.int64), bound)
    check(p, Fraction(int(ways.sum()), 2**values.size))


def test_digits_that_are_lost_are_not_returned(monkeypatch):
    monkeypatch.setattr(tilted_module, "PROMISED", 1e-17)
    with pytest.raises(ArithmeticError, match=r"lost its digits.*report it with the input"):
        tilted(np.array([1, 2]), np.array([300, 100]), 200)


def test_laws_of_halves_where_the_budget_allows_no_more():
    """Slower than the tilted sum here, and without frequencies."""
    squares = np.arange(1, 201) ** 2
    line = Line(squares, np.ones(200, dtype=np.int64), int(squares.sum()))
    costs = [LINE.cost(LineTail(line, 1_200_000, 200), Budget(max_points=x)) for x in (2**30, 1)]
    expected = "a tilted sum on a line", "the laws of two halves of the examples are added"
    assert tuple(x.how for x in costs) == expected


@pytest.mark.thorough
def test_a_lattice_of_more_points_than_half_a_word():
    """Two scales, one a multiple of what exceeds all of the other: 7e11 points, from 2e8."""
    unit, coins = 10**9 + 7, np.ones(300, dtype=np.int64)
    small = np.sort(np.random.default_rng(0).choice(2 * 10**6, 300, replace=False)) + 1
    bound, rest = 100, round(0.45 * int(small.sum()))
    p = tilted(np.append(small, unit), np.append(coins, 220), unit * bound + rest)
    below, at = sum(math.comb(220, k) for k in range(bound)), math.comb(220, bound)
    among = tilted(small, coins, rest)
    low, high = ((below + at * Fraction(x)) / 2**220 for x in (among.low, among.high))
    assert p.low <= high
    assert low <= p.high
    assert p.high - p.low < 1e-11 * p.value
