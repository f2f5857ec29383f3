"""Calls of the bootstrap: every method, both rules for ties, the intervals."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import (
    answers,
    f1_rows,
    labels,
    reals,
    rows,
    scores,
    sequences,
    sets,
    tags,
    transcripts,
)
from answers.package import PairedCounts, Ratio, aggregators, compare, paired_bootstrap_test

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
    "fractions": (tuple(x / 7 for x in scores(30, 9, seed=64)), None),
    "200,000 integers": (scores(200_000, 3), None),
}
REAL = {
    "real numbers": (reals((40,)), None),
    "many sizes": (MANY_SIZES, RECALL),
}
SAMPLED = {
    "a ratio": (f1_rows(40), F1),
    "a ratio of real rows": (reals((20, 2)), Ratio([1, 0], [1, 1])),
    "a function": (rows(20, 3, 5), largest),
    "a function of one column": (scores(20, 5), squared),
    "a function of real rows": (reals((20, 2)), largest),
    "aggregator f_1": (rows(20, 4, 5, seed=65), aggregators.f_1),
    "decimal rows": (tuple(x / 10 for x in f1_rows(20)), F1),
}
SIDES = ("two-sided", "greater", "less")
METRICS = [
    ("accuracy", labels(50), "accuracy", {}),
    ("accuracy of sequences", sequences(30), "accuracy", {}),
    ("exact_match", sequences(30), "exact_match", {}),
    ("recall", labels(50), "recall", {}),
    ("precision", labels(50), "precision", {}),
    ("f1 of a label", labels(50, 3), "f1", {"pos_label": 2}),
    ("fbeta", labels(50), "fbeta", {"beta": 2}),
    ("jaccard of sets", sets(30), "jaccard", {"average": "micro", "multilabel": True}),
    ("macro f1", labels(50, 3), "f1", {"average": "macro"}),
    ("macro recall of two", labels(50), "recall", {"average": "macro"}),
    ("balanced_accuracy", labels(50, 3), "balanced_accuracy", {}),
    ("matthews_correlation", labels(50), "matthews_correlation", {}),
    ("span_f1", tags(30), "span_f1", {}),
    ("squad_exact_match", answers(30), "squad_exact_match", {}),
    ("squad_f1", answers(12), "squad_f1", {"method": "exact"}),
]


def called(name, columns, **options):
    options = {"rng": 1, "n_resamples": 999, **options}
    function = partial(paired_bootstrap_test, *columns, **options)
    return Call(f"bootstrap of {name}", function)


CALLS = [
    called(f"{name}, {side}", columns, score=score, method="exact", alternative=side)
    for name, (columns, score) in EXACT.items()
    for side in SIDES
]
CALLS += [
    called(f"{name}, {side}", columns, score=score, alternative=side)
    for name, (columns, score) in SAMPLED.items()
    for side in SIDES[:2]
]
CALLS += [
    called(f"{name}, monte_carlo", columns, score=score, method="monte_carlo")
    for name, (columns, score) in EXACT.items()
    if name in ("integers", "fractions")
]
CALLS += [
    called(f"{name}, {method}", columns, score=score, method=method)
    for name, (columns, score) in REAL.items()
    for method in ("auto", "monte_carlo", "exact")
]
CALLS += [
    called(f"{name}, ties excluded, {side}", columns, score=score, alternative=side, ties="exclude")
    for name, (columns, score) in (EXACT | SAMPLED).items()
    if name in ("integers", "equal systems", "a ratio", "wins without a loss")
    for side in SIDES
]
CALLS += [
    called("integers, at 80 %", scores(30, 5), confidence_level=0.8),
    called("a ratio, at 80 %", f1_rows(40), score=F1, confidence_level=0.8),
    called("paired counts", (PairedCounts.from_rows(*scores(30, 5)),)),
    called("paired counts of rows", (PairedCounts.from_rows(*f1_rows(40)),), score=F1),
    called("integers, dp", scores(30, 5), method="dp"),
    called("integers within a small budget", scores(30, 10**6), budget={"max_bytes": 10**4}),
]
CALLS += [
    Call(
        f"compare by bootstrap, {name}",
        partial(
            compare, **columns, metric=metric, **options, test="bootstrap", rng=2, n_resamples=499
        ),
    )
    for name, columns, metric, options in METRICS
]
CALLS += [
    Call(
        "compare by bootstrap, word_error_rate",
        partial(compare, **transcripts(20), metric="word_error_rate", test="bootstrap"),
        needs="rapidfuzz",
    ),
    Call(
        "compare by bootstrap, macro f1, ties excluded",
        partial(
            compare,
            **labels(50, 3),
            metric="f1",
            average="macro",
            test="bootstrap",
            ties="exclude",
            alternative="greater",
            confidence_level=0.9,
            n_resamples=499,
            rng=3,
        ),
    ),
    Call(
        "compare by bootstrap, squad_f1 of 60 answers",
        partial(compare, **answers(60, seed=66), metric="squad_f1", test="bootstrap", rng=3),
    ),
]
