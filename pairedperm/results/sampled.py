"""An estimated p-value, and the bar that shows how far the sampling is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy.special import betaincinv

from pairedperm.convolution.sampling import LEAST_BYTES, SamplingCost
from pairedperm.errors import BudgetError, shown
from pairedperm.options import P_LEVEL, Budget, Options
from pairedperm.results.sentence import format_pvalue

HOUR = 3600.0  # tuned: seconds that sampling may take, about
_YEAR = 8766  # proof: hours
MOST = 10**9  # tuned: resamples, above which nobody learns more
PATIENCE = 1.0  # tuned: seconds until a progress bar appears


class SampledProbability(NamedTuple):
    """An estimated p-value and its logarithm, each with a confidence interval, and the seed."""

    value: float
    low: float
    high: float
    log: float
    log_low: float
    log_high: float
    seed: int


def sampled_share(k: int, m: int, seed: int) -> SampledProbability:
    """(k + 1) / (m + 1) with the interval of Clopper and Pearson for k of m, at 99 %."""
    value = (k + 1) / (m + 1)
    alpha = 1.0 - P_LEVEL
    high = float(betaincinv(k + 1, m - k, 1.0 - alpha / 2.0)) if k < m else 1.0
    low = float(betaincinv(k, m - k + 1, alpha / 2.0)) if k else 0.0
    log_low = math.log(low) if low > 0.0 else -math.inf
    return SampledProbability(value, low, high, math.log(value), log_low, math.log(high), seed)


def estimated(p: SampledProbability, n: int, why: str, of: str = "swaps") -> str:
    """What to warn of where nobody asked for samples."""
    why = why.rstrip(".")
    if p.value * (n + 1) < 2:
        why += f". No {of[:-1]} was as extreme: p may be much smaller"
    ends = f"{format_pvalue(p.log_low)} to {format_pvalue(p.log_high)}"
    return (
        f"p is estimated from {n:,} random {of} ({P_LEVEL:.0%} interval {ends}), for {why}. "
        f"Set `rng` to reproduce it (here rng={p.seed}), `n_resamples` to sharpen it."
    )


def check_sampling(options: Options, cost: SamplingCost, kept: int = 0) -> float:
    """About how many seconds so many resamples take; `kept` are the bytes that each leaves.

    Raises
    ------
    BudgetError
        If it is more than an hour, or they do not fit; decided by counts, not by a clock.
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
    return m * seconds


def sampling_bar(n_resamples: int, seconds: float) -> Any:
    """A progress bar for what takes so long, unless the switch of `datasets` hides all bars."""
    if seconds < PATIENCE:
        from tqdm import tqdm

        return tqdm(disable=True)
    from datasets.utils import tqdm as switched  # takes a second to import

    return switched(
        total=n_resamples, desc="Sampling", unit=" resamples", delay=PATIENCE, leave=False
    )
