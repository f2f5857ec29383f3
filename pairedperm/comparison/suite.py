"""The comparison of two systems on several tasks: the weighted average, and each task."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from pairedperm.comparison.suite_arguments import (
    read_metrics,
    read_task_groups,
    read_weights,
    words_of,
)
from pairedperm.comparison.weighted import Task, Together, weighted_average
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, called, describe, shown
from pairedperm.inputs.ids import read_named
from pairedperm.options import Alpha, read_options
from pairedperm.options.constraints import reads_options
from pairedperm.permutation.choose import run
from pairedperm.population.difference import error_of, influences
from pairedperm.results.correction import Correction, with_adjusted
from pairedperm.results.permutation_result import with_interval
from pairedperm.results.result import known, without_rows
from pairedperm.results.sentence import ALPHA
from pairedperm.results.suite_result import SuiteResult, WeightedTask
from pairedperm.scoring import MetricName
from pairedperm.scoring.call_options import lists_options, split_call
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score, simplified

Weights = Literal["equal", "size"] | Mapping[str, Any]


@lists_options(without=("test", "ties"))
@reads_options
def compare_suite(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: Weights = "equal",
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    groups: Mapping[str, Any] | None = None,
    **options: Any,  # CallOptions without `weights`
) -> SuiteResult:
    """Does one system beat another on several tasks together, and on which of them?

    The weighted average of the tasks' scores has one p-value, over all swaps of the systems'
    outputs on the examples of all tasks. Each task has its own p-value, adjusted for their number.

    Parameters
    ----------
    tasks : dict from str to (predictions1, predictions2, references), or list of such pairs
        The columns of each task by its name, see `compare`. Leave out the references for metrics
        that have none.
    metric : str, Metric, or dict from task to one of these
        The metric of all tasks, or of each task. All must have the same unit, and the same
        direction must be better.
    weights : {"equal", "size"} or dict from task to number
        "equal": all tasks have the same weight. "size": a task's weight is its number of examples.
        A dict has a weight ≥ 0 for each task (int, float, Fraction or Decimal; floats are read as
        printed). The weights are divided by their sum.
    correction : {"holm", "bonferroni", "discrete", "bh", "by"} or None
        How the tasks' p-values are adjusted; see `compare_many`. "discrete" [1]_ multiplies p by
        the number of tasks that can have a p-value as small, so small tasks cost the others
        nothing. The smallest two-sided p of a task with m differing examples (or groups) is
        2^(1 - m). "discrete" does not allow groups that occur in several tasks.
    alpha : float
        The level in the printed text, between 0 and 1.
    groups : dict from task to sequence of int or str, or None
        The ids of the examples of some or all tasks, see `compare`. Examples with the same id are
        swapped together, also those of different tasks.
    **options
        Of the test: `alternative`, `method`, `n_resamples`, `rng` and `budget` apply to the average
        and to each task. `confidence_level` is that of the intervals of the tasks' differences;
        None: 0.95 for two-sided tests; one-sided tests have no interval. Of the one metric that is
        named for all tasks: see `compare`.

    Returns
    -------
    SuiteResult
        To print; `table`, `tasks`, `to_markdown` and `to_dict` say more.

    Raises
    ------
    InputError
        If there is no task. If a name occurs twice or is no text. If a task is not two or three
        columns. If metrics have different units or directions. If weights are missing, negative,
        all 0 or of other tasks. If "discrete" comes with groups of several tasks. Also as
        `compare`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If a p is sampled without being asked for.

    Notes
    -----
    If the score of every task is a mean, such as accuracy or recall of one label, p of the average
    is exact. It sums over the tasks' common lattice, or over the numbers of swapped examples of the
    tasks. If both are too many, p is bracketed within about 1e-4 of it. Averages of other scores,
    such as F1, are sampled unless they have few sums.

    References
    ----------
    .. [1] R. E. Tarone, "A modified Bonferroni method for discrete data", 1990.

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
    arithmetic   8    87.50%    37.50%      50.00%   0.219        0.25
    logic        8   100.00%    50.00%      50.00%   0.125        0.25
    average     16    93.75%    43.75%      50.00%  0.0215
    <BLANKLINE>
    Accuracy of 2 tasks, 16 examples.
    Average: p = 0.0215, a significant difference at α = 0.05.
    Tasks: p adjusted for their number (Holm).
    """
    named = read_named("tasks", tasks, "columns", 1)
    metric_options, of_test = split_call(options, without=("test", "ties"))
    chosen = read_options(**of_test)
    metrics = read_metrics(metric, [*named], metric_options)
    ids = read_task_groups(groups, [*named])
    read = [_read(name, named[name], metrics[name], ids.get(name)) for name in named]
    weight = read_weights(weights, {task.name: task.rows.n for task in read})
    together = Together([task.rows for task in read], [ids.get(task.name) for task in read])
    if together.are_shared and correction == "discrete":
        what = " 'discrete' needs tasks that have no groups in common"
        why = "which of them can be significant depends on the others then"
        remedy = why, "Use 'holm', which always holds"
        raise InputError(Name("correction"), what, remedy=remedy)
    results = []
    for task in read:
        with _task(task.name):
            tested = with_interval(run(task.rows, task.score, task.metric, chosen))
        weighted = WeightedTask(task.name, float(weight[task.name]))
        results.append((weighted, without_rows(tested)))
    parts = [
        Task.of(rows, task.score, weight[task.name])
        for task, rows in zip(read, together.rows, strict=True)
    ]
    average = weighted_average(parts, together.numbers)
    with called({}, "the average of the tasks"):
        overall = run(average.rows, average, None, chosen)
    wins: dict[str, Any] = {name: _sum([known(x, name) for _, x in results]) for name in _WINS}
    return SuiteResult(
        **{name: getattr(overall, name) for name in _OVERALL},
        n=sum(task.rows.n for task in read),
        n_groups=together.n_groups,
        **wins,
        standard_error=_standard_error(read, together, [*weight.values()]),
        _tests=with_adjusted(results, correction),
        correction=correction,
        alpha=alpha,
    )


_OVERALL = (
    *("statistic", "pvalue", "log_pvalue", "pvalue_interval", "log_pvalue_interval", "interval"),
    *("score1", "score2", "alternative", "method", "n_differing", "n_resamples", "seed"),
)
_WINS = ("n_wins", "n_losses", "n_ties")


def _task(name: str) -> AbstractContextManager[None]:
    """Name the task in errors and warnings."""
    return called(words_of(name), f"task {shown(name)}")


class _Read(NamedTuple):
    """A task with a row for each example, in their order."""

    name: str
    metric: Metric
    rows: Rows
    score: Score


def _read(name: str, given: Any, metric: Metric, ids: Any) -> _Read:
    if not isinstance(given, (tuple, list)) or len(given) not in (2, 3):
        must = "be (predictions1, predictions2, references)"
        raise InputError(Name("tasks", (name,)), must=must, got=describe(given))
    columns = (*given, None)[:3]
    with _task(name):
        rows = metric.rows_in_order(metric.read(columns), ids)
        return _Read(name, metric, rows, metric.checked_score(rows))


def _standard_error(
    read: Sequence[_Read], together: Together, weights: Sequence[Fraction]
) -> float | None:
    """Return the error of the average: tasks are independent, except for shared groups."""
    moved, errors = np.zeros(together.n_groups or 0), []
    for k, (task, weight) in enumerate(zip(read, weights, strict=True)):
        rows, simple = simplified(together.rows[k].counted(), task.score, "draws")
        found = influences(rows, simple)
        if found is None:
            return None
        if together.are_shared:
            np.add.at(moved, together.places[k], float(weight) * found)
            continue
        error = error_of(found, rows.how_often)
        if error is None:
            return None
        errors.append(float(weight) * error)
    if together.are_shared:
        return error_of(moved, np.ones(moved.size, dtype=np.int64))
    return math.hypot(*errors)


def _sum(numbers: Sequence[int | None]) -> int | None:
    """Return the sum, or None if a number is None."""
    return None if None in numbers else sum(x or 0 for x in numbers)
