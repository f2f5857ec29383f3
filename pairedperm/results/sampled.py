"""An estimated p-value, and the bar that shows how far the sampling is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy.special import betaincinv

from pairedperm.options import Options

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
