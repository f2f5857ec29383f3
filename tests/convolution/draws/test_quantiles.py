"""Quantiles of a sum, and of a ratio of sums, against all resamples."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.draws import percentiles, resamples
from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from properties import cases


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


@pytest.mark.parametrize(("if_none", "end"), [(0.0, 0), (1.0, 1)])
def test_where_there_may_be_no_ratio(if_none, end):
    """Three of four have denominator 0: a resample has only those with chance (3 / 4)^4."""

    def found(counts, level=0.025):
        columns = np.array([[0, 2], [0, 4]], dtype=np.int64)
        return ratio_quantiles(tuple(columns), np.array(counts), level, if_none, Budget())

    assert (found([3, 1])[end], found([3, 1])[1 - end]) == (if_none, 0.5)
    assert found([1, 9]) == (0.5, 0.5)  # 10^-10 do not matter
    assert found([999, 1], level=0.45) == (0.5, 0.5)  # with 0.632


def test_skewed_ratios():
    """One example of 10,000, which outweighs all others, is drawn as Poisson's law says."""
    columns = np.array([[0, 10**7], [1, 1]], dtype=np.int64)
    found = ratio_quantiles(tuple(columns), np.array([10**4 - 1, 1]), 1e-3, 0.0, Budget())
    assert found == pytest.approx((0.0, 5000.0))  # P(Poisson(1) > 5) is 0.0006


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ([10**6, 1, 0], "the law of two sums, of more than 1,048,576 points"),
        ([2**61, 1, 0], "int64"),
    ],
)
def test_too_many_points(column, why):
    """Of one sum, or of both together; or a sum beyond int64."""
    columns = np.array(column), np.array([1, 2, 3])
    with pytest.raises(BudgetError, match=f"^the percentiles of a ratio need .*{why}"):
        ratio_quantiles(columns, np.array([300, 300, 300]), 0.025, 0.0, Budget())


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
