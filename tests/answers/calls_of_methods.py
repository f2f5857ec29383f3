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


def mean_precision(sums):
    first = np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], 0.0)
    return (first + np.where(sums[..., 3] > 0, sums[..., 2] / sums[..., 3], 0.0)) / 2


class Shortened:
    """A function that says that it is a ratio."""

    def ratio_for(self, rows1, rows2):
        return PRECISION

    def __call__(self, sums):
        return sums[..., 0] / sums[..., 1]


COREFERENCE = f1_rows(12, seed=31)
SAME = tuple(x[:, [0, 1, 0, 2]] for x in COREFERENCE)  # one numerator of both ratios
OTHER = tuple(np.stack((x[:, 0], x[:, 2], x[:, 0] // 2, x[:, 1]), axis=1) for x in COREFERENCE)
SHARED = tuple(np.stack((x, np.arange(12) % 4 + 4), axis=1) for x in scores(12, 4, seed=32))
CLUSTERED = tuple(np.repeat(x, 4, axis=0) for x in f1_rows(6, seed=33))

# by name: the two columns, and the score
SHAPES = {
    "integers": (scores(14, 9), None),
    "many integers": (scores(300, 4, better=1), None),
    "decimals": (tuple(x / 10 for x in scores(14, 99, seed=34)), None),
    "wins and losses": (([1] * 9 + [0] * 4, [0] * 8 + [1] * 5), None),
    "real numbers": (reals((14,)), None),
    "thirds": (tuple(x / 3 for x in scores(12, 9, seed=35)), None),
    "a ratio": (f1_rows(12), F1),
    "a ratio of repeated rows": (CLUSTERED, F1),
    "a ratio of one denominator": (SHARED, PRECISION),
    "a ratio of decimals": (tuple(x / 10 for x in f1_rows(10, seed=36)), F1),
    "a ratio where nothing is": (f1_rows(5, seed=37), Ratio([1, 0, 0], [0, 1, 0], zero_division=1)),
    "a function of one column": (scores(12, 6, seed=38), squared),
    "a function of three columns": (f1_rows(10, seed=39), f1_of_sums),
    "a function of four columns": (rows(8, 4, 3), mean_precision),
    "a function of decimals": (tuple(x / 10 for x in rows(9, 2, 9, seed=40)), largest),
    "a function that is a ratio": (SHARED, Shortened()),
    "aggregator f_1, one numerator": (SAME, aggregators.f_1),
    "aggregator f_1, two numerators": (tuple(x[:8] for x in OTHER), aggregators.f_1),
}
LISTED_SHAPES = {
    "a ratio of real numbers": (reals((9, 2)), Ratio([1, 0], [1, 1])),
    "a function of real numbers": (reals((9, 3), seed=42), largest),
    "a column of real numbers": (reals((9,), seed=43), squared),
    "a ratio of fine decimals": (tuple(x.round(11) for x in reals((9, 2))), Ratio([1, 0], [1, 1])),
}
METHODS = ("auto", "dp", "fft", "rational", "enumeration", "monte_carlo")


def called(name, columns, **options):
    function = partial(paired_permutation_test, *columns, **options)
    return Call(f"test {name}", function)


CALLS = [
    called(f"{name}, {method}", columns, score=score, method=method, rng=1)
    for name, (columns, score) in SHAPES.items()
    for method in METHODS
    if (name, method) != ("many integers", "enumeration")
]
CALLS += [
    called(
        f"{name}, {method}",
        columns,
        score=score,
        method=method,
        rng=1,
    )
    for name, (columns, score) in LISTED_SHAPES.items()
    for method in ("auto", "enumeration", "monte_carlo", "exact")
]
CALLS += [
    called(f"{name}, {side}", columns, score=score, alternative=side)
    for name, (columns, score) in SHAPES.items()
    for side in ("greater", "less")
]
CALLS += [
    called(f"{name}, bracket", columns, method="bracket")
    for name, (columns, score) in SHAPES.items()
    if score is None
]
FRACTIONS = {
    "one row": ([[1 / 3, 1e5 / 3]], [[2 / 3, 1 / 7]]),
    "two rows": ([[1 / 3, 1e5 / 3], [1 / 7, 1 / 9]], [[2 / 3, 1 / 7], [1 / 3, 1 / 11]]),
}
CALLS += [
    called(f"a ratio of fractions, {name}, {side}", x, score=PRECISION, alternative=side)
    for name, x in FRACTIONS.items()
    for side in ("two-sided", "greater", "less")
]


def difference(sums):
    tp1, in1, tp2, in2 = np.moveaxis(sums, -1, 0)
    return tp1 / (tp1 + in1 / 2) - tp2 / (tp2 + in2 / 2)


def absolute(sums):
    return abs(difference(sums))


LARGE = np.array([[2, 0], [1, 0], [1, 1], [3, 1], [2, 2], [1, 3]])
SMALL = np.array([[1, 1], [0, 2], [1, 3], [2, 2], [2, 1], [1, 1]])
BOTH = np.hstack((LARGE, SMALL)), np.hstack((SMALL, LARGE))
STRUCTURED = {
    "one sum": (scores(12, 5, seed=48), lambda sums: sums),
    "one sum of decimals": (tuple(x / 10 for x in scores(12, 50, seed=49)), np.abs),
    "four sums": (BOTH, difference),
    "four sums, both sides": (BOTH, absolute),
    "the largest of two": (rows(10, 2, 5, seed=50), largest),
}
CALLS += [
    Call(
        f"structured test of {name}, {method}",
        partial(structured_permutation_test, *columns, statistic, method=method, rng=9),
    )
    for name, (columns, statistic) in STRUCTURED.items()
    for method in METHODS
]
