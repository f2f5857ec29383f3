"""The test of a score of two sums that grows with the first of them: tails in the plane."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import (
    Budget,
    CertifiedProbability,
    Engine,
    Lattice,
    PlanarLaw,
    ThresholdRegion,
    exact_dot,
    planar_tail,
    spanned,
    tail_engine,
)
from pairedperm.permutation.extremes import ScoreExtremes, SumScore
from pairedperm.permutation.problem import Problem, Size, size_in_the_plane, size_on_a_line
from pairedperm.permutation.sum_differences import SumDifferences
from pairedperm.permutation.sums import score_problem

__all__ = ["plane_problem"]

IntArray = NDArray[np.int64]
_LONGEST = 2**23  # points of a line that are looked at


def plane_problem(differences: SumDifferences, score: SumScore, alternative: str) -> Problem:
    """Test the difference of two systems' scores, of the sums (y, x) of two columns.

    The score must not decrease in x, so that D(S) = score(C) - score(T - C) does not in each row
    of S with its y: there the swaps in which D is as large as observed are those from some x on.
    """
    problem = score_problem(differences, score, alternative)
    lattice = spanned(differences.vectors[:, ::-1], differences.multiplicities)
    if lattice.rank == 1:
        return _line_problem(problem, differences, score, alternative, lattice)
    plane = _Plane(differences, score, lattice, alternative) if lattice.rank else None
    if plane is None or plane.is_known:
        return problem
    return replace(problem, size=plane.size, exact=plane.pvalue)


def _line_problem(
    problem: Problem,
    differences: SumDifferences,
    score: SumScore,
    alternative: str,
    lattice: Lattice,
) -> Problem:
    """The same where S = M · direction: a tail on the line, if D never turns back on it.

    M = W - 2B, B a sum of independent positive integers: what is extreme is then B up to a bound,
    or W - B up to it, or both, as for two sides.
    """
    sizes = lattice.multiples(differences.vectors[:, ::-1])
    order = np.argsort(sizes)
    values, counts = sizes[order], differences.multiplicities[order]
    total = exact_dot(counts, values)
    if total > _LONGEST:
        return problem
    b = np.arange(total + 1)
    direction = np.array(lattice.direction[::-1])
    signed = (total - 2 * b)[:, None] * direction
    flags = ScoreExtremes(differences, score, alternative).at(differences.counted_of_signed(signed))
    n_first, n_last = (int(x.argmin()) for x in (flags, flags[::-1]))
    is_all = flags.all()  # then there is nothing to compute
    if is_all or n_first + n_last != flags.sum() or (n_first and n_last and n_first != n_last):
        return problem
    bound = max(n_first, n_last) - 1

    def engine(budget: Budget) -> Engine:
        return tail_engine(values, counts, bound, total, budget)

    def exact(budget: Budget) -> CertifiedProbability:
        tail = engine(budget).run()
        return tail.doubled() if n_first and n_last else tail

    def size(budget: Budget) -> Size:
        return size_on_a_line(values, counts, lambda: engine(budget))

    return replace(problem, size=size, exact=exact)


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

    def size(self, budget: Budget) -> Size:
        """What the p-value takes."""
        return size_in_the_plane(self._law, budget)

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
