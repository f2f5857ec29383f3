"""The lattice that vectors in the plane span, the tail of their sum, and its engines."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability, Sides
from pairedperm.convolution.engine import Answer, Best, Choice, Cost, Engine, advance
from pairedperm.convolution.integers import (
    BLOCK_LISTED,
    COUNTED_IN_INT64,
    SUM_BYTES,
    TOO_MANY,
    listed_sums,
    n_sums,
)
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.bands import tail_by_bands, tilted_cost
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.polynomials import polynomial, sum_of_digits
from pairedperm.options import Budget

SUM = 40.0  # tuned: ns of a sum that is listed
_LARGEST_PRODUCT = 2**62  # proof: of a product, so that a vector's entry less the product is int64


@dataclass(frozen=True, slots=True)
class Lattice:
    """All integer combinations of (step, 0) and (shear, rise).

    `step` and `rise` are not negative. One of them is 0 if the lattice is a line, both if it is a
    point.
    """

    step: int
    shear: int
    rise: int

    @property
    def rank(self) -> int:
        """The dimension of the lattice."""
        return (self.step > 0) + (self.rise > 0)

    @property
    def direction(self) -> tuple[int, int]:
        """The vector that spans a lattice of rank 1."""
        return (self.shear, self.rise) if self.rise else (self.step, 0)

    def multiples(self, vectors: IntArray) -> IntArray:
        """Return which multiple of the direction each vector is, on a lattice of rank 1."""
        return vectors[:, 1] // self.rise if self.rise else vectors[:, 0] // self.step

    def coordinates(self, vectors: IntArray) -> IntArray:
        """Return (i, j) of each vector i (step, 0) + j (shear, rise), on a lattice of rank 2."""
        x, j = self._wide_enough(vectors[:, 0], vectors[:, 1] // self.rise)
        return np.stack(((x - self.shear * j) // self.step, j), axis=1).astype(np.int64)

    def points(self, coordinates: IntArray) -> IntArray:
        """Return the vectors that have these coordinates (i, j), if they are int64."""
        i, j = self._wide_enough(*coordinates.T)
        return np.stack((i * self.step + j * self.shear, j * self.rise), axis=1).astype(np.int64)

    def _wide_enough(self, first: IntArray, j: IntArray) -> tuple[IntArray, IntArray]:
        """Return both columns, in Python integers if shear · j may exceed int64."""
        if abs(self.shear) * int(np.abs(j).max(initial=0)) < _LARGEST_PRODUCT:
            return first, j
        return first.astype(object), j.astype(object)


def spanned(vectors: IntArray, counts: IntArray) -> Lattice:
    """Return the lattice that integer vectors, shape (k, 2), span (Hermite normal form).

    It is found by Euclid's algorithm. Among all suitable (shear, rise), the choice makes the
    vectors' coordinates, weighted by counts, least correlated. So a sum of them needs the smallest
    grid.
    """
    step, shear, rise = 0, 0, 0
    for x, y in vectors.tolist():
        while y:
            quotient = rise // y
            shear, rise, x, y = x, y, shear - quotient * x, rise - quotient * y
        step = math.gcd(step, x)
        if step:
            shear %= step
    if rise < 0:
        shear, rise = -shear, -rise
    if step and rise:
        i, j = Lattice(step, shear, rise).coordinates(vectors).astype(np.float64).T
        squares = float((counts * j * j).sum())
        shear += step * round(float((counts * i * j).sum()) / squares)
    return Lattice(step, shear, rise)


def _width(law: PlanarLaw) -> int:
    """Return the bytes of a coefficient: 2^n and any sum of coefficients fit."""
    return int(law.counts.sum()) // 8 + 1


def count_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """Count those of the 2^n assignments whose sum is in the region.

    One integer holds the generating function, row after row (`GridLaw.steps`). Cost: O(n) shifts of
    all bits of this integer.
    """
    (left, right), (bottom, top) = law.support
    width, n_points = _width(law), math.prod(law.shape)
    row_bytes, bounds = law.shape[0] * width, region.bounds(np.arange(bottom, top + 1)).tolist()
    steps, first = law.steps("F")
    counted = polynomial(steps, law.counts.tolist(), 8 * width, n_points - first)
    coefficients = memoryview(counted.to_bytes((n_points - first) * width, "little"))
    n_tail = 0
    for row, bound in enumerate(bounds):
        start = row * row_bytes - first * width
        end = start + (min(bound, right) - left + 1) * width
        if end > max(start, 0):
            digits = int.from_bytes(coefficients[max(start, 0) : end], "little")
            n_tail += sum_of_digits(digits, 8 * width)
    return n_tail


def enumerate_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """Count the assignments of up to 62 variables whose sum is in the region, by listing all sums.

    Cost: O(`n_sums`) time, however large the vectors are.
    """
    (_, _), (bottom, top) = law.support
    holds = region.holds
    if top - bottom < n_sums(law.counts):  # fewer rows than sums
        ends = region.bounds(np.arange(bottom, top + 1))

        def holds(points: IntArray) -> NDArray[np.bool_]:
            return np.asarray(points[:, 0] <= ends[points[:, 1] - bottom])

    n_tail = 0
    for sums, ways in listed_sums(law.vectors, law.counts):
        n_tail += int(ways[holds(sums)].sum())
        advance(SUM * len(sums))
    return n_tail


COUNTED = 2**27  # tuned: bits shifted that take no longer than the tilted sum
ENUMERATED = 2**17  # tuned: listed sums that take no longer than the tilted sum
MANY_BITS, MANY_SUMS = 2**35, 2**26  # tuned: bits shifted, and sums, that take some seconds
QUICK_NS = 2e7  # tuned: ns of a tilted sum that is not compared with counting
_SHIFT_NS = 0.025  # tuned: ns of a bit that is shifted


class PlaneTail(NamedTuple):
    """The probability that follows from P(B ∈ region), at most one half, by its `sides`.

    The vectors of the law span all integer points of the plane. If one minus the probability is
    wanted, absolute accuracy suffices; otherwise the region must not be empty. `row_nanoseconds` is
    the time to find a row of the region.
    """

    law: PlanarLaw
    region: PlanarRegion
    is_absolute: bool
    sides: Sides = "one"
    row_nanoseconds: float = 0.0


class _Counted(Engine[PlaneTail, Budget]):
    """All assignments, counted: as quickly as the tilted sum, or if `is_slow`, in seconds."""

    def __init__(self, *, is_slow: bool) -> None:
        self._is_slow = is_slow

    @abstractmethod
    def size(self, law: PlanarLaw) -> tuple[bool, int, float]:
        """Return whether that is not too much, the bytes, and the nanoseconds."""

    @abstractmethod
    def n_tail(self, law: PlanarLaw, region: PlanarRegion) -> int:
        """Count the assignments in the region."""

    def cost(self, problem: PlaneTail, limits: Budget) -> Cost | None:
        (is_few, n_bytes, nanoseconds), box = self.size(problem.law), problem.law.shape
        if not is_few or n_bytes > limits.max_bytes:
            return None
        how, seconds, is_fast = "all swaps are counted", 1e-9 * nanoseconds, not self._is_slow
        return Cost(2, how, box, box[0] * box[1], n_bytes, seconds, settles=is_fast)

    def run(self, problem: PlaneTail, limits: Budget, cost: Cost) -> Answer:
        n_tail, power = self.n_tail(*problem[:2]), 1 << int(problem.law.counts.sum())
        return Answer(CertifiedProbability.from_ratio(n_tail, power).on_sides(problem.sides))


class _Listing(_Counted):
    """The sums are listed."""

    name = "listing"

    def size(self, law: PlanarLaw) -> tuple[bool, int, float]:
        n = n_sums(law.counts) if law.counts.sum() <= COUNTED_IN_INT64 else TOO_MANY
        is_few = n <= (MANY_SUMS if self._is_slow else ENUMERATED)
        return is_few, SUM_BYTES * min(n, BLOCK_LISTED), SUM * n

    def n_tail(self, law: PlanarLaw, region: PlanarRegion) -> int:
        return enumerate_planar_tail(law, region)


class _CountingPlane(_Counted):
    """The assignments are counted in one big integer."""

    name = "counting"

    def size(self, law: PlanarLaw) -> tuple[bool, int, float]:
        n_bits = 8 * _width(law) * math.prod(law.shape)
        most = MANY_BITS if self._is_slow else COUNTED
        n_shifted = int(law.counts.sum()) * n_bits
        return n_shifted <= most, n_bits // 2, _SHIFT_NS * n_shifted

    def n_tail(self, law: PlanarLaw, region: PlanarRegion) -> int:
        return count_planar_tail(law, region)


class _TiltedPlane(Engine[PlaneTail, Budget]):
    """The tilted sums of bands of rows."""

    name = "tilted"

    def cost(self, problem: PlaneTail, limits: Budget) -> Cost:
        return tilted_cost(*problem[:3], limits)

    def run(self, problem: PlaneTail, limits: Budget, cost: Cost) -> Answer:
        return Answer(tail_by_bands(*problem[:3], limits).on_sides(problem.sides))


_TILTED = _TiltedPlane()


class OnPlane(Best[PlaneTail, Budget]):
    """The engine of a tail in the plane, relatively accurate.

    Counting in one big integer, or listing all sums, is chosen if that is quick. Otherwise the
    tilted sum is. If the tilted sum exceeds the budget or takes longer, counting and listing come
    again. They are chosen if they fit and take no more than some seconds.
    """

    name = "plane"
    ways = (
        *(_Listing(is_slow=False), _CountingPlane(is_slow=False)),
        _TILTED,
        *(_Listing(is_slow=True), _CountingPlane(is_slow=True)),
    )

    def is_quick(self, choice: Choice) -> bool:
        return choice.cost.seconds <= 1e-9 * QUICK_NS

    def cost(self, problem: PlaneTail, limits: Budget) -> Cost:
        cost = super().cost(problem, limits)
        n_rows = problem.law.shape[1] if cost.work.engine is _TILTED else 0
        return cost._replace(seconds=cost.seconds + 1e-9 * problem.row_nanoseconds * n_rows)


PLANE = OnPlane()
