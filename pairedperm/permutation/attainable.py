"""The p-values that a test under swaps can have, given the sizes of its differences."""

from __future__ import annotations

import numpy as np

from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from pairedperm.permutation.means import Means
from pairedperm.results.correction import (
    AttainablePvalues,
    PvalueLaw,
    law_from,
    least_pvalue,
    unknown_law,
)
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult

_BUDGET = Budget(max_bytes=2**20)  # tuned: 16,000 points; on finer lattices F(t) is nearly t
_MASS = 1e-15 + 2.0**-53  # proof: the error of a mass, and of adding it to others


def law_of_pvalue(result: PairedResult) -> PvalueLaw:
    """Return the law of a result's p under swaps, given the |differences| of its examples.

    Let x_1 < … < x_k be the values of the statistic D under swaps. It is symmetric about 0. So a
    one-sided p takes the values P(D ≤ x_i). A two-sided p takes twice these values, up to the
    middle of the law, and there 1. The values are sums of i masses, each within `_MASS`.

    A mean on a lattice has all its values, if they are not too many: integers decide what ties
    there. Of other exact or bracketed p only the least value is used, 2^-m or 2^(1 - m) for m
    examples that differ: floats may join two values of such a statistic, and p has both. Of a
    sampled p, and of one of a bootstrap, nothing is known.
    """
    if not isinstance(result, PairedPermutationResult) or result.interval != "certified":
        return unknown_law
    if result.method == "bracket" or not isinstance(result._problem, Means):
        return law_from(least_pvalue(result))
    try:
        below = np.cumsum(result.null_distribution(_BUDGET).pmf)
    except BudgetError:
        return law_from(least_pvalue(result))
    error = _MASS * np.arange(1, below.size + 1)
    if result.alternative == "two-sided":
        half = (below.size + 1) // 2
        below, error = 2.0 * below[:half], 2.0 * error[:half]
        below[-1] = 1.0
    return AttainablePvalues(np.maximum(below - error, 0.0), np.minimum(below + error, 1.0))
