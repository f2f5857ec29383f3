"""The test of a score of two sums that grows with the first of them: tails in the plane."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import (
    Budget,
    CertifiedProbability,
    Lattice,
    PlanarLaw,
    ThresholdRegion,
    planar_tail,
    spanned,
)
from pairedperm.extremes import ScoreExtremes, SumScore
from pairedperm.problem import Problem, Size
from pairedperm.ratio_tail import plane_size
from pairedperm.sum_differences import SumDifferences
from pairedperm.sum_problem import score_problem

__all__ = ["plane_problem"]

IntArray = NDArray[np.int64]


def plane_problem(differences: SumDifferences, score: SumScore, alternative: str) -> Problem:
    """Test the difference of two systems' scores, of the sums (y, x) of two columns.

    The score must not decrease in x, so that D(S) = score(C) - score(T - C) does not in each row
    of S with its y: there the swaps in which D is as large as observed are those from some x on.
    """
    problem = score_problem(differences, score, alternative)
    lattice = spanned(differences.vectors[:, ::-1], differences.multiplicities)
    if lattice.rank < 2:
        return problem
    plane = _Plane(differences, score, lattice, alternative)
    if plane.is_known:
        return problem
    return replace(problem, size=lambda budget: plane.size(), exact=plane.pvalue)


class _Plane:
    """A test where the differences span a lattice of rank 2."""

    def __init__(
        self,
        differences: SumDifferences,
        score: SumScore,
        lattice: Lattice,
        alternative: str,
    ) -> None:
        self._differences, self._lattice, self._alternative = differences, lattice, alternative
        self._score = score
        vectors = lattice.coordinates(differences.vectors[:, ::-1])
        self._law = PlanarLaw(vectors, differences.multiplicities)
        total = differences.multiplicities @ differences.vectors
        self._total = total[::-1]  # Σ (x, y)
        self._sign = ScoreExtremes(differences, score, alternative).sign

    @property
    def is_known(self) -> bool:
        """Whether any difference is as large as the observed one, 0."""
        return self._sign == 0 and self._alternative == "two-sided"

    def size(self) -> Size:
        """What the p-value takes."""
        return plane_size(self._law)

    def pvalue(self, budget: Budget) -> CertifiedProbability:
        """P(D is extreme), from the tail that is at most one half.

        D is odd, so that P(D ≤ -a) = P(D ≥ a). Up to d ≤ 0 the tail P(D ≥ d) is 1 - P(D < d).
        """
        side = "greater" if self._sign > 0 else "less"
        if self._alternative == "two-sided":
            return self._tail(side, False, budget).doubled()
        if self._sign and self._alternative == side:
            return self._tail(side, False, budget)
        return self._tail(self._alternative, True, budget).complement()

    def _tail(self, side: str, is_complement: bool, budget: Budget) -> CertifiedProbability:
        """P(D is extreme on this side), or with `is_complement` that it is not."""
        extremes = ScoreExtremes(self._differences, self._score, side)
        # with the region's points growing towards larger D: S = W - 2B or its mirror image
        sign = 1 if (side == "greater") is not is_complement else -1

        def holds(points: IntArray) -> NDArray[np.bool_]:
            b = np.stack(
                (
                    points[:, 0] * self._lattice.step + points[:, 1] * self._lattice.shear,
                    points[:, 1] * self._lattice.rise,
                ),
                axis=1,
            )
            signed = sign * (self._total - 2 * b)
            counted = self._differences.counted_of_signed(signed[:, ::-1])
            return extremes.at(counted) ^ is_complement

        region = ThresholdRegion(self._law, holds)
        return planar_tail(self._law, region, is_complement=is_complement, budget=budget)
