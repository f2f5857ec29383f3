"""Probability masses of a sum of vectors on a grid of any dimension, without tilt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.budget import Budget, Meter
from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import phi_at
from pairedperm.convolution.grid_frequencies import surviving_grid_frequencies
from pairedperm.convolution.law import FloatArray, IntArray, TiltedVectors, support_of
from pairedperm.convolution.pmf import check_points, denoise, normalised

__all__ = ["GridLaw", "GridMasses", "convolved", "convolving_cost", "grid_pmf", "transformed"]

_CONVOLVED = 2**27  # points times variables up to which those are added one by one
_LEAK = 2.0**-62  # mass beyond a window, about
_DROPPED = 2.0**-64  # |φ| at a frequency that is dropped
_PASS = 16.0  # u: of a term in a pass of the Fourier transform, generously
_MULTIPLIED = 64  # of the points of a transform: what it takes, in nanoseconds

Box = tuple[tuple[int, int], ...]  # first and last, of each coordinate


@dataclass(frozen=True)
class GridLaw(TiltedVectors):
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), vectors of shape (k, r)."""

    vectors: IntArray
    counts: IntArray

    @cached_property
    def y(self) -> FloatArray:  # type: ignore[override]
        """No tilt."""
        return np.zeros(self.counts.size)

    @cached_property
    def support(self) -> Box:
        """The least and the greatest sum in each coordinate."""
        return support_of(self.vectors, self.counts)

    def window(self) -> tuple[Box, float]:
        """A box about the middle of the support, symmetric, and how much mass is beyond at most.

        Hoeffding: the mass beyond the mean ± s in a coordinate x is 2 exp(-2 s² / Σ counts x²).
        """
        log_odds = math.log(2.0 * len(self.support) / _LEAK)
        squares = (self.counts[:, None] * self.vectors.astype(np.float64) ** 2).sum(axis=0)
        sides, n_open = [], 0
        for square, (low, high) in zip(squares.tolist(), self.support, strict=True):
            reach = math.sqrt(square * log_odds / 2.0) * (1.0 + 2.0**-40) + 1.0
            cut = max(math.floor((high - low) / 2.0 - reach), 0)
            n_open += cut > 0
            sides.append((low + cut, high - cut))
        return tuple(sides), n_open * _LEAK / len(self.support)


class GridMasses(NamedTuple):
    """Masses on a grid, from its `origin`: within a relative error, and an absolute one.

    No mass is off by more than `point_error`, and all masses of any set together by no more
    than `error`, apart from `relative_error`. `lost` is more than what is beyond the grid.
    """

    masses: NDArray[np.float64]
    origin: tuple[int, ...]
    relative_error: float
    point_error: float
    error: float
    lost: float


def grid_shape(box: Box) -> tuple[int, ...]:
    """How many points each side has."""
    return tuple(high - low + 1 for low, high in box)


def convolving_cost(law: GridLaw) -> int:
    """How many masses `convolved` adds."""
    sides, cost = np.ones(len(law.support)), 0.0
    for vector, count in zip(np.abs(law.vectors), law.counts.tolist(), strict=True):
        with np.errstate(over="ignore"):
            last = sides + count * vector
            cost += count * math.prod(((sides + last) / 2.0).tolist())
        sides = last
    return int(min(cost, 2.0**62))


def convolved(law: GridLaw) -> GridMasses:
    """On the whole support, one variable after the other: a mass is half of each of two.

    All terms are positive, so that every mass is relatively accurate, and 0 where no sum is.
    Cost: O(n points) for n variables; the grid grows with them.
    """
    pmf: FloatArray = np.ones((1,) * len(law.support))
    for vector, count in zip(law.vectors.tolist(), law.counts.tolist(), strict=True):
        for _ in range(count):
            shape = tuple(n + abs(x) for n, x in zip(pmf.shape, vector, strict=True))
            grown = np.zeros(shape)
            grown[tuple(slice(max(-x, 0), max(-x, 0) + n) for n, x in _sides(pmf, vector))] = pmf
            grown[tuple(slice(max(x, 0), max(x, 0) + n) for n, x in _sides(pmf, vector))] += pmf
            pmf = np.multiply(grown, 0.5, out=grown)
    n = int(law.counts.sum())
    origin = tuple(low for low, _ in law.support)
    lost = pmf.size * np.finfo(float).tiny if n > -np.finfo(float).minexp else 0.0  # underflow
    return GridMasses(pmf, origin, (n + 1) * UNIT, 0.0, float(lost), float(lost))


