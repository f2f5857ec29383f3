"""The test of a ratio of two sums: on a line, or in the plane."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.grid.law import GridLaw
from pairedperm.convolution.grid.masses import grid_pmf
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.line.pmf import central_pmf
from pairedperm.convolution.plane.lattice import Lattice, spanned
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.options import Budget
from pairedperm.permutation.engines.plane import Plane
from pairedperm.permutation.engines.tilted import Line
from pairedperm.permutation.problem import Form, Problem
from pairedperm.permutation.ratio_differences import RatioDifferences
from pairedperm.permutation.ratio_region import RatioRegion
from pairedperm.results.null_distribution import NullDistribution, frozen
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.waist import Rows

__all__ = ["Ratios"]


class Ratios(Problem):
    """The difference D of Σ numerators / Σ denominators, rows (numerator, denominator).

    D is odd under swapping everything, so that its law is symmetric. Up to d ≤ 0 the tail
    P(D ≥ d) is 1 - P(D > -d), where no digits are lost.
    """

    def __init__(self, rows: Rows, score: Quotient, alternative: str) -> None:
        self._differences = differences = RatioDifferences.from_rows(rows, score.without)
        self._observed = observed = differences.observed
        self._alternative = alternative
        self.score1, self.score2 = float(differences.score1), float(differences.score2)
        self.statistic = float(observed)
        self.n, self.n_differing = differences.n, differences.n_differing
        self.vectors, self.multiplicities = differences.vectors, differences.multiplicities
        self.is_known = (
            differences.v == 0  # no swap changes anything
            or not self.n_differing
            or (alternative == "two-sided" and observed == 0)
        )

    @cached_property
    def lattice(self) -> Lattice:
        """That the differences span."""
        return spanned(self.vectors, self.multiplicities)

    @property
    def rank(self) -> int:
        """See `Problem`."""
        return self.lattice.rank

    @cached_property
    def _tail(self) -> tuple[Fraction, bool]:
        """Which tail: P(D ≥ a) for a > 0, or P(D > a) whose complement it is."""
        if self._alternative == "two-sided":
            return abs(self._observed), False
        threshold = self._observed if self._alternative == "greater" else -self._observed
        return abs(threshold), threshold <= 0

    def form(self) -> Form:
        """A tail on the lattice that the differences span."""
        return self._plane() if self.rank == 2 else self._line()

    def _plane(self) -> Plane:
        """The tail's points of a lattice of rank 2."""
        law = PlanarLaw(self.lattice.coordinates(self.vectors), self.multiplicities)
        threshold, strict = self._tail
        region = RatioRegion(self._differences, self.lattice, threshold, strict)
        return Plane(law, region, 2 if self._alternative == "two-sided" else 1, strict, True)

    def _line(self) -> Line:
        """The tail where S = M · direction, M = W - 2B a sum of independent ± integers.

        D(M) = 2M (VX - UY) / (V² - M² Y²), (X, Y) the direction, is monotone where no denominator
        vanishes, which happens at |M| = W only. So D reaches the threshold up to some B, found by
        bisection in integers, except perhaps at the two ends.
        """
        found, (x, y) = self._differences, self.lattice.direction
        threshold, strict = self._tail
        sizes = self.lattice.multiples(self.vectors)
        order = np.argsort(sizes)
        values, counts = sizes[order], self.multiplicities[order]
        total = exact_dot(counts, values)
        if found.v * x < found.u * y:
            x, y = -x, -y  # the law is symmetric

        def is_extreme(b: int) -> bool:
            m = total - 2 * b
            difference = found.difference(m * x, m * y)
            return difference > threshold if strict else difference >= threshold

        ends_apart = abs(total * y) == found.v
        low, high = (0 if ends_apart else -1), (total + 1) // 2  # extreme, if at all; not extreme
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if is_extreme(middle) else (low, middle)
        n_ends, p = 0, None
        if ends_apart:
            n_ends = is_extreme(0) + is_extreme(total) - 1
            if low < int(values[0]):  # only an end
                p = CertifiedProbability.near(0.0)
                if n_ends >= 0:
                    p = CertifiedProbability.power_of_half(self.n_differing - n_ends)
        elif low < 0:
            p = CertifiedProbability.near(0.0)
        sides = 2 if self._alternative == "two-sided" else 1
        return Line(values, counts, total, low, sides, n_ends, strict, p)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """See `Problem`; ties are decided in integers."""
        found, observed = self._differences, self._observed
        if self._alternative == "less":
            return found.at_least(-sums, -observed)  # D is odd
        if self._alternative == "greater":
            return found.at_least(sums, observed)
        return found.at_least(sums, abs(observed)) | found.at_least(-sums, abs(observed))

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """The law of D over the sums S = W - 2B of the differences."""
        lattice, counts = self.lattice, self.multiplicities
        if lattice.rank == 0:
            return frozen(np.zeros(1), np.ones(1))
        total = np.array(self._differences.total)
        if lattice.rank == 1:
            sizes = lattice.multiples(self.vectors)
            order = np.argsort(sizes)
            n_steps = int((counts * sizes).sum())
            places, pmf = central_pmf(sizes[order], counts[order], n_steps, budget)
            sums = total - 2 * places[:, None] * np.array(lattice.direction)
        else:
            points, pmf = grid_pmf(GridLaw(lattice.coordinates(self.vectors), counts), budget)
            x = points[:, 0] * lattice.step + points[:, 1] * lattice.shear
            sums = total - 2 * np.stack((x, points[:, 1] * lattice.rise), axis=1)
        support, position = np.unique(self._differences.rounded(sums), return_inverse=True)
        return frozen(support, np.bincount(position, weights=pmf).astype(np.float64))
