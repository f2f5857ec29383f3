"""Logs of several tasks: their averages, weighted as those that lm-evaluation-harness reports."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from pairedperm.comparison.suite import compare_suite
from pairedperm.comparison.suites import compare_suites
from pairedperm.comparison.tasks import TaskWeights
from pairedperm.errors.wording import File, Parts, Words, first_of, joined, shown
from pairedperm.readers.aggregates import finite_number, gap_to_reported
from pairedperm.readers.examples import Examples, called_columns, named_tasks, two_names
from pairedperm.readers.lm_eval import reported_value
from pairedperm.readers.run import Run, TaskGroup
from pairedperm.readers.text_file import value_at
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.suite_result import SuiteResult

Weighting = Literal["size", "equal"]
WEIGHTED: dict[Weighting, str] = {"size": "weighted by size", "equal": "with equal weights"}


class WeightsOfTasks(NamedTuple):
    """The weights of an average over tasks, and the averages that results files report.

    Attributes
    ----------
    weights : TaskWeights or None
        The given weights, or those that make the reported averages of all systems; "size" if both
        do. None if neither makes them, or none is reported: then they are equal, if the tasks have
        an average.
    group : str
        The name of the group whose results files report averages; "" for none.
    averages : dict from str to float
        The average of each system for which one is reported.
    doubts : tuple of str or Part
        Why the average of the compared tasks may be another than the reported one.
    """

    weights: TaskWeights | None
    group: str = ""
    averages: Mapping[str, float] = {}
    doubts: tuple[Words, ...] = ()

    @classmethod
    def read(
        cls,
        given: TaskWeights | None,
        systems: Mapping[str, Mapping[str, Run]],
        metrics: Collection[str],
        asked: str | None,
    ) -> WeightsOfTasks:
        """Return the given weights, or those that are reported if all tasks have one metric."""
        metric, *others = dict.fromkeys(metrics)
        return cls(given) if given is not None or others else group_weights(systems, metric, asked)

    @property
    def note(self) -> Words:
        """How the tasks are weighted, and whether a results file says so."""
        weights = self.weights or "equal"
        how = WEIGHTED[weights] if isinstance(weights, str) else "with the given weights"
        is_reported = self.group and self.weights is not None
        return f"average {how}{f', as reported of group {shown(self.group)}' * bool(is_reported)}"

    def doubts_of(self, scores: Mapping[str, float]) -> list[Words]:
        """Return the doubts, and one for each system whose compared average is not the reported.

        `scores` may lack systems that have other names on other tasks.
        """
        others = [
            f"group {shown(self.group)}: {value:.6g} is reported of {system}, but the average of "
            f"the compared tasks is {scores[system]:.6g}"
            for system, value in self.averages.items()
            if system in scores and gap_to_reported(scores[system], value) == math.inf
        ]
        return [*self.doubts, *(others if self.weights is not None else [])]


class _Reported(NamedTuple):
    """The average that a results file reports of a group, and those that weights make."""

    path: str
    average: float
    made: Mapping[Weighting, float]

    @property
    def weights(self) -> list[Weighting]:
        """The weights that make the average; if some make all its digits, only these."""
        gaps = {x: gap_to_reported(y, self.average) for x, y in self.made.items()}
        exact = [x for x, gap in gaps.items() if gap == 0.0]
        return exact or [x for x, gap in gaps.items() if gap < math.inf]


def group_weights(
    tasks: Mapping[str, Mapping[str, Run]], metric: str, asked: str | None = None
) -> WeightsOfTasks:
    """Return how the results files weigh the tasks of a group, if there is such a group.

    The harness averages a logged metric over all tasks of a group, weighted by their numbers of
    examples or equally. Its results file does not say which, so both are tried.

    Parameters
    ----------
    tasks : dict from str to dict
        The run of each system on each task.
    metric : str
        The name of the metric in the logs.
    asked : str or None
        The name of a group, or a pattern: then it is the smallest group that has all these tasks
        and whose tasks all fit. None: the smallest group that has all these tasks.
    """
    of_systems: dict[str, dict[str, TaskGroup]] = {}  # the groups that the runs of each are in
    for runs in tasks.values():
        for system, run in runs.items():
            of_systems.setdefault(system, {}).update(run.task_groups)
    known = {name: group for groups in of_systems.values() for name, group in groups.items()}
    name = _chosen_group(asked, known, tasks)
    if name is None:
        return WeightsOfTasks(None)
    reported = {
        system: _Reported(groups[name].path, average, _averages(groups[name], metric))
        for system, groups in of_systems.items()
        if name in groups and (average := _score(groups[name], name, metric)) is not None
    }
    common = [x for x in WEIGHTED if all(x in of_system.weights for of_system in reported.values())]
    lost = [x for x in known[name].tasks if x not in tasks]
    silent = [x for x in of_systems if x not in reported] if reported else []
    doubts: list[Words] = [f"not compared: {first_of([*map(shown, lost)])}"] * bool(lost)
    doubts += [f"no {metric} is reported of {first_of(silent)}"] * bool(silent)
    doubts += [] if common else _disagreements([*reported.values()], metric)
    return WeightsOfTasks(
        common[0] if reported and common else None,
        name,
        {system: x.average for system, x in reported.items()},
        tuple(Parts(f"group {shown(name)}: ", x) for x in doubts),
    )


def _disagreements(reported: Sequence[_Reported], metric: str) -> list[Words]:
    """Say which reported averages no weights make, or else that they need different weights."""
    unmade: list[Words] = [
        Parts(
            f"{metric} of {x.average:.6g} is reported in ",
            File(x.path),
            ", but the average of its tasks is ",
            ", ".join(f"{y:.6g} {WEIGHTED[w]}" for w, y in x.made.items()) or "unknown",
        )
        for x in reported
        if not x.weights
    ]
    each = [Parts(f"{WEIGHTED[x.weights[0]]} in ", File(x.path)) for x in reported if x.weights]
    return unmade or [Parts(f"{metric} is averaged differently: ", joined(each, "; "))]


def _chosen_group(
    asked: str | None, groups: Mapping[str, TaskGroup], tasks: Collection[str]
) -> str | None:
    """Return the name of the group that was asked for, or that has these tasks."""
    if asked in groups:
        return asked

    def fits(task: str) -> bool:
        return asked is None or fnmatchcase(task, asked)

    tasks_of = {name: group.tasks for name, group in groups.items()}
    fitting = [x for x, some in tasks_of.items() if {*tasks} <= {*some} and all(map(fits, some))]
    return min(fitting, key=lambda name: len(tasks_of[name]), default=None)


def _score(group: TaskGroup, name: str, metric: str) -> float | None:
    """Return what is reported of a task or group."""
    return finite_number(reported_value(value_at(group.reported, name), metric))


def _averages(group: TaskGroup, metric: str) -> dict[Weighting, float]:
    """Return the averages of what is reported of the tasks, as the harness makes them.

    It leaves out tasks without the metric. The one by size is missing if the sizes are.
    """
    scores = {x: y for x in group.tasks if (y := _score(group, x, metric)) is not None}
    if not scores:
        return {}
    averages: dict[Weighting, float] = {}
    sizes = [value_at(group.sizes, task, "effective") for task in scores]
    if all(type(n) is int and n > 0 for n in sizes):
        total = sum(sizes)
        shares = [n / total for n in sizes]
        averages["size"] = math.fsum(x * y for x, y in zip(scores.values(), shares, strict=True))
    averages["equal"] = math.fsum(scores.values()) / len(scores)
    return averages


def suite_of(
    compared: Mapping[str, Examples],
    systems: Mapping[str, Mapping[str, Run]],
    asked: str | None = None,
    weights: TaskWeights | None = None,
    groups: Mapping[str, Mapping[Any, Any]] | None = None,
    **options: Any,
) -> tuple[SuiteResult, list[Words], list[Words]]:
    """Compare two systems on several tasks by `pairedperm.compare_suite`.

    Return also a note on how the tasks are weighted, if they have an average, and the doubts of
    `WeightsOfTasks`.

    Parameters
    ----------
    compared : dict from str to Examples
        What is compared on each task.
    systems : dict from str to dict
        The run of each system on each task.
    asked : str or None
        The name of a group of tasks, or a pattern of names, that was asked for.
    weights
        See `pairedperm.compare_suite`. None: as the results files weigh the group of these tasks,
        or else equally if the tasks have an average.
    groups : dict from str to dict, or None
        The group of each id of some or all tasks. None: as the runs say.
    **options
        `correction`, `alpha`, and options of the test.

    Raises
    ------
    InputError
        If there are not two systems, or `pairedperm.compare_suite` refuses the arguments.
    """
    name1, name2 = two_names(next(iter(compared.values())))
    chosen = WeightsOfTasks.read(weights, systems, [x.name for x in compared.values()], asked)
    named, of_each = named_tasks(compared, groups)
    with called_columns((name1, name2), of_pair=True):
        suite = compare_suite(
            {task: (*x.systems.values(), x.references) for task, x in named.items()},
            **of_each,
            weights=chosen.weights,
            **options,
        )
    suite = replace(suite, name1=name1, name2=name2)
    notes = [] if suite.no_average else [chosen.note]
    return suite, notes, chosen.doubts_of({name1: suite.score1, name2: suite.score2})


def averages_of(
    compared: Mapping[str, Examples],
    systems: Mapping[str, Mapping[str, Run]],
    asked: str | None = None,
    weights: TaskWeights | None = None,
    **options: Any,
) -> tuple[Leaderboard, list[Words]]:
    """Rank all systems by `pairedperm.compare_suites`; return also notes on the weights.

    Of `systems`, `asked` and `weights` see `suite_of`.

    Raises
    ------
    InputError
        If `pairedperm.compare_suites` refuses the arguments.
    """
    named, of_each = named_tasks(compared)
    chosen = WeightsOfTasks.read(weights, systems, [x.name for x in compared.values()], asked)
    with called_columns(next(iter(named.values())).systems, of_pair=False):
        board = compare_suites(
            {task: (x.systems, x.references) for task, x in named.items()},
            **of_each,
            weights=chosen.weights or "equal",
            **options,
        )
    return board, [chosen.note, *chosen.doubts_of(board.scores)]
