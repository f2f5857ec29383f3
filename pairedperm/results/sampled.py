"""An estimated p-value, and the bar that shows how far the sampling is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy.special import betaincinv

from pairedperm.convolution.sampling import LEAST_BYTES, SamplingCost
from pairedperm.errors import BudgetError, shown
from pairedperm.options import Budget, Options

HOUR = 3600.0  # tuned: seconds that sampling may take, about
_YEAR = 8766  # proof: hours
MOST = 10**9  # tuned: resamples, above which nobody learns more
PATIENCE = 1.0  # tuned: seconds until a progress bar appears


class SampledProbability(NamedTuple):
    """An estimated p-value and its logarithm, each with a confidence interval."""

    value: float
    low: float
    high: float
    log: float
    log_low: float
    log_high: float


def sampled_share(k: int, m: int, confidence_level: float) -> SampledProbability:
    """(k + 1) / (m + 1) with the interval of Clopper and Pearson for k of m."""
    value = (k + 1) / (m + 1)
    alpha = 1.0 - confidence_level
    high = float(betaincinv(k + 1, m - k, 1.0 - alpha / 2.0)) if k < m else 1.0
    high = max(high, value)  # which it is anyway, unless the level is low
    low = float(betaincinv(k, m - k + 1, alpha / 2.0)) if k else 0.0
    log_low = math.log(low) if low > 0.0 else -math.inf
    return SampledProbability(value, low, high, math.log(value), log_low, math.log(high))


def check_sampling(options: Options, cost: SamplingCost, kept: int = 0) -> None:
    """Raise BudgetError if so many resamples take more than an hour, or do not fit.

    Decided by counts, not by a clock; `kept` are the bytes that each leaves.
    """
    m, seconds = options.n_resamples, 1e-9 * cost.nanoseconds
    if m >= MOST or m * seconds > HOUR:
        most = min(int(HOUR / seconds), MOST - 1)
        hours = min(m, 10**100) * seconds / HOUR
        time = f"about {hours:,.1f} hours" if hours < _YEAR else "more than a year"
        raise BudgetError(
            f"`n_resamples` must be at most {most:,} here, got {shown(m)}, which would take "
            f"{time}. Draw fewer: of p = 0.05 the standard error is 0.0007 with "
            "n_resamples=100_000, 0.0002 with 1_000_000."
        )
    n_bytes = cost.n_bytes + kept * m
    # "auto" samples small problems whatever the budget is
    budget = Budget(max_bytes=max(options.budget.max_bytes, 2 * LEAST_BYTES))
    instead = (
        "draw fewer resamples" if kept * m > cost.n_bytes else "compare fewer columns or classes"
    )
    remedy = f"Raise it, or {instead}."
    budget.check(f"{m:,} resamples need {n_bytes:.3g} bytes", n_bytes=n_bytes, remedy=remedy)


def sampling_bar(options: Options, n_resamples: int) -> Any:
    """A progress bar, unless it is not wanted or sampling is quick."""
    from tqdm import tqdm

    return tqdm(
        total=n_resamples,
        desc="Sampling",
        unit=" resamples",
        delay=PATIENCE,
        disable=not options.progress,
        leave=False,
    )
