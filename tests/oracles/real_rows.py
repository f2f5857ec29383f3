"""The true p-values of scores of sums of real rows, by all swaps, in fractions and in floats."""

import numpy as np

from oracles import vectors


def brute_force(rows1, rows2, score):
    """By alternative; rows of Fractions."""
    found = [score(one) - score(two) for one, two in vectors.swaps(rows1, rows2)]
    return {alternative: vectors.share(found, alternative) for alternative in vectors.EXTREME}


def of_floats(rows1, rows2, score):
    """The two-sided p-value of all swaps, sums and scores in floats."""
    differing = (rows1 != rows2).any(axis=1)
    numbers = np.arange(2 ** int(differing.sum()))
    sums = rows1[~differing].sum(axis=0) + np.zeros((numbers.size, rows1.shape[1]))
    for k, (a, b) in enumerate(zip(rows1[differing], rows2[differing], strict=True)):
        sums += np.where((numbers >> k & 1)[:, None], a, b)
    d = np.abs(score(sums) - score(sums[::-1]))  # the mirror image
    return (d >= d[-1] - 1e-12).mean()
