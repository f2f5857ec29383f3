"""Calls for null distributions and plans."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import answers, f1_rows, labels, reals, rows, scores, sequences, tags
from answers.package import (
    PairedCounts,
    Ratio,
    compare,
    paired_permutation_test,
    plan,
    structured_permutation_test,
)

F1 = Ratio([2, 0, 0], [0, 1, 1])
PRECISION = Ratio([1, 0], [0, 1])
QUANTILES = [0.0, 0.025, 0.5, 0.975, 1.0]


def largest(sums):
    return sums.max(axis=-1)


def identity(sums):
    return sums


SHARED = tuple(np.stack((x, np.arange(6) % 4 + 4), axis=1) for x in scores(6, 4))
TWO, THREE, SENTENCES = labels(16), labels(9, 3), sequences(8)
RESULTS = {  # of few values
    "integers": partial(paired_permutation_test, *scores(8, 4)),
    "decimals": partial(paired_permutation_test, [0.1, 0.25, 1], [0.2, 0.5, 0]),
    "real numbers": partial(paired_permutation_test, *reals((4,))),
    "real numbers, repeated": partial(paired_permutation_test, [2**0.5] * 6, [0] * 6),
    "a ratio": partial(paired_permutation_test, *f1_rows(5), score=F1),
    "a ratio of one denominator": partial(paired_permutation_test, *SHARED, score=PRECISION),
    "a function": partial(paired_permutation_test, *rows(5, 2, 4), score=largest),
    "equal systems": partial(paired_permutation_test, [1, 2], [1, 2]),
    "equal rows": partial(paired_permutation_test, [[1, 2]], [[1, 2]], score=PRECISION),
    "accuracy": partial(compare, **SENTENCES),
    "f1": partial(compare, **TWO, metric="f1"),
    "macro f1 of two": partial(compare, **TWO, metric="f1", average="macro"),
    "macro f1 of three": partial(compare, **THREE, metric="f1", average="macro"),
    "matthews_correlation": partial(compare, **TWO, metric="matthews_correlation"),
    "squad_f1": partial(compare, **answers(6), metric="squad_f1"),
    "a structured test": partial(structured_permutation_test, *scores(6, 4), identity),
    "sampled": partial(paired_permutation_test, *scores(8, 4), method="monte_carlo", rng=1),
}
MANY = {  # of many values: some of them
    "many integers": partial(paired_permutation_test, *scores(400, 4)),
    "many rows": partial(paired_permutation_test, *f1_rows(60), score=F1),
    "scores with gaps": partial(paired_permutation_test, [5, 7] * 30, [0] * 60),
    "2,000 rows": partial(paired_permutation_test, *f1_rows(2000), score=F1),
    "3,000 scores": partial(paired_permutation_test, *scores(3000, 30)),
    "400 rows": partial(paired_permutation_test, *f1_rows(400), score=F1),
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
        if name in (*MANY, "decimals", "real numbers", "a ratio", "a function", "equal rows")
    ),
    Call(
        "null distribution of rows of real numbers",
        partial(law, partial(paired_permutation_test, *reals((4, 2)), score=Ratio([1, 0], [1, 1]))),
    ),
    *(
        Call(f"null distribution within 1,000 bytes, {name}", partial(within, 1000, *x, **options))
        for name, x, options in (
            ("integers", scores(400, 9), {}),
            ("a ratio", f1_rows(40), {"score": F1}),
            ("a function", rows(40, 2, 5), {"score": largest}),
            ("real numbers", reals((12,)), {}),
        )
    ),
    Call("quantile of 1.5", lambda: law(RESULTS["integers"]).quantile(1.5)),
    Call("cdf of NaN", lambda: law(RESULTS["integers"]).cdf(float("nan"))),
]

FINE = scores(400, 10**5)
# words, arguments, options
PLANS = [
    ("integers", scores(30, 5), {}),
    ("integers, greater", scores(30, 5), {"alternative": "greater"}),
    ("equal systems", ([1, 2], [1, 2]), {}),
    ("a fine lattice", scores(100, 10**9), {}),
    ("a small budget", FINE, {"budget": {"max_points": 2000, "max_bytes": 10**6}}),
    ("10 real numbers", reals((10,)), {}),
    ("100 real numbers", reals((100,)), {}),
    ("paired counts", (PairedCounts.from_rows(*scores(30, 5)),), {}),
    ("a ratio", f1_rows(40), {"score": F1}),
    ("a ratio of one denominator", SHARED, {"score": PRECISION}),
    ("a ratio, too many bytes", f1_rows(9000), {"score": F1, "budget": {"max_bytes": 1000}}),
    ("a function", rows(10, 2, 4), {"score": largest}),
    ("a function of ten columns", rows(300, 10, 30), {"score": largest}),
    ("labels", tuple(TWO.values()), {}),
    ("f1", tuple(TWO.values()), {"metric": "f1", "pos_label": 1}),
    ("macro f1 of two", tuple(TWO.values()), {"metric": "f1", "average": "macro"}),
    ("macro f1 of three", tuple(labels(90, 3).values()), {"metric": "f1", "average": "macro"}),
    ("macro f1 of six", tuple(labels(400, 6).values()), {"metric": "f1", "average": "macro"}),
    ("balanced_accuracy", tuple(labels(90, 3).values()), {"metric": "balanced_accuracy"}),
    ("matthews_correlation", tuple(THREE.values()), {"metric": "matthews_correlation"}),
    ("span_f1", tuple(tags(30).values()), {"metric": "span_f1"}),
    ("squad_f1", tuple(answers(60).values()), {"metric": "squad_f1"}),
    ("a structured test", (*rows(10, 2, 4), largest), {}),
]
CALLS += [Call(f"plan for {name}", partial(plan, *x, **options)) for name, x, options in PLANS]
CALLS += [
    Call(f"plan for {name}, {method}", partial(plan, *columns, **options, method=method))
    for name, columns, options in (
        ("integers", scores(14, 9), {}),
        ("real numbers", reals((14,)), {}),
        ("a ratio", f1_rows(12), {"score": F1}),
        ("a function", rows(8, 3, 4), {"score": largest}),
    )
    for method in ("exact", "dp", "fft", "rational", "enumeration", "monte_carlo")
]
CALLS += [
    Call("plan for integers, bracket", partial(plan, *scores(60, 9), method="bracket")),
    *(
        Call(f"plan for {n} rows of real numbers", partial(plan, *reals((n, 2)), score=F))
        for n, F in ((9, Ratio([1, 0], [1, 1])), (30, largest))
    ),
]
