"""The problem of a ratio of two sums, on a line or in the plane."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.integers import distinct_differences, exact_dot
from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.plane.lattice import Lattice, spanned
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import Plane
from pairedperm.errors import InputError
from pairedperm.options import Budget
from pairedperm.permutation.engines.line import ON_LINE, LineTail, ascending
from pairedperm.permutation.engines.plane import ON_PLANE, PlaneTail
from pairedperm.permutation.problem import Problem, sides
from pairedperm.permutation.ratio_region import RatioDifference, RatioRegion
from pairedperm.results.null_distribution import NullDistribution, frozen
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.rows import Rows

_LARGEST = 2**61  # proof: a sum must be less


class Ratios(Problem):
    """The difference D of two systems' Σ numerators / Σ denominators.

    A row is (numerator, denominator). D changes its sign if everything is swapped, so its law is
    symmetric. If d ≤ 0, P(D ≥ d) = 1 - P(D > -d), which loses no digits: sides "but one".
    """

    def __init__(self, rows: Rows, score: Quotient, alternative: str) -> None:
        (n1, d1), (n2, d2) = rows.sums
        _check_int64(rows)
        of_denominators_first = rows.rows1[:, ::-1], rows.rows2[:, ::-1]
        yx, self.multiplicities = distinct_differences(*of_denominators_first, rows.multiplicities)
        self.vectors = np.ascontiguousarray(yx[:, ::-1])
        x, y = self.vectors.T
        total = exact_dot(self.multiplicities, x), exact_dot(self.multiplicities, y)
        self._difference = RatioDifference(n1 + n2, d1 + d2, score, total)
        exact1, exact2 = score.exact([n1, d1]), score.exact([n2, d2])
        self._observed, self._alternative = exact1 - exact2, alternative
        sign = (self._observed > 0) - (self._observed < 0)
        self._sides = sides(sign, alternative)
        self.score1, self.score2 = float(exact1), float(exact2)
        self.statistic = float(self._observed)
        self.n, self.n_differing = rows.n, int(self.multiplicities.sum())
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
        """See `Problem`."""
        return self._lattice.rank

    def tails(self) -> Candidates:
        """See `Problem`; it is one on the lattice that the differences span."""
        if self._lattice.rank == 2:
            yield ON_PLANE, self._plane()
        else:
            yield ON_LINE, self._line()

    def _plane(self) -> PlaneTail:
        """Return the tail on a lattice of rank 2."""
        law = PlanarLaw(self._lattice.coordinates(self.vectors), self.multiplicities)
        strict = self._sides == "but one"
        region = RatioRegion(self._difference, self._lattice, abs(self._observed), strict)
        return PlaneTail(Plane(law), region, self._sides)

    def _line(self) -> LineTail:
        """Return the tail on a line: S = M · direction, M = W - 2B a sum of ± integers.

        With (X, Y) the direction, D(M) = 2M (VX - UY) / (V² - M² Y²) is monotone unless a
        denominator vanishes, which happens only at |M| = W. So D reaches the threshold up to some
        B, except perhaps at the two ends. Bisection in integers finds this B.
        """
        found, (x, y) = self._difference, self._lattice.direction
        threshold, strict = abs(self._observed), self._sides == "but one"
        multiples = self._lattice.multiples(self.vectors)
        line = ascending(multiples, self.multiplicities)
        total = line.total
        if found.v * x < found.u * y:
            x, y = -x, -y  # the law is symmetric

        def is_extreme(b: int) -> bool:
            m = total - 2 * b
            difference = found.exactly(m * x, m * y)
            return difference > threshold if strict else difference >= threshold

        ends_apart = abs(total * y) == found.v
        low, high = (0 if ends_apart else -1), (total + 1) // 2  # extreme, if any; not extreme
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if is_extreme(middle) else (low, middle)
        n_ends, p = 0, None
        if ends_apart:
            n_ends = is_extreme(0) + is_extreme(total) - 1
        if low < int(line.values[0]):  # only an end, or nothing
            p = CertifiedProbability.from_ratio(0, 1)
            if low >= 0 and n_ends >= 0:
                p = CertifiedProbability.power_of_half(self.n_differing - n_ends)
        return LineTail(line, low, self._sides, n_ends, p)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """See `Problem`; integers decide ties."""
        found, observed = self._difference, self._observed
        if self._alternative == "two-sided":  # D is odd
            return found.at_least(sums, abs(observed)) | found.at_least(-sums, abs(observed))
        sign = 1 if self._alternative == "greater" else -1
        return found.at_least(sign * sums, sign * observed)

    def values(self, sums: NDArray[Any]) -> FloatArray:
        """See `Problem`."""
        return self._difference.rounded(sums)

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law of D, from the law of the sums S = W - 2B."""
        lattice, counts = self._lattice, self.multiplicities
        if lattice.rank == 0:
            return frozen(np.zeros(1), np.ones(1))
        total = np.array(self._difference.total)
        if lattice.rank == 1:
            places, pmf = ascending(lattice.multiples(self.vectors), counts).masses(budget)
            sums = total - 2 * places[:, None] * np.array(lattice.direction)
        else:
            points, pmf = Plane(PlanarLaw(lattice.coordinates(self.vectors), counts)).masses(budget)
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
    if 2 * largest >= _LARGEST:
        raise InputError(
            f"the numerators or denominators add up to {largest:.3g}, too many for int64",
            remedy="Give the counts in a larger unit",
        )
