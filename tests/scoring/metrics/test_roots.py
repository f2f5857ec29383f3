"""Signs of sums of a / √b: against integers of hundreds of digits, and exact zeros."""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.scoring.metrics.correlation import RootSum
from properties import cases, generators


def root_sum(*terms):
    """Σ a / √b of pairs (a, b)."""
    total = RootSum({})
    for numerator, radicand in terms:
        total = total - RootSum.ratio(-numerator, radicand)
    return total


def roots(*radicands):
    """√r = r / √r of each, as terms; negative for -√|r|."""
    return [(r, abs(r)) for r in radicands]


def decimal_sign(terms):
    """With 200 digits; None where they do not tell it from 0."""
    with localcontext() as context:
        context.prec = 200
        value = sum((Decimal(a) / Decimal(b).sqrt() for a, b in terms), Decimal(0))
        size = sum((abs(Decimal(a)) / Decimal(b).sqrt() for a, b in terms), Decimal(0))
        if abs(value) <= size * Decimal(10) ** -190:
            return None
        return 1 if value > 0 else -1


@cases(5)
@given(st.sampled_from([5, 500, 10**9, 10**30]), st.data())
def test_signs(largest, data):
    term = st.tuples(st.integers(-largest, largest), st.integers(1, largest))
    terms = data.draw(st.lists(term, min_size=1, max_size=4))
    expected = decimal_sign(terms)
    found = root_sum(*terms).sign()
    assert found == (0 if expected is None else expected)
    assert root_sum(*((-a, b) for a, b in terms)).sign() == -found


@pytest.mark.parametrize(
    "terms",
    [
        [],
        [(0, 7)],
        [(5, 0)],  # a radicand of 0 is worth 0
        [(5, 0), (3, 11), (-3, 11)],
        [(8, 8), (-4, 2)],  # √8 = 2 √2
        roots(18, 8, -50),  # 3 √2 + 2 √2 - 5 √2
        [*roots(12, 27), (-15, 3)],  # 2 √3 + 3 √3 - 5 √3
        # (√2 + √3)² = 5 + 2 √6 = 5 + √24
        [(5, 1), (12, 6), (-5, 1), (-24, 24)],
        [(1, 2), (1, 3), (-2, 8), (-3, 27)],  # 1/√2 = 2/√8 and 1/√3 = 3/√27
        [(3, 10**40), (-3, 10**40)],
        [(10**20, 10**40), (-1, 1)],
        [(7, 7 * 11**2 * 13**2), (-143, 7 * 11**4 * 13**4), (-6, 7 * 11**2 * 13**2)],
        roots(2, 3, 5, -8, -12, -20, 2, 3, 5),  # three squarefree parts, each 0
    ],
)
def test_zeros(terms):
    for order in itertools.islice(itertools.permutations(terms), 24):
        found = root_sum(*order)
        assert found.sign() == 0
        assert found == 0
        assert found == RootSum({})
        assert found >= RootSum({})
        assert found <= RootSum({})


def test_a_little_more_than_zero():
    """Of an exact zero, with a term of 10^-k more, or less."""
    for k in (1, 10, 20, 60, 150):
        for sign in (-1, 1):
            small = (sign, 10 ** (2 * k))
            for zero in ([], roots(18, 8, -50), roots(2, 3, -8, -12, 2, 3)):
                found = root_sum(*zero, small)
                assert found.sign() == sign
                assert found != 0


def test_near_zeros():
    """Convergents p / q of √2 and √7: p² - r q² = ±1 or 2, so p / q - √r is of the size of q^-2."""
    for radicand, (p, q), (a, b) in ((2, (1, 1), (3, 2)), (7, (8, 3), (8, 3))):
        for _ in range(60):
            assert root_sum((p, q * q), (-radicand, radicand)).sign() == (
                1 if p * p > radicand * q * q else -1
            )
            assert root_sum((p, q * q), (-radicand, radicand)) != 0
            p, q = a * p + radicand * b * q, b * p + a * q
    close = roots(1000, 1003, -1001, -1002)  # about -1000^-1.5 / 2, the second derivative
    assert root_sum(*close).sign() == decimal_sign(close) == -1
    close = roots(10**20, 10**20 + 3, -(10**20) - 1, -(10**20) - 2)  # floats cannot tell
    assert sum(np.sign(a) * np.sqrt(float(b)) for a, b in close) == 0.0
    assert root_sum(*close).sign() == decimal_sign(close) == -1


def test_comparisons():
    one, two = RootSum.ratio(7, 5), RootSum.ratio(22, 49)  # 3.1305 and 22 / 7 = 3.1429
    assert two >= one
    assert one <= two
    assert not one >= two
    assert not two <= one
    assert one != two
    assert one != 0
    assert (one - one) == 0
    assert RootSum.ratio(2, 8) == RootSum.ratio(1, 2)
    assert RootSum.ratio(2, 8) >= RootSum.ratio(1, 2)
    assert RootSum.ratio(2, 8) <= RootSum.ratio(1, 2)
    assert one != 1  # only 0 is known among integers
    assert one != "7 / √5"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_fractions_as_coefficients():
    half = RootSum({2: Fraction(1, 2)})  # 1 / (2 √2) = 1 / √8
    assert half == RootSum.ratio(1, 8)
    assert RootSum({3: Fraction(1, 7), 12: Fraction(-2, 7)}) == 0  # 1/√3 = 2/√12
    assert (RootSum({3: Fraction(1, 7), 12: Fraction(-2, 7) + Fraction(1, 10**30)})).sign() == 1


@cases(3)
@given(rng=generators)
def test_differences_and_absolute_values(rng):
    one, two = (
        [(int(rng.integers(-50, 51)), int(rng.integers(1, 60))) for _ in range(2)] for _ in range(2)
    )
    difference = root_sum(*one) - root_sum(*two)
    assert difference.sign() == (decimal_sign([*one, *((-a, b) for a, b in two)]) or 0)
    size = abs(difference)
    assert size.sign() == abs(difference.sign())
    assert size == abs(RootSum({}) - difference)
    assert size == (difference if difference.sign() >= 0 else RootSum({}) - difference)
    assert (root_sum(*one) >= root_sum(*two)) is (difference.sign() >= 0)
    assert (root_sum(*one) <= root_sum(*two)) is (difference.sign() <= 0)
    assert (root_sum(*one) == root_sum(*two)) is (difference.sign() == 0)
