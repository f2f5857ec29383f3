"""A sum of independent vectors in the plane, its best tilts, and regions that it may fall into."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import (
    FloatArray,
    GridLaw,
    IntArray,
    TiltedVectors,
    expit,
    log_scale,
)

_TILT_BITS, _SUM_BITS = 50, 60  # proof: bits of tilt · vector, and of tilt · sum of vectors
_ENOUGH_NATS = 1e-4  # tuned: nats that a bound may be above the least one
STEPS = 80  # tuned: most steps of the search for the best tilt
_LONGEST = 1e6  # tuned: largest change of tilt · vector in a step
_BOUND_SLACK = 2.0**-40  # proof: relative rounding of a bound, generously


Point = tuple[float, float]


class Tilt(NamedTuple):
    """The tilt (i, j) / 2^exponent: integers, so that nothing is lost to rounding."""

    i: int
    j: int
    exponent: int

    def along(self, vectors: IntArray) -> IntArray:
        """Return 2^exponent tilt · vector, exactly."""
        return np.asarray(vectors[:, 0] * self.i + vectors[:, 1] * self.j)

    def as_float(self, product: IntArray) -> FloatArray:
        """Return tilt · vector, from what `along` returns."""
        return np.ldexp(product.astype(np.float64), -self.exponent)


NO_TILT = Tilt(0, 0, 0)


@dataclass(frozen=True)
class PlanarLaw(GridLaw):
    """The law of a sum on a grid of two dimensions, and its tilts."""

    @cached_property
    def floats(self) -> FloatArray:
        """The vectors as floats."""
        return self.vectors.astype(np.float64)

    @cached_property
    def _tilts(self) -> dict[tuple[Point, Point], Tilt]:
        """The tilts that have been found, by their two points."""
        return {}

    def log_bound(self, tilt: Tilt, *points: Point) -> float:
        """Return κ(tilt) + max tilt · point, a bound on the log mass of a set.

        No point b of the set has a larger tilt · b than the largest of these points.
        """
        i, j = math.ldexp(tilt.i, -tilt.exponent), math.ldexp(tilt.j, -tilt.exponent)
        y = tilt.as_float(tilt.along(self.vectors))
        scale, largest = log_scale(y, self.counts), max(i * p[0] + j * p[1] for p in points)
        size = max(abs(i * p[0]) + abs(j * p[1]) for p in points)
        return scale + largest + _BOUND_SLACK * (abs(scale) + size + 1.0)

    def tilt_to(self, first: Point, second: Point) -> Tilt:
        """Return the tilt with nearly the least κ(tilt) + max tilt · point, over two points.

        Only tilts towards smaller i count; the second point has no smaller j. If the points tie at
        the minimum, the tilt is along the normal of the line between them. Otherwise it is that of
        one of them.
        """
        if (first, second) not in self._tilts:
            self._tilts[first, second] = self._tilt_to(first, second)
        return self._tilts[first, second]

    def _tilt_to(self, first: Point, second: Point) -> Tilt:
        # if both points tie, the best tilt is along the normal of their line
        normal = (second[1] - first[1], first[0] - second[0])
        candidates = [NO_TILT]
        if normal[0] > 0:
            tilt, is_least = self._least(np.array([normal]).T, first)
            mean_j = self._moments(tilt)[0][1]
            if is_least and first[1] <= mean_j <= second[1]:
                return self._rounded(tilt)
            candidates.append(self._rounded(tilt))
        # A minimum at infinity is not always met: take the best tilt that has been found.
        for point in (first, second):
            tilt, _ = self._least(np.eye(2), point)
            if tilt[0] < 0.0:
                tilt, _ = self._least(np.array([[0.0], [1.0]]), point)
            candidates.append(self._rounded(tilt))
        return min(candidates, key=lambda tilt: self.log_bound(tilt, first, second))

    def _rounded(self, tilt: FloatArray) -> Tilt:
        size = float(np.abs(tilt).max())
        if size == 0.0:
            return NO_TILT
        reach = max(high - low for low, high in self.support)
        largest = int(np.abs(self.vectors).max())
        # as many bits as leave tilt · vector exact in a float, and tilt · sum an int64
        bits = min(_TILT_BITS - largest.bit_length(), _SUM_BITS - reach.bit_length())
        exponent = bits - math.frexp(size)[1]
        i, j = (round(math.ldexp(x, exponent)) for x in tilt.tolist())
        return Tilt(i, j, exponent)

    def _least(self, directions: FloatArray, point: Point) -> tuple[FloatArray, bool]:
        """Return the tilt in the span with the least κ(tilt) + tilt · point, and if it was reached.

        Newton's method is used; steps that go too far are halved. A single direction is taken
        forwards only. If the point is at the edge of the support or outside, the minimum is at
        infinity. Then the search stops on the way, where the bound is below every mass.
        """
        scale = directions / np.sqrt((directions**2).sum(axis=0) + 1e-300)
        target = np.array(point)
        tilt, value = np.zeros(2), 0.0
        lowest = -float(self.counts.sum()) - 200.0
        for _ in range(STEPS):
            # Newton: the gradient is target - mean, the curvature the covariance
            mean, covariance = self._moments(tilt)
            gradient = scale.T @ (target - mean)
            curvature = scale.T @ covariance @ scale
            curvature.flat[:: len(curvature) + 1] *= 1.0 + 1e-12
            with np.errstate(over="ignore", invalid="ignore"):  # where hardly any variance is left
                try:
                    step = -np.linalg.solve(curvature, gradient)
                except np.linalg.LinAlgError:
                    break
                decrement = -float(gradient @ step)
            if 0.0 <= decrement <= _ENOUGH_NATS:
                return tilt, True
            if not 0.0 < decrement < math.inf or value < lowest:
                break
            if scale.shape[1] == 1 and scale[0, 0] > 0.0 and tilt[0] == 0.0 and step[0] <= 0.0:
                return tilt, True  # not towards greater i
            # a step that is too long is halved until the bound falls enough
            size = min(1.0, _LONGEST / float(np.abs(self.floats @ (scale @ step)).max()))
            while size > 1e-6:
                new = tilt + size * (scale @ step)
                new_value = log_scale(self.floats @ new, self.counts) + float(new @ target)
                if new_value <= value - 0.2 * size * decrement:
                    break
                size /= 2.0  # pragma: no cover: steps from 0 are hardly ever too long
            else:
                break
            tilt, value = new, new_value
        return tilt, False

    def _moments(self, tilt: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return mean and covariance of B under a tilt."""
        chance = expit(-(self.floats @ tilt))
        mean = (self.counts * chance) @ self.floats
        covariance = (self.floats.T * (self.counts * chance * (1.0 - chance))) @ self.floats
        return mean, covariance

    def tilted(self, tilt: Tilt) -> TiltedPlanarLaw:
        """Return the law under the tilt, its vectors turned so that each is tilted towards 0."""
        product = tilt.along(self.vectors)
        is_turned = product < 0
        shift = (self.counts[is_turned, None] * self.vectors[is_turned]).sum(axis=0)
        sign = np.where(is_turned, -1, 1)
        order = np.argsort(product * sign, kind="stable")
        return TiltedPlanarLaw(
            vectors=(self.vectors * sign[:, None])[order],
            counts=self.counts[order],
            product=(product * sign)[order],
            tilt=tilt,
            shift=(int(shift[0]), int(shift[1])),
        )


