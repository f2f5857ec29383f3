"""The p-value by sampling swaps, from the distinct differences and not from the examples."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy.special import betaincinv

from pairedperm.convolution.sampling import sampled_sums
from pairedperm.options import Options
from pairedperm.permutation.problem import Problem

__all__ = ["SampledProbability", "sampled_pvalue", "sampled_share", "sampling_bar"]

_PATIENCE = 1.0  # seconds until a progress bar appears


class SampledProbability(NamedTuple):
    """An estimated p-value and its logarithm, each with a confidence interval."""

    value: float
    low: float
    high: float
    log: float
    log_low: float
    log_high: float


def sampled_pvalue(problem: Problem, options: Options) -> SampledProbability:
    """The p-value (k + 1) / (m + 1), k of m random swaps being at least as extreme as observed.

    Counting the observed assignment keeps the test valid: P(p ≤ α) ≤ α (Phipson & Smyth 2010,
    equation 2). The interval is Clopper and Pearson's for k of m; for k = 0 its lower end is 2^-n,
    for the observed assignment is one of 2^n, or p if that is less.
    """
    m, multiplicities = options.n_resamples, problem.multiplicities
    total = problem.total
    k = 0
    with sampling_bar(options, m) as bar:
        for sums in sampled_sums(problem.vectors, multiplicities, m, options.generator()):
            k += int(problem.extreme(total - 2 * sums).sum())
            bar.update(len(sums))
    n = int(multiplicities.sum())
    found = sampled_share(k, m, options.confidence_level)
    if k:
        return found
    low = min(math.ldexp(1.0, -n), found.value)  # the observed assignment is one of 2^n
    return found._replace(low=low, log_low=min(-n * math.log(2.0), found.log))


def sampled_share(k: int, m: int, confidence_level: float) -> SampledProbability:
    """(k + 1) / (m + 1) with the interval of Clopper and Pearson for k of m."""
    value = (k + 1) / (m + 1)
    alpha = 1.0 - confidence_level
    high = float(betaincinv(k + 1, m - k, 1.0 - alpha / 2.0)) if k < m else 1.0
    high = max(high, value)  # which it is anyway, unless the level is low
    low = float(betaincinv(k, m - k + 1, alpha / 2.0)) if k else 0.0
    log_low = math.log(low) if low > 0.0 else -math.inf
    return SampledProbability(value, low, high, math.log(value), log_low, math.log(high))


def sampling_bar(options: Options, n_resamples: int) -> Any:
    """A progress bar, unless it is not wanted or sampling is quick."""
    from tqdm import tqdm

    return tqdm(
        total=n_resamples,
        desc="Sampling",
        unit=" resamples",
        delay=_PATIENCE,
        disable=not options.progress,
        leave=False,
    )
