"""Read columns of numbers, with a score or a row of counts for each example; or any array."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from numbers import Complex, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import At, InputError, describe, in_brackets
from pairedperm.inputs.columns import (
    as_array,
    beyond_int64,
    entries_of,
    is_integer,
    is_integer_type,
    is_missing,
    is_scalar_array,
    is_sequence,
    materialise,
    unwrapped,
    warn_of_indexes,
)
from pairedperm.inputs.labels import integers

_NARROW = (np.float16, np.float32)
_FLOATS = (float, np.floating)
_EXACT_TYPES = (Decimal, Fraction)
_ONE = "hold one number per example"


def read_scores(
    name: str,
    column: Any,
    *,
    rows: bool = False,
    start: int = 0,
    remedy: str = "",
    exact: bool = False,
) -> NDArray[Any]:
    """Return the column as int64, or as floats of its own type; shape (n,), or (n, m) with `rows`.

    Decimals and fractions become floats. With `exact` they stay, in an array of objects: int,
    float, Decimal or Fraction. In error messages, `start` is the first example's number, and
    `remedy` says what to do with rows that are not accepted.

    Raises
    ------
    InputError
        If the column has another rank or ragged rows; if an entry is missing, no number, not
        finite, or an integer beyond int64.
    """
    if rows and hasattr(column, "columns") and hasattr(column, "to_numpy"):  # a table
        column = column.to_numpy()
    array = materialise(name, column)
    if isinstance(array, np.ndarray) and array.dtype.kind not in "biuf":
        array = entries_of(array)
    if isinstance(array, list):
        has_rows = len(array) > 0 and is_sequence(array[0])
        if has_rows and not rows:
            raise _no_number(name, (start,), "not a number", array[0], remedy)
        if has_rows:
            array = _array_of_rows(name, array)
        else:
            array = _array_of_numbers(name, array, place_of((0,), start))
    if array.dtype == np.longdouble:
        with np.errstate(over="ignore"):  # too large a number becomes infinite, and is refused
            array = array.astype(np.float64)
    if array.ndim != 1 and not (rows and array.ndim == 2 and array.shape[1]):
        raise InputError(
            name,
            must=f"{_ONE}, shape (n,){', or one row of them, shape (n, m)' if rows else ''}",
            got=f"shape {array.shape}",
            remedy=remedy,
        )
    return _checked(name, array, start, exact)


def _checked(name: str, array: NDArray[Any], start: int, exact: bool) -> NDArray[Any]:
    """Return integers as int64 and floats as they are, if all are finite and within int64."""
    kind = array.dtype.kind
    if kind in "biu":
        if kind == "u" and array.size and int(array.max()) >= 2**63:
            raise beyond_int64(name, array.reshape(-1).tolist(), place_of(array.shape, start))
        return array.astype(np.int64, copy=False)
    if kind == "f":
        finite = np.isfinite(array)
        if not finite.all():
            raise _not_finite(name, *largest_score(name, array, ~finite, start))
        return array
    return array if exact else array.astype(np.float64)


def read_pair(
    name1: str,
    column1: Any,
    name2: str,
    column2: Any,
    *,
    rows: bool = False,
    remedy: str = "",
    start: int = 0,
    least: int = 1,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Read two columns, each as int64, floats, or exact numbers, as `read_scores` does.

    Raises
    ------
    InputError
        If a column has fewer than `least` numbers, or `read_scores` refuses it; if the columns
        differ in shape.
    """
    warn_of_indexes({name1: column1, name2: column2})
    options: Any = {"rows": rows, "remedy": remedy, "start": start, "exact": True}
    first, second = read_scores(name1, column1, **options), read_scores(name2, column2, **options)
    for name, scores in ((name1, first), (name2, second)):
        if scores.size < least:
            raise InputError(f"`{name}` is empty", remedy="at least one example is needed")
    both = f"`{name1}` and `{name2}`"
    if first.shape[1:] != second.shape[1:]:
        raise InputError(
            both,
            must="have rows of the same length",
            got=f"shapes {first.shape} and {second.shape}",
            remedy="Give both the same columns; a column of shape (n, 1) is x[:, 0] in shape (n,)",
        )
    if len(first) != len(second):
        raise InputError(
            both,
            must="have the same length",
            got=f"{len(first)} and {len(second)}",
            remedy="Pair the examples by id first",
        )
    return first, second


