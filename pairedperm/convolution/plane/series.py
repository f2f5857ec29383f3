"""The sums over a region in the plane at every frequency: geometric series, row by row."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.plane.law import Tilt

__all__ = ["ROWS", "PlanarSeries"]

ComplexArray = NDArray[np.complex128]
ROWS = 2**6  # in a block, and blocks that are summed together


class PlanarSeries:
    """The sums over the points of the region, row by row geometric series.

    `bounds`, `rows` and the `lowest` i are those of B - shift.
    """

    def __init__(self, tilt: Tilt, rows: IntArray, bounds: IntArray, lowest: int) -> None:
        self._rows, self._bounds, self._lowest = rows, bounds, lowest
        products = bounds * tilt.i + rows * tilt.j
        self.greatest = int(products.max())  # 2^exponent m
        self.mu = math.ldexp(tilt.i, -tilt.exponent)
        self._weights = np.exp(tilt.as_float(products - self.greatest))
        self.total = float(self._weights.sum())
        n_terms = bounds - lowest + 1
        self._last = self._weights * np.exp(-self.mu * n_terms)
        lengths = np.expm1(-self.mu * n_terms) / math.expm1(-self.mu) if self.mu else n_terms
        self._at_zero = self._weights * lengths
        self.at_zero = float(self._at_zero.sum())

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self._rows.size

    def transformed(
        self, f: IntArray, g: IntArray, centre: tuple[int, int], lengths: tuple[int, int]
    ) -> ComplexArray:
        """(1 - z) H(f, g) for all f and g, at f = 0 H itself, with the origin at the centre."""
        root_f, root_g = _roots(lengths[0]), _roots(lengths[1])
        after_last = root_f[f * (self._lowest - 1 - centre[0]) % lengths[0]]
        result = np.zeros((f.size, g.size), dtype=np.complex128)
        partial = np.zeros_like(result)
        for number, start in enumerate(range(0, self._rows.size, ROWS)):
            if number % ROWS == 0:
                result += partial
                partial[:] = 0.0
            block = slice(start, start + ROWS)
            i, j = self._bounds[block] - centre[0], self._rows[block] - centre[1]
            by_f = root_f[f[:, None] * i % lengths[0]] * self._weights[block]
            by_f -= after_last[:, None] * self._last[block]
            by_f[f == 0] = self._at_zero[block]
            partial += by_f @ root_g[j[:, None] * g % lengths[1]]
        result += partial
        return result


def _roots(length: int) -> ComplexArray:
    """e^{-2πi r / length} for r = 0 … length - 1."""
    r = np.arange(length)
    r = np.where(2 * r > length, r - length, r)
    angle = (2.0 * math.pi / length) * r
    return np.asarray(np.cos(angle) - 1j * np.sin(angle))
