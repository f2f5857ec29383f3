"""The true p-values of any exact score of sums of rows of integers, by all distinct sums."""

from fractions import Fraction

import numpy as np

from oracles.statistics import all_sums
from oracles.vectors import EXTREME


def differences_of_all_swaps(rows1, rows2, exact):
    """The observed difference, and those of all 2^n ways of swapping with how many give each."""
    rows1, rows2 = np.asarray(rows1), np.asarray(rows2)
    total = (rows1 + rows2).sum(axis=0)
    sums, how_often = np.unique(all_sums(rows1, rows2), axis=0, return_counts=True)
    score = {tuple(row): exact(row) for row in sums.tolist()}  # the mirror images among them
    pairs = zip(sums.tolist(), (total - sums).tolist(), strict=True)
    found = [score[tuple(first)] - score[tuple(second)] for first, second in pairs]
    first, second = rows1.sum(axis=0).tolist(), rows2.sum(axis=0).tolist()
    return score[tuple(first)] - score[tuple(second)], list(zip(found, how_often, strict=True))


def brute_force(rows1, rows2, exact, alternative):
    """The p-value of exact(sums of system 1) - exact(sums of system 2)."""
    observed, found = differences_of_all_swaps(rows1, rows2, exact)
    is_extreme = EXTREME[alternative]
    n_extreme = sum(int(ways) for d, ways in found if is_extreme(d, observed))
    return Fraction(n_extreme, 2 ** len(rows1))
