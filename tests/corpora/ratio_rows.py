"""F1 as a ratio of two sums, and random corpora of sentences to score by it."""

import numpy as np

from pairedperm import Ratio

RATIO = Ratio([1, 0], [0, 1])
FAR_APART = [[2.0, 1e6], [7.0, 1e-3]], [[1e10, 1e10], [1e10, 1e6]]  # in different ways


def sentences(rng, n, advantage=0.0, disagreement=0.3):
    """2 tp and predicted + gold of n sentences: rows for F1."""
    gold = rng.integers(0, 4, n)
    common, rows = rng.binomial(gold, 0.8), []
    for quality in (0.8 + advantage, 0.8):
        own = rng.random(n) < disagreement
        tp = np.where(own, rng.binomial(gold, min(quality, 1.0)), common)
        rows += [2 * tp, gold + tp + np.where(own, rng.poisson(0.4, n), 0)]
    return np.stack(rows, axis=1)
