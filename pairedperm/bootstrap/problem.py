"""The problem of a test under draws: all that its p-value depends on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.sampling import resampled_sums
from pairedperm.errors.wording import Parts, Words
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, SumScore, check_sums, finite_difference

DrawnScores = tuple[FloatArray, FloatArray, FloatArray]
_SOME = 64  # tuned: random resamples on which a function is tried


class Draws(ABC):
    """Two systems' scores of sums over examples that are drawn with replacement.

    Attributes
    ----------
    score1, score2, statistic : float
        Both scores and their difference, on the data.
    table : float64 array, shape (k, m), or one of small integers
        The rows of the distinct examples, which are summed.
    multiplicities : int64 array, shape (k,)
        How often each distinct example occurs.
    n, n_differing : int
        The number of examples, and of those whose rows differ.
    inexact : str or Part
        Why the ideal bootstrap does not apply; empty if it does.
    sums_differences : bool
        Whether the difference is a sum itself, or is taken of two rounded scores.
    n_points : int
        The points of the law of the difference, for the ideal bootstrap.
    slack : float
        How far rounding of the data may have moved a difference from its threshold.
    """

    score1: float
    score2: float
    statistic: float
    table: NDArray[Any]
    inexact: Words = ""
    sums_differences: bool = False
    n_points: int = 0
    slack: float = 0.0

    def __init__(self, rows: Rows) -> None:
        self.multiplicities = rows.how_often
        self.n, self.n_differing = rows.n, rows.n_differing

    def order(self) -> None:
        """Put the rows into one order, so that the samples do not depend on how they came."""
        order = np.lexsort(self.table.T)
        self.table, self.multiplicities = self.table[order], self.multiplicities[order]

    @abstractmethod
    def scores(self, sums: FloatArray) -> DrawnScores:
        """Return the difference and both scores, shape (b,) each, for sums of shape (b, m)."""


class RealMeans(Draws):
    """Means of numbers that lie on no lattice, computed in floats."""

    sums_differences = True

    def __init__(self, rows: Rows, score: Mean) -> None:
        super().__init__(rows)
        one, two = rows.rows1, rows.rows2
        check_sums(np.stack((one, two)), self.n)
        sizes = np.ones(one.size) if score.sizes is None else score.sizes
        mean1, mean2 = score.scores or (_exact_sum(x) / int(sizes.sum()) for x in (one, two))
        self.score1, self.score2 = float(mean1), float(mean2)
        self.statistic = float(mean1 - mean2)
        self.table = np.stack((one - two, one, two, sizes), axis=1)
        largest = max(float(np.abs(x / np.maximum(sizes, 1.0)).max()) for x in (one, two))
        # of two scores of a resample, and of the data
        self.slack = 4.0 * rows.provenance.rounding * largest
        self.inexact = rows.no_lattice
        self.order()

    def scores(self, sums: FloatArray) -> DrawnScores:
        difference, score1, score2 = sums.T[:3] / sums.T[3]
        return difference, score1, score2


class Functions(Draws):
    """Any scores of the sums of each system's rows."""

    def __init__(self, rows: Rows, score: SumScore | Function) -> None:
        is_exact = isinstance(score, Quotient) and not rows.no_lattice
        if is_exact:
            rows = Rows(rows.rows1, rows.rows2, rows.multiplicities).distinct()
        super().__init__(rows)
        self._width = rows.tables[0].shape[1]
        self.table = rows.side_by_side
        check_sums(self.table, self.n)
        self._score: Any = score
        self.inexact = "the score is a function of several sums"
        if isinstance(score, Function):
            self._score = Checked(score, rows, self._some(), "resamples", rows.unit)
        elif isinstance(score, Quotient):
            self.inexact = "the two systems' denominators differ"
        if rows.no_lattice:
            self.inexact = Parts("the rows lie on no lattice: ", rows.no_lattice)
            self.order()
        if is_exact:
            exact1, exact2 = map(self._score.exact, rows.sums)
            self.score1, self.score2 = float(exact1), float(exact2)
            self.statistic = float(exact1 - exact2)
        else:
            sums = [math.fsum((self.multiplicities * column).tolist()) for column in self.table.T]
            _, one, two = self.scores(np.array([sums]))
            self.score1, self.score2 = float(one[0]), float(two[0])
            self.statistic = self.score1 - self.score2

    def scores(self, sums: FloatArray) -> DrawnScores:
        one, two = self._score(sums[:, : self._width]), self._score(sums[:, self._width :])
        return finite_difference(one, two, "resamples have"), one, two

    def _some(self) -> FloatArray:
        """Return the sums of the data and of some resamples."""
        rng = np.random.default_rng(0)
        tables = np.hsplit(self.table, [self._width])
        blocks = [(self.multiplicities @ table)[None] for table in tables]
        for table in tables:
            blocks += resampled_sums(table, self.multiplicities, _SOME, rng)
        return np.concatenate(blocks)


def _exact_sum(column: FloatArray) -> Fraction:
    """Return Σ x without rounding: the rest after a rounded sum is summed again, until it is 0."""
    total, rest = Fraction(0), column.tolist()
    while rounded := math.fsum(rest):
        total += Fraction(rounded)
        rest.append(-rounded)
    return total
