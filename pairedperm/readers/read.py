"""Files and folders in, matched runs out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np

from pairedperm.errors import InputError, describe, first_of, printable, shown, warn
from pairedperm.options import check_option
from pairedperm.readers.formats import Format, check_formats, read_logs, read_reference_file
from pairedperm.readers.matching import OnMissing, in_one_type, match
from pairedperm.readers.run import Run, with_repeats
from pairedperm.readers.runs import Runs
from pairedperm.readers.table import Names

PathLike = str | os.PathLike[str]


def read_runs(
    path1: Any,
    path2: Any,
    *,
    task: str | None = None,
    format: Format | None = None,
    references: Any = None,
    on_missing: OnMissing = "error",
    repeats: bool = False,
    id: str = "id",
    prediction: str = "prediction",
    reference: str = "reference",
    score: str | Sequence[str] = "score",
    group: str = "group",
) -> Runs:
    r"""Two systems' logs, their examples matched by id.

    Parameters
    ----------
    path1, path2 : str, os.PathLike or datasets.Dataset
        The log of each system: a file, a folder with the logs of one system, or a dataset. See
        Notes for the formats.
    task : str or None
        Which of the tasks in the logs; None: the only one.
    format : str or None
        "jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever" or "inspect"; None: as the
        file's name and first line tell.
    references : str, os.PathLike, datasets.Dataset or None
        A table with `id` and `reference`, where the logs hold no references.
    on_missing : {"error", "drop"}
        What to do with ids that one log lacks or holds twice, that stand for different documents,
        or that have no score. "drop" leaves them out, and `matching` lists them.
    repeats : bool
        Whether lines of a table with the same id are repeated runs of an example. Their scores are
        averaged; both systems need as many. Epochs of inspect_ai always are.
    id, prediction, reference, group : str
        The columns of a table. Those that it lacks may be missing, but for the id.
    score : str or sequence of str
        The columns of a table that hold scores.

    Returns
    -------
    Runs
        To print; `compare` tests them.

    Raises
    ------
    InputError
        If a log cannot be read, is of no known format, or has another one than the other log; if
        the logs are of different tasks, versions or examples; if there are several tasks.
    ImportError
        If a log of inspect_ai is read without it (``pip install ".[inspect]"``).

    Notes
    -----
    Tables are JSON Lines, CSV, TSV and Parquet files. Cells of CSV and TSV are texts; those of
    scores are numbers, and integers are read as such where the other log has integers. Logs are
    ``samples_….jsonl`` of lm-evaluation-harness (a metric of a filter is called
    "exact_match,strict-match" as there), ``.eval`` and ``.json`` of inspect_ai (a metric is a
    scorer), and ``…_samples.jsonl`` of Every Eval Ever 0.3. Where they hold hashes of documents,
    these must agree.

    Examples are sorted by id, so that the order of lines does not matter. Cost: two tables of a
    million lines take some seconds.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_runs
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name, scores in {"large": [1, 1, 1, 1], "small": [0, 1, 0, 0]}.items():
    ...     lines = [json.dumps({"id": k, "score": x}) for k, x in enumerate(scores)]
    ...     _ = (folder / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    >>> runs = read_runs(folder / "large.jsonl", folder / "small.jsonl")
    >>> runs.ids, runs.metrics
    ([0, 1, 2, 3], ('score',))
    >>> runs.compare().pvalue
    0.25
    """
    found = read_tasks(
        path1,
        path2,
        task=task,
        format=format,
        references=references,
        on_missing=on_missing,
        repeats=repeats,
        names=read_names(id, prediction, reference, score, group),
    )
    return _only_task(found)


def read_folder(
    *paths: Any,
    task: str | None = None,
    format: Format | None = None,
    references: Any = None,
    on_missing: OnMissing = "error",
    repeats: bool = False,
    id: str = "id",
    prediction: str = "prediction",
    reference: str = "reference",
    score: str | Sequence[str] = "score",
    group: str = "group",
) -> Runs:
    """Many systems' logs, their examples matched by id: for a leaderboard.

    Parameters
    ----------
    *paths : str, os.PathLike or datasets.Dataset
        A folder with the logs of all systems, or several files and folders.
    task, format, references, on_missing, repeats, id, prediction, reference, score, group
        As of `read_runs`.

    Returns
    -------
    Runs
        To print; `leaderboard` tests them.

    Raises
    ------
    InputError, ImportError
        As `read_runs`.
    """
    found = read_systems(
        paths,
        task=task,
        format=format,
        references=references,
        on_missing=on_missing,
        repeats=repeats,
        names=read_names(id, prediction, reference, score, group),
    )
    return _only_task(found)


def read_names(id: Any, prediction: Any, reference: Any, score: Any, group: Any) -> Names:
    """The names of a table's columns.

    Raises
    ------
    InputError
        If one is no text, or there is none for the scores.
    """
    scores = (score,) if isinstance(score, str) else score
    if not isinstance(scores, (list, tuple)) or not scores:
        raise InputError(f"`score` must name one or more columns, got {describe(score)}.")
    given = {"id": id, "prediction": prediction, "reference": reference, "group": group}
    for name, value in (*given.items(), *(("score", x) for x in scores)):
        if not isinstance(value, str) or not value:
            raise InputError(f"`{name}` must be the name of a column, got {describe(value)}.")
    return Names(id, prediction, reference, tuple(scores), group)


def read_tasks(path1: Any, path2: Any, *, names: Names, **asked: Any) -> dict[str, Runs]:
    """The runs of two systems on each task that both have; see `read_runs`."""
    _check(asked)
    _warn_of_one_file(path1, path2)
    given = [_of_tasks(name, path, names, asked) for name, path in _named(path1, path2)]
    one, two = given
    if asked["task"] is None and len(one) == len(two) == 1 and "" in (*one, *two):
        (task1, run1), (task2, run2) = *one.items(), *two.items()
        return {task1 or task2: _matched(task1 or task2, [run1, run2], names, asked)}
    for name, own, other in (("path1", one, two), ("path2", two, one)):
        lacking = [task for task in other if task not in own]
        if lacking and (asked["on_missing"] == "error" or not one.keys() & two.keys()):
            raise InputError(
                f"`{name}` has no run of task {first_of([*map(shown, lacking)])}, but of "
                f"{first_of([*map(shown, own)])}. Compare runs of the same tasks, or name one, "
                "task=…."
            )
    common = [task for task in one if task in two]
    return {task: _matched(task, [one[task], two[task]], names, asked) for task in common}


def read_systems(paths: Sequence[Any], *, names: Names, **asked: Any) -> dict[str, Runs]:
    """The runs of many systems on each task; see `read_folder`."""
    _check(asked)
    found: dict[str, list[Run]] = {}
    for number, path in enumerate(paths, 1):
        name = "paths" if len(paths) == 1 else f"paths[{number - 1}]"
        for run in read_logs(name, path, asked["format"], names):
            found.setdefault(run.task, []).append(run)
    if asked["task"] is not None:
        found = {asked["task"]: _named_task("paths", found, asked["task"])}
    alone = [task for task, runs in found.items() if len(runs) < 2]
    if alone and (asked["on_missing"] == "error" or len(alone) == len(found)):
        sole = next((x[0] for task, x in found.items() if task in alone), None)
        raise InputError(
            "`paths` must hold two systems or more of each task, and holds one only of "
            f"{first_of([shown(task or 'no name') for task in alone])}: "
            f"{'none' if sole is None else sole.path}. Add logs, or name a task, task=…."
        )
    return {
        task: _matched(task, runs, names, asked) for task, runs in found.items() if len(runs) > 1
    }


def _check(asked: Mapping[str, Any]) -> None:
    """Raise InputError unless the options are what they may be."""
    check_option("on_missing", asked["on_missing"], ("error", "drop"))
    if not isinstance(asked["repeats"], (bool, np.bool_)):
        raise InputError(f"`repeats` must be True or False, got {describe(asked['repeats'])}.")
    if not (asked["task"] is None or isinstance(asked["task"], str)):
        raise InputError(f"`task` must be a name, as text, or None, got {describe(asked['task'])}.")


def _warn_of_one_file(path1: Any, path2: Any) -> None:
    """Warn where both systems have one log, which says nothing of either."""
    with suppress(TypeError, ValueError, OSError):  # of datasets, and what cannot be opened
        if os.path.samefile(path1, path2):
            warn("`path1` and `path2` are one file: a system is compared with itself.")


def _named(path1: Any, path2: Any) -> tuple[tuple[str, Any], tuple[str, Any]]:
    return ("path1", path1), ("path2", path2)


def _of_tasks(name: str, path: Any, names: Names, asked: dict[str, Any]) -> dict[str, Run]:
    """The run of each task in one system's logs.

    Raises
    ------
    InputError
        If there are several of a task.
    """
    found: dict[str, list[Run]] = {}
    for run in read_logs(name, path, asked["format"], names):
        found.setdefault(run.task, []).append(run)
    if asked["task"] is not None:
        found = {asked["task"]: _named_task(name, found, asked["task"])}
    for task, runs in found.items():
        if len(runs) > 1:
            paths = [f"{run.path}{f' of {run.model}' * bool(run.model)}" for run in runs]
            each = first_of(paths, 3)
            of = f" of task {shown(task)}" if task else ""
            raise InputError(f"`{name}` holds {len(runs)} runs{of}: {each}. Name the file of one.")
    return {task: runs[0] for task, runs in found.items()}


def _named_task(name: str, found: dict[str, list[Run]], task: Any) -> list[Run]:
    """The runs of the task that was named; those of an unnamed task if there is nothing else."""
    if task in found:
        return found[task]
    if [*found] == [""]:
        return found[""]
    raise InputError(
        f"`task` must be one of those in `{name}`, {first_of([*map(shown, found)])}, got "
        f"{describe(task)}."
    )


def _matched(task: str, runs: list[Run], names: Names, asked: dict[str, Any]) -> Runs:
    """The runs of one task, with references if some were given."""
    check_formats(runs)
    versions = {run.version: run.path for run in runs if run.version}
    if len(versions) > 1:
        listed = "; ".join(f"{version} in {path}" for version, path in versions.items())
        raise InputError(
            f"the runs are of different versions of task {shown(task)}: {listed}. Evaluate both "
            "systems with the same version."
        )
    if asked["repeats"]:
        runs = [*map(with_repeats, runs)]
    systems = dict(zip(names_of(runs), runs, strict=True))
    given = asked["references"]
    if given is not None:
        other = read_reference_file(given, None, names)
        *runs, other = in_one_type([*runs, other])
        matching = match([*runs, other], asked["on_missing"])
        right = dict(zip(other.ids, other.references or (), strict=True))
        runs = [replace(run, references=[right.get(x) for x in run.ids]) for run in runs]
        matching = replace(matching, places=matching.places[:-1])
    else:
        runs = [*in_one_type(runs)]
        matching = match(runs, asked["on_missing"])
    return Runs(task, dict(zip(systems, runs, strict=True)), matching, asked["on_missing"])


def names_of(runs: Sequence[Run]) -> list[str]:
    """A name of each system: its model, or as much of its path as tells it from the others."""
    models = [run.model for run in runs]
    if all(models) and len({*models}) == len(models):
        return models
    parts = [PurePath(run.path).with_suffix("").parts or (run.path,) for run in runs]
    for length in range(1, max(map(len, parts)) + 1):
        names = ["/".join(x[-length:]) for x in parts]
        if len({*names}) == len(names):
            return names
    return [f"{printable(run.path)} ({k})" for k, run in enumerate(runs, 1)]


def _only_task(found: dict[str, Runs]) -> Runs:
    """Of the one task that there is."""
    if len(found) > 1:
        raise InputError(
            f"`task` is missing, and the logs have several: {first_of([*map(shown, found)])}. Name "
            "one."
        )
    return next(iter(found.values()))
