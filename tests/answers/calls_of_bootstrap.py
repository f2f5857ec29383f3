"""Calls of the bootstrap: exact and sampled, with its intervals."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import f1_rows, reals, rows, scores
from answers.package import Ratio, paired_bootstrap_test

F1 = Ratio([2, 0, 0], [0, 1, 1])
RECALL = Ratio([1, 0], [0, 1])
SHARED = tuple(np.stack((x, np.arange(30) % 4 + 1), axis=1) for x in scores(30, 4, seed=61))


def largest(sums):
    return sums.max(axis=-1)


# by name: the two columns, the score
EXACT = {
    "integers": (scores(30, 5), None),
    "decimals": (tuple(x / 10 for x in scores(25, 60, seed=63)), None),
    "wins without a loss": (([1, 1, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1]), None),
    "a ratio of one denominator": (SHARED, RECALL),
}
SAMPLED = {
    "a ratio, two-sided": (f1_rows(40), F1),
    "a function, greater": (rows(20, 3, 5), largest),
    "a function of real rows, greater": (reals((20, 2)), largest),
    "decimal rows, two-sided": (tuple(x / 10 for x in f1_rows(20)), F1),
}


def called(name, columns, **options):
    options = {"rng": 1, "n_resamples": 999, **options}
    function = partial(paired_bootstrap_test, *columns, **options)
    return Call(f"bootstrap of {name}", function)


CALLS = [
    called(f"{name}, two-sided", columns, score=score, method="exact")
    for name, (columns, score) in EXACT.items()
]
CALLS += [
    called(name, columns, score=score, alternative=name.split(", ")[-1])
    for name, (columns, score) in SAMPLED.items()
]
