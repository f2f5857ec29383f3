"""The test of a ratio of two sums."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.permutation.problem import Problem
from pairedperm.permutation.ratio_differences import RatioDifferences
from pairedperm.permutation.ratios import ratio_pvalue, ratio_size
from pairedperm.results.null_distribution import ratio_null_distribution

__all__ = ["ratio_problem"]


def ratio_problem(differences: RatioDifferences, alternative: str) -> Problem:
    """Test the difference of two ratios of sums."""
    observed = differences.observed

    def extreme(sums: NDArray[Any]) -> NDArray[np.bool_]:
        if alternative == "less":
            return differences.at_least(-sums, -observed)  # D is odd
        if alternative == "greater":
            return differences.at_least(sums, observed)
        size = abs(observed)
        return differences.at_least(sums, size) | differences.at_least(-sums, size)

    return Problem(
        statistic=float(observed),
        score1=float(differences.score1),
        score2=float(differences.score2),
        n=differences.n,
        n_differing=differences.n_differing,
        vectors=differences.vectors,
        multiplicities=differences.multiplicities,
        size=partial(ratio_size, differences, alternative),
        exact=partial(ratio_pvalue, differences, alternative),
        extreme=extreme,
        null=partial(ratio_null_distribution, differences),
    )
