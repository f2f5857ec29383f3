"""The true p-values of statistics, by all swaps."""

from fractions import Fraction

import numpy as np


def all_sums(stay, swap):
    """Of all 2^n ways of swapping, shape (2^n, m)."""
    n = len(stay)
    stays = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return stays @ np.asarray(stay) + (1 - stays) @ np.asarray(swap)


def brute_force(stay, swap, exact):
    """The share of all 2^n ways of swapping in which the statistic is as large as observed."""
    sums, how_often = np.unique(all_sums(stay, swap), axis=0, return_counts=True)
    observed = exact(np.sum(stay, axis=0).tolist())
    n_extreme = sum(
        int(ways)
        for row, ways in zip(sums.tolist(), how_often, strict=True)
        if exact(row) >= observed
    )
    return Fraction(n_extreme, 2 ** len(stay))
