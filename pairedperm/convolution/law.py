"""Sums of independent two-point variables: on a line, tilted or not, and on a grid.

A law is made of the distinct differences of rows, with how often each occurs.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

_LEAST = -math.log(sys.float_info.max)  # proof: e^{-x} is a float
_WORTH_SCIPY = 2**10  # tuned: values for which scipy is imported, which takes as long as a million


def expit(x: FloatArray) -> FloatArray:
    """Return 1 / (1 + e^{-x}) for a vector; a short one needs no scipy."""
    if x.size > _WORTH_SCIPY:
        from scipy import special

        return np.asarray(special.expit(x))
    return np.array([1.0 / (1.0 + math.exp(-v)) if v > _LEAST else 0.0 for v in x.tolist()])


class TiltedFactors:
    """Independent two-point variables: variable k is taken with probability 1/(1 + e^{y[k]}).

    `y` is ascending and not negative; `counts[k]` variables have the tilt `y[k]`.
    """

    counts: IntArray
    y: FloatArray

    @cached_property
    def n_centred(self) -> int:
        """The number of values with y ≤ 1, which come first; their factors are centred."""
        return int(np.searchsorted(self.y, 1.0, side="right"))

    @cached_property
    def chance(self) -> FloatArray:
        """The probability that a value is part of the sum."""
        return np.asarray(expit(-self.y))

    @cached_property
    def sech2(self) -> FloatArray:
        """sech²(y / 2), four times the variance of the value's Bernoulli variable."""
        return np.asarray(4.0 * self.chance * (1.0 - self.chance))

    @cached_property
    def tanh(self) -> FloatArray:
        """tanh(y / 2) = 1 - 2 chance, computed without cancellation."""
        return np.asarray(np.tanh(self.y / 2.0))


class TiltedVectors(TiltedFactors):
    """Independent variables, each of which is a vector or 0."""

    vectors: IntArray  # shape (k, r)


@dataclass(frozen=True)
class TiltedLaw(TiltedFactors):
    """The law of B = Σ_k values[k] · Binomial(counts[k], 1/2) under the tilt e^{-tau B}.

    `values` are positive, distinct and ascending: integers, or floats in `reals`. A value is part
    of B with probability 1 / (1 + e^{tau value}), which is one half without tilt.
    """

    values: NDArray[Any]
    counts: IntArray
    tau: float

    @cached_property
    def y(self) -> FloatArray:  # type: ignore[override]
        """The exponents tau · values."""
        return np.asarray(self.tau * self.values, dtype=np.float64)

    @cached_property
    def mean(self) -> float:
        """The mean of B."""
        return float((self.counts * (self.values * self.chance)).sum())

    @cached_property
    def variance(self) -> float:
        """The variance of B."""
        spread = self.values * np.sqrt(self.chance * (1.0 - self.chance))
        return float((self.counts * spread**2).sum())

    @cached_property
    def log_scale(self) -> float:
        """κ(tau) = log E e^{-tau B}, the expectation taken without tilt."""
        return log_scale(self.y, self.counts)

    @property
    def squares(self) -> float:
        """Σ counts values², the sum of all squared ranges, for Hoeffding's bound."""
        return sum_of_squares(self.values, self.counts)

    def log_end(self, side: int, total: float) -> float:
        """Return the logarithm of the mass of B = 0 (side +1), or of B = total (side -1)."""
        end = -self.log_scale - float(self.counts.sum()) * math.log(2.0)
        return end - self.tau * total if side < 0 else end

    def at(self, tau: float) -> TiltedLaw:
        """Return the law of the same sum under another tilt."""
        return TiltedLaw(self.values, self.counts, tau)


def log_scale(y: FloatArray, counts: IntArray) -> float:
    """Return Σ counts log((1 + e^{-y}) / 2).

    If |y| ≤ 1, a term is computed as log cosh(y / 2) - y / 2: no digit is lost beside log 2. The
    relative error is below 2^-44, generously, for y of either sign.
    """
    small = np.abs(y) <= 1.0
    log_cosh = np.log1p(2.0 * np.sinh(np.where(small, y, 0.0) / 4.0) ** 2)
    terms = np.where(small, log_cosh - y / 2.0, np.logaddexp(0.0, -y) - math.log(2.0))
    return float((counts * terms).sum())


