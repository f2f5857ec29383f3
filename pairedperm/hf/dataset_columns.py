"""Check the columns of a dataset of `datasets`, and read them in batches, as they are stored.

Formats, transforms and the order of the rows do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
from datasets.features.features import require_decoding

from pairedperm.errors import InputError, describe, printable, shown, warn
from pairedperm.inputs.columns import materialise
from pairedperm.options import ANY_COLUMN, progress_bar

STORED_ROWS, STORED_BYTES = 2**14, 2**24  # tuned: at most read at once from a stored dataset
STREAMED_ROWS = 2**12  # tuned: rows read at once from a stream
_SCORES = "For scores, or for runs (pass_at_k), give references=None"
_IDS = ("id", "example_id", "item_id", "question_id", "document_id", "doc_id", "conversation_id")


def check_dataset(dataset: Any, names: Mapping[str, Any]) -> None:
    """Check that this is a dataset with rows, and with the columns that the arguments name.

    Raises
    ------
    InputError
        If it is none, has no rows, or lacks a column.
    """
    if not isinstance(dataset, (datasets.Dataset, datasets.IterableDataset)):
        raise InputError(
            "dataset",
            must="be a Dataset, an IterableDataset, or a dict of splits of them",
            got=describe(dataset),
            remedy="Dataset.from_dict and Dataset.from_pandas make one; for columns there is "
            "pairedperm.compare",
        )
    _check_names(names, dataset.column_names)
    if isinstance(dataset, datasets.Dataset) and len(dataset) == 0:
        raise no_rows()


def no_rows() -> InputError:
    """Return the error for a dataset or a split without rows."""
    return InputError("there are no rows", remedy="pass a dataset, or a split, that has some")


def label_feature(feature: Any) -> Any:
    """Return the type of a column's entries; of sequences, that of the entries in them."""
    if isinstance(feature, (list, tuple)) and len(feature) == 1:
        feature = feature[0]
    return getattr(feature, "feature", feature)


def _check_names(names: Mapping[str, Any], there: list[str] | None) -> None:
    """Check the columns' names; `there` are the dataset's columns, None if not known yet."""
    for argument, name in names.items():
        ANY_COLUMN.read(argument, name)
        if there is not None and name not in there:
            listed = f"The columns are {printable(', '.join(map(repr, there)), 500)}"
            ways = (listed, _SCORES) if argument == "references" else listed
            raise InputError(f"`{argument}`: there is no column {shown(name)}", remedy=ways)


def warn_of_repeated_ids(dataset: Any) -> None:
    """Warn if a stored dataset has a column of ids that repeat."""
    if not isinstance(dataset, datasets.Dataset):
        return
    features = dataset.features or {}
    for name in _IDS:
        dtype = getattr(features.get(name), "dtype", "")
        if dtype.startswith(("int", "string", "large_string")):
            n_distinct = len(dataset.unique(name))
            if n_distinct < len(dataset):
                warn(
                    f"ids in the column {name!r} repeat, {n_distinct:,} of {len(dataset):,} are "
                    "distinct: rows that belong together are not independent, and p is too small",
                    remedy=f"Swap them together: groups={name!r}",
                )
                return


def batches(
    dataset: Any, names: Mapping[str, str], title: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield batches of the named columns, each with the number of its first row.

    A column is an Arrow array where possible, and otherwise a list. The progress bar has the title.
    """
    columns = list(dict.fromkeys(names.values()))
    if dataset.column_names is not None:  # so that no other column is read
        dataset = dataset.select_columns(columns)
    is_stored = isinstance(dataset, datasets.Dataset)
    is_plain = not require_decoding(dataset.features or {})  # no Json
    if is_stored and is_plain:
        parts = _stored_batches(dataset, columns)
    else:
        has_tables = is_plain and not is_stored and dataset._ex_iterable.iter_arrow
        parts = _read_batches(dataset.with_format("arrow" if has_tables else None), names)
    n = len(dataset) if is_stored else None
    with progress_bar(n, title, unit=" examples") as bar:
        start = 0
        for batch in parts:
            yield start, {argument: batch[name] for argument, name in names.items()}
            n_rows = len(batch[columns[0]])
            start += n_rows
            bar.update(n_rows)


def _stored_batches(dataset: Any, columns: Sequence[str]) -> Iterator[dict[str, pa.ChunkedArray]]:
    """Yield batches of some columns of a stored dataset.

    `datasets` itself would gather the rows of a shuffled or filtered dataset one by one, in many
    seconds for a million.
    """
    table, indices = dataset.data, dataset._indices
    row = max(1, table.select(columns).nbytes // max(1, table.num_rows))
    n_rows = max(1, min(STORED_ROWS, STORED_BYTES // row))
    for start in range(0, len(dataset), n_rows):
        if indices is None:
            part = table.slice(start, n_rows)
            yield {name: part.column(name) for name in columns}
        else:
            rows = indices.column(0).slice(start, n_rows)
            yield {name: table.column(name).take(rows) for name in columns}


def _read_batches(dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
    """Yield what `datasets` reads at once: tables, or dicts of lists."""
    for part in dataset.iter(STREAMED_ROWS):
        _check_names(names, list(getattr(part, "column_names", part)))
        yield part


def in_one_batch(parts: Iterable[tuple[int, Mapping[str, Any]]]) -> dict[str, Any]:
    """Join all batches into one.

    Raises
    ------
    InputError
        If there are none.
    """
    some = [batch for _, batch in parts]
    if not some:
        raise no_rows()
    return {name: _one_column([batch[name] for batch in some]) for name in some[0]}


def _one_column(parts: list[Any]) -> Any:
    if isinstance(parts[0], pa.ChunkedArray):
        return pa.chunked_array([chunk for x in parts for chunk in x.chunks], parts[0].type)
    return [*chain.from_iterable(parts)]


def entries_of_batch(column: Any, feature: Any) -> Any:
    """Return a column of a batch, numbers in their own precision; missing entries stay."""
    if isinstance(column, pa.ChunkedArray):
        return materialise("", column)
    dtype = getattr(feature, "dtype", None)
    is_narrow = dtype in ("float16", "float32") and None not in column
    return np.array(column, dtype=dtype) if is_narrow else column
