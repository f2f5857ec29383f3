"""Which sums of differences make the scores of two systems differ as much as observed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Lattice
from pairedperm.permutation.ratio_differences import RatioDifferences

__all__ = ["RatioRegion"]

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
_FAR = 2**61  # a bound beyond every support
_ROUNDING = 2.0**-47  # of the floats below beside their terms, generously
_NEAR = 1e-6  # how near to an integer a float must be to be computed again


@dataclass(frozen=True)
class RatioRegion:
    """The points B at which the scores differ by at least `threshold`, or with `strict` by more.

    S = (X, Y) = W - 2B makes the scores differ by D = 2 (XV - UY) / (V² - Y²) where |Y| < V. This
    increases with X, so that in each row, with its Y, D ≥ a from a least X on:

        X ≥ (a (V² - Y²) / 2 + UY) / V,

    a concave function of Y. Where |Y| = V a denominator vanishes; those rows, the first and
    the last, are apart. B = i (step, 0) + j (shear, rise), and i is at most a convex function of j.
    """

    differences: RatioDifferences
    lattice: Lattice
    threshold: Fraction
    strict: bool

    @cached_property
    def last_row(self) -> int:
        """The last j; the first is 0."""
        return self.differences.total[1] // self.lattice.rise

    @cached_property
    def has_vanishing(self) -> bool:
        """Whether in the first and the last row a denominator vanishes."""
        return self.differences.total[1] == self.differences.v

    def convex_parts(self) -> list[tuple[int, int]]:
        """First and last rows of parts in which `ceiling` is convex, together all rows."""
        last = self.last_row
        if not self.has_vanishing:
            return [(0, last)]
        return [(0, 0), *([(1, last - 1)] if last > 1 else []), (last, last)]

    def corners(self, first: int, last: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The ends of the first and the last row: the bounds between are convex."""
        return (self.ceiling(first), first), (self.ceiling(last), last)

    def ceiling(self, row: int) -> float:
        """The bound in the row without rounding, or a little more."""
        if self._vanishes(row):
            return float(self._exact(row)) + self._error + 1e-9
        return float(self._real(np.array([row]))[0]) + self._error + 1e-9

    def bounds(self, first: int, last: int) -> IntArray:
        """The greatest i in each row from first to last.

        In floats, and again in integers where rounding might matter: ties do.
        """
        rows = np.arange(first, last + 1)
        real = self._real(rows)
        bounds = np.floor(np.clip(real, -float(_FAR), float(_FAR))).astype(np.int64)
        again = np.abs(real - np.rint(real)) <= _NEAR + self._error
        for row in [*rows[again].tolist(), *(r for r in (first, last) if self._vanishes(r))]:
            bounds[row - first] = min(max(self._exact(row), -_FAR), _FAR)
        return bounds

    def _vanishes(self, row: int) -> bool:
        return self.has_vanishing and row in (0, self.last_row)

    @cached_property
    def _error(self) -> float:
        """Of `_real`, in any row: `_ROUNDING` of all terms at their largest."""
        (x, y), u, v = self.differences.total, self.differences.u, self.differences.v
        terms = abs(x) + float(self.threshold) * v + abs(u / v) * y
        terms += abs(self.lattice.shear) * float(self.last_row)
        return _ROUNDING * terms / self.lattice.step

    def _real(self, rows: IntArray) -> FloatArray:
        """The bounds without rounding, in floats, of rows where no denominator vanishes."""
        total, u, v = self.differences.total, self.differences.u, self.differences.v
        y = total[1] - 2.0 * self.lattice.rise * rows
        curved = float(self.threshold) * (v - y) * (v + y) / (2.0 * v)
        straight, sheared = (u / v) * y, self.lattice.shear * rows.astype(np.float64)
        return np.asarray(((total[0] - curved - straight) / 2.0 - sheared) / self.lattice.step)

    def _exact(self, row: int) -> int:
        """The bound of one row, in integers."""
        total, u, v = self.differences.total, self.differences.u, self.differences.v
        y = total[1] - 2 * self.lattice.rise * row
        a, z = self.threshold, self.differences.zero_division
        if self._vanishes(row):
            # D is z - (U - X) / 2V where system 1 has no denominator, (U + X) / 2V - z otherwise
            least = u - 2 * v * (z - a) if y < 0 else 2 * v * (a + z) - u
        else:
            least = (a * (v * v - y * y) / 2 + u * y) / v
        least_x = least.numerator // least.denominator + 1 if self.strict else -(-least // 1)
        return ((total[0] - least_x) // 2 - self.lattice.shear * row) // self.lattice.step
