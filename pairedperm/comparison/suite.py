"""The comparison of two systems on several tasks: the weighted average, and each task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from pairedperm.comparison.average import SuiteAverage, Together
from pairedperm.comparison.tasks import (
    TaskWeights,
    check_average,
    of_task,
    read_call,
    read_weights,
    turned_tasks,
    why_no_average,
)
from pairedperm.errors import InputError, Name, Parts, describe
from pairedperm.inputs.columns import read_named
from pairedperm.nulls.swaps import run, shared_patience
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.results.several import (
    Correction,
    with_adjusted,
)
from pairedperm.results.suite import SuiteResult, WeightedTask
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric


@reads_options
def compare_suite(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: TaskWeights | None = None,
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    groups: Mapping[str, Any] | None = None,
    **options: Any,
) -> SuiteResult:
    """Does one system beat another on several tasks together, and on which of them?

    The weighted average of the tasks' scores has one p-value, over all swaps of the systems'
    outputs on the examples of all tasks. Each task has its own p-value, adjusted for their number.

    Parameters
    ----------
    tasks : dict from str to (predictions1, predictions2, references), or list of such pairs
        The columns of each task by its name, see `compare`; without references if the metric has
        none.
    metric : str, Metric, or dict from task to one of these
        The metric of all tasks, or of each task. If lower is better only on some tasks, their
        scores count as negative in the average. So system 1 is better if its average is higher.
    weights : {"equal", "size"} or dict from task to number, or None
        "equal": all tasks have the same weight. "size": a task's weight is its number of examples.
        A dict has a weight ≥ 0 for each task (int, float, Fraction or Decimal; floats are read as
        printed). The weights are divided by their sum. None: "equal", but no average if the scores
        have different units, see Notes.
    correction : {"holm", "bonferroni", "bh", "by"} or None
        How the tasks' p-values are adjusted; see `compare_many`. "holm" does not count tasks that
        cannot be significant: with m differing examples, or groups, the smallest two-sided p is
        2^(1 - m), and p of such a task is adjusted to 1. Where tasks share groups, this assumes
        that they can be swapped in all tasks without a difference at once.
    alpha : float
        The level, between 0 and 1: of the printed text, and for "holm" of which tasks can be
        significant.
    groups : dict from task to sequence of int or str, or None
        The ids of the examples of some or all tasks, see `compare`. Examples with the same id are
        swapped together, also those of different tasks.
    **options
        Of the test: `alternative`, `method`, `n_resamples`, `rng`, `budget` and `constant` apply to
        the average and to each task. If lower is better only on some tasks, "greater" says on all
        of them that system 1 is better. `confidence_level` is that of the intervals of the
        differences, each on its own; None: 0.95 for two-sided tests; one-sided tests have no
        interval. Of the one metric that is named for all tasks: see `compare`.

    Returns
    -------
    SuiteResult
        To print; `table`, `tasks`, `to_markdown` and `to_dict` say more.

    Raises
    ------
    InputError
        If there is no task. If a name occurs twice or is no text. If a task is not two or three
        columns. If weights are missing, negative, all 0 or of other tasks, or are given to scores
        with different units. Also as `compare`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If a p is sampled without being asked for. If a task's column of scores is one number
        throughout, see `paired_permutation_test`.

    Notes
    -----
    If the score of every task is a mean, such as accuracy or recall of one label, p of the average
    is exact. It sums over the tasks' common lattice, or over the numbers of swapped examples of the
    tasks. If both are too many, p is bracketed, mostly within 1e-4 of it. Averages of other scores,
    such as F1, are sampled unless they have few sums.

    Scores with different units have no average: shares, percents and plain numbers, or numbers with
    different known ranges (`score_range` of "mean_score"). Where lower is better only on some
    tasks, numbers need a known range. Numbers of unknown range are otherwise taken for numbers of
    one unit. Without an average its p, scores and interval are None.

    For the interval of the average see `SuiteResult.confidence_interval`.

    Examples
    --------
    >>> from pairedperm import compare_suite
    >>> right = [1] * 8
    >>> tasks = {
    ...     "arithmetic": ([1, 1, 1, 1, 1, 1, 1, 0], [1, 0, 0, 1, 0, 0, 0, 1], right),
    ...     "logic": ([1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 0, 0, 1], right),
    ... }
    >>> print(compare_suite(tasks))
    task         n  system 1  system 2  difference       p  adjusted p
    arithmetic   8    87.50%    37.50%      50.00%   0.219       0.219
    logic        8   100.00%    50.00%      50.00%   0.125           1
    average     16    93.75%    43.75%      50.00%  0.0215
    <BLANKLINE>
    Accuracy of 2 tasks, 16 examples.
    Average: p = 0.0215, a significant difference at α = 0.05.
    95% interval of its difference: 6.07 to 78.03 percentage points (exact).
    Tasks: p adjusted for their number (Holm, without 1 task that cannot have p ≤
    0.05).
    """
    named = read_named("tasks", tasks, "columns", 1)
    chosen, metrics, ids = read_call([*named], metric, groups, options)
    no_average, turned = why_no_average(metrics), turned_tasks(metrics)
    if weights is not None:
        check_average(metrics, Parts("Leave out ", Name("weights")))
    read = {name: _read_task(name, x, metrics[name], ids.get(name)) for name, x in named.items()}
    sizes = {name: task.rows.n for name, task in read.items()}
    weight = {} if no_average else read_weights("equal" if weights is None else weights, sizes)
    joined = Together(read, ids)
    results = []
    sides: dict[Any, Any] = {"greater": "less", "less": "greater"}  # where lower is better
    other = replace(chosen, alternative=sides.get(chosen.alternative, chosen.alternative))
    each = [*read.values()]
    with shared_patience(each, attrgetter("tested"), chosen, alpha, "tasks") as bar:
        for name, task in read.items():
            is_turned = name in turned
            with of_task(name):
                tested = run(*task.tested, task.metric, other if is_turned else chosen)
            of = WeightedTask(name, weight.get(name), is_turned)
            results.append((of, replace(tested, _problem=None)))
            bar.update()
    average = None
    if weight:
        shares = [of.share for of, _ in results]
        of_all = SuiteAverage(read, shares, joined, chosen.budget)
        later = {"standard_error": of_all.standard_error}
        average = replace(of_all.run(chosen), _evidence=None, _problem=None, _later=later)
    return SuiteResult(
        _tests=with_adjusted(results, correction, alpha=alpha),
        correction=correction,
        alpha=alpha,
        _average=average,
        _are_independent=not joined.are_shared,
        no_average=no_average,
    )


def _read_task(name: str, columns: Any, metric: Metric, ids: Any) -> Evidence:
    """Read the columns of a task; those of some metrics have no references."""
    if not isinstance(columns, (tuple, list)) or len(columns) not in (2, 3):
        must = "be (predictions1, predictions2, references)"
        raise InputError(Name("tasks", (name,)), must=must, got=describe(columns))
    with of_task(name):
        rows = metric.rows_in_order(metric.read((*columns, None)[:3]), ids)
        return Evidence(rows, metric.checked_score(rows), metric)
