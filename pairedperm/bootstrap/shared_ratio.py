"""The ideal bootstrap of a mean, or of a ratio whose denominator both systems have in common."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.convolution.draws.tail import power_of_share, resampled_lower_tail
from pairedperm.convolution.integers import distinct_rows, exact_dot, largest_entry
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

__all__ = ["SharedRatio"]

IntArray = NDArray[np.int64]
_LARGEST = 2**61  # so that differences are int64


@dataclass(frozen=True)
class SharedRatio:
    """Both systems' scores Σ numerators / (unit Σ sizes), over n examples drawn with replacement.

    The resampled difference δ* = Σ d / (unit Σ sizes), d = numerators1 - numerators2, is at least q
    if Σ (d - q unit sizes) ≥ 0: a sum of independent draws, whose tail the core knows. Where all
    sizes in a resample are 0 there is no score, and the difference is 0.

    Attributes
    ----------
    numerators1, numerators2 : int64 array, shape (k,)
        Of the distinct examples.
    sizes, multiplicities : int64 array, shape (k,)
        Sizes are not negative, and some are positive.
    unit : int
    zero_division : float
        The score where there is none.
    """

    numerators1: IntArray
    numerators2: IntArray
    sizes: IntArray
    multiplicities: IntArray
    unit: int = 1
    zero_division: float = 0.0

    @cached_property
    def _total(self) -> int:
        return self.unit * exact_dot(self.multiplicities, self.sizes)

    @cached_property
    def scores(self) -> tuple[Fraction, Fraction]:
        """Of both systems on the data."""
        one, two = (exact_dot(self.multiplicities, x) for x in (self.numerators1, self.numerators2))
        return Fraction(one, self._total), Fraction(two, self._total)

    @cached_property
    def n(self) -> int:
        """Number of examples."""
        return int(self.multiplicities.sum())

    @cached_property
    def difference(self) -> NDArray[Any]:
        """Numerators1 - numerators2, in Python integers where these may exceed int64."""
        one, two = self.numerators1, self.numerators2
        is_large = max(largest_entry(one), largest_entry(two)) >= _LARGEST
        return np.asarray((one.astype(object) if is_large else one) - two)

    @cached_property
    def _size(self) -> int | None:
        """Of all examples, if they have the same."""
        first = int(self.sizes[0])
        return first if (self.sizes == first).all() else None

    @cached_property
    def obstacle(self) -> str:
        """Why the ideal bootstrap is not known; empty if it is."""
        empty = self.sizes == 0
        has_some = (self.numerators1[empty] != self.numerators2[empty]).any()
        return "examples of size 0 count for the systems' difference" if has_some else ""

    def pvalue(self, alternative: str, ties: str, budget: Budget) -> CertifiedProbability:
        """P(δ* ≥ 2δ), P(δ* ≤ 2δ) or P(|δ* - δ| ≥ |δ|), which is P(δ* ≥ 2δ) + P(δ* ≤ 0) for δ > 0.

        Raises
        ------
        BudgetError
            If a transform would be too long.
        """
        difference, strict = self.scores[0] - self.scores[1], ties == "exclude"
        double = 2 * difference
        if alternative == "greater":
            return self._tail(double, 1, strict, budget)
        if alternative == "less":
            return self._tail(double, -1, strict, budget)
        if difference == 0 and not strict:
            return CertifiedProbability.exactly(1.0)
        zero, side = Fraction(0), -1 if difference < 0 else 1
        far = self._tail(double, side, strict, budget)
        return far.plus(self._tail(zero, -side, strict, budget))

    def _tail(
        self, threshold: Fraction, side: int, strict: bool, budget: Budget
    ) -> CertifiedProbability:
        """P(δ* ≥ threshold), with side -1 P(δ* ≤ threshold); with `strict` > and <."""
        q = threshold * self.unit
        if self._size is not None:
            bound = -side * q * self._size * self.n  # at the data's own sums
            last = math.ceil(bound) - 1 if strict else math.floor(bound)
            values, counts = self._distinct(_in_int64(-side * self.difference))
            p = resampled_lower_tail(values, counts, last, budget)
        else:
            difference, sizes = self.difference.astype(object), self.sizes.astype(object)
            against = difference * q.denominator - q.numerator * sizes
            values, counts = self._distinct(_in_int64(-side * against))
            p = resampled_lower_tail(values, counts, -1 if strict else 0, budget)
        n_empty = int(self.multiplicities[self.sizes == 0].sum())
        if not n_empty:
            return p
        # where all are empty the sum is 0, and the difference is: is that counted, and is it meant?
        is_counted, is_meant = not strict, side * threshold < 0 or (threshold == 0 and not strict)
        if is_counted == is_meant:
            return p
        empty = power_of_share(n_empty, self.n)
        return p.plus(empty) if is_meant else p.minus(empty)

    def intervals(self, level: float, budget: Budget) -> list[tuple[float, float]]:
        """Of the difference and of both scores, the least x with P(X ≤ x) ≥ level, and above.

        Exactly those of a mean on a lattice within the budget; `ratio_quantiles` of others.

        Raises
        ------
        BudgetError
            If differences may exceed int64.
        """
        difference = self._interval(_in_int64(self.difference), 0.0, level, budget)
        columns, if_none = (self.numerators1, self.numerators2), self.zero_division
        return [difference, *(self._interval(column, if_none, level, budget) for column in columns)]

    def _interval(
        self, column: IntArray, if_none: float, level: float, budget: Budget
    ) -> tuple[float, float]:
        if self._size is not None:
            try:
                values, counts = self._distinct(_in_int64(column))
                low, high = sum_quantiles(values, counts, level, budget)
                return low / self._total, high / self._total
            except BudgetError:
                pass  # so fine a lattice that the sum takes as many values as a ratio
        first, counts = distinct_rows([column, self.sizes], self.multiplicities)
        rows = column[first], self.sizes[first]
        low_ratio, high_ratio = ratio_quantiles(*rows, counts, level, if_none, budget)
        return low_ratio / self.unit, high_ratio / self.unit

    def _distinct(self, column: IntArray) -> tuple[IntArray, IntArray]:
        first, counts = distinct_rows([column], self.multiplicities)
        return column[first], counts


def _in_int64(column: NDArray[Any]) -> IntArray:
    """As they are, if differences do not exceed int64."""
    largest = largest_entry(column)
    if largest >= _LARGEST:
        raise BudgetError(
            f"the exact p-value needs sums of numbers up to {largest:.3g}, beyond int64: the "
            "scores are large in units of their last digit, or the examples are of many sizes."
        )
    return column.astype(np.int64)
