"""The test of any function of the column sums."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.grid.product_law import ProductLaw, product_law
from pairedperm.convolution.integers import column_sums, distinct_rows
from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.line.enumeration import TOO_MANY
from pairedperm.convolution.sampling import sampled_sums
from pairedperm.errors import NoLatticeError
from pairedperm.options import Budget
from pairedperm.permutation.additive import Additive, of_whole_numbers
from pairedperm.permutation.engines.enumeration import SUM_BYTES, listed_sums, n_sums
from pairedperm.permutation.engines.grid import Grid
from pairedperm.permutation.extremes import Extremes, ScoreExtremes, StatisticExtremes
from pairedperm.permutation.problem import Form, Problem
from pairedperm.permutation.real_rows import OfLimbs, WholeRows
from pairedperm.results.null_distribution import NullDistribution, frozen, law_of
from pairedperm.scoring.function import Checked, Function, Statistic
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.waist import Rows, SumScore

_SOME = 64  # random assignments
_LARGEST = 2**53  # integers up to which all are floats


class Sums(Problem):
    """The difference of the scores of two systems, each a function of its column sums.

    Of a `Statistic` instead P(statistic(sum) ≥ statistic(observed sum)). Real rows are taken for
    whole ones, exactly (`WholeRows`): there is no lattice that is worth a transform then.
    """

    def __init__(self, rows: Rows, score: SumScore | Function, alternative: str) -> None:
        whole = None
        try:
            if rows.no_lattice:
                raise NoLatticeError(rows.no_lattice, rows.no_lattice)
            self.differences = SumDifferences(rows)
        except NoLatticeError as error:
            if not rows.is_float:
                raise
            weights = score.weights if isinstance(score, Quotient) else ()
            whole, self.no_lattice = WholeRows(rows, weights), error.fact
            self.why_not_exact = f"the scores lie on no lattice: {error.fact}"
            self.differences = SumDifferences(whole.rows)
        if isinstance(score, Function):
            some = self.differences.some
            some, unit = (some, 10**rows.decimals) if whole is None else (whole.floats(some), 1)
            called: SumScore = Checked(score, rows, some, "swaps", unit)
        else:
            called = score
        if whole is not None:
            called = OfLimbs(whole, called)
        self.extremes: Extremes
        if isinstance(score, Statistic):
            self.extremes, is_same = StatisticExtremes(self.differences, called), False
            self.score1 = self.score2 = None
        else:
            of_scores = ScoreExtremes(self.differences, called, alternative)
            self.extremes, is_same = of_scores, of_scores.sign == 0 and alternative == "two-sided"
            self.score1, self.score2 = of_scores.score1, of_scores.score2
        self._whole, self._score, self._alternative = whole, called, alternative
        self.statistic = self.extremes.observed
        self.n = self.differences.n
        self.vectors = self.differences.vectors
        self.multiplicities = self.differences.multiplicities
        self.n_differing = int(self.multiplicities.sum())
        self.decimals = 0 if whole is not None else rows.decimals
        self.is_known = is_same or not self.n_differing
        self._counts = None if called.whole is None else rows.multiplicities

    @property
    def rank(self) -> int:
        """See `Problem`."""
        if self._whole is not None:
            return self._whole.rank(self.vectors)
        return self.differences.law.rank if self.n_differing else 0

    def forms(self) -> Iterable[Form]:
        """A grid, if there is a lattice."""
        if self.no_lattice:
            return []
        return [Grid(self.differences.law, self.extremes, self.n_differing)]

    @cached_property
    def additive(self) -> Additive | None:  # type: ignore[override]
        """See `Problem`."""
        if self._score.whole is None or self._counts is None:
            return None
        return of_whole_numbers(self._score.whole, self._counts.tolist(), self._alternative)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """See `Problem`."""
        return self.extremes.at(self.differences.counted_of_signed(sums))

    def surely_extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Of real rows, the same without those that tie but for rounding within a function.

        The observed sums tie with themselves; of two sides, also as each other's mirror image.
        """
        found = self.differences
        counted = found.counted_of_signed(sums)
        result = self.extremes.surely_at(counted)
        assert self._whole is not None
        observed = (found.sum1, found.sum2) if self._alternative == "two-sided" else (found.sum1,)
        for one in observed:
            result |= self._whole.is_zero(counted - one)
        return result

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """The law of the statistic; values that differ by 1e-12 of the largest are the same."""
        if not self.n_differing:
            return frozen(np.array([self.statistic]), np.ones(1))
        if self.no_lattice:
            return self._listed(budget)
        law = self.differences.law.computed(budget)
        return law_of(self.extremes.values(law), law.masses)

    def _listed(self, budget: Budget) -> NullDistribution:
        """The same of real rows, of all swaps."""
        n = n_sums(self.multiplicities)
        what = (
            "the null distribution of scores that lie on no lattice needs "
            f"{'at least ' if n == TOO_MANY else ''}{n:.3g} sums"
        )
        remedy = "Round the rows to the digits that they mean, for instance np.round(rows, 4)."
        budget.check(what, n_points=n, remedy=remedy)
        n_bytes = SUM_BYTES * n
        budget.check(f"{what}, {n_bytes:.3g} bytes", n_bytes=n_bytes, remedy=remedy)
        values, masses = [], []
        for sums, ways in listed_sums(self.vectors, self.multiplicities):
            counted = self.differences.counted(sums.astype(np.float64))
            values.append(self.extremes.values_at(counted))
            masses.append((ways / 2**self.n_differing).astype(np.float64))
        return law_of(np.concatenate(values), np.concatenate(masses))


