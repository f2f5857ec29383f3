"""The lattice that vectors in the plane span, and their coordinates on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.plane.law import PlanarLaw, Point

_LARGEST = 2**62  # proof: of a product, so that a vector's entry less the product is int64


@dataclass(frozen=True, slots=True)
class Lattice:
    """All integer combinations of (step, 0) and (shear, rise).

    `step` and `rise` are not negative. One of them is 0 if the lattice is a line, both if it is a
    point.
    """

    step: int
    shear: int
    rise: int

    @property
    def rank(self) -> int:
        """The dimension of the lattice."""
        return (self.step > 0) + (self.rise > 0)

    @property
    def direction(self) -> tuple[int, int]:
        """The vector that spans a lattice of rank 1."""
        return (self.shear, self.rise) if self.rise else (self.step, 0)

    def multiples(self, vectors: IntArray) -> IntArray:
        """Return which multiple of the direction each vector is, on a lattice of rank 1."""
        return vectors[:, 1] // self.rise if self.rise else vectors[:, 0] // self.step

    def coordinates(self, vectors: IntArray) -> IntArray:
        """Return (i, j) of each vector i (step, 0) + j (shear, rise), on a lattice of rank 2."""
        x, j = vectors[:, 0], vectors[:, 1] // self.rise
        if abs(self.shear) * int(np.abs(j).max()) >= _LARGEST:  # i is small, but the product is not
            x, j = x.astype(object), j.astype(object)
        i = (x - self.shear * j) // self.step
        return np.stack((i, j), axis=1).astype(np.int64)

    def points(self, coordinates: IntArray) -> IntArray:
        """Return the vectors that have these coordinates (i, j), if they are int64."""
        i, j = coordinates.T
        if abs(self.shear) * int(np.abs(j).max(initial=0)) >= _LARGEST:
            i, j = i.astype(object), j.astype(object)
        return np.stack((i * self.step + j * self.shear, j * self.rise), axis=1).astype(np.int64)


def spanned(vectors: IntArray, counts: IntArray) -> Lattice:
    """Return the lattice that integer vectors, shape (k, 2), span (Hermite normal form).

    It is found by Euclid's algorithm. Among all suitable (shear, rise), the choice makes the
    vectors' coordinates, weighted by counts, least correlated. So a sum of them needs the smallest
    grid.
    """
    step, shear, rise = 0, 0, 0
    for x, y in vectors.tolist():
        while y:
            quotient = rise // y
            shear, rise, x, y = x, y, shear - quotient * x, rise - quotient * y
        step = math.gcd(step, x)
        if step:
            shear %= step
    if rise < 0:
        shear, rise = -shear, -rise
    if step and rise:
        i, j = Lattice(step, shear, rise).coordinates(vectors).astype(np.float64).T
        squares = float((counts * j * j).sum())
        shear += step * round(float((counts * i * j).sum()) / squares)
    return Lattice(step, shear, rise)


TOGETHER = 2**16  # tuned: rows that are bisected together
APART, REACH = 2**8, 2**4  # tuned: rows between two known ones, and how far to search near them


class ThresholdRegion:
    """The region of the points (i, j) that hold: in each row, all up to some i.

    Parameters
    ----------
    law : PlanarLaw
        The law whose support matters.
    holds : callable
        Takes points, shape (n, 2); true up to some i in each row, false beyond.
    """

    def __init__(self, law: PlanarLaw, holds: Callable[[IntArray], NDArray[np.bool_]]) -> None:
        (self._left, self._right), (self._bottom, self._top) = law.support
        self._holds = holds

    def convex_parts(self) -> list[tuple[int, int]]:
        """Return one part: all rows."""
        return [(self._bottom, self._top)]

    def bounds(self, rows: IntArray) -> IntArray:
        """Return the greatest i in each row, or the support's least i less 1 if there is none."""
        return self._bounds[rows - self._bottom]

    def corners(self, first: int, last: int) -> tuple[Point, Point] | None:
        """Return two points of a line that bounds the region in these rows; None if it is empty.

        The line goes through the ends of the first and the last row that have points. It is moved
        outwards as far as the rows between need it.
        """
        rows = np.arange(first, last + 1)
        return self._corners(rows, self.bounds(rows))

    def sketch(self) -> list[tuple[Point, Point]]:
        """Return the corners of the whole region, estimated from some rows."""
        points = self._corners(*self._some)
        return [] if points is None else [points]

    def _corners(self, rows: IntArray, bounds: IntArray) -> tuple[Point, Point] | None:
        is_there = bounds >= self._left
        rows, bounds = rows[is_there], bounds[is_there]
        if not rows.size:
            return None
        slope = (float(bounds[-1]) - float(bounds[0])) / max(int(rows[-1] - rows[0]), 1)
        line = float(bounds[0]) + slope * (rows - rows[0])
        beyond = float((bounds - line).max()) + 1e-6
        return (line[0] + beyond, float(rows[0])), (line[-1] + beyond, float(rows[-1]))

    def holds(self, points: IntArray) -> NDArray[np.bool_]:
        """Tell which points of the support hold."""
        return self._holds(points)

    @cached_property
    def _some(self) -> tuple[IntArray, IntArray]:
        """Some rows with their bounds, by bisection."""
        rows = np.arange(self._bottom, self._top + 1)
        known = np.union1d(rows[::APART], rows[-1:])
        whole = np.full(known.size, self._left - 1), np.full(known.size, self._right + 1)
        return known, self._bisected(known, *whole)

    @cached_property
    def _bounds(self) -> IntArray:
        """The bounds of all rows: some are bisected, the others are searched from there."""
        rows, (known, ends) = np.arange(self._bottom, self._top + 1), self._some
        found = []
        for start in range(0, rows.size, TOGETHER):
            some = rows[start : start + TOGETHER]
            near = np.interp(some, known, ends).astype(np.int64)
            low = np.clip(near - REACH, self._left - 1, self._right)
            found.append(self._bisected(some, low, near + REACH))
        return np.concatenate(found)

    def _bisected(self, rows: IntArray, low: IntArray, high: IntArray) -> IntArray:
        """Return the bounds of rows by bisection between `low` and `high`.

        If an end does not enclose the bound, the end of the support takes its place.
        """
        high = np.clip(high, low + 1, self._right + 1)
        low = np.where((low < self._left) | self._at(rows, low), low, self._left - 1)
        high = np.where((high > self._right) | ~self._at(rows, high), high, self._right + 1)
        while (is_open := high - low > 1).any():
            middle = np.where(is_open, (low + high) // 2, np.maximum(low, self._left))
            holds = self._at(rows, middle)
            low = np.where(is_open & holds, middle, low)
            high = np.where(is_open & ~holds, middle, high)
        return low

    def _at(self, rows: IntArray, i: IntArray) -> NDArray[np.bool_]:
        """Tell whether the points (i, row) hold, with i outside the support moved to its edge."""
        i = np.clip(i, self._left, self._right)
        return self._holds(np.stack((i, rows), axis=1))
