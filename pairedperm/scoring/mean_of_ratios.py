"""The mean of ratios, such as the token F1 of answers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.scoring.waist import Mean, Null, Rows, Score, SumScore

FINEST = 2**40  # tuned: units of a lattice that is tried


class MeanOfRatios(Score):
    """The mean of the ratios that rows (numerator, denominator), in lowest terms, have.

    On the lattice of a common denominator, if that is not too fine; otherwise it is a function of
    the sums of the numerators over each denominator, or, of draws, of floats.
    """

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Under swaps only the differences need a common denominator."""
        rows = rows.counted()
        one, two = ([Fraction(*row) for row in x.tolist()] for x in rows.tables)
        scores, of_sums = (_mean(rows, one), _mean(rows, two)), _OfDenominators(rows)
        if null == "swaps":
            one, two = [a - b for a, b in zip(one, two, strict=True)], [Fraction(0)] * len(one)
        unit = math.lcm(*(share.denominator for share in (*one, *two)))
        if unit <= FINEST:
            whole1, whole2 = (np.array([int(x * unit) for x in y], np.int64) for y in (one, two))
            mean = Mean(unit, None, rows.n, scores=scores, otherwise=(of_sums.rows, of_sums))
            return Rows(whole1, whole2, rows.multiplicities), mean
        if null == "swaps":
            of_sums.whole = [int(x * unit) for x in one]
            return of_sums.rows, of_sums
        n_digits = math.floor(math.log10(unit)) + 1  # Python may not print so many
        fact = f"the common denominator of the answers' shares has {n_digits} digits"
        floats1, floats2 = (np.array([float(x) for x in y]) for y in (one, two))
        pairs = Rows(floats1, floats2, rows.multiplicities, no_lattice=fact)
        return pairs, Mean(scores=scores)


def _mean(rows: Rows, shares: list[Fraction]) -> Fraction:
    """Of all examples, without rounding."""
    assert rows.multiplicities is not None
    pairs = zip(rows.multiplicities.tolist(), shares, strict=True)
    return sum((n * x for n, x in pairs), Fraction(0)) / rows.n


class _OfDenominators(SumScore):
    """The mean as a function of the sums of the numerators over each denominator.

    `rows` have a column of numerators for each denominator.
    """

    is_exact = True

    def __init__(self, rows: Rows) -> None:
        numerators, denominators = np.concatenate(rows.tables).T
        self._denominators, place = np.unique(denominators, return_inverse=True)
        columns = np.zeros((place.size, self._denominators.size), dtype=np.int64)
        columns[np.arange(place.size), place] = numerators
        one, two = np.split(columns, 2)
        self.rows, self._n = Rows(one, two, rows.multiplicities), rows.n

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums of numerators, shape (n, m)."""
        return np.asarray((sums / self._denominators).sum(axis=1) / self._n)

    def exact(self, sums: list[int]) -> Fraction:
        """Of one row, without rounding."""
        pairs = zip(sums, self._denominators.tolist(), strict=True)
        return sum((Fraction(x, d) for x, d in pairs), Fraction(0)) / self._n
