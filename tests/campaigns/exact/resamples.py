"""The kinds of cases of the paired bootstrap: what is called, and what is true of it."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import pairedperm
from campaigns.exact import corpora, truths
from campaigns.exact.corpora import choice
from campaigns.exact.kinds import Case
from corpora import sum_scores
from oracles import draws as boot

TIES = ("include", "exclude")
IDEAL = ("exact", "auto", "monte_carlo")


def means(rng):
    """Means of integers and decimals; one example may be huge."""
    largest = choice(rng, (1, 2, 5, 20, 60))
    n = corpora.size(rng, min(200, 3000 // largest), 2)
    one, two = rng.integers(0, largest + 1, (2, n))
    if rng.random() < 0.5:
        worse = (one < two) & (rng.random(n) < rng.random())
        one, two = np.where(worse, two, one), np.where(worse, one, two)
    unit = 10 ** int(rng.integers(0, 3))
    case = Case(
        kind="bootstrap mean",
        test="paired_bootstrap_test",
        columns=[one / unit, two / unit],
        truth=partial(boot.mean_pvalue, one, two),
        methods=IDEAL,
        ties=TIES,
        intervals=lambda level: _intervals(one, two, unit, level),
    )
    if rng.random() < 0.2 and n <= 60:
        small = (one - two).tolist()
        huge = int(rng.choice([-1, 1])) * int(10 ** rng.uniform(3, 8))
        case.columns = [np.array([*one, max(huge, 0)]), np.array([*two, max(-huge, 0)])]
        case.truth = partial(boot.pvalue_with_one_huge, huge, small)
        case.intervals = None
    elif rng.random() < 0.3:
        case.columns, case.how_often = corpora.counted(rng, case.columns)
    return case


def _intervals(one, two, unit, level):
    """Percentile intervals of the difference and of both scores; None where two would do."""
    found = []
    for values in (one - two, one, two):
        law = boot.mean_law(values.tolist())
        ends = {boot.percentiles(law, level + shift) for shift in (-1e-9, 0.0, 1e-9)}
        found.append([float(x / unit) for x in ends.pop()] if len(ends) == 1 else None)
    return found


def shared(rng):
    """Ratios whose denominator is the same for both systems on every example."""
    n = corpora.size(rng, 60, 2)
    largest = choice(rng, (2, 5, 12))
    sizes = rng.integers(int(rng.integers(0, 2)), largest + 1, n)
    one, two = (rng.binomial(sizes, share) for share in rng.uniform(0.2, 0.95, 2))
    if not sizes.any():
        sizes[0], one[0] = 1, 1
    columns = [np.stack((x, sizes), axis=1) for x in (one, two)]
    truth = partial(boot.common_pvalue, one, two, sizes)
    score = pairedperm.Ratio([1, 0], [0, 1])
    case = Case("bootstrap ratio", "paired_bootstrap_test", columns, truth, IDEAL, ties=TIES)
    case.options = {"score": score}
    if rng.random() < 0.3 and sizes.all():  # the same as accuracy of sequences
        right = [[1] * int(size) for size in sizes]
        given = [
            [[1] * int(k) + [0] * int(size - k) for k, size in zip(x, sizes, strict=True)]
            for x in (one, two)
        ]
        case.test, case.columns = "compare", [*given, right]
        case.options = {"metric": "accuracy", "test": "bootstrap"}
    return case


def reals(rng):
    """Means of few floats on no lattice."""
    n = int(rng.integers(2, 8))
    one, two = rng.lognormal(0, choice(rng, (0.1, 1, 4)), (2, n))
    if rng.random() < 0.3:
        two[: n // 2] = one[: n // 2]
    return Case(
        kind="bootstrap of reals",
        test="paired_bootstrap_test",
        columns=[one, two],
        truth=partial(truths.resampled_reals, one, two),
        methods=("auto", "monte_carlo"),
        ties=TIES,
    )


def functions(rng):
    """Ratios and functions of the sums of rows, of integers or floats, which are sampled."""
    n, m = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    one, two = rng.integers(0, 5, (2, n, m))
    name, code = choice(rng, sorted(sum_scores.SCORES)), {}
    if m > 1 and rng.random() < 0.3:
        name, weights = "ratio", np.eye(m, dtype=int)[:2].tolist()
        score: Any = pairedperm.Ratio(weights[0], weights[1], zero_division=0.5)
        exact: Any = partial(truths.exact_ratio, weights[0], weights[1], Fraction(1, 2))
    else:
        exact, score = sum_scores.SCORES[name]
        code = {"score": f"sum_scores.SCORES[{name!r}][1]"}
    if name != "steps" and rng.random() < 0.3:
        one, two = (one, two) * rng.random((2, n, m))

    def truth(alternative, ties):
        rows = [[[*map(Fraction, row)] for row in column.tolist()] for column in (one, two)]

        def scores(indices):
            chosen = ([column[k] for k in indices] for column in rows)
            return tuple(Fraction(exact(tuple(map(sum, zip(*x, strict=True))))) for x in chosen)

        return boot.Enumeration(scores, n).pvalue(alternative, ties)

    return Case(
        kind="bootstrap function",
        test="paired_bootstrap_test",
        columns=[one, two],
        truth=truth,
        methods=("auto", "monte_carlo"),
        options={"score": score},
        code=code,
        ties=TIES,
    )
