"""The output of a command, and the files that it is written to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pairedperm.errors import InputError
from pairedperm.hf.files import write_whole
from pairedperm.results.markdown import escaped
from pairedperm.shown import printable


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
