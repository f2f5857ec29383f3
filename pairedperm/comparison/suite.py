"""Two systems on several tasks in, the weighted average and each task out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from pairedperm import options
from pairedperm.comparison.many import with_interval
from pairedperm.comparison.suite_arguments import (
    read_metrics,
    read_task_groups,
    read_weights,
    words_of,
)
from pairedperm.errors import InputError, describe, shown
from pairedperm.inputs.named import called, read_named
from pairedperm.permutation.run import run
from pairedperm.results.correction import Correction, read_correction, with_adjusted
from pairedperm.results.difference import error_of, influences
from pairedperm.results.sentence import ALPHA, read_alpha
from pairedperm.results.suite_result import SuiteResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.groups import rows_in_order, simplified
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.together import Together
from pairedperm.scoring.waist import Rows, Score
from pairedperm.scoring.weighted import Task, weighted_average

Weights = Literal["equal", "size"] | Mapping[str, Any]


def compare_suite(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: Weights = "equal",
    correction: Correction | None = "holm",
    alpha: float = ALPHA,
    alternative: options.Alternative = "two-sided",
    method: options.Method = "auto",
    n_resamples: int | None = None,
    rng: options.Seed = None,
    budget: options.BudgetLike = None,
    confidence_level: float | None = None,
    ignore_label: int | None = options.IGNORE_LABEL,
    groups: Mapping[str, Any] | None = None,
    **metric_options: Any,
) -> SuiteResult:
    """Does one system beat another on several tasks together, and on which of them?

    One p-value for the weighted average of the tasks' scores, of all ways of swapping the systems'
    outputs on the examples of all tasks; and one for each task, adjusted for their number.

    Parameters
    ----------
    tasks : dict from str to (predictions1, predictions2, references), or list of such pairs
        By the name of each task its columns, as `compare` takes them; the references may be left
        out for metrics that have none.
    metric : str, Metric, or dict of these by task
        In which all scores have the same unit, and the same direction is better.
    weights : {"equal", "size"} or dict from task to number
        "equal": the average of the tasks' scores. "size": each weighs as much as it has examples.
        Or numbers from 0, integers, Fractions or decimals, which are divided by their sum.
    correction : {"holm", "bonferroni", "discrete", "bh", "by"} or None
        How the tasks' p-values are adjusted; see `compare_many`. With "discrete" [1]_ p is
        multiplied by the number of those tasks only that can have a p-value as small, 2^(1 - m) for
        m differing examples, or groups, of two sides: small tasks cost the others nothing. Not with
        groups that occur in several tasks.
    alpha : float
        The level of what is printed, between 0 and 1.
    alternative, method, n_resamples, rng, budget
        As of `paired_permutation_test`, for the average and for each task.
    confidence_level : float or None
        Of the intervals of the tasks' differences; None: 0.95, of one-sided tests none.
    ignore_label, **metric_options
        As of `compare`, of a metric that is named for all tasks.
    groups : dict from task to ids, or None
        See `compare`; of some or all tasks. Examples with the same id are swapped together, also
        those of several tasks.

    Returns
    -------
    SuiteResult
        To print; `table`, `tasks`, `to_markdown` and `to_dict` say more.

    Raises
    ------
    InputError
        For no task, a name that occurs twice or is none, a task without examples, weights that are
        negative, all 0 or not of these tasks, and what `compare` refuses.
    BudgetError
        As of `compare`.

    Warns
    -----
    UserWarning
        If some p had to be sampled.

    Notes
    -----
    Where the score of every task is a mean, as accuracy is, or recall of one label, p is exact: of
    a sum on the tasks' common lattice, or of how many of each task's examples are swapped; or where
    both are too many, bracketed, some 1e-4 wide. Averages of other scores, such as F1, are sampled,
    unless their sums are few.

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
    correction, alpha = read_correction(correction), read_alpha(alpha)
    chosen = options.read_options(
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
        confidence_level=confidence_level,
    )
    metrics = read_metrics(metric, [*named], ignore_label, metric_options)
    ids = read_task_groups(groups, [*named])
    read = [_read(name, named[name], metrics[name], ids.get(name)) for name in named]
    weight = read_weights(weights, {task.name: task.rows.n for task in read})
    together = Together([task.rows for task in read], [ids.get(task.name) for task in read])
    if together.are_shared and correction == "discrete":
        raise InputError(
            "`correction` 'discrete' needs tasks that have no groups in common: which of them can "
            "be significant depends on the others then. Use 'holm', which always holds."
        )
    found: list[dict[str, Any]] = []
    for task in read:
        with called(words_of(task.name)):
            tested = with_interval(run(task.rows, task.score, task.metric, chosen))
        named_so = {"task": task.name, "weight": float(weight[task.name])}
        found.append(named_so | tested.to_dict())
    parts = [
        Task.of(rows, task.score, weight[task.name])
        for task, rows in zip(read, together.rows, strict=True)
    ]
    average = weighted_average(parts, together.numbers)
    overall = run(average.rows, average, None, chosen)
    wins: dict[str, Any] = {x: _sum([task[x] for task in found]) for x in _WINS}
    return SuiteResult(
        **{name: getattr(overall, name) for name in _OVERALL},
        n=sum(task.rows.n for task in read),
        n_groups=together.n_groups,
        **wins,
        standard_error=_standard_error(read, together, [*weight.values()]),
        tasks=with_adjusted(found, correction),
        correction=correction,
        alpha=alpha,
    )


_OVERALL = (
    *("statistic", "pvalue", "log_pvalue", "pvalue_interval", "log_pvalue_interval", "interval"),
    *("score1", "score2", "alternative", "method", "n_differing", "n_resamples", "seed"),
)
_WINS = ("n_wins", "n_losses", "n_ties")


class _Read(NamedTuple):
    """A task as it came: its rows are in order."""

    name: str
    metric: Metric
    rows: Rows
    score: Score


def _read(name: str, given: Any, metric: Metric, ids: Any) -> _Read:
    if not isinstance(given, (tuple, list)) or len(given) not in (2, 3):
        raise InputError(
            f"`tasks`[{shown(name)}] must be (predictions1, predictions2, references), got "
            f"{describe(given)}."
        )
    columns = (*given, None)[:3]
    with called(words_of(name)):
        rows = rows_in_order(metric, metric.read(columns), ids)
        return _Read(name, metric, rows, metric.checked_score(rows))


def _standard_error(
    read: Sequence[_Read], together: Together, weights: Sequence[Fraction]
) -> float | None:
    """Of the average: tasks are independent, but for groups that they share."""
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
    """Of all; None if one is not known."""
    return None if None in numbers else sum(x or 0 for x in numbers)
