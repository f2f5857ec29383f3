"""The problem of any function of the column sums."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.assignments import SUM_BYTES, listed_sums, n_sums
from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.line.enumeration import TOO_MANY
from pairedperm.convolution.line.pmf import check_points
from pairedperm.errors import NoLatticeError
from pairedperm.options import Budget
from pairedperm.permutation.engines.grid import ON_GRID, GridTail
from pairedperm.permutation.extremes import ScoreExtremes, StatisticExtremes, SumDifferences
from pairedperm.permutation.problem import Additive, Problem, of_whole_numbers
from pairedperm.permutation.real_rows import OfLimbs, WholeRows
from pairedperm.results.null_distribution import NullDistribution, frozen, law_of
from pairedperm.scoring.function import Checked, Function, Statistic
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import SumScore
from pairedperm.wording import Parts, Python


class Sums(Problem):
    """The difference of two systems' scores, each a function of the system's column sums.

    For a `Statistic`, p is P(statistic(sum) ≥ statistic(observed sum)) instead. Real rows are
    written exactly as rows of integers (`WholeRows`); their lattice is too fine for a transform.
    """

    def __init__(self, rows: Rows, score: SumScore | Function, alternative: str) -> None:
        whole = None
        try:
            if rows.no_lattice:
                raise NoLatticeError(rows.no_lattice)
            self.differences = SumDifferences(rows)
        except NoLatticeError as error:
            if not rows.provenance.float_limit:
                raise
            weights = score.weights if isinstance(score, Quotient) else ()
            whole, self.no_lattice = WholeRows(rows, weights), error.fact
            self.why_not_exact = Parts("the scores lie on no lattice: ", error.fact)
            self.differences = SumDifferences(whole.rows)
        self.calls_function = isinstance(score, Function)
        if isinstance(score, Function):
            some = self.differences.some
            some, unit = (some, rows.unit) if whole is None else (whole.floats(some), 1)
            called: SumScore = Checked(score, rows, some, "swaps", unit)
        else:
            called = score
        if whole is not None:
            called = OfLimbs(whole, called)
        kind = StatisticExtremes if isinstance(score, Statistic) else ScoreExtremes
        self.extremes = kind(self.differences, called, alternative)
        self.score1, self.score2 = self.extremes.scores
        self._whole, self._score, self._alternative = whole, called, alternative
        self.statistic = self.extremes.observed
        self.n = self.differences.n
        self.vectors = self.differences.vectors
        self.multiplicities = self.differences.multiplicities
        self.n_differing = int(self.multiplicities.sum())
        self.decimals = 0 if whole is not None else rows.decimals
        is_same = self.extremes.sign == 0 and alternative == "two-sided"
        self.is_known = is_same or not self.n_differing
        self._counts = None if called.whole is None else rows.how_often

    @property
    def rank(self) -> int:
        """See `Problem`."""
        if self._whole is not None:
            return self._whole.rank(self.vectors)
        return self.differences.law.rank if self.n_differing else 0

    def tails(self) -> Candidates:
        """See `Problem`; there is a grid, if there is a lattice."""
        if not self.no_lattice:
            yield ON_GRID, GridTail(self.differences.law, self.extremes, self.n_differing)

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
        """See `Problem`; only for real rows.

        The observed sums are extreme for sure; so is their mirror image in a two-sided test.
        """
        found = self.differences
        counted = found.counted_of_signed(sums)
        result = self.extremes.surely_at(counted)
        assert self._whole is not None
        observed = (found.sum1, found.sum2) if self._alternative == "two-sided" else (found.sum1,)
        for one in observed:
            result |= self._whole.is_zero(counted - one)
        return result

    def values(self, sums: NDArray[Any]) -> FloatArray:
        """See `Problem`."""
        return self.extremes.values_at(self.differences.counted_of_signed(sums))[0]

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law; values that differ by at most 1e-12 of the largest score are one."""
        if not self.n_differing:
            return frozen(np.array([self.statistic]), np.ones(1))
        if self.no_lattice:
            return self._listed(budget)
        check_points(self.differences.law.n_points, budget, "compare fewer columns or classes")
        law = self.differences.law.masses(budget)
        values, size = self.extremes.values(law)
        return law_of(values, law.masses, size)

    def _listed(self, budget: Budget) -> NullDistribution:
        """Return the law for real rows, from a list of all swaps."""
        n = n_sums(self.multiplicities)
        what = (
            "the null distribution of scores that lie on no lattice needs "
            f"{'at least ' if n == TOO_MANY else ''}{n:.3g} sums"
        )
        round_ = "Round the rows to the digits that they mean"
        remedy = Parts(round_, Python(", for instance np.round(rows, 4)"))
        budget.check(what, n_points=n, remedy=remedy)
        n_bytes = SUM_BYTES * n
        budget.check(f"{what}, {n_bytes:.3g} bytes", n_bytes=n_bytes, remedy=remedy)
        values, masses, size = [], [], 0.0
        for sums, ways in listed_sums(self.vectors, self.multiplicities):
            counted = self.differences.start - sums.astype(np.float64)
            found, largest = self.extremes.values_at(counted)
            values.append(found)
            size = max(size, largest)
            masses.append((ways / 2**self.n_differing).astype(np.float64))
        return law_of(np.concatenate(values), np.concatenate(masses), size)
