"""The difference of two ratios of sums, as swaps change it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["RatioDifference"]


class RatioDifference(NamedTuple):
    """The difference D of two systems' ratios, of S = Σ ±(x_n, y_n) with random signs.

    (x_n, y_n) are the differences of numerators and of denominators. With U and V the sums of the
    numerators and of the denominators of both systems, which no swap changes, the scores become
    (U + X) / (V + Y) and (U - X) / (V - Y), S = (X, Y).
    """

    u: int  # the numerators of both systems
    v: int  # the denominators
    zero_division: Fraction
    total: tuple[int, int]  # the largest S: Σ (x_n, y_n), each with the sign that is listed

    def _score(self, numerator: int, denominator: int) -> Fraction:
        return Fraction(numerator, denominator) if denominator else self.zero_division

    def exactly(self, x: int, y: int) -> Fraction:
        """When S = (x, y), which is an odd function of S."""
        u, v = self.u, self.v
        if abs(y) < v:
            return Fraction(2 * (x * v - u * y), v * v - y * y)
        # the halves stay integers in a ratio
        return self._score(u + x, v + y) - self._score(u - x, v - y)

    def at_least(self, sums: NDArray[Any], threshold: Fraction) -> NDArray[np.bool_]:
        """Where D ≥ threshold for sums S of shape (n, 2): in floats, then exactly near ties."""
        d, error = self._in_floats(sums)
        with np.errstate(invalid="ignore"):
            unclear = ~(np.abs(d - float(threshold)) > error + 1e-14 * abs(float(threshold)))
        result = d >= float(threshold)
        if unclear.any():
            points, position = np.unique(
                sums[unclear].astype(np.int64), axis=0, return_inverse=True
            )
            exact = [self.exactly(x, y) >= threshold for x, y in points.tolist()]
            result[unclear] = np.array(exact)[position.reshape(-1)]
        return np.asarray(result)

    def rounded(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """D of sums of shape (n, 2), correctly rounded: where two are equal, so are the floats."""
        largest = max(abs(self.u), self.v, int(np.abs(sums).max(initial=0)))
        if 4 * largest**2 < 2**53:  # numerator and denominator are floats
            x, y = sums[:, 0], sums[:, 1]
            inside = np.abs(y) < self.v
            numerator, denominator = 2 * (x * self.v - self.u * y), self.v**2 - y**2
            d = np.divide(numerator, np.where(inside, denominator, 1))
            rest = np.flatnonzero(~inside)
        else:
            d, rest = np.empty(len(sums)), np.arange(len(sums))
        for k in rest.tolist():
            d[k] = float(self.exactly(int(sums[k, 0]), int(sums[k, 1])))
        return np.asarray(d, dtype=np.float64)

    def _in_floats(self, sums: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """D, and a bound on its error; NaN where a denominator vanishes."""
        x, y = sums.astype(np.float64).T
        u, v = float(self.u), float(self.v)
        below, above = ((self.v - side).astype(np.float64) for side in (sums[:, 1], -sums[:, 1]))
        scale = np.where((below > 0.0) & (above > 0.0), below * above, np.nan)
        size = np.abs(x) * v + np.abs(y) * abs(u)
        return 2.0 * (x * v - u * y) / scale, 1e-14 * size / scale
