"""Columns of numbers as integers of a common unit.

Decimals in units of their last digit; floats that stand for fractions with small denominators.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.numbers import largest_entry

FloatArray = NDArray[np.float64]
_EXACT = 2**53  # proof: floats are exact integers below it
# So many units of the last decimal a score may have, by the bytes of its type: about two digits
# less than the type holds. Other numbers are then rarely taken for decimals, one in some hundred
# at worst, and all of several distinct ones hardly ever. With the digits that they all have.
_LIMITS = {2: (500.0, 2), 4: (1e5, 5), 8: (1e13, 13)}  # proof: by itemsize: value, decimals
_MAX_DECIMALS = 22  # proof: powers of ten up to it are floats
# A float is the nearest one to a fraction up to 1 of such a denominator by accident once in 10^10
# times; that all of some are, hardly ever.
_LARGEST = 1000  # proof: denominator
_UNIQUE = 2**52 / _LARGEST**2  # proof: below it no float is nearest to two of such fractions
_FINEST = 2**40  # proof: common denominator
_PRINTED = 5.1e-15  # proof: relative rounding to 15 significant digits


class Fineness(NamedTuple):
    """How fine a column's lattice is: of batches, that of the whole is their `joined` one."""

    decimals: int
    largest: float  # |score| of floats
    limit: float  # units of the last decimal that the largest may have
    whole: float  # |score| of integers

    def joined(self, other: Fineness) -> Fineness:
        """Of both together."""
        return Fineness._make(map(max, self, other))

    @property
    def is_lattice(self) -> bool:
        """Whether they are decimals as one column."""
        return self.decimals == 0 or self.largest * 10.0**self.decimals <= self.limit


def fineness(name: str, scores: NDArray[Any], start: int = 0) -> Fineness:
    """Of a column: the fewest decimals k for which every score x is rint(x 10^k) / 10^k.

    Raises
    ------
    NoLatticeError
        If a float is no decimal.
    """
    largest = max(float(scores.max(initial=0)), -float(scores.min(initial=0)))
    if scores.dtype.kind != "f":
        return Fineness(0, 0.0, 0.0, largest)
    limit, n_digits = _LIMITS[scores.dtype.itemsize]
    rest = scores[scores != np.rint(scores)]
    decimals = 0
    while rest.size:
        decimals += 1
        if decimals > _MAX_DECIMALS or largest * 10.0**decimals > limit:
            fact = (
                f"{largest_entry(name, scores, scores == rest[0], start)}, no decimal of at most "
                f"{n_digits} digits (with more, a {scores.dtype} does not tell decimals from "
                f"others) or {_MAX_DECIMALS} after the point; the largest score is {largest:.6g}"
            )
            raise NoLatticeError(
                f"`{name}` must hold integers or decimals: {fact}. Multiply both systems' scores "
                "by a common denominator, or round them to the digits that they mean "
                "(np.round(scores, 4)).",
                fact,
            )
        scale = 10.0**decimals
        nearest = np.rint(rest.astype(np.float64) * scale) / scale
        rest = rest[nearest.astype(rest.dtype) != rest]
    return Fineness(decimals, largest, limit, 0.0)


def on_one_lattice(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Two columns as integers in units of 10^-decimals, and the decimals, as few as will do.

    Floats must be decimals: the nearest float, of their own precision, to a number with few
    digits. A column that is not float is taken as it is.

    Raises
    ------
    NoLatticeError
        If a float is no decimal, or the columns need too many digits.
    """
    own1, own2 = fineness(name1, scores1, start), fineness(name2, scores2, start)
    decimals = max(own1.decimals, own2.decimals)
    whole1 = _in_units(name1, scores1, own1, decimals, start)
    whole2 = _in_units(name2, scores2, own2, decimals, start)
    return whole1, whole2, decimals


def _in_units(
    name: str, scores: NDArray[Any], own: Fineness, decimals: int, start: int
) -> NDArray[np.int64]:
    """The scores times 10^decimals, integers; `own` is their own fineness."""
    whole = scores
    if scores.dtype.kind == "f":  # only in its own units a float is sure to round to what was meant
        scale = 10.0**own.decimals
        if own.largest * scale >= _EXACT:  # without decimals
            entry = largest_entry(name, scores, np.abs(scores), start)
            fact = f"{entry}, and floats are exact integers only below 2^53"
            raise NoLatticeError(f"{fact}. Give integers, or subtract a constant.", fact)
        whole = np.rint(scores.astype(np.float64) * scale).astype(np.int64)
    return scaled(name, whole, 10 ** (decimals - own.decimals))


def scaled(name: str, scores: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """The scores times a positive factor.

    Raises
    ------
    NoLatticeError
        If that leaves int64.
    """
    if factor == 1 or not scores.any():
        return scores
    largest = max(int(scores.max()), -int(scores.min()))
    if largest * factor >= 2**63:
        fact = (
            f"`{name}` holds {largest:.3g}, which in units of {1 / factor:g}, those of the other "
            "scores, exceeds int64"
        )
        raise NoLatticeError(f"{fact}. Round the other scores to fewer digits.", fact)
    return scores * factor


def on_rational_lattice(
    columns: Sequence[FloatArray],
) -> tuple[list[NDArray[np.int64]], int] | None:
    """The columns in units of 1 / denominator, and that; None if some are no such fractions.

    Each float must be the nearest one to a fraction with a denominator up to 1000. Cost: O(n) for
    each prime power of the common denominator.
    """
    rest = np.concatenate(columns)
    largest, unit = float(np.abs(rest).max(initial=0.0)), 1
    if largest >= _UNIQUE:
        return None
    while rest.size:
        fraction = _fraction(float(rest[0]))
        if fraction is None:
            return None
        unit = math.lcm(unit, fraction.denominator)
        fits = np.rint(rest * unit) / unit == rest
        if unit > _FINEST or largest * unit >= _EXACT or not fits[0]:
            return None
        rest = rest[~fits]
    found = [np.rint(column * unit).astype(np.int64) for column in columns]
    for column, numbers in zip(columns, found, strict=True):  # a product may have been rounded
        is_same = (numbers / unit == column) & (unit // np.gcd(numbers, unit) <= _LARGEST)
        if not is_same.all():
            return None
    return found, unit


def _fraction(value: float, tolerance: float = 0.0) -> Fraction | None:
    """That of the least denominator, up to 1000, which is so near to the value."""
    denominators = np.arange(1.0, _LARGEST + 1.0)
    numerators = np.rint(value * denominators)
    is_near = np.abs(numerators / denominators - value) <= tolerance
    least = int(is_near.argmax())
    return Fraction(int(numerators[least]), least + 1) if is_near.any() else None


def as_printed(values: FloatArray) -> FloatArray:
    """Numbers that were printed to 15 significant digits: fractions as their nearest floats.

    2.83333333333333 is taken for 17/6; what is no fraction with a denominator up to 1000 stays.
    """
    distinct, place = np.unique(values, return_inverse=True)
    restored = [float(_fraction(x, _PRINTED * abs(x)) or x) for x in distinct.tolist()]
    return np.array(restored)[place].reshape(values.shape)
