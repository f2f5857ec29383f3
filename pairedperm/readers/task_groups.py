"""Groups of tasks, such as mmlu with its 57, in results files of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from pairedperm.readers.text_file import value_at


class TaskGroup(NamedTuple):
    """A group of tasks in a results file.

    Attributes
    ----------
    path : str
        The results file, as messages show it.
    tasks : tuple of str
        Its tasks, also those of the groups in it.
    reported : dict from str to dict
        What the file reports of each task and of each group.
    sizes : dict from str to dict
        How many examples each task has.
    """

    path: str
    tasks: tuple[str, ...]
    reported: Mapping[str, Any]
    sizes: Mapping[str, Any]


def groups_with(task: str, results: Mapping[str, Any], path: str) -> dict[str, TaskGroup]:
    """Return the groups in a results file that a task is in, also within another group."""
    told = value_at(results, "group_subtasks")
    inner = {x: y for x, y in told.items() if isinstance(y, list)} if isinstance(told, dict) else {}
    reported, sizes = (value_at(results, key) for key in ("results", "n-samples"))
    tasks_of = {group: _tasks_in(group, inner) for group in inner if group != task}
    return {
        group: TaskGroup(path, tasks, reported, sizes)
        for group, tasks in tasks_of.items()
        if task in tasks
    }


def _tasks_in(group: str, inner: Mapping[str, list[Any]]) -> tuple[str, ...]:
    """Return the tasks of a group; those are names that hold no others."""
    names = {group: None}
    waiting = [group]
    while waiting:
        more = [x for x in inner.get(waiting.pop(0), ()) if isinstance(x, str) and x not in names]
        names |= dict.fromkeys(more)
        waiting += more
    return tuple(x for x in names if not inner.get(x))


def asked_tasks(asked: str, told: Mapping[str, Collection[str]]) -> list[str]:
    """Return the tasks that are asked for: by their name, or else by that of a group or a pattern.

    `told` has the groups of each task.
    """
    if asked in told:
        return [asked]
    return [task for task, groups in told.items() if asked in groups or fnmatchcase(task, asked)]
