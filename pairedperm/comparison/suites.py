"""The comparison of many systems on several tasks: a board of weighted averages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from pairedperm.comparison.average import SuiteAverage, Together
from pairedperm.comparison.many import Board
from pairedperm.comparison.systems import Contest, Names, Systems, scores_of, two_by_two
from pairedperm.comparison.tasks import (
    TaskWeights,
    check_average,
    of_task,
    read_call,
    read_weights,
    turned_tasks,
)
from pairedperm.errors import InputError, Name, Parts, called, describe, first_of, shown
from pairedperm.inputs.columns import read_named
from pairedperm.options import ALPHA, Alpha, Budget, Options, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.results.result import PairedPermutationResult
from pairedperm.results.several import Correction, Leaderboard, TaskOfBoard
from pairedperm.results.words import fewest_differing
from pairedperm.scoring import MeanScore, MetricName
from pairedperm.scoring.metric import Metric


@reads_options
def compare_suites(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: TaskWeights = "equal",
    baseline: str | None = None,
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    groups: Mapping[str, Any] | None = None,
    **options: Any,
) -> Leaderboard:
    """Which of many systems are told apart by their weighted averages over several tasks?

    Each pair is tested as by `compare_suite`: p of the difference of the averages is over all swaps
    of the systems' outputs on the examples of all tasks. The p-values are adjusted for the number
    of pairs. They are of these tasks, not of tasks in general.

    Parameters
    ----------
    tasks : dict from str to (systems, references), or list of such pairs
        The columns of each task by its name: `systems` and `references` as in `compare_many`;
        without references if the metric has none. All tasks must have the same systems.
    metric : str, Metric, or dict from task to one of these
        See `compare_suite`. All must have one unit. If only some count errors, their scores count
        as negative in the averages, which are better if higher then.
    weights : {"equal", "size"} or dict from task to number
        See `compare_suite`.
    baseline : str or None
        The name of the system that all others are compared with. None: every pair is compared.
    correction : {"holm", "bonferroni", "bh", "by"} or None
        How the p-values are adjusted for the number of pairs; see `compare_many`.
    alpha : float
        The level of `tiers` and `letters`, between 0 and 1.
    groups : dict from task to sequence of int or str, or None
        The ids of the examples of some or all tasks; see `compare_suite`.
    **options
        Of the test, for each pair; see `compare_many`. The interval of a pair is that of
        `compare_suite`. Of the one metric that is named for all tasks: see `compare`.

    Returns
    -------
    Leaderboard
        Its scores are the averages; `tasks` has the weight of each task, and the systems' scores on
        it.

    Raises
    ------
    InputError
        If there is no task, or fewer than two systems. If a task lacks a system. If tasks, metrics
        or weights are refused by `compare_suite`, or the other arguments by `compare_many`. If an
        interval is asked for, by `confidence_level`, and the average has none.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If p-values are sampled.

    Notes
    -----
    Cost: each system is read once, and each pair takes the time of one test of an average; see
    `compare_suite` for how p is found. The metric of the pairs is that of the tasks; if tasks have
    different ones, it is "mean_score".

    Examples
    --------
    >>> from pairedperm import compare_suites
    >>> right = [1] * 10
    >>> tasks = {
    ...     "arithmetic": ({"small": [1, 0] * 5, "large": [1] * 10, "tiny": [0] * 10}, right),
    ...     "logic": ({"small": [1, 0] * 5, "large": [1] * 9 + [0], "tiny": [0] * 10}, right),
    ... }
    >>> print(compare_suites(tasks))
    system   score  tier  letters
    large   95.00%     1        a
    small   50.00%     2        b
    tiny     0.00%     3        c
    <BLANKLINE>
    Average accuracy of 3 systems on 2 tasks, 20 examples.
    Told apart: 3 of 3 pairs (Holm, α = 0.05).
    """
    named = _read_columns(tasks)
    systems = [*next(iter(named.values()))[0]]
    chosen, metrics, ids = read_call([*named], metric, groups, options)
    board = Board(systems, baseline, correction, alpha, chosen)
    check_average(metrics, "Compare these tasks apart")
    read = {}
    for name, (columns, references) in named.items():
        with of_task(name, systems):
            read[name] = Systems(columns, references, metrics[name], None, ids.get(name))
    weight = read_weights(weights, {name: x.first.n for name, x in read.items()})
    pairs, of_all = two_by_two(systems), _metric_of_all(metrics)
    contest = _Averages(read, metrics, weight, ids, of_all, pairs, chosen.budget)
    found = board.ranked(contest)
    return replace(found, tasks=tuple(contest.of_tasks(found.systems)))


@dataclass(frozen=True, eq=False)
class _Averages(Contest):
    """The weighted averages of any two systems.

    Attributes
    ----------
    systems : dict from str to Systems
        The systems' rows on each task.
    metrics : dict from str to Metric
        The metric of each task.
    weights : dict from str to Fraction
        The weight of each task.
    ids : dict from str to list
        The ids of the groups of the tasks that have some.
    metric : Metric
        The metric of all tasks.
    pairs : list of (str, str)
        Some pairs, which hold each system.
    budget : Budget
        The limits of an average.
    """

    systems: Mapping[str, Systems]
    metrics: Mapping[str, Metric]
    weights: Mapping[str, Fraction]
    ids: Mapping[str, Any]
    metric: Metric
    pairs: Sequence[Names]
    budget: Budget

    @cached_property
    def turned(self) -> set[str]:
        """The tasks whose scores count as negative."""
        return turned_tasks(self.metrics)

    def task(self, name: str, names: Names) -> Evidence:
        """Return the rows of two systems on a task, counted if no task has groups."""
        rows, metric = self.systems[name].in_order(*names), self.metrics[name]
        have_groups = any(x.first.groups is not None for x in self.systems.values())
        rows = rows if have_groups else rows.counted()
        return Evidence(rows, metric.score(rows), metric)

    def evidence(self, names: Names) -> SuiteAverage:
        tasks = {name: self.task(name, names) for name in self.systems}
        weights = [-x if name in self.turned else x for name, x in self.weights.items()]
        return SuiteAverage(tasks, weights, Together(tasks, self.ids), self.budget)

    def test(self, names: Names, options: Options) -> PairedPermutationResult:
        average = self.evidence(names)
        doubted = [x for x in average.tasks if x.constant is not None and not options.constant]
        least = fewest_differing(ALPHA)  # as of `doubt`, on the task alone
        numbers = (x.constant for x in doubted if x.drawn[0].n_differing >= least)
        return replace(
            average.run(options),
            _metric=self.metric,
            _evidence=average,
            constant=next(numbers, None),
        )

    def of_tasks(self, systems: Sequence[str]) -> Iterator[TaskOfBoard]:
        """Yield each task, its weight, and the systems' scores on it."""
        for name, weight in self.weights.items():
            scores = scores_of(two_by_two(systems), partial(self.task, name))
            yield TaskOfBoard(name, float(weight), scores, name in self.turned)


