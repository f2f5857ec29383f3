"""The comparison of two systems by their predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from pairedperm import options
from pairedperm.errors import InputError, Name, Parts
from pairedperm.inputs.columns import warn_of_repeats
from pairedperm.nulls.draws import run as run_draws
from pairedperm.nulls.swaps import run as run_swaps
from pairedperm.options import read_options
from pairedperm.results.result import PairedBootstrapResult, PairedPermutationResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

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
    ignore_label: int | None = options.IGNORE_LABEL,
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
