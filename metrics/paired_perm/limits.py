"""Limits of the page: sizes of files, rows, and the size of a decompressed file."""

from __future__ import annotations

import csv
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from pairedperm import Budget, InputError

MAX_BYTES = 100 * 2**20  # of a file: a million lines of ids and labels take half of that
MAX_ROWS = 1_000_000  # of a file: read in some seconds, for one visitor at a time
MAX_EXPANDED = 2**30  # bytes of a file once decompressed: a free Space has 16 GB for everything
MAX_PASTED = 2**20  # characters of a text box: more belongs in a file
MAX_WAITING = 20  # visitors in the queue: each answer takes seconds
KEPT_FOR = 600  # seconds: time to choose another metric and ask again
SWEPT_EVERY = 60  # seconds between two searches for older uploads
BUDGET = Budget(max_points=2**22, max_bytes=2**28)  # for p: some seconds, an eighth of the default
DRAWN = Budget(max_points=2**20, max_bytes=2**26)  # for the picture: nobody sees a million points

_ELSEWHERE = "The command `pairedperm compare` on a machine of your own has no limit."


class Upload(NamedTuple):
    """An uploaded file: its path on this machine, and the visitor's name of it."""

    path: str
    name: str


def check_upload(upload: Upload, what: str) -> None:
    """Refuse a file that would take too much time or memory, before it is read.

    Raises
    ------
    InputError
        If the file is gone, is too large, has too many rows, or would grow too much.
    """
    file = Path(upload.path)
    if not file.is_file():
        raise InputError(
            f"{what}: {upload.name} is no longer here",
            remedy=(f"uploads are deleted after {KEPT_FOR // 60} minutes", "Upload it again."),
        )
    _check(f"{what}: {upload.name} has", file.stat().st_size, MAX_BYTES, "bytes")
    ending = Path(upload.name).suffix.lower()
    if ending == ".parquet":
        n_rows, n_bytes = _of_parquet(file)
    elif ending == ".eval":
        n_rows, n_bytes = 0, _of_zip(file)
    else:
        n_rows, n_bytes = _n_rows(file, ending), 0
    _check(f"{what}: {upload.name} has", n_rows, MAX_ROWS, "rows")
    _check(f"{what}: {upload.name} would grow to", n_bytes, MAX_EXPANDED, "bytes")


def _check(what: str, number: int, most: int, unit: str) -> None:
    if number > most:
        found = f"{what} {number:,} {unit}; at most {most:,} are read here"
        raise InputError(found, remedy=_ELSEWHERE)


def _of_parquet(file: Path) -> tuple[int, int]:
    """Count the rows, and the bytes in memory with every text written out.

    A dictionary can hold one long text for a million rows; the footer does not show that.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as opened:
            footer = opened.metadata
            leaves = [footer.schema.column(k) for k in range(footer.num_columns)]
            groups = [footer.row_group(k) for k in range(footer.num_row_groups)]
    except (pa.ArrowException, OSError, ValueError):
        return 0, 0  # no Parquet file: its reader has a better message
    n_rows, n_bytes = footer.num_rows, sum(x.total_byte_size for x in groups)
    texts = [x.path for x in leaves if x.physical_type == "BYTE_ARRAY"]
    if n_rows > MAX_ROWS or n_bytes > MAX_EXPANDED or not texts:
        return n_rows, n_bytes
    try:
        with pq.ParquetFile(file, read_dictionary=texts) as opened:
            for batch in opened.iter_batches(batch_size=2**14):
                n_bytes += sum(map(_written_out, batch.columns))
                if n_bytes > MAX_EXPANDED:
                    break
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{file.name} cannot be read as Parquet: {error}.") from error
    return n_rows, n_bytes


def _written_out(column: Any) -> int:
    """Count the bytes of the texts of an Arrow array, with every entry written out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_struct(kind):
        return sum(map(_written_out, column.flatten()))
    if pa.types.is_nested(kind):
        return _written_out(column.flatten()) if hasattr(column, "flatten") else MAX_EXPANDED + 1
    lengths = column.dictionary if pa.types.is_dictionary(kind) else column
    if not _is_text(lengths.type):
        return 0  # the footer has counted it
    lengths = pc.binary_length(lengths)
    found = lengths.take(column.indices) if pa.types.is_dictionary(kind) else lengths
    return int(pc.sum(found).as_py() or 0)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return kind in (pa.string(), pa.binary(), pa.large_string(), pa.large_binary())


def _of_zip(file: Path) -> int:
    """Count the bytes of all files in an archive once they are decompressed."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sum(x.file_size for x in archive.infolist())
    except (zipfile.BadZipFile, OSError):
        return 0  # no archive: its reader has a better message


def _n_rows(file: Path, ending: str) -> int:
    """Count the examples of a text file, without the header and blank lines; none of JSON."""
    if ending == ".json":  # written over many lines, of which its bytes are the limit
        return 0
    n_rows = _n_lines(file) - (ending in (".csv", ".tsv"))
    if n_rows > MAX_ROWS and ending == ".csv":  # its cells can hold ends of lines
        with suppress(csv.Error), _opened(file) as opened:
            return sum(map(bool, csv.reader(opened, strict=True))) - 1
    return n_rows


def _n_lines(file: Path) -> int:
    """Count the lines that are not blank."""
    with _opened(file) as opened:
        return sum(not line.isspace() for line in opened)


def _opened(file: Path) -> TextIO:
    return file.open(encoding="utf-8", errors="replace", newline="")
