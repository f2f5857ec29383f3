"""Running a bootstrap test: the ideal bootstrap where it is known, otherwise resamples."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.problem import BootstrapProblem
from pairedperm.convolution import CertifiedProbability
from pairedperm.convolution.draws.multinomial import resampled_sums
from pairedperm.errors import BudgetError, InputError, warn
from pairedperm.options import Options
from pairedperm.results.bootstrap_result import ConfidenceInterval, PairedBootstrapResult
from pairedperm.results.sampled import SampledProbability, sampled_share, sampling_bar
from pairedperm.scoring.metric import MetricSpec

__all__ = ["run_bootstrap"]

FloatArray = NDArray[np.float64]
_TIE = 1e-12  # of the largest of four scores, by which two differences may differ and tie


class _Answer(NamedTuple):
    method: str
    p: CertifiedProbability | SampledProbability
    intervals: list[tuple[float, float]]  # of the difference and of both scores


def run_bootstrap(
    problem: BootstrapProblem, metric: MetricSpec | None, options: Options
) -> PairedBootstrapResult:
    """The test as its options say; "auto" samples what the ideal bootstrap cannot do.

    Raises
    ------
    InputError
        If the method cannot be used for this problem at all.
    BudgetError
        If it would take too much.

    Warns
    -----
    UserWarning
        If `method` is "auto" and it would take too much.
    """
    method, p, intervals = _answered(problem, options)
    return PairedBootstrapResult(
        statistic=problem.statistic,
        pvalue=p.value,
        log_pvalue=p.log,
        pvalue_interval=(p.low, p.high),
        log_pvalue_interval=(p.log_low, p.log_high),
        interval="confidence" if method == "monte_carlo" else "certified",
        score1=problem.score1,
        score2=problem.score2,
        metric=None if metric is None else metric.name,
        metric_options=None if metric is None else metric.options,
        alternative=options.alternative,
        method=method,
        n=problem.n,
        n_differing=problem.n_differing,
        n_resamples=options.n_resamples if method == "monte_carlo" else None,
        confidence_level=options.confidence_level,
        confidence_interval=ConfidenceInterval(*intervals[0]),
        score1_interval=ConfidenceInterval(*intervals[1]),
        score2_interval=ConfidenceInterval(*intervals[2]),
        ties=options.ties,
    )


def _answered(problem: BootstrapProblem, options: Options) -> _Answer:
    """By the method asked for; "auto" is "exact" where that is known and fits the budget."""
    if options.method == "monte_carlo" or (options.method == "auto" and problem.shared is None):
        return _sampled(problem, options)
    try:
        return _ideal(problem, options)
    except BudgetError as error:
        if options.method == "exact":
            raise BudgetError(f"{error} Or sample: method='monte_carlo'.") from error
        warn(f"p is sampled, for {error}")
    return _sampled(problem, options)


def _ideal(problem: BootstrapProblem, options: Options) -> _Answer:
    """Of all n^n resamples."""
    shared = problem.shared
    if shared is None:
        raise InputError(
            "`method` 'exact', the ideal bootstrap, is for means of integers, decimals or small "
            "fractions, and for ratios of such sums whose denominator is the same for both systems "
            f"on every example: here {problem.inexact}. Use method='auto' or 'monte_carlo'."
        )
    p = shared.pvalue(options.alternative, options.ties, options.budget)
    level = (1.0 - options.confidence_level) / 2.0
    return _Answer("exact", p, shared.intervals(level, options.budget))


def _sampled(problem: BootstrapProblem, options: Options) -> _Answer:
    """Of `n_resamples` resamples."""
    m, k = options.n_resamples, 0
    found: list[tuple[FloatArray, ...]] = []
    with sampling_bar(options, m) as bar:
        rng = options.generator()
        for sums in resampled_sums(problem.table, problem.multiplicities, m, rng):
            scores = problem.scores(sums)
            k += int(_extreme(problem, *scores, options).sum())
            found.append(scores)
            bar.update(len(sums))
    level = (1.0 - options.confidence_level) / 2.0
    columns = (np.concatenate(column) for column in zip(*found, strict=True))
    p = sampled_share(k, m, options.confidence_level)
    return _Answer("monte_carlo", p, [_percentiles(x, level) for x in columns])


def _extreme(
    problem: BootstrapProblem,
    difference: FloatArray,
    scores1: FloatArray,
    scores2: FloatArray,
    options: Options,
) -> NDArray[np.bool_]:
    """Which resampled differences are beyond the threshold; what is that near to it ties.

    Near beside the differences, where these are sums themselves, or else beside the scores.
    """
    largest, observed = np.abs(difference), abs(problem.statistic)
    if not problem.sums_differences:
        largest = np.maximum(np.abs(scores1), np.abs(scores2))
        observed = max(abs(problem.score1), abs(problem.score2))
    tie = _TIE * np.maximum(largest, observed)
    shifted, size = difference - problem.statistic, problem.statistic
    if options.alternative == "two-sided":
        shifted, size = np.abs(shifted), abs(size)
    elif options.alternative == "less":
        shifted, size = -shifted, -size
    return np.asarray(shifted >= size - tie if options.ties == "include" else shifted > size + tie)


def _percentiles(values: FloatArray, level: float) -> tuple[float, float]:
    """The least x that a share `level` is at most, and the greatest that it is at least."""
    rank = max(math.ceil(level * values.size * (1.0 - 1e-12)), 1) - 1
    ordered = np.partition(values, (rank, values.size - 1 - rank))
    return float(ordered[rank]), float(ordered[values.size - 1 - rank])
