"""The true p-values of a mean of floats, as the fractions that they are: two lists of sums."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from itertools import accumulate, product

from oracles.vectors import share


def differences(scores1, scores2):
    """What each example's scores differ by, without rounding."""
    columns = zip(scores1, scores2, strict=True)
    return [Fraction(*a.as_integer_ratio()) - Fraction(*b.as_integer_ratio()) for a, b in columns]


def brute_force(steps, alternative="two-sided"):
    """The share of sign vectors with a sum at least as extreme as Σ steps, one after the other."""
    return share([sum(signed) for signed in product(*((d, -d) for d in steps))], alternative)


def subset_counts(steps):
    """How many subsets of the steps have each sum."""
    ways = Counter({0: 1})
    for step in steps:
        grown = ways.copy()
        for s, n in ways.items():
            grown[s + step] += n
        ways = grown
    return ways


def subset_sums(steps):
    """All sums of some of the steps, ascending, and how many subsets have at most each."""
    ways = subset_counts(steps)
    sums = sorted(ways)
    return sums, [0, *accumulate(ways[s] for s in sums)]


def n_at_most(steps, bound, strict=False):
    """How many subsets have a sum of at most the bound, or with `strict` below it."""
    steps = sorted(steps)  # the same ones together: fewer sums
    (left, cumulated), (right, others) = subset_sums(steps[::2]), subset_sums(steps[1::2])
    place = bisect_left if strict else bisect_right
    return sum(
        (others[k + 1] - others[k]) * cumulated[place(left, bound - s)] for k, s in enumerate(right)
    )


def pvalue(scores1, scores2, alternative="two-sided"):
    """The same by meeting in the middle, in integers: S = Σ steps - 2 (a sum of some of them)."""
    steps = differences(scores1, scores2)
    scale = math.lcm(*(d.denominator for d in steps))
    return of_integers([int(d * scale) for d in steps], alternative)


def upper(scores1, scores2, alternative="two-sided", bits=51):
    """The most that p may be if each score is off by two units of its last bit, 2^-51 of it.

    The lesser sum of the sizes may be off by as much of all scores of examples that differ.
    """
    pairs = [(*map(Fraction, pair),) for pair in zip(scores1, scores2, strict=True)]
    scale = max((x.denominator for pair in pairs for x in pair), default=1)  # a power of two
    whole = [(int(a * scale), int(b * scale)) for a, b in pairs if a != b]
    steps, n = [a - b for a, b in whole], len(whole)
    slack = sum(abs(a) + abs(b) for a, b in whole) // 2**bits
    sign = -1 if alternative == "less" else 1
    against = sum(abs(d) for d in steps if sign * d < 0)
    if alternative == "two-sided":
        against = min(against, sum(map(abs, steps)) - against)
    share = Fraction(n_at_most([abs(d) for d in steps], against + slack), 2**n)
    return share if alternative != "two-sided" else min(2 * share, Fraction(1))


def of_integers(steps, alternative="two-sided"):
    """P of integer differences, of which many may be the same."""
    observed, everything, n = sum(steps), 2 ** len(steps), len(steps)
    if alternative == "two-sided":
        if observed == 0:
            return Fraction(1)
        low, high = sorted((0, observed))  # S ≤ -|observed| or S ≥ |observed|
        at_least = n_at_most(steps, low)
        at_most = everything - n_at_most(steps, high, strict=True)
        return Fraction(at_least + at_most, everything)
    if alternative == "greater":  # S ≥ Σ steps: what is taken from it is at most 0
        return Fraction(n_at_most(steps, 0), 2**n)
    return Fraction(everything - n_at_most(steps, 0, strict=True), everything)


def contains(interval, p):
    """Whether the interval of floats contains the fraction."""
    low, high = map(Fraction, interval)
    return low <= p <= high
