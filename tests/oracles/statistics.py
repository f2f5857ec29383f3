"""The true p-values of statistics, by all swaps."""

import numpy as np


def all_sums(stay, swap):
    """Of all 2^n ways of swapping, shape (2^n, m)."""
    n = len(stay)
    stays = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return stays @ np.asarray(stay) + (1 - stays) @ np.asarray(swap)
