"""Two systems' counts for each of N sentences, as the benchmarks draw them.

System 1 is better by a share of the order effect / √N. So p has the same order for every N:
ordinary, or tiny for a large effect.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

ORDINARY = 0.5  # effect: p is about 0.05 for correct tokens
ACCURACY, LENGTH = (0.9543, 0.1116), (12.08, 10.60)  # mean, standard deviation: the paper's Table 1
Pair = tuple[np.ndarray, np.ndarray]


def correct_tokens(n: int, effect: float, rng: Generator) -> Pair:
    """Draw ⌊accuracy · length⌋ correct tokens of each sentence by the paper's generator."""
    lengths = np.ceil(truncated_normal(rng, *LENGTH, math.inf, n))
    one, two = accuracies(n, effect, rng)
    return np.floor(one * lengths).astype(np.int64), np.floor(two * lengths).astype(np.int64)


def accuracies(n: int, effect: float, rng: Generator) -> Pair:
    """Draw the accuracies of sentences; the mean of system 2 is lower by the share effect / √n."""
    mean, sd = ACCURACY
    one = truncated_normal(rng, mean, sd, 1.0, n)
    return one, truncated_normal(rng, (1.0 - effect / math.sqrt(n)) * mean, sd, 1.0, n)


def truncated_normal(rng: Generator, mean: float, sd: float, high: float, n: int) -> np.ndarray:
    """Draw normal variables in (0, high]; values outside are drawn again."""
    values = rng.normal(mean, sd, n)
    while (outside := np.flatnonzero((values <= 0.0) | (values > high))).size:
        values[outside] = rng.normal(mean, sd, outside.size)
    return values


def entities(n: int, effect: float, rng: Generator) -> Pair:
    """Draw rows of 2 tp and predicted + gold; the recall of system 1 is effect / √n higher.

    Sentences have up to four entities. Both systems find most of them. On a quarter of the
    sentences each has its own finds and false alarms, on the others they agree.
    """
    gold = rng.integers(0, 5, n)
    common = rng.binomial(gold, 0.8)
    rows = []
    for recall in (min(0.8 + effect / math.sqrt(n), 1.0), 0.8):
        own = rng.random(n) < 0.25
        tp = np.where(own, rng.binomial(gold, recall), common)
        spurious = np.where(own, rng.poisson(0.4, n), 0)
        rows.append(np.stack((2 * tp, gold + tp + spurious), axis=1))
    return rows[0], rows[1]