@dataclass(frozen=True)
class TiltedPlanarLaw(TiltedVectors):
    """The law Q ∝ e^{-tilt · B} of B - shift, a sum of vectors that are all tilted towards 0.

    `product` is 2^exponent tilt · vector, not negative and ascending.
    """

    vectors: IntArray
    counts: IntArray
    product: IntArray
    tilt: Tilt
    shift: tuple[int, int]

    @cached_property
    def y(self) -> FloatArray:  # type: ignore[override]
        """The exponents tilt · vector, exactly."""
        return self.tilt.as_float(self.product)

    @cached_property
    def mean(self) -> FloatArray:
        """The mean of B - shift, shape (2,)."""
        return np.asarray((self.counts * self.chance) @ self.vectors.astype(np.float64))

    @cached_property
    def variance(self) -> FloatArray:
        """The variances of the two coordinates, shape (2,)."""
        weights = self.counts * self.chance * (1.0 - self.chance)
        return np.asarray(weights @ self.vectors.astype(np.float64) ** 2)


BLOCK_ROWS = 2**16  # tuned: rows that are bisected together
APART, REACH = 2**5, 2  # tuned: rows between two known ones, and how far to search near them
_AT_ONCE = 2**8  # tuned: points that hardly take longer together than one


class ThresholdRegion:
    """The region of the points (i, j) that hold: in each row, all up to some i.

    Parameters
    ----------
    law : PlanarLaw
        The law whose support matters.
    holds : callable
        Takes points, shape (n, 2); true up to some i in each row, false beyond.
    """

    def __init__(self, law: PlanarLaw, holds: Callable[[IntArray], NDArray[np.bool_]]) -> None:
        (self._left, self._right), (self._bottom, self._top) = law.support
        self._holds = holds

    def convex_parts(self) -> list[tuple[int, int]]:
        """Return one part: all rows."""
        return [(self._bottom, self._top)]

    def bounds(self, rows: IntArray) -> IntArray:
        """Return the greatest i in each row, or the support's least i less 1 if there is none."""
        return self._bounds[rows - self._bottom]

    def corners(self, first: int, last: int) -> tuple[Point, Point] | None:
        """Return two points of a line that bounds the region in these rows; None if it is empty.

        The line goes through the ends of the first and the last row that have points. It is moved
        outwards as far as the rows between need it.
        """
        rows = np.arange(first, last + 1)
        return self._corners(rows, self.bounds(rows))

    def sketch(self) -> list[tuple[Point, Point]]:
        """Return the corners of the whole region, estimated from some rows."""
        points = self._corners(*self._some)
        return [] if points is None else [points]

    def _corners(self, rows: IntArray, bounds: IntArray) -> tuple[Point, Point] | None:
        is_there = bounds >= self._left
        rows, bounds = rows[is_there], bounds[is_there]
        if not rows.size:
            return None
        slope = (float(bounds[-1]) - float(bounds[0])) / max(int(rows[-1] - rows[0]), 1)
        line = float(bounds[0]) + slope * (rows - rows[0])
        beyond = float((bounds - line).max()) + 1e-6
        return (line[0] + beyond, float(rows[0])), (line[-1] + beyond, float(rows[-1]))

    def holds(self, points: IntArray) -> NDArray[np.bool_]:
        """Tell which points of the support hold."""
        return self._holds(points)

    @cached_property
    def _some(self) -> tuple[IntArray, IntArray]:
        """Some rows with their bounds, by bisection."""
        rows = np.arange(self._bottom, self._top + 1)
        known = np.union1d(rows[::APART], rows[-1:])
        whole = np.full(known.size, self._left - 1), np.full(known.size, self._right + 1)
        return known, self._bisected(known, *whole)

    @cached_property
    def _bounds(self) -> IntArray:
        """The bounds of all rows: some are bisected, the others are searched from there."""
        rows, (known, ends) = np.arange(self._bottom, self._top + 1), self._some
        ends_of_blocks = []
        for start in range(0, rows.size, BLOCK_ROWS):
            some = rows[start : start + BLOCK_ROWS]
            near = np.interp(some, known, ends).astype(np.int64)
            low = np.clip(near - REACH, self._left - 1, self._right)
            ends_of_blocks.append(self._bisected(some, low, near + REACH))
        return np.concatenate(ends_of_blocks)

    def _bisected(self, rows: IntArray, low: IntArray, high: IntArray) -> IntArray:
        """Return the bounds of rows by bisection between `low` and `high`.

        If an end does not enclose the bound, the end of the support takes its place. Few rows are
        divided into more parts than two: what they take is the calls of `holds`.
        """
        high = np.clip(high, low + 1, self._right + 1)
        low = np.where((low < self._left) | self._at(rows, low), low, self._left - 1)
        high = np.where((high > self._right) | ~self._at(rows, high), high, self._right + 1)
        while (is_open := np.flatnonzero(high - low > 1)).size:
            n = max(_AT_ONCE // is_open.size, 1)
            first, last, k = low[is_open, None], high[is_open, None], np.arange(1, n + 1)
            # n points, evenly between both ends; no product exceeds int64
            share, rest = (last - first) // (n + 1), (last - first) % (n + 1)
            points = np.clip(first + share * k + rest * k // (n + 1), first + 1, last - 1)
            holds = self._at(np.repeat(rows[is_open], n), points.ravel()).reshape(-1, n)
            ends, place = np.concatenate((first, points, last), axis=1), np.arange(is_open.size)
            n_first = np.where(holds.all(axis=1), n, holds.argmin(axis=1))
            low[is_open], high[is_open] = ends[place, n_first], ends[place, n_first + 1]
        return low

    def _at(self, rows: IntArray, i: IntArray) -> NDArray[np.bool_]:
        """Tell whether the points (i, row) hold, with i outside the support moved to its edge."""
        i = np.clip(i, self._left, self._right)
        return self._holds(np.stack((i, rows), axis=1))
