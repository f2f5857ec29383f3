"""The p-value by sampling swaps, from the distinct differences and not from the examples."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from pairedperm.options import Options

__all__ = ["SampledProbability", "sampled_pvalue"]

IntArray = NDArray[np.int64]
_CELLS = 2**20  # binomial variables drawn together
_PATIENCE = 1.0  # seconds until a progress bar appears
_INT64_MAX = np.iinfo(np.int64).max


class SampledProbability(NamedTuple):
    """An estimated p-value and its logarithm, each with a confidence interval."""

    value: float
    low: float
    high: float
    log: float
    log_low: float
    log_high: float


def sampled_pvalue(
    vectors: IntArray,
    multiplicities: IntArray,
    n_extreme: Callable[[NDArray[Any]], int],
    options: Options,
) -> SampledProbability:
    """The p-value (k + 1) / (m + 1), k of m random swaps being at least as extreme as observed.

    A swap of all examples is drawn as one Binomial(multiplicity, 1/2) for each of the distinct
    differences, shape (k, d), that are turned: O(m k), whatever the number of examples is.
    `n_extreme` counts among the sums, shape (block, d), those that are extreme.

    Counting the observed assignment keeps the test valid: P(p ≤ α) ≤ α (Phipson & Smyth 2010,
    equation 2). The interval is Clopper and Pearson's for k of m; for k = 0 its lower end is 2^-n,
    for the observed assignment is one of 2^n, or p if that is less.
    """
    from tqdm import tqdm

    rng = options.generator()
    m = options.n_resamples
    block = max(_CELLS // max(len(vectors), 1), 1)
    largest = int(np.abs(vectors).max(initial=0)) * int(multiplicities.sum())
    vectors = vectors if 2 * largest <= _INT64_MAX else vectors.astype(object)
    total = (multiplicities[:, None] * vectors).sum(axis=0)
    k = 0
    with tqdm(
        total=m,
        desc="Sampling",
        unit=" resamples",
        delay=_PATIENCE,
        disable=not options.progress,
        leave=False,
    ) as bar:
        for start in range(0, m, block):
            size = min(block, m - start)
            turned = rng.binomial(multiplicities, 0.5, size=(size, len(vectors)))
            k += n_extreme(total - 2 * (turned @ vectors))
            bar.update(size)
    value = (k + 1) / (m + 1)
    alpha = 1.0 - options.confidence_level
    high = float(betaincinv(k + 1, m - k, 1.0 - alpha / 2.0)) if k < m else 1.0
    high = max(high, value)  # which it is anyway, unless the level is low
    n, log = int(multiplicities.sum()), math.log(value)
    if k:
        low = float(betaincinv(k, m - k + 1, alpha / 2.0))
        log_low = math.log(low)
    else:  # the observed assignment is one of 2^n
        low, log_low = min(math.ldexp(1.0, -n), value), min(-n * math.log(2.0), log)
    return SampledProbability(value, low, high, log, log_low, math.log(high))
