"""The formats of logs: how they are recognised, how their runs are read, and what is no log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pairedperm.errors import (
    InputError,
    counted,
    describe,
    first_of,
    printable,
    shown,
    shown_path,
    warn,
)
from pairedperm.inputs.files import MAX_BYTES
from pairedperm.readers.files import (
    AS_WRITTEN,
    CSV,
    JSON,
    JSONL,
    LINES,
    PARQUET,
    TABLES,
    TSV,
    ReadOptions,
    TextFile,
    is_path,
    value_at,
)
from pairedperm.readers.inspect import INSPECT, UnfinishedError
from pairedperm.readers.lm_eval import LM_EVAL, has_averages
from pairedperm.readers.log import (
    LogFormat,
    Row,
    Run,
    asked_tasks,
    collected,
    whole_runs,
)
from pairedperm.readers.other_logs import OTHER_LOGS
from pairedperm.readers.tables import is_stored, read_stored, read_table, runs_of

_LOG_FORMATS = (*OTHER_LOGS, INSPECT, LM_EVAL)  # a log of trec_eval may be called .eval as well
_NO_LOGS = (  # what lies beside logs or stands for them: its start, what it is, and the remedy
    (
        r"version https://git-lfs\.github\.com/",
        "is a pointer of Git LFS, which stands for the file",
        "Fetch the file itself with `git lfs pull`.",
    ),
    (
        r'\[\{"instance_id":"[^"]*","(perturbation|train_trial_index)":',
        "is a log of HELM, whose examples are not read from there",
        "Convert the run with Every Eval Ever, and give its …_samples.jsonl.",
    ),
    (
        r'\{"schema_version":"[^"]*","evaluation_id":"[^"]*","(evaluation|retrieved)_timestamp":',
        "has averages of Every Eval Ever, and no scores of examples",
        "Give the …_samples.jsonl beside it.",
    ),
    (
        r'\{"id":"[^"]*","started_at":[^{]*"(n_total_trials|stats)":',
        "has averages of a run of Harbor, and no scores of examples",
        "Give its folder, in which each trial has a folder.",
    ),
)
_TASKS = {x.name: x.tasks for x in _LOG_FORMATS if x.tasks}  # otherwise a log must be read
_TABLES = {  # the formats of tables, which are no logs, by the endings of files
    **dict.fromkeys(LINES, JSONL),
    **{x: x for x in (CSV, TSV, PARQUET)},
}
_REMEDIES_OF_LOGS: dict[str, str] = {
    "group": "For groups write a table of id, score and group.",
    "score": "Name a metric of the log, metric=…",
}
_KNOWN_FORMATS = (
    "Known formats: tables (.jsonl, .csv, .tsv, .parquet, a list in .json) and logs of "
    "lm-evaluation-harness (samples_….jsonl), inspect_ai (.eval, .json), Every Eval Ever "
    "(…_samples.jsonl), lighteval (details_….parquet), LeRobot, promptfoo, DeepEval, SWE-bench, "
    "Harbor, skill-creator (benchmark.json) and trec_eval -q."
)


def read_logs(name: str, path: Any, options: ReadOptions) -> list[Run]:
    """Return the runs of a file, a folder of logs, or a dataset, given as the argument `name`.

    If tasks are asked for, logs that tell other tasks are not read: their runs have no examples.

    Raises
    ------
    InputError
        If it cannot be read or has no known format; if an evaluation is unfinished and its task has
        no other log.
    """
    if is_stored(path):
        return runs_of(read_stored(path, name, options), options)
    given = named_log(name, path, options.max_bytes)
    if not given.is_folder():
        return _runs_of(given, options)
    runs: list[Run] = []
    unfinished: list[UnfinishedError] = []
    files, others = _chosen(_logs_within(given), options.format)
    for file in files:
        try:
            runs += _runs_of(file, options)
        except UnfinishedError as error:  # noqa: PERF203, another log may hold its task
            unfinished.append(error)
    tasks = {run.task for run in runs}
    for x in unfinished:
        if x.task not in tasks:
            raise x
        warn(f"left out: {x}")
    runs = whole_runs(runs)
    notes = [*_left_out_of(given)]
    if others:
        listed = first_of([shown_path(x.path) for x in others])
        of_others = f"{counted(len(others), 'file')} of another format or empty: {listed}"
        notes.append(f"left out: {of_others}")
    return [replace(run, notes=(*notes, *run.notes)) for run in runs] if notes else runs


def _chosen(files: list[TextFile], wanted: str | None) -> tuple[list[TextFile], list[TextFile]]:
    """Return the files of the wanted format, or else of any tool, if any; and the others.

    What is of no format, but not empty, is among the first: its reader says what is wrong.
    """
    names = [wanted] if wanted else [x.name for x in _LOG_FORMATS]
    kinds: dict[TextFile, str | None] = {}
    for file in files:
        kinds[file] = None
        with suppress(InputError):
            kind = _kind(file)
            kinds[file] = None if kind == JSONL and not file.first_object else kind
    if not any(kind in names for kind in kinds.values()):
        return files, []
    is_read = {
        x: bool(x.start.strip()) if kind is None else kind in names for x, kind in kinds.items()
    }
    return [x for x in files if is_read[x]], [x for x in files if not is_read[x]]


def _runs_of(file: TextFile, options: ReadOptions) -> list[Run]:
    """Return the runs of one file."""
    kind = options.format or format_of(file)
    log_format = next((x for x in _LOG_FORMATS if x.name == kind), None)
    if log_format is None:
        return runs_of(read_table(file, kind, options), options)
    if options.wide:
        what = f"is of format {kind!r}, and only tables are wide"
        raise file.error(what, remedy="leave out wide=True")
    for option, column in options.named:
        what = f"is of format {kind!r}, and only tables have columns"
        leave = f"leave out {option}={shown(column)}"
        raise file.error(what, remedy=(leave, _REMEDIES_OF_LOGS.get(option, "")))
    told = _TASKS[kind](file) if options.task and kind in _TASKS else {}
    if not told or "" in told or any(asked_tasks(x, told) for x in options.task or ()):
        runs = read_log(file, log_format, options.by)
        if not any(run.ids for run in runs):
            raise file.error("has no examples", remedy="at least one is needed")
        return runs
    return [
        Run(path=file.path, format=kind, task=task, ids=[], task_groups=groups)
        for task, groups in told.items()
    ]


def read_log(file: TextFile, log_format: LogFormat, by: str | None = None) -> list[Run]:
    """Return the runs of a log: its rows by task and system, and what it says of these.

    `by` is the path of the slice in what a row tells about its example.

    Raises
    ------
    InputError
        If the log cannot be read, or a row lacks what those of its tool have.
    """
    by_run: dict[tuple[str, str, str], list[Row]] = {}
    rows, number = log_format.rows(file), 1
    while True:
        try:
            row = next(rows)
        except StopIteration as end:
            finish = end.value
            break
        except (LookupError, TypeError, AttributeError) as error:
            lacks = f"has no {error}" if isinstance(error, KeyError) else "has another form"
            at = f"row {number} " if by_run else ""  # before the first row, the file may lack it
            what = f"{at}{lacks}, and is not as {log_format.tool} writes it"
            raise file.error(what, remedy=AS_WRITTEN) from error
        if type(row.id) not in (int, str) or row.id == "":
            has = "has no id" if row.id in (None, "") else f"has the id {describe(row.id)}"
            what = f"row {number} {has}, and is not as {log_format.tool} writes it"
            raise file.error(what, remedy=AS_WRITTEN)
        number += 1
        if row.about is not None:
            row = row._replace(about=value_at(row.about, *by.split(".")) if by else None)
        by_run.setdefault((row.path or file.path, row.task, row.system), []).append(row)
    found = [collected(some, log_format.name, x) for (x, *_), some in by_run.items()]
    return [finish(*x) if finish else x[0] for x in found]


def named_log(name: str, path: Any, max_bytes: int = MAX_BYTES) -> TextFile:
    """Return the file or folder that was given as the argument `name`.

    Raises
    ------
    InputError
        If the argument is no path, or a URL that no installed package reads.
    """
    if not is_path(path):
        accepted = "be the path of a log, str or os.PathLike, a datasets.Dataset or a frame"
        raise InputError(f"`{name}`", must=accepted, got=describe(path))
    return TextFile.at(name, path, max_bytes)


def read_references(path: Any, options: ReadOptions) -> Run:
    """Return the references in a table.

    Raises
    ------
    InputError
        If the file is no table, or holds no references.
    """
    names = options.of_references()
    if is_stored(path):
        return read_stored(path, "references", names)
    file = named_log("references", path, options.max_bytes)
    kind = format_of(file, remedy="")
    if kind not in TABLES:
        remedy = f"give a table of ids and {shown(names.reference)}"
        raise file.error(f"is of format {kind!r}", remedy=remedy)
    return read_table(file, kind, names)


def _logs_within(given: TextFile) -> list[TextFile]:
    """Return the logs in a folder and its subfolders, sorted by path, without hidden files.

    Raises
    ------
    InputError
        If there are none.
    """
    folder = given.source
    files = [*map(given.within, given.files)]
    logs = [x for x in files if not _is_hidden(x.source, folder) and is_log(x)]
    if not logs:
        others = [printable(str(x.source.relative_to(folder)), 60) for x in files]
        has = f"It has {first_of(others)}." if others else "It is empty."
        hidden = "Hidden files are left out." * any(_is_hidden(x.source, folder) for x in files)
        links = "Links that lead out of it are left out." * bool(given.links)
        for file in files:
            _check_is_log(file)
        what = f"`{given.name}`: no log was found in {shown_path(given.path)}"
        raise InputError(what, remedy=(has, hidden, links, _KNOWN_FORMATS))
    return logs


def _left_out_of(given: TextFile) -> Iterator[str]:
    """Yield notes on the hidden files in a folder that look like logs, and on links out of it.

    A link is left out because what it leads to may be nobody's to show; hidden ones are not told.
    """
    logs = []
    for file in map(given.within, given.files):
        with suppress(InputError):  # it need not be readable
            if _is_hidden(file.source, given.source) and is_log(file):
                logs.append(shown_path(file.path))
    links = [shown_path(str(x)) for x in given.links if not _is_hidden(x, given.source)]
    for what, some in (("hidden file", logs), ("link", links)):
        if some:
            out = " out of the folder" * (some is links)
            yield f"left out: {counted(len(some), what)}{out}: {first_of(some)}"


def _is_hidden(path: Path, folder: Path) -> bool:
    """Tell whether a file, or a folder that it is in, has a name that begins with a dot."""
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def is_log(file: TextFile) -> bool:
    """Tell whether a file is a log or a table, by its ending or its start."""
    if file.ending in _TABLES:
        return True
    try:
        return _kind(file) is not None
    except InputError:
        if file.ending == JSON:
            raise
        return False  # a program's own file, which others may not read


def _check_is_log(file: TextFile) -> None:
    """Raise InputError if a file is known to hold no scores of examples."""
    for start, what, remedy in _NO_LOGS:
        if file.begins(start):
            raise file.error(what, remedy=remedy)
    if has_averages(file):
        what = "has averages of lm-evaluation-harness, and no scores of examples"
        remedy = "Evaluate again with `--log_samples`, and give the samples_….jsonl beside it."
        raise file.error(what, remedy=remedy)


def format_of(file: TextFile, remedy: str = "Name its format, format=…") -> str:
    """Tell the format of a file from its name and its first line.

    Raises
    ------
    InputError
        If the format is unknown, or the file is known to be no log.
    """
    _check_is_log(file)
    kind = _kind(file)
    if kind is None:
        raise file.error("is of no known format", remedy=(_KNOWN_FORMATS, remedy))
    return kind


def _kind(file: TextFile) -> str | None:
    """Tell the format of a file; None if it is unknown."""
    of_log = next((x.name for x in _LOG_FORMATS if x.fits(file)), None)
    is_list = file.ending == JSON and file.is_list and file.first_object
    return of_log or (JSONL if is_list else _TABLES.get(file.ending))
