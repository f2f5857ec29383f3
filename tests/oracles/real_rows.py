"""The true p-values of scores of sums of real rows, by all swaps, in fractions and in floats."""

import itertools
from fractions import Fraction

import numpy as np

from oracles.vectors import EXTREME


def differences(rows1, rows2, score):
    """Of all 2^n ways of swapping, the observed one first; rows of Fractions."""
    pairs = list(zip(rows1, rows2, strict=True))
    for signs in itertools.product((1, -1), repeat=len(pairs)):
        chosen = [pair[::sign] for pair, sign in zip(pairs, signs, strict=True)]
        sums = (
            [sum(column) for column in zip(*rows, strict=True)]
            for rows in zip(*chosen, strict=True)
        )
        first, second = map(score, sums)
        yield first - second


def brute_force(rows1, rows2, score):
    """By alternative."""
    found = list(differences(rows1, rows2, score))
    return {
        alternative: Fraction(sum(is_extreme(d, found[0]) for d in found), len(found))
        for alternative, is_extreme in EXTREME.items()
    }


def of_floats(rows1, rows2, score):
    """The two-sided p-value of all swaps, sums and scores in floats."""
    differing = (rows1 != rows2).any(axis=1)
    numbers = np.arange(2 ** int(differing.sum()))
    sums = rows1[~differing].sum(axis=0) + np.zeros((numbers.size, rows1.shape[1]))
    for k, (a, b) in enumerate(zip(rows1[differing], rows2[differing], strict=True)):
        sums += np.where((numbers >> k & 1)[:, None], a, b)
    d = np.abs(score(sums) - score(sums[::-1]))  # the mirror image
    return (d >= d[-1] - 1e-12).mean()
