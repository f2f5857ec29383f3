"""The tests on what they depend on: the differences, each of which has a random sign."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Budget, CertifiedProbability, lower_tail
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import BudgetError, warn
from pairedperm.metric import MetricSpec
from pairedperm.montecarlo import SampledProbability, sampled_pvalue
from pairedperm.null import NullDistribution, null_distribution, ratio_null_distribution
from pairedperm.options import Options
from pairedperm.ratio_differences import RatioDifferences
from pairedperm.ratio_tail import ratio_pvalue
from pairedperm.result import PairedPermutationResult

__all__ = ["ratio_test", "sign_flip_test"]

IntArray = NDArray[np.int64]


def sign_flip_test(
    differences: DifferenceCounts, denominator: int, metric: MetricSpec | None, options: Options
) -> PairedPermutationResult:
    """Test the difference of Σ scores / denominator, a denominator that no swap changes."""
    observed = differences.observed

    def n_extreme(sums: NDArray[Any]) -> int:
        return _n_extreme(sums[:, 0], observed, options.alternative)

    return _result(
        differences,
        (Fraction(differences.sum1, denominator), Fraction(differences.sum2, denominator)),
        metric,
        options,
        exact=partial(_sign_flip_pvalue, differences, options.alternative),
        vectors=differences.values[:, None],
        n_extreme=n_extreme,
        null=partial(null_distribution, differences, denominator),
    )


def ratio_test(
    differences: RatioDifferences, metric: MetricSpec | None, options: Options
) -> PairedPermutationResult:
    """Test the difference of two ratios of sums."""
    observed = differences.observed

    def n_extreme(sums: NDArray[Any]) -> int:
        if options.alternative == "less":
            return int(differences.at_least(-sums, -observed).sum())  # D is odd
        if options.alternative == "greater":
            return int(differences.at_least(sums, observed).sum())
        size = abs(observed)
        extreme = differences.at_least(sums, size) | differences.at_least(-sums, size)
        return int(extreme.sum())

    return _result(
        differences,
        (differences.score1, differences.score2),
        metric,
        options,
        exact=partial(ratio_pvalue, differences, options.alternative),
        vectors=differences.vectors,
        n_extreme=n_extreme,
        null=partial(ratio_null_distribution, differences),
    )


def _result(
    differences: DifferenceCounts | RatioDifferences,
    scores: tuple[Fraction, Fraction],
    metric: MetricSpec | None,
    options: Options,
    *,
    exact: Callable[[Budget], CertifiedProbability],
    vectors: IntArray,
    n_extreme: Callable[[NDArray[Any]], int],
    null: Callable[[Budget], NullDistribution],
) -> PairedPermutationResult:
    """The p-value by the method that was asked for; "auto" samples what exceeds the budget."""
    p: CertifiedProbability | SampledProbability | None = None
    if options.method != "monte_carlo":
        try:
            p = exact(options.budget)
        except BudgetError as error:
            if options.method == "exact":
                raise
            warn(f"p is sampled, for {error}")
    is_exact = p is not None
    if p is None:
        p = sampled_pvalue(vectors, differences.multiplicities, n_extreme, options)
    score1, score2 = scores
    return PairedPermutationResult(
        statistic=float(score1 - score2),
        pvalue=p.value,
        log_pvalue=p.log,
        pvalue_interval=(p.low, p.high),
        log_pvalue_interval=(p.log_low, p.log_high),
        interval="certified" if is_exact else "confidence",
        score1=float(score1),
        score2=float(score2),
        metric=None if metric is None else metric.name,
        metric_options=None if metric is None else metric.options,
        alternative=options.alternative,
        method="exact" if is_exact else "monte_carlo",
        n=differences.n,
        n_differing=differences.n_differing,
        n_resamples=None if is_exact else options.n_resamples,
        confidence_level=None if is_exact else options.confidence_level,
        _null=null,
    )


def _n_extreme(sums: NDArray[Any], observed: int, alternative: str) -> int:
    """How many sums are at least as extreme as the observed one."""
    if alternative == "two-sided":
        return int((np.abs(sums) >= abs(observed)).sum())
    return int((sums >= observed if alternative == "greater" else sums <= observed).sum())


def _sign_flip_pvalue(
    differences: DifferenceCounts, alternative: str, budget: Budget
) -> CertifiedProbability:
    """P(S ≥ t) for S = Σ ±d with fair signs: S = W - 2B, W = Σ d, so P(B ≤ (W - t) / 2)."""
    threshold = differences.observed
    if alternative == "two-sided":
        if threshold == 0:
            return CertifiedProbability.exactly(1.0)
        threshold = abs(threshold)
    elif alternative == "less":
        threshold = -threshold  # S is symmetric
    bound = (differences.total - threshold) // 2
    tail = lower_tail(
        differences.values, differences.multiplicities, bound, differences.total, budget
    )
    return tail.doubled() if alternative == "two-sided" else tail
