"""The law of a sum of vectors on a grid of any dimension, and its masses with their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import attainable_sums
from pairedperm.convolution.law import FloatArray, IntArray, TiltedVectors

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

    @property
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

    def steps(self) -> tuple[list[int], int]:
        """Return how far each vector moves on the support's grid, and the place of the least sum.

        By Kronecker's substitution, a sum is one number: its place in C order. Vectors that move
        backwards are turned. The least sum is the sum of all these.
        """
        strides = np.array([math.prod(self.shape[k + 1 :]) for k in range(len(self.shape))])
        steps = self.vectors @ strides
        least = int((self.counts * np.minimum(steps, 0)).sum())
        return np.abs(steps).tolist(), least - int(np.array(self.corner) @ strides)

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


def attainable(law: GridLaw) -> NDArray[np.bool_]:
    """Tell which points of the grid of the support are sums of the vectors."""
    steps, first = law.steps()
    sums = attainable_sums(steps, law.counts.tolist())
    reached = np.zeros(math.prod(law.shape), dtype=np.bool_)
    reached[first : first + sums.size] = sums
    return reached.reshape(law.shape)