def place_of(shape: tuple[int, ...], start: int = 0) -> Callable[[int], tuple[int, ...]]:
    """Return a function from i to the place of a column's i-th number, counted from `start`."""
    if len(shape) == 1:
        return lambda index: (start + index,)
    return lambda index: (start + index // shape[1], index % shape[1])


def largest_score(
    name: str, scores: NDArray[Any], by: NDArray[Any], start: int = 0
) -> tuple[str, str]:
    """Return the name and the value of the first score whose entry in `by` is largest."""
    index = int(by.reshape(-1).argmax())
    return f"`{name}`{in_brackets(place_of(scores.shape, start)(index))}", str(
        scores.reshape(-1)[index]
    )


def _array_of_rows(name: str, values: list[Any]) -> NDArray[Any]:
    """Return a list of equally long rows as an array of shape (n, m)."""
    are_plain = {*map(type, values)} <= {list, tuple}
    rows = values if are_plain else [_entries(name, k, row) for k, row in enumerate(values)]
    width = len(rows[0])
    for index, row in enumerate(rows):
        if row is None or len(row) != width:
            raise InputError(
                f"`{name}` must hold rows of one length: `{name}`[0] has {width} entries, "
                f"`{name}`[{index}] is {describe(values[index])}",
                remedy="A row is a list or an array" if row is None else "",
            )
    flat = _array_of_numbers(name, list(chain.from_iterable(rows)), place_of((0, width)))
    return flat.reshape(len(rows), width)


def _entries(name: str, index: int, row: Any) -> Any:
    """Return the row as a list or an array; None if it is no row."""
    if type(row) is np.ndarray and row.ndim:  # the usual case, found fast
        return row
    return materialise(f"`{name}`[{index}]", row) if is_sequence(row) else None


def _array_of_numbers(name: str, values: list[Any], place: Callable[[int], At]) -> NDArray[Any]:
    """Return a list as an array; numpy alone would turn a mixture with a string into strings."""
    types = set(map(type, values))
    if all(map(is_integer_type, types)):
        return integers(name, values, place)
    if all(is_integer_type(t) or issubclass(t, _FLOATS) for t in types):
        if types & set(_NARROW) and len(types) > 1:  # narrow floats mean the decimals they print
            values = [float(str(v)) if isinstance(v, _NARROW) else v for v in values]
        if len(types) == 1:
            return np.asarray(values)
        _check_integers(name, values, place)
        with np.errstate(over="ignore"):  # too large a number becomes infinite, and is refused
            return np.asarray(values, dtype=float)
    if all(is_integer_type(t) or issubclass(t, _FLOATS + _EXACT_TYPES) for t in types):
        return _array_of_exact(name, values, place)
    if any(map(is_scalar_array, values)):
        plain = [unwrapped(f"`{name}`{in_brackets(place(i))}", v) for i, v in enumerate(values)]
        return _array_of_numbers(name, plain, place)
    index, value = next(
        (i, v)
        for i, v in enumerate(values)
        if not is_integer(v) and not isinstance(v, _FLOATS + _EXACT_TYPES)
    )
    what = "missing" if is_missing(value) else "not a number"
    hint = ""
    if isinstance(value, str):
        hint = "To compare texts or labels, give references, and a metric for such"
    elif isinstance(value, Complex) and not isinstance(value, np.timedelta64):
        what, hint = "no integer or float", "Convert the column to real floats"
    raise _no_number(name, place(index), what, value, hint)


def _no_number(name: str, at: At, what: str, value: Any, remedy: str) -> InputError:
    got = f"{what}, {describe(value)}"
    return InputError(name, must=_ONE, at=f"`{name}`{in_brackets(at)}", got=got, remedy=remedy)


def _array_of_exact(name: str, values: list[Any], place: Callable[[int], At]) -> NDArray[Any]:
    """Return Decimals and fractions, with integers and floats among them, as an object array.

    Raises
    ------
    InputError
        If a number is not finite, or beyond the range of floats.
    """
    exact = np.empty(len(values), dtype=object)
    exact[:] = [*map(_plain, values)]
    floats = np.array([*map(_as_float, exact.tolist())])
    is_bad, is_zero = ~np.isfinite(floats), floats == 0.0
    is_bad[is_zero] = (exact[is_zero] != 0).astype(bool)
    if is_bad.any():
        index = int(is_bad.argmax())
        value, at = exact[index], f"`{name}`{in_brackets(place(index))}"
        if isinstance(value, float) or (isinstance(value, Decimal) and not value.is_finite()):
            raise _not_finite(name, at, str(value))
        remedy = "Give all scores in another unit"
        raise InputError(f"{at} is {describe(value)}, beyond the floats", remedy=remedy)
    return exact


def _plain(value: Any) -> Any:
    """Return an int, float, Decimal or Fraction; a narrow float is the decimal that it prints."""
    if isinstance(value, _EXACT_TYPES):
        return value
    if isinstance(value, _NARROW):
        return float(str(value))
    return float(value) if isinstance(value, _FLOATS) else int(value)


def _as_float(value: Any) -> float:
    """Return the nearest float, or infinity beyond the floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except ValueError:  # a signalling NaN
        return math.nan


def _not_finite(name: str, at: str, value: str) -> InputError:
    remedy = "Drop that example from both systems, or score it as wrong"
    return InputError(name, must="be finite", at=at, got=value, remedy=remedy)


def _check_integers(name: str, values: list[Any], place: Callable[[int], At]) -> None:
    """Raise InputError if an integer among floats would be rounded."""
    types = {t for t in set(map(type, values)) if is_integer_type(t)}
    for index, value in enumerate(values):
        if type(value) in types and abs(int(value)) > 2**53:
            if not -(2**63) <= int(value) < 2**63:
                raise beyond_int64(name, values, place)
            raise InputError(
                f"`{name}`{in_brackets(place(index))} is {value} among floats, which are exact "
                "integers only up to 2^53",
                remedy="Give integers only, or subtract a constant",
            )


def read_shaped(name: str, values: Any) -> NDArray[np.float64]:
    """Return the numbers as float64, in the shape that they came in.

    Raises
    ------
    InputError
        If an entry is no real number, or beyond float64; if rows are ragged.
    """

    def plain(value: Any) -> Any:
        if isinstance(value, np.ma.MaskedArray):
            return value.tolist()
        return as_array(name, value) if hasattr(value, "detach") else value

    listed = [*map(plain, values)] if isinstance(values, (list, tuple)) else plain(values)
    # ragged rows; Decimal("sNaN"); beyond the floats; what numpy cannot convert
    with suppress(ValueError, OverflowError, TypeError):
        array = np.asarray(listed)
        kind = array.dtype.kind
        if kind in "biuf" or (kind == "O" and all(map(_is_real, array.flat))):
            with np.errstate(over="ignore"):  # long doubles may overflow
                return array.astype(np.float64)
    must = "hold real numbers that are floats, one or an array of them in rows of one length"
    raise InputError(name, must=must, got=describe(values))


def _is_real(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, np.timedelta64)
