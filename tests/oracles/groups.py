"""The true p-values where groups of examples are swapped together: by listing all."""

from fractions import Fraction
from itertools import product


def members(groups):
    """The places of each group's examples, in the order in which groups first occur."""
    return [[k for k, x in enumerate(groups) if x == group] for group in dict.fromkeys(groups)]


def by_swaps(score, examples1, examples2, groups, tie=0):
    """The share of all swaps of groups with a difference of scores as large as observed.

    `score` is of a list of examples.
    """
    parts = members(groups)
    observed = abs(score(examples1) - score(examples2))
    n_extreme = 0
    for swaps in product((False, True), repeat=len(parts)):
        one, two = list(examples1), list(examples2)
        for part, is_swapped in zip(parts, swaps, strict=True):
            if is_swapped:
                for k in part:
                    one[k], two[k] = two[k], one[k]
        n_extreme += abs(score(one) - score(two)) >= observed - tie
    return Fraction(n_extreme, 2 ** len(parts))


def standard_error(differences, groups):
    """√(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, squared."""
    parts, n = members(groups), len(groups)
    mean = Fraction(sum(differences), n)
    rest = [sum(differences[k] for k in part) - mean * len(part) for part in parts]
    return Fraction(len(parts), len(parts) - 1) * sum(x * x for x in rest) / n**2
