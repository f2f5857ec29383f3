"""The true p-values of statistics, by all swaps, and the paper's equation (16) in fractions."""

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


def exact_f1_difference(row):
    """Equation (16) of the first four columns, 0 where a denominator is."""
    tp1, in1, tp2, in2 = (*row, 0, 0, 0)[:4]
    f1 = [Fraction(2 * tp, 2 * tp + x) if 2 * tp + x else 0 for tp, x in ((tp1, in1), (tp2, in2))]
    return Fraction(f1[0] - f1[1])
