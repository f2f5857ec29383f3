"""Calls of the tests on corpora of many sizes, which other ways of computing are for; budgets."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import answers, f1_rows, labels, reals, rows, scores, tags
from answers.calls_of_methods import SHARED
from answers.package import (
    PairedCounts,
    Ratio,
    aggregators,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
)

F1 = Ratio([2, 0, 0], [0, 1, 1])
SHARE = Ratio([1, 0], [1, 1])
PRECISION = Ratio([1, 0], [0, 1])
SAMPLED = {"method": "monte_carlo", "rng": 1, "n_resamples": 999}
CAPPED = {"budget": {"max_points": 2000, "max_bytes": 10**6}}
SIZES = tuple(np.stack((x, np.arange(200) % 9 + 6), axis=1) for x in scores(200, 6))
PAIRS = rows(12, 2, 4, seed=41)


def largest(sums):
    return sums.max(axis=-1)


def product(sums):
    return sums.prod(axis=-1) ** 0.5


def called(name, columns, **options):
    return Call(f"test {name}", partial(paired_permutation_test, *columns, **options))


def one_hot(n, m, seed):
    """Rows that have a 1, each in a column of two."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, m, n)
    return tuple(np.eye(m, dtype=int)[place] * rng.integers(0, 2, (n, 1)) for _ in range(2))


def on_a_line(columns):
    """Labels that the systems give differently only where the right one is 1."""
    second = [b if gold else a for a, b, gold in zip(*columns.values(), strict=True)]
    return {**columns, "predictions2": second}


def better(columns, *more):
    """The first system gets these on top of each row."""
    return columns[0] + np.array(more), columns[1]


def by_generator():
    options = {**SAMPLED, "rng": np.random.default_rng(7)}
    return paired_permutation_test(*scores(50, 9), **options)


CALLS = [  # and budgets
    called("aggregator enum_sum", SHARED, score=aggregators.enum_sum_div_by_denom_sum),
    called("aggregator of paired-perm-test", PAIRS, score=aggregators.paired_perm_test_f1),
    called("5,000 wins of 9,000", ([1] * 5000 + [0] * 4000, [0] * 5000 + [1] * 4000)),
    called("2,000 wins, real", (np.full(2000, 2**0.5), np.zeros(2000))),
    called("100 real numbers, greater", reals((100,), seed=45), alternative="greater"),
    called("float32", tuple(np.float32(x / 100) for x in scores(20, 999, seed=46))),
    called("integers within a small budget", scores(60, 10**5, seed=47), **CAPPED, rng=5),
    called("function within a small budget", rows(40, 5, 9), score=largest, **CAPPED, rng=5),
    called(
        "ratio within a small budget", f1_rows(9000), score=F1, budget={"max_bytes": 1000}, rng=5
    ),
    Call("test sampled, by a generator", by_generator),
    called("sampled, no extreme one", scores(50, 3, better=4), **SAMPLED),
    called("largest integers", ([2**61, 1], [0, 2**61])),
]

SIGNS = np.where(scores(1000, 5)[0] > 1, 1, -1)
RANKS = SIGNS * np.arange(1, 1001), np.zeros(1000, dtype=int)
TINY = 10.0 ** -np.arange(0, 240, 20)
MILLIONS = PairedCounts([3, 0, 1], [0, 2, 1], [10**6, 10**6, 7])
CALLS += [  # means
    called("signed ranks", RANKS),
    called("a few large integers", scores(12, 2**57, seed=151), method="enumeration"),
    called("sizes far apart", (reals((40,))[0] * 4.0 ** np.arange(40), np.zeros(40))),
    called("34 real numbers", reals((34,)), method="bracket", alternative="less"),
    called("34 real numbers, in halves", reals((30,)), method="enumeration"),
    called("tiny and large numbers", (reals((12,))[0] * TINY, np.zeros(12))),
    called("counts of millions", (MILLIONS,)),
    called("counts of millions, sampled", (MILLIONS,), **SAMPLED),
]
ENDS = [[1, 1]] * 6, [[0, 0]] * 6
INSIDE = [[1, 2]] * 60 + [[0, 1]] * 30, [[0, 1]] * 60 + [[1, 2]] * 30
CALLS += [  # ratios
    *(
        called(f"{n} rows, {side}", f1_rows(n, seed=152), score=F1, alternative=side)
        for n, side in ((40, "less"), (400, "two-sided"), (3000, "greater"))
    ),
    called("60 rows, rational", f1_rows(60), score=F1, method="rational"),
    called("200 rows of larger counts", rows(200, 2, 30), score=SHARE),
    called("400 better rows", better(f1_rows(400), 1, 1, 0), score=F1),
    called("rows on a line", INSIDE, score=PRECISION),
    called("rows on a line, ends apart, greater", ENDS, score=PRECISION, alternative="greater"),
]
CALLS += [  # functions
    called("100 rows of three, function", rows(100, 3, 3), score=largest, alternative="greater"),
    called("40 rows of two, fft, function", rows(40, 2, 4), score=product, method="fft"),
    called("30,000 independent columns", one_hot(30_000, 2, 161), score=product),
    called("a column alone", scores(300, 9), score=np.sqrt),
]
PRIMES = labels(2000, 20, seed=157)  # whose sizes have no small common multiple
LINE = on_a_line(labels(1000, seed=156, right=(80, 78)))
CALLS += [  # metrics
    Call("compare labels on a line, f1", partial(compare, **LINE, metric="f1", average="macro")),
    Call(
        "compare twenty classes, mean recall",
        partial(compare, **PRIMES, metric="balanced_accuracy"),
    ),
    Call(
        "compare twenty classes, macro f1",
        partial(compare, **PRIMES, metric="f1", average="macro", rng=1, n_resamples=199),
    ),
    Call("compare 1,000 tagged sentences", partial(compare, **tags(1000), metric="span_f1")),
    Call("compare long answers", partial(compare, **answers(90, longest=40), metric="squad_f1")),
    *(
        Call(f"bootstrap of {name}", partial(paired_bootstrap_test, *columns, **options))
        for name, columns, options in (
            ("3,000 better scores", better(scores(3000, 9), 1), {}),
            ("200 sizes", SIZES, {"score": PRECISION}),
            ("2,000 real numbers", reals((2000,)), {"alternative": "greater", "rng": 1}),
        )
    ),
]
