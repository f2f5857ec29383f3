"""The runs of two or more systems, grouped by task."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any

from pairedperm.errors import InputError, warn
from pairedperm.errors.wording import (
    SHOWN,
    File,
    Name,
    Parts,
    Setting,
    Words,
    counted,
    describe,
    first_of,
    joined,
    shown,
)
from pairedperm.options.constraints import Text, did_you_mean, read_fields
from pairedperm.readers.formats import (
    Format,
    hidden_logs,
    read_logs,
    read_reference_file,
)
from pairedperm.readers.matching import DROP, OnMissing, check_formats, match_task
from pairedperm.readers.run import Run
from pairedperm.readers.runs import Runs
from pairedperm.readers.table import TABLES, Names

_NAMES = "path1", "path2"  # the arguments of `read_runs`
_TASK = Setting("task", "…")
_ONE_RUN = "Name the file of one run, or put them into folders of their own."
_IS_DATE = re.compile(r"[\dTZ\W_]+")  # a folder that tells a date, a time or a number


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What to read, and how; see `read_runs`."""

    task: Annotated[str | None, Text(words="a name, as text", may_be_blank=True)] = None
    format: Format | None = None
    references: Any = None
    on_missing: OnMissing = "error"
    repeats: bool = False

    def __post_init__(self) -> None:
        read_fields(self)


def read_tasks(path1: Any, path2: Any, *, names: Names, **options: Any) -> dict[str, Runs]:
    """Return the runs of two systems on each task that both have; see `read_runs`."""
    asked = Reading(**options)
    _warn_of_one_file(path1, path2)
    logs = [
        read_logs(name, x, asked.format, names, asked.task)
        for name, x in zip(_NAMES, (path1, path2), strict=True)
    ]
    check_formats([run for runs in logs for run in runs])
    notes = _left_out((path1, path2))
    one, two = (_of_tasks(name, runs, asked) for name, runs in zip(_NAMES, logs, strict=True))
    if asked.task is None and len(one) == len(two) == 1 and "" in (*one, *two):
        (task1, run1), (task2, run2) = *one.items(), *two.items()
        task = task1 or task2
        return {task: _matched(task, [run1, run2], names, asked, notes)}
    for name, own, other in (("path1", one, two), ("path2", two, one)):
        lacking = [task for task in other if task not in own]
        if lacking and (asked.on_missing == "error" or not one.keys() & two.keys()):
            what = f" has no run of {_listed(lacking)}, only of {_listed(own)}"
            remedy = Parts("Compare runs of the same tasks, or name one, ", _TASK)
            raise InputError(Name(name), what, remedy=remedy)
    common = [task for task in one if task in two]
    if lost := [task for task in (*one, *two) if task not in common]:
        warn(f"left out, because one system has no run: {_listed(lost)}")
    return {task: _matched(task, [one[task], two[task]], names, asked, notes) for task in common}


def read_systems(paths: Sequence[Any], *, names: Names, **options: Any) -> dict[str, Runs]:
    """Return the runs of many systems on each task; see `read_folder`."""
    asked = Reading(**options)
    if not paths:
        logs = "name a folder with the logs of all systems, or logs"
        raise InputError(Name("paths"), " is missing", remedy=logs)
    found: dict[str, list[Run]] = {}
    for number, path in enumerate(paths, 1):
        name = "paths" if len(paths) == 1 else f"paths[{number - 1}]"
        for run in read_logs(name, path, asked.format, names, asked.task):
            found.setdefault(run.task, []).append(run)
    if asked.task is not None:
        found = {asked.task: _named_task("paths", found, asked.task)}
    alone = [task for task, runs in found.items() if len(runs) < 2]
    if alone and (asked.on_missing == "error" or len(alone) == len(found)):
        sole = next((x[0] for task, x in found.items() if task in alone), None)
        raise InputError(
            Name("paths"),
            " must hold two or more systems for each task, but holds only one for ",
            *(f"{_listed(alone)}: ", "none" if sole is None else File(sole.path)),
            remedy=Parts("Add logs, or name a task, ", _TASK),
        )
    for task, runs in found.items():
        _check_reruns(task, runs)
    sizes = {len(runs) for runs in found.values()}
    if len(sizes) > 1:
        each = ", ".join(f"{len(runs)} of {_listed([task])}" for task, runs in found.items())
        if asked.on_missing == "error":
            what = f" does not hold all systems for all tasks: {each}"
            remedy = "Name a task, ", _TASK, ", or rank the systems that each task has, ", DROP
            raise InputError(Name("paths"), what, remedy=Parts(*remedy))
        warn(f"not all tasks have all systems: {each}")
    notes = _left_out(paths)
    return {
        task: _matched(task, runs, names, asked, notes)
        for task, runs in found.items()
        if len(runs) > 1
    }


