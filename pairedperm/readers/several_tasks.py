"""Runs of two or more systems on several tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, counted, first_of, shown
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
