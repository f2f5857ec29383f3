"""What a test of means needs of two columns of real scores, which lie on no lattice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.reals.split import RealSplit
from pairedperm.errors import InputError
from pairedperm.permutation.additive import WholeSizes
from pairedperm.scoring.waist import Rows

__all__ = ["RealDifferences"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_LARGEST = 1e300  # difference
_SUM_BITS = 52  # of the sum of all sizes in whole units


@dataclass(frozen=True)
class RealDifferences:
    """The differences d_n = score1_n - score2_n of floats, taken for the numbers that they are.

    `differences` holds those that are not 0, each rounded once.
    """

    scores1: FloatArray  # of the examples that differ
    scores2: FloatArray
    differences: FloatArray
    sum1: float  # correctly rounded, over all examples
    sum2: float
    observed: float  # sum1 - sum2, likewise
    rounding: float  # of a score, relatively: half an ulp of its type
    n: int  # examples, those without a difference included

    @classmethod
    def from_rows(cls, rows: Rows) -> RealDifferences:
        """Of two columns of finite numbers, at least one each.

        Raises
        ------
        InputError
            If a difference or a sum exceeds float64.
        """
        first, second = rows.rows1, rows.rows2
        with np.errstate(over="ignore"):
            differences = first - second
        try:
            sum1, sum2 = math.fsum(first.tolist()), math.fsum(second.tolist())
            observed = math.fsum([*first.tolist(), *(-second).tolist()])
        except OverflowError:
            sum1 = math.inf
        largest = float(np.abs(differences).max())
        if not (math.isfinite(sum1) and largest < _LARGEST):
            raise InputError(
                f"there are scores up to {max(np.abs(first).max(), np.abs(second).max()):.3g}: "
                "their differences and sums must be floats, below 1e300. Divide by a common unit."
            )
        matters = differences != 0.0
        differences = differences[matters]
        return cls(
            scores1=first[matters],
            scores2=second[matters],
            differences=differences,
            sum1=sum1,
            sum2=sum2,
            observed=observed,
            rounding=rows.rounding,
            n=first.size,
        )

    @property
    def n_differing(self) -> int:
        """Number of examples with a difference."""
        return int(self.differences.size)

    @property
    def sign(self) -> int:
        """Of the observed difference, which is exact."""
        return int(np.sign(self.observed))

    @cached_property
    def split(self) -> RealSplit:
        """The distinct sizes of the differences; those against the better system are taken."""
        sizes = np.abs(self.differences)
        values, place = np.unique(sizes, return_inverse=True)
        counts = np.bincount(place)
        against = self.differences * (self.sign or 1) < 0.0
        return RealSplit(values, counts, np.bincount(place[against], minlength=values.size))

    @cached_property
    def whole_sizes(self) -> WholeSizes:
        """The sizes as multiples of a power of two, exactly.

        A sum may have been moved by the rounding of all its scores, and the observed one too:
        both together are no more than `slack` for the lesser sum.
        """
        pairs = [*zip(self.scores1.tolist(), self.scores2.tolist(), strict=True)]
        exact = [Fraction(a) - Fraction(b) for a, b in pairs]
        scale = max((d.denominator for d in exact), default=1)
        whole = [int(d * scale) for d in exact]
        counts: dict[int, int] = {}
        for d in whole:
            counts[abs(d)] = counts.get(abs(d), 0) + 1
        if self.sign == 0:
            lesser = sum(map(abs, whole)) // 2
        else:
            lesser = sum(abs(d) for d in whole if d * self.sign < 0)
        rounded = sum(Fraction(abs(a)) + Fraction(abs(b)) for a, b in pairs)
        slack = math.ceil(rounded * Fraction(self.rounding) * scale)
        return WholeSizes(list(counts), list(counts.values()), lesser, slack)

    @cached_property
    def in_units(self) -> tuple[IntArray, int]:
        """The differences as multiples of 2^exponent, 2^-52 of their sum, rounded, for sampling."""
        total = math.fsum(np.abs(self.differences).tolist())
        exponent = math.frexp(total)[1] - _SUM_BITS
        return np.rint(np.ldexp(self.differences, -exponent)).astype(np.int64), exponent
