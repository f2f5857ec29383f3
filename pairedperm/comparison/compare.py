"""The comparison of two systems by their predictions, and its plan."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from pairedperm import options
from pairedperm.bootstrap.choose import run as run_draws
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting
from pairedperm.inputs.ids import warn_of_repeats
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import OPTIONS, read_options
from pairedperm.permutation.choose import decide, problem_of
from pairedperm.permutation.choose import run as run_swaps
from pairedperm.permutation.test import paired_permutation_test, structured_permutation_test
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.report import Plan
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import read_arguments, read_statistic
from pairedperm.scoring.call_options import CallOptions, Unpack, metric_options
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

TESTS: dict[str, Callable[..., PairedPermutationResult | PairedBootstrapResult]] = {
    "permutation": run_swaps,
    "bootstrap": run_draws,
}
_OF_STRUCTURED = {"stay", "swap", "statistic"}
_OF_COMPARE = {"predictions1", "predictions2", "references", "metric", "test", "ties"}
OF_A_PAIR = ("test", "ties")  # the options of a test that comparisons of several do not take


@overload
def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    test: Literal["permutation"] = "permutation",
    groups: Any = None,
    **options: Unpack[CallOptions],
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
    **options: Unpack[CallOptions],
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
    **options: Unpack[CallOptions],
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
    ignore_label: int | None = options.IGNORE_LABEL,
    groups: Any = None,
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
    method, n_resamples, rng, budget
        See `paired_permutation_test`, or `paired_bootstrap_test`.
    confidence_level : float or None
        Level of the interval of the difference in `to_dict`. None: a
        permutation test has no interval there, a bootstrap has one at 0.95.
    ties : {"include", "exclude"}
        For a bootstrap: whether a difference right at the threshold counts.
    ignore_label : int or None
        In sequences of integers, positions where the reference is this label
        are left out. None: every label counts.
    groups : sequence of int or str, length n, or None
        Ids: examples with the same id are swapped, or drawn, together.
    **metric_options
        Options of the metric, such as average="macro" or pos_label="yes".

    Returns
    -------
    PairedPermutationResult, or PairedBootstrapResult
        To print; `summary` and `confidence_interval` say more.

    Raises
    ------
    InputError
        If a column is missing, empty or one-hot, if columns do not fit each
        other or the metric, or if an option has an unknown value.
    BudgetError
        If the method asked for would exceed the budget.
    TypeError
        If an option does not exist.

    Warns
    -----
    UserWarning
        If p is sampled without being asked for, or if labels look wrong.

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


def plan(*arguments: Any, **options: Any) -> Plan:
    """Which method would a test use, and what would it cost? Nothing is computed.

    ``method="auto"`` uses the first method of this list that applies and fits the budget. It must
    also take about 3 s at most, or no longer than sampling would. The exact p of a mean gives way
    to a bracket that takes less, if more than 44 examples differ and p takes more than 0.03 s.

    1. "exact", if p is known without a sum: no example differs, or a two-sided test has equal
       scores, or only one assignment is as extreme.
    2. "exact", if the score is a mean, or a ratio of sums whose differences lie on a line (rank 1).
       It does not fit if the sums need more frequencies than the budget's `max_points`. Few
       examples can be counted instead, if this fits into its `max_bytes`.
    3. "exact", if the score is a ratio of sums in the plane (rank 2). Also for scores of two
       classes that grow with the number of correct labels. It does not fit if it needs more
       frequencies than `max_points`, or more memory than `max_bytes` for the rows of the plane. Up
       to 26 differing examples always fit: their swaps are counted.
    4. "exact", if the score is any other function of the sums. It does not fit if the grid of the
       sums has more points than `max_points`, or needs more than `max_bytes` at 40 bytes a point.
    5. "enumeration", if the scores lie on no lattice (floats of more than 13 digits) or on one that
       is too fine. A mean may have up to 44 differing examples, any other score about 22. A ratio
       counts as a mean if both systems have the same denominator in each example.
    6. "bracket", if the score is a mean as in 5, or a mean whose exact p takes longer.
    7. "monte_carlo" otherwise, with a warning: `n_resamples` swaps, or 9,999 if it is None. If
       fewer than 100 of the 9,999 are as extreme as observed, sampling goes on. It ends when 100
       are, or after 10^6 swaps or about 3 s.

    The seconds are estimated from counts of work, not by a clock: the same input always gives the
    same plan. With another `method`, only the budget decides, and more than 3 s show a progress
    bar. "dp" and "fft" run on request only.

    A test leaves its plan only if a method turns out to cost too much while it runs. It then uses
    the next method of the list, and warns if that is sampling.

    Parameters
    ----------
    *arguments, **options
        The arguments of `compare`, `paired_permutation_test` or `structured_permutation_test`. A
        third function means `structured_permutation_test`. References (a third column) or a metric
        mean `compare`. Otherwise it is `paired_permutation_test`.

    Returns
    -------
    Plan
        The method, its cost and the reason for it.

    Raises
    ------
    InputError
        If the test would refuse the input, or is a bootstrap.
    BudgetError
        If `method` is "exact" and is sure to exceed the budget.
    TypeError
        If the test has no such argument.

    Examples
    --------
    Macro-averaged F1 of two classes has four columns (tp and predicted of each) of rank 2.

    >>> import pairedperm
    >>> gold, large, small = [0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 0]
    >>> plan = pairedperm.plan(large, small, gold, metric="f1", average="macro")
    >>> plan.method, plan.rank
    ('exact', 2)

    A function of ten columns of large counts has too many points.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> counts = rng.integers(0, 30, size=(2, 500, 10))
    >>> plan = pairedperm.plan(*counts, score=lambda sums: sums.max(axis=-1))
    >>> plan.method, plan.rank, plan.n_points > 1e20
    ('monte_carlo', 10, True)
    """
    if arguments and callable(arguments[0]):
        raise TypeError("plan takes the arguments of a test, not the test itself.")
    if len(arguments) > 2 and isinstance(arguments[2], Ratio):
        raise TypeError("give a Ratio by name: plan(counts1, counts2, score=Ratio(...)).")
    score: Score
    if _OF_STRUCTURED & options.keys() or (len(arguments) > 2 and callable(arguments[2])):
        data, of_test = _bound(structured_permutation_test, arguments, options)
        chosen = read_options(alternative="greater", **of_test)
        rows, score = read_statistic(**data)
    elif {*_OF_COMPARE, *metric_options()} & options.keys() or len(arguments) > 2:
        data, of_test = _bound(compare, arguments, options)
        chosen = read_options(**of_test)
        if chosen.test == "bootstrap":
            remedy = Parts("leave out ", Setting("test", "'bootstrap'"))
            raise InputError("plan is for permutation tests", remedy=remedy)
        metric = read_metric(data["metric"], data["ignore_label"], **data["metric_options"])
        columns = [data[name] for name in COLUMNS]
        rows, score = rows_and_score(metric, metric.read(columns), data["groups"])
    else:
        data, of_test = _bound(paired_permutation_test, arguments, options)
        chosen = read_options(**of_test)
        rows, score, _ = read_arguments(**data)
    return decide(problem_of(rows, score, chosen.alternative), chosen)


def _bound(
    test: Any, arguments: tuple[Any, ...], options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bind the arguments of the test: its data, and how it is computed."""
    try:
        bound = inspect.signature(test).bind(*arguments, **options)
    except TypeError as error:
        raise TypeError(
            f"taken for the arguments of {test.__name__}: {error}. It has "
            f"{', '.join(inspect.signature(test).parameters)}."
        ) from None
    bound.apply_defaults()
    of_test = {name: x for name, x in bound.arguments.items() if name in OPTIONS}
    return {name: x for name, x in bound.arguments.items() if name not in OPTIONS}, of_test
