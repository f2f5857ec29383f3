"""Logarithms of ratios of integers are the nearest floats."""

import decimal
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import swaps as oracle
from pairedperm.convolution.certified import log_of_ratio
from properties import cases

sizes = st.sampled_from([2, 12, 2**20, 2**53, 2**64, 2**200, 2**3000])


@pytest.mark.thorough
@cases(10)
@given(sizes, sizes, st.randoms(use_true_random=False), st.booleans())
def test_it_is_the_nearest_float(size, other, rng, is_near_one):
    denominator = rng.randrange(1, size + 1)
    numerator = rng.randrange(1, denominator + 1)
    if is_near_one:
        numerator = max(denominator - rng.randrange(other), 1)
    truth = oracle.nearest_log(Fraction(numerator, denominator))
    assert log_of_ratio(numerator, denominator) == truth


@pytest.mark.parametrize(
    ("numerator", "denominator", "log"),
    [
        (1, 1, 0.0),
        (5, 5, 0.0),
        (1, 2, -math.log(2.0)),
        (2**60 - 1, 2**60, -(2.0**-60)),
        (2**100_000 - 1, 2**100_000, 0.0),  # -2^-100000, below all floats
        (2**1100 - 2**70, 2**1100, -(2.0**-1030)),
    ],
    ids=["1", "5 of 5", "a half", "2^-60", "2^-100000", "2^-1030"],
)
def test_known_values(numerator, denominator, log):
    found = log_of_ratio(numerator, denominator)
    assert found == log
    assert math.copysign(1.0, found) == (1.0 if log == 0.0 else -1.0)  # no -0.0


@pytest.mark.parametrize("n", [1, 1074, 100_000, 10**9])
def test_powers(n):
    """N log 2 of 2^-n, which is not built."""
    with decimal.localcontext(decimal.Context(prec=80)):
        assert log_of_ratio(1, 2, n) == float(-n * decimal.Decimal(2).ln())


def test_many_digits():
    numerator, denominator = 3**60_000, 2**100_000
    truth = oracle.nearest_log(Fraction(numerator, denominator))
    assert log_of_ratio(numerator, denominator) == truth
    assert log_of_ratio(denominator - numerator, denominator) == oracle.nearest_log(
        Fraction(denominator - numerator, denominator)
    )


def test_a_callers_own_decimals_do_not_matter():
    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact])):
        assert log_of_ratio(1, 3) == oracle.nearest_log(Fraction(1, 3))
