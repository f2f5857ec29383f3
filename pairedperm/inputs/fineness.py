"""What floats of few bits can tell, and whether batches of them have a unit as one column."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# For each float type, by its bytes: the limit of a score in units of its last decimal, and the
# limit's digits. These are about two less than the type holds. So at most one other number in some
# hundred is taken for a decimal. Several distinct numbers hardly ever are.
LIMITS = {2: (500.0, 2), 4: (1e5, 5), 8: (1e13, 13)}  # proof: by itemsize: units, digits
MAX_DECIMALS = 22  # proof: powers of ten up to it are floats
# A float up to 1 is as near to a fraction with such a denominator by accident once in 10^9 times,
# and several floats hardly ever are.
LARGEST = 1000  # proof: largest denominator


def n_decimals(unit: int) -> int | None:
    """Return the fewest digits k for which numbers in units of 1 / unit are decimals, or None."""
    return next((k for k in range(MAX_DECIMALS + 1) if 10**k % unit == 0), None)


def largest_size(scores: NDArray[Any]) -> float:
    """Return the largest |score|; 0 of none."""
    return max(float(scores.max(initial=0)), -float(scores.min(initial=0)))


def are_apart(largest: float, dtype: Any) -> bool:
    """Tell whether no float up to `largest` may be as near to two fractions."""
    return bool(8.0 * float(np.finfo(dtype).eps) * largest * LARGEST**2 < 1.0)


def float_limit(scores: NDArray[Any]) -> float:
    """Return how many units of its last decimal a score may be; see `Provenance`."""
    if scores.dtype.kind == "f":
        return LIMITS[scores.dtype.itemsize][0]
    return math.inf if scores.dtype == object else 0.0


class Fineness(NamedTuple):
    """What decides whether a column has a unit; batches are `joined` to the whole column."""

    unit: int  # least common denominator of floats
    largest: float  # largest |score| of floats
    limit: float  # how many units of the last decimal it may be
    whole: float  # largest |score| of integers

    @classmethod
    def of(cls, numbers: NDArray[np.int64], unit: int, limit: float) -> Fineness:
        """Return the fineness of a column that is written as integers of a unit.

        `limit` is the `float_limit` of the numbers.
        """
        least = 1 if unit == 1 else unit // math.gcd(int(np.gcd.reduce(numbers, axis=None)), unit)
        largest = largest_size(numbers) / unit
        whole = largest if least == 1 else 0.0
        if limit in (0.0, math.inf):  # exact numbers
            return cls(1, 0.0, 0.0, whole)
        return cls(least, largest, limit, whole)

    def joined(self, other: Fineness) -> Fineness:
        """Return the fineness of both batches together."""
        unit = math.lcm(self.unit, other.unit)
        return Fineness(unit, *map(max, self[1:], other[1:]))

    @property
    def is_lattice(self) -> bool:
        """True if the floats have a unit as one column."""
        n_digits = n_decimals(self.unit)
        are_decimals = n_digits is not None and self.largest * 10.0**n_digits <= self.limit
        are_shares = self.unit <= LARGEST and are_apart(self.largest, narrow_type(self.limit))
        return self.unit == 1 or are_decimals or are_shares


def narrow_type(limit: float) -> Any:
    """Return the type of floats that have a limit of `LIMITS`; float64 for others."""
    sizes = {limit: size for size, (limit, _) in LIMITS.items()}
    return np.dtype(f"f{sizes.get(limit, 8)}")
