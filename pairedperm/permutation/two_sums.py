"""The problem of a score that grows with one of two sums, on a line or in the plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability, sides_of
from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.plane.law import PlanarLaw, ThresholdRegion
from pairedperm.convolution.plane.tail import PLANE, Lattice, PlaneTail, spanned
from pairedperm.permutation.extremes import ScoreExtremes
from pairedperm.permutation.sums import Sums

LONGEST_SEARCHED = 2**23  # tuned: a line of more points is not searched for a tail
_ROW = 400.0  # tuned: ns to find the end of a row of the plane


class SumsOfTwo(Sums):
    """The difference of two systems' scores, each a function of the sums (y, x) of two columns.

    The score does not decrease in x. So D(S) = score(C) - score(T - C) does not decrease along a
    row of sums S with the same y. In each row, D is as large as observed from some x on.
    """

    def tails(self) -> Candidates:
        """It is the grid if the extreme points are no tail."""
        lattice = spanned(self.vectors[:, ::-1], self.multiplicities)
        if lattice.rank == 2:
            return [(PLANE, self._plane(lattice))]
        tail = self._line(lattice)
        return super().tails() if tail is None else [(LINE, tail)]

    def _line(self, lattice: Lattice) -> LineTail | None:
        """Return the tail on a line, S = M · direction, if all extreme points are at its ends.

        M = W - 2B, B a sum of independent positive integers. The extreme points are those with B,
        or W - B, up to a bound; for two sides, both.
        """
        line = Line.of(lattice.multiples(self.vectors[:, ::-1]), self.multiplicities)
        total = line.total
        if total > LONGEST_SEARCHED:
            return None
        b = np.arange(total + 1)
        direction = np.array(lattice.direction[::-1])
        flags = self.extreme((total - 2 * b)[:, None] * direction)
        n_first, n_last = (int(x.argmin()) for x in (flags, flags[::-1]))
        is_all = flags.all()  # every point is extreme: there is no tail
        if is_all or n_first + n_last != flags.sum() or (n_first and n_last and n_first != n_last):
            return None
        steps = (CertifiedProbability.doubled,) if n_first and n_last else ()
        return LineTail(line, max(n_first, n_last) - 1, self.n_differing, steps)

    def _plane(self, lattice: Lattice) -> PlaneTail:
        """Return the tail on a lattice of rank 2, or its complement: at most one half.

        D is odd, so P(D ≤ -a) = P(D ≥ a). If d ≤ 0, P(D ≥ d) = 1 - P(D < d).
        """
        law = PlanarLaw(lattice.coordinates(self.vectors[:, ::-1]), self.multiplicities)
        sides, side = sides_of(self.extremes.sign, self._alternative), self._alternative
        if sides == "both":
            side = "greater" if self.extremes.sign > 0 else "less"
        is_complement = sides == "but one"
        extremes = ScoreExtremes(self.differences, self._score, side)
        # S = W - 2B or its mirror image: `holds` must be true up to some point of each row
        sign = 1 if (side == "greater") is not is_complement else -1
        total = self.multiplicities @ self.vectors

        def holds(points: IntArray) -> NDArray[np.bool_]:
            """Tell where D is extreme on this side; for a complement, where it is not."""
            signed = sign * (total - 2 * lattice.points(points)[:, ::-1])
            return extremes.at(self.differences.counted_of_signed(signed)) ^ is_complement

        return PlaneTail(law, ThresholdRegion(law, holds), is_complement, sides, _ROW)
