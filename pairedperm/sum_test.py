"""The test of any function of the column sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Budget, CertifiedProbability
from pairedperm.errors import BudgetError
from pairedperm.extremes import ScoreExtremes, StatisticExtremes, SumScore
from pairedperm.problem import KNOWN, Problem, Size
from pairedperm.sum_differences import SumDifferences
from pairedperm.sum_tail import sum_null_distribution, sum_pvalue

__all__ = ["score_problem", "statistic_problem"]

FloatArray = NDArray[np.float64]


def score_problem(differences: SumDifferences, score: SumScore, alternative: str) -> Problem:
    """Test the difference of the scores of two systems, each a function of its column sums."""
    extremes = ScoreExtremes(differences, score, alternative)
    is_none = extremes.sign == 0 and alternative == "two-sided"
    return _problem(differences, extremes, extremes.score1, extremes.score2, is_none)


def statistic_problem(
    differences: SumDifferences, statistic: Callable[[FloatArray], FloatArray]
) -> Problem:
    """Test P(statistic(sum) ≥ statistic(observed sum)), the paper's general form."""
    return _problem(differences, StatisticExtremes(differences, statistic), None, None, False)


def _problem(
    differences: SumDifferences,
    extremes: ScoreExtremes | StatisticExtremes,
    score1: float | None,
    score2: float | None,
    is_none: bool,
) -> Problem:
    """`is_none`: whether the observed difference is 0, and every other is at least as large."""
    is_known = is_none or not differences.n_differing

    def size(budget: Budget) -> Size:
        if is_known:
            return KNOWN
        law = differences.law
        try:
            law.check(budget)
        except BudgetError as error:
            return Size(law.grid, law.n_points, law.n_bytes, law.how, str(error))
        return Size(law.grid, law.n_points, law.n_bytes, law.how)

    def exact(budget: Budget) -> CertifiedProbability:
        if is_known:
            return CertifiedProbability.exactly(1.0)
        return sum_pvalue(differences, extremes, budget)

    def extreme(signed: NDArray[Any]) -> NDArray[np.bool_]:
        return extremes.at(differences.counted_of_signed(signed))

    def values(signed: NDArray[Any]) -> FloatArray:
        return extremes.values_at(differences.counted_of_signed(signed))

    return Problem(
        statistic=extremes.observed,
        score1=score1,
        score2=score2,
        n=differences.n,
        n_differing=differences.n_differing,
        rank=lambda: differences.law.rank if differences.n_differing else 0,
        vectors=differences.vectors,
        multiplicities=differences.multiplicities,
        size=size,
        exact=exact,
        extreme=extreme,
        values=values,
        null=partial(sum_null_distribution, differences, extremes),
    )
