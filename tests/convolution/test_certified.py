"""The arithmetic of certified probabilities: intervals hold what fractions say."""

import decimal
import math
from dataclasses import replace
from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import swaps as oracle
from pairedperm.convolution.certified import CertifiedProbability, log_of_ratio
from properties import cases

parts = st.integers(1, 2**70) | st.integers(1, 12)  # of a whole
P = CertifiedProbability


def check(p, truth, tolerance=1e-12):
    assert 0.0 <= p.low <= p.value <= p.high <= 1.0
    assert p.log_low <= p.log <= p.log_high <= 0.0
    assert oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
    assert oracle.relative_error(oracle.AsResult(p), truth) <= tolerance


def interval(p):
    """Known by its interval alone."""
    return replace(P.from_ratio(p.numerator, p.denominator), ratio=None)


@cases(2)
@given(parts, parts, st.integers(0, 200))
def test_what_is_a_ratio_stays_one(a, b, n):
    """Value and logarithm are the nearest floats, after doubling, adding and taking away too."""
    whole = 4 * (a + b)
    p, q = (P.from_ratio(x, whole) for x in (a, b))
    truth, more = Fraction(a, whole), Fraction(b, whole)
    half = P.from_ratio(a << n, whole << n).at_most_half()
    for found, fraction in (
        (p, truth),
        (half.doubled(), 2 * truth),
        (p.complement(), 1 - truth),
        (p.plus(q), truth + more),
        (p.plus(q).minus(q), truth),
        (p.complement().with_powers_of_half(-1, n + 4), 1 - truth - Fraction(1, 2 ** (n + 4))),
    ):
        check(found, fraction)
        assert found.value == float(fraction)
        assert found.log == oracle.nearest_log(fraction)
        assert found.log_high - found.log_low <= 2.0 * math.ulp(found.log)


def test_no_end_is_beyond_0_or_1():
    assert P.from_ratio(5, 8).low == P.from_ratio(5, 8).high == 0.625
    loose = P.near(1.0, 1e-3)
    assert (loose.high, loose.log_high) == (1.0, 0.0)
    one = P.exactly(1.0).times_power_of_half(0)
    assert (one.high, one.log_high) == (1.0, 0.0)
    half = P.near(0.5, 0.1).at_most_half()
    assert (half.low, half.value, half.high) == (0.4, 0.5, 0.5)
    assert half.log_high == math.nextafter(math.log(0.5), 0.0)
    for p in (
        *(P.near(1.5, 0.1), P.near(-1.0, 2.0), P.near(0.5, 0.2).doubled()),
        *(P.from_product(0.0, 1.0 + 1e-15, 0.0), P.from_product(1e-9, 1.0, 1e-12)),
        *(P.within(1.0 + 1e-9, 0.0, 0.0, 0.0, 3), loose.times_power_of_half(0)),
        *(loose.plus(P.near(0.5, 0.1)), loose.minus(P.near(0.0, 0.0)), loose.complement()),
    ):
        assert 0.0 <= p.low <= p.value <= p.high <= 1.0, p
        assert p.log_low <= p.log <= p.log_high <= 0.0, p


@pytest.mark.parametrize("n", [1, 1074, 2**20, 2**20 + 1, 10**9])
def test_powers_of_half(n):
    """The logarithm is N log 2 of 2^-n, which is not built."""
    p = P.power_of_half(n)
    with decimal.localcontext(decimal.Context(prec=80)):
        assert p.log == log_of_ratio(1, 2, n) == float(-n * decimal.Decimal(2).ln())
    assert p.log_low < p.log < p.log_high
    assert p.doubled().log == pytest.approx(log_of_ratio(1, 2, n - 1), rel=1e-15)


