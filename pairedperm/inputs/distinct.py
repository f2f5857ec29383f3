"""Number the distinct labels of a column in one pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.inputs.columns import IntArray

Names = list[str] | None  # the distinct labels of all columns read so far
_MOST = 256  # proof: numbers in a byte
_FIRST = 2**12  # tuned: labels looked at first, for more than 256 distinct ones
_LONG, _WIDEST = 2**16, 2**6  # tuned: least labels and most letters of an array that is hashed
_BITS = 20  # tuned: bits of a hash; two of 256 strings share one with probability 3 %
_ODD = np.uint64(0x9E3779B97F4A7C15)  # tuned: 2^64 / golden ratio, which spreads numbers
_ARROW_STRINGS = ("string", "large_string")


def numbers_of(labels: Sequence[Any], numbers: dict[Any, int]) -> IntArray:
    """Return each label's number in `numbers`, to which new labels are added."""
    found = defaultdict(count(len(numbers)).__next__, numbers)
    flat = np.fromiter(map(found.__getitem__, labels), dtype=np.int64, count=len(labels))
    numbers.update(found)
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
    found = defaultdict(count(len(names)).__next__, {name: k for k, name in enumerate(names)})
    try:
        flat = bytes(map(found.__getitem__, labels))
    except (TypeError, ValueError):  # a label without a hash; a number beyond a byte
        return None
    new = list(found)[len(names) :]
    if not all(isinstance(name, str) for name in new):
        return None
    names += new
    return np.frombuffer(flat, dtype=np.uint8).astype(np.int64)


def _numbers_in_array(labels: NDArray[Any], names: list[str]) -> IntArray | None:
    """Do as `numbers_of_few` for a long array of strings, by hashes; None if two share a hash."""
    n, width = labels.size, labels.itemsize // 4
    if labels.dtype.kind != "U" or n < _LONG or not 0 < width <= _WIDEST:
        return None
    if np.unique(labels[:_FIRST]).size > _MOST:
        return None
    slots = np.zeros(n, dtype=np.uint64)
    for letters in np.ascontiguousarray(labels).view(np.uint32).reshape(n, width).T:
        slots = (slots + letters) * _ODD
    slots = (slots >> np.uint64(64 - _BITS)).astype(np.int64)
    position = np.full(2**_BITS, -1)
    position[slots] = np.arange(n)
    there = position >= 0
    distinct, number = labels[position[there]], (np.cumsum(there) - 1)[slots]
    if distinct.size > _MOST or not (distinct[number] == labels).all():
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
    if len(column) == 0 or column.null_count or len(column[:_FIRST].unique()) > _MOST:
        return None
    parts = []
    for part in getattr(column, "chunks", [column]):
        encoded = part.dictionary_encode()
        numbers = numbers_of_few(encoded.dictionary.to_pylist(), names)
        if numbers is None:
            return None
        parts.append(numbers[encoded.indices.to_numpy()])
    return np.concatenate(parts)


class Categories(NamedTuple):
    """A categorical column as fields of `Labels`."""

    flat: IntArray
    kind: Literal["integers", "strings"]
    names: list[str] | None
    order: tuple[Any, ...] | None


def read_categories(column: Any) -> Categories | None:
    """Return the labels of a categorical Series or array of pandas or Arrow.

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
    order = (*categories,) if getattr(categorical, "ordered", False) else None
    if types == {str}:
        return Categories(codes.astype(np.int64), "strings", categories, order)
    values = np.asarray(categories) if types in ({int}, {bool}) else np.zeros(0)
    if values.dtype.kind not in "bi":  # other types, and integers beyond int64
        return None
    return Categories(values.astype(np.int64)[codes], "integers", None, order)
