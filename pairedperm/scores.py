"""Columns of numbers, one score or one row of counts an example, as exact integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.columns import (
    INTEGERS,
    beyond_int64,
    describe,
    integers,
    is_missing,
    is_scalar_array,
    materialise,
)
from pairedperm.errors import InputError

__all__ = ["on_one_lattice", "read_scores", "scaled"]

_COMING = "Scores that lie on no lattice cannot be tested yet."
_INT64 = np.iinfo(np.int64)
_NARROW = (np.float16, np.float32)
_FLOATS = (float, np.floating)
# So many units of the last decimal a score may have, by the bytes of its type: about two digits
# less than the type holds. Other numbers are then rarely taken for decimals, one in some hundred
# at worst, and all of several distinct ones hardly ever. With the digits that they all have.
_LIMITS = {2: (500.0, 2), 4: (1e5, 5)}
_LIMITS_OF_DOUBLES = (1e13, 13)
_MAX_DECIMALS = 22  # powers of ten up to it are floats


def read_scores(
    name: str, column: Any, *, rows: bool = False, start: int = 0, remedy: str = ""
) -> NDArray[Any]:
    """The column as int64, or as it is if it is of floats, shape (n,), or (n, m) with `rows`.

    In error messages `start` is the first example's number, and `remedy` what to do with rows
    that are not accepted.

    Raises
    ------
    InputError
        For another rank, ragged rows, entries that are no numbers, missing or not finite ones,
        and integers beyond int64.
    """
    if rows and hasattr(column, "columns") and hasattr(column, "to_numpy"):  # a table
        column = column.to_numpy()
    values = materialise(name, column)
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
    if isinstance(values, list):
        has_rows = _has_rows(values)
        if has_rows and not rows:
            raise InputError(
                f"`{name}` must hold one number per example: `{name}`[{start}] is not a number, "
                f"{describe(values[0])}.{remedy}"
            )
        array = (
            _array_of_rows(name, values)
            if has_rows
            else _array_of_numbers(name, values, _place((0,), start))
        )
    else:
        array = values
    if array.ndim != 1 and not (rows and array.ndim == 2 and array.shape[1]):
        raise InputError(
            f"`{name}` must hold one number per example, shape (n,)"
            f"{', or one row of them, shape (n, m)' if rows else ''}, got shape {array.shape}."
            f"{remedy}"
        )
    kind = array.dtype.kind
    if kind in "bi":
        return array.astype(np.int64, copy=False)
    if kind == "u":
        if array.size and int(array.max()) > _INT64.max:
            raise beyond_int64(name, array.reshape(-1).tolist(), _place(array.shape, start))
        return array.astype(np.int64)
    if kind == "f":
        finite = np.isfinite(array)
        if not finite.all():
            index = int(finite.reshape(-1).argmin())
            value = array.reshape(-1)[index]
            raise InputError(
                f"`{name}` must be finite: `{name}`{_place(array.shape, start)(index)} is {value}. "
                "Drop that example from both systems, or score it as wrong."
            )
        return array
    raise InputError(
        f"`{name}` must hold numbers, got {describe(array.reshape(-1)[0].item())} in an array of "
        f"{array.dtype}."
        if array.size
        else f"`{name}` must hold numbers, got an empty array of {array.dtype}."
    )


def _place(shape: tuple[int, ...], start: int = 0) -> Callable[[int], str]:
    if len(shape) == 1:
        return lambda index: f"[{start + index}]"
    return lambda index: f"[{start + index // shape[1]}][{index % shape[1]}]"


def _has_rows(values: Sequence[Any]) -> bool:
    return len(values) > 0 and _is_row(values[0])


def _is_row(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str) and not is_scalar_array(value)


def _array_of_rows(name: str, values: list[Any]) -> NDArray[Any]:
    """A list of equally long rows as an array of shape (n, m)."""
    width = len(values[0])
    for index, row in enumerate(values):
        if not _is_row(row) or len(row) != width:
            raise InputError(
                f"`{name}` must hold rows of one length: `{name}`[0] has {width} entries, "
                f"`{name}`[{index}] is {describe(row)}."
            )
    flat = _array_of_numbers(name, list(chain.from_iterable(values)), _place((0, width)))
    return flat.reshape(len(values), width)


def _array_of_numbers(name: str, values: list[Any], place: Callable[[int], str]) -> NDArray[Any]:
    """An array of a list; numpy alone would turn a mixture with a string into strings."""
    types = set(map(type, values))
    if all(issubclass(t, INTEGERS) for t in types):
        return integers(name, values, place)
    if all(issubclass(t, (*INTEGERS, *_FLOATS)) for t in types):
        if types & set(_NARROW) and len(types) > 1:  # as the decimals that they print as
            values = [float(str(v)) if isinstance(v, _NARROW) else v for v in values]
        try:
            return np.asarray(values) if len(types) == 1 else np.asarray(values, dtype=float)
        except OverflowError:
            raise beyond_int64(name, values, place) from None
    if any(map(is_scalar_array, values)):
        plain = [np.asarray(v)[()] if is_scalar_array(v) else v for v in values]
        return _array_of_numbers(name, plain, place)
    index, value = next(
        (i, v) for i, v in enumerate(values) if not isinstance(v, (*INTEGERS, *_FLOATS))
    )
    what = "missing" if is_missing(value) else "not a number"
    hint = " Labels need references to be compared with." if isinstance(value, str) else ""
    raise InputError(
        f"`{name}` must hold one number per example: `{name}`{place(index)} is {what}, "
        f"{describe(value)}.{hint}"
    )


def on_one_lattice(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Two columns as integers in units of 10^-decimals, and the decimals, as few as will do.

    Floats must be decimals: the nearest float, of their own precision, to a number with few
    digits. A column that is not float is taken as it is.

    Raises
    ------
    InputError
        If a float is no decimal, or the columns need too many digits.
    """
    columns = (name1, scores1), (name2, scores2)
    own = [_decimals(name, scores, start) for name, scores in columns]
    decimals = max(own)
    # each in its own units first: only there is a float sure to round to what was meant
    integers1, integers2 = (
        scaled(name, _integral(name, scores, k, start), 10 ** (decimals - k))
        for (name, scores), k in zip(columns, own, strict=True)
    )
    return integers1, integers2, decimals


