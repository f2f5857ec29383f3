"""The test of a mean of real scores, which lie on no lattice."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.line.enumeration import TOO_MANY
from pairedperm.convolution.line.pmf import listed_pmf
from pairedperm.options import Budget
from pairedperm.permutation.additive import Additive, sides
from pairedperm.permutation.listing import SUM_BYTES, n_sums
from pairedperm.permutation.problem import Problem
from pairedperm.permutation.real_differences import RealDifferences
from pairedperm.results.null_distribution import NullDistribution, frozen
from pairedperm.scoring.waist import Mean, Rows

__all__ = ["RealMeans"]


class RealMeans(Problem):
    """The difference of means of real scores.

    Sampled sums are those of the differences rounded to 2^-52 of their total; two of them tie if
    they differ by no more than that rounding. So does the null distribution.
    """

    def __init__(self, rows: Rows, score: Mean, alternative: str) -> None:
        self._differences = differences = RealDifferences.from_rows(rows)
        whole, self._exponent = differences.in_units
        self._observed, self._tolerance = int(whole.sum()), whole.size
        self._alternative = alternative
        self._sides = sides(differences.sign, alternative)
        values, self.multiplicities = np.unique(np.abs(whole), return_counts=True)
        self.vectors = values[:, None]
        self.n, self.n_differing = differences.n, differences.n_differing
        self.statistic = differences.observed / self.n
        self.score1, self.score2 = differences.sum1 / self.n, differences.sum2 / self.n
        self.is_known = self._sides == "all" or not self.n_differing
        self.no_lattice = rows.no_lattice

    @property
    def why_no_lattice(self) -> str:
        """See `Problem`."""
        return self.no_lattice

    @cached_property
    def additive(self) -> Additive:  # type: ignore[override]
        """See `Problem`."""
        found = self._differences
        return Additive(found.split, self._sides, lambda: found.whole_sizes)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """See `Problem`."""
        s, observed, tolerance = sums[:, 0], self._observed, self._tolerance
        if self._alternative == "two-sided":
            return np.asarray(np.abs(s) >= abs(observed) - tolerance)
        if self._alternative == "greater":
            return np.asarray(s >= observed - tolerance)
        return np.asarray(s <= observed + tolerance)

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """The law of the mean difference, all its values listed."""
        values, counts = self.vectors[:, 0], self.multiplicities
        n = n_sums(counts)
        budget.check(
            "the null distribution of scores that lie on no lattice has "
            f"{'at least ' if n == TOO_MANY else ''}{n:.3g} values, {SUM_BYTES * n:.3g} bytes",
            n_bytes=SUM_BYTES * n,
            remedy="Round the scores to the digits that they mean, for instance "
            "np.round(scores, 4).",
        )
        total = int((values * counts).sum())
        sums, pmf = listed_pmf(values, counts, total)
        signed = (2 * sums - total).astype(np.float64)
        return frozen(np.ldexp(signed, self._exponent) / self.n, pmf)