def sum_of_squares(values: NDArray[Any], counts: IntArray) -> float:
    """Return Σ counts values²: a quarter of it is the variance of B, and a tilt makes that less."""
    return float((counts * values.astype(float) ** 2).sum())


def tilted_to(values: NDArray[Any], counts: IntArray, bound: float, total: float) -> TiltedLaw:
    """Return the tilt under which the mean of B is nearly `bound`, 0 < bound < total / 2.

    Every tilt gives the same tail; this one keeps the sums short. For tau ≥ 0 the mean of B
    decreases and is convex in tau, as a sum of logistic tails. So Newton's method, started at 0,
    approaches the root from the left and never passes it.

    The method stops when the step is short beside tau and the mean is near the bound beside the
    deviation. The second condition alone says little if a huge value still has a tiny chance. The
    first alone says little if there are very many values.
    """
    law = TiltedLaw(values, counts, 0.0)
    step = (total - 2 * bound) / 2 / law.variance
    while step > 0.01 * law.tau or step * math.sqrt(law.variance) > 0.1:
        law = law.at(law.tau + step)
        step = (law.mean - bound) / law.variance
    return law


LEAK = 2.0**-62  # tuned: mass beyond a window, about

Ranges = tuple[tuple[int, int], ...]  # first and last point in each coordinate


@dataclass(frozen=True)
class GridLaw(TiltedVectors):
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), vectors of shape (k, r)."""

    vectors: IntArray
    counts: IntArray

    @cached_property
    def y(self) -> FloatArray:  # type: ignore[override]
        """The tilts, which are all 0."""
        return np.zeros(self.counts.size)

    @cached_property
    def support(self) -> Ranges:
        """The least and the greatest sum in each coordinate."""
        low = (self.counts[:, None] * np.minimum(self.vectors, 0)).sum(axis=0).tolist()
        high = (self.counts[:, None] * np.maximum(self.vectors, 0)).sum(axis=0).tolist()
        return tuple(zip(low, high, strict=True))

    @property
    def corner(self) -> tuple[int, ...]:
        """The first point of the grid that holds the support."""
        return tuple(low for low, _ in self.support)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The number of points on each side of that grid."""
        return grid_shape(self.support)

    @cached_property
    def n_added(self) -> int:
        """The number of masses added by convolving the law, one variable after the other."""
        steps = self.counts[:, None] * np.abs(self.vectors).astype(np.float64)
        middle = 1.0 + np.cumsum(steps, axis=0) - steps / 2.0  # sides at half of a vector's
        with np.errstate(over="ignore"):
            return int(min((self.counts * middle.prod(axis=1)).sum(), 2.0**62))

    @cached_property
    def squares(self) -> list[float]:
        """Σ counts x² for each coordinate x."""
        squares = self.counts[:, None] * self.vectors.astype(np.float64) ** 2
        return [float(square) for square in squares.sum(axis=0)]

    def steps(self, order: Literal["C", "F"] = "C") -> tuple[list[int], int]:
        """Return how far each vector moves on the support's grid, and the place of the least sum.

        By Kronecker's substitution, a sum is one number: its place in this order. Vectors that move
        backwards are turned. The least sum is the sum of all these.
        """
        shape, r = self.shape, len(self.shape)
        strides = [math.prod(shape[k + 1 :] if order == "C" else shape[:k]) for k in range(r)]
        steps = self.vectors @ np.array(strides)
        least = int(self.counts @ np.minimum(steps, 0))
        return np.abs(steps).tolist(), least - sum(map(mul, self.corner, strides))

    def window(self) -> tuple[Ranges, float]:
        """Return a symmetric box about the middle of the support, and a bound on the rest's mass.

        By Hoeffding's bound, the mass beyond the mean ± s in a coordinate x is at most
        2 exp(-2 s² / Σ counts x²).
        """
        log_odds = math.log(2.0 * len(self.support) / LEAK)
        sides, n_open = [], 0
        for square, (low, high) in zip(self.squares, self.support, strict=True):
            reach = math.sqrt(square * log_odds / 2.0) * (1.0 + 2.0**-40) + 1.0
            cut = max(math.floor((high - low) / 2.0 - reach), 0)
            n_open += cut > 0
            sides.append((low + cut, high - cut))
        return tuple(sides), n_open * LEAK / len(self.support)


