"""The mean of a fraction of each example, such as the token F1 of answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Mean, Null, Score, SumScore

FINEST = 2**40  # tuned: the largest common denominator of a lattice that is tried
_LARGEST = 2**31  # proof: numerators of shares up to 1 with such denominators add up in int64


@dataclass(frozen=True, eq=False)
class MeanOfRatios(Score):
    """The mean of the shares that rows of two integers have.

    If the common denominator of all shares is not too large, the numbers lie on its lattice.
    Otherwise the score under swaps is a function of the sums of numerators over each denominator.
    Under draws it is then a mean of floats.

    Attributes
    ----------
    share : callable
        The function that makes an exact share of a row: numerator / denominator, or another.
    """

    share: Callable[[int, int], Fraction] = Fraction

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the mean on a lattice if it is not too fine.

        Under swaps only the differences need a common denominator.
        """
        rows = rows.counted()
        one, two = ([self.share(*row) for row in x.tolist()] for x in rows.tables)
        scores, counted = (_mean(rows, one), _mean(rows, two)), (one, two)
        if null == "swaps":
            counted = [a - b for a, b in zip(one, two, strict=True)], [Fraction(0)] * len(one)
        unit = math.lcm(*(share.denominator for share in (*counted[0], *counted[1])))
        if unit > FINEST and null == "draws":
            n_digits = math.floor(math.log10(unit)) + 1  # Python may refuse to print the number
            fact = f"the common denominator of the examples' shares has {n_digits} digits"
            first, second = (np.array([float(x) for x in y]) for y in counted)
            floats = Rows(first, second, rows.multiplicities).noting(no_lattice=fact)
            return floats, Mean(scores=scores)
        of_sums = _OfDenominators(rows, one, two)
        if unit > FINEST:
            of_sums.whole = [int(x * unit) for x in counted[0]]
            return of_sums.rows, of_sums
        first, second = (np.array([int(x * unit) for x in y], np.int64) for y in counted)
        mean = Mean(unit, None, rows.n, scores=scores, otherwise=(of_sums.rows, of_sums))
        return Rows(first, second, rows.multiplicities), mean


def _mean(rows: Rows, shares: list[Fraction]) -> Fraction:
    """Return the exact mean over all examples."""
    unit = math.lcm(*(share.denominator for share in shares))
    pairs = zip(rows.how_often.tolist(), shares, strict=True)
    total = sum(n * x.numerator * (unit // x.denominator) for n, x in pairs)
    return Fraction(total, unit * rows.n)


class _OfDenominators(SumScore):
    """The mean as a function of the sums of the numerators over each denominator.

    `rows` have a column of numerators for each denominator. A share whose denominator is beyond
    int32 has a column of its own.
    """

    is_exact = True

    def __init__(self, rows: Rows, one: list[Fraction], two: list[Fraction]) -> None:
        units = [_unit(share) for share in (*one, *two)]
        self._units = sorted({*units}, reverse=True)
        place = {unit: k for k, unit in enumerate(self._units)}
        columns = np.zeros((len(units), len(place)), dtype=np.int64)
        for row, (unit, share) in enumerate(zip(units, (*one, *two), strict=True)):
            columns[row, place[unit]] = share / unit
        first, second = np.split(columns, 2)
        self.rows, self._n = Rows(first, second, rows.multiplicities), rows.n

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the means of sums of numerators, shape (n, m)."""
        denominators = np.array([float(1 / unit) for unit in self._units])
        return np.asarray((sums / denominators).sum(axis=1) / self._n)

    def exact(self, sums: list[int]) -> Fraction:
        """Return the exact mean of one row of sums."""
        pairs = zip(sums, self._units, strict=True)
        return sum((x * unit for x, unit in pairs), Fraction(0)) / self._n


def _unit(share: Fraction) -> Fraction:
    """Return the unit of a share: 1 / denominator, or the share itself if that is beyond int32."""
    return Fraction(1, share.denominator) if share.denominator < _LARGEST else share
