"""A sum of positive numbers, of which some make up the observed part: exactly what is asked of it.

Two forms, of floats and of integers, with the same methods: distinct positive `values`, ascending,
their `counts`, and the part of them that is `taken`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray


@dataclass(frozen=True)
class RealSplit:
    """Of floats, each within a relative 2^-53; `taken` says how many of each value are."""

    values: FloatArray
    counts: IntArray
    taken: IntArray

    def scaled(self) -> tuple[FloatArray, float, float]:
        """The values, the sum of those taken and of those that are not, within a relative 2^-52.

        In a unit in which the largest value is from 1/2 to 1; much smaller ones may be 0.
        """
        exponent = -math.frexp(float(self.values[-1]))[1]
        values = np.ldexp(self.values, exponent)
        sums = (math.fsum((n * values).tolist()) for n in (self.taken, self.counts - self.taken))
        return values, next(sums), next(sums)

    def kept(self, n: int) -> RealSplit:
        """The first n values, of the others none being taken."""
        return RealSplit(self.values[:n], self.counts[:n], self.taken[:n])

    def turned(self) -> RealSplit:
        """Those that are taken exchanged for those that are not."""
        return RealSplit(self.values, self.counts, self.counts - self.taken)


@dataclass(frozen=True)
class WholeSplit:
    """Of integers of any size; `taken` is their sum."""

    values: Sequence[int] | NDArray[Any]
    counts: IntArray
    taken: int

    def total(self) -> int:
        """The sum of all."""
        pairs = zip(self.values, self.counts.tolist(), strict=True)
        return sum(int(value) * count for value, count in pairs)

    def scaled(self) -> tuple[FloatArray, float, float]:
        """See `RealSplit`."""
        scale = 1 << int(self.values[-1]).bit_length()
        values = np.array([int(value) / scale for value in self.values])  # correctly rounded
        return values, self.taken / scale, (self.total() - self.taken) / scale

    def kept(self, n: int) -> WholeSplit:
        """See `RealSplit`."""
        return WholeSplit(self.values[:n], self.counts[:n], self.taken)

    def turned(self) -> WholeSplit:
        """See `RealSplit`."""
        return WholeSplit(self.values, self.counts, self.total() - self.taken)


Split = RealSplit | WholeSplit
