"""Runs of two or more systems on several tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from pairedperm.errors import (
    InputError,
    Name,
    Parts,
    Setting,
    Words,
    counted,
    first_of,
    joined,
    shown,
)
from pairedperm.readers.matching import match
from pairedperm.readers.read_options import DROP, SameDocuments
from pairedperm.readers.runs import Runs

_FIRST = 10  # tuned: tasks in a text
_OF_ONE = {x.name for x in fields(Runs)}


class RunsOfTasks(Runs):
    """Runs of several systems on several tasks; compare them by `suite`.

    Whatever is of one task, such as `ids` or `compare`, raises InputError, which names the tasks.

    Attributes
    ----------
    tasks : dict from str to Runs
        The runs of each task.
    """

    _tasks: Mapping[str, Runs]

    def __init__(self, tasks: Mapping[str, Runs], asked: str | None = None) -> None:
        object.__setattr__(self, "_tasks", {**tasks})
        object.__setattr__(self, "_asked", asked)

    @property
    def tasks(self) -> Mapping[str, Runs]:
        """The runs of each task."""
        return self._tasks

    def __getattr__(self, name: str) -> Any:
        if name in _OF_ONE:
            only_task(self.tasks)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __str__(self) -> str:
        each = [f"{task}: {counted(len(runs.ids), 'example')}" for task, runs in self.tasks.items()]
        systems = dict.fromkeys(x for runs in self.tasks.values() for x in runs.systems)
        return f"{', '.join(systems)} on {counted(len(each), 'task')}\n{first_of(each, _FIRST)}"


def only_task(tasks: Mapping[str, Runs]) -> Runs:
    """Return the runs of the only task.

    Raises
    ------
    InputError
        If there are several tasks.
    """
    if len(tasks) > 1:
        what = f" is missing, and the logs have several: {first_of([*map(shown, tasks)])}"
        raise InputError(Name("task"), what, remedy="Name one.")
    return next(iter(tasks.values()))


def of_tasks(tasks: Mapping[str, Runs], asked: str | None) -> Runs:
    """Return the runs of all tasks, of a group or a pattern that was asked for, as one object."""
    return RunsOfTasks(tasks, asked) if len(tasks) > 1 else only_task(tasks)


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
        remedy = Parts("Add logs, or name a task, ", Setting("task", "…"))
        raise InputError(Name("paths"), what, joined(missing, "; "), remedy=remedy)
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
    matching = replace(matching, n_unused=before.n_unused, by=before.by)
    return replace(runs, systems=systems, matching=matching)
