"""Floats that stand for fractions with small denominators, as integers of a common unit."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
# A float is the nearest one to a fraction up to 1 of such a denominator by accident once in 10^10
# times; that all of some are, hardly ever.
_LARGEST = 1000
_FINEST = 2**40  # common denominator
_EXACT = 2**53
_PRINTED = 5.1e-15  # relative rounding to 15 significant digits


def on_rational_lattice(
    columns: Sequence[FloatArray],
) -> tuple[list[NDArray[np.int64]], int] | None:
    """The columns in units of 1 / denominator, and that; None if some are no such fractions.

    Each float must be the nearest one to a fraction with a denominator up to 1000. Cost: O(n) for
    each prime power of the common denominator.
    """
    rest = np.concatenate(columns)
    largest, unit = float(np.abs(rest).max(initial=0.0)), 1
    if largest >= _EXACT:
        return None
    while rest.size:
        denominator = _denominator(float(rest[0]))
        if denominator is None:
            return None
        unit = math.lcm(unit, denominator)
        if unit > _FINEST or largest * unit >= _EXACT:
            return None
        rest = rest[np.rint(rest * unit) / unit != rest]
    return [np.rint(column * unit).astype(np.int64) for column in columns], unit


def _denominator(value: float, tolerance: float = 0.0) -> int | None:
    """The least, up to 1000, of a fraction so near to the value."""
    denominators = np.arange(1.0, _LARGEST + 1.0)
    is_one = np.abs(np.rint(value * denominators) / denominators - value) <= tolerance
    return int(denominators[is_one.argmax()]) if is_one.any() else None


def as_printed(values: FloatArray) -> FloatArray:
    """Numbers that were printed to 15 significant digits: fractions as their nearest floats.

    2.83333333333333 is taken for 17/6; what is no fraction with a denominator up to 1000 stays.
    """
    distinct, place = np.unique(values, return_inverse=True)
    restored = distinct.copy()
    for k, value in enumerate(distinct.tolist()):
        denominator = _denominator(value, _PRINTED * abs(value))
        if denominator is not None:
            restored[k] = np.rint(value * denominator) / denominator
    return np.asarray(restored[place].reshape(values.shape))
