"""The problem of a ratio of two sums, on a line or in the plane."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability, sides_of
from pairedperm.convolution.engine import KNOWN, Candidates
from pairedperm.convolution.grid.frequencies import grid_pmf
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray, distinct_differences
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import PLANE, Lattice, PlaneTail, spanned
from pairedperm.errors import InputError
from pairedperm.nulls.problem import Problem
from pairedperm.options import Budget
from pairedperm.results.result import NullDistribution, frozen
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Quotient

_FAR = 2**61  # proof: a bound beyond every support
_ROUNDING = 2.0**-47  # proof: error of the floats in `_real` relative to their terms, generously
_NEAR = 1e-6  # proof: floats so near to an integer are computed again


class RatioDifference(NamedTuple):
    """The difference D of two systems' ratios, a function of S = Σ ±(x_n, y_n), signs random.

    (x_n, y_n) are the differences of numerators and of denominators. U is the sum of all
    numerators of both systems, V of all denominators; no swap changes them. With S = (X, Y) the
    scores are (U + X) / (V + Y) and (U - X) / (V - Y).
    """

    u: int  # the numerators of both systems
    v: int  # the denominators
    score: Quotient
    total: tuple[int, int]  # the largest S: Σ (x_n, y_n), each with the sign that is listed

    def exactly(self, x: int, y: int) -> Fraction:
        """Return D for S = (x, y); D is an odd function of S."""
        u, v = self.u, self.v
        if abs(y) < v:
            return Fraction(2 * (x * v - u * y), v * v - y * y)
        # the halves stay integers in a ratio
        return self.score.exact([u + x, v + y]) - self.score.exact([u - x, v - y])

    def at_least(self, sums: NDArray[Any], threshold: Fraction) -> NDArray[np.bool_]:
        """Tell where D ≥ threshold, for sums S of shape (n, 2): in floats, near ties exactly."""
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
        """Return D for sums of shape (n, 2), correctly rounded: equal values are equal floats."""
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
        """Return D and a bound on its error; NaN where a denominator vanishes."""
        x, y = sums.astype(np.float64).T
        u, v = float(self.u), float(self.v)
        below, above = ((self.v - side).astype(np.float64) for side in (sums[:, 1], -sums[:, 1]))
        scale = np.where((below > 0.0) & (above > 0.0), below * above, np.nan)
        size = np.abs(x) * v + np.abs(y) * abs(u)
        return 2.0 * (x * v - u * y) / scale, 1e-14 * size / scale


class RatioRegion:
    """The points B where D ≥ `threshold`, or with `strict` D > `threshold`.

    If |Y| < V, S = (X, Y) = W - 2B gives D = 2 (XV - UY) / (V² - Y²), which increases with X. So
    in each row, with its Y, D ≥ a from a least X on:

        X ≥ (a (V² - Y²) / 2 + UY) / V.

    This bound is a concave function of Y. If |Y| = V, a denominator vanishes; only the first and
    the last row can be such, and they are treated apart. With B = i (step, 0) + j (shear, rise),
    the bound of i is a convex function of j.
    """

    def __init__(
        self, difference: RatioDifference, lattice: Lattice, threshold: Fraction, strict: bool
    ) -> None:
        self._u, self._v, self._score, self._total = difference
        self._lattice, self._threshold, self._strict = lattice, threshold, strict
        self._last = self._total[1] // lattice.rise  # the last row; the first is 0
        self._has_vanishing = self._total[1] == self._v  # in the first and the last row
        # bounds the error of `_real` in any row: `_ROUNDING` times all terms at their largest
        terms = abs(self._total[0]) + float(threshold) * self._v
        terms += abs(self._u / self._v) * self._total[1]
        terms += abs(lattice.shear) * float(self._last)
        self._error = _ROUNDING * terms / lattice.step

    def convex_parts(self) -> list[tuple[int, int]]:
        """List the first and last row of each part in which `ceiling` is convex."""
        last = self._last
        if not self._has_vanishing:
            return [(0, last)]
        return [(0, 0), *([(1, last - 1)] if last > 1 else []), (last, last)]

    def corners(self, first: int, last: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the ends of the first and the last row; the bounds between them are convex."""
        return (self.ceiling(first), first), (self.ceiling(last), last)

    def sketch(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """Return the corners of all parts."""
        return [self.corners(*rows) for rows in self.convex_parts()]

    def holds(self, points: IntArray) -> NDArray[np.bool_]:
        """Tell which points (i, j), shape (n, 2), belong to the region."""
        return np.asarray(points[:, 0] <= self.bounds(points[:, 1]))

    def ceiling(self, row: int) -> float:
        """Return the real bound of a row, or a little more."""
        is_apart = self._has_vanishing and row in (0, self._last)
        bound = self._exact(row) if is_apart else self._real(np.array([row]))[0]
        return float(bound) + self._error + 1e-9

    def bounds(self, rows: IntArray) -> IntArray:
        """Return the greatest i in each of these rows.

        Floats come first; integers decide where rounding might matter, as for ties.
        """
        real = self._real(rows)
        bounds = np.floor(np.clip(real, -float(_FAR), float(_FAR))).astype(np.int64)
        again = np.abs(real - np.rint(real)) <= _NEAR + self._error
        again |= (rows == 0) | (rows == self._last)  # where a denominator may vanish
        for place in np.flatnonzero(again).tolist():
            bounds[place] = min(max(self._exact(int(rows[place])), -_FAR), _FAR)
        return bounds

    def _real(self, rows: IntArray) -> FloatArray:
        """Return the real bounds, in floats, of rows where no denominator vanishes."""
        x, total = map(float, self._total)  # an old numpy makes objects of integers beyond int64
        y = total - 2.0 * self._lattice.rise * rows
        v, sheared = float(self._v), float(self._lattice.shear) * rows.astype(np.float64)
        curved = float(self._threshold) * (v - y) * (v + y) / (2.0 * v)
        straight = (self._u / self._v) * y
        return np.asarray(((x - curved - straight) / 2.0 - sheared) / float(self._lattice.step))

    def _exact(self, row: int) -> int:
        """Return the bound of one row, in integers."""
        total, u, v = self._total, self._u, self._v
        y = total[1] - 2 * self._lattice.rise * row
        a, z = self._threshold, self._score.without
        if abs(y) == v:
            # D is z - (U - X) / 2V where system 1 has no denominator, (U + X) / 2V - z otherwise
            least = u - 2 * v * (z - a) if y < 0 else 2 * v * (a + z) - u
        else:
            least = (a * (v * v - y * y) / 2 + u * y) / v
        least_x = least.numerator // least.denominator + 1 if self._strict else -(-least // 1)
        return ((total[0] - least_x) // 2 - self._lattice.shear * row) // self._lattice.step


_MOST_TOTAL = 2**61  # proof: a sum must be less


class Ratios(Problem):
    """The difference D of two systems' Σ numerators / Σ denominators.

    A row is (numerator, denominator). D changes its sign if everything is swapped, so its law is
    symmetric. If d ≤ 0, P(D ≥ d) = 1 - P(D > -d), which loses no digits: sides "but one".
    """

    def __init__(self, rows: Rows, score: Quotient, alternative: str) -> None:
        _check_int64(rows)
        self.n, ((n1, d1), (n2, d2)) = rows.n, rows.sums
        of_denominators_first = rows.rows1[:, ::-1], rows.rows2[:, ::-1]
        yx, self.multiplicities = distinct_differences(*of_denominators_first, rows.multiplicities)
        self.vectors = np.ascontiguousarray(yx[:, ::-1])
        x, y = self.vectors.T
        total = exact_dot(self.multiplicities, x), exact_dot(self.multiplicities, y)
        self._difference = RatioDifference(n1 + n2, d1 + d2, score, total)
        exact1, exact2 = score.exact([n1, d1]), score.exact([n2, d2])
        self._observed, self._alternative = exact1 - exact2, alternative
        sign = (self._observed > 0) - (self._observed < 0)
        self._sides = sides_of(sign, alternative)
        self.score1, self.score2 = float(exact1), float(exact2)
        self.statistic = float(self._observed)
        self.n_differing = int(self.multiplicities.sum())
        self.is_known = (
            d1 + d2 == 0  # no swap changes anything
            or not self.n_differing
            or (alternative == "two-sided" and self._observed == 0)
        )

    @cached_property
    def _lattice(self) -> Lattice:
        """The lattice that the differences span; sampled swaps do not need it."""
        return spanned(self.vectors, self.multiplicities)

    @property
    def rank(self) -> int:
        return self._lattice.rank

    def tails(self) -> Candidates:
        """It is one on the lattice that the differences span."""
        if self._lattice.rank < 2:
            return self._tails_on_line()
        law = PlanarLaw(self._lattice.coordinates(self.vectors), self.multiplicities)
        is_strict = self._sides == "but one"
        region = RatioRegion(self._difference, self._lattice, abs(self._observed), is_strict)
        return [(PLANE, PlaneTail(law, region, is_strict, self._sides))]

    def _tails_on_line(self) -> Candidates:
        """Return the tail on a line: S = M · direction, M = W - 2B a sum of ± integers.

        With (X, Y) the direction, D(M) = 2M (VX - UY) / (V² - M² Y²) is monotone unless a
        denominator vanishes, which happens only at |M| = W. So D reaches the threshold up to some
        B, except perhaps at the two ends. Bisection in integers finds this B.
        """
        ratios, (x, y) = self._difference, self._lattice.direction
        threshold, strict = abs(self._observed), self._sides == "but one"
        line = Line.of(self._lattice.multiples(self.vectors), self.multiplicities)
        total = line.total
        if ratios.v * x < ratios.u * y:
            x, y = -x, -y  # the law is symmetric

        def is_extreme(b: int) -> bool:
            m = total - 2 * b
            difference = ratios.exactly(m * x, m * y)
            return difference > threshold if strict else difference >= threshold

        ends_apart = abs(total * y) == ratios.v
        low, high = (0 if ends_apart else -1), (total + 1) // 2  # extreme, if any; not extreme
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if is_extreme(middle) else (low, middle)
        n, n_ends = self.n_differing, 0  # more assignments at the ends that are extreme, or fewer
        if ends_apart:
            n_ends = is_extreme(0) + is_extreme(total) - 1
        if low < int(line.values[0]):  # only an end, or nothing
            p = CertifiedProbability.from_ratio(0, 1)
            if low >= 0 and n_ends >= 0:
                p = CertifiedProbability.power_of_half(n - n_ends)
            return [(KNOWN, p.on_sides(self._sides))]
        with_ends = partial(CertifiedProbability.with_powers_of_half, k=n_ends, n=n)
        on_sides = partial(CertifiedProbability.on_sides, sides=self._sides)
        return [(LINE, LineTail(line, low, n, (with_ends, on_sides)))]

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Integers decide ties."""
        ratios, observed = self._difference, self._observed
        if self._alternative == "two-sided":  # D is odd
            return ratios.at_least(sums, abs(observed)) | ratios.at_least(-sums, abs(observed))
        sign = 1 if self._alternative == "greater" else -1
        return ratios.at_least(sign * sums, sign * observed)

    def values(self, sums: NDArray[Any]) -> FloatArray:
        return self._difference.rounded(sums)

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law of D, from the law of the sums S = W - 2B."""
        lattice, counts = self._lattice, self.multiplicities
        if lattice.rank == 0:
            return frozen(np.zeros(1), np.ones(1))
        total = np.array(self._difference.total)
        if lattice.rank == 1:
            places, pmf = Line.of(lattice.multiples(self.vectors), counts).masses(budget)
            sums = total - 2 * places[:, None] * np.array(lattice.direction)
        else:
            points, pmf = grid_pmf(PlanarLaw(lattice.coordinates(self.vectors), counts), budget)
            sums = total - 2 * lattice.points(points)
        support, position = np.unique(self.values(sums), return_inverse=True)
        return frozen(support, np.bincount(position, weights=pmf).astype(np.float64))


def _check_int64(rows: Rows) -> None:
    """Raise InputError if a sum exceeds int64."""
    one, two = rows.rows1.T, rows.rows2.T
    if rows.multiplicities is None:
        largest = rows.n * max(int(np.abs(one).max()), int(np.abs(two).max()))
    else:
        largest = max(rows.sum_of(np.abs(column)) for column in (*one, *two))
    if 2 * largest >= _MOST_TOTAL:
        raise InputError(
            f"the numerators or denominators add up to {largest:.3g}, too many for int64",
            remedy="Give the counts in a larger unit",
        )
