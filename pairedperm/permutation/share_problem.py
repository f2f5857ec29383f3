"""The test of a mean of ratios, such as the token F1 of answers."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pairedperm.permutation.additive import of_whole_numbers
from pairedperm.permutation.mean_problem import mean_problem
from pairedperm.permutation.means import DifferenceCounts
from pairedperm.permutation.problem import Problem, first_that_fits
from pairedperm.permutation.sum_differences import SumDifferences
from pairedperm.permutation.sums import score_problem
from pairedperm.scoring.counts import PairedCounts

__all__ = ["share_problem"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_FINEST = 2**40  # units of a lattice that is tried


def share_problem(counts: PairedCounts, alternative: str) -> Problem:
    """Of the mean of ratios, rows (numerator, denominator) in lowest terms.

    On the lattice of the differences' common denominator, if that is not too fine; otherwise it
    is a function of the sums of the numerators over each denominator.
    """
    score = _MeanOfRatios(counts)
    rows1, rows2 = score.numerators(counts.rows1), score.numerators(counts.rows2)
    by_denominator = SumDifferences.from_rows(rows1, rows2, counts.multiplicities)
    problem = score_problem(by_denominator, score, alternative)
    one, two = ([Fraction(*row) for row in x.tolist()] for x in (counts.rows1, counts.rows2))
    differences = [a - b for a, b in zip(one, two, strict=True)]
    unit = math.lcm(*(d.denominator for d in differences))
    if unit > _FINEST:
        whole = [int(d * unit) for d in differences]
        additive = of_whole_numbers(whole, counts.multiplicities.tolist(), alternative)
        return replace(problem, additive=additive)
    sum1, sum2 = (
        sum((n * x for n, x in zip(counts.multiplicities.tolist(), y, strict=True)), Fraction(0))
        for y in (one, two)
    )
    sizes = np.array([int(abs(d) * unit) for d in differences], dtype=np.int64)
    on_lattice = DifferenceCounts.from_sizes(sizes, counts.multiplicities, sum1 * unit, sum2 * unit)
    return first_that_fits(mean_problem(on_lattice, counts.n * unit, alternative), problem)


class _MeanOfRatios:
    """The mean as a function of the sums of the numerators over each denominator."""

    def __init__(self, counts: PairedCounts) -> None:
        both = np.concatenate((counts.rows1[:, 1], counts.rows2[:, 1]))
        self._denominators, self._n = np.unique(both), counts.n

    def numerators(self, rows: IntArray) -> IntArray:
        """A column for each denominator."""
        columns = np.zeros((len(rows), self._denominators.size), dtype=np.int64)
        place = np.searchsorted(self._denominators, rows[:, 1])
        columns[np.arange(len(rows)), place] = rows[:, 0]
        return columns

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums of numerators, shape (n, m)."""
        return np.asarray((sums / self._denominators).sum(axis=1) / self._n)

    def exact(self, sums: list[int]) -> Fraction:
        """Of one row, without rounding."""
        pairs = zip(sums, self._denominators.tolist(), strict=True)
        return sum((Fraction(x, d) for x, d in pairs), Fraction(0)) / self._n
