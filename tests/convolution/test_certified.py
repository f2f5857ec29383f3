"""The arithmetic of certified probabilities: intervals hold what fractions say."""

from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import swaps as oracle
from pairedperm.convolution.certified import CertifiedProbability
from properties import cases

parts = st.integers(1, 2**70) | st.integers(1, 12)  # of a whole


def check(p, truth, tolerance=1e-12):
    assert oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
    assert oracle.relative_error(oracle.AsResult(p), truth) <= tolerance


def from_ratio(p):
    return CertifiedProbability.from_ratio(p.numerator, p.denominator)


def test_exact_ratios_are_points():
    p = CertifiedProbability.from_ratio(5, 8)
    assert (p.low, p.value, p.high) == (0.625, 0.625, 0.625)
    p = CertifiedProbability.from_ratio(1, 3)
    assert p.low < Fraction(1, 3) < p.high


@pytest.mark.parametrize("n", [1, 60, 1074, 1075, 5000])
def test_power_of_half(n):
    check(CertifiedProbability.power_of_half(n), Fraction(1, 2**n))
    check(CertifiedProbability.power_of_half(n).doubled(), Fraction(1, 2 ** (n - 1)))
    check(CertifiedProbability.power_of_half(n).complement(), 1 - Fraction(1, 2**n))


@cases(5)
@given(parts, parts, parts, st.integers(0, 2000))
def test_events(a, b, c, n):
    """Two that exclude each other, a part of one, and both tails of a symmetric law."""
    p, q, both = Fraction(a, a + b + c), Fraction(b, a + b + c), Fraction(a + b, a + b + c)
    check(from_ratio(p).plus(from_ratio(q)), both)
    check(from_ratio(p).plus(CertifiedProbability.near(0.0)), p)
    check(CertifiedProbability.near(0.0).plus(from_ratio(p)), p)
    left = from_ratio(both).minus(from_ratio(q))
    assert Fraction(left.low) <= p <= Fraction(left.high)
    check(from_ratio(p).complement(), 1 - p, tolerance=1e-12 + 1e-15 / float(1 - p))
    check(from_ratio(p).times_power_of_half(n), p / 2**n)
    half = from_ratio(p / 2)
    check(half.doubled(), p)
    check(half.at_most_half(), p / 2)
    truths = {"one": p / 2, "both": p, "but one": 1 - p / 2}
    for sides, truth in truths.items():
        check(half.on_sides(sides), truth)


@cases(5)
@given(parts, st.integers(2, 90), st.sampled_from([-1, 0, 1]))
def test_an_assignment_more_or_less(a, n, k):
    p = Fraction(2 + a % (2**n - 3), 2**n)
    check(from_ratio(p).with_powers_of_half(k, n), p + Fraction(k, 2**n))


@given(st.floats(-800.0, 0.0), st.floats(1e-3, 1.0), st.floats(0.0, 1e-11))
def test_interval_of_a_product(exponent, factor, log_error):
    p = CertifiedProbability.from_product(exponent, factor, log_error)
    for sign in (-1, 1):
        log = flint.arb(exponent) + flint.arb(factor).log() + sign * flint.arb(log_error)
        if log > 0:
            continue
        assert not flint.arb(p.log_low) > log  # by balls of 256 bits: not provably outside
        assert not log > flint.arb(p.log_high)
        assert not flint.arb(p.low) > log.exp()
        assert not log.exp() > flint.arb(p.high)


@cases(5)
@given(parts, parts, st.floats(0.0, 1e-3), st.floats(0.0, 1e-3), st.floats(-1.0, 1.0))
def test_a_sum_of_masses(a, b, relative, error, off):
    """Whatever in the bound the truth is: of 2^71 assignments at least one counts."""
    value = a / (a + b)
    truth = Fraction(value) * (1 + Fraction(off) * Fraction(relative)) + Fraction(off * error)
    truth = min(max(truth, Fraction(1, 2**71)), Fraction(1))
    p = CertifiedProbability.within(value, relative, error * (1 + 2.0**-50), 0.0, 71)
    assert oracle.is_certified(oracle.AsResult(p), truth)