class SumDifferences:
    """The multiset of the differences of two columns of rows, up to sign, and their sums.

    A fair coin decides for each example whether its first row is counted or its second. The sum
    is then C = start - B, B = Σ_k vectors[k] · Binomial(multiplicities[k], 1/2), and the sum of
    the rows that are not counted is total - C.

    Attributes
    ----------
    vectors, multiplicities : int64 array, shape (k, m) and (k,)
        The differences: distinct, not 0, the first entry that is not 0 positive.
    sum1, sum2 : int64 array, shape (m,)
        Of the first rows, and of the second.
    total : int64 array, shape (m,)
        What no swap changes: the sum of all rows.
    start : int64 array, shape (m,)
        The sum of the counted rows where B = 0.

    Raises
    ------
    NoLatticeError
        If a sum of the rows, which are integers, exceeds 2^52.
    """

    def __init__(self, rows: Rows) -> None:
        rows1, rows2 = rows.tables
        self.n, counts = rows.n, rows.multiplicities
        largest = self.n * (int(np.abs(rows1).max(initial=0)) + int(np.abs(rows2).max(initial=0)))
        if 2 * largest > _LARGEST and counts is not None:  # they may be fewer
            sums_of_sizes = (column_sums(np.abs(table), counts) for table in (rows1, rows2))
            largest = sum(max(sizes, default=0) for sizes in sums_of_sizes)
        if 2 * largest > _LARGEST:
            fact = f"the counts add up to {largest:.3g}, and beyond 2^52 sums are no floats"
            raise NoLatticeError(f"{fact}. Give the counts in a larger unit.", fact)
        differences = rows1 - rows2
        first = (differences != 0).argmax(axis=1)
        is_turned = differences[np.arange(len(differences)), first] < 0
        differences[is_turned] *= -1
        where, how_often = distinct_rows(list(differences.T), counts)
        vectors = differences[where]
        matters = vectors.any(axis=1) & (how_often > 0)
        self.vectors, self.multiplicities = vectors[matters], how_often[matters]
        self.sum1, self.sum2 = np.array(rows.sums)
        self.total = self.sum1 + self.sum2
        self.start = (self.total + self.multiplicities @ self.vectors) // 2

    @cached_property
    def law(self) -> ProductLaw:
        """Of B, not yet computed."""
        return product_law(self.vectors, self.multiplicities)

    @cached_property
    def some(self) -> FloatArray:
        """C of the observed assignment, of its mirror image, and of some random ones."""
        rng = np.random.default_rng(0)
        found = sampled_sums(self.vectors, self.multiplicities, _SOME, rng)
        return np.concatenate((self.sum1[None], self.sum2[None], *map(self.counted, found)))

    def counted(self, sums: FloatArray) -> FloatArray:
        """C of B."""
        return np.asarray(self.start - sums, dtype=np.float64)

    def counted_of_signed(self, signed: NDArray[Any]) -> FloatArray:
        """C of S = Σ ± vectors."""
        return np.asarray((self.total + signed) / 2.0, dtype=np.float64)
