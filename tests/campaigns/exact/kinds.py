"""The kinds of cases of permutation tests: what is called, and what is true of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import pairedperm
from campaigns.exact import corpora, truths
from campaigns.exact.corpora import choice
from corpora import sum_scores

WHOLE = ("dp", "fft", "rational", "enumeration", "monte_carlo")
OF_ALL = ("balanced_accuracy", "matthews_correlation", "cohen_kappa", "hamming_loss")
METRICS = ("precision", "recall", "f1", "jaccard", *OF_ALL)  # the last without an average
F1 = np.array([[2, 0, 0], [0, 1, 1]])  # of correct, predicted and right ones


@dataclass
class Case:
    """A call apart from the alternative and the method, and the true p-value of these.

    `promise` is "relative" where p is promised to 1e-11, "absolute" where to 1e-12 absolutely.
    `code` holds what prints badly, as Python expressions.
    """

    kind: str
    test: str
    columns: list[Any]
    truth: Callable[..., Fraction]
    methods: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)
    how_often: Any = None
    promise: str = "relative"
    n_systems: int = 2  # columns that may be exchanged
    alternatives: tuple[str, ...] = ("two-sided", "greater", "less")
    law: Callable[[], dict[float, Fraction]] | None = None
    intervals: Callable[..., Any] | None = None
    ties: tuple[str, ...] = ("include",)
    nearness: float = 1e-11  # values of the statistic tie within this share of the largest
    is_tied: bool = False  # sums that are sampled tie where they differ little
    knows_null: bool = True  # whether values that are apart do not tie in the null distribution

    def arguments(self, order=None, is_exchanged=False):
        """The columns, of the examples in some order, or with the systems exchanged."""
        columns = list(self.columns)
        if is_exchanged:
            columns[0], columns[1] = columns[1], columns[0]
        if order is not None:
            columns = [
                column[order] if isinstance(column, np.ndarray) else [column[k] for k in order]
                for column in columns
            ]
        if self.how_often is None:
            return columns
        how_often = self.how_often if order is None else self.how_often[order]
        return [pairedperm.PairedCounts(columns[0], columns[1], how_often)]

    @property
    def n_rows(self):
        """How many rows its columns have."""
        return len(self.columns[0])

    def asked(self, arguments, **options):
        """The result of the test."""
        if self.test == "structured_permutation_test":
            options.pop("alternative", None)
            arguments = [*arguments, self.options["statistic"]]
            return pairedperm.structured_permutation_test(*arguments, **options)
        test = getattr(pairedperm, self.test)
        return test(*arguments, **self.options, **options)

    def planned(self, arguments, **options):
        """What `plan` says of the same call."""
        if self.test == "structured_permutation_test":
            options.pop("alternative", None)
        return pairedperm.plan(*arguments, **self.options, **options)


def means(rng):
    """Means of integers and decimals."""
    d = corpora.whole_differences(rng, choice(rng, corpora.WHOLE))
    columns = corpora.columns_of(rng, d)
    case = Case(
        kind="mean",
        test="paired_permutation_test",
        columns=list(columns),
        truth=lambda alternative: truths.mean(d, alternative),
        methods=("exact", "auto", *WHOLE, "bracket"),
        law=partial(truths.mean_law, d),
    )
    largest = max(np.abs(column).max() for column in columns)
    if largest < 2**53 and rng.random() < 0.2:
        case.columns = [column.astype(float) for column in columns]
    elif largest < 10**9 and rng.random() < 0.3:
        unit = 10 ** int(rng.integers(1, 4))
        kind = np.float32 if largest < 10**4 and rng.random() < 0.3 else np.float64
        case.columns = [(column / unit).astype(kind) for column in columns]
        case.law = partial(truths.mean_law, d, unit)
    if rng.random() < 0.25:
        case.columns, case.how_often = corpora.counted(rng, case.columns)
    return case


def reals(rng):
    """Means of floats on no lattice."""
    one, two = corpora.real_columns(rng, choice(rng, corpora.REAL))
    order = rng.permutation(one.size)
    one, two = one[order], two[order]
    sizes = np.abs(one - two)[one != two]
    return Case(
        kind="mean of reals",
        test="paired_permutation_test",
        columns=[one, two],
        truth=lambda alternative: truths.reals(one, two, alternative),
        methods=("auto", "enumeration", "bracket", "monte_carlo"),
        nearness=1e-14,
        is_tied=bool(sizes.size and sizes.min() < 1e-12 * sizes.sum()),
    )


def ratios(rng):
    """Ratios of two sums, of rows of two counts or of three."""
    one, two = corpora.pairs(rng, choice(rng, corpora.PAIRS))
    zero_division = choice(rng, (0.0, 0.0, 1.0, 0.5))
    score = pairedperm.Ratio([1, 0], [0, 1], zero_division=zero_division)
    columns = [one, two]
    if rng.random() < 0.3:
        columns = [np.sort(rng.integers(0, 4, (len(one), 3)), axis=1) for _ in range(2)]
        one, two = (rows @ F1.T for rows in columns)
        score = pairedperm.Ratio(*F1.tolist(), zero_division=zero_division)
    elif rng.random() < 0.2:  # a numerator that may be negative
        one, two = (np.stack((x - y, y), axis=1) for x, y in (one.T, two.T))
        score = pairedperm.Ratio([1, -1], [0, 1], zero_division=zero_division)
    case = Case(
        kind="ratio",
        test="paired_permutation_test",
        columns=columns,
        truth=lambda alternative: truths.ratio(one, two, alternative, Fraction(zero_division)),
        methods=("exact", "auto", *WHOLE),
        options={"score": score},
    )
    if rng.random() < 0.25:
        case.columns, case.how_often = corpora.counted(rng, columns)
    return case


def functions(rng):
    """Functions of the sums of rows of integers."""
    one, two = corpora.count_rows(rng, choice(rng, corpora.ROWS))
    name = choice(rng, sorted(sum_scores.SCORES))
    exact, score = sum_scores.SCORES[name]
    case = Case(
        kind="function",
        test="paired_permutation_test",
        columns=[one, two],
        truth=lambda alternative: truths.function(one, two, exact, alternative),
        methods=("exact", "auto", *WHOLE),
        options={"score": score},
        code={"score": f"sum_scores.SCORES[{name!r}][1]"},
        promise="absolute",
    )
    if rng.random() < 0.25:
        case.columns, case.how_often = corpora.counted(rng, case.columns)
    return case


def structured(rng):
    """Statistics of one sum, the paper's general form."""
    one, two = corpora.count_rows(rng, choice(rng, corpora.ROWS))
    name = choice(rng, sorted(sum_scores.SCORES))
    exact, statistic = sum_scores.SCORES[name]
    return Case(
        kind="structured",
        test="structured_permutation_test",
        columns=[one, two],
        truth=lambda alternative: truths.statistic(one, two, exact),
        methods=("exact", "auto", *WHOLE),
        options={"statistic": statistic},
        code={"statistic": f"sum_scores.SCORES[{name!r}][1]"},
        promise="absolute",
        n_systems=0,
        alternatives=("greater",),
    )


