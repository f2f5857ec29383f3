"""Turn columns into numbers of their distinct labels.

Some containers tell the labels themselves: matrices, categories, strings in Arrow. A list of few
distinct strings is numbered in one pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import At, InputError, describe, in_brackets, shown
from pairedperm.inputs.columns import IntArray, entries_of, is_integer, materialise, plain_label

_MOST_FEW = 256  # proof: numbers in a byte
_LOOKED_AT = 2**12  # tuned: labels looked at first, for more than 256 distinct ones
_LONG, _WIDEST = 2**16, 2**6  # tuned: least labels and most letters of an array that is hashed
_BITS = 20  # tuned: bits of a hash; two of 256 strings share one with probability 3 %
_ODD = np.uint64(0x9E3779B97F4A7C15)  # tuned: 2^64 / golden ratio, which spreads numbers
_ARROW_STRINGS = ("string", "large_string")
RENAME_COLUMNS = "Rename them, or pass table.to_numpy()"


def numbers_of(labels: Sequence[Any], numbers: dict[Any, int]) -> IntArray:
    """Return each label's number in `numbers`, to which new labels are added."""
    known = defaultdict(count(len(numbers)).__next__, numbers)
    flat = np.fromiter(map(known.__getitem__, labels), dtype=np.int64, count=len(labels))
    numbers.update(known)
    return flat


def numbers_of_few(labels: list[Any] | NDArray[Any], names: list[str]) -> IntArray | None:
    """Return each string's number in `names`, to which new ones are added.

    None if there are more than 256, or if some are no strings. Only the first of equal labels is
    looked at.
    """
    if isinstance(labels, np.ndarray):
        return _numbers_in_array(labels, names)
    if labels and not isinstance(labels[0], str):
        return None
    known = defaultdict(count(len(names)).__next__, {name: k for k, name in enumerate(names)})
    try:
        flat = bytes(map(known.__getitem__, labels))
    except (TypeError, ValueError):  # a label without a hash; a number beyond a byte
        return None
    new = list(known)[len(names) :]
    if not all(isinstance(name, str) for name in new):
        return None
    names += new
    return np.frombuffer(flat, dtype=np.uint8).astype(np.int64)


def _numbers_in_array(labels: NDArray[Any], names: list[str]) -> IntArray | None:
    """Do as `numbers_of_few` for a long array of strings, by hashes; None if two share a hash."""
    n, width = labels.size, labels.itemsize // 4
    if labels.dtype.kind != "U" or n < _LONG or not 0 < width <= _WIDEST:
        return None
    if np.unique(labels[:_LOOKED_AT]).size > _MOST_FEW:
        return None
    slots = np.zeros(n, dtype=np.uint64)
    for letters in np.ascontiguousarray(labels).view(np.uint32).reshape(n, width).T:
        slots = (slots + letters) * _ODD
    slots = (slots >> np.uint64(64 - _BITS)).astype(np.int64)
    position = np.full(2**_BITS, -1)
    position[slots] = np.arange(n)
    there = position >= 0
    distinct, number = labels[position[there]], (np.cumsum(there) - 1)[slots]
    if distinct.size > _MOST_FEW or not (distinct[number] == labels).all():
        return None
    numbers = numbers_of_few(distinct.tolist(), names)
    return None if numbers is None else numbers[number]


def numbers_in_arrow(column: Any, names: list[str]) -> IntArray | None:
    """Do as `numbers_of_few` for strings in pyarrow, also in pandas; None for others and nulls."""
    dtype = getattr(column, "dtype", None)  # a Series of pandas has one
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow":
        column = getattr(column, "array", column).__arrow_array__()
    if not hasattr(column, "dictionary_encode") or str(column.type) not in _ARROW_STRINGS:
        return None
    if len(column) == 0 or column.null_count or len(column[:_LOOKED_AT].unique()) > _MOST_FEW:
        return None
    parts = []
    for part in getattr(column, "chunks", [column]):
        encoded = part.dictionary_encode()
        numbers = numbers_of_few(encoded.dictionary.to_pylist(), names)
        if numbers is None:
            return None
        parts.append(numbers[encoded.indices.to_numpy()])
    return np.concatenate(parts)


