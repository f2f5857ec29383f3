"""Columns as integers of one unit: decimals, shares that floats spell, and other numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.lattice import on_fractions, on_lattice
from properties import cases, generators


def spelled(column):
    """The numbers that a column of floats spells, by Fractions alone; None if there are none.

    All are within two units of their last bit of the floats nearest to decimals, of at most 13
    digits as one column, or to shares of one denominator up to 1000.
    """
    numbers = [Fraction(x) for x in column]
    near = [2 * Fraction(math.ulp(x)) for x in column]
    digits = (10**k for k in range(23) if max(map(abs, numbers)) * 10**k <= 10**13)
    for unit in (*digits, *range(1, 1001)):
        found = [Fraction(round(x * unit), unit) for x in numbers]
        if all(
            abs(x - Fraction(float(y))) <= e for x, y, e in zip(numbers, found, near, strict=True)
        ):
            return found
    return None


KINDS = {
    "decimals": lambda rng, n: rng.integers(-900, 900, n) / 10.0 ** rng.integers(0, 5, n),
    "13 digits": lambda rng, n: rng.integers(0, 10**13, n) / 10.0 ** rng.integers(0, 13),
    "shares": lambda rng, n: rng.integers(0, 99, n) / float(rng.integers(1, 1001)),
    "several shares": lambda rng, n: rng.integers(0, 9, n) / rng.choice([2, 3, 5, 7, 64], n),
    "sums": lambda rng, n: 0.1 * rng.integers(1, 9, n) + 0.2 - rng.integers(0, 2, n) / 10,
    "products": lambda rng, n: rng.integers(1, 9, n) * (1 / 3),
    "reals": lambda rng, n: rng.normal(size=n),
    "a real": lambda rng, n: np.where(np.arange(n) == n - 1, 2**-0.5, 0.5),
    "rounded shares": lambda rng, n: np.round(rng.integers(0, 9, n) / 3, rng.integers(1, 16)),
    "off": lambda rng, n: (
        np.nextafter(rng.integers(1, 9, n) / 3, 9.0) + 4e-16 * (rng.random() < 0.5)
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@cases(0.3)
@given(rng=generators)
def test_the_numbers_that_floats_spell(kind, rng):
    column = KINDS[kind](rng, int(rng.integers(1, 9)))
    expected = spelled(column.tolist())
    try:
        found, _, unit = on_lattice("a", column, "b", np.zeros(2, dtype=np.int64))
    except NoLatticeError:
        assert expected is None
        return
    assert [Fraction(x, unit) for x in found.tolist()] == expected
    least = math.lcm(*(x.denominator for x in expected))
    tens = next((10**k for k in range(23) if 10**k % least == 0), None)
    assert unit == (tens or least)


THIRDS = np.array([1, 2, 0], dtype=np.float32) / np.float32(3)


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        (np.arange(1, 3000) / 100, 100),
        ([0.1 + 0.2, 0.7, 1 - 0.9], 10),
        ([1 / 3 + 2.0**-53, 1.0], 3),
        ([1 / 999, 0.0], 999),
        ([899 / 999], 999),  # within two units of its last bit of a decimal of 13 digits
        (THIRDS, 3),
        ([0.333, 1 / 3], None),  # neither are both beside each other
        ([1 / 3 + 2.0**-51, 0.0], None),
        (THIRDS.astype(np.float16), None),
        (np.float32([20 / 7, 32 / 7, -52 / 7]), None),  # 7 digits of it round to themselves
        (np.float32([8.1428573, 8.2857141]), None),
        ([5e-324, 1e-323], None),
    ],
)
def test_units(column, unit):
    column = np.array(column)
    if unit:
        assert on_lattice("a", column, "b", np.zeros(1))[2] == unit
    else:
        with pytest.raises(NoLatticeError, match=r"no decimal|digits"):
            on_lattice("a", column, "b", np.zeros(2))


# Fractions


@pytest.mark.parametrize(
    "column",
    [
        [1 / 3, 2**0.5],
        [2.0**53, 1 / 3],
        [1 / p for p in (997, 991, 983, 977, 971)],
        [81631165171.27173, 35105873008.8042, 16985417429.02903],
    ],
)
def test_no_fractions(column):
    assert on_fractions((np.array(column),)) is None


@pytest.mark.parametrize("size", [1, 10**7, 10**9, 10**14])
def test_each_is_the_nearest_float_to_a_small_fraction_or_none_is(size):
    """Of large numbers too, which many fractions are near to, and whose products are rounded."""
    rng = np.random.default_rng(size)
    for _ in range(100):
        numbers = rng.integers(1, 1000 * size, 3) / rng.integers(1, 1000, 3)
        column = np.where(rng.random(3) < 0.3, rng.random(3) * size, numbers)
        found = on_fractions((column,))
        assert found is None or size < 10**11
        if found is not None:
            fractions = [Fraction(k, found[1]) for k in found[0][0].tolist()]
            assert [float(x) for x in fractions] == column.tolist()
            assert max(x.denominator for x in fractions) <= 1000


def test_a_fact_stands_for_itself():
    with pytest.raises(NoLatticeError) as caught:
        on_lattice("q", np.array([0.5, 2**-0.5]), "r", np.ones(2))
    assert f"{caught.value.fact}".startswith("`q`[1] is 0.707")
    with pytest.raises(NoLatticeError, match=r"`r`\[0\] is 3e\+17, and floats are") as caught:
        on_lattice("q", np.ones(1), "r", np.array([3e17]))
    assert f"{caught.value.fact}." == f"{caught.value}".replace(
        " Give integers, or subtract a constant.", ""
    )
