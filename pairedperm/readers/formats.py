"""The formats of logs: how they are recognised, and how their runs are read."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args

from pairedperm.errors import InputError, warn
from pairedperm.errors.wording import (
    Advice,
    File,
    Name,
    Parts,
    Setting,
    Words,
    describe,
    first_of,
    printable,
    shown,
)
from pairedperm.inputs.files import check_regular
from pairedperm.readers import every_eval_ever, inspect_log, lm_eval, table
from pairedperm.readers.inspect_log import UnfinishedError
from pairedperm.readers.run import Run
from pairedperm.readers.table import Names
from pairedperm.readers.text_file import TextFile, is_path

Format = Literal["jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever", "inspect"]
FORMATS: tuple[str, ...] = get_args(Format)
_LINES = ("jsonl", "ndjson")  # file endings that leave the format to the first line
_ENDINGS = {
    **{x: x for x in (table.CSV, table.TSV, table.PARQUET)},
    "eval": inspect_log.FORMAT,
}
_READERS = {
    lm_eval.FORMAT: lm_eval.read_lm_eval,
    every_eval_ever.FORMAT: every_eval_ever.read_every_eval_ever,
    inspect_log.FORMAT: inspect_log.read_inspect,
}
_TASKS = {  # the tasks of a log, told without reading it; none if it must be read
    lm_eval.FORMAT: lm_eval.tasks_of,
    every_eval_ever.FORMAT: every_eval_ever.tasks_of,
    inspect_log.FORMAT: inspect_log.tasks_of,
}
_REMEDIES: dict[str, Words] = {
    "group": "For groups write a table of id, score and group.",
    "score": Parts("Name a metric of the log, ", Setting("metric", "…")),
}
_KNOWN = (
    "Known formats: tables (.jsonl, .csv, .tsv, .parquet) and logs of lm-evaluation-harness "
    "(samples_….jsonl), inspect_ai (.eval, .json) and Every Eval Ever (…_samples.jsonl)."
)


def read_logs(
    name: str, path: Any, chosen: str | None, names: Names, task: str | None = None
) -> list[Run]:
    """Return the runs of a file, a folder of logs, or a dataset, given as the argument `name`.

    If a task is named, logs that tell other tasks are not read: their runs have no examples.

    Raises
    ------
    InputError
        If it cannot be read or has no known format; if an evaluation is unfinished and its task has
        no other log.
    """
    if _is_dataset(path):
        return [table.read_table(path, table.DATASET, name, names)]
    place = checked_path(name, path)
    if not _is_folder(name, place):
        return _read(TextFile(name, place), chosen, names, task)
    files = [TextFile(name, file) for file in logs_in(name, place)]
    found = [_read_or_not(file, chosen, names, task) for file in files]
    runs = [run for x in found if not isinstance(x, UnfinishedError) for run in x]
    for unfinished in (x for x in found if isinstance(x, UnfinishedError)):
        if unfinished.task not in [run.task for run in runs]:
            raise unfinished
        warn("left out: ", unfinished.message)
    return runs


def _read_or_not(
    file: TextFile, chosen: str | None, names: Names, task: str | None
) -> list[Run] | UnfinishedError:
    """Return the runs of a log, or the error if its evaluation is unfinished."""
    try:
        return _read(file, chosen, names, task)
    except UnfinishedError as error:
        return error


def checked_path(name: str, path: Any) -> Path:
    """Return the path that was given as the argument `name`.

    Raises
    ------
    InputError
        If the argument is no path.
    """
    if not is_path(path):
        hint = ""
        if isinstance(path, (list, tuple)) and name == "paths":
            hint = "Pass its entries one by one, *paths."
        elif isinstance(path, dict) and any(map(_is_dataset, path.values())):
            hint = f"Pass one of its splits, such as {name}[{shown(next(iter(path)))}]."
        accepted = "be the path of a log, str or os.PathLike, or a datasets.Dataset"
        raise InputError(Name(name), must=accepted, got=describe(path), remedy=hint)
    return Path(path)


def read_reference_file(path: Any, chosen: str | None, names: Names) -> Run:
    """Return the references in a table.

    Raises
    ------
    InputError
        If the file is no table, or holds no references.
    """
    if _is_dataset(path):
        return table.read_references(path, table.DATASET, "references", names)
    file = TextFile("references", checked_path("references", path))
    kind = chosen if chosen in table.TABLES else format_of(file)
    if kind not in table.TABLES:
        remedy = f"give a table of ids and {shown(names.reference)}"
        raise file.error(f"is of format {kind!r}", remedy=remedy)
    return table.read_references(file, kind, "references", names)


def logs_in(name: str, folder: Path) -> list[Path]:
    """Return the logs in a folder and its subfolders, sorted by path, without hidden files.

    Raises
    ------
    InputError
        If there are none.
    """
    files = _files_in(folder)
    found = [path for path in files if not _is_hidden(path, folder) and _is_log(name, path)]
    if not found:
        others = [printable(str(path.relative_to(folder)), 60) for path in files]
        has = f"It has {first_of(others)}." if others else "It is empty."
        hidden = "Hidden files are left out." * any(_is_hidden(path, folder) for path in files)
        what = ": no log was found in ", File(str(folder))
        raise InputError(Name(name), *what, remedy=(has, hidden, _KNOWN))
    return found


def hidden_logs(path: Any) -> list[File]:
    """Return the hidden files in a folder that look like logs; none if it is no folder."""
    if not (isinstance(path, (str, os.PathLike)) and os.path.isdir(path)):
        return []
    folder, found = Path(path), []
    for file in _files_in(folder):
        with suppress(InputError):  # it need not be readable
            if _is_hidden(file, folder) and _is_log("", file):
                found.append(File(str(file)))
    return found


def _files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _is_hidden(path: Path, folder: Path) -> bool:
    """Tell whether a file, or a folder that it is in, has a name that begins with a dot."""
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def format_of(file: TextFile) -> str:
    """Tell the format of a file from its name and its first line.

    Raises
    ------
    InputError
        If the format is unknown.
    """
    ending = file.file.suffix.lower().removeprefix(".")
    if ending in _LINES:
        first = file.first_object()
        if every_eval_ever.is_every_eval_ever(first):
            return every_eval_ever.FORMAT
        return lm_eval.FORMAT if lm_eval.is_lm_eval(first) else table.JSONL
    if ending == "json" and _is_inspect_json(file):
        return inspect_log.FORMAT
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    named = Advice("Name its format, ", Setting("format", "…"))
    raise file.error("is of no known format", remedy=(_KNOWN, named))


def _read(file: TextFile, chosen: str | None, names: Names, task: str | None) -> list[Run]:
    kind = format_of(file) if chosen is None else chosen
    if kind in _READERS:
        _check_no_columns(file, kind, names)
        others = [] if task is None else _TASKS[kind](file)
        if others and not {task, ""} & {*others}:
            return [Run(path=file.path, format=kind, task=x, ids=[]) for x in others]
        return _READERS[kind](file)
    return [table.read_table(file, kind, file.name, names)]


def _check_no_columns(file: TextFile, kind: str, names: Names) -> None:
    """Raise InputError if the caller has named a column of a log that is no table."""
    for option, column in names.asked:
        what = f"is of format {kind!r}, and only tables have columns"
        leave = Parts("leave out ", Setting(option, shown(column)))
        raise file.error(what, remedy=(leave, _REMEDIES.get(option, "")))


def _is_log(name: str, path: Path) -> bool:
    """Tell whether a file is a log, by its ending or the start of its JSON."""
    ending = path.suffix.lower().removeprefix(".")
    if ending == "json":
        return _is_inspect_json(TextFile(name, path))
    return ending in (*_LINES, *_ENDINGS)


def _is_inspect_json(file: TextFile) -> bool:
    try:
        check_regular(file.file)
        return inspect_log.is_inspect_json(file.file)
    except (OSError, ValueError) as error:
        raise file.unreadable(error) from error


def _is_dataset(given: Any) -> bool:
    """Tell whether the argument is a `datasets.Dataset`, neither a dict of them nor a stream."""
    return all(hasattr(given, x) for x in ("column_names", "features", "select_columns", "__len__"))


def _is_folder(name: str, path: Path) -> bool:
    try:
        check_regular(path)
        return path.is_dir()
    except (OSError, ValueError) as error:
        raise TextFile(name, path).unreadable(error) from error
