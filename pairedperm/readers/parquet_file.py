"""Parquet files: how they are opened, and what is said of one that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pairedperm.errors import InputError
from pairedperm.readers.text_file import TextFile


@contextmanager
def opened_parquet(file: TextFile) -> Iterator[Any]:
    """Open a file as a `pyarrow.parquet.ParquetFile`.

    Raises
    ------
    InputError
        If it cannot be read, also by what is done here.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file.check()
    try:
        with pq.ParquetFile(file.file) as opened:
            yield opened
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # a ValueError: no UTF-8
        remedy = "Give a whole Parquet file."
        raise file.error("cannot be read: ", file.in_words(error), remedy=remedy) from error
