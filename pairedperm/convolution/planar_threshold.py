"""A region of the plane whose rows end at thresholds that are found by bisection."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.planar_law import PlanarLaw

__all__ = ["ThresholdRegion"]

_TOGETHER = 2**16  # rows that are bisected together


class ThresholdRegion:
    """The points (i, j) that hold, in each row all up to some i.

    Parameters
    ----------
    law : PlanarLaw
        Whose support matters.
    holds : callable
        Of points, shape (n, 2); true up to some i in each row, false beyond.
    """

    def __init__(self, law: PlanarLaw, holds: Callable[[IntArray], NDArray[np.bool_]]) -> None:
        (self._left, self._right), (self._bottom, self._top) = law.support
        self._holds = holds

    def convex_parts(self) -> list[tuple[int, int]]:
        """All rows."""
        return [(self._bottom, self._top)]

    def bounds(self, first: int, last: int) -> IntArray:
        """The greatest i in each row from first to last, or one less than the least there is."""
        return self._bounds[first - self._bottom : last - self._bottom + 1]

    def corners(
        self, first: int, last: int
    ) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Points in these rows on a line that no point of the region is beyond; None without any.

        The line through the ends of the first and the last row that has points, moved outwards as
        far as the rows between need it.
        """
        bounds = self.bounds(first, last)
        rows = np.flatnonzero(bounds >= self._left)
        if not rows.size:
            return None
        a, b = int(rows[0]), int(rows[-1])
        slope = (float(bounds[b]) - float(bounds[a])) / max(b - a, 1)
        line = float(bounds[a]) + slope * (rows - a)
        beyond = float((bounds[rows] - line).max()) + 1e-6
        return (line[0] + beyond, float(first + a)), (line[-1] + beyond, float(first + b))

    @cached_property
    def _bounds(self) -> IntArray:
        """Of all rows, by bisection of as many as fit into the cache at once."""
        found = []
        for start in range(self._bottom, self._top + 1, _TOGETHER):
            rows = np.arange(start, min(start + _TOGETHER, self._top + 1))
            low = np.full(rows.size, self._left - 1)  # holds, or there is none
            high = np.full(rows.size, self._right + 1)  # does not
            for _ in range((self._right - self._left + 2).bit_length()):
                is_open = high - low > 1
                middle = np.where(is_open, (low + high) // 2, self._left)
                holds = self._holds(np.stack((middle, rows), axis=1))
                low = np.where(is_open & holds, middle, low)
                high = np.where(is_open & ~holds, middle, high)
            found.append(low)
        return np.concatenate(found)
