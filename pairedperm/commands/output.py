"""The output of a command, and the files that it is written to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pairedperm.commands.shell import Shell
from pairedperm.errors import InputError
from pairedperm.errors.wording import Words, printable, worded
from pairedperm.inputs.files import write_whole
from pairedperm.readers.examples import Examples
from pairedperm.readers.logged_metrics import Direction
from pairedperm.readers.runs import Runs
from pairedperm.results.table import escaped


class Output(NamedTuple):
    """The text that a command prints, and its exit code."""

    text: str
    code: int = 0


def as_json(found: Any) -> str:
    """Return JSON that every reader accepts: NaN and infinities are refused."""
    return json.dumps(found, indent=2, allow_nan=False)


def as_lines(found: Mapping[str, Any]) -> str:
    """Return JSON with one key on each line, however long its value is."""
    pairs = (f"  {json.dumps(key)}: {json.dumps(x, allow_nan=False)}" for key, x in found.items())
    return "{\n" + ",\n".join(pairs) + "\n}\n"


def as_list(notes: Iterable[str]) -> str:
    """Return the notes as a Markdown list."""
    return "\n".join(f"- {escaped(' '.join(note.split()))}" for note in notes)


def write_text(path: Path, text: str, inputs: Iterable[str | Path] = ()) -> None:
    """Write a whole file, or nothing.

    Raises
    ------
    InputError
        If the path is an input, is inside an input, is a folder, or cannot be written.
    """
    shown = check_place(path, inputs)
    try:
        write_whole({path: text.encode("utf-8", "replace")})
    except OSError as error:
        raise InputError(f"{shown} cannot be written: {error.strerror or error}") from error


def check_place(path: Path, inputs: Iterable[str | Path]) -> str:
    """Return the path as messages show it, if a file may be written there.

    Raises
    ------
    InputError
        If the path is an input, is inside an input, or is a folder.
    """
    shown = printable(str(path))
    for given in map(Path, inputs):
        if path.resolve().is_relative_to(given.resolve()):
            raise InputError(
                f"{shown} is an input, or in an input folder", remedy="Name another file"
            )
    if path.is_dir():
        raise InputError(f"{shown} is a folder", remedy="name a file to write")
    return shown


def notes_of(tasks: Mapping[str, Runs], compared: Iterable[Examples]) -> list[str]:
    """Return the notes on a comparison, one per line and each once, as a shell reads them."""
    return [*dict.fromkeys(_notes(tasks, compared))]


def _notes(tasks: Mapping[str, Runs], compared: Iterable[Examples]) -> Iterator[str]:
    for task, runs in tasks.items():
        yield from map(_told, runs.notes)
        where = f"{task}: " if task else ""
        yield from (f"{where}{line}" for line in str(runs.matching).splitlines())
        for system, run in runs.systems.items():
            for metric, what in run.left_out.items():
                if metric not in runs.metrics:
                    why = f"no number per example, but {_told(what)}"
                    yield f"{where}left out: {metric} of {system}: {why}"
    for examples in compared:
        yield from (f"left out: {_told(x)}" for x in examples.unmatched)
        yield from map(_told, examples.doubts)
        if examples.direction.source == "assumed":
            which, other = ("lower", "higher")[:: 1 if examples.direction.lower_is_better else -1]
            yield f"{examples.name}: {which} is better (assumed; or give --{other}-is-better)"
        elif examples.direction == Direction(True, "name"):
            yield f"{examples.name}: lower is better, by its name (or give --higher-is-better)"


def _told(note: Words) -> str:
    return worded(note, Shell(()))
