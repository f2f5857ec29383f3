"""The test of a score of two sums that grows with one of them: tails on a line, or in the plane."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.plane.lattice import spanned
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.threshold import ThresholdRegion
from pairedperm.permutation.engines.plane import Plane
from pairedperm.permutation.engines.tilted import Line, ascending
from pairedperm.permutation.extremes import ScoreExtremes
from pairedperm.permutation.problem import Form, Sides, sides
from pairedperm.permutation.sums import Sums
from pairedperm.scoring.waist import Rows, TwoSums

_LONGEST = 2**23  # points of a line that are looked at


class SumsOfTwo(Sums):
    """The difference of two systems' scores, of the sums (y, x) of two columns.

    The score does not decrease in x, so that D(S) = score(C) - score(T - C) does not in each row
    of S with its y: there the swaps in which D is as large as observed are those from some x on.
    """

    def __init__(self, rows: Rows, score: TwoSums, alternative: str) -> None:
        super().__init__(rows, score, alternative)
        self._lattice = spanned(self.vectors[:, ::-1], self.multiplicities)

    def forms(self) -> Iterable[Form]:
        """A tail, or the grid if there is none."""
        tail = self._plane() if self._lattice.rank == 2 else self._line()
        return super().forms() if tail is None else [tail]

    def _line(self) -> Line | None:
        """A tail on the line where S = M · direction, if D never turns back on it.

        M = W - 2B, B a sum of independent positive integers: what is extreme is then B up to a
        bound, or W - B up to it, or both, as for two sides.
        """
        multiples = self._lattice.multiples(self.vectors[:, ::-1])
        values, counts, total = ascending(multiples, self.multiplicities)
        if total > _LONGEST:
            return None
        b = np.arange(total + 1)
        direction = np.array(self._lattice.direction[::-1])
        flags = self.extreme((total - 2 * b)[:, None] * direction)
        n_first, n_last = (int(x.argmin()) for x in (flags, flags[::-1]))
        is_all = flags.all()  # then there is nothing to compute
        if is_all or n_first + n_last != flags.sum() or (n_first and n_last and n_first != n_last):
            return None
        how: Sides = "both" if n_first and n_last else "one"
        return Line(values, counts, total, max(n_first, n_last) - 1, how)

    def _plane(self) -> Plane:
        """The tail of points of a lattice of rank 2, the one that is at most one half.

        D is odd, so that P(D ≤ -a) = P(D ≥ a). Up to d ≤ 0 the tail P(D ≥ d) is 1 - P(D < d).
        """
        law = PlanarLaw(self._lattice.coordinates(self.vectors[:, ::-1]), self.multiplicities)
        how, side = sides(self.extremes.sign, self._alternative), self._alternative
        if how == "both":
            side = "greater" if self.extremes.sign > 0 else "less"
        return Plane(law, self._region(law, side, how == "but one"), how, False)

    def _region(self, law: PlanarLaw, side: str, is_complement: bool) -> ThresholdRegion:
        """The points where D is extreme on this side, or with `is_complement` is not."""
        extremes = ScoreExtremes(self.differences, self._score, side)
        # with the region's points growing towards larger D: S = W - 2B or its mirror image
        sign = 1 if (side == "greater") is not is_complement else -1
        lattice, total = self._lattice, (self.multiplicities @ self.vectors)[::-1]  # Σ (x, y)

        def holds(points: IntArray) -> NDArray[np.bool_]:
            x = points[:, 0] * lattice.step + points[:, 1] * lattice.shear
            b = np.stack((x, points[:, 1] * lattice.rise), axis=1)
            signed = sign * (total - 2 * b)
            counted = self.differences.counted_of_signed(signed[:, ::-1])
            return extremes.at(counted) ^ is_complement

        return ThresholdRegion(law, holds)
