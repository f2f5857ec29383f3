"""Floats that stand for fractions."""

from fractions import Fraction

import numpy as np
import pytest

from pairedperm import paired_bootstrap_test
from pairedperm.inputs.decimals import as_printed, on_rational_lattice
from properties import one_in


def test_fractions():
    rng = np.random.default_rng(0)
    numerators, denominators = rng.integers(-50, 50, 40), rng.choice([1, 2, 3, 6, 7, 12], 40)
    found = on_rational_lattice((numerators / denominators, numerators[:3] / 3))
    assert found is not None
    (first, second), unit = found
    assert unit == 84
    fractions = [Fraction(a, b) for a, b in zip(first.tolist(), [unit] * 40, strict=True)]
    pairs = zip(numerators.tolist(), denominators.tolist(), strict=True)
    assert fractions == [Fraction(a, b) for a, b in pairs]
    assert (second * 3 == numerators[:3] * unit).all()


@pytest.mark.parametrize(
    "column",
    [
        [1 / 3, 2**0.5],
        [1 / 3 + 2e-16],
        [1 / 1009],
        [2.0**53, 1 / 3],
        [1 / p for p in (997, 991, 983, 977, 971)],
        [81631165171.27173, 35105873008.8042, 16985417429.02903],
    ],
    ids=["a root", "near a fraction", "a large denominator", "large", "no common one", "rounded"],
)
def test_other_numbers(column):
    assert on_rational_lattice((np.array(column),)) is None


@one_in(5)
@pytest.mark.parametrize("size", [1, 10**4, 10**7, 10**9, 10**11, 10**14])
def test_each_is_the_nearest_float_to_a_small_fraction_or_none_is(size):
    """Of large numbers too, which many fractions are near to, and whose products are rounded."""
    rng = np.random.default_rng(size)
    for _ in range(300):
        numbers = rng.integers(1, 1000 * size, 3) / rng.integers(1, 1000, 3)
        column = np.where(rng.random(3) < 0.3, rng.random(3) * size, numbers)
        found = on_rational_lattice((column,))
        if found is not None:
            fractions = [Fraction(k, found[1]) for k in found[0][0].tolist()]
            assert [float(x) for x in fractions] == column.tolist()
            assert max(x.denominator for x in fractions) <= 1000
        assert found is None or size < 10**11


def test_printed():
    """To 15 digits; what is none of these stays."""
    values = [17 / 6, 2 / 3, 100 / 7, 5.0, 0.0, -1 / 999, 2**0.5]
    printed = np.array([[float(f"{x:.15g}") for x in values]])
    assert printed.tolist() != [values]
    assert as_printed(printed).tolist() == [[*values[:-1], float(f"{2**0.5:.15g}")]]


def test_bootstrap_of_thirds():
    """They tie as thirds do: the ideal bootstrap of three times them."""
    scores1, scores2 = np.array([1, 2, 5, 4, 2, 7]) / 3, np.array([2, 1, 4, 2, 3, 1]) / 3
    for ties in ("include", "exclude"):
        found = paired_bootstrap_test(scores1, scores2, ties=ties)
        thrice = paired_bootstrap_test(np.rint(3 * scores1), np.rint(3 * scores2), ties=ties)
        assert (found.method, found.pvalue) == ("exact", thrice.pvalue)
        assert found.confidence_interval.low == pytest.approx(thrice.confidence_interval.low / 3)
