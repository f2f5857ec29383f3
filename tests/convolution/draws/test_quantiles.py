"""Quantiles of a sum, and of a ratio of sums, against all resamples."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.draws import percentiles, resamples
from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.options import Budget
from properties import cases, one_in

NOTHING_FITS = Budget(max_points=1)
WIDE = Budget(max_points=2**40)


def true_quantiles(column, score, level):
    """Of a score of the drawn entries, by all resamples."""
    law = [(score([column[k] for k in chosen]), ways) for chosen, ways in resamples(len(column))]
    return percentiles(law, 1 - 2 * Fraction(str(level)))


@cases(2)
@given(
    pairs=st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=5),
    level=st.sampled_from([0.03, 0.1, 0.3]),
    if_none=st.sampled_from([0.0, 1.0]),
)
def test_a_ratio_of_few_examples(pairs, level, if_none):
    def ratio(drawn):
        top, bottom = map(sum, zip(*drawn, strict=True))
        return Fraction(top, bottom) if bottom else Fraction(if_none)

    if not any(bottom for _, bottom in pairs):
        return
    low, high = true_quantiles(pairs, ratio, level)
    columns = tuple(np.array(pairs, dtype=np.int64).T)
    counts = np.ones(len(pairs), dtype=np.int64)
    found = ratio_quantiles(columns, counts, level, if_none, Budget())
    assert found == pytest.approx((float(low), float(high)), abs=1e-12)


def laid_out_and_rounded(pairs, counts, if_none=0.0, level=0.025):
    """The quantiles both ways, which agree within a few hundredths of a standard error."""
    columns, counts = tuple(np.array(pairs, dtype=np.int64).T), np.array(counts)
    return (
        ratio_quantiles(columns, counts, level, if_none, budget) for budget in (WIDE, NOTHING_FITS)
    )


@one_in(3)
@pytest.mark.parametrize(
    ("pairs", "counts", "if_none"),
    [
        ([(0, 0), (1, 1), (0, 1)], [10, 40, 50], 1.0),  # resamples have a denominator
        ([(0, 1), (1, 1), (1, 2)], [60, 50, 40], 0.0),
        ([(0, 1), (2, 3), (5, 7), (-4, 2)], [30, 30, 30, 9], 0.0),
        ([(1, 0), (1, 1), (0, 1)], [10, 40, 50], 0.0),  # examples of size 0 count
        ([(0, 0), (1, 1)], [50, 50], 0.0),  # the ratio is 1 wherever there is one
    ],
)
def test_a_ratio_of_many_values_is_rounded(pairs, counts, if_none):
    laid_out, rounded = laid_out_and_rounded(pairs, counts, if_none)
    spread = max(laid_out[1] - laid_out[0], 1e-12)
    assert rounded == pytest.approx(laid_out, abs=0.02 * spread)


@pytest.mark.parametrize(("if_none", "end"), [(0.0, 0), (1.0, 1)])
def test_where_there_may_be_no_ratio(if_none, end):
    """Three of four have denominator 0: a resample has only those with chance (3 / 4)^4."""
    for ways in laid_out_and_rounded([(0, 0), (2, 4)], [3, 1], if_none):
        assert (ways[end], ways[1 - end]) == (if_none, 0.5)
    for ways in laid_out_and_rounded([(0, 0), (2, 4)], [1, 9], if_none):
        assert ways == (0.5, 0.5)  # 10^-10 do not matter
    for ways in laid_out_and_rounded([(0, 0), (2, 4)], [999, 1], if_none, level=0.45):
        assert ways == (0.5, 0.5)  # with 0.632


@pytest.mark.thorough
def test_skewed_ratios_are_searched_for_further_away():
    """One example of 10,000, which outweighs all others, is drawn as Poisson's law says."""
    pairs, counts = [(0, 1), (10**7, 1)], [10**4 - 1, 1]
    laid_out, rounded = laid_out_and_rounded(pairs, counts, level=1e-3)
    assert rounded == pytest.approx(laid_out, rel=0.01)
    assert laid_out == pytest.approx((0.0, 5000.0))  # P(Poisson(1) > 5) is 0.0006


@cases(2)
@given(
    values=st.lists(st.integers(-4, 9), min_size=1, max_size=5),
    level=st.sampled_from([0.03, 0.1, 0.3]),
)
def test_a_sum_of_few_examples(values, level):
    distinct, counts = np.unique(values, return_counts=True)
    found = sum_quantiles(distinct, counts, level, Budget())
    assert found == true_quantiles(values, sum, level)


def test_a_sum_of_a_billion_examples_is_found_from_few_frequencies():
    """Where the law is too long to lay out, but few frequencies are left of it."""
    values, counts = np.array([0, 1, 2]), np.array([3 * 10**8, 4 * 10**8, 3 * 10**8])
    low, high = sum_quantiles(values, counts, 0.025, Budget())
    n, deviation = 10**9, math.sqrt(0.6 * 10**9)
    assert (low, high) == pytest.approx((n - 1.959964 * deviation, n + 1.959964 * deviation), abs=3)
