"""The comparison of two systems by their predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from pairedperm import options
from pairedperm.bootstrap.choose import run as run_draws
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts
from pairedperm.inputs.ids import warn_of_repeats
from pairedperm.inputs.labels import Labels
from pairedperm.permutation.choose import run as run_swaps
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.call_options import CallOptions, MetricOptions, Unpack, lists_options
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import metric_rows
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metric_counts import counts_of

TESTS: dict[str, Callable[..., PairedPermutationResult | PairedBootstrapResult]] = {
    "permutation": run_swaps,
    "bootstrap": run_draws,
}


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
        To print; `summary`, `report` and `confidence_interval` say more.

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
    chosen = options.read_options(
        test=test,
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
        confidence_level=confidence_level,
        ties=ties,
    )
    found = read_metric(metric, ignore_label, **metric_options)
    columns = found.read((predictions1, predictions2, references))
    if groups is None and hasattr(predictions1, "iloc"):
        warn_of_repeats("predictions1", predictions1)
    return compare_columns(found, columns, groups, chosen)


def compare_columns(
    metric: Metric, columns: Sequence[Any], groups: Any, chosen: options.Options
) -> PairedPermutationResult | PairedBootstrapResult:
    """Compare two systems by columns that the metric has read."""
    rows = metric_rows(metric, columns, groups)
    return TESTS[chosen.test](rows, metric.checked_score(rows), metric, chosen)


@lists_options(of=MetricOptions)
def paired_counts(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    groups: Any = None,
    **metric_options: Unpack[MetricOptions],
) -> PairedCounts:
    """Count two systems' predictions under a metric, for instance those of one shard.

    The counts are a few dozen to a few thousand integers, whatever the number of examples. Add the
    counts of all shards, and pass the sum to `paired_permutation_test` or `paired_bootstrap_test`.
    The result is the one that `compare` gives for all examples.

    Parameters
    ----------
    predictions1, predictions2, references, metric, groups, **metric_options
        See `compare`. A shard must contain the whole of each of its groups.

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
        that is a mean of ratios, such as ``average="samples"``.
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
    """
    found = read_metric(metric, **metric_options)
    columns = found.read((predictions1, predictions2, references))
    rows = metric_rows(found, columns, groups)
    kind = columns[2].kind if isinstance(columns[2], Labels) else None
    return counts_of(rows.noting(kind=kind), found)


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
            raise InputError(name, " is an option of a metric, and ", Name("metric"), " is missing")
        return None
    if score is not None:
        remedy = Parts("leave it out with ", Name("references"), " or a ", Name("metric"))
        raise InputError(Name("score"), " is of counts", remedy=remedy)
    metric = "accuracy" if metric is None else metric
    return read_metric(metric, **metric_options)
