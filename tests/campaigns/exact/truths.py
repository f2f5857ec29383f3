"""The true p-values that the campaign on exactness compares with, from the oracles of the tests.

All in integers and fractions. Shares no code with the package. Hypothesis is told where no oracle
counts quickly, or where the truth is a matter of rounding.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache, partial
from math import isqrt

import numpy as np
from hypothesis import assume

from oracles import draws as boot
from oracles import label_averages, ratios, swaps, vectors
from oracles import reals as real_oracle

BITS = 160  # of the values of functions, after the point


def mean(d, alternative):
    """The share of sign vectors with a sum at least as extreme as that of the integers."""
    whole = (d[d != 0] // max(np.gcd.reduce(d), 1)).tolist()
    is_small = sum(map(abs, whole)) <= 10_000
    return (swaps.pvalue if is_small else real_oracle.of_integers)(whole, alternative)


def mean_law(d, unit):
    """The values of the mean of d / unit, and their probabilities; None for too many.

    Of several sums that are one float it is the probability of all.
    """
    sizes = [abs(x) for x in d.tolist() if x]
    if min(sum(sizes), 2 ** len(sizes)) > 2000:
        return None
    law: dict[float, Fraction] = defaultdict(Fraction)
    for s, ways in sorted(real_oracle.subset_counts(sizes).items()):
        value = Fraction(2 * s - sum(sizes), len(d) * unit)
        law[float(value)] += Fraction(ways, 2 ** len(sizes))
    return law


def ratio(rows1, rows2, zero_division, alternative):
    """Of the ratio of two sums, rows (numerator, denominator)."""
    rows = np.hstack((rows1, rows2)).tolist()
    if np.prod(2.0 * np.abs(rows1 - rows2).sum(axis=0) + 1) <= 1e5:
        return ratios.pvalue(rows, alternative, zero_division)
    assume(len(rows) <= 9)
    return ratios.brute_force(rows, alternative, zero_division)


def of_sums(rows1, rows2, score, alternative="greater", is_one=False):
    """Of score(sums of system 1) - score(sums of system 2), or with `is_one` of the first alone."""
    first, score = rows1.sum(axis=0), cache(score)
    total = first + rows2.sum(axis=0)
    d = rows2 - rows1
    d = d[d.any(axis=1)]
    is_turned = d[np.arange(len(d)), (d != 0).argmax(axis=1)] < 0
    start, d[is_turned] = first + d[is_turned].sum(axis=0), -d[is_turned]
    found, counts = np.unique(d, axis=0, return_counts=True)
    assume(np.prod(counts + 1.0) <= 2e4)
    order = np.argsort(-counts)  # a coin decides for each difference whether it is added
    law = vectors.law(found[order].tolist(), counts[order].tolist()) if len(d) else {(0,): 1}
    values, sizes = [], [1]
    for sums, ways in [(first, 0), *((start + np.array(moved), n) for moved, n in law.items())]:
        one, two = (score(tuple(x.tolist())) for x in (sums, total - sums))
        values.append((round((one - (0 if is_one else two)) * 2**BITS), ways))
        sizes += [abs(one), abs(two)]
    return _share(values, alternative, max(sizes) * 2**BITS)


def _share(values, alternative, size):
    """The share of values as extreme as the first; none is within rounding of scores of a size."""
    is_extreme, (observed, _) = vectors.EXTREME[alternative], values[0]
    turned = abs if alternative == "two-sided" else Fraction
    near = Fraction(size) / 10**10
    assume(not any(0 < abs(turned(x) - turned(observed)) <= near for x, _ in values))
    extreme = sum(n for x, n in values if is_extreme(x, observed))
    return Fraction(extreme, sum(n for _, n in values))


def intervals(columns, unit, level):
    """The percentile intervals of means of whole numbers / unit; None where two would do."""
    found = []
    for column in columns:
        law = boot.mean_law(column.tolist())
        ends = {boot.percentiles(law, level + shift) for shift in (-1e-9, 0.0, 1e-9)}
        found.append([float(x / unit) for x in ends.pop()] if len(ends) == 1 else None)
    return found


def class_rows(predictions, references, n_classes):
    """Correct and predicted labels of each class, of each example."""
    pairs = [*zip(predictions, references, strict=True)]
    rows = [[label_averages.counts(*pair, [k])[:2] for k in range(n_classes)] for pair in pairs]
    return np.array(rows).reshape(len(pairs), -1)


def class_score(metric, gold, sums, average="macro", zero_division=0):
    """Of sums of `class_rows`, with the right labels of each class."""
    classes = [*zip(sums[::2], sums[1::2], gold, strict=True)]
    n, correct = sum(gold), sum(sums[::2])
    if metric == "hamming_loss":
        return Fraction(n - correct, n)
    if metric == "cohen_kappa":
        chance = sum(p * (n - g) for _, p, g in classes)
        return 1 - ratios.score(n * (n - correct), chance, 1)
    if metric == "matthews_correlation":
        above = n * correct - sum(p * g for _, p, g in classes)
        below = (n * n - sum(p * p for _, p, _ in classes)) * (n * n - sum(g * g for g in gold))
        root = isqrt((above**2 << 2 * BITS + 80) // below) if below else 0
        return Fraction(root if above > 0 else -root, 1 << BITS + 40)
    is_balanced = metric == "balanced_accuracy"
    kept = [x for x in classes if x[2] or (x[1] and not is_balanced)]
    weights = [x[2] if average == "weighted" else 1 for x in kept]
    of_one = partial(label_averages.ratio, "recall" if is_balanced else metric)
    total = sum(w * of_one(x, zero_division) for w, x in zip(weights, kept, strict=True))
    return total / Fraction(sum(weights))
