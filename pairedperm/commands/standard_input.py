"""Standard input, which `-` names among the logs of a command."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pairedperm.errors import InputError
from pairedperm.inputs.remote import STANDARD_INPUT, RemotePath
from pairedperm.readers.formats import is_log
from pairedperm.readers.text_file import TextFile

_DASH = "-"
_HEAD = 2**16  # tuned: characters at the start that tell the format, with the header of a table
_ARCHIVES = {"PAR1": "parquet", "PK\x03\x04": "eval"}


def without_dash(*paths: Any) -> list[Any]:
    """Return the paths, with a copy of standard input in place of `-`.

    Raises
    ------
    click.UsageError
        If several are `-`.
    """
    if [*map(str, paths)].count(_DASH) > 1:
        raise click.UsageError("`-` is standard input, which is read once: save one as a file.")
    return [_copied() if str(path) == _DASH else path for path in paths]


def _copied() -> RemotePath:
    """Save standard input for as long as the command runs, under the ending of its format."""
    from fsspec.implementations.local import LocalFileSystem

    folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory())
    path = Path(folder, "stdin.json")
    with path.open("wb") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
    copied = RemotePath(STANDARD_INPUT, LocalFileSystem(), path.as_posix())
    with suppress(InputError):  # reading it will say what is wrong, and where it was given
        path = path.rename(path.with_suffix(f".{_ending(TextFile('', copied))}"))
    return replace(copied, path=path.as_posix())


def _ending(file: TextFile) -> str:
    """Tell the ending of a file that is called .json from its start."""
    head = file.head(_HEAD).lstrip("\ufeff \t\r\n")
    if is_log(file):
        return file.ending
    if head.startswith(("{", "[")):
        return "jsonl" if head[0] == "{" else file.ending
    lines = head.splitlines() or [""]
    return _ARCHIVES.get(head[:4], "tsv" if "\t" in lines[0] else "csv")
