"""The problems of any function of the column sums, and of one that grows with one of two sums."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability, sides_of
from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.masses import check_points
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.plane.law import PlanarLaw, ThresholdRegion
from pairedperm.convolution.plane.tail import PLANE, Lattice, PlaneTail, spanned
from pairedperm.errors import InputError, NoLatticeError
from pairedperm.errors.wording import Parts
from pairedperm.options import Budget
from pairedperm.permutation.enumeration import listed_law
from pairedperm.permutation.extremes import ScoreExtremes, StatisticExtremes, SumDifferences
from pairedperm.permutation.grid import GRID, GridTail
from pairedperm.permutation.problem import Additive, Problem, of_whole_numbers
from pairedperm.results.null_distribution import NullDistribution, frozen, law_of
from pairedperm.scoring.function import Checked, Function, Statistic
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import SumScore

MOST_FLOAT = 1e300  # proof: sums of real scores, and their differences, must be less
_ROUNDED_BITS = 50  # proof: sums of both systems' rounded rows, twice, are at most 2^53


class RoundedRows:
    """Columns of floats, or of integers with too large sums, as multiples of powers of two.

    A column is rounded to 2^-50 of the sum of its sizes. The sums of the multiples are exact. So
    the same examples have the same sums to the last bit, in whatever order they are added.
    `observed` holds the sums of both systems' columns as they came, each rounded once.

    Raises
    ------
    InputError
        If a sum exceeds float64.
    """

    def __init__(self, rows: Rows) -> None:
        tables = [x.astype(np.float64) / float(rows.unit) for x in rows.tables]
        with np.errstate(over="ignore"):
            summed = [x * rows.how_often[:, None] for x in tables]
            sums = sum(np.abs(x).sum(axis=0) for x in summed)
        if not sums.max() < MOST_FLOAT:
            raise InputError(
                f"there are rows with numbers up to {max(np.abs(x).max() for x in tables)}",
                remedy=("their sums must be floats, below 1e300", "Divide by a common unit"),
            )
        self._exponents = np.frexp(sums)[1] - _ROUNDED_BITS
        one, two = (self._rounded(x) for x in tables)
        self.rows = Rows(one, two, rows.multiplicities).distinct()
        self.observed = np.array([[*map(math.fsum, x.T.tolist())] for x in summed])

    def _rounded(self, table: FloatArray) -> IntArray:
        """Return the multiples; what is not 0 stays so: a denominator of 0 has its own score."""
        multiples = np.rint(np.ldexp(table, -self._exponents))
        return np.where(multiples == 0.0, np.sign(table), multiples).astype(np.int64)

    def floats(self, sums: NDArray[Any]) -> FloatArray:
        """Return sums of multiples, shape (n, m), as sums of the rows."""
        return np.asarray(np.ldexp(sums.astype(np.float64), self._exponents))


class _OfRounded(SumScore):
    """A score of sums of rows, called with the sums of the rows' multiples."""

    def __init__(self, rows: RoundedRows, score: SumScore) -> None:
        self._rows, self._score = rows, score

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores for sums of multiples, shape (n, m)."""
        return self._score(self._rows.floats(sums))


class Sums(Problem):
    """The difference of two systems' scores, each a function of the system's column sums.

    For a `Statistic`, p is P(statistic(sum) ≥ statistic(observed sum)) instead. Real rows are
    rounded to rows of integers (`RoundedRows`); their lattice is too fine for a transform.
    """

    def __init__(self, rows: Rows, score: SumScore | Function, alternative: str) -> None:
        rounded = None
        try:
            self.differences = SumDifferences(rows)
        except NoLatticeError as error:
            if not rows.provenance.float_limit:
                raise
            rounded, self.no_lattice = RoundedRows(rows), error.fact
            self.why_not_exact = Parts("the scores lie on no lattice: ", error.fact)
            self.differences = SumDifferences(rounded.rows)
        self.calls_function = isinstance(score, Function)
        if isinstance(score, Function):
            some = self.differences.some
            some, unit = (some, rows.unit) if rounded is None else (rounded.floats(some), 1)
            called: SumScore = Checked(score, rows, some, "swaps", unit)
        else:
            called = score
        of_sums = called
        if rounded is not None:
            called = _OfRounded(rounded, called)
        kind = StatisticExtremes if isinstance(score, Statistic) else ScoreExtremes
        self.extremes = kind(self.differences, called, alternative)
        self.score1, self.score2 = self.extremes.scores
        self._score, self._alternative = called, alternative
        self.statistic = self.extremes.observed
        if rounded is not None:
            one, two = of_sums(rounded.observed).tolist()
            self.statistic = one if self.score1 is None else one - two
            self.score1, self.score2 = (None, None) if self.score1 is None else (one, two)
        self.n = self.differences.n
        self.vectors = self.differences.vectors
        self.multiplicities = self.differences.multiplicities
        self.n_differing = int(self.multiplicities.sum())
        self.score_unit = rows.unit if rounded is None else 1
        is_same = self.extremes.sign == 0 and alternative == "two-sided"
        self.is_known = is_same or not self.n_differing
        self._counts = None if called.whole is None else rows.how_often

    @property
    def rank(self) -> int:
        if not self.n_differing:
            return 0
        return _rank(self.vectors) if self.no_lattice else self.differences.law.rank

    def tails(self) -> Candidates:
        """There is a grid, if there is a lattice."""
        if self.no_lattice:
            return []
        return [(GRID, GridTail(self.differences.law, self.extremes, self.n_differing))]

    @cached_property
    def additive(self) -> Additive | None:  # type: ignore[override]
        if self._score.whole is None or self._counts is None:
            return None
        return of_whole_numbers(self._score.whole, self._counts.tolist(), self._alternative)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        return self.extremes.at(self.differences.counted_of_signed(sums))

    def values(self, sums: NDArray[Any]) -> FloatArray:
        return self._values_and_size(sums)[0]

    def _values_and_size(self, sums: NDArray[Any]) -> tuple[FloatArray, float]:
        """Return D for each of the sums S, and the size of the largest score."""
        return self.extremes.values_at(self.differences.counted_of_signed(sums))

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law; values that differ by at most 1e-12 of the largest score are one."""
        if not self.n_differing:
            return frozen(np.array([self.statistic]), np.ones(1))
        if self.no_lattice:
            return listed_law(self, self._values_and_size, budget)
        check_points(self.differences.law.n_points, budget, "compare fewer columns or classes")
        law = self.differences.law.masses(budget)
        values, size = self.extremes.values(law)
        return law_of(values, law.masses, size)


def _rank(vectors: IntArray) -> int:
    """Return the rank of vectors whose columns may have units that are far apart."""
    return int(np.linalg.matrix_rank(vectors / np.maximum(np.abs(vectors).max(axis=0), 1)))


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