def _sides(pmf: FloatArray, vector: list[int]) -> list[tuple[int, int]]:
    return list(zip(pmf.shape, vector, strict=True))


def transformed(law: GridLaw, box: Box, leak: float, budget: Budget) -> GridMasses:
    """In a box that all but `leak` of the mass is in, by a Fourier transform.

    With periods M that hold the box, φ at the frequencies f is transformed back; what is
    beyond the box is folded into it. An output of the transform is a sum of the |φ|, each of
    which goes through its passes, so that no mass is off by more than
    (error of φ + passes) u Σ |φ| / Π M; by Parseval's identity the errors' squares add up to
    those of the |φ| over Π M.
    """
    from scipy import fft

    shape = grid_shape(box)
    lengths = tuple(fft.next_fast_len(n, real=True) for n in shape)
    meter = Meter(budget)
    n_points = math.prod(lengths)
    meter.spend(_MULTIPLIED * n_points)
    frequencies = surviving_grid_frequencies(law, lengths, math.log(_DROPPED), meter)
    first = tuple(low for low, _ in box)
    phi, phi_error = phi_at(law, frequencies, first, lengths)
    spectrum = np.zeros((*lengths[:0:-1], lengths[0] // 2 + 1), dtype=np.complex128)
    spectrum[tuple(frequencies[:, k] for k in range(len(lengths)))[::-1]] = phi.conj()
    pmf = fft.irfftn(spectrum, s=lengths[::-1]).T[tuple(slice(n) for n in shape)]
    pmf = (pmf + pmf[(slice(None, None, -1),) * pmf.ndim]) / 2.0
    size = np.abs(phi) * np.where(2 * frequencies[:, 0] % lengths[0] == 0, 1.0, 2.0)
    passes = _PASS * (math.log2(n_points) + 4.0 * len(lengths)) + 4.0
    errors = np.where(size > 0.0, phi_error + passes, 0.0) * UNIT
    point_error = float((size * errors).sum()) / n_points + _DROPPED
    squares = float((size * np.abs(phi) * errors**2).sum())
    error = math.sqrt(pmf.size) * (math.sqrt(squares / n_points) + _DROPPED) + leak
    return GridMasses(pmf, first, 2.0 * UNIT, point_error + leak, error, leak)


def grid_pmf(law: GridLaw, budget: Budget) -> tuple[IntArray, FloatArray]:
    """The attainable points b of B, shape (n, r), and P(B = b).

    By adding one variable after the other, relatively accurate, where that is quick; otherwise
    by a Fourier transform over the whole support, within 1e-15 absolutely. The masses sum to 1.

    Raises
    ------
    BudgetError
        If the arrays, 64 bytes for each point of the box around the support, would not fit.
    """
    shape = grid_shape(law.support)
    n_points = math.prod(shape)
    check_points(n_points, budget)
    is_attainable = _attainable(law, shape)
    if n_points * int(law.counts.sum()) <= _CONVOLVED:
        pmf = convolved(law).masses
    else:
        pmf = np.where(is_attainable, transformed(law, law.support, 0.0, budget).masses, 0.0)
        denoise(pmf)
    points = np.argwhere(is_attainable) + np.array([low for low, _ in law.support])
    return points, normalised(pmf[is_attainable])


def _attainable(law: GridLaw, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which points are sums of the vectors."""
    reached = np.zeros(shape, dtype=np.bool_)
    reached[tuple(-low for low, _ in law.support)] = True
    for vector, count in zip(law.vectors.tolist(), law.counts.tolist(), strict=True):
        step = 1
        while count:
            step = min(step, count)
            to, origin = _moved(vector, step, shape)
            reached[to] |= reached[origin].copy()
            count -= step
            step *= 2
    return reached


def _moved(
    vector: list[int], times: int, shape: tuple[int, ...]
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Slices of a grid: where its points come to, and where they come from."""
    steps = [times * x for x in vector]
    to = tuple(slice(max(s, 0), length + min(s, 0)) for s, length in zip(steps, shape, strict=True))
    origin = tuple(
        slice(max(-s, 0), length + min(-s, 0)) for s, length in zip(steps, shape, strict=True)
    )
    return to, origin
