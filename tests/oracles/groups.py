"""The true p-values where groups of examples are swapped together: by listing all."""

from fractions import Fraction

from oracles.label_averages import brute_force


def members(groups):
    """The places of each group's examples, in the order in which groups first occur."""
    return [[k for k, x in enumerate(groups) if x == group] for group in dict.fromkeys(groups)]


def by_swaps(score, examples1, examples2, groups, tie=0):
    """The share of all swaps of groups with a difference of scores as large as observed.

    `score` is of a list of examples.
    """
    columns = examples1, examples2, None
    return brute_force(lambda x, _: score(x), columns, tie, members(groups))["two-sided"]


def standard_error(differences, groups):
    """√(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, squared."""
    parts, n = members(groups), len(groups)
    mean = Fraction(sum(differences), n)
    rest = [sum(differences[k] for k in part) - mean * len(part) for part in parts]
    return Fraction(len(parts), len(parts) - 1) * sum(x * x for x in rest) / n**2
