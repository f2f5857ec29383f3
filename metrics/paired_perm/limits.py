"""Limits of the page: what it reads of a file, how long it keeps it, and what an answer takes."""

from __future__ import annotations

import csv
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pairedperm import Budget, InputError
from pairedperm.errors import printable
from pairedperm.readers.files import TextFile

MAX_BYTES = 100 * 2**20  # of a file, decompressed: a million ids and labels take half of that
MAX_ROWS = 1_000_000  # of a file: read in some seconds, for one visitor at a time
MAX_EXPANDED = 2**30  # bytes of what Parquet or an archive holds: a free Space has 16 GB in all
MAX_PASTED = 2**20  # characters of a text box: more belongs in a file
MAX_WAITING = 20  # visitors in the queue: each answer takes seconds
KEPT_FOR = 600  # seconds: time to choose another metric and ask again
SWEPT_EVERY = 60  # seconds between two searches for older uploads
BUDGET = Budget(max_points=2**22, max_bytes=2**28)  # for p: some seconds, an eighth of the default
DRAWN = Budget(max_points=2**20, max_bytes=2**26)  # for the picture: nobody sees a million points


class Upload(NamedTuple):
    """An uploaded file: its path on this machine, and the visitor's name of it."""

    path: str
    name: str


def check_upload(upload: Upload, what: str) -> None:
    """Raise InputError if an upload is gone."""
    if not Path(upload.path).is_file():
        raise InputError(
            f"{what}: {printable(upload.name)} is no longer here",
            remedy=(f"uploads are deleted after {KEPT_FOR // 60} minutes", "Upload it again."),
        )


def check_size(name: str, path: Path) -> None:
    """Raise InputError if a file has too many bytes, once it is decompressed, or too many rows."""
    file = TextFile(name, path, MAX_BYTES)
    if path.stat().st_size > MAX_BYTES:
        raise file.too_large()
    n_rows = 0
    if file.ending == "parquet":
        with file.parquet() as opened:
            n_rows = opened.metadata.num_rows
    elif file.ending in ("json", "eval"):  # many lines hold one example, or none
        file.file  # noqa: B018, which decompresses it
    else:
        n_rows = sum(not line.isspace() for line in file.lines()) - (file.ending in ("csv", "tsv"))
        if n_rows > MAX_ROWS and file.ending == "csv":  # its cells can hold ends of lines
            with suppress(csv.Error):
                n_rows = sum(map(bool, csv.reader(file.lines(newline=""), strict=True))) - 1
    if n_rows > MAX_ROWS:
        what = f"has {n_rows:,} rows; at most {MAX_ROWS:,} are read here"
        raise file.error(what, remedy="The command on a machine of your own takes more.")
