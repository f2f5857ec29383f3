"""The comparison of two systems on several tasks: the weighted average, and each task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Literal, NamedTuple

from pairedperm.comparison.compare import OF_A_PAIR
from pairedperm.comparison.weighted import Task, Together, weighted_average
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, called, describe, first_of, shown
from pairedperm.inputs.ids import read_named
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import Alpha, read_options
from pairedperm.options.constraints import OneOf, is_number, reads_options
from pairedperm.permutation.attainable import law_of_pvalue
from pairedperm.permutation.choose import run
from pairedperm.permutation.shared import shared_patience
from pairedperm.population.average import average_error
from pairedperm.population.evidence import Evidence
from pairedperm.results.average_of_tasks import WeightedTask
from pairedperm.results.correction import Correction, upper_ends, with_adjusted
from pairedperm.results.discrete_holm import PvalueLaw, discrete_holm
from pairedperm.results.permutation_result import PairedPermutationResult, in_a_table
from pairedperm.results.result import known
from pairedperm.results.sentence import ALPHA
from pairedperm.results.suite_result import SuiteResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.call_options import lists_options, split_call
from pairedperm.scoring.groups import read_group_ids
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

TaskWeights = Literal["equal", "size"] | Mapping[str, Any]
_OF_THE_TASKS = ("n_wins", "n_losses", "n_ties")
_WEIGHTS = OneOf(
    ("equal", "size"), words="'equal', 'size' or a dict from task to number, such as {'task': 2}"
)


@lists_options(without=OF_A_PAIR)
@reads_options
def compare_suite(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: TaskWeights = "equal",
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
        The columns of each task by its name, see `compare`; without references if the metric has
        none.
    metric : str, Metric, or dict from task to one of these
        The metric of all tasks, or of each task. All must have the same unit, and the same
        direction must be better.
    weights : {"equal", "size"} or dict from task to number
        "equal": all tasks have the same weight. "size": a task's weight is its number of examples.
        A dict has a weight ≥ 0 for each task (int, float, Fraction or Decimal; floats are read as
        printed). The weights are divided by their sum.
    correction : {"holm", "bonferroni", "discrete", "bh", "by"} or None
        How the tasks' p-values are adjusted; see `compare_many`. "discrete" is Holm's procedure
        with the p-values that each task can have [1]_, see `discrete_holm`. It finds at least as
        much. Small tasks cost the others little: with m differing examples (or groups), the
        smallest two-sided p is 2^(1 - m). Where tasks share groups, it assumes that these can be
        swapped in all tasks without a difference at once.
    alpha : float
        The level in the printed text, between 0 and 1.
    groups : dict from task to sequence of int or str, or None
        The ids of the examples of some or all tasks, see `compare`. Examples with the same id are
        swapped together, also those of different tasks.
    **options
        Of the test: `alternative`, `method`, `n_resamples`, `rng` and `budget` apply to the average
        and to each task. `confidence_level` is that of the intervals of the differences, each on
        its own; None: 0.95 for two-sided tests; one-sided tests have no interval. Of the one metric
        that is named for all tasks: see `compare`.

    Returns
    -------
    SuiteResult
        To print; `table`, `tasks`, `to_markdown` and `to_dict` say more.

    Raises
    ------
    InputError
        If there is no task. If a name occurs twice or is no text. If a task is not two or three
        columns. If metrics have different units or directions. If weights are missing, negative,
        all 0 or of other tasks. Also as `compare`.
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
    tasks. If both are too many, p is bracketed, mostly within 1e-4 of it. Averages of other scores,
    such as F1, are sampled unless they have few sums.

    For the interval of the average see `SuiteResult.confidence_interval`.

    References
    ----------
    .. [1] P. H. Westfall, R. D. Wolfinger, "Multiple tests with discrete distributions", 1997.

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
    95% interval of its difference: -4.13 to 90.31 percentage points (guaranteed).
    Tasks: p adjusted for their number (Holm).
    Better on at least 0 of 2 tasks (system 1), 0 (system 2), at α = 0.05.
    """
    named = read_named("tasks", tasks, "columns", 1)
    metric_options, of_test = split_call(options, without=OF_A_PAIR)
    chosen = read_options(**of_test)
    metrics = _read_metrics(metric, [*named], metric_options)
    ids = _read_groups(groups, [*named])
    read_tasks = [_read_task(name, named[name], metrics[name], ids.get(name)) for name in named]
    weight = _read_weights(weights, {task.name: task.rows.n for task in read_tasks})
    joined = Together(
        [task.rows for task in read_tasks], [ids.get(task.name) for task in read_tasks]
    )
    results, laws = [], []
    with shared_patience(read_tasks, _ReadTask.tested, chosen, alpha, "tasks") as bar:
        for task in read_tasks:
            with _of_task(task.name):
                tested = run(*task.tested(), task.metric, chosen)
            laws.append(law_of_pvalue(tested))
            tested = in_a_table(tested, partial(Evidence, *task.tested(), task.metric))
            results.append((WeightedTask(task.name, weight[task.name]), tested))
            bar.update()
    parts = [
        Task.of(rows, task.score, weight[task.name])
        for task, rows in zip(read_tasks, joined.rows, strict=True)
    ]
    average = weighted_average(parts, joined.numbers)
    with called({}, "the average of the tasks"):
        overall = run(average.rows, average, None, replace(chosen, confidence_level=None))
    of_tasks = {name: [known(x, name) for _, x in results] for name in _OF_THE_TASKS}
    wins = {name: None if None in counts else sum(counts) for name, counts in of_tasks.items()}
    of_rows = [(x, y.score) for x, y in zip(joined.rows, read_tasks, strict=True)]
    shared = joined.places if joined.are_shared else None
    error = average_error(of_rows, [*weight.values()], shared)
    whole_suite = replace(  # its numbers, without rows
        overall,
        n=sum(task.rows.n for task in read_tasks),
        n_groups=joined.n_groups,
        confidence_level=chosen.confidence_level,
        _evidence=None,
        _problem=None,
        _later={**wins, "standard_error": error},
    )
    return SuiteResult(
        _tests=with_adjusted(results, correction, laws),
        correction=correction,
        alpha=alpha,
        _average=whole_suite,
        _are_independent=not joined.are_shared,
        _losses=_losses([x for _, x in results], laws),
    )


