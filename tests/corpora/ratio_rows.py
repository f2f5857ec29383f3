"""F1 as a ratio of two sums, and random corpora of sentences to score by it."""

from typing import Any

import numpy as np

from pairedperm import Ratio, paired_permutation_test

RATIO = Ratio([1, 0], [0, 1])


def sentences(rng, n, advantage=0.0, disagreement=0.3):
    """2 tp and predicted + gold of n sentences: rows for F1."""
    gold = rng.integers(0, 4, n)
    common, rows = rng.binomial(gold, 0.8), []
    for quality in (0.8 + advantage, 0.8):
        own = rng.random(n) < disagreement
        tp = np.where(own, rng.binomial(gold, min(quality, 1.0)), common)
        rows += [2 * tp, gold + tp + np.where(own, rng.poisson(0.4, n), 0)]
    return np.stack(rows, axis=1)


def run(rows, alternative="two-sided", zero_division=0.0, method="exact"):
    """The test on rows (numerator1, denominator1, numerator2, denominator2)."""
    rows = np.asarray(rows)
    weights = [1, 0], [0, 1]
    columns: Any = rows[:, :2], rows[:, 2:]
    if rows.min() < 0:  # numerators: counts are not negative, weights may be
        weights = [1, -1, 0], [0, 0, 1]
        columns = [
            np.stack((np.maximum(x, 0), np.maximum(-x, 0), y), axis=1)
            for x, y in (column.T for column in columns)
        ]
    score = Ratio(*weights, zero_division=zero_division)
    return paired_permutation_test(*columns, score=score, alternative=alternative, method=method)


def small_corpus(rng):
    """Up to 9 rows; numerators may exceed denominators, denominators may be 0."""
    n, largest = int(rng.integers(1, 10)), int(rng.choice([1, 2, 3, 5]))
    rows = rng.integers(0, largest + 1, (n, 4))
    rows[:, [1, 3]] *= rng.random((n, 2)) > rng.choice([0.0, 0.3, 0.7])
    kind = rng.integers(4)
    if kind == 0:
        rows[:, [0, 2]] = np.minimum(rows[:, [0, 2]], rows[:, [1, 3]])
    elif kind == 1:
        rows[:, [0, 2]] -= largest // 2
    elif kind == 2:  # one denominator is always 0: after some swaps all of a system's are
        rows[np.arange(n), rng.choice([1, 3], n)] = 0
    return rows.tolist()
