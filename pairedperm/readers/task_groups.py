"""Groups of tasks, such as mmlu with its 57, in results files of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from pairedperm.readers.text_file import value_at


class TaskGroup(NamedTuple):
    """A group of tasks in a results file.

    Attributes
    ----------
    name : str
        The name of the group.
    path : str
        The results file, as messages show it.
    members : dict from str to list of str
        The tasks and groups that each group of the file has.
    reported, sizes : Any
        What the file reports of each task and group, and how many examples each task has, as JSON.
    """

    name: str
    path: str
    members: Mapping[str, list[str]]
    reported: Any
    sizes: Any

    @property
    def tasks(self) -> list[str]:
        """The tasks of the group, also those of the groups in it."""
        names = _reached(self.name, self.members)
        return [x for x in names if not self.members.get(x)]


def groups_with(task: str, results: Mapping[str, Any], path: str) -> dict[str, TaskGroup]:
    """Return the groups in a results file that a task is in, also within another group."""
    told = value_at(results, "group_subtasks")
    if not isinstance(told, dict):
        return {}
    members = {
        group: [x for x in names if isinstance(x, str)]
        for group, names in told.items()
        if isinstance(names, list)
    }
    holders: dict[str, list[str]] = {}
    for group, names in members.items():
        for x in names:
            holders.setdefault(x, []).append(group)
    outer = {*_reached(task, holders)} - {task}
    reported, sizes = (value_at(results, key) for key in ("results", "n-samples"))
    return {x: TaskGroup(x, path, members, reported, sizes) for x in members if x in outer}


def _reached(start: str, further: Mapping[str, list[str]]) -> list[str]:
    """Return a name, and all names to which it leads further."""
    names, waiting = {start: None}, [start]
    while waiting:
        more = [x for x in further.get(waiting.pop(0), ()) if x not in names]
        names |= dict.fromkeys(more)
        waiting += more
    return [*names]


def asked_group(asked: Sequence[str]) -> str | None:
    """Return what was asked for, which may be a group or a pattern, if it is one name."""
    return asked[0] if len(asked) == 1 else None


def asked_tasks(asked: str, told: Mapping[str, Collection[str]]) -> list[str]:
    """Return the tasks that are asked for: by their name, or else by that of a group or a pattern.

    `told` has the groups of each task.
    """
    if asked in told:
        return [asked]
    return [task for task, groups in told.items() if asked in groups or fnmatchcase(task, asked)]
