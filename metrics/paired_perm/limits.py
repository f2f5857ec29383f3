"""What the page takes: sizes, rows, and what a compressed file may grow to."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import NamedTuple

from pairedperm import Budget, InputError

MAX_BYTES = 100 * 2**20  # of a file: a million lines of ids and labels take half of it
MAX_ROWS = 1_000_000  # of a file: they are read in some seconds, by one visitor at a time
MAX_EXPANDED = 2**30  # bytes of a file once decompressed: a free Space has 16 GB for everything
MAX_PASTED = 2**20  # characters of a text box: more belongs into a file
MAX_WAITING = 20  # visitors in the queue: each answer takes seconds
KEPT_FOR = 600  # seconds of an upload: time to choose another metric and ask again
SWEPT_EVERY = 60  # seconds, in which older uploads are looked for
BUDGET = Budget(
    max_points=2**22, max_bytes=2**28
)  # of p: some seconds; the default is 8 times that
DRAWN = Budget(max_points=2**20, max_bytes=2**26)  # of the picture: nobody sees a million points

_ELSEWHERE = "The command `pairedperm compare` on a machine of your own has no limit."


class Upload(NamedTuple):
    """A file as it came: where it lies, and what the visitor calls it."""

    path: str
    name: str


def check_upload(upload: Upload, what: str) -> None:
    """Refuse a file before it is read that would take too much time or memory.

    Raises
    ------
    InputError
        If it is gone, too large, has too many rows, or would grow too much.
    """
    file = Path(upload.path)
    if not file.is_file():
        raise InputError(
            f"{what}: {upload.name} is no longer here: uploads are deleted after "
            f"{KEPT_FOR // 60} minutes. Upload it again."
        )
    _check(f"{what}: {upload.name} has", file.stat().st_size, MAX_BYTES, "bytes")
    ending = Path(upload.name).suffix.lower()
    if ending == ".parquet":
        n_rows, n_bytes = _of_parquet(file)
    elif ending == ".eval":
        n_rows, n_bytes = 0, _of_zip(file)
    else:
        n_rows, n_bytes = _n_lines(file), 0
    _check(f"{what}: {upload.name} has", n_rows, MAX_ROWS, "rows")
    _check(f"{what}: {upload.name} would grow to", n_bytes, MAX_EXPANDED, "bytes")


def _check(what: str, number: int, most: int, unit: str) -> None:
    if number > most:
        raise InputError(f"{what} {number:,} {unit}; at most {most:,} are read here. {_ELSEWHERE}")


def _of_parquet(file: Path) -> tuple[int, int]:
    """Rows, and bytes in memory: what its texts take, each written out.

    A dictionary can hold one long text for a million rows, which the footer does not tell.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as opened:
            footer = opened.metadata
            groups = [footer.row_group(k) for k in range(footer.num_row_groups)]
            n_rows, n_bytes = footer.num_rows, sum(x.total_byte_size for x in groups)
            if n_rows > MAX_ROWS or n_bytes > MAX_EXPANDED:
                return n_rows, n_bytes
            texts = [
                x.name
                for x in opened.schema_arrow
                if pa.types.is_string(x.type) or pa.types.is_binary(x.type)
            ]
        with pq.ParquetFile(file, read_dictionary=texts) as opened:
            for batch in opened.iter_batches(columns=texts, batch_size=2**16):
                for column in batch.columns:
                    lengths = pc.binary_length(column.dictionary).take(column.indices)
                    n_bytes += pc.sum(lengths).as_py() or 0
                if n_bytes > MAX_EXPANDED:
                    break
        return n_rows, n_bytes
    except (pa.ArrowException, OSError, ValueError, AttributeError):
        return 0, 0  # not a Parquet file: its reader says so in better words


def _of_zip(file: Path) -> int:
    """Bytes of all files in an archive."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sum(x.file_size for x in archive.infolist())
    except (zipfile.BadZipFile, OSError):
        return 0  # its reader says so in better words


def _n_lines(file: Path) -> int:
    with file.open("rb") as opened:
        return sum(page.count(b"\n") for page in iter(lambda: opened.read(2**20), b""))