def labels(rng):
    """Metrics of two classes or three, through `compare`."""
    n_classes = choice(rng, (2, 2, 3))
    style = choice(rng, corpora.LABELS)
    most = {2: 250, 3: 14}[n_classes] if style != "sequences" else {2: 30, 3: 8}[n_classes]
    columns = corpora.labels(rng, style, n_classes, most)
    metric = choice(rng, METRICS)
    options = {"metric": metric}
    zero_division = 0.0
    if metric not in OF_ALL:
        zero_division = choice(rng, (0.0, 0.0, 1.0))
        averages = ("macro", "macro", "weighted", *(["binary"] if n_classes == 2 else []))
        average = choice(rng, averages)
        options |= {"average": average, "zero_division": zero_division}
    rows = [truths.class_rows(column, columns[2], n_classes) for column in columns[:2]]
    gold = truths.class_rows(columns[2], columns[2], n_classes).sum(axis=0)[n_classes:].tolist()
    chosen = [1] if options.get("average") == "binary" else None
    is_weighted = options.get("average") == "weighted"
    score = truths.class_score(
        metric, gold, Fraction(zero_division), chosen, is_weighted=is_weighted
    )
    return Case(
        kind=f"{n_classes} classes",
        test="compare",
        columns=list(columns),
        truth=lambda alternative: truths.function(rows[0], rows[1], score, alternative),
        methods=("exact", "auto", *WHOLE),
        options=options,
        promise="relative" if n_classes == 2 else "absolute",
    )


def real_rows(rng):
    """Ratios and functions of sums of floats on no lattice, each taken for the number it is."""
    is_ratio = rng.random() < 0.6
    name = choice(rng, sorted(sum_scores.SCORES.keys() - {"steps"}))
    may_be_negative = not is_ratio and name == "largest" and rng.random() < 0.5
    style = choice(rng, [x for x in corpora.REAL_ROWS if not is_ratio or x != "huge"])
    columns = corpora.real_rows(rng, style, may_be_negative)
    one, two = ([[Fraction(x) for x in row] for row in rows.tolist()] for rows in columns)
    case = Case(
        kind="ratio of reals" if is_ratio else "function of reals",
        test="paired_permutation_test",
        columns=list(columns),
        truth=lambda alternative: truths.of_reals(one, two, exact, alternative, not is_ratio),
        methods=("auto", "enumeration", "monte_carlo"),
        knows_null=style not in ("thirds", "far apart"),
    )
    if is_ratio:
        zero_division = choice(rng, (0.0, 0.0, 1.0, 0.5))
        weights = rng.permutation(np.eye(columns[0].shape[1], dtype=int))[:2]
        if rng.random() < 0.3:
            weights += rng.integers(0, 4, weights.shape) * (rng.random(weights.shape) < 0.3)
        above, below = weights.tolist()
        case.options = {"score": pairedperm.Ratio(above, below, zero_division=zero_division)}
        exact: Any = partial(truths.exact_ratio, above, below, Fraction(zero_division))
        return case
    exact, score = sum_scores.SCORES[name]
    case.options, case.code = {"score": score}, {"score": f"sum_scores.SCORES[{name!r}][1]"}
    return case
