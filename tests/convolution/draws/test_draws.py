"""Sums of draws: quantiles against all resamples, and tails where numbers are large."""

import math

import flint
import numpy as np
import pytest

from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.convolution.draws.tail import resampled_lower_tail
from pairedperm.options import Budget


def of_ratio(columns, counts, level=0.025, if_none=0.0):
    return ratio_quantiles(
        tuple(np.array(x) for x in columns), np.array(counts), level, if_none, Budget()
    )


@pytest.mark.parametrize(("if_none", "end"), [(0.0, 0), (1.0, 1)])
def test_where_there_may_be_no_ratio(if_none, end):
    """Three of four have denominator 0: a resample has only those with chance (3 / 4)^4."""

    def found(counts, level=0.025):
        return of_ratio([[0, 2], [0, 4]], counts, level, if_none)

    assert (found([3, 1])[end], found([3, 1])[1 - end]) == (if_none, 0.5)
    assert found([1, 9]) == (0.5, 0.5)  # 10^-10 do not matter
    assert found([999, 1], level=0.45) == (0.5, 0.5)  # with 0.632


def test_skewed_ratios():
    """One example of 10,000, which outweighs all others, is drawn as Poisson's law says."""
    found = of_ratio([[0, 10**7], [1, 1]], [10**4 - 1, 1], level=1e-3)
    assert found == pytest.approx((0.0, 5000.0))  # P(Poisson(1) > 5) is 0.0006


def test_a_sum_of_a_billion_examples_is_found_from_few_frequencies():
    """Where the law is too long to lay out, but few frequencies are left of it."""
    values, counts = np.array([0, 1, 2]), np.array([3 * 10**8, 4 * 10**8, 3 * 10**8])
    low, high = sum_quantiles(values, counts, 0.025, Budget())
    n, deviation = 10**9, math.sqrt(0.6 * 10**9)
    assert (low, high) == pytest.approx((n - 1.959964 * deviation, n + 1.959964 * deviation), abs=3)


# Tails where numbers are large


@pytest.mark.parametrize(("least", "other"), [(1, 30_000), (30_000, 1), (10**6, 10**5)])
def test_the_least_value_each_time(least, other):
    """P = (share of the least value)^n, from near 1 to far below the least float."""
    counts, n = np.array([least, other]), least + other
    p = resampled_lower_tail(np.array([5, 9]), counts, 5 * n + 3, Budget())
    log = n * (flint.arb(least) / n).log()
    assert flint.arb(p.log_low) <= log <= flint.arb(p.log_high)
    assert flint.arb(p.low) <= log.exp() <= flint.arb(p.high)
    assert p.log == pytest.approx(float(log), rel=1e-11)
