"""Tails on a line: every engine against the oracle, and hard laws."""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from scipy import stats

from oracles import swaps as oracle
from pairedperm.convolution.line import tilted as tilted_module
from pairedperm.convolution.line.tilted import fit, tilted_lower_tail
from pairedperm.options import Budget


def tilted(values, counts, bound):
    """The tilted sum, whatever else could be used."""
    return tilted_lower_tail(fit(values, counts, bound, int(values @ counts)), bound, Budget())


def check(p, truth):
    assert oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
    assert oracle.relative_error(oracle.AsResult(p), truth) <= 1e-12
    if truth >= Fraction(1, 10**300):
        assert p.high - p.low <= 1e-10 * p.value


@pytest.mark.parametrize("below", [1, 2, 301])
@pytest.mark.parametrize("n_even", [800, 1_000_000])
def test_second_peak_of_the_characteristic_function(n_even, below):
    """Many differences of 2 and three of 1: as much of φ near the frequency M/2 as near 0.

    P(2 · Binomial(n_even, 1/2) + Binomial(3, 1/2) ≤ bound) by the value of the second.
    """
    bound = (3 + 2 * n_even) // 2 - below
    p = tilted(np.array([1, 2]), np.array([3, n_even]), bound)
    ends = [(bound - k) // 2 for k in (0, 1, 1, 1, 2, 2, 2, 3)]
    if n_even == 800:
        at_most = [*accumulate(math.comb(n_even, k) for k in range(max(ends) + 1))]
        check(p, Fraction(sum(at_most[k] for k in ends), 2 ** (n_even + 3)))
    assert p.value == pytest.approx(stats.binom.cdf(ends, n_even, 0.5).mean(), rel=1e-10)
    assert p.high - p.low <= 1e-10 * p.value


def test_digits_that_are_lost_are_not_returned(monkeypatch):
    monkeypatch.setattr(tilted_module, "PROMISED", 1e-17)
    with pytest.raises(ArithmeticError, match=r"lost its digits.*report it with the input"):
        tilted(np.array([1, 2]), np.array([300, 100]), 200)
