"""The test of a mean of real scores, which lie on no lattice."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import TOO_MANY, Budget, CertifiedProbability, listed_pmf
from pairedperm.errors import BudgetError, NoLatticeError
from pairedperm.permutation.additive import Additive, sides
from pairedperm.permutation.listing import SUM_BYTES, n_sums
from pairedperm.permutation.problem import Problem, Size, known
from pairedperm.permutation.real_differences import RealDifferences, RealScores
from pairedperm.results.null_distribution import NullDistribution, frozen

__all__ = ["real_problem"]

IntArray = NDArray[np.int64]


def real_problem(scores: RealScores, alternative: str) -> Problem:
    """Test the difference of means of real scores.

    Sampled sums are those of the differences rounded to 2^-52 of their total; two of them tie if
    they differ by no more than that rounding. So does the null distribution.
    """
    differences, reason = RealDifferences.from_scores(scores), scores.fact
    whole, exponent = differences.in_units
    observed, tolerance = int(whole.sum()), whole.size
    values, counts = np.unique(np.abs(whole), return_counts=True)
    kind = sides(differences.sign, alternative)
    p_is_known = kind == "all" or not differences.n_differing

    def size(budget: Budget) -> Size:
        if p_is_known:
            return known(min(values.size, 1))
        return Size(1, None, n_sums(counts), 0, "", reason)

    def exact(budget: Budget) -> CertifiedProbability:
        if p_is_known:
            return CertifiedProbability.exactly(1.0)
        raise NoLatticeError(f"the scores lie on no lattice: {reason}.", reason)

    def extreme(sums: NDArray[Any]) -> NDArray[np.bool_]:
        s = sums[:, 0]
        if alternative == "two-sided":
            return np.asarray(np.abs(s) >= abs(observed) - tolerance)
        return np.asarray(
            s >= observed - tolerance if alternative == "greater" else s <= observed + tolerance
        )

    def null(budget: Budget) -> NullDistribution:
        sums, pmf = _null(values, counts, budget)
        return frozen(np.ldexp(sums.astype(np.float64), exponent) / differences.n, pmf)

    return Problem(
        statistic=differences.observed / differences.n,
        score1=differences.sum1 / differences.n,
        score2=differences.sum2 / differences.n,
        n=differences.n,
        n_differing=differences.n_differing,
        vectors=values[:, None],
        multiplicities=counts,
        size=size,
        exact=exact,
        extreme=extreme,
        null=null,
        additive=Additive(differences.split, kind, lambda: differences.whole_sizes),
        no_lattice=reason,
    )


def _null(
    values: IntArray, counts: IntArray, budget: Budget
) -> tuple[IntArray, NDArray[np.float64]]:
    """The law of the signed sum, all its values listed."""
    n_bytes = SUM_BYTES * n_sums(counts)
    if n_bytes > budget.max_bytes:
        least = "at least " if n_sums(counts) == TOO_MANY else ""
        raise BudgetError(
            f"the null distribution of scores that lie on no lattice has {least}"
            f"{n_sums(counts):.3g} values, {n_bytes:.3g} bytes; `max_bytes` allows "
            f"{budget.max_bytes:.3g}. Round the scores to the digits that they mean, for instance "
            "np.round(scores, 4)."
        )
    total = int((values * counts).sum())
    sums, pmf = listed_pmf(values, counts, total)
    return 2 * sums - total, pmf
