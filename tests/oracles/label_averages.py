"""The true averages of scores of labels, in fractions, by their definitions; and p by all swaps.

A column has labels, lists of labels or sets of labels.
"""

from fractions import Fraction
from itertools import chain, product

import numpy as np
import pytest

from oracles.vectors import EXTREME

RATIOS = {  # of correct, predicted and right labels
    "precision": lambda c, p, g: (c, p),
    "recall": lambda c, p, g: (c, g),
    "f1": lambda c, p, g: (2 * c, p + g),
    "fbeta": lambda c, p, g: (5 * c, 4 * p + g),  # beta = 1/2
    "jaccard": lambda c, p, g: (c, p + g - c),
}


def counts(found, right, labels):
    """Correct, predicted and right labels of an example, of those that count."""
    if isinstance(right, (set, frozenset)):
        return tuple(len(x & {*labels}) for x in (found & right, found, right))
    found, right = ([x] if not isinstance(x, list) else x for x in (found, right))
    correct = [a for a, b in zip(found, right, strict=True) if a == b]
    return tuple(sum(a in labels for a in x) for x in (correct, found, right))


def ratio(metric, counted, zero_division=0):
    numerator, denominator = RATIOS[metric](*counted)
    return Fraction(numerator, denominator) if denominator else Fraction(zero_division)


def weighted(metric, predictions, references, labels, zero_division=0):
    """The mean of the classes' scores, weighted by their right labels; without any, the mean."""
    total, weights, plain = Fraction(0), 0, Fraction(0)
    for label in labels:
        rows = [counts(*pair, [label]) for pair in zip(predictions, references, strict=True)]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        score = ratio(metric, sums, zero_division)
        total, weights, plain = total + sums[2] * score, weights + sums[2], plain + score
    return total / weights if weights else plain / len(labels)


def samples(metric, predictions, references, labels, zero_division=0):
    """The mean of the examples' own scores."""
    pairs = zip(predictions, references, strict=True)
    scores = [ratio(metric, counts(*pair, labels), zero_division) for pair in pairs]
    return sum(scores) / len(scores)


def there(columns):
    """The labels that occur."""
    entries = chain.from_iterable(columns)
    return sorted({x for e in entries for x in ([e] if isinstance(e, (str, int)) else e)})


def brute_force(score, columns, tolerance=0):
    """By alternative the share of the 2^n swaps that are as extreme as observed.

    `score` is of predictions and references; differences tie within the tolerance.
    """
    *systems, references = columns
    pairs, known = list(zip(*systems, strict=True)), {}

    def of(swaps):
        chosen = [pair[swapped] for pair, swapped in zip(pairs, swaps, strict=True)]
        key = repr(chosen)
        if key not in known:
            known[key] = score(chosen, references)
        return known[key]

    scores = [of(swaps) for swaps in product((0, 1), repeat=len(pairs))]
    differences = [a - b for a, b in zip(scores, scores[::-1], strict=True)]
    if tolerance:
        d = np.array(differences)
        extreme = {
            "two-sided": np.abs(d) >= abs(d[0]) - tolerance,
            "greater": d >= d[0] - tolerance,
            "less": d <= d[0] + tolerance,
        }
        return {name: float(flags.mean()) for name, flags in extreme.items()}
    observed = differences[0]
    return {
        name: Fraction(sum(is_extreme(d, observed) for d in differences), len(differences))
        for name, is_extreme in EXTREME.items()
    }


def assert_pvalues(compared, expected, rel=1e-12):
    """That of all swaps for each alternative; of 999 of them within four standard errors."""
    for alternative, p in expected.items():
        result = compared(alternative=alternative)
        assert (result.method, result.pvalue) == ("exact", pytest.approx(float(p), rel=rel, abs=0))
    p = float(expected["two-sided"])
    found = compared(method="monte_carlo", n_resamples=999, rng=1)
    assert abs(found.pvalue - p) <= 4 * (p * (1 - p) / 999) ** 0.5 + 1 / 999


def sampled(rows1, rows2, score, n_swaps, rng):
    """The two-sided share of random swaps of rows (n, m), and its standard error.

    `score` is of sums, from shape (b, m) to (b,), in floats; differences tie within 1e-12.
    """
    differs = (rows1 != rows2).any(axis=1)
    same = rows1[~differs].sum(axis=0)
    one, two = rows1[differs].astype(np.float64), rows2[differs].astype(np.float64)
    d = []
    for start in range(0, n_swaps, 5000):
        swapped = rng.random((min(5000, n_swaps - start), len(one))) < 0.5
        moved = swapped @ (two - one)
        d.append(score(same + one.sum(axis=0) + moved) - score(same + two.sum(axis=0) - moved))
    observed = score(rows1.sum(axis=0)[None]) - score(rows2.sum(axis=0)[None])
    share = float(np.mean(np.abs(np.concatenate(d)) >= abs(observed) - 1e-12))
    return share, max(share * (1 - share), 1 / n_swaps) ** 0.5 / n_swaps**0.5
