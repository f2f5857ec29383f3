"""Columns as people have them (lists, arrays, tensors, Series, dataset columns), made plain."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError

__all__ = ["INTEGERS", "describe", "integer_scores", "integers", "materialise"]

INTEGERS = (int, np.integer, np.bool_)  # bool is an int
_INT64 = np.iinfo(np.int64)


def describe(value: object) -> str:
    """What arrived, short enough for an error message."""
    return f"{reprlib.repr(value)} ({type(value).__name__})"


def materialise(name: str, column: Any) -> list[Any] | NDArray[Any]:
    """A list or a numpy array with the column's elements, in order.

    A `datasets` Column is read in one go (element by element it is sixty times slower), a
    pandas Series by position whatever its index is, and a tensor without its gradient.
    """
    if isinstance(column, list):
        return column
    if isinstance(column, np.ndarray):
        if column.ndim == 0:
            raise InputError(
                f"`{name}` must hold one entry per example, got the single value "
                f"{describe(column.item())}. Pass a list or an array."
            )
        return column
    if isinstance(column, tuple):
        return list(column)
    if isinstance(column, (str, bytes, Mapping, Set)) or not hasattr(column, "__len__"):
        raise InputError(
            f"`{name}` must be a sequence with one entry per example (list, array, tensor, "
            f"Series or dataset column), got {describe(column)}. "
            "Pass list(...) of it if it has an order."
        )
    if hasattr(column, "detach"):  # a torch tensor
        return materialise(name, column.detach().cpu().numpy())
    if isinstance(getattr(column, "dtype", None), np.dtype) and hasattr(column, "to_numpy"):
        return np.asarray(column.to_numpy())
    for to_list in ("tolist", "to_list"):  # array, pyarrow and other pandas types; polars
        if hasattr(column, to_list):
            return list(getattr(column, to_list)())
    if hasattr(column, "__array__"):
        return np.asarray(column)
    if type(column).__module__.startswith("datasets."):
        return materialise(name, column[:])
    return list(column)


def integer_scores(name: str, column: Any) -> NDArray[np.int64]:
    """The column as int64, shape (n,), if that loses nothing.

    Raises
    ------
    InputError
        For an empty column, another rank, entries that are no numbers, missing or not finite
        ones, fractions, and integers beyond int64.
    """
    values = materialise(name, column)
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
    if len(values) == 0:
        raise InputError(f"`{name}` is empty: at least one example is needed.")
    array = _array_of_numbers(name, values) if isinstance(values, list) else values
    if array.ndim != 1:
        raise InputError(
            f"`{name}` must hold one integer per example, shape (n,), got shape {array.shape}."
        )
    if array.dtype.kind in "bi":
        return array.astype(np.int64, copy=False)
    if array.dtype.kind == "u":
        if int(array.max()) > _INT64.max:
            raise _beyond_int64(name, array.tolist())
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        return _integers_from_floats(name, array)
    raise InputError(
        f"`{name}` must hold integers, got {describe(array[0].item())} in an array of "
        f"{array.dtype}."
    )


def _array_of_numbers(name: str, values: list[Any]) -> NDArray[Any]:
    """An array of a list; numpy alone would turn a mixture with a string into strings."""
    types = set(map(type, values))
    if all(issubclass(t, INTEGERS) for t in types):
        return integers(name, values)
    if all(issubclass(t, (*INTEGERS, float, np.floating)) for t in types):
        return np.asarray(values, dtype=np.float64)
    if all(getattr(value, "ndim", None) == 0 for value in values):  # tensors of one number
        return _array_of_numbers(name, [value.item() for value in values])
    index, value = next(
        (i, v) for i, v in enumerate(values) if not isinstance(v, (*INTEGERS, float, np.floating))
    )
    what = "missing" if value is None else "not a number"
    raise InputError(
        f"`{name}` must hold one integer per example, shape (n,): entry {index} is {what}, "
        f"{describe(value)}."
    )


def integers(name: str, values: list[Any]) -> NDArray[np.int64]:
    """A list of Python and numpy integers as int64."""
    try:
        return np.asarray(values, dtype=np.int64)
    except OverflowError:
        raise _beyond_int64(name, values) from None


def _beyond_int64(name: str, values: list[Any]) -> InputError:
    index = next(i for i, v in enumerate(values) if not _INT64.min <= int(v) <= _INT64.max)
    return InputError(
        f"`{name}` holds an integer beyond int64: entry {index} is {describe(values[index])}. "
        "Subtract a constant, divide by a common unit, or number the labels anew."
    )


def _integers_from_floats(name: str, array: NDArray[Any]) -> NDArray[np.int64]:
    bad = ~np.isfinite(array)
    if bad.any():
        index = int(bad.argmax())
        raise InputError(
            f"`{name}` must be finite: entry {index} is {array[index]}. "
            "Drop that example from both systems, or score it as wrong."
        )
    bad = (array != np.rint(array)) | (np.abs(array) > 2.0**53)
    if bad.any():
        index = int(bad.argmax())
        raise InputError(
            f"`{name}` must hold integers: entry {index} is {array[index]}. Multiply both "
            "systems' scores by a common denominator first; the p-value does not change."
        )
    return array.astype(np.int64)