def _decimals(name: str, scores: NDArray[Any], start: int) -> int:
    """The fewest decimals k for which every score x is rint(x 10^k) / 10^k."""
    if scores.dtype.kind != "f" or scores.size == 0:
        return 0
    limit, _ = _LIMITS.get(scores.dtype.itemsize, _LIMITS_OF_DOUBLES)
    largest = float(np.abs(scores).max())
    rest = scores.reshape(-1)
    rest = rest[rest != np.rint(rest)]
    decimals = 0
    while rest.size:
        decimals += 1
        if decimals > _MAX_DECIMALS or largest * 10.0**decimals > limit:
            raise _no_decimal(name, scores, rest[0], start)
        scale = 10.0**decimals
        nearest = np.rint(rest.astype(np.float64) * scale) / scale
        rest = rest[nearest.astype(rest.dtype) != rest]
    return decimals


def _no_decimal(name: str, scores: NDArray[Any], value: Any, start: int) -> InputError:
    index = int((scores.reshape(-1) == value).argmax())
    _, n_digits = _LIMITS.get(scores.dtype.itemsize, _LIMITS_OF_DOUBLES)
    return InputError(
        f"`{name}` must hold integers or decimals: `{name}`{_place(scores.shape, start)(index)} is "
        f"{value!s}, no decimal of at most {n_digits} digits (with more, a {scores.dtype} does not "
        f"tell decimals from other numbers) or {_MAX_DECIMALS} after the point; the largest score "
        f"is {float(np.abs(scores).max()):.6g}. Multiply both systems' scores by a common "
        f"denominator, or round them to the digits that they mean (np.round(scores, 4)). {_COMING}"
    )


def _integral(name: str, scores: NDArray[Any], decimals: int, start: int) -> NDArray[np.int64]:
    """The scores times 10^decimals, their own decimals: integers."""
    if scores.dtype.kind != "f":
        return scores
    if float(np.abs(scores).max(initial=0.0)) * 10.0**decimals >= 2.0**53:  # without decimals
        index = int(np.abs(scores).reshape(-1).argmax())
        raise InputError(
            f"`{name}`{_place(scores.shape, start)(index)} is {scores.reshape(-1)[index]!s}: "
            "floats are exact integers only below 2^53. Give integers, or subtract a constant."
        )
    return np.rint(scores.astype(np.float64) * 10.0**decimals).astype(np.int64)


def scaled(name: str, scores: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """The scores times a positive factor.

    Raises
    ------
    InputError
        If that leaves int64.
    """
    largest = max(int(scores.max()), -int(scores.min())) if scores.size else 0
    if factor == 1 or largest == 0:
        return scores
    if largest * factor > _INT64.max:
        raise InputError(
            f"`{name}` holds {largest:.3g}, which in units of {1 / factor:g}, those of the other "
            "scores, exceeds int64. Round the other scores to fewer digits."
        )
    return scores * factor
