"""Read columns of a dataset as they are stored, whatever its format and its rows' order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

ROWS, BYTES = 2**14, 2**24  # tuned: at most read at once


def stored(dataset: Any, columns: Sequence[str]) -> Iterator[dict[str, pa.ChunkedArray]]:
    """Yield batches of some columns.

    `datasets` itself would gather the rows of a shuffled or filtered dataset one by one, in many
    seconds for a million.
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
    """Return the entries: an array if all are numbers, otherwise a list."""
    kind = column.type
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if is_number and not column.null_count:
        return column.to_numpy()  # type: ignore[no-any-return]
    return column.to_pylist()  # type: ignore[no-any-return]


def whole(column: Any) -> Any:
    """Return the entries of a `datasets` Column: strings in Arrow, others as `plain` gives them.

    With a custom transform, the Column itself is read, all at once.
    """
    source = column.source
    if not hasattr(source, "_indices") or source.format["type"] == "custom":
        return column[:]
    from datasets.features.features import require_decoding  # datasets is imported already

    name = column.column_name
    if require_decoding(source.features[name]):  # Json is stored as text
        return source.with_format(None)[name][:]
    chunks = [chunk for batch in stored(source, [name]) for chunk in batch[name].chunks]
    found = pa.chunked_array(chunks, source.data.schema.field(name).type)
    return found if pa.types.is_string(found.type) else plain(found)
