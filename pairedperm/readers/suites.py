"""The logs of two or more systems on several tasks, weighted as their results files say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pairedperm.comparison.suite import compare_suite
from pairedperm.comparison.suites import compare_suites
from pairedperm.comparison.tasks import TaskWeights
from pairedperm.errors.wording import Name, Words, called
from pairedperm.inputs.labels import COLUMNS
from pairedperm.readers.examples import Examples, named_tasks, two_names
from pairedperm.readers.group_weights import WeightsOfTasks
from pairedperm.readers.run import Run
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.suite_result import SuiteResult


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
    words = {x: f"the column of {name}" for x, name in zip(COLUMNS, (name1, name2), strict=False)}
    with called(words):
        suite = compare_suite(
            {task: (*x.systems.values(), x.references) for task, x in named.items()},
            **of_each,
            weights=chosen.weights,
            **options,
        )
    suite = replace(suite, name1=name1, name2=name2)
    notes = [] if suite.no_average else [chosen.note]
    return suite, notes, chosen.doubts({name1: suite.score1, name2: suite.score2})


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
    names = next(iter(named.values())).systems
    with called({Name("systems", (x,)): f"the column of {x}" for x in names}):
        board = compare_suites(
            {task: (x.systems, x.references) for task, x in named.items()},
            **of_each,
            weights=chosen.weights or "equal",
            **options,
        )
    return board, [chosen.note, *chosen.doubts(board.scores)]
