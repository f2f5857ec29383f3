"""Discrete p-values of small tasks by all swaps, in fractions, and Holm's procedure with them."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

from oracles.vectors import EXTREME

ONE = Fraction(1)


def sums_of(sizes):
    """How often each sum occurs among all signs of these numbers."""
    return Counter(
        sum(s * x for s, x in zip(signs, sizes, strict=True))
        for signs in product((-1, 1), repeat=len(sizes))
    )


def share_as_extreme(sums, observed, alternative):
    """The share of the sums that are at least as extreme as one of them."""
    is_extreme = EXTREME[alternative]
    return Fraction(sum(c for x, c in sums.items() if is_extreme(x, observed)), sum(sums.values()))


def pvalue(differences, alternative="two-sided"):
    """The p-value of differences, by all their signs."""
    return share_as_extreme(sums_of(differences), sum(differences), alternative)


def law_of_pvalue(sizes, alternative="two-sided"):
    """Each value of p, and its probability: the |differences| have all signs alike."""
    sums = sums_of(sizes)
    law: dict[Fraction, Fraction] = defaultdict(Fraction)
    for observed, count in sums.items():
        law[share_as_extreme(sums, observed, alternative)] += Fraction(count, 2 ** len(sizes))
    return law


def holm(pvalues):
    """Holm's adjusted p-values."""
    order = sorted(range(len(pvalues)), key=pvalues.__getitem__)
    steps = [(len(order) - k) * pvalues[j] for k, j in enumerate(order)]
    return [min(ONE, max(steps[: order.index(j) + 1])) for j in range(len(pvalues))]


def holm_of_some(pvalues, least, alpha):
    """Holm's adjusted p-values of the tests whose least p is at most α; 1 for the others."""
    some = [j for j, x in enumerate(least) if x <= alpha]
    found = dict(zip(some, holm([pvalues[j] for j in some]), strict=True))
    return [found.get(j, ONE) for j in range(len(pvalues))]
