"""Calls of the bootstrap: every method, both rules for ties, the intervals."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import f1_rows, labels, reals, rows, scores
from answers.package import PairedCounts, Ratio, compare, paired_bootstrap_test

F1 = Ratio([2, 0, 0], [0, 1, 1])
RECALL = Ratio([1, 0], [0, 1])
SHARED = tuple(np.stack((x, np.arange(30) % 4 + 1), axis=1) for x in scores(30, 4, seed=61))
MANY_SIZES = tuple(np.stack((x, np.arange(900) % 67 + 1), axis=1) for x in scores(900, 30, seed=62))


def largest(sums):
    return sums.max(axis=-1)


def squared(sums):
    return sums**2


# by name: the two columns, the score
EXACT = {
    "integers": (scores(30, 5), None),
    "decimals": (tuple(x / 10 for x in scores(25, 60, seed=63)), None),
    "wins without a loss": (([1, 1, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1]), None),
    "equal systems": (([1, 2, 3], [1, 2, 3]), None),
    "a ratio of one denominator": (SHARED, RECALL),
    "200,000 integers": (scores(200_000, 3), None),
}
REAL = {
    "real numbers": (reals((40,)), None),
    "many sizes": (MANY_SIZES, RECALL),
}
SAMPLED = {
    "a ratio": (f1_rows(40), F1),
    "a function": (rows(20, 3, 5), largest),
    "a function of one column": (scores(20, 5), squared),
    "a function of real rows": (reals((20, 2)), largest),
    "decimal rows": (tuple(x / 10 for x in f1_rows(20)), F1),
}
SIDES = ("two-sided", "greater", "less")


def called(name, columns, **options):
    options = {"rng": 1, "n_resamples": 999, **options}
    function = partial(paired_bootstrap_test, *columns, **options)
    return Call(f"bootstrap of {name}", function)


CALLS = [
    called(f"{name}, {side}", columns, score=score, method="exact", alternative=side)
    for k, (name, (columns, score)) in enumerate(EXACT.items())
    for side in ("two-sided", SIDES[1 + k % 2])
]
CALLS += [
    called(f"{name}, {side}", columns, score=score, alternative=side)
    for k, (name, (columns, score)) in enumerate(SAMPLED.items())
    for side in SIDES[k % 2 : k % 2 + 1]
]
CALLS += [
    called(f"{name}, {method}", columns, score=score, method=method)
    for name, (columns, score) in REAL.items()
    for method in ("auto", "monte_carlo", "exact")
]
CALLS += [
    called(f"{name}, ties excluded, {side}", columns, score=score, alternative=side, ties="exclude")
    for name, (columns, score) in (EXACT | SAMPLED).items()
    if name in ("equal systems", "a ratio", "wins without a loss")
    for side in SIDES
]
CALLS += [
    called("a ratio, at 80 %", f1_rows(40), score=F1, confidence_level=0.8),
    called("paired counts of rows", (PairedCounts.from_rows(*f1_rows(40)),), score=F1),
    called("integers, monte_carlo", scores(30, 5), method="monte_carlo"),
    called("integers, dp", scores(30, 5), method="dp"),
    called("integers within a small budget", scores(30, 10**6), budget={"max_bytes": 10**4}),
]
EXCLUDED = {"test": "bootstrap", "ties": "exclude", "alternative": "greater"}
EXCLUDED |= {"confidence_level": 0.9, "n_resamples": 499, "rng": 3}
CALLS += [
    Call(
        "compare by bootstrap, macro f1, ties excluded",
        partial(compare, **labels(50, 3), metric="f1", average="macro", **EXCLUDED),
    ),
]