@cases(2)
@given(parts, parts, parts, st.integers(0, 2000), st.sampled_from([-1, 0, 1]))
def test_events(a, b, c, n, k):
    """Two that exclude each other, a part of one, both tails, and an assignment more or less."""
    p, q, both = Fraction(a, a + b + c), Fraction(b, a + b + c), Fraction(a + b, a + b + c)
    check(interval(p).plus(interval(q)), both)
    check(interval(p).plus(P.near(0.0)), p)
    check(P.near(0.0).plus(interval(p)), p)
    left = interval(both).minus(interval(q))
    assert Fraction(left.low) <= p <= Fraction(left.high)
    check(interval(p).complement(), 1 - p, tolerance=1e-12 + 1e-15 / float(1 - p))
    check(interval(p).times_power_of_half(n), p / 2**n)
    half = interval(p / 2)
    check(half.doubled(), p)
    for sides, truth in {"one": p / 2, "both": p, "but one": 1 - p / 2}.items():
        check(half.at_most_half().on_sides(sides), truth)
    n = 2 + n % 89
    p = Fraction(2 + a % (2**n - 3), 2**n)
    check(interval(p).with_powers_of_half(k, n), p + Fraction(k, 2**n))


@given(parts, parts, st.integers(1, 1200), st.integers(0, 1200))
def test_among_the_tails_of_fair_coins(a, b, n, k):
    """Of a ratio, an interval, and of nothing."""
    k, p = k % (n + 1), Fraction(a, a + b)
    below = Fraction(sum(math.comb(n, j) for j in range(k)), 2**n)
    truth = below + Fraction(math.comb(n, k), 2**n) * p
    check(interval(p).among(n, k), truth)
    found = P.from_ratio(a, a + b).among(n, k)
    assert found.ratio is not None
    check(found, truth)
    nothing = P.near(0.0).among(n, k)
    assert nothing.low <= below <= nothing.high


@given(st.floats(-800.0, 0.0), st.floats(1e-3, 1.0), st.floats(0.0, 1e-11))
def test_interval_of_a_product(exponent, factor, log_error):
    p = P.from_product(exponent, factor, log_error)
    for sign in (-1, 1):
        log = flint.arb(exponent) + flint.arb(factor).log() + sign * flint.arb(log_error)
        if log > 0:
            continue
        assert not flint.arb(p.log_low) > log  # by balls of 256 bits: not provably outside
        assert not log > flint.arb(p.log_high)
        assert not flint.arb(p.low) > log.exp()
        assert not log.exp() > flint.arb(p.high)


@cases(2)
@given(parts, parts, st.floats(0.0, 1e-3), st.floats(0.0, 1e-3), st.floats(-1.0, 1.0))
def test_a_sum_of_masses(a, b, relative, error, off):
    """Whatever in the bound the truth is: of 2^71 assignments at least one counts."""
    value = a / (a + b)
    truth = Fraction(value) * (1 + Fraction(off) * Fraction(relative)) + Fraction(off * error)
    truth = min(max(truth, Fraction(1, 2**71)), Fraction(1))
    p = P.within(value, relative, error * (1 + 2.0**-50), 0.0, 71)
    assert oracle.is_certified(oracle.AsResult(p), truth)


# Logarithms


@pytest.mark.parametrize(
    ("numerator", "denominator", "log"),
    [
        *((1, 1, 0.0), (5, 5, 0.0), (1, 2, -math.log(2.0)), (2**60 - 1, 2**60, -(2.0**-60))),
        (2**100_000 - 1, 2**100_000, 0.0),  # -2^-100000, below all floats
        (2**1100 - 2**70, 2**1100, -(2.0**-1030)),
        (x := 3**60_000, y := 2**100_000, oracle.nearest_log(Fraction(x, y))),
        (y - x, y, oracle.nearest_log(Fraction(y - x, y))),
    ],
    ids=range(8),
)
def test_known_logarithms(numerator, denominator, log):
    found = log_of_ratio(numerator, denominator)
    assert found == log
    assert math.copysign(1.0, found) == (1.0 if log == 0.0 else -1.0)  # no -0.0


def test_a_callers_own_decimals_do_not_matter():
    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact])):
        assert log_of_ratio(1, 3) == oracle.nearest_log(Fraction(1, 3))
