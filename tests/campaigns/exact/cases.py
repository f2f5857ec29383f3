"""The cases of the campaign on exactness, by kind: what is called, and what is true of it."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from campaigns.exact import lowered, truths
from campaigns.exact.checks import ALL, TURNED, Case
from campaigns.exact.routes import ROUTES, Route
from corpora.sum_scores import SCORES
from oracles import draws as boot
from oracles import reals as real_oracle
from pairedperm import Ratio
from properties import generators
from strategies import numbers, rows
from strategies.rows import any_of

OF_REALS = ("auto", "enumeration", "bracket", "monte_carlo")
RESAMPLED = ("exact", "auto", "monte_carlo")
AVERAGED = ("f1", "precision", "recall", "jaccard")
METRICS = (*AVERAGED, "balanced_accuracy", "matthews_correlation", "cohen_kappa", "hamming_loss")


def counted(draw, columns):
    """The columns, or their distinct rows, and how often each occurs."""
    if not draw(any_of(False, False, False, True)):
        return list(columns), None
    table, how_often = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    return [table[:, 0], table[:, 1]], how_often


# Means


@st.composite
def means(draw, /, **chosen):
    """Means of integers and decimals."""
    d, rng, unit = draw(rows.differences(**chosen)), draw(generators), 1
    second = rng.integers(-50, 51, d.size)
    columns, kind = [second + d, second], draw(any_of(int, float, np.float32))
    if kind is not int and np.abs(columns).max() < (10**4 if kind is np.float32 else 10**12):
        unit = 10 ** draw(st.integers(0, 3))
        columns = [(column / unit).astype(kind) for column in columns]
    columns, how_often = counted(draw, columns)
    truth, law = partial(truths.mean, d), partial(truths.mean_law, d, unit)
    case = Case(columns, truth, methods=(*ALL, "bracket"), how_often=how_often, law=law)
    case.nearness = 0.0
    return case


@st.composite
def shares(draw, /, **chosen):
    """Means of k/3 or k/7 as floats, which lie on no lattice."""
    d, unit = draw(rows.differences(**chosen)), draw(any_of(3, 7))
    second = draw(generators).integers(0, unit + 1, d.size)
    columns = [((second + d) / unit).tolist(), (second / unit).tolist()]
    most = partial(real_oracle.upper, *columns) if np.count_nonzero(d) <= 24 else None
    return Case(columns, partial(truths.mean, d), methods=OF_REALS, most=most, nearness=1e-14)


@st.composite
def pairs(draw, *sizes, is_repeated=False):
    """Means of numbers that people hold; or of few examples, many times and to and fro."""
    pair = draw(numbers.pairs(*sizes))
    listed = [*zip(pair.one, pair.two, pair.exact1, pair.exact2, strict=True)]
    if is_repeated:
        n, k = rows.sizes(60, 8), rows.sizes(16)
        both = [[row] * draw(n) + [row[1::-1] + row[:1:-1]] * draw(k) for row in listed]
        listed = [row for copies in both for row in copies]
    one, two, *exact = map(list, zip(*listed, strict=True))
    truth, most = partial(real_oracle.pvalue, *exact), partial(real_oracle.upper, one, two)
    case = Case([one, two], truth, methods=(*OF_REALS, *ALL), most=most, nearness=1e-14)
    case.largest = max((max(abs(a), abs(b)) for a, b, *_ in listed if a != b), default=0.0)
    return case


# Functions of sums


@st.composite
def ratios(draw, /, **chosen):
    """Ratios of two sums, of two columns or of three; the numerator may be negative."""
    columns, rng = list(draw(rows.ratios(**chosen))), draw(generators)
    weights = draw(any_of([[1, 0], [0, 1]], [[1, -1], [0, 1]], [[2, 0, 0], [0, 1, 1]]))
    if len(weights[0]) == 3:
        columns = [np.hstack((x, rng.integers(0, 3, (len(x), 1)))) for x in columns]
    score = Ratio(*weights, zero_division=draw(any_of(0.0, 1.0, 0.5)))
    one, two = (column @ np.transpose(weights) for column in columns)
    truth = partial(truths.ratio, one, two, Fraction(score.zero_division))
    columns, how_often = counted(draw, columns)
    return Case(columns, truth, {"score": score}, how_often=how_often)


@st.composite
def functions(draw, /, **chosen):
    """Functions of the sums of rows of integers; or statistics of one sum, as in the paper."""
    (one, two), (exact, score) = draw(rows.counts(**chosen)), draw(any_of(*SCORES.values()))
    truth = partial(truths.of_sums, one, two, exact)
    if draw(any_of(False, True)):
        options, test = {"statistic": score}, "structured_permutation_test"
        return Case([one, two], partial(truth, is_one=True), options, test, is_relative=False)
    columns, how_often = counted(draw, [one, two])
    return Case(columns, truth, {"score": score}, how_often=how_often, is_relative=False)


@st.composite
def labels(draw, /, n_classes, **chosen):
    """Metrics of two classes or three, through `compare`."""
    columns, metric = draw(rows.labels(n_classes, **chosen)), draw(any_of(*METRICS))
    averages = any_of(
        {"average": "macro"}, {"average": "weighted"}, {"average": "macro", "zero_division": 1}
    )
    options = draw(averages) if metric in AVERAGED else {}
    one, two, right = (truths.class_rows(column, columns[2], n_classes) for column in columns)
    score = partial(truths.class_score, metric, right.sum(axis=0)[::2].tolist(), **options)
    truth, options = partial(truths.of_sums, one, two, score), {"metric": metric} | options
    return Case(columns, truth, options, "compare", is_relative=n_classes == 2)


# Resamples


@st.composite
def resampled_means(draw, least=2, most=200):
    """Means of integers and decimals, one of which may be huge."""
    top, rng, unit = draw(any_of(1, 2, 5, 20, 60)), draw(generators), draw(any_of(1, 10, 100))
    n = draw(rows.sizes(min(most, 3000 // top), least))
    one, two = np.sort(rng.integers(0, top + 1, (2, n)), axis=0)
    one, two = np.where(rng.random(n) < rng.choice([0.5, 0.8, 1.0]), (two, one), (one, two))
    case = Case([one / unit, two / unit], partial(boot.mean_pvalue, one, two), methods=RESAMPLED)
    case.test = "paired_bootstrap_test"
    if n <= 60 < most and draw(any_of(False, False, False, True)):
        huge = draw(any_of(1, -1)) * draw(rows.sizes(10**4, 10**3))
        case.columns = [np.append(one, max(huge, 0)), np.append(two, max(-huge, 0))]
        case.true = partial(boot.pvalue_with_one_huge, huge, (one - two).tolist())
    else:
        case.columns, case.how_often = counted(draw, case.columns)
        case.intervals = partial(truths.intervals, (one - two, one, two), unit)
    return case


@st.composite
def resampled_ratios(draw, least=2):
    """Ratios whose denominator is the same for both systems on every example."""
    n, top, rng = draw(rows.sizes(60, least)), draw(any_of(2, 5, 12)), draw(generators)
    size = rng.integers(rng.integers(0, 2), top + 1, n)
    size[0] += not size.any()
    one, two = (rng.binomial(size, share) for share in rng.uniform(0.2, 0.95, 2))
    columns, options = (
        [np.stack((x, size), axis=1) for x in (one, two)],
        {"score": Ratio([1, 0], [0, 1])},
    )
    true = partial(boot.common_pvalue, one, two, size)
    return Case(columns, true, options, "paired_bootstrap_test", RESAMPLED)


_MANY: dict[str, Any] = {"styles": ("small", "few sizes"), "largest": (3, 7, 30)}
_SHARES: dict[str, Any] = {"styles": ("shares", "any"), "least": 10}
KINDS: dict[str, st.SearchStrategy[Case]] = {
    "means": means(),
    "some means": means(**_MANY, least=14, most=60),
    "long means": means(**_MANY, least=200),
    "huge means": means(styles=("huge",), least=8),
    "few huge means": means(styles=("huge",), least=8, most=15),
    "means with huge ones": means(styles=("few huge",), least=8, most=60),
    "shares": shares(**_MANY, least=16, most=90),
    "pairs": pairs(),
    "repeated pairs": pairs(1, 3, is_repeated=True),
    "short means": means(styles=("huge",), least=8, most=24) | pairs(10, 24),
    "ratios": ratios(),
    "some ratios": ratios(**_SHARES),
    "few ratios": ratios(**_SHARES, most=16),
    "functions": functions(),
    "some sums": functions(styles=("dense", "planar"), least=5, width=(2, 2, 3)),
    "2 classes": labels(2),
    "some of two": ratios(**_SHARES) | labels(2, styles=("single", "sequences"), least=16),
    "one class": labels(2, styles=("one class",)),
    "3 classes": labels(3),
    "resampled means": resampled_means(),
    "few resamples": resampled_means(6, 24),
    "resampled ratios": resampled_ratios(),
    "some resampled ratios": resampled_ratios(6),
}
KINDS["any"] = KINDS["some means"] | KINDS["some ratios"] | KINDS["some sums"] | labels(3, least=6)
KINDS["rows"] = KINDS["some sums"] | KINDS["few ratios"]
KINDS["some resamples"] = KINDS["few resamples"] | KINDS["some resampled ratios"]


@st.composite
def questions(draw, wish):
    """Cases that want a route, or of a kind, with the methods and settings they are asked with."""
    route = ROUTES.get(wish, Route("", wish))
    case = draw(KINDS[route.kind])
    if case.test != "structured_permutation_test":
        case.options["alternative"] = draw(any_of(*TURNED))
    if case.is_bootstrap:
        case.options["ties"] = draw(any_of("include", "exclude"))
        case.options["confidence_level"] = draw(any_of(0.95, 0.99, 0.5))
    case.options["budget"] = {"max_points": draw(any_of(2**20, 2**20, 2**22, 2**16))}
    case.options |= {"n_resamples": draw(st.integers(1, 600)), "rng": draw(st.integers(0, 1000))}
    first = route.method if route.method in case.methods else case.methods[0]
    others = draw(st.lists(any_of(*case.methods), max_size=4, unique=True))
    case.methods = tuple(dict.fromkeys([first, *others]))
    case.settings = draw(lowered.drawn(route))
    case.further = {*draw(st.sets(any_of("order", "exchanged", "null"))), *route.further.split()}
    assume(case.truth is not None)  # if no oracle counts it, this is no case
    return case
