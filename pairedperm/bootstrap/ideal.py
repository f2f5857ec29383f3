"""The method "exact": the ideal bootstrap, all n^n resamples at once.

It applies to a mean, and to a ratio whose denominator both systems share.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.problem import DrawnScores, Draws
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.convolution.draws.tail import power_of_share, resampled_lower_tail
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.integers import exact_dot, largest_entry
from pairedperm.convolution.law import FloatArray, IntArray, distinct_rows
from pairedperm.errors import BudgetError, InputError
from pairedperm.errors.wording import Name, Parts, Setting
from pairedperm.options import Budget, Options
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean

_LARGEST = 2**61  # proof: differences of smaller numbers are int64


class SharedRatio(Draws):
    """The scores Σ numerators / (unit Σ sizes), over n examples drawn with replacement.

    Both systems share the sizes, which are not negative; some are positive. With d = numerators1 -
    numerators2, the resampled difference is δ* = Σ d / (unit Σ sizes). So δ* ≥ q means
    Σ (d - q unit sizes) ≥ 0, the tail of a sum of independent draws. If all sizes in a resample are
    0, both scores are `zero_division`, and the difference is 0.
    """

    sums_differences = True

    def __init__(self, rows: Rows, score: Mean) -> None:
        super().__init__(rows)
        one, two, sizes = rows.rows1, rows.rows2, score.sizes
        if sizes is None:
            sizes = np.ones(len(one), dtype=np.int64)
        else:  # some rows may be equal now, without the columns that do not matter
            pair1, pair2 = (np.stack((x, sizes), axis=1) for x in (one, two))
            rows = Rows(pair1, pair2, rows.multiplicities).distinct()
            (one, sizes), two = rows.rows1.T, rows.rows2[:, 0]
            self.multiplicities = rows.how_often
        self._numerators, self._sizes, self._zero_division = (one, two), sizes, score.zero_division
        first = int(sizes[0])
        self._size = first if (sizes == first).all() else None  # the one size, if all are equal
        is_large = max(largest_entry(one), largest_entry(two)) >= _LARGEST
        self._difference = (one.astype(object) if is_large else one) - two
        self._unit = score.unit
        self._total = self._unit * exact_dot(self.multiplicities, sizes)
        exact1, exact2 = (
            Fraction(exact_dot(self.multiplicities, x), self._total) for x in (one, two)
        )
        self.score1, self.score2 = float(exact1), float(exact2)
        self._exact_difference = exact1 - exact2
        self.statistic = float(self._exact_difference)
        self.n_points = self.n * int(self._difference.max() - self._difference.min()) + 1
        columns = self._difference, one, two, sizes
        self.table = np.stack([column.astype(np.float64) for column in columns], axis=1)
        if (one != two)[sizes == 0].any():
            self.inexact = "examples of size 0 count for the systems' difference"

    def scores(self, sums: FloatArray) -> DrawnScores:
        sizes = sums[:, 3:] * float(self._unit)
        is_none = sizes == 0.0
        if_none = [0.0, self._zero_division, self._zero_division]
        shares = np.where(is_none, if_none, sums[:, :3] / np.where(is_none, 1.0, sizes))
        difference, score1, score2 = shares.T
        return difference, score1, score2

    def pvalue(self, alternative: str, ties: str, budget: Budget) -> CertifiedProbability:
        """Compute P(δ* ≥ 2δ), P(δ* ≤ 2δ) or P(|δ* - δ| ≥ |δ|); with `ties` "exclude" strictly.

        For δ > 0, the last one is P(δ* ≥ 2δ) + P(δ* ≤ 0).

        Raises
        ------
        BudgetError
            If a transform would be too long.
        """
        difference, strict = self._exact_difference, ties == "exclude"
        double = 2 * difference
        if alternative != "two-sided":
            return self._tail(double, 1 if alternative == "greater" else -1, strict, budget)
        if difference == 0 and not strict:
            return CertifiedProbability.exactly(1.0)
        zero, side = Fraction(0), -1 if difference < 0 else 1
        far = self._tail(double, side, strict, budget)
        return far.plus(self._tail(zero, -side, strict, budget))

    def _tail(
        self, threshold: Fraction, side: int, strict: bool, budget: Budget
    ) -> CertifiedProbability:
        """Compute P(δ* ≥ threshold), or with side -1 P(δ* ≤ threshold); `strict` means > and <."""
        q = threshold * self._unit
        if self._size is not None:
            bound = -side * q * self._size * self.n  # every resample has the same total size
            last = math.ceil(bound) - 1 if strict else math.floor(bound)
            against = self._difference
        else:
            difference, sizes = self._difference.astype(object), self._sizes.astype(object)
            against = difference * q.denominator - q.numerator * sizes
            last = -1 if strict else 0
        signed = -side * against
        # A resample of empty examples alone has the sum 0, and the difference 0. The tail of the
        # sum may count it, and the threshold may mean it.
        is_counted, is_meant = not strict, side * threshold < 0 or (threshold == 0 and not strict)
        is_there = self._sizes > 0
        n_empty = int(self.multiplicities[~is_there].sum())
        if not n_empty or is_counted == is_meant:
            return resampled_lower_tail(*self._distinct(signed), last, budget)
        empty, others = power_of_share(n_empty, self.n), signed[is_there]
        if others.min() > last:  # no other resample reaches the threshold
            return empty if is_meant else CertifiedProbability.from_ratio(0, 1)
        if others.max() <= last:
            return CertifiedProbability.exactly(1.0) if is_meant else empty.complement()
        p = resampled_lower_tail(*self._distinct(signed), last, budget)
        return p.plus(empty) if is_meant else p.minus(empty)

    def intervals(self, level: float, budget: Budget) -> list[tuple[float, float]]:
        """Return the percentile intervals of the difference and of both scores.

        The ends are the least x with P(X ≤ x) ≥ level, and the greatest with P(X ≥ x) ≥ level.

        Raises
        ------
        BudgetError
            If differences may exceed int64, or a law has too many points.
        """
        difference = self._interval(_in_int64(self._difference), 0.0, level, budget)
        scores = (self._interval(x, self._zero_division, level, budget) for x in self._numerators)
        return [difference, *scores]

    def _interval(
        self, column: IntArray, if_none: float, level: float, budget: Budget
    ) -> tuple[float, float]:
        if self._size is not None:
            low, high = sum_quantiles(*self._distinct(column), level, budget)
            return low / self._total, high / self._total
        first, counts = distinct_rows([column, self._sizes], self.multiplicities)
        rows = column[first], self._sizes[first]
        low_ratio, high_ratio = ratio_quantiles(rows, counts, level, if_none, budget)
        return low_ratio / self._unit, high_ratio / self._unit

    def _distinct(self, column: NDArray[Any]) -> tuple[IntArray, IntArray]:
        column = _in_int64(column)
        first, counts = distinct_rows([column], self.multiplicities)
        return column[first], counts


def _in_int64(column: NDArray[Any]) -> IntArray:
    """Return the column as int64; raise BudgetError if differences may exceed it."""
    largest = largest_entry(column)
    if largest >= _LARGEST:
        raise BudgetError(
            f"the exact p-value needs sums of numbers up to {largest:.3g}, beyond int64. The "
            "scores are large in units of their last digit, or the examples have many sizes"
        )
    return column.astype(np.int64)


_QUICK = Budget(max_points=2**20)  # tuned: for each of up to five sums: some three seconds


class Ideal(Engine[Draws, Options]):
    """The engine of p over all n^n resamples, and of the percentile intervals."""

    name = "exact"

    def cost(self, problem: Draws, limits: Options) -> Cost | None:
        """What the transforms of up to five sums take is found while they run."""
        if not problem.inexact:
            return Cost(1, "all resamples at once", None, problem.n_points)
        if limits.method == "auto":
            return None
        raise InputError(
            *(
                Name("method"),
                " 'exact', the ideal bootstrap, is for means of integers, decimals or ",
            ),
            "small fractions. It is also for ratios of such sums whose denominator is the same for "
            "both systems on every example",
            remedy=(
                Parts("Here ", problem.inexact),
                Parts("Use ", Setting("method", "'auto'"), " or 'monte_carlo'"),
            ),
        )

    def run(self, problem: Draws, limits: Options, cost: Cost) -> Answer:
        """See `Engine`; "auto" has a lower budget, if the caller gave none."""
        assert isinstance(problem, SharedRatio)
        is_default = limits.method == "auto" and limits.budget == Budget()
        budget = _QUICK if is_default else limits.budget
        p = problem.pvalue(limits.alternative, limits.ties, budget)
        return Answer(p, intervals=problem.intervals((1.0 - limits.level) / 2.0, budget))


IDEAL = Ideal()