def _losses(
    results: Sequence[PairedPermutationResult], laws: Sequence[PvalueLaw]
) -> tuple[float, ...]:
    """Return for each task twice the p of "system 1 is worse", by discrete Holm; () if one-sided.

    Proof. D has the same law as -D under swaps, so the one-sided p of a system that is behind is
    half the two-sided one, and P(one-sided p ≤ t) = P(two-sided p ≤ 2t) / 2 for t < 1/2. So the
    sums of `discrete_holm` are half those of the two-sided p with their laws. Where system 1 is
    not behind, its one-sided p is at least 1/2, and twice that is at least 1.
    """
    if results[0].alternative != "two-sided":
        return ()
    ends = upper_ends(results)
    pvalues = [p if x.lead() < 0.0 else 1.0 for x, p in zip(results, ends, strict=True)]
    return tuple(discrete_holm(pvalues, laws))


class _ReadTask(NamedTuple):
    """A task with a row for each example, in their order."""

    name: str
    metric: Metric
    rows: Rows
    score: Score

    def tested(self) -> tuple[Rows, Score]:
        """Return what a test takes."""
        return self.rows, self.score


def _read_task(name: str, columns: Any, metric: Metric, ids: Any) -> _ReadTask:
    """Read the columns of a task; those of some metrics have no references."""
    if not isinstance(columns, (tuple, list)) or len(columns) not in (2, 3):
        must = "be (predictions1, predictions2, references)"
        raise InputError(Name("tasks", (name,)), must=must, got=describe(columns))
    with _of_task(name):
        rows = metric.rows_in_order(metric.read((*columns, None)[:3]), ids)
        return _ReadTask(name, metric, rows, metric.checked_score(rows))


