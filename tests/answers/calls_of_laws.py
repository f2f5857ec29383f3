"""Calls for null distributions."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import f1_rows, labels, reals, rows, scores, sequences
from answers.package import (
    Ratio,
    compare,
    paired_permutation_test,
)

F1 = Ratio([2, 0, 0], [0, 1, 1])
PRECISION = Ratio([1, 0], [0, 1])
QUANTILES = [0.0, 0.025, 0.5, 0.975, 1.0]


def largest(sums):
    return sums.max(axis=-1)


SHARED = tuple(np.stack((x, np.arange(6) % 4 + 4), axis=1) for x in scores(6, 4))
TWO, THREE, SENTENCES = labels(16), labels(9, 3), sequences(8)
RESULTS = {  # of few values
    "integers": partial(paired_permutation_test, *scores(8, 4)),
    "real numbers": partial(paired_permutation_test, *reals((4,))),
    "a ratio": partial(paired_permutation_test, *f1_rows(5), score=F1),
    "a ratio of one denominator": partial(paired_permutation_test, *SHARED, score=PRECISION),
    "a function": partial(paired_permutation_test, *rows(5, 2, 4), score=largest),
    "macro f1 of two": partial(compare, **TWO, metric="f1", average="macro"),
    "macro f1 of three": partial(compare, **THREE, metric="f1", average="macro"),
}
MANY = {  # of many values: some of them
    "many integers": partial(paired_permutation_test, *scores(400, 4)),
    "many rows": partial(paired_permutation_test, *f1_rows(60), score=F1),
}


def law(result):
    return result().null_distribution()


def shape_of(result):
    null = result().null_distribution()
    some = null.support[:: max(null.support.size // 7, 1)]
    return [repr(null), null.quantile(QUANTILES), null.cdf(some), null.quantile(0.3), null.cdf(0.0)]


CALLS = [
    Call(f"null distribution of {name}", partial(law, result)) for name, result in RESULTS.items()
]
CALLS += [
    Call(f"quantiles and cdf of {name}", partial(shape_of, result)) for name, result in MANY.items()
]
