"""Inputs of every kind and size, for what is planned and what then runs."""

import numpy as np

from corpora.ratio_rows import RATIO
from pairedperm import compare, paired_permutation_test, structured_permutation_test

KINDS = (
    *("integers", "decimals", "long decimals", "reals", "two scales"),
    *("ratio", "line", "ratio of reals", "f1", "macro f1", "correlation", "three classes"),
    *("macro recall", "two columns", "three columns", "six columns", "columns of reals", "parts"),
)
_METRICS: dict[str, dict] = {
    "f1": {"metric": "f1", "pos_label": 1},
    "macro f1": {"metric": "f1", "average": "macro"},
    "correlation": {"metric": "matthews_correlation"},
    "three classes": {"metric": "f1", "average": "macro"},
    "macro recall": {"metric": "recall", "average": "macro"},
}
_COLUMNS = {"two columns": 2, "three columns": 3, "six columns": 6, "columns of reals": 2}


def weighed(sums):
    """A function of the sums that is no ratio."""
    return sums[..., 0] * (1.0 + sums[..., -1]) + sums.sum(axis=-1)


def sized(kind, n, size, shift, seed):
    """A test, what it is given, and its options: n examples with counts up to `size`.

    `shift` is by how much system 1 is better, as a share.
    """
    rng = np.random.default_rng(seed)
    if kind in _METRICS:
        options = dict(_METRICS[kind])
        n_classes = {"three classes": 3, "macro recall": 5}.get(kind, 2)
        gold = rng.integers(0, n_classes, n)
        gold[:2] = 1
        one, two = (
            np.where(rng.random(n) < right, gold, rng.integers(0, n_classes, n))
            for right in (0.5 + shift / 2, 0.5)
        )
        one[:2] = two[:2] = 1
        return compare, (one, two, gold), options
    if kind in _COLUMNS:
        columns = rng.integers(0, size, (2, n, _COLUMNS[kind]), endpoint=True)
        columns[0] += (rng.random((n, 1)) < shift) * columns[1]
        if kind == "columns of reals":
            return paired_permutation_test, tuple(columns * np.pi), {"score": weighed}
        if seed % 2:
            return structured_permutation_test, (*columns, weighed), {}
        return paired_permutation_test, tuple(columns), {"score": weighed}
    if kind == "parts":  # each example moves one of three columns
        columns = np.eye(3, dtype=int)[rng.integers(0, 3, (2, n))]
        columns[0] *= (rng.random((n, 1)) < shift) + 1
        return paired_permutation_test, tuple(columns), {"score": weighed}
    if kind in ("ratio", "line", "ratio of reals"):
        below = rng.integers(1, size, (2, n), endpoint=True)
        if kind == "line":
            below[1] = below[0]
        above = rng.binomial(below, [[0.5 + shift / 2], [0.5]])
        columns = np.stack((above, below), axis=-1)
        if kind == "ratio of reals":
            return paired_permutation_test, tuple(columns / np.pi), {"score": RATIO}
        return paired_permutation_test, tuple(columns), {"score": RATIO}
    scores = rng.integers(0, size, (2, n), endpoint=True)
    scores[0] += np.round(shift * size * rng.random(n)).astype(int)
    if kind == "reals":
        return paired_permutation_test, tuple(scores + rng.normal(size=(2, n))), {}
    if kind == "two scales":
        reals = rng.normal(size=(2, n))
        reals[0, : n // 5] *= 1e4
        return paired_permutation_test, tuple(reals), {}
    unit = {"integers": 1, "decimals": 100, "long decimals": 10**6}[kind]
    return paired_permutation_test, tuple(scores / unit if unit > 1 else scores), {}
