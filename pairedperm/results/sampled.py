"""An estimated p-value: how many samples it takes, and the bar that shows how far they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from pairedperm.convolution.sampling import LEAST_BYTES, SamplingCost
from pairedperm.errors import BudgetError, shown
from pairedperm.options import P_LEVEL, Budget, Options
from pairedperm.results.sentence import format_pvalue

HOUR = 3600.0  # tuned: seconds that sampling may take, about
_YEAR = 8766  # proof: hours
MOST = 10**9  # tuned: resamples, above which nobody learns more
PATIENCE = 1.0  # tuned: seconds until a progress bar appears
ENOUGH = 100  # tuned: samples as extreme, by which p is known to 10 %, its standard error
QUICK = 3.0  # tuned: seconds that "auto" takes for an answer, about; what takes longer is shown
_MOST = 10**6  # tuned: samples that "auto" takes, at most, until there are enough


class SampledProbability(NamedTuple):
    """An estimated p-value and its logarithm, each with a confidence interval, and the samples."""

    value: float
    low: float
    high: float
    log: float
    log_low: float
    log_high: float
    n: int
    seed: int


def sampled_pvalue(
    blocks: Iterator[NDArray[np.bool_]], first: int, most: int, seconds: float, seed: int
) -> SampledProbability:
    """The p-value of `first` samples, or of up to `most`, until 100 of them are as extreme.

    Of m = `first` samples with k ≥ 100 it is (k + 1) / (m + 1), and of m = `most` with k < 100. If
    the 100th is sample L in between, it is 100 / L, whatever else is in its block. The test is
    valid: P(p ≤ α) ≤ α (Besag & Clifford 1991).

    Parameters
    ----------
    blocks : iterator of bool arrays
        Whether each sample is as extreme, in the order in which they are drawn. A block ends
        with the first samples.
    first, most : int
    seconds : float
        That a sample takes, about.
    seed : int
        Of the samples.
    """
    k = n = 0
    for end in dict.fromkeys((first, most)):
        if k >= ENOUGH:
            break
        goes_on, likely = n > 0, end - n
        if goes_on:
            likely = min(likely, n * (ENOUGH - k) // max(k, 1))
        with sampling_bar(end - n, likely * seconds) as bar:
            while n < end:
                block = next(blocks)
                places = np.flatnonzero(block)
                if goes_on and k + places.size >= ENOUGH:
                    last = n + int(places[ENOUGH - k - 1]) + 1
                    return sampled_share(ENOUGH, last, seed, is_last=True)
                k, n = k + places.size, n + block.size
                bar.update(block.size)
    return sampled_share(k, n, seed)


def sampled_share(k: int, m: int, seed: int, is_last: bool = False) -> SampledProbability:
    """(k + 1) / (m + 1) with the interval of Clopper and Pearson for k of m, at 99 %.

    If sampling stopped at the k-th (`is_last`), sample m, the value is k / m, which is that of
    k - 1 of m - 1. So is the upper end: P(the k-th is sample m or a later one) = P(at most k - 1 of
    m - 1). The lower end is that of k of m: P(the k-th is sample m or an earlier one) = P(k or
    more of m). Both ends are exact for `sampled_pvalue`: at either one, the outcomes with a p from
    this one on, up or down, have the chance of 0.5 %. They lie within the interval for k of m.
    """
    others, chances = (k - 1, m - 1) if is_last else (k, m)
    value = (others + 1) / (chances + 1)
    alpha = 1.0 - P_LEVEL
    high = 1.0
    if others < chances:
        high = float(betaincinv(others + 1, chances - others, 1.0 - alpha / 2.0))
    low = float(betaincinv(k, m - k + 1, alpha / 2.0)) if k else 0.0
    log_low = math.log(low) if low > 0.0 else -math.inf
    return SampledProbability(value, low, high, math.log(value), log_low, math.log(high), m, seed)


def most_samples(options: Options, seconds: float) -> int:
    """Up to how many are drawn, each of which takes so long: by "auto" some seconds' worth."""
    first = options.n_first
    if options.method != "auto" or options.n_resamples is not None:
        return first
    return max(first, min(_MOST, int(QUICK / seconds)))


def estimated(p: SampledProbability, why: str, of: str = "swaps") -> str:
    """What to warn of where nobody asked for samples."""
    why = why.rstrip(".")
    if p.value * (p.n + 1) < 2:
        why += f". No {of[:-1]} was as extreme: p may be much smaller"
    ends = f"{format_pvalue(p.log_low)} to {format_pvalue(p.log_high)}"
    return (
        f"p is estimated from {p.n:,} random {of} ({P_LEVEL:.0%} interval {ends}), because {why}. "
        f"Set `rng` to reproduce it (here rng={p.seed}), `n_resamples` to sharpen it."
    )


def check_sampling(options: Options, cost: SamplingCost, kept: int = 0) -> float:
    """About how many seconds so many resamples take; `kept` are the bytes that each leaves.

    Raises
    ------
    BudgetError
        If it is more than an hour, or they do not fit; decided by counts, not by a clock.
    """
    m, seconds = options.n_first, 1e-9 * cost.nanoseconds
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


def sampling_bar(total: int, seconds: float, unit: str = "resamples") -> Any:
    """A progress bar for what takes so long, unless the switch of `datasets` hides all bars."""
    if seconds < PATIENCE:
        from tqdm import tqdm

        return tqdm(disable=True)
    from datasets.utils import tqdm as switched  # takes a second to import

    return switched(total=total, desc="Sampling", unit=f" {unit}", delay=PATIENCE, leave=False)
