"""The test of a mean: of scores over a denominator that no swap changes."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Budget, CertifiedProbability, Engine, tail_engine
from pairedperm.permutation.additive import of_sizes
from pairedperm.permutation.means import DifferenceCounts
from pairedperm.permutation.problem import Problem, Size, size_on_a_line
from pairedperm.results.null_distribution import null_distribution

__all__ = ["mean_problem"]


def mean_problem(
    differences: DifferenceCounts, denominator: int, alternative: str, decimals: int = 0
) -> Problem:
    """Test the difference of Σ scores / denominator."""
    observed = differences.observed
    sizes, how_often = differences.values, differences.multiplicities
    score1 = Fraction(differences.sum1) / denominator
    score2 = Fraction(differences.sum2) / denominator

    def extreme(sums: NDArray[Any]) -> NDArray[np.bool_]:
        s = sums[:, 0]
        if alternative == "two-sided":
            return np.asarray(np.abs(s) >= abs(observed))
        return np.asarray(s >= observed if alternative == "greater" else s <= observed)

    return Problem(
        statistic=float(score1 - score2),
        score1=float(score1),
        score2=float(score2),
        n=differences.n,
        n_differing=differences.n_differing,
        vectors=sizes[:, None],
        multiplicities=how_often,
        size=partial(_size, differences, alternative),
        exact=partial(_pvalue, differences, alternative),
        extreme=extreme,
        null=partial(null_distribution, differences, denominator),
        decimals=decimals,
        additive=of_sizes(sizes, how_often, differences.total, observed, alternative),
    )


def _pvalue(
    differences: DifferenceCounts, alternative: str, budget: Budget
) -> CertifiedProbability:
    """P(S ≥ t) for S = Σ ±d with fair signs: S = W - 2B, W = Σ d, so P(B ≤ (W - t) / 2)."""
    engine = _engine(differences, alternative, budget)
    if engine is None:
        return CertifiedProbability.exactly(1.0)
    tail = engine.run()
    return tail.doubled() if alternative == "two-sided" else tail


def _size(differences: DifferenceCounts, alternative: str, budget: Budget) -> Size:
    return size_on_a_line(
        differences.values,
        differences.multiplicities,
        lambda: _engine(differences, alternative, budget),
    )


def _engine(differences: DifferenceCounts, alternative: str, budget: Budget) -> Engine | None:
    """For one of the tails; None where the scores are the same, and p is 1."""
    threshold = differences.observed
    if alternative == "two-sided":
        if threshold == 0:
            return None
        threshold = abs(threshold)
    elif alternative == "less":
        threshold = -threshold  # S is symmetric
    bound = (differences.total - threshold) // 2
    return tail_engine(
        differences.values, differences.multiplicities, bound, differences.total, budget
    )