def _of_task(name: str) -> AbstractContextManager[None]:
    """Name the task, and its columns, in errors and warnings."""
    of_task = f" of task {shown(name)}"
    return called({x: Parts(Name(x), of_task) for x in (*COLUMNS, "groups")}, f"task {shown(name)}")


def _read_metrics(
    metric: Any, names: Sequence[str], metric_options: Mapping[str, Any]
) -> dict[str, Metric]:
    """Read the metric of each task.

    Raises
    ------
    InputError
        If a task has no metric, or if the metrics have different units or directions.
    """
    if isinstance(metric, Mapping):
        _check_tasks("metric", metric, names, all_of_them=True)
        label = {x: y for x, y in metric_options.items() if x == "ignore_label"}
        of_one = next((x for x in metric_options if x not in label), None)
        if of_one is not None:
            raise InputError(
                *(Name(of_one), " is an option of one metric, but ", Name("metric")),
                " names several",
                remedy="Give objects, such as {'task': F1(average='macro')}",
            )
        metrics = {name: read_metric(metric[name], **label) for name in names}
    else:
        metrics = dict.fromkeys(names, read_metric(metric, **metric_options))
    (name1, one), *others = metrics.items()
    for name, other in others:
        is_unit = one.unit != other.unit
        if is_unit or one.lower_is_better != other.lower_is_better:
            raise InputError(
                Name("metric"),
                f" {one.name!r} of task {shown(name1)} and {other.name!r} of task {shown(name)} "
                f"differ in their {'unit' if is_unit else 'direction'}",
                remedy=("their average means nothing", "Compare these tasks apart"),
            )
    return metrics


def _read_groups(groups: Any, names: Sequence[str]) -> dict[str, list[int | str]]:
    """Read the ids of the examples of the tasks that have groups."""
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise InputError(Name("groups"), must="be a dict from task to ids", got=describe(groups))
    _check_tasks("groups", groups, names)
    ids = {}
    for name, column in groups.items():
        with _of_task(name):
            ids[name] = read_group_ids(column)
    return ids


def _read_weights(weights: Any, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """Read the weight of each task; the weights sum to 1."""
    if isinstance(weights, Mapping):
        _check_tasks("weights", weights, [*sizes], all_of_them=True)
        of_tasks = {name: _read_weight(name, weights[name]) for name in sizes}
    elif _WEIGHTS.read("weights", weights) == "size":
        of_tasks = {name: Fraction(n) for name, n in sizes.items()}
    else:
        of_tasks = dict.fromkeys(sizes, Fraction(1))
    total = sum(of_tasks.values())
    if not total:
        raise InputError(Name("weights"), " are all 0", remedy="one must be positive")
    return {name: x / total for name, x in of_tasks.items()}


def _read_weight(name: str, value: Any) -> Fraction:
    """Read an integer, a Fraction or a decimal as it is printed."""
    if is_number(value) or isinstance(value, (Fraction, Decimal)):
        with suppress(ValueError):  # infinite or NaN
            weight = Fraction(str(value))
            if weight >= 0:
                return weight
    must = "be a number from 0, such as 2 or 0.25"
    raise InputError(Name("weights", (name,)), must=must, got=describe(value))


def _check_tasks(
    argument: str, given: Mapping[Any, Any], names: Sequence[str], *, all_of_them: bool = False
) -> None:
    """Raise InputError if a name is no task, or if a task is missing."""
    unknown = [name for name in given if name not in names]
    if unknown:
        raise InputError(
            *(Name(argument), " has ", describe(unknown[0]), ", which is no task"),
            remedy=f"they are {first_of([*map(shown, names)])}",
        )
    missing = [name for name in names if name not in given]
    if all_of_them and missing:
        what, remedy = f" lacks task {shown(missing[0])}", "it must have all tasks"
        raise InputError(Name(argument), what, remedy=remedy)
