"""How much columns of a Parquet file take in memory, which is asked before they are read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pairedperm.readers.named_file import NamedFile

_TEXT = "BYTE_ARRAY"
_WORD = 8  # tuned: bytes of a number, and of an entry on each level of lists and structs
_BY_PREFIX = "DELTA_BYTE_ARRAY"  # an encoding in which a text repeats the start of the one before
_ROWS = 2**14  # tuned: rows whose texts are counted at once


def check_columns(file: NamedFile, opened: Any, names: Sequence[str]) -> None:
    """Raise InputError if these columns of a `pyarrow.parquet.ParquetFile` are too large.

    The footer tells the widths and the numbers of entries, but not how often a text is repeated. So
    texts are counted, unless they would fit if each were the longest.
    """
    import pyarrow.parquet as pq

    leaves = [*map(_Leaf, *_leaves(opened.metadata, names))]
    n_bytes, texts = sum(x.n_bytes for x in leaves), [x for x in leaves if x.is_text]
    _check(file, n_bytes + sum(x.n_stored for x in texts))
    if not texts:
        return
    paths = [x.path for x in texts]
    coded = [x.path for x in texts if not x.is_by_prefix]
    with pq.ParquetFile(file.file, read_dictionary=coded) as again:
        if n_bytes + sum(x.at_most(again) for x in texts) <= file.max_bytes:
            return
        longest = max(x.n_stored * x.is_by_prefix for x in texts)
        n_rows = max(1, min(_ROWS, file.max_bytes // (longest or 1)))
        for batch in again.iter_batches(n_rows, columns=paths):
            n_bytes += sum(map(_written_out, batch.columns))
            _check(file, n_bytes)


def _check(file: NamedFile, n_bytes: int) -> None:
    if n_bytes > file.max_bytes:
        raise file.too_large()


def _leaves(footer: Any, names: Sequence[str]) -> tuple[list[Any], list[list[Any]]]:
    """Return the lowest parts of the columns, and the chunks of each in all groups of rows."""
    starts = tuple(f"{x}." for x in names)
    groups = [footer.row_group(k) for k in range(footer.num_row_groups)]
    every = [footer.schema.column(k) for k in range(footer.num_columns)]
    places = [k for k, x in enumerate(every) if f"{x.path}.".startswith(starts)]
    return [every[k] for k in places], [[x.column(k) for x in groups] for k in places]


class _Leaf:
    """The lowest part of a column, of which the footer tells this.

    `n_bytes` is what its entries take in memory, without texts; `n_stored` is what texts take in
    the file, not compressed, and no text is longer.
    """

    def __init__(self, column: Any, chunks: Sequence[Any]) -> None:
        self.path, self._chunks = column.path, chunks
        self.is_text = column.physical_type == _TEXT
        self.is_by_prefix = self.is_text and any(_BY_PREFIX in x.encodings for x in chunks)
        self.n_stored = sum(x.total_uncompressed_size for x in chunks)
        self._n_entries = sum(x.num_values for x in chunks)
        n_words = 2 + column.max_definition_level + column.max_repetition_level
        self.n_bytes = self._n_entries * (column.length + _WORD * n_words)

    def at_most(self, coded: Any) -> float:
        """Return what its texts take if each is the longest, of a file that is read as coded.

        What is written out in the file is not repeated. Of a dictionary, one row shows all of it.
        """
        if self.is_by_prefix:
            return float(self._n_entries * self.n_stored)
        longest = 0.0
        for k, chunk in enumerate(self._chunks):
            if chunk.has_dictionary_page and chunk.num_values:
                (row,) = next(coded.iter_batches(1, row_groups=[k], columns=[self.path]))
                longest = max(longest, _longest(row))
        return float(self._n_entries * longest + self.n_stored)


def _longest(column: Any) -> float:
    """Return the length of the longest text in the dictionary of an array; infinity without one."""
    import pyarrow.compute as pc

    coded = (getattr(x, "dictionary", None) for x in _lowest(column))
    longest = [math.inf if x is None else pc.max(_lengths(x)).as_py() or 0 for x in coded]
    return float(max(longest, default=0))


def _written_out(column: Any) -> int:
    """Count the bytes of an array with every text written out."""
    import pyarrow.compute as pc

    n_bytes = 0
    for x in _lowest(column):
        if hasattr(x, "dictionary"):
            n_bytes += pc.sum(_lengths(x.dictionary).take(x.indices)).as_py() or 0
        else:
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
