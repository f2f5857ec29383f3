"""A part of a sum of vectors that is independent of the rest: its points and their masses."""

from __future__ import annotations

import math
from functools import reduce
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.grid.law import GridLaw, GridMasses
from pairedperm.convolution.grid.span import Component
from pairedperm.convolution.law import FloatArray, IntArray

WHOLE = 2**12  # tuned: variables up to which a binomial law is taken whole
COUNTED = 1000  # tuned: up to which masses are integer quotients; at most 1022: 2^-n is normal
_LEAK = 2.0**-62  # tuned: mass of a binomial law beyond its window, about
_DYADIC = 52  # proof: variables whose masses, multiples of 2^-n, are floats


class Part(NamedTuple):
    """Points Σ coordinates · basis + origin of a part of the sum, and their masses.

    Coordinates are numbered in C order on a grid of this `shape`. `numbers`, shape (n,), are those
    of the points: ascending and symmetric, so that the points in reversed order are their mirror
    images. The masses of any set of points are within `relative_error`, and together within
    `error`. `lost` is at least the mass of all points that are left out.
    """

    masses: FloatArray
    numbers: IntArray
    shape: tuple[int, ...]
    basis: IntArray
    origin: IntArray
    relative_error: float
    error: float
    lost: float

    def points(self, places: slice | IntArray) -> FloatArray:
        """Return the points at these places, shape (n, m), as floats: integers are below 2^53."""
        coordinates = np.stack(np.unravel_index(self.numbers[places], self.shape), axis=1)
        points = coordinates.astype(np.float64) @ self.basis.astype(np.float64)
        return np.asarray(points + self.origin)


def binomial_lengths(counts: IntArray, whole: bool) -> IntArray:
    """Return how many points `binomial_part` has for each count."""
    return counts + 1 - 2 * _cut(counts, whole)


def _cut(count: IntArray | int, whole: bool) -> IntArray:
    """Return how many points are left out at either end.

    By Hoeffding's bound, the mass of Binomial(count, 1/2) beyond the mean ± s is at most
    2 exp(-2 s² / count).
    """
    reach = np.ceil(np.sqrt(count * math.log(2.0 / _LEAK) / 2.0)) + 1
    cut = np.maximum((count + 1) // 2 - reach, 0)
    return np.where(whole | (count <= WHOLE), 0, cut).astype(np.int64)


def binomial_part(vector: IntArray, count: int, whole: bool) -> Part:
    """Return the part vector · Binomial(count, 1/2).

    If there are many variables, only the points that matter are kept, unless `whole`. The masses
    are quotients of integers, or else normalised products of ratios of neighbours, from the middle
    on. Both are relatively accurate.
    """
    first = int(_cut(count, whole))
    if count <= COUNTED:
        there = range(first, count + 1 - first)
        masses = np.array([math.comb(count, k) / (1 << count) for k in there])
        error = 0.0 if count <= _DYADIC else UNIT
    else:
        middle = count // 2
        k = np.arange(middle, count - first, dtype=np.float64)
        right = np.concatenate(([1.0], np.cumprod((count - k) / (k + 1.0))))
        masses = np.concatenate((right[: count % 2 : -1], right))
        masses /= math.fsum(masses.tolist())
        error = (6.0 * right.size + 8.0) * UNIT
    small = masses.size * float(np.finfo(float).tiny) if count > COUNTED else 0.0
    lost = (_LEAK if first else 0.0) + small
    found = GridMasses(masses, (first,), error, small, small, lost)
    return part_at(found, np.arange(masses.size), vector[None])


def part_at(found: GridMasses, numbers: IntArray, basis: IntArray) -> Part:
    """Return those points of a grid that have these numbers, in this basis, as a part."""
    return Part(
        masses=found.masses.reshape(-1)[numbers],
        numbers=numbers,
        shape=found.masses.shape,
        basis=basis,
        origin=np.array(found.origin) @ basis,
        relative_error=found.relative_error,
        error=found.error,
        lost=found.lost,
    )


def grid_part(component: Component, law: GridLaw, found: GridMasses) -> Part:
    """Return the points of a grid that are certainly sums of the vectors, with their masses.

    A mass above the error of each point is not 0. The mass of all other points is lost.
    """
    part = part_at(found, np.flatnonzero(found.masses > found.point_error), component.basis)
    if found.point_error:
        n_others = found.masses.size - part.numbers.size
        rest = max(1.0 - total_mass(part.masses), 0.0) + found.error + 64.0 * UNIT
        part = part._replace(lost=min(rest, found.lost + 2.0 * n_others * found.point_error))
    if not found.error and int(law.counts.sum()) <= _DYADIC:
        part = part._replace(relative_error=0.0)
    return part


def total_mass(masses: FloatArray) -> float:
    """Return the sum of the masses, in parts, since lists take memory."""
    return math.fsum(map(np.sum, np.array_split(masses, masses.size // 2**16 + 1)))


def merged_parts(parts: list[Part]) -> Part:
    """Return the sum of all parts, adding the smallest first."""
    return reduce(_merged, sorted(parts, key=attrgetter("masses.size")))


def _merged(one: Part, other: Part) -> Part:
    """Return the sum of both parts, whose products of masses may underflow."""
    tiny = float(np.finfo(float).tiny)
    least = float(one.masses.min()) * float(other.masses.min())
    lost = one.masses.size * other.masses.size * tiny if least < tiny else 0.0
    n_other = int(np.prod(other.shape))
    return Part(
        masses=(one.masses[:, None] * other.masses).reshape(-1),
        numbers=(one.numbers[:, None] * n_other + other.numbers).reshape(-1),
        shape=one.shape + other.shape,
        basis=np.concatenate((one.basis, other.basis)),
        origin=one.origin + other.origin,
        relative_error=one.relative_error + other.relative_error + 2.0 * UNIT,
        error=one.error + other.error + lost,
        lost=one.lost + other.lost + lost,
    )
