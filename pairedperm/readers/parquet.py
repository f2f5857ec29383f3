"""The columns of a Parquet file, of which no more is read than a limit allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pairedperm.readers.named_file import NamedFile

_TEXT = "BYTE_ARRAY"
_WORD = 8  # tuned: bytes of a number, and of an entry on each level of lists and structs
_BY_PREFIX = "DELTA_BYTE_ARRAY"  # an encoding in which a text repeats the start of the one before


def columns_in_parts(file: NamedFile, opened: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield these columns of a `pyarrow.parquet.ParquetFile`, some rows at a time, as tables.

    The footer tells the widths and the numbers of entries, but not how often a text is repeated. So
    texts are read as dictionaries, and counted as if each were written out. Where a text repeats
    the start of another, so few rows are read at a time that they fit if each is the longest.

    Raises
    ------
    InputError
        If the columns take more bytes than may be read of the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    footer = opened.metadata
    leaves = [*_leaves(footer, names)]
    texts = [x for x in leaves if x.is_text]
    n_bytes, n_stored = sum(x.n_bytes for x in leaves), sum(x.n_stored for x in texts)
    _check(file, n_bytes + n_stored)
    is_by_prefix = any(x.is_by_prefix for x in texts)
    coded = [] if is_by_prefix else [x.path for x in texts]
    n_rows = file.max_bytes // (n_stored or 1) if is_by_prefix else footer.num_rows
    types = opened.read_row_groups([], columns=names).schema.types
    with pq.ParquetFile(file.file, metadata=footer, read_dictionary=coded) as again:
        for k in range(footer.num_row_groups):
            for batch in again.iter_batches(max(1, n_rows), row_groups=[k], columns=names):
                n_bytes += sum(map(_written_out, batch.columns))
                _check(file, n_bytes)
                columns = map(_plain_within, batch.columns, types)
                yield pa.table([*columns], names=batch.schema.names)


def _plain_within(column: Any, kind: Any) -> Any:
    """Return an array without dictionaries in its lists and structs, which take long to read."""
    return column if hasattr(column, "dictionary") else column.cast(kind)


def _check(file: NamedFile, n_bytes: int) -> None:
    if n_bytes > file.max_bytes:
        raise file.too_large()


def _leaves(footer: Any, names: Sequence[str]) -> Iterator[_Leaf]:
    """Yield the lowest parts of the columns."""
    starts = tuple(f"{x}." for x in names)
    groups = [footer.row_group(k) for k in range(footer.num_row_groups)]
    for k in range(footer.num_columns):
        column = footer.schema.column(k)
        if f"{column.path}.".startswith(starts):
            yield _Leaf(column, [x.column(k) for x in groups])


class _Leaf:
    """The lowest part of a column, of which the footer tells this.

    `n_bytes` is what its entries take in memory, without texts; `n_stored` is what texts take in
    the file, not compressed, and no text is longer.
    """

    def __init__(self, column: Any, chunks: Sequence[Any]) -> None:
        self.path = column.path
        self.is_text = column.physical_type == _TEXT
        self.is_by_prefix = self.is_text and any(_BY_PREFIX in x.encodings for x in chunks)
        self.n_stored = sum(x.total_uncompressed_size for x in chunks)
        n_words = 2 + column.max_definition_level + column.max_repetition_level
        self.n_bytes = sum(x.num_values for x in chunks) * (column.length + _WORD * n_words)


def _written_out(column: Any) -> int:
    """Count the bytes of the texts of an array, with each written out."""
    import pyarrow.compute as pc

    n_bytes = 0
    for x in _lowest(column):
        if hasattr(x, "dictionary"):
            n_bytes += pc.sum(_lengths(x.dictionary).take(x.indices)).as_py() or 0
        elif str(x.type).removeprefix("large_") in ("string", "binary"):
            n_bytes += x.nbytes
    return n_bytes


def _lowest(column: Any) -> Iterator[Any]:
    """Yield the arrays that hold the entries of an array on the lowest level."""
    import pyarrow as pa

    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if isinstance(column, pa.MapArray):
        start, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
        inner = [x.slice(start, end - start) for x in (column.keys, column.items)]
    elif pa.types.is_nested(column.type):
        inner = column.flatten()
        inner = inner if isinstance(inner, list) else [inner]
    else:
        yield column
        return
    for x in inner:
        yield from _lowest(x)


def _lengths(texts: Any) -> Any:
    """Return the length of each text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_length(texts.cast(pa.large_binary()))
