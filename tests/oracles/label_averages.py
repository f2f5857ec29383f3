"""The true averages of scores of labels, in fractions, by their definitions; and p by all swaps.

A column has labels, lists of labels or sets of labels.
"""

from fractions import Fraction
from itertools import chain, product
from typing import Any

import numpy as np

from oracles.vectors import ALTERNATIVES, share

RATIOS: dict[str, Any] = {  # of correct, predicted and right labels, and the square of beta
    "precision": lambda c, p, g, _: (c, p),
    "recall": lambda c, p, g, _: (c, g),
    "f1": lambda c, p, g, _: (2 * c, p + g),
    "fbeta": lambda c, p, g, square: ((1 + square) * c, p + square * g),
    "jaccard": lambda c, p, g, _: (c, p + g - c),
}


def counts(found, right, labels):
    """Correct, predicted and right labels of an example, of those that count."""
    if isinstance(right, (set, frozenset)):
        return tuple(len(x & {*labels}) for x in (found & right, found, right))
    found, right = ([x] if not isinstance(x, list) else x for x in (found, right))
    correct = [a for a, b in zip(found, right, strict=True) if a == b]
    return tuple(sum(a in labels for a in x) for x in (correct, found, right))


def ratio(metric, counted, zero_division=0, beta=0.5):
    square = Fraction(beta).limit_denominator(1000) ** 2
    numerator, denominator = RATIOS[metric](*counted, square)
    return Fraction(numerator) / denominator if denominator else Fraction(zero_division)


def summed(pairs, labels):
    """Correct, predicted and right labels of all examples."""
    rows = [counts(found, right, labels) for found, right in pairs]
    return [sum(column) for column in zip((0, 0, 0), *rows, strict=True)]


def label_score(
    metric,
    predictions,
    references,
    there,
    average="binary",
    pos_label=1,
    labels=None,
    zero_division=0,
    multilabel=False,
    beta=0.5,
):
    """With these options, where `there` are the labels that occur in any column."""
    pairs, of = list(zip(predictions, references, strict=True)), (zero_division, beta)
    if average == "samples":
        rows = [counts(*pair, labels or there) for pair in pairs]
        return sum(ratio(metric, row, *of) for row in rows) / Fraction(len(rows))
    if average in ("binary", "micro"):
        chosen = [pos_label] if average == "binary" else labels or there
        return ratio(metric, summed(pairs, chosen), *of)
    rows = [summed(pairs, [label]) for label in labels or there]
    if average == "macro" and not (labels or multilabel):
        rows = [row for row in rows if any(row)]  # only those that the system or references have
    weights = [row[2] for row in rows]
    if average == "macro" or not any(weights):
        weights = [1] * len(rows)
    shares = (w * ratio(metric, row, *of) for w, row in zip(weights, rows, strict=True))
    return sum(shares) / Fraction(sum(weights) or 1)


def there(columns):
    """The labels that occur."""
    entries = chain.from_iterable(columns)
    return sorted({x for e in entries for x in ([e] if isinstance(e, (str, int)) else e)})


def brute_force(score, columns, tolerance=0, units=None):
    """By alternative the share of all swaps that are as extreme as observed.

    `score` is of predictions and references; differences tie within the tolerance. Each unit, a
    list of the places of examples, is swapped as one.
    """
    differences = differences_of(score, columns, units)
    if tolerance:
        d = np.array(differences)
        extreme = {
            "two-sided": np.abs(d) >= abs(d[0]) - tolerance,
            "greater": d >= d[0] - tolerance,
            "less": d <= d[0] + tolerance,
        }
        return {name: float(flags.mean()) for name, flags in extreme.items()}
    return {name: share(differences, name) for name in ALTERNATIVES}


def differences_of(score, columns, units=None):
    """The difference of the scores of all 2^n swaps, the observed one first."""
    *systems, references = columns
    pairs, known = list(zip(*systems, strict=True)), {}
    units = units or [[k] for k in range(len(pairs))]

    def of(swaps):
        swapped = {
            k for unit, is_swapped in zip(units, swaps, strict=True) if is_swapped for k in unit
        }
        chosen = [pair[k in swapped] for k, pair in enumerate(pairs)]
        key = repr(chosen)
        if key not in known:
            known[key] = score(chosen, references)
        return known[key]

    scores = [of(swaps) for swaps in product((0, 1), repeat=len(units))]
    return [a - b for a, b in zip(scores, scores[::-1], strict=True)]
