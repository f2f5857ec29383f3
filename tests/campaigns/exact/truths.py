"""The true p-values that the campaign on exactness compares with, from the oracles of the tests.

All in integers and fractions. Shares no code with the package.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import accumulate, product

import flint
import numpy as np

from oracles import draws as boot
from oracles import ratios as ratio_oracle
from oracles import reals as real_oracle
from oracles import swaps as oracle
from oracles import vectors as sum_oracle

_DEGREE = 40_000  # of a polynomial whose coefficients are counts
_LISTED = 2**15  # subset sums of the differences that no polynomial holds
_SAME = flint.arb(2) ** -160  # roots of integers of this size do not come so near to each other


class TooMuchError(Exception):
    """No oracle counts this quickly, or the truth is a matter of rounding."""


def mean(differences, alternative):
    """The share of sign vectors with a sum at least as extreme as that of the integers."""
    differences = [int(d) for d in differences]
    sizes = sorted(abs(d) for d in differences if d)
    total, observed = sum(sizes), sum(differences)
    if alternative == "two-sided" and observed == 0:
        return Fraction(1)
    if alternative == "two-sided":
        return Fraction(2 * _at_most(sizes, (total - abs(observed)) // 2), 2 ** len(sizes))
    against = (total - observed) // 2  # S = total - 2 B
    if alternative == "greater":
        return Fraction(_at_most(sizes, against), 2 ** len(sizes))
    return 1 - Fraction(_at_most(sizes, against - 1), 2 ** len(sizes))


def _at_most(sizes, bound):
    """How many subsets have a sum of at most the bound: large sizes listed, others a polynomial."""
    if bound < 0:
        return 0
    unit = int(np.gcd.reduce(np.array(sizes, dtype=object))) if sizes else 1
    sizes, bound = [x // unit for x in sizes], bound // unit
    n_small = bisect_right([*accumulate(sizes)], _DEGREE)
    large = sizes[n_small:]
    if np.prod([c + 1.0 for c in Counter(large[::2]).values()]) > _LISTED:
        raise TooMuchError
    if n_small < 40 and len(large) > 12:
        return real_oracle.n_at_most(sizes, bound)
    below = [*accumulate(int(c) for c in _subsets(sizes[:n_small]).coeffs())]
    if np.prod([c + 1.0 for c in Counter(large).values()]) > _LISTED:
        raise TooMuchError
    sums, cumulated = real_oracle.subset_sums(large)
    return sum(
        (cumulated[k + 1] - cumulated[k]) * below[min(bound - s, len(below) - 1)]
        for k, s in enumerate(sums)
        if s <= bound
    )


def _subsets(sizes):
    polynomial = flint.fmpz_poly([1])
    for value, count in Counter(sizes).items():
        polynomial *= flint.fmpz_poly([1] + [0] * (value - 1) + [1]) ** count
    return polynomial


def mean_law(differences, unit=1):
    """The values of the difference of the means and their probabilities; None for too many.

    Of several sums that are one float it is the probability of all.
    """
    n, sizes = len(differences), [abs(int(d)) for d in differences]
    if sum(sizes) <= _DEGREE:
        counts = oracle.signed_sum_counts(differences)
    elif np.prod([c + 1.0 for c in Counter(sizes).values()]) <= _LISTED:
        counts = {2 * s - sum(sizes): c for s, c in real_oracle.subset_counts(sizes).items()}
    else:
        return None
    law: dict[float, Fraction] = defaultdict(Fraction)
    for signed_sum, count in sorted(counts.items()):
        law[float(Fraction(signed_sum, n * unit))] += Fraction(count, 2**n)
    return law


def reals(scores1, scores2, alternative):
    """P-value of the mean, each float read as an exact fraction."""
    steps = real_oracle.differences(scores1, scores2)
    scale = max((d.denominator for d in steps), default=1)
    steps = [int(d * scale) for d in steps]
    halves = sorted(steps)[::2], sorted(steps)[1::2]
    if max(np.prod([c + 1.0 for c in Counter(half).values()]) for half in halves) > _LISTED:
        raise TooMuchError
    return real_oracle.of_integers(steps, alternative)


def ratio(rows1, rows2, alternative, zero_division):
    """Of the ratio of two sums, rows (numerator, denominator)."""
    rows = [(*a, *b) for a, b in zip(rows1.tolist(), rows2.tolist(), strict=True)]
    spread = np.abs(np.asarray(rows1) - rows2).sum(axis=0)
    if np.prod(2.0 * spread + 1) <= 3e5:
        return ratio_oracle.pvalue(rows, alternative, zero_division)
    if len(rows) > 10:
        raise TooMuchError
    return ratio_oracle.brute_force(rows, alternative, zero_division)


def exact_ratio(numerator, denominator, zero_division, sums):
    """Of the sums of rows, without rounding."""
    above, below = (
        sum(w * x for w, x in zip(weights, sums, strict=True))
        for weights in (numerator, denominator)
    )
    return Fraction(above, below) if below else zero_division


def of_reals(rows1, rows2, score, alternative, is_rounded):
    """Of rows of fractions, by all swaps; with `is_rounded` differences that are near must tie."""
    pairs = [(a, b) for a, b in zip(rows1, rows2, strict=True) if a != b]
    same = [a for a, b in zip(rows1, rows2, strict=True) if a == b]
    values: list[Fraction] = []
    sizes: list[Fraction] = []
    for signs in product((1, -1), repeat=len(pairs)):
        chosen = [pair[::sign] for pair, sign in zip(pairs, signs, strict=True)]
        systems = [[*rows, *same] for rows in ([a for a, _ in chosen], [b for _, b in chosen])]
        first, second = (score(tuple(map(sum, zip(*rows, strict=True)))) for rows in systems)
        values.append(first - second)
        sizes = sizes or [abs(first), abs(second)]
    if is_rounded:
        _check_apart(values, values[0], sizes, alternative)
    extreme = sum_oracle.EXTREME[alternative]
    return Fraction(sum(extreme(d, values[0]) for d in values), len(values))


def _sums(rows1, rows2):
    """The 2^n sums of rows that are counted, with how many ways of swapping give each."""
    rows1, rows2 = np.asarray(rows1), np.asarray(rows2)
    d = rows1 - rows2
    d = d[d.any(axis=1)]
    turned = d[np.arange(len(d)), (d != 0).argmax(axis=1)] < 0
    start = rows2.sum(axis=0) + d[turned].sum(axis=0)
    d[turned] *= -1
    if not len(d):
        return [(tuple(start.tolist()), 1)], 0
    vectors, counts = np.unique(d, axis=0, return_counts=True)
    order = np.argsort(counts)[::-1]
    if np.prod(counts + 1.0) > 3e5:
        raise TooMuchError
    ways = sum_oracle.law(vectors[order].tolist(), counts[order].tolist())
    # a coin decides for each difference whether it is added
    return [(tuple((start + point).tolist()), n) for point, n in ways.items()], len(d)


def function(rows1, rows2, score, alternative):
    """Of score(sums of system 1) - score(sums of system 2), a number for a tuple of integers."""
    total = (np.asarray(rows1) + rows2).sum(axis=0)
    found, n = _sums(rows1, rows2)
    score = cache(score)

    def difference(sums):
        return score(sums) - score(tuple((total - sums).tolist()))

    first = tuple(np.asarray(rows1).sum(axis=0).tolist())
    observed = difference(first)
    values = [(difference(sums), w) for sums, w in found]
    sizes = abs(score(first)), abs(score(tuple((total - first).tolist())))
    _check_apart([d for d, _ in values], observed, sizes, alternative)
    extreme = sum_oracle.EXTREME[alternative]
    return Fraction(sum(w for d, w in values if extreme(d, observed)), 2**n)


def _check_apart(values, observed, sizes, alternative="greater"):
    """Raise TooMuchError where floats tie and fractions do not: within 1e-12 of the scores."""
    if isinstance(observed, Root):
        return
    if alternative == "two-sided":
        values, observed = map(abs, values), abs(observed)
    near = max(*sizes, 1) / Fraction(10**10)
    if any(value != observed and abs(value - observed) <= near for value in values):
        raise TooMuchError


def statistic(stay, swap, score):
    """Of a statistic of the sum, at least as large as observed."""
    found, n = _sums(stay, swap)
    observed = score(tuple(np.asarray(stay).sum(axis=0).tolist()))
    values = [(score(sums), w) for sums, w in found]
    largest = max(abs(value) for value, _ in values)
    _check_apart([value for value, _ in values], observed, (abs(observed), largest / 100))
    return Fraction(sum(w for value, w in values if value >= observed), 2**n)


class Root:
    """A difference of correlations, x / √y each, in 256 bits; what is nearer than 2^-160 ties."""

    def __init__(self, value):
        self.value = value

    def __sub__(self, other):
        return Root(self.value - other.value)

    def __abs__(self):
        return Root(abs(self.value))

    def __ge__(self, other):
        return bool(self.value - other.value > -_SAME)

    def __le__(self, other):
        return bool(self.value - other.value < _SAME)


def class_rows(predictions, references, n_classes):
    """Correct and predicted labels of each class, of each example."""
    rows = []
    for given, right in zip(predictions, references, strict=True):
        given, right = ([x] if isinstance(x, int) else x for x in (given, right))
        both = [a for a, b in zip(given, right, strict=True) if a == b]
        rows.append([column.count(k) for column in (both, given) for k in range(n_classes)])
    return np.array(rows)


def class_score(metric, gold, zero_division, chosen=None, *, is_weighted=False):
    """An average over classes, of their correct and predicted labels; `gold` are the right ones.

    All that occur on one side are averaged over, or those that are `chosen`; or all are weighted
    by their right labels.
    """
    n_classes, n = len(gold), sum(gold)

    def of_one(correct, predicted, right):
        above, below = {
            "precision": (correct, predicted),
            "recall": (correct, right),
            "balanced_accuracy": (correct, right),
            "f1": (2 * correct, predicted + right),
            "jaccard": (correct, predicted + right - correct),
        }[metric]
        return Fraction(above, below) if below else Fraction(zero_division)

    def score(sums):
        correct, predicted = sums[:n_classes], sums[n_classes:]
        if metric == "matthews_correlation":
            above = sum(correct) * n - sum(p * g for p, g in zip(predicted, gold, strict=True))
            below = (n * n - sum(p * p for p in predicted)) * (n * n - sum(g * g for g in gold))
            return Root(flint.arb(above) / flint.arb(below).sqrt() if below else flint.arb(0))
        classes = list(zip(correct, predicted, gold, strict=True))
        if metric == "hamming_loss":
            return Fraction(n - sum(correct), n)
        if metric == "cohen_kappa":
            chance = sum(p * (n - g) for p, g in zip(predicted, gold, strict=True))
            return 1 - Fraction(n * (n - sum(correct)), chance) if chance else Fraction(0)
        if is_weighted:
            return sum(g * of_one(c, p, g) for c, p, g in classes if g) / n
        if chosen:
            return sum(of_one(*classes[k]) for k in chosen) / len(chosen)
        counted = [(c, p, g) for c, p, g in classes if g or (p and metric != "balanced_accuracy")]
        return sum(of_one(*x) for x in counted) / len(counted)

    return score


def resampled_reals(scores1, scores2, alternative, ties):
    """Of all resamples of the means of floats as the numbers that they are; few examples."""
    steps = [Fraction(a) - Fraction(b) for a, b in zip(scores1, scores2, strict=True)]
    observed, extreme = sum(steps), 0
    for indices, weight in boot.resamples(len(steps)):
        value = sum(steps[k] for k in indices)
        extreme += weight * boot.is_extreme(value, observed, alternative, ties)
    return Fraction(extreme, len(steps) ** len(steps))


def log_error(result, p):
    """The relative error of p, or of its logarithm far below 1e-300; 0 of a p-value of 0."""
    if p == 0:
        return abs(float(result.pvalue))
    return oracle.relative_error(result, p)
