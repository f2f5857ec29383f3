"""Logs of several tasks: their averages, beside those that lm-evaluation-harness reports."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from pairedperm.comparison.several import compare_suites
from pairedperm.comparison.suite import TaskWeights, compare_suite
from pairedperm.errors import Parts, Setting, Words, first_of, shown
from pairedperm.readers.aggregates import finite_number, gap_to_reported
from pairedperm.readers.examples import (
    Examples,
    called_columns,
    named_tasks,
    two_names,
    unreported,
)
from pairedperm.readers.lm_eval import reported_value
from pairedperm.readers.run import Run, TaskGroup
from pairedperm.readers.text_file import value_at
from pairedperm.results.several import Leaderboard
from pairedperm.results.suite import SuiteResult

_WEIGHTED = {"size": "weighted by size", "equal": "with equal weights"}
_OTHERWISE = {  # of two weights, the other
    "size": Setting("weights", "'equal'"),
    "equal": Setting("weights", "'size'"),
}


class GroupAverages(NamedTuple):
    """The averages of a group of tasks that the results files of systems report.

    Attributes
    ----------
    group : str
        The name of the group.
    averages : dict from str to float
        The average of each system for which one is reported.
    lost : list of str
        The tasks of the group that are not compared.
    """

    group: str
    averages: Mapping[str, float]
    lost: list[str]

    def doubts_of(self, scores: Mapping[str, float], weights: str) -> list[Words]:
        """Say of which systems the compared average is not the reported one, and what may help.

        `scores` may lack systems that have other names on other tasks.
        """
        where = f"group {shown(self.group)}: "
        lost = [f"{where}not compared: {first_of([*map(shown, self.lost)])}"] * bool(self.lost)
        others = [
            Parts(
                f"{where}{value:.6g} is reported of {system}, but the average of the compared "
                f"tasks is {scores[system]:.6g} {_WEIGHTED[weights]}; weigh them otherwise, ",
                _OTHERWISE[weights],
            )
            for system, value in self.averages.items()
            if system in scores and gap_to_reported(scores[system], value) == math.inf
        ]
        return [*lost, *others]


def group_averages(
    tasks: Mapping[str, Mapping[str, Run]], metric: str, asked: str | None = None
) -> GroupAverages | None:
    """Return what the results files report of the group of these tasks; None if they have none.

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
        return None
    reported = {
        system: finite_number(reported_value(value_at(groups[name].reported, name), metric))
        for system, groups in of_systems.items()
        if name in groups
    }
    averages = {system: x for system, x in reported.items() if x is not None}
    return GroupAverages(name, averages, [x for x in known[name].tasks if x not in tasks])


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


def _notes_on_weights(
    weights: TaskWeights | None,
    scores: Mapping[str, float],
    compared: Mapping[str, Examples],
    systems: Mapping[str, Mapping[str, Run]],
    asked: str | None,
) -> tuple[Words, list[Words]]:
    """Say how the tasks are weighted, and where a group's average is reported otherwise.

    Nothing is said of numbers that the caller gives, or of tasks with several metrics.
    """
    weights = "equal" if weights is None else weights
    if not isinstance(weights, str):
        return "average with the given weights", []
    note = f"average {_WEIGHTED[weights]}"
    metric, *others = dict.fromkeys(x.name for x in compared.values())
    found = None if others else group_averages(systems, metric, asked)
    return note, [] if found is None else found.doubts_of(scores, weights)


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
    `GroupAverages`.

    Parameters
    ----------
    compared : dict from str to Examples
        What is compared on each task.
    systems : dict from str to dict
        The run of each system on each task.
    asked : str or None
        The name of a group of tasks, or a pattern of names, that was asked for.
    weights
        See `pairedperm.compare_suite`.
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
    named, of_each = named_tasks(compared, groups)
    with called_columns((name1, name2), of_pair=True):
        suite = compare_suite(
            {task: (*x.systems.values(), x.references) for task, x in named.items()},
            **of_each,
            weights=weights,
            **options,
        )
    tests = tuple(
        replace(x, result=replace(x.result, _unreported=unreported(named[x.of.task])))
        for x in suite._tests
    )
    suite = replace(suite, name1=name1, name2=name2, _tests=tests)
    if suite.no_average:
        return suite, [], []
    scores = {name1: suite.score1, name2: suite.score2}
    note, doubts = _notes_on_weights(weights, scores, compared, systems, asked)
    return suite, [note], doubts


def averages_of(
    compared: Mapping[str, Examples],
    systems: Mapping[str, Mapping[str, Run]],
    asked: str | None = None,
    weights: TaskWeights = "equal",
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
    with called_columns(next(iter(named.values())).systems, of_pair=False):
        board = compare_suites(
            {task: (x.systems, x.references) for task, x in named.items()},
            **of_each,
            weights=weights,
            **options,
        )
    note, doubts = _notes_on_weights(weights, board.scores, compared, systems, asked)
    return board, [note, *doubts]