class GridMasses(NamedTuple):
    """Masses on a grid, from its `origin`, with a relative and an absolute error.

    Apart from `relative_error`, no mass is off by more than `point_error`, and all masses of any
    set together by no more than `error`. `lost` is at least the mass beyond the grid.
    """

    masses: NDArray[np.float64]
    origin: tuple[int, ...]
    relative_error: float
    point_error: float
    error: float
    lost: float


def grid_shape(box: Ranges) -> tuple[int, ...]:
    """Return how many points each side of the box has."""
    low, high = np.array(box).T
    return tuple((high - low + 1).tolist())


DENSE_CODES = 2**16  # tuned: codes that are counted in an array however few rows there are


def distinct_rows(
    columns: list[IntArray], multiplicities: IntArray | None
) -> tuple[IntArray, IntArray]:
    """Return a position of each distinct row, ascending by row, and how often the row occurs."""
    n = columns[0].size
    if n == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    codes, n_codes = _codes(columns)
    if n_codes <= max(DENSE_CODES, n):
        position = np.zeros(n_codes, dtype=np.int64)
        position[codes] = np.arange(n)
        how_often = _how_often(codes, n_codes, multiplicities)
        distinct = np.flatnonzero(how_often)
        return position[distinct], how_often[distinct]
    _, position, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return position, _how_often(inverse, position.size, multiplicities)


def distinct_differences(
    rows1: IntArray, rows2: IntArray, multiplicities: IntArray | None
) -> tuple[IntArray, IntArray]:
    """Return the distinct differences of rows (k, m), up to sign, and how often each occurs.

    Differences of 0 are left out. The others ascend; the first entry that is not 0 is positive.
    """
    # a swap turns the sign: of d and -d, the one with a positive first entry stands for both
    columns = (rows1 - rows2).T
    is_turned = np.zeros(len(rows1), dtype=np.bool_)
    for column in reversed(columns):
        is_turned = (column < 0) | ((column == 0) & is_turned)
    np.negative(columns, out=columns, where=is_turned)
    where, how_often = distinct_rows(list(columns), multiplicities)
    matters = (columns != 0).any(axis=0)[where] & (how_often > 0)
    return columns.T[where[matters]].astype(np.int64, copy=False), how_often[matters]


def _how_often(codes: IntArray, n_codes: int, multiplicities: IntArray | None) -> IntArray:
    if multiplicities is None:
        return np.bincount(codes, minlength=n_codes)
    how_often = np.zeros(n_codes, dtype=np.int64)  # weights of bincount would be floats
    np.add.at(how_often, codes, multiplicities)
    return how_often


def _codes(columns: list[IntArray]) -> tuple[IntArray, int]:
    """Return a number from 0 for each row, ascending with the rows, and a bound above them all."""
    codes, n_codes = np.zeros(columns[0].size, dtype=np.int64), 1
    for column in columns:
        column = column.astype(np.int64, copy=False)
        smallest, largest = int(column.min()), int(column.max())
        # digits of a number in mixed base; if they are too many, their ranks
        if largest - smallest < 2**31:
            digits, n_digits = column - smallest, largest - smallest + 1
        else:
            distinct, digits = np.unique(column, return_inverse=True)
            n_digits = distinct.size
        if n_codes * n_digits > 2**62:
            distinct, codes = np.unique(codes, return_inverse=True)
            n_codes = distinct.size
        codes, n_codes = codes * n_digits + digits, n_codes * n_digits
    return codes, n_codes
