"""Calls for null distributions."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import answers, f1_rows, labels, reals, rows, scores, sequences
from answers.package import (
    Ratio,
    compare,
    paired_permutation_test,
    plan,
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
    "real numbers, repeated": partial(paired_permutation_test, [2**0.5] * 6, [0] * 6),
    "a ratio": partial(paired_permutation_test, *f1_rows(5), score=F1),
    "a ratio of one denominator": partial(paired_permutation_test, *SHARED, score=PRECISION),
    "a function": partial(paired_permutation_test, *rows(5, 2, 4), score=largest),
    "equal systems": partial(paired_permutation_test, [1, 2], [1, 2]),
    "equal rows": partial(paired_permutation_test, [[1, 2]], [[1, 2]], score=PRECISION),
    "f1": partial(compare, **TWO, metric="f1"),
    "macro f1 of two": partial(compare, **TWO, metric="f1", average="macro"),
    "macro f1 of three": partial(compare, **THREE, metric="f1", average="macro"),
    "matthews_correlation": partial(compare, **TWO, metric="matthews_correlation"),
    "squad_f1": partial(compare, **answers(6), metric="squad_f1"),
    "sampled": partial(paired_permutation_test, *scores(8, 4), method="monte_carlo", rng=1),
}
MANY = {  # of many values: some of them
    "many integers": partial(paired_permutation_test, *scores(400, 4)),
    "many rows": partial(paired_permutation_test, *f1_rows(60), score=F1),
    "scores with gaps": partial(paired_permutation_test, [5, 7] * 30, [0] * 60),
    "rows on a line": partial(paired_permutation_test, [[1, 2]] * 9, [[0, 1]] * 9, score=PRECISION),
    "300 labels": partial(compare, **labels(300), metric="f1", average="macro"),
    "20,000 scores": partial(paired_permutation_test, *scores(20_000, 3)),
}


def law(result):
    return result().null_distribution()


def shape_of(result):
    null = result().null_distribution()
    some = null.support[:: max(null.support.size // 7, 1)]
    return [repr(null), null.quantile(QUANTILES), null.cdf(some), null.quantile(0.3), null.cdf(0.0)]


def within(limit, *columns, **options):
    return repr(
        paired_permutation_test(*columns, **options).null_distribution(budget={"max_bytes": limit})
    )


CALLS = [
    *(
        Call(f"null distribution of {name}", partial(law, result))
        for name, result in RESULTS.items()
    ),
    *(
        Call(f"quantiles and cdf of {name}", partial(shape_of, result))
        for name, result in (RESULTS | MANY).items()
        if name in (*MANY, "real numbers", "a ratio", "a function", "equal rows")
    ),
    Call(
        "null distribution of rows of real numbers",
        partial(law, partial(paired_permutation_test, *reals((4, 2)), score=Ratio([1, 0], [1, 1]))),
    ),
    *(
        Call(f"null distribution within 1,000 bytes, {name}", partial(within, 1000, *x, **options))
        for name, x, options in (
            ("integers", scores(400, 9), {}),
            ("a function", rows(40, 2, 5), {"score": largest}),
            ("real numbers", reals((12,)), {}),
        )
    ),
    Call("quantile of 1.5", lambda: law(RESULTS["integers"]).quantile(1.5)),
    Call("cdf of NaN", lambda: law(RESULTS["integers"]).cdf(float("nan"))),
]

CALLS += [Call("plan for integers", partial(plan, *scores(30, 5)))]  # it is gone
