"""P-values and null distributions of any function of the column sums, from all their points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Budget, CertifiedProbability, Part, total_mass
from pairedperm.errors import BudgetError
from pairedperm.permutation.extremes import Extremes
from pairedperm.permutation.sum_differences import SumDifferences
from pairedperm.results.null_distribution import NullDistribution, frozen

__all__ = ["law_of", "probability_of", "sum_null_distribution", "sum_pvalue"]

_DYADIC = 52  # examples whose probabilities, multiples of 2^-n, are floats and add up exactly
_WIDE = 1e-10  # relative width of an interval from which on another law may be worth its cost
_SAME = 1e-12  # of the largest value of a statistic, by which two may differ


def sum_pvalue(
    differences: SumDifferences, extremes: Extremes, budget: Budget
) -> CertifiedProbability:
    """P(C is extreme), one point of the law after the other.

    Where the law within a window, or by a Fourier transform, knows p badly, for it is small,
    it is computed again from positive terms on the whole support, if that is affordable.

    Raises
    ------
    BudgetError
        If there are too many points.
    """
    if not differences.n_differing:
        return CertifiedProbability.exactly(1.0)
    p = _mass(differences.law.computed(budget), differences, extremes)
    if p.high - p.low > _WIDE * p.low and not differences.law.is_whole:
        try:
            whole = differences.law.as_whole().computed(budget)
        except BudgetError:
            return p
        p = _mass(whole, differences, extremes)
    return p


def _mass(law: Part, differences: SumDifferences, extremes: Extremes) -> CertifiedProbability:
    return probability_of(law, extremes.among(law), differences.n_differing)


def probability_of(
    law: Part, flags: NDArray[np.bool_], n: int, is_upper_end: bool = True
) -> CertifiedProbability:
    """Of the points with a flag, one of which is observed; those that are lost may have one too.

    n variables have 2^n assignments. With `is_upper_end`, p is the upper end of its interval
    where that is far above the lower one.
    """
    value = total_mass(law.masses[flags])
    if n <= _DYADIC and not law.error and not law.lost and value:
        return CertifiedProbability.exactly(value)
    p = CertifiedProbability.within(value, law.relative_error, law.error, law.lost, n)
    if is_upper_end and p.low < p.high / 2.0:  # not to understate it
        return replace(p, value=p.high, log=p.log_high)
    return p


def sum_null_distribution(
    differences: SumDifferences, extremes: Extremes, budget: Budget
) -> NullDistribution:
    """The law of the statistic; values that differ by 1e-12 of the largest are the same."""
    if not differences.n_differing:
        return frozen(np.array([extremes.observed]), np.ones(1))
    law = differences.law.computed(budget)
    return law_of(extremes.values(law), law.masses)


def law_of(values: NDArray[np.float64], masses: NDArray[np.float64]) -> NullDistribution:
    """Of values with these masses; those that differ by 1e-12 of the largest are the same."""
    order = np.argsort(values, kind="stable")
    values = values[order]
    gap = _SAME * float(np.abs(values).max())
    is_new = np.concatenate(([True], np.diff(values) > gap))
    pmf = np.bincount(np.cumsum(is_new) - 1, weights=masses[order])
    return frozen(values[is_new], pmf / pmf.sum())
