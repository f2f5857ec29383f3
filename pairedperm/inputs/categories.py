"""Read categorical columns, which hold for each example a number in a list of categories."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from pairedperm.inputs.columns import IntArray


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
