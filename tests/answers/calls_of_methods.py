"""Calls of the permutation test on counts: every shape of score, every method, every side."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import f1_rows, reals, rows, scores
from answers.package import Ratio, aggregators, paired_permutation_test, structured_permutation_test

F1 = Ratio([2, 0, 0], [0, 1, 1])
PRECISION = Ratio([1, 0], [0, 1])


def f1_of_sums(sums):
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def largest(sums):
    return sums.max(axis=-1)


def squared(sums):
    return sums**2


COREFERENCE = f1_rows(12, seed=31)
SAME = tuple(x[:, [0, 1, 0, 2]] for x in COREFERENCE)  # one numerator of both ratios
OTHER = tuple(np.stack((x[:, 0], x[:, 2], x[:, 0] // 2, x[:, 1]), axis=1) for x in COREFERENCE)
SHARED = tuple(np.stack((x, np.arange(12) % 4 + 4), axis=1) for x in scores(12, 4, seed=32))
CLUSTERED = tuple(np.repeat(x, 4, axis=0) for x in f1_rows(6, seed=33))

# by name: the two columns, and the score
SHAPES = {
    "integers": (scores(14, 9), None),
    "decimals": (tuple(x / 10 for x in scores(14, 99, seed=34)), None),
    "real numbers": (reals((14,)), None),
    "thirds": (tuple(x / 3 for x in scores(12, 9, seed=35)), None),
    "a ratio": (f1_rows(12), F1),
    "a ratio of repeated rows": (CLUSTERED, F1),
    "a ratio of one denominator": (SHARED, PRECISION),
    "a ratio of decimals": (tuple(x / 10 for x in f1_rows(10, seed=36)), F1),
    "a ratio where nothing is": (f1_rows(5, seed=37), Ratio([1, 0, 0], [0, 1, 0], zero_division=1)),
    "a function of one column": (scores(12, 6, seed=38), squared),
    "a function of three columns": (f1_rows(10, seed=39), f1_of_sums),
    "a function of decimals": (tuple(x / 10 for x in rows(9, 2, 9, seed=40)), largest),
    "aggregator f_1, one numerator": (SAME, aggregators.f_1),
    "aggregator f_1, two numerators": (tuple(x[:8] for x in OTHER), aggregators.f_1),
}
METHODS = ("auto", "dp", "fft", "enumeration", "monte_carlo")


def called(name, columns, **options):
    function = partial(paired_permutation_test, *columns, **options)
    return Call(f"test {name}", function)


CALLS = [
    called(f"{name}, {method}", columns, score=score, method=method, rng=1)
    for k, (name, (columns, score)) in enumerate(SHAPES.items())
    for method in ("auto", *METHODS[k + 1 : k + 2])
]


def difference(sums):
    tp1, in1, tp2, in2 = np.moveaxis(sums, -1, 0)
    return tp1 / (tp1 + in1 / 2) - tp2 / (tp2 + in2 / 2)


LARGE = np.array([[2, 0], [1, 0], [1, 1], [3, 1], [2, 2], [1, 3]])
SMALL = np.array([[1, 1], [0, 2], [1, 3], [2, 2], [2, 1], [1, 1]])
BOTH = np.hstack((LARGE, SMALL)), np.hstack((SMALL, LARGE))
STRUCTURED = {
    "one sum": (scores(12, 5, seed=48), lambda sums: sums),
    "four sums": (BOTH, difference),
}
CALLS += [
    Call(
        f"structured test of {name}, {method}",
        partial(structured_permutation_test, *columns, statistic, method=method, rng=9),
    )
    for name, (columns, statistic) in STRUCTURED.items()
    for method in METHODS[:1]
]