def only_task(found: Mapping[str, Runs]) -> Runs:
    """Return the runs of the only task.

    Raises
    ------
    InputError
        If there are several tasks.
    """
    if len(found) > 1:
        what = f" is missing, and the logs have several: {first_of([*map(shown, found)])}"
        raise InputError(Name("task"), what, remedy="Name one.")
    return next(iter(found.values()))


def _warn_of_one_file(path1: Any, path2: Any) -> None:
    """Warn if both paths are the same file, which compares a system with itself."""
    with suppress(TypeError, ValueError, OSError):  # datasets, and files that cannot be opened
        if os.path.samefile(path1, path2):
            remedy = "a system is compared with itself"
            warn(Name("path1"), " and ", Name("path2"), " are one file", remedy=remedy)


def _left_out(paths: Iterable[Any]) -> tuple[Words, ...]:
    """Return a note on the hidden files in the folders."""
    hidden = [file for path in paths for file in hidden_logs(path)]
    what = f"left out: {counted(len(hidden), 'hidden file')}: "
    return (Parts(what, joined(hidden, n=SHOWN)),) * bool(hidden)


def _of_tasks(name: str, runs: Sequence[Run], asked: Reading) -> dict[str, Run]:
    """Return the run of each task in one system's logs.

    Raises
    ------
    InputError
        If a task has several runs.
    """
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.task, []).append(run)
    if asked.task is not None:
        found = {asked.task: _named_task(name, found, asked.task)}
    for task, some in found.items():
        if len(some) > 1:
            each = [Parts(File(x.path), f" of {x.model}" * bool(x.model)) for x in some]
            of = f" of task {shown(task)}" if task else ""
            what = f" holds {len(some)} runs{of}: "
            raise InputError(Name(name), what, joined(each, n=3), remedy=_ONE_RUN)
    return {task: some[0] for task, some in found.items()}


def _listed(tasks: Iterable[str]) -> str:
    """List tasks for a message; the name of a task may be empty."""
    return first_of([f"task {shown(x)}" if x else "a task without a name" for x in tasks])


def _named_task(name: str, found: dict[str, list[Run]], task: Any) -> list[Run]:
    """Return the runs of the named task, or of a nameless one if it is the only task."""
    if task in found:
        return found[task]
    if [*found] == [""]:
        return found[""]
    raise InputError(
        Name("task"),
        must=Parts("be one of those in ", Name(name), f", {first_of([*map(shown, found)])}"),
        got=describe(task),
        remedy=did_you_mean("task", task, found),
    )


def _check_reruns(task: str, runs: Sequence[Run]) -> None:
    """Raise InputError if one folder has two runs of one model, which are not two systems."""
    seen: dict[tuple[str, str], str] = {}
    for run in runs:
        key = run.model, os.path.dirname(run.path)
        if run.model and key in seen:
            raise InputError(
                f"there are two runs of {run.model} on {_listed([task])}, ",
                *(File(seen[key]), " and ", File(run.path)),
                remedy=_ONE_RUN,
            )
        seen[key] = run.path


def _matched(
    task: str, runs: list[Run], names: Names, asked: Reading, notes: tuple[Words, ...]
) -> Runs:
    """Match the runs of one task, with the given references if there are some."""
    given = asked.references
    references = None if given is None else read_reference_file(given, None, names)
    systems = names_of(runs)
    runs, matching = match_task(task, runs, references, asked.on_missing, repeats=asked.repeats)
    return Runs(task, dict(zip(systems, runs, strict=True)), matching, asked.on_missing, notes)


def names_of(runs: Sequence[Run]) -> list[str]:
    """Name each system by its model, its table, the nearest folder that differs, or its path."""
    models = [run.model for run in runs]
    if all(models) and _differ(models):
        return models
    paths = [PurePath(run.path).with_suffix("") for run in runs]
    stems = [path.name for path in paths]
    if all(run.format in TABLES for run in runs) and _differ(stems):
        return stems  # other logs are named by dates and numbers
    absolute = [PurePath(os.path.abspath(path)).parts for path in paths]
    n_shared = len(os.path.commonprefix(absolute))  # noqa: RUF071, parts are meant
    own = [parts[n_shared:] for parts in absolute]
    nearest = [*zip(*(reversed(parts[:-1]) for parts in own), strict=False)]
    telling = [names for names in nearest if not any(map(_IS_DATE.fullmatch, names))]
    for names in (*telling, *nearest, *zip(*own, strict=False)):
        if _differ(names):
            return [*names]
    for length in range(2, max(map(len, absolute))):
        joined = ["/".join(parts[-length:]) for parts in absolute]
        if _differ(joined):
            return joined
    return [f"{run.path} ({k})" for k, run in enumerate(runs, 1)]


def _differ(names: Sequence[str]) -> bool:
    return len({*names}) == len(names)