def read_categories(column: Any) -> dict[str, Any] | None:
    """Return the labels of a categorical Series or array of pandas or Arrow, as `Labels` fields.

    None for anything else, and if an entry is missing or no label: reading the entries shows it.
    """
    categorical = getattr(column, "cat", column)  # of a Series
    if hasattr(column, "dictionary_encode"):  # an array of Arrow
        if not hasattr(column.type, "index_type") or column.null_count:
            return None
        array = column.combine_chunks() if hasattr(column, "chunks") else column
        codes, categories = array.indices.to_numpy(), array.dictionary.to_pylist()
    elif hasattr(categorical, "categories") and hasattr(categorical, "codes"):
        codes, categories = np.asarray(categorical.codes), categorical.categories.tolist()
    else:
        return None
    types = {*map(type, categories)}
    if not len(codes) or codes.min() < 0 or len({*categories}) < len(categories):
        return None
    of_order = {"order": (*categories,) if getattr(categorical, "ordered", False) else None}
    if types == {str}:
        codes = codes.astype(np.int64)
        return {"flat": codes, "kind": "strings", "lengths": None, "names": categories, **of_order}
    values = np.asarray(categories) if types in ({int}, {bool}) else np.zeros(0)
    if values.dtype.kind not in "bi":  # other types, and integers beyond int64
        return None
    flat = values.astype(np.int64)[codes]
    return {"flat": flat, "kind": "integers", "lengths": None, **of_order}


def read_indicators(name: str, column: Any, start: int) -> dict[str, Any] | None:
    """Return the sets in a two-dimensional array, tensor, sparse matrix or table; else None.

    The matrix has a row for each example, and a column of 0 and 1 for each label. The result holds
    fields of `Labels`. Lists of lists are sets of labels, whatever they hold.

    Raises
    ------
    InputError
        If an entry is not 0 or 1, or there are no rows or columns. If the names of a table's
        columns are no labels, or not distinct.
    """
    names: Sequence[str | int] | None = None
    if hasattr(column, "columns") and hasattr(column, "to_numpy"):
        names = _labels_of_columns(name, list(column.columns))
        column = column.to_numpy()
    is_sparse = hasattr(column, "tocsr")
    if not is_sparse and getattr(column, "ndim", 0) == 2:
        column = materialise(name, column)
    if getattr(column, "ndim", 0) != 2:  # a masked array has become a list
        return None
    n, width = column.shape
    if not n or not width:
        remedy = "at least one example and one label are needed"
        raise InputError(f"`{name}` is empty, of shape {(n, width)}", remedy=remedy)
    if is_sparse:
        column = column.tocsr(copy=True)
        column.sum_duplicates()  # sorts the indices too
        column.data = _are_ones(name, column.data, lambda k: _sparse_place(column, k, start))
        column.eliminate_zeros()
        codes, lengths = column.indices, np.diff(column.indptr)
    else:
        is_one = _are_ones(name, column, lambda k: (start + k // width, k % width))
        codes, lengths = np.nonzero(is_one)[1], np.count_nonzero(is_one, axis=1)
    names = range(width) if names is None else names
    return {
        "flat": codes.astype(np.int64, copy=False),
        "kind": "strings" if isinstance(names[0], str) else "integers",
        "lengths": lengths.astype(np.int64, copy=False),
        "names": names,
        "every": (*sorted(names),),
    }


def _labels_of_columns(name: str, columns: list[Any]) -> list[str | int]:
    """Return the names of a table's columns, which are the labels of its sets."""
    labels: dict[str | int, None] = {}
    for column in columns:
        label = plain_label(column)
        if label is None or label in labels:
            what = "is no string or integer" if label is None else "is there twice"
            raise InputError(
                f"`{name}` is a table with a column {shown(column)}, which {what}",
                remedy=("for sets of labels, the columns' names are the labels", RENAME_COLUMNS),
            )
        labels[label] = None
    if len({*map(type, labels)}) > 1:
        raise InputError(
            f"`{name}` is a table whose columns are called by strings and by integers",
            remedy=("for sets of labels, these names are the labels", RENAME_COLUMNS),
        )
    return [*labels]


def _are_ones(name: str, values: NDArray[Any], place: Callable[[int], At]) -> NDArray[np.bool_]:
    """Mark the entries that are 1; all others must be 0. `place` says where the k-th stands."""
    if values.dtype == bool:
        return values
    numbers = values
    if values.dtype == object:  # a table whose columns have different types
        flat = [
            x == 1 if (is_integer(x) or isinstance(x, float)) and x in (0, 1) else -1
            for x in values.flat
        ]
        numbers = np.array(flat, dtype=np.int8).reshape(values.shape)
    is_one = np.zeros(values.shape, dtype=bool)
    fits = is_one
    if numbers.dtype.kind in "iuf":
        is_one = numbers == 1
        fits = is_one | (numbers == 0)
    if not fits.all():
        k = int(fits.argmin())
        entry = entries_of(values.reshape(-1)[k : k + 1])[0]
        raise InputError(
            f"`{name}`{in_brackets(place(k))} is {describe(entry)}",
            remedy="For sets of labels, a two-dimensional array is an indicator matrix: it holds "
            "0 and 1, and has a column for each label. For probabilities, pass p > 0.5; for "
            "labels, a list or a set per example",
        )
    return is_one


def _sparse_place(rows: Any, k: int, start: int) -> tuple[int, ...]:
    """Return the place of the k-th stored number of compressed rows."""
    row = int(np.searchsorted(rows.indptr, k, side="right")) - 1
    return start + row, int(rows.indices[k])
