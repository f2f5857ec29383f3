"""Two classes, whose p-values are tails in the plane, against a law in big integers."""

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain

import flint
import numpy as np
import pytest

from oracles import swaps as oracle
from oracles.class_averages import METRICS, options_of
from oracles.vectors import ALTERNATIVES
from pairedperm import compare
from properties import one_in

BITS = 1000  # of a score after the point


def law(rows):
    """Return how many swaps give a system each of its possible sums.

    A row is a pair ((x, y), (x, y)) of what the example adds to them. Both coordinates of the
    moves are packed into the exponents of a polynomial Π (1 + t^move).
    """
    moves, low = Counter(), [0, 0]
    for row in rows:
        first, second = sorted(row, key=lambda r: (r[1], r[0]))
        low = [low[0] + first[0], low[1] + first[1]]
        moves[second[0] - first[0], second[1] - first[1]] += 1
    moves.pop((0, 0), None)
    spread = sum(abs(x) * count for (x, _), count in moves.items())
    width = 2 * spread + 1
    polynomial = flint.fmpz_poly([1])
    for (x, y), count in moves.items():
        polynomial *= flint.fmpz_poly([1] + [0] * (x + width * y - 1) + [1]) ** count
    found = {}
    for index, ways in enumerate(polynomial.coeffs()):
        if ways:
            y = (index + spread) // width
            found[low[0] + index - width * y, low[1] + y] = int(ways)
    return found


def scaled_score(metric, tp, predicted, gold, n):
    """2^BITS times the score of n labels of two classes, `gold` of the second, within 2^8."""
    classes = [(n - gold - predicted + tp, n - predicted, n - gold), (tp, predicted, gold)]
    if metric == "matthews_correlation":
        covariance = n * sum(c for c, _, _ in classes) - sum(p * g for _, p, g in classes)
        variance = (n**2 - sum(p * p for _, p, _ in classes)) * (
            n**2 - sum(g * g for _, _, g in classes)
        )
        size = math.isqrt((covariance**2 << 2 * BITS) // variance) if variance else 0
        return size if covariance > 0 else -size
    if metric == "balanced_accuracy":
        ratios = [(c, g) for c, _, g in classes if g]
    else:
        ratios = [
            {
                "precision": (c, p),
                "recall": (c, g),
                "f1": (2 * c, p + g),
                "fbeta": (5 * c, g + 4 * p),
                "jaccard": (c, p + g - c),
            }[metric]
            for c, p, g in classes
            if p or g
        ]
    return sum((a << BITS) // b for a, b in ratios if b) // len(ratios)


def true_pvalue(metric, found, observed, total, gold, n, alternative):
    """P of the law; differences tie below 2^-900, and none lies between that and 2^-500."""
    scores = {sums: scaled_score(metric, *sums, gold, n) for sums in found}
    d = scores[observed] - scores[total[0] - observed[0], total[1] - observed[1]]
    n_extreme = 0
    for (x, y), ways in found.items():
        other = scores[x, y] - scores[total[0] - x, total[1] - y]
        excess = abs(other) - abs(d) if alternative == "two-sided" else other - d
        excess = -excess if alternative == "less" else excess
        assert not 2 ** (BITS - 900) < abs(excess) < 2 ** (BITS - 500)
        if excess > -(2 ** (BITS - 900)):
            n_extreme += ways
    return Fraction(n_extreme, sum(found.values()))


def rows_of(columns):
    """List the true positives and the predictions that each example adds to each system."""
    rows = []
    for *predicted, right in zip(*columns, strict=True):
        ones = [[(p, r) for p, r in zip(x, right, strict=True) if p == "pos"] for x in predicted]
        rows.append(tuple((sum(p == r for p, r in found), len(found)) for found in ones))
    return rows


@cache
def two_classes(name):
    """Columns of sequences of "neg" and "pos", and their law."""
    n, accuracies, share, length = {
        "short sequences": (300, (0.9, 0.8), 0.3, 4),
        "300, near 1": (300, (0.8, 0.8), 0.5, 2),
        "700": (700, (0.9, 0.8), 0.1, 2),
        "1500, far out": (1500, (0.97, 0.72), 0.3, 2),
    }[name]
    rng = np.random.default_rng([4, n, length])
    names = np.array(["neg", "pos"])
    columns = [[], [], []]
    for size in rng.integers(1, length, n):
        right = rng.random(size) < share
        for column, accuracy in zip(columns, (*accuracies, 1.0), strict=True):
            column.append(names[(right ^ (rng.random(size) >= accuracy)).astype(int)].tolist())
    rows = rows_of(columns)
    sums = [tuple(map(sum, zip(*(row[k] for row in rows), strict=True))) for k in (0, 1)]
    return columns, law(rows), sums


CASES = ("short sequences", "300, near 1", "700", "1500, far out")


@one_in(15)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("metric", METRICS)
def test_two_classes(metric, case):
    columns, found, sums = two_classes(case)
    labels = list(chain.from_iterable(columns[2]))
    gold, total = labels.count("pos"), tuple(map(sum, zip(*sums, strict=True)))
    is_single = all(len(row) == 1 for row in columns[2])
    given = [[row[0] for row in x] for x in columns] if is_single else columns
    alternative = ALTERNATIVES[(METRICS.index(metric) + 2 * CASES.index(case)) % 3]
    if case == "1500, far out":
        alternative = "two-sided" if alternative == "less" else alternative
    truth = true_pvalue(metric, found, sums[0], total, gold, len(labels), alternative)
    result = compare(*given, metric, alternative=alternative, method="exact", **options_of(metric))
    assert oracle.relative_error(result, truth) <= 1e-11
    assert oracle.is_certified(result, truth)
    assert case != "1500, far out" or 1e-90 < truth < 1e-40
    assert case != "300, near 1" or truth > 1e-2


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_tails_are_in_the_plane(alternative):
    """P comes from a tail, not from all sums, which would give the same p."""
    columns, _, _ = two_classes("300, near 1")
    result = compare(*columns, "matthews_correlation", alternative=alternative, method="exact")
    assert result.reason in ("all swaps are counted", "tilted sums in the plane")


@pytest.mark.thorough
def test_many_examples_of_two_classes():
    """With classes of one size, mean recall is accuracy; names and systems may be swapped."""
    rng = np.random.default_rng(11)
    right = rng.permutation(np.repeat([0, 1], 25_000))
    one, two = (right ^ (rng.random(50_000) < share) for share in (0.19, 0.2))
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "method": "exact"}
        expected = compare(one, two, right, "accuracy", **options)
        result = compare(one, two, right, "balanced_accuracy", **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
        assert result.score1 == pytest.approx(expected.score1, abs=1e-15)
    for metric in ("f1", "matthews_correlation"):
        options = {"metric": metric, "method": "exact", **options_of(metric)}
        result = compare(one, two, right, **options)
        turned = compare(1 - two, 1 - one, 1 - right, **options)
        assert result.pvalue == pytest.approx(turned.pvalue, rel=1e-10)
        assert 1e-10 < result.pvalue < 1e-2