def _metric_of_all(metrics: Mapping[str, Metric]) -> Metric:
    """Return the metric of all tasks, or the mean score if they have several."""
    one, *others = metrics.values()
    if all(x == one for x in others):
        return one
    return MeanScore(lower_is_better=all(x.lower_is_better for x in metrics.values()))


def _read_columns(tasks: Any) -> dict[str, tuple[dict[str, Any], Any]]:
    """Return the systems' columns and the references of each task, the systems in one order.

    Raises
    ------
    InputError
        If a task is not (systems, references), or tasks have different systems.
    """
    read: dict[str, tuple[dict[str, Any], Any]] = {}
    for name, given in read_named("tasks", tasks, "(systems, references)", 1).items():
        if not isinstance(given, (tuple, list)) or len(given) not in (1, 2):
            must = "be (systems, references)"
            raise InputError(Name("tasks", (name,)), must=must, got=describe(given))
        with called({"systems": Parts(Name("systems"), f" of task {shown(name)}")}):
            read[name] = read_named("systems", given[0], "predictions", 2), (*given, None)[1]
    every = dict.fromkeys(system for systems, _ in read.values() for system in systems)
    for name, (systems, _) in read.items():
        if lacking := [shown(x) for x in every if x not in systems]:
            raise InputError(
                *(Name("tasks", (name,)), f" lacks {first_of(lacking)}"),
                remedy="all tasks must have the same systems. Leave the others out",
            )
    return {name: ({x: y[x] for x in every}, right) for name, (y, right) in read.items()}
