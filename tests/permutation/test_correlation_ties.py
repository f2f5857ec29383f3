"""Correlations that tie as sums of square roots, and that nearly do."""

import math
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given

from oracles import swaps as oracle
from pairedperm import compare
from properties import generators


@cache
def squarefree(n):
    """The root of n as s √t, with t squarefree."""
    s, p = 1, 2
    while p * p <= n:
        while n % (p * p) == 0:
            n, s = n // (p * p), s * p
        p += 1
    return s, n


def root_of_product(*factors):
    """The root of a product as s √t, with t squarefree."""
    s, t = 1, 1
    for factor in factors:
        s_of_factor, t_of_factor = squarefree(factor)
        common = math.gcd(t, t_of_factor)
        s, t = s * s_of_factor * common, t * t_of_factor // common**2
    return s, t


def correlation(tp, predicted, gold, n):
    """{t: a} for Σ a / √t of distinct squarefree t: these are equal only if they are the same."""
    covariance = n * tp - predicted * gold
    factors = predicted, n - predicted, gold, n - gold
    if not covariance or not all(factors):
        return {}
    s, t = root_of_product(*factors)
    return {t: Fraction(covariance, s)}


def minus(one, two):
    found = {t: one.get(t, 0) - two.get(t, 0) for t in {*one, *two}}
    return {t: a for t, a in found.items() if a}


def in_float(roots):
    return math.fsum(a / math.sqrt(t) for t, a in roots.items())


def of_counts(n1, n0, tp, fp, gold, n, i, j):
    """Columns where the systems differ on n1 right and n0 wrong examples, and share the others.

    System 1 finds i of the n1 and is wrong in j of the n0.
    """
    rights = [1] * n1 + [0] * n0 + [1] * tp + [0] * fp + [1] * (gold - n1 - tp)
    rights += [0] * (n - len(rights))
    ones = [k < i for k in range(n1)] + [k < j for k in range(n0)]
    both = [1] * (tp + fp) + [0] * (n - n1 - n0 - tp - fp)
    one, two = [int(x) for x in ones] + both, [int(not x) for x in ones] + both
    return one, two, rights


def differences(n1, n0, tp, fp, gold, n):
    """Return, by (i, j), the exact difference of the correlations, and the number of swaps."""
    ways, total = {}, (2 * tp + n1, 2 * (tp + fp) + n1 + n0)
    for i, j in product(range(n1 + 1), range(n0 + 1)):
        x, y = tp + i, tp + fp + i + j
        d = minus(correlation(x, y, gold, n), correlation(total[0] - x, total[1] - y, gold, n))
        ways[i, j] = d, math.comb(n1, i) * math.comb(n0, j)
    return ways


def ties(counts):
    """The differences of all assignments, and the (i, j) of those that are the same but not 0."""
    ways, alike = differences(*counts), defaultdict(list)
    for point, (d, _) in ways.items():
        alike[frozenset(d.items())].append(point)
    return ways, [points for d, points in alike.items() if d and len(points) > 1]


def tied_counts(rng):
    """Return counts of a few examples with assignments that tie."""
    while True:
        n1, n0, tp, fp = (int(x) for x in rng.integers([1, 1, 0, 0], [7, 7, 5, 5]))
        gold = n1 + tp + int(rng.integers(0, 4))
        counts = n1, n0, tp, fp, gold, gold + n0 + fp + int(rng.integers(0, 4))
        if ties(counts)[1]:
            return counts


@given(rng=generators)
def test_correlations_tie_as_sums_of_square_roots(rng):
    """Every assignment that ties with others is the observed one; their floats differ by ulps."""
    counts = tied_counts(rng)
    ways, groups = ties(counts)
    for point, *_ in groups:
        d = ways[point][0]
        n_extreme = sum(
            n for other, n in ways.values() if other == d or in_float(other) > in_float(d)
        )
        result = compare(*of_counts(*counts, *point), "matthews_correlation", alternative="greater")
        assert result.pvalue == pytest.approx(n_extreme / 2 ** sum(counts[:2]), rel=1e-14)


def test_ties_that_are_unequal_floats():
    """Statistics of ties may differ by rounding; their p does not."""
    counts = 6, 4, 0, 0, 6, 10
    _, groups = ties(counts)
    points = next(points for points in groups if (0, 1) in points)
    results = [compare(*of_counts(*counts, *x), "matthews_correlation") for x in points]
    assert len({result.statistic for result in results}) > 1
    assert len({result.pvalue for result in results}) == 1


def test_nearly_ties():
    """Two assignments whose differences are apart by less than 1e-10, but no tie."""
    for *counts, point, near in (
        (128, 65, 3, 58, 140, 267, (23, 4), (45, 22)),
        (93, 116, 14, 12, 184, 366, (58, 110), (30, 85)),
    ):
        ways = differences(*counts)
        d, other = (in_float(ways[x][0]) for x in (point, near))
        assert 1e-13 < other - d < 1e-10
        n_extreme = sum(n for x, (e, n) in ways.items() if x == point or in_float(e) < d)
        truth = Fraction(n_extreme, 2 ** (counts[0] + counts[1]))
        columns = of_counts(*counts, *point)
        result = compare(*columns, "matthews_correlation", alternative="less", method="exact")
        assert oracle.relative_error(result, truth) <= 1e-11
        assert oracle.is_certified(result, truth)
        assert ways[near][1] > 1e-9 * n_extreme  # which would show
