"""Many systems on several tasks: those that all tasks have, ranked by their weighted averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pairedperm.comparison.suites import compare_suites
from pairedperm.comparison.tasks import TaskWeights
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting, Words, called, first_of, joined, shown
from pairedperm.readers.documents import SameDocuments
from pairedperm.readers.examples import Examples, named_tasks
from pairedperm.readers.group_weights import WeightsOfTasks
from pairedperm.readers.matching import DROP, match
from pairedperm.readers.run import Run
from pairedperm.readers.runs import Runs
from pairedperm.results.leaderboard import Leaderboard


def on_all_tasks(tasks: Mapping[str, Runs]) -> tuple[dict[str, Runs], list[Words]]:
    """Return the runs of the systems that all tasks have, and a note on each that is left out.

    Raises
    ------
    InputError
        If a system lacks a task and none shall be left out, or if fewer than two have all tasks.
    """
    every = dict.fromkeys(x for runs in tasks.values() for x in runs.systems)
    lacking = {x: [task for task, runs in tasks.items() if x not in runs.systems] for x in every}
    complete = [x for x in every if not lacking[x]]
    missing = [
        f"{shown(x)} has no run of {first_of([f'task {shown(y)}' for y in those])}"
        for x, those in lacking.items()
        if those
    ]
    if not missing:
        return {**tasks}, []
    if any(runs.on_missing == "error" for runs in tasks.values()):
        remedy = Parts(
            "Name a task, ", Setting("task", "…"), ", or leave these systems out, ", DROP
        )
        what = " does not hold all systems for all tasks: "
        raise InputError(Name("paths"), what, joined(missing, "; "), remedy=remedy)
    if len(complete) < 2:
        what = " must hold two or more systems with all tasks: "
        raise InputError(Name("paths"), what, joined(missing, "; "))
    notes: list[Words] = [Parts("left out: ", x) for x in missing]
    return {task: _of_systems(runs, complete) for task, runs in tasks.items()}, notes


def _of_systems(runs: Runs, names: Sequence[str]) -> Runs:
    """Return the runs of some systems, matched without the others."""
    if len(names) == len(runs.systems):
        return runs
    systems = {name: runs.systems[name] for name in names}
    before = runs.matching
    how: SameDocuments = "content" if before.n_documents is None else "id"
    matching = match([*systems.values()], runs.on_missing, how)
    matching = replace(matching, n_unused=before.n_unused)
    return replace(runs, systems=systems, matching=matching)


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
