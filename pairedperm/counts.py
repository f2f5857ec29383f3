"""What a sign-flip test needs of two columns: the distinct differences and how many of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import exact_dot
from pairedperm.errors import InputError

__all__ = ["DifferenceCounts"]

IntArray = NDArray[np.int64]
_INT64_MAX = np.iinfo(np.int64).max
_DENSE = 2**16  # a range of differences that is counted in an array however few there are


@dataclass(frozen=True)
class DifferenceCounts:
    """The multiset of |d_n| = |counts1_n - counts2_n| > 0, in units of their common divisor.

    Under the null hypothesis each d_n has a random sign, so this and the observed Σ d_n are
    all that the p-value depends on.
    """

    values: IntArray  # distinct |d| / unit, ascending
    multiplicities: IntArray
    observed: int  # Σ d / unit
    total: int  # Σ |d| / unit

    @property
    def n_differing(self) -> int:
        """Number of examples with a difference."""
        return int(self.multiplicities.sum())

    @classmethod
    def from_scores(cls, counts1: IntArray, counts2: IntArray) -> DifferenceCounts:
        """Count the differences of two int64 arrays of the same length.

        Cost: O(n), or O(n log n) where the differences are far apart.

        Raises
        ------
        InputError
            If a difference leaves int64.
        """
        smallest = int(counts1.min()) - int(counts2.max())
        largest = int(counts1.max()) - int(counts2.min())
        if max(-smallest, largest) > _INT64_MAX:
            raise InputError(
                "a difference between `counts1` and `counts2` may exceed int64: the scores lie "
                f"up to {max(-smallest, largest):.3g} apart. Divide them by a common unit first."
            )
        difference = counts1 - counts2
        if largest - smallest <= max(_DENSE, difference.size):
            frequency = np.bincount(difference - smallest)
            signed = np.flatnonzero(frequency)
            multiplicities = frequency[signed]
            signed = signed + smallest
        else:
            signed, multiplicities = np.unique(difference, return_counts=True)
        return cls._from_signed(signed, multiplicities)

    @classmethod
    def _from_signed(cls, signed: IntArray, multiplicities: IntArray) -> DifferenceCounts:
        values, position = np.unique(np.abs(signed), return_inverse=True)
        folded = np.zeros(values.size, dtype=np.int64)
        np.add.at(folded, position, multiplicities)
        observed = exact_dot(multiplicities, signed)
        if values.size and values[0] == 0:
            values, folded = values[1:], folded[1:]
        unit = int(np.gcd.reduce(values)) if values.size else 1
        values = values // unit
        return cls(values, folded, observed // unit, exact_dot(folded, values))
