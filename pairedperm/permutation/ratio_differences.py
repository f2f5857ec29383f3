"""What a test of a ratio of sums needs of two columns of rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import exact_dot, exact_sum
from pairedperm.errors import InputError
from pairedperm.scoring.counts import distinct_rows

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
    numerator1: int  # sums
    denominator1: int
    numerator2: int
    denominator2: int
    zero_division: Fraction
    n: int  # examples, those without a difference included

    @classmethod
    def from_pairs(
        cls,
        pairs: tuple[IntArray, IntArray, IntArray, IntArray],
        multiplicities: IntArray | None,
        shared: int = 0,
        zero_division: Fraction = Fraction(0),
    ) -> RatioDifferences:
        """Of numerators and denominators of system 1, and of system 2, each of shape (k,).

        `multiplicities` says how often each occurs, None once; `shared` is a part of both
        denominators beside.

        Raises
        ------
        InputError
            If a sum exceeds int64.
        """
        if multiplicities is None:
            n, sums = len(pairs[0]), [exact_sum(column) for column in pairs]
            largest = n * max(int(np.abs(column).max()) for column in pairs)
        else:
            n, sums = exact_sum(multiplicities), [exact_dot(multiplicities, c) for c in pairs]
            largest = max(exact_dot(multiplicities, np.abs(column)) for column in pairs)
        if 2 * (largest + abs(shared)) >= _LARGEST:
            raise InputError(
                f"the numerators or denominators add up to {largest:.3g}, too many for int64. Give "
                "the counts in a larger unit."
            )
        x, y = pairs[0] - pairs[2], pairs[1] - pairs[3]
        is_turned = (y < 0) | ((y == 0) & (x < 0))
        np.negative(x, out=x, where=is_turned)
        np.negative(y, out=y, where=is_turned)
        first, counts = distinct_rows([y, x], multiplicities)
        vectors = np.stack((x[first], y[first]), axis=1)
        matters = vectors.any(axis=1) & (counts > 0)
        n1, d1, n2, d2 = sums
        return cls(
            vectors=vectors[matters],
            multiplicities=counts[matters],
            numerator1=n1,
            denominator1=d1 + shared,
            numerator2=n2,
            denominator2=d2 + shared,
            zero_division=zero_division,
            n=n,
        )

    @property
    def n_differing(self) -> int:
        """Number of examples with a difference."""
        return int(self.multiplicities.sum())

    @property
    def u(self) -> int:
        """The numerators of both systems."""
        return self.numerator1 + self.numerator2

    @property
    def v(self) -> int:
        """The denominators of both systems."""
        return self.denominator1 + self.denominator2

    @cached_property
    def total(self) -> tuple[int, int]:
        """Σ (x_n, y_n), each with the sign that it has in `vectors`."""
        return (
            exact_dot(self.multiplicities, self.vectors[:, 0]),
            exact_dot(self.multiplicities, self.vectors[:, 1]),
        )

    @property
    def observed(self) -> Fraction:
        """score1 - score2."""
        return self.score1 - self.score2

    @property
    def score1(self) -> Fraction:
        """Of system 1."""
        return self._score(self.numerator1, self.denominator1)

    @property
    def score2(self) -> Fraction:
        """Of system 2."""
        return self._score(self.numerator2, self.denominator2)

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
