"""What a test of a ratio of sums needs of two columns of rows: the distinct differences."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import distinct_rows, exact_dot
from pairedperm.errors import InputError
from pairedperm.scoring.waist import Rows

__all__ = ["RatioDifferences"]

IntArray = NDArray[np.int64]
_LARGEST = 2**61


@dataclass(frozen=True)
class RatioDifferences:
    """The multiset of the differences (x_n, y_n) of numerators and of denominators, up to sign.

    Under the null hypothesis each has a random sign. With S = Σ ±(x_n, y_n), and U and V the
    sums of the numerators and of the denominators of both systems, which no swap changes,
    the scores become (U + X) / (V + Y) and (U - X) / (V - Y), S = (X, Y). So this and the sums
    are all that a test depends on.
    """

    vectors: IntArray  # shape (k, 2): distinct, not (0, 0), y > 0, or y = 0 and x > 0
    multiplicities: IntArray
    u: int  # the numerators of both systems
    v: int  # the denominators
    total: tuple[int, int]  # Σ (x_n, y_n), each with the sign that it has in `vectors`
    score1: Fraction
    score2: Fraction
    zero_division: Fraction
    n: int  # examples, those without a difference included
    n_differing: int

    @classmethod
    def from_rows(cls, rows: Rows, zero_division: Fraction) -> RatioDifferences:
        """Of rows (numerator, denominator).

        Raises
        ------
        InputError
            If a sum exceeds int64.
        """
        one, two = rows.rows1.T, rows.rows2.T
        if rows.multiplicities is None:
            largest = rows.n * max(int(np.abs(one).max()), int(np.abs(two).max()))
        else:
            largest = max(rows.sum_of(np.abs(column)) for column in (*one, *two))
        if 2 * largest >= _LARGEST:
            raise InputError(
                f"the numerators or denominators add up to {largest:.3g}, too many for int64. Give "
                "the counts in a larger unit."
            )
        x, y = one - two
        is_turned = (y < 0) | ((y == 0) & (x < 0))
        np.negative(x, out=x, where=is_turned)
        np.negative(y, out=y, where=is_turned)
        first, counts = distinct_rows([y, x], rows.multiplicities)
        matters = ((x[first] != 0) | (y[first] != 0)) & (counts > 0)
        x, y, counts = x[first][matters], y[first][matters], counts[matters]
        (n1, d1), (n2, d2) = rows.sums
        return cls(
            vectors=np.stack((x, y), axis=1),
            multiplicities=counts,
            u=n1 + n2,
            v=d1 + d2,
            total=(exact_dot(counts, x), exact_dot(counts, y)),
            score1=Fraction(n1, d1) if d1 else zero_division,
            score2=Fraction(n2, d2) if d2 else zero_division,
            zero_division=zero_division,
            n=rows.n,
            n_differing=int(counts.sum()),
        )

    @property
    def observed(self) -> Fraction:
        """score1 - score2."""
        return self.score1 - self.score2

    def _score(self, numerator: int, denominator: int) -> Fraction:
        return Fraction(numerator, denominator) if denominator else self.zero_division

    def difference(self, x: int, y: int) -> Fraction:
        """Of the scores when S = (x, y), which is an odd function of S."""
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
            exact = [self.difference(x, y) >= threshold for x, y in points.tolist()]
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
            d[k] = float(self.difference(int(sums[k, 0]), int(sums[k, 1])))
        return np.asarray(d, dtype=np.float64)

    def _in_floats(self, sums: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """D, and a bound on its error; NaN where a denominator vanishes."""
        x, y = sums.astype(np.float64).T
        u, v = float(self.u), float(self.v)
        below, above = ((self.v - side).astype(np.float64) for side in (sums[:, 1], -sums[:, 1]))
        scale = np.where((below > 0.0) & (above > 0.0), below * above, np.nan)
        size = np.abs(x) * v + np.abs(y) * abs(u)
        return 2.0 * (x * v - u * y) / scale, 1e-14 * size / scale
