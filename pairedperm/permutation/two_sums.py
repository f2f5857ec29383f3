"""The test of a score of two sums that grows with one of them: tails on a line, or in the plane."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.plane.lattice import Lattice, spanned
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.threshold import ThresholdRegion
from pairedperm.permutation.engines.plane import Plane
from pairedperm.permutation.engines.tilted import Line, ascending
from pairedperm.permutation.extremes import ScoreExtremes
from pairedperm.permutation.problem import Form, Sides, sides
from pairedperm.permutation.sums import Sums

LONGEST = 2**23  # tuned: points of a line that are looked at
_ROW = 400.0  # tuned: ns of a row of the plane whose end is found


class SumsOfTwo(Sums):
    """The difference of two systems' scores, of the sums (y, x) of two columns.

    The score does not decrease in x, so that D(S) = score(C) - score(T - C) does not in each row
    of S with its y: there the swaps in which D is as large as observed are those from some x on.
    """

    def forms(self) -> Iterable[Form]:
        """A tail, or the grid if there is none."""
        lattice = spanned(self.vectors[:, ::-1], self.multiplicities)
        tail = self._plane(lattice) if lattice.rank == 2 else self._line(lattice)
        return super().forms() if tail is None else [tail]

    def _line(self, lattice: Lattice) -> Line | None:
        """A tail on the line where S = M · direction, if D never turns back on it.

        M = W - 2B, B a sum of independent positive integers: what is extreme is then B up to a
        bound, or W - B up to it, or both, as for two sides.
        """
        multiples = lattice.multiples(self.vectors[:, ::-1])
        values, counts, total = ascending(multiples, self.multiplicities)
        if total > LONGEST:
            return None
        b = np.arange(total + 1)
        direction = np.array(lattice.direction[::-1])
        flags = self.extreme((total - 2 * b)[:, None] * direction)
        n_first, n_last = (int(x.argmin()) for x in (flags, flags[::-1]))
        is_all = flags.all()  # then there is nothing to compute
        if is_all or n_first + n_last != flags.sum() or (n_first and n_last and n_first != n_last):
            return None
        how: Sides = "both" if n_first and n_last else "one"
        return Line(values, counts, total, max(n_first, n_last) - 1, how)

    def _plane(self, lattice: Lattice) -> Plane:
        """The tail of points of a lattice of rank 2, the one that is at most one half.

        D is odd, so that P(D ≤ -a) = P(D ≥ a). Up to d ≤ 0 the tail P(D ≥ d) is 1 - P(D < d).
        """
        law = PlanarLaw(lattice.coordinates(self.vectors[:, ::-1]), self.multiplicities)
        how, side = sides(self.extremes.sign, self._alternative), self._alternative
        if how == "both":
            side = "greater" if self.extremes.sign > 0 else "less"
        is_complement = how == "but one"
        extremes = ScoreExtremes(self.differences, self._score, side)
        # with the region's points growing towards larger D: S = W - 2B or its mirror image
        sign = 1 if (side == "greater") is not is_complement else -1
        total = self.multiplicities @ self.vectors

        def holds(points: IntArray) -> NDArray[np.bool_]:
            """Where D is extreme on this side, or of the complement is not."""
            signed = sign * (total - 2 * lattice.points(points)[:, ::-1])
            return extremes.at(self.differences.counted_of_signed(signed)) ^ is_complement

        return Plane(law, ThresholdRegion(law, holds), how, _ROW)
