"""The columns of a Parquet file, of which no more is read than a limit allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pairedperm.readers.files import TextFile

_TEXT, _TEXTS = "BYTE_ARRAY", ("string", "binary", "large_string", "large_binary")
_WORD = 8  # tuned: bytes of a number, and of an entry on each level of lists and structs
_AT_ONCE = 2**16  # tuned: rows of Parquet that are read at once


def columns_in_parts(file: TextFile, opened: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield these columns of a `pyarrow.parquet.ParquetFile`, some rows at a time, as tables.

    The footer tells the widths and the numbers of entries, but not how often a text is repeated. No
    text is longer than what a column stores, so few rows are read at a time that all fit. A row may
    have many texts in a list: these are read as dictionaries, and written out if they fit.

    Raises
    ------
    InputError
        If the columns take more bytes than may be read of the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    footer, starts = opened.metadata, tuple(f"{x}." for x in names)
    n_bytes = n_stored = 0
    listed = []
    for k in range(footer.num_columns):
        leaf = footer.schema.column(k)
        if not f"{leaf.path}.".startswith(starts):
            continue
        chunks = [footer.row_group(x).column(k) for x in range(footer.num_row_groups)]
        n_words = 2 + leaf.max_definition_level + leaf.max_repetition_level
        n_bytes += sum(x.num_values for x in chunks) * (leaf.length + _WORD * n_words)
        if leaf.physical_type == _TEXT:
            n_stored += sum(x.total_uncompressed_size for x in chunks)
            listed += [leaf.path] * (leaf.max_repetition_level > 0)
    _check(file, n_bytes + n_stored)
    n_rows = min(_AT_ONCE, file.max_bytes // (n_stored or 1))
    types = opened.read_row_groups([], columns=names).schema.types
    with pq.ParquetFile(file.file, metadata=footer, read_dictionary=listed) as again:
        for batch in again.iter_batches(max(1, n_rows), columns=names):
            n_bytes += sum(map(_written_out, batch.columns))
            _check(file, n_bytes)
            columns = map(_decoded, batch.columns, types)
            yield pa.table([*columns], names=batch.schema.names)


def _decoded(column: Any, kind: Any) -> Any:
    """Return an array with its texts written out."""
    return column.dictionary_decode() if hasattr(column, "dictionary") else column.cast(kind)


def _written_out(column: Any) -> int:
    """Count the bytes of the texts of an array, with each written out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.storage if isinstance(column, pa.ExtensionArray) else column
    if hasattr(column, "dictionary"):
        lengths = pc.binary_length(column.dictionary.cast(pa.large_binary()))
        return pc.sum(lengths.take(column.indices)).as_py() or 0
    if not pa.types.is_nested(column.type):
        return column.nbytes if str(column.type) in _TEXTS else 0
    is_map = pa.types.is_map(column.type)
    inner = [column.keys, column.items] if is_map else column.flatten()
    return sum(map(_written_out, inner if isinstance(inner, list) else [inner]))


def _check(file: TextFile, n_bytes: int) -> None:
    if n_bytes > file.max_bytes:
        raise file.too_large()
