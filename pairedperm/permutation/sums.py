"""The test of any function of the column sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Budget, CertifiedProbability
from pairedperm.errors import BudgetError
from pairedperm.permutation.extremes import Extremes, ScoreExtremes, StatisticExtremes, SumScore
from pairedperm.permutation.points import sum_null_distribution, sum_pvalue
from pairedperm.permutation.problem import Problem, Size, known
from pairedperm.permutation.sum_differences import SumDifferences

__all__ = ["score_problem", "statistic_problem"]

FloatArray = NDArray[np.float64]


def score_problem(
    differences: SumDifferences, score: SumScore, alternative: str, decimals: int = 0
) -> Problem:
    """Test the difference of the scores of two systems, each a function of its column sums."""
    extremes = ScoreExtremes(differences, score, alternative)
    is_none = extremes.sign == 0 and alternative == "two-sided"
    scores = extremes.score1, extremes.score2
    return _problem(differences, extremes, scores, is_none, decimals)


def statistic_problem(
    differences: SumDifferences,
    statistic: Callable[[FloatArray], FloatArray],
    decimals: int = 0,
) -> Problem:
    """Test P(statistic(sum) ≥ statistic(observed sum)), the paper's general form."""
    extremes = StatisticExtremes(differences, statistic)
    return _problem(differences, extremes, (None, None), False, decimals)


def _problem(
    differences: SumDifferences,
    extremes: Extremes,
    scores: tuple[float | None, float | None],
    is_none: bool,
    decimals: int,
) -> Problem:
    """`is_none`: whether the observed difference is 0, and every other is at least as large."""
    is_known = is_none or not differences.n_differing

    def size(budget: Budget) -> Size:
        if is_known:
            return known(differences.law.rank if differences.n_differing else 0)
        law, excess = differences.law, None
        try:
            law.check(budget)
        except BudgetError as error:
            excess = str(error)
        return Size(law.rank, law.grid, law.n_points, law.n_bytes, law.how, excess)

    def exact(budget: Budget) -> CertifiedProbability:
        if is_known:
            return CertifiedProbability.exactly(1.0)
        return sum_pvalue(differences, extremes, budget)

    def extreme(signed: NDArray[Any]) -> NDArray[np.bool_]:
        return extremes.at(differences.counted_of_signed(signed))

    return Problem(
        statistic=extremes.observed,
        score1=scores[0],
        score2=scores[1],
        n=differences.n,
        n_differing=differences.n_differing,
        vectors=differences.vectors,
        multiplicities=differences.multiplicities,
        size=size,
        exact=exact,
        extreme=extreme,
        null=partial(sum_null_distribution, differences, extremes),
        decimals=decimals,
    )
