"""Columns of a dataset as they are stored, whatever its format and the order of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

ROWS, BYTES = 2**14, 2**24  # tuned: read at once, at most


def stored(dataset: Any, columns: Sequence[str]) -> Iterator[dict[str, pa.ChunkedArray]]:
    """Yield batches of some columns.

    `datasets` gathers the rows of a shuffled or filtered one singly, in many seconds a million.
    """
    table, indices = dataset.data, dataset._indices
    row = max(1, table.select(columns).nbytes // max(1, table.num_rows))
    n_rows = max(1, min(ROWS, BYTES // row))
    for start in range(0, len(dataset), n_rows):
        if indices is None:
            part = table.slice(start, n_rows)
            yield {name: part.column(name) for name in columns}
        else:
            rows = indices.column(0).slice(start, n_rows)
            yield {name: table.column(name).take(rows) for name in columns}


def plain(column: pa.ChunkedArray) -> list[Any] | NDArray[Any]:
    """The entries: an array of numbers, or a list if there are others or missing ones."""
    kind = column.type
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if is_number and not column.null_count:
        return column.to_numpy()  # type: ignore[no-any-return]
    return column.to_pylist()  # type: ignore[no-any-return]


def whole(column: Any) -> Any:
    """A `datasets` Column, strings in Arrow; of what a transform returns that, read in one go."""
    source = column.source
    if not hasattr(source, "_indices") or source.format["type"] == "custom":
        return column[:]
    from datasets.features.features import require_decoding  # imported before, as it made this

    name = column.column_name
    if require_decoding(source.features[name]):  # of text, as Json is stored
        return source.with_format(None)[name][:]
    chunks = [chunk for batch in stored(source, [name]) for chunk in batch[name].chunks]
    found = pa.chunked_array(chunks, source.data.schema.field(name).type)
    return found if pa.types.is_string(found.type) else plain(found)
