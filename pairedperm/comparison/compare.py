"""The comparison of two systems by their predictions, and their counts.

Counts stand for the predictions, for instance of a shard, or of distinct examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pairedperm import options
from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, describe
from pairedperm.inputs.columns import entries_of, is_missing, materialise, warn_of_repeats
from pairedperm.inputs.labels import Labels
from pairedperm.nulls.columns import FEW_CALLS, ColumnScore, run_columns
from pairedperm.nulls.draws import run as run_draws
from pairedperm.nulls.swaps import run as run_swaps
from pairedperm.options import read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import (
    check_adds_up,
    check_on_lattice,
    counts_of,
)
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.merging import read_groups, summed, with_groups
from pairedperm.scoring.metric import IGNORE_LABEL, Metric, given_label, is_function, read_metric
from pairedperm.scoring.rows import Rows, check_total, read_multiplicities
from pairedperm.scoring.scores import Score, check_sums_of_groups

TESTS: dict[str, Callable[..., PairedResult]] = {
    "permutation": run_swaps,
    "bootstrap": run_draws,
}
# The options of a test that comparisons of several do not take.
OF_A_PAIR = ("test", "ties", "largest_group")


def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric | ColumnScore = "accuracy",
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
) -> PairedResult:
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
    metric : str, Metric or function
        A name such as "f1" (`pairedperm.scoring.MetricName` lists all), or an
        object such as `pairedperm.scoring.F1`. See its help for its options.
        A function gets both whole columns, (predictions, references): for
        ROC AUC or a median. Beyond 12 differing examples p is sampled then.
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
        Options of the metric, such as average="macro" or pos_label="yes"; of a
        function, lower_is_better=True.

    Returns
    -------
    PairedResult
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
    if is_function(metric):
        if budget is None:
            chosen = replace(chosen, budget=FEW_CALLS)
        two, given = (predictions1, predictions2), metric_options | given_label(ignore_label)
        return run_columns(two, references, metric, groups, chosen, **given)
    of_metric = read_metric(metric, ignore_label, **metric_options)
    columns = of_metric.read((predictions1, predictions2, references))
    if groups is None and hasattr(predictions1, "iloc"):
        warn_of_repeats("predictions1", predictions1)
    return TESTS[chosen.test](*rows_and_score(of_metric, columns, groups), of_metric, chosen)


def rows_and_score(metric: Metric, columns: Sequence[Any], groups: Any) -> tuple[Rows, Score]:
    """Return the rows of columns that the metric has read, and their score."""
    rows = metric.rows_of(columns, groups)
    return rows, metric.checked_score(rows)


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
        each = zip(how_often.tolist(), rows.sizes.tolist(), strict=True)
        check_total([n * size for n, size in each])
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
                "multiplicities",
                must="be numbers of examples, integers from 1",
                at=f"`multiplicities`[{index}]",
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
    sums = summed(with_groups(rows.having(rows1=one, rows2=two, sizes=None), numbers))
    n_each = np.zeros(len(sums.rows1), dtype=np.int64)
    np.add.at(n_each, numbers, sizes)
    return sums.having(sizes=n_each)


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
