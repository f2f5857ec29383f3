"""The comparison of two systems by their predictions: p, equivalence within a margin, and counts.

Counts stand for the predictions, for instance of a shard, or of distinct examples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, overload

import numpy as np

from pairedperm import options
from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import (
    InputError,
    Name,
    NoIntervalError,
    Parts,
    Setting,
    called,
    describe,
    warn,
)
from pairedperm.inputs.columns import entries_of, is_missing, materialise, warn_of_repeats
from pairedperm.inputs.labels import Labels
from pairedperm.nulls.draws import run as run_draws
from pairedperm.nulls.swaps import run
from pairedperm.nulls.swaps import run as run_swaps
from pairedperm.options import ALPHA, Interval, read_options, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    FEWEST_DIFFERING,
    GUARANTEED,
    MOST_MEASURED,
    ConfidenceInterval,
    is_doubtful,
)
from pairedperm.results.decisions import EquivalenceResult
from pairedperm.results.result import PairedBootstrapResult, PairedPermutationResult, PairedResult
from pairedperm.results.words import sampling_unit
from pairedperm.scoring import MeanScore, MetricName
from pairedperm.scoring.arguments import (
    ON_A_LATTICE,
    ScoreArgument,
    check_adds_up,
    check_on_lattice,
    counts_of,
    of_metric,
    read_arguments,
)
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.merging import read_groups, summed, with_groups
from pairedperm.scoring.metric import IGNORE_LABEL, Metric, read_metric, split_call
from pairedperm.scoring.rows import Rows, check_total, read_multiplicities
from pairedperm.scoring.scores import Mean, Score, check_sums_of_groups

TESTS: dict[str, Callable[..., PairedPermutationResult | PairedBootstrapResult]] = {
    "permutation": run_swaps,
    "bootstrap": run_draws,
}
# The options of a test that comparisons of several do not take.
OF_A_PAIR = ("test", "ties", "largest_group")


@overload
def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    test: Literal["permutation"] = "permutation",
    groups: Any = None,
    **options: Any,
) -> PairedPermutationResult: ...


@overload
def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    test: Literal["bootstrap"],
    groups: Any = None,
    **options: Any,
) -> PairedBootstrapResult: ...


@overload
def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    test: options.Test,
    groups: Any = None,
    **options: Any,
) -> PairedPermutationResult | PairedBootstrapResult: ...


def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    test: options.Test = "permutation",
    alternative: options.Alternative = "two-sided",
    method: options.Method = "auto",
    n_resamples: int | None = None,
    rng: options.Seed = None,
    budget: options.BudgetLike = None,
    confidence_level: float | None = None,
    ties: options.Ties = "include",
    constant: options.Constant | None = None,
    ignore_label: int | None = IGNORE_LABEL,
    groups: Any = None,
    largest_group: int | None = None,
    **metric_options: Any,
) -> PairedPermutationResult | PairedBootstrapResult:
    """Does one system really beat another? An exact test on predictions.

    Null hypothesis: on every example the two systems' outputs are
    exchangeable. The p-value is the share of all 2^n ways of swapping them in
    which the scores differ at least as much as observed; ties count.

    Parameters
    ----------
    predictions1, predictions2 : sequence, length n
        The systems' outputs on each example, as the metric takes them: a
        label (int, bool or str), a sequence or set of labels (also a 0/1
        matrix), or a text. Lists, arrays, tensors, Series, dataset columns.
        A list for one reference holds several runs, swapped together.
    references : sequence, length n
        The right answers, in the same form and of the same type.
    metric : str or Metric
        A name such as "f1" (`pairedperm.scoring.MetricName` lists all), or an
        object such as `pairedperm.scoring.F1`. See its help for its options.
    test : {"permutation", "bootstrap"}
        "bootstrap" draws with replacement; see `paired_bootstrap_test`.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher.
    method, n_resamples, rng, budget, constant
        See `paired_permutation_test`, or `paired_bootstrap_test`.
    confidence_level : float or None
        Level of the interval in `to_dict`. None: 0.95 for a bootstrap.
    ties : {"include", "exclude"}
        For a bootstrap: whether a difference right at the threshold counts.
    ignore_label : int or None
        Where sequences of integers have this reference, they do not count.
    groups : sequence of int or str, length n, or None
        Ids: examples with the same id are swapped, or drawn, together.
    largest_group : int or None
        The largest size that one may have: for the guaranteed interval.
    **metric_options
        Options of the metric, such as average="macro" or pos_label="yes".

    Returns
    -------
    PairedPermutationResult, or PairedBootstrapResult
        To print; `summary` and `confidence_interval` say more.

    Raises
    ------
    InputError
        If columns are missing, empty, one-hot or do not fit; for options.
    BudgetError
        If the method asked for would exceed the budget.
    TypeError
        If an option does not exist.

    Warns
    -----
    UserWarning
        If p is sampled unasked, or if labels or constant scores look wrong.

    Examples
    --------
    >>> from pairedperm import compare
    >>> result = compare(["a", "b", "b"], ["a", "a", "a"], ["a", "b", "b"])
    >>> result.score1, result.pvalue
    (1.0, 0.5)
    """
    chosen = read_options(
        test=test,
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
        confidence_level=confidence_level,
        ties=ties,
        constant=constant,
        largest_group=largest_group,
    )
    of_metric = read_metric(metric, ignore_label, **metric_options)
    columns = of_metric.read((predictions1, predictions2, references))
    if groups is None and hasattr(predictions1, "iloc"):
        warn_of_repeats("predictions1", predictions1)
    return TESTS[chosen.test](*rows_and_score(of_metric, columns, groups), of_metric, chosen)


def rows_and_score(metric: Metric, columns: Sequence[Any], groups: Any) -> tuple[Rows, Score]:
    """Return the rows of columns that the metric has read, and their score."""
    rows = metric.rows_of(columns, groups)
    return rows, metric.checked_score(rows)


def metric_or_counts(
    references: Any, metric: Any, score: Any, metric_options: dict[str, Any]
) -> Metric | None:
    """Return the metric; None if the columns are scores or counts.

    Raises
    ------
    InputError
        If there are metric options but no metric. If `score` comes with a metric.
    """
    if references is None and metric is None:
        if metric_options:
            name = Name(next(iter(metric_options)))
            what = " is an option of a metric, and ", Name("metric"), " is missing"
            raise InputError(name, *what, remedy="Name the metric, or leave the option out")
        return None
    if score is not None:
        remedy = Parts("leave it out with ", Name("references"), " or a ", Name("metric"))
        raise InputError(Name("score"), " is of counts", remedy=remedy)
    metric = "accuracy" if metric is None else metric
    return read_metric(metric, **metric_options)


LEAST_ALPHA = 1e-12  # proof: the float 1 - 2 α keeps four digits of such an α
MARGIN = Interval(
    0.0,
    math.inf,
    "neither",
    words="a positive number in units of the score, such as 0.01 for a percentage point of "
    "accuracy",
)
MARGIN_ALPHA = Interval(
    LEAST_ALPHA, 0.5, "left", remedy="Other levels have no interval at the level 1 - 2 alpha."
)
Margin = Annotated[float, MARGIN]
_GIVE_RANGE = Parts(
    "If you know the range of a score, give it: ",
    *(Setting("metric", "'mean_score'"), " and ", Setting("score_range", "(low, high)")),
)
_GIVE_LARGEST = Parts(
    "If you know the largest size that a group may have, give it: ", Setting("largest_group", "N")
)
_NOT_TAKEN = ("test", "alternative", "confidence_level", "ties")  # options of `compare`


@reads_options
def equivalence_test(
    predictions1: Any,
    predictions2: Any = None,
    references: Any = None,
    metric: MetricName | Metric | None = None,
    *,
    margin: Margin,
    alpha: Annotated[float, MARGIN_ALPHA] = ALPHA,
    score: ScoreArgument | None = None,
    groups: Any = None,
    **options: Any,
) -> EquivalenceResult:
    """Is one system as good as another, or not worse by more than a margin?

    A difference that is not significant does not show this: the examples may be too few. This test
    shows it if a confidence interval of the difference lies within the margin.

    Parameters
    ----------
    predictions1, predictions2, references, metric
        See `compare`; the default metric is "accuracy" if there are references. Without references
        and metric, the first two are scores or counts, see `paired_permutation_test`. Or
        `predictions1` is a result of one of these tests, and nothing else but `margin` and `alpha`
        is given.
    margin : float
        The smallest difference that matters, positive, in units of the score: 0.01 for a percentage
        point of accuracy, 1.0 for a point of BLEU. Choose it before the results are known.
    alpha : float
        The level of each statement, from 1e-12 to below 0.5.
    score
        See `paired_permutation_test`.
    groups
        See `compare`.
    **options
        `method`, `n_resamples`, `rng`, `budget` and `constant`, see `paired_permutation_test`. Of
        the metric, and `largest_group`: see `compare`.

    Returns
    -------
    EquivalenceResult
        To print; `verdict` is "better", "worse", "equivalent", "not worse" or "inconclusive".

    Raises
    ------
    InputError
        If `margin` is not positive, or not below the largest difference that the metric can have.
        If `alpha` is out of range. If `predictions1` is a result of another test or a one-sided
        one. If fewer than 30 examples or groups differ or `alpha` is below 0.005, and single scores
        have no known range. If the difference has no standard error. Also as `compare` or
        `paired_permutation_test`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If `margin` is as large as the scores themselves. If p is sampled without being asked for.

    Notes
    -----
    The test is two one-sided tests [1]_ at the level α, which is an interval at the level 1 - 2 α.
    If each example is right or wrong by the metric, or given scores are all 0 or 1, it is exact
    [2]_: a system that is worse by the margin or more is called "not worse" in at most α of all
    cases, for any number of examples. Unless more are won than lost, no margin below 1 - α^(1/n)
    can be shown: at α = 0.05 it takes 59 examples for 0.05, 149 for 0.02 and 299 for 0.01.

    For other scores it is the studentised bootstrap [3]_, which is asymptotic. If fewer than 30
    examples or groups differ, or α is below 0.005, it gives way to the guaranteed interval, where
    the range of the scores is known, and the groups have one size or a `largest_group`; see
    `confidence_interval`. "better" and "worse" come from the exact test of `compare`, which
    supposes exchangeable outputs.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
       approach for assessing the equivalence of average bioavailability", 1987.
    .. [2] M. P. Fay, K. Lumbard, "Confidence intervals for difference in proportions for matched
       pairs compatible with exact McNemar's or sign tests", Statistics in Medicine 40, 2021.
    .. [3] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997.

    Examples
    --------
    >>> from pairedperm import equivalence_test
    >>> large = [1] * 900 + [0] * 100
    >>> small = [1] * 890 + [0] * 95 + [1] * 15
    >>> print(equivalence_test(small, large, [1] * 1000, margin=0.02).verdict)
    equivalent
    """
    metric_options, of_test = split_call(options, without=_NOT_TAKEN)
    chosen = read_options(**of_test)
    if isinstance(predictions1, PairedResult):
        others = (predictions2, references, metric, score, groups)
        given = [x for x in of_test.items() if x[1] is not None and x != ("method", "auto")]
        is_alone = not given and not metric_options and all(x is None for x in others)
        result = _read_result(predictions1, is_alone)
    elif own_metric := metric_or_counts(references, metric, score, metric_options):
        columns = own_metric.read((predictions1, predictions2, references))
        result = run(*rows_and_score(own_metric, columns, groups), own_metric, chosen)
    else:
        with called({"counts1": Name("predictions1"), "counts2": Name("predictions2")}):
            read = read_arguments(predictions1, predictions2, score, groups)
        result = run(*read, chosen)
    evidence = result.evidence_for("interval")
    check_margin(margin, evidence.bound, result.metric or "scores 0 or 1")
    _warn_of_unit(evidence, result, margin)
    interval = _interval(evidence, result, alpha)
    return EquivalenceResult(result, margin, alpha, interval)


def check_margin(margin: float, bound: float, metric: str | None) -> None:
    """Raise InputError if a margin is not below the largest difference of a metric."""
    if not margin < bound:
        raise InputError(
            Name("margin"),
            must=f"be below {bound:g}, which no difference of {metric} exceeds",
            got=describe(margin),
            remedy="A percentage point of a share is 0.01" if bound <= 2.0 else "",
        )


def _read_result(result: PairedResult, is_alone: bool) -> PairedPermutationResult:
    """Return the result if it is of a two-sided permutation test of scores, and alone."""
    if not is_alone:
        remedy = "it has its predictions, metric and options already"
        raise InputError("give a result alone", remedy=remedy)
    if result.score1 is None:
        raise InputError(
            "a result of `structured_permutation_test` has no scores to compare",
            remedy="Give that of `compare` or `paired_permutation_test`",
        )
    if not isinstance(result, PairedPermutationResult) or result.alternative != "two-sided":
        raise InputError(
            Name("predictions1"),
            must="be predictions, or the result of a two-sided permutation test",
            got=repr(result),
        )
    return result


def _warn_of_unit(evidence: Evidence, result: PairedResult, margin: float) -> None:
    """Warn if scores without a bound are all within the margin."""
    rows, mean = evidence.rows, evidence.score
    if math.isfinite(evidence.bound):
        return
    largest = max(abs(result.score1 or 0.0), abs(result.score2 or 0.0))
    seen = f"both scores are at most {largest:g}"
    if evidence.metric is None and isinstance(mean, Mean) and mean.sizes is None:
        largest = float(np.ptp([rows.rows1, rows.rows2])) / rows.unit
        seen = f"all scores lie within {largest:g}"
    if 0.0 < largest <= margin:
        remedy = "Is it in units of the score?"
        warn(Name("margin"), f" is {margin:g}, and {seen}", remedy=remedy)


def _interval(
    evidence: Evidence, result: PairedPermutationResult, alpha: float
) -> ConfidenceInterval:
    """Return the interval of the difference at the level 1 - 2 alpha.

    Where few examples differ, an asymptotic one gives way to the guaranteed one.

    Raises
    ------
    NoIntervalError
        If fewer than 30 examples or groups differ, and scores have no known range. If the
        difference has no standard error.
    """
    sample, level = evidence.sample, 1.0 - 2.0 * alpha
    if sample.own_kind in (EXACT_INTERVAL, GUARANTEED):
        return sample.interval(level)
    what = f"{sampling_unit(result)}s"
    if is_doubtful(sample.own_kind, sample.rows.n_differing, level):
        if sample.has_guarantee:
            return sample.interval(level, kind=GUARANTEED)
        give_range = _GIVE_RANGE if isinstance(sample.simple, Mean) else ""
        give_range = _GIVE_LARGEST if sample.has_range else give_range
        if sample.rows.n_differing >= FEWEST_DIFFERING:
            raise NoIntervalError(
                f"an asymptotic interval of such scores was measured up to a level of "
                f"{MOST_MEASURED:.0%}",
                got=f"{level:.12g}",
                remedy=(Parts("Use ", Setting("alpha", "0.005"), " or more"), give_range),
            )
        raise NoIntervalError(
            f"only {sample.rows.n_differing:,} of {sample.rows.n:,} {what} differ, too few for an "
            f"asymptotic interval of such scores, which needs {FEWEST_DIFFERING}",
            remedy=(f"Collect more {what}", give_range),
        )
    if not result.standard_error:
        raise NoIntervalError(
            "the difference has no standard error, or it is 0",
            remedy=(
                f"all {what} say the same of the two systems, or the score has no derivatives",
                "There is no bootstrap interval then",
            ),
        )
    return sample.interval(level, result.seed or 0)


_HOW_OFTEN = (
    "They say how often each row occurs. Leave out rows that never occur, in pandas by "
    "groupby(..., observed=True)"
)


def rows_of_distinct(
    metric: Metric, columns: Sequence[Any], groups: Any, multiplicities: Any
) -> Rows:
    """Return the rows of columns that `metric.read` gave, as often as each example occurs.

    They are distinct, or with groups the sums of each group. The runs of an item are a group.

    Raises
    ------
    InputError
        If the columns do not fit each other, the multiplicities, the groups or the metric. If
        scores lie on no lattice, or the metric does not add up over groups.
    """
    rows = metric.rows_in_order(columns)
    check_on_lattice(rows)
    if rows.groups is not None:  # of an item's runs
        check_adds_up(metric, rows)
        rows = summed(rows)
    how_often = _read_how_often(multiplicities, len(rows.rows1))
    if rows.sizes is not None:
        check_total(
            [n * size for n, size in zip(how_often.tolist(), rows.sizes.tolist(), strict=True)]
        )
    references = columns[2]
    if rows.provenance.n_ignored and isinstance(references, Labels) and metric.ignored is not None:
        n_ignored = references.sums(references.are(metric.ignored)) @ how_often
        rows = rows.noting(n_ignored=int(n_ignored))
    if groups is None:
        return rows.having(multiplicities=how_often).distinct()
    check_adds_up(metric, rows)
    return _sums_of_groups(rows, how_often, groups)


def _read_how_often(column: Any, n_rows: int) -> IntArray:
    """Read how often each of `n_rows` distinct examples occurs, at least once."""
    column = materialise("multiplicities", column)
    entries = entries_of(column) if isinstance(column, np.ndarray) else column
    for index, entry in enumerate(entries):
        if isinstance(entry, (bool, np.bool_, str)) or is_missing(entry):
            raise InputError(
                Name("multiplicities"),
                must="be numbers of examples, integers from 1",
                at=Name("multiplicities", (index,)),
                got=describe(entry),
                remedy=_HOW_OFTEN,
            )
    return read_multiplicities(column, n_rows, least=1, remedy=_HOW_OFTEN)


def _sums_of_groups(rows: Rows, how_often: IntArray, groups: Any) -> Rows:
    """Return the sums of rows over groups, each row as often as it occurs in its group."""
    largest = max(largest_entry(rows.rows1), largest_entry(rows.rows2))
    check_sums_of_groups("there may be", int(how_often.max()), largest)
    each = how_often.reshape(-1, *[1] * (rows.rows1.ndim - 1))
    sizes = how_often if rows.sizes is None else how_often * rows.sizes
    one, two = rows.rows1 * each, rows.rows2 * each
    numbers = read_groups(groups)
    in_groups = with_groups(rows.having(rows1=one, rows2=two, sizes=None), numbers)
    n_each = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    np.add.at(n_each, numbers, sizes)
    return summed(in_groups).having(sizes=n_each)


def paired_counts(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    groups: Any = None,
    multiplicities: Any = None,
    **metric_options: Any,
) -> PairedCounts:
    """Count two systems' predictions under a metric, for instance those of one shard.

    The counts are a few dozen to a few thousand integers, whatever the number of examples. Add the
    counts of all shards, and pass the sum to `paired_permutation_test` or `paired_bootstrap_test`.
    The result is the one that `compare` gives for all examples.

    Parameters
    ----------
    predictions1, predictions2, references, metric, groups, **metric_options
        See `compare`. A shard must contain the whole of each of its groups.
    multiplicities : sequence of int, shape (k,), or None
        How often each row occurs, from 1, if the columns hold distinct rows: the counts of
        ``GROUP BY`` in a database, or of ``groupBy().count()`` in Spark. With `groups`, a row
        stands for so many examples of its group. None: each row is one example.

    Returns
    -------
    PairedCounts
        The distinct pairs of rows and how often each occurs. With groups, and with several runs of
        an item, which form a group, the results have no `n_wins`, `n_losses` and `n_ties`.

    Raises
    ------
    InputError
        If `compare` refuses the arguments. If a column is empty (leave out empty shards). If scores
        have more than 13 digits, because they lie on no lattice. If groups are used with a metric
        that is a mean of ratios, such as ``average="samples"``. If multiplicities are not one whole
        number from 1 for each row.
    TypeError
        If an option does not exist.

    Examples
    --------
    >>> from pairedperm import paired_counts, paired_permutation_test
    >>> monday = paired_counts(["a", "b"], ["b", "b"], ["a", "b"])
    >>> tuesday = paired_counts(["a", "a"], ["b", "a"], ["a", "b"])
    >>> monday + tuesday
    PairedCounts(n=4, n_distinct=3, shape=(n,), metric='accuracy')
    >>> result = paired_permutation_test(monday + tuesday)
    >>> result.metric, result.score1, result.score2, result.pvalue
    ('accuracy', 0.75, 0.25, 0.5)

    Three distinct rows, of which the first occurs 50 times:

    >>> right = ["a", "b", "a"]
    >>> counts = paired_counts(["a", "b", "b"], ["a", "a", "b"], right, multiplicities=[50, 6, 2])
    >>> counts.n, paired_permutation_test(counts).pvalue
    (58, 0.03125)
    """
    of_metric = read_metric(metric, **metric_options)
    columns = of_metric.read((predictions1, predictions2, references))
    if multiplicities is None:
        rows = of_metric.rows_of(columns, groups)
    else:
        rows = rows_of_distinct(of_metric, columns, groups, multiplicities)
    kind = columns[2].kind if isinstance(columns[2], Labels) else None
    return counts_of(rows.noting(kind=kind), of_metric)


def counts_of_result(result: PairedResult) -> PairedCounts:
    """Return the counts that p follows from; real scores of examples are sorted.

    Raises
    ------
    InputError
        If the scores lie on no lattice, and are of groups, or rows of several numbers.
    """
    evidence = result.evidence_for("table of counts")
    rows, metric = evidence.rows, evidence.metric
    if not rows.no_lattice:
        counts = counts_of(rows, metric)
    elif rows.groups is None and rows.rows1.ndim == 1 and isinstance(metric, MeanScore):
        order = np.lexsort((rows.rows2, rows.rows1))
        rows = rows.having(rows1=rows.rows1[order], rows2=rows.rows2[order])
        counts = PairedCounts.of(of_metric(rows, metric))
    else:
        raise InputError(
            *(Name("result"), " is of numbers that lie on no lattice, ", rows.no_lattice),
            remedy=("only single scores without groups have a table then", ON_A_LATTICE),
        )
    if rows.no_lattice or rows.unit > 1:
        warn(
            "the table holds the scores of single examples, sorted, because they are real-valued",
            remedy="Publish it only if these scores may be known",
        )
    return counts
