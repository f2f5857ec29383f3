"""The true laws and p-values of sums of vectors, by adding them one by one and by all swaps."""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np

EXTREME = {
    "two-sided": lambda d, observed: abs(d) >= abs(observed),
    "greater": lambda d, observed: d >= observed,
    "less": lambda d, observed: d <= observed,
}
ALTERNATIVES = tuple(EXTREME)


def law(vectors, counts):
    """Σ vectors[k] · Binomial(counts[k], 1/2): how many of the 2^n assignments give each sum.

    A sum is added as one integer, whose signed digits are its coordinates.
    """
    vectors, counts = [[int(x) for x in vector] for vector in vectors], [int(x) for x in counts]
    largest = sum(n * max(map(abs, vector)) for vector, n in zip(vectors, counts, strict=True))
    base = 2 * largest + 1
    ways = {0: 1}
    for vector, count in zip(vectors, counts, strict=True):
        code = sum(x * base**i for i, x in enumerate(vector))
        steps = [(math.comb(count, k), k * code) for k in range(count + 1)]
        grown: dict[int, int] = defaultdict(int)
        for point, n in ways.items():
            for binomial, step in steps:
                grown[point + step] += n * binomial
        ways = grown
    return {_digits(point, base, len(vectors[0])): n for point, n in ways.items()}


def _digits(number, base, length):
    """The lowest first, from -(base - 1) / 2 to (base - 1) / 2."""
    found = []
    for _ in range(length):
        digit = (number + base // 2) % base - base // 2
        found.append(digit)
        number = (number - digit) // base
    return tuple(found)


def swaps(rows1, rows2):
    """Both systems' column sums in each of the 2^n ways of swapping, the observed ones first.

    Rows of integers, as Python's, or of fractions.
    """
    tables = (np.array(rows, dtype=object).tolist() for rows in (rows1, rows2))
    pairs = list(zip(*tables, strict=True))
    for swapped in product([False, True], repeat=len(pairs)):
        chosen = [pair[::-1] if s else pair for pair, s in zip(pairs, swapped, strict=True)]
        systems = zip(*chosen, strict=True)
        yield tuple([sum(column) for column in zip(*rows, strict=True)] for rows in systems)


def brute_force(rows1, rows2, score, alternative="two-sided"):
    """The p-value of score(sums of system 1) - score(sums of system 2), one swap after another.

    The score is a function of a list of numbers, which returns a Fraction.
    """
    differences = [score(sums1) - score(sums2) for sums1, sums2 in swaps(rows1, rows2)]
    return share(differences, alternative)


def share(differences, alternative):
    """Of the differences, those that are as extreme as the first."""
    extreme = [EXTREME[alternative](d, differences[0]) for d in differences]
    return Fraction(sum(extreme), len(extreme))
