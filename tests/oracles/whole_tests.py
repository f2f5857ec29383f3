"""The power of a permutation test, by whole sampled tests of examples that are drawn at random."""

import numpy as np


def power(rows1, rows2, score, n, alpha, rng, n_tests=1500, n_swaps=399):
    """The share of tests of n drawn rows whose p is at most α.

    `score` takes sums of rows, shape (b, m). p is (k + 1) / (n_swaps + 1).
    """
    n_found = 0
    for _ in range(n_tests):
        some = rng.integers(len(rows1), size=n)
        moves, total = rows1[some] - rows2[some], (rows1[some] + rows2[some]).sum(axis=0)
        signs = np.vstack([np.ones(n), rng.choice([-1.0, 1.0], (n_swaps, n))])
        swapped = signs @ moves
        found = np.abs(score((total + swapped) / 2.0) - score((total - swapped) / 2.0))
        k = (found[1:] >= found[0] * (1.0 - 1e-12)).sum()
        n_found += k + 1 <= alpha * (n_swaps + 1)
    return n_found / n_tests
