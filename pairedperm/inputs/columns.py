"""Turn any column (list, array, tensor, Series, dataset column) into a list or a numpy array.

Ids are columns that put others into one order. Errors for entries say where an entry stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from operator import eq
from typing import Any, NamedTuple, TypeGuard
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import (
    At,
    InputError,
    backticked,
    describe,
    in_brackets,
    printable,
    warn,
)

_INTEGERS = (int, np.integer, np.bool_)  # bool is an int
_NO_SEQUENCES = (str, bytes, Mapping, Set, np.generic, type)  # some of them have a length
_MOST_BITS = 1024  # tuned: bits of an integer label, few enough for printing and for JSON
IntArray = NDArray[np.int64]
OF_MATRICES = (
    "If this is an indicator matrix in lists, pass np.array(matrix); in a dataset map "
    "each row to [k for k, x in enumerate(row) if x]."
)


def entry(name: str, at: At = ()) -> str:
    """Return the name of an argument, or of an entry of it; `name` may be that of an entry."""
    return backticked(name) + in_brackets(at)


def is_missing(value: Any) -> bool:
    """Tell whether a value is None, NaN, the missing value of pandas, or masked."""
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    if isinstance(value, np.ma.MaskedArray) and value.ndim == 0:
        return bool(np.ma.getmaskarray(value).any())
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def is_integer(value: Any) -> TypeGuard[int | np.integer[Any] | np.bool_]:
    """Tell whether a value is a Python or numpy integer or bool."""
    return isinstance(value, _INTEGERS) and not isinstance(value, np.timedelta64)


def is_integer_type(kind: type) -> bool:
    """Tell whether values of this type are integers; time spans of numpy derive from these."""
    return issubclass(kind, _INTEGERS) and not issubclass(kind, np.timedelta64)


def plain_label(value: Any) -> int | str | None:
    """Return a label as a plain string or integer, also of a subclass; None if it is no label."""
    if isinstance(value, str):
        return str.__str__(value)
    if is_integer(value) and int(value).bit_length() <= _MOST_BITS:
        return int(value)
    return None


def read_label(name: str, value: Any, *at: int) -> Hashable:
    """Return a label that an option selects as a plain string or integer.

    Raises
    ------
    InputError
        If it is no label.
    """
    label = plain_label(value)
    if label is None:
        must = "be a label, an integer, bool or string"
        raise InputError(f"`{name}`{in_brackets(at)}", must=must, got=describe(value))
    return label


def is_scalar_array(value: Any) -> bool:
    """Tell whether a value is a 0-dimensional tensor or array."""
    is_numpy_scalar = isinstance(value, np.generic)
    return getattr(value, "ndim", None) == 0 and hasattr(value, "item") and not is_numpy_scalar


def unwrapped(name: str, value: Any) -> Any:
    """Return the content of a 0-dimensional tensor or array, None if masked; others as they are."""
    if not is_scalar_array(value):
        return value
    return None if is_missing(value) else as_array(name, value)[()]


def entries_of(array: NDArray[Any]) -> list[Any]:
    """Return the array's entries as Python objects; dates and times stay those of numpy."""
    try:  # tolist() would turn dates and times into integers
        return list(array) if array.dtype.kind in "mM" else array.tolist()
    except UnicodeDecodeError as error:  # from numpy's StringDType
        what = f"a text in a column is not UTF-8, {error}"
        raise InputError(what, remedy="decode it first") from error


def is_sequence(value: Any) -> bool:
    """Tell whether a value has entries in an order, and a length."""
    has_length = hasattr(value, "__len__") and not isinstance(value, _NO_SEQUENCES)
    return has_length and not is_scalar_array(value)


def materialise(name: str, column: Any) -> list[Any] | NDArray[Any]:
    """Return the column's entries in order, as a list or a numpy array.

    A `datasets` Column is read as it is stored, a pandas Series by position, and a tensor without
    its gradient.

    Raises
    ------
    InputError
        If the column is no sequence, but a single value, a table, a sparse matrix or the like.
    """
    if isinstance(column, list):
        return column
    if isinstance(column, np.ndarray):
        return _entries_of_array(name, column)
    if isinstance(column, tuple):
        return list(column)
    _check_one_column(name, column)
    if hasattr(column, "detach") or isinstance(column, memoryview):
        return materialise(name, as_array(name, column))
    if isinstance(getattr(column, "dtype", None), np.dtype) and hasattr(column, "to_numpy"):
        return np.asarray(column.to_numpy())
    if (stored := opened(column)) is not column:
        return materialise(name, stored)
    numbers = _numbers(column)
    return _converted(name, column) if numbers is None else numbers


def _entries_of_array(name: str, array: NDArray[Any]) -> list[Any] | NDArray[Any]:
    """Return a numpy array without its own type; a list, if some entries are masked."""
    if array.ndim == 0:
        raise _no_column(name, array)
    if isinstance(array, np.ma.MaskedArray):
        mask = np.ma.getmask(array)
        if mask.dtype != bool or mask.any():  # a structured array has another dtype
            entries: list[Any] = array.tolist()
            return entries
    return np.asarray(array)


def _check_one_column(name: str, column: Any) -> None:
    """Raise InputError if the column is no sequence, a sparse matrix or a table."""
    if not is_sequence(column):
        raise _no_column(name, column)
    if hasattr(column, "columns") or hasattr(column, "tocsr"):
        raise InputError(
            f"{entry(name)} is a table ({type(column).__name__})",
            remedy="Pass one column of it. Of rows that are lists or sets pass table.to_numpy(), "
            "of a sparse matrix matrix.toarray()",
        )


def _converted(name: str, column: Any) -> list[Any] | NDArray[Any]:
    """Return the entries by what the column offers: a list, an array, or one after the other."""
    for to_list in ("tolist", "to_list", "to_pylist"):  # array and pandas; polars; Arrow
        if hasattr(column, to_list):
            return list(getattr(column, to_list)())
    if hasattr(column, "__array__"):
        return materialise(name, as_array(name, column))
    try:
        entries = iter(column)
    except TypeError:
        raise _no_column(name, column) from None
    return list(entries)


def opened(column: Any) -> Any:
    """Return what a `datasets` Column holds, in Arrow where possible; another column as it is."""
    if not (type(column).__module__.startswith("datasets.") and hasattr(column, "source")):
        return column
    source, name = column.source, column.column_name
    if not hasattr(source, "_indices") or source.format["type"] == "custom":
        return column[:]
    from datasets.features.features import require_decoding

    if require_decoding(source.features[name]):  # Json is stored as text
        return source.with_format(None)[name][:]
    entries, rows = source.data.column(name), source._indices
    # `datasets` itself gathers the rows of a shuffled dataset one by one
    return entries if rows is None else entries.take(rows.column(0))


def _no_column(name: str, column: Any) -> InputError:
    return InputError(
        entry(name),
        must="be a sequence with one entry per example (list, array, tensor, Series or dataset "
        "column)",
        got=describe(column),
        remedy="Pass list(...) of it if it has an order",
    )


def some_entries(name: str, column: Any, what: str) -> list[Any] | NDArray[Any]:
    """Return `materialise` of a column that must have entries; messages ask for `what`."""
    if column is None:
        raise InputError(f"{entry(name)} is missing", remedy=f"pass {what} per example")
    values = materialise(name, column)
    if len(values) == 0:
        raise InputError(f"{entry(name)} is empty", remedy="at least one example is needed")
    return values


def first_float(entries: Iterable[Any]) -> Any:
    """Return the first entry that is a float and not NaN, None without any."""
    return next((x for x in entries if isinstance(x, (float, np.floating)) and x == x), None)


def listed_sets(name: str, values: list[Any] | NDArray[Any]) -> list[Any]:
    """Return each example's set of labels as a list, or raise InputError for matrices of floats."""
    row = values[0]
    is_list = isinstance(row, (list, tuple, np.ndarray)) and is_sequence(row)
    number = first_float(row) if is_list else None
    if number is not None:
        raise InputError(
            name,
            must="hold a set of labels per example",
            got=f"floats, {describe(number)}",
            remedy=(OF_MATRICES, "For probabilities, pass np.array(p) > 0.5"),
        )
    return [sorted(row, key=repr) if isinstance(row, Set) else row for row in values]


def _numbers(column: Any) -> NDArray[Any] | None:
    """Return numbers in Arrow, or a column of float32 or float16, in their type; else None."""
    if getattr(column, "null_count", None) == 0:  # in Arrow
        array = np.asarray(column)
        return array if array.dtype.kind in "biuf" else None
    dtype = getattr(column, "dtype", getattr(column, "typecode", None))
    name = str(dtype).partition("[")[0].lower()
    name = {"f": "float32", "float": "float32", "halffloat": "float16"}.get(name, name)
    if name not in ("float32", "float16"):
        return None
    values = column.tolist() if hasattr(column, "tolist") else column[:]
    return np.array(values, dtype=name) if {*map(type, values)} == {float} else None


def as_array(name: str, column: Any) -> NDArray[Any]:
    """Convert a tensor, without its gradient, or another library's array to a numpy array."""
    if not hasattr(column, "detach"):
        try:
            return np.asarray(column)
        except ValueError as error:  # it makes none
            raise _no_column(name, column) from error
    try:
        return np.asarray(column.detach().cpu().numpy())
    except (TypeError, RuntimeError) as error:
        raise InputError(
            f"{entry(name)} is a tensor that numpy cannot hold: {str(error).rstrip('.')}",
            remedy="Convert it first, with .float(), .long() or .to_dense()",
        ) from error


def beyond_int64(name: str, values: list[Any], place: Callable[[int], At]) -> InputError:
    """Make the error for the first of the integers that int64 does not hold."""
    index = next(
        i for i, v in enumerate(values) if is_integer(v) and not -(2**63) <= int(v) < 2**63
    )
    return InputError(
        f"`{name}`{in_brackets(place(index))} is an integer beyond int64, "
        f"{describe(values[index])}",
        remedy="Subtract a constant, divide by a common unit, or number the labels anew",
    )


def place(position: int, lengths: IntArray | None, start: int) -> tuple[int, ...]:
    """Return a label's place: (row,), or (row, label) in sequences of these lengths."""
    if lengths is None:
        return (start + int(position),)
    ends = np.cumsum(lengths)
    row = int(np.searchsorted(ends, position, side="right"))
    return start + row, int(position - ends[row] + lengths[row])


Id = int | str


class Aligned(NamedTuple):
    """The common ids of several columns, and the ids that are not common.

    `ids` are the ids that each column holds once, sorted; `places` are their positions in each
    column. For each column, `lacking` lists the ids that only others hold, and `repeated` the ids
    that it holds more than once.
    """

    ids: list[Any]
    places: list[IntArray]
    lacking: list[list[Any]]
    repeated: list[list[Any]]


def read_ids(name: str, column: Any, remedy: str) -> list[Id]:
    """Return the id of each example.

    Raises
    ------
    InputError
        If an id is missing, or is no integer or string.
    """
    entries = some_entries(name, column, "one id")
    ids = entries_of(entries) if isinstance(entries, np.ndarray) else entries
    if {*map(type, ids)} <= {int, str}:
        return [*ids]
    for number, value in enumerate(ids):
        if not (isinstance(value, str) or is_integer(value)):
            raise InputError(
                entry(name),
                must="hold an id for each example, an integer or string",
                at=entry(name, (number,)),
                got=describe(value),
                remedy=remedy,
            )
    return [*ids]


def align(names: Sequence[str], columns: Sequence[Sequence[Id]]) -> Aligned:
    """Find the ids that all columns hold once, and for each column those it lacks or repeats.

    Messages call the columns by `names`.

    Raises
    ------
    InputError
        If some ids are texts and others integers.
    """
    check_one_type(names, columns)
    first = columns[0]
    if all(ids == first for ids in columns):  # this is ordinary, and quicker
        order = sorted(range(len(first)), key=first.__getitem__)
        ids = [first[k] for k in order]
        if not any(map(eq, ids, ids[1:])):
            places = [np.array(order, dtype=np.int64) for _ in columns]
            return Aligned(ids, places, [[] for _ in columns], [[] for _ in columns])
    by_id = [dict(zip(ids, range(len(ids)), strict=True)) for ids in columns]
    repeated = [
        sorted(x for x, n in Counter(ids).items() if n > 1) if len(ids) > len(place) else []
        for ids, place in zip(columns, by_id, strict=True)
    ]
    every = set[Any]().union(*by_id)
    lacking = [sorted(every.difference(place)) for place in by_id]
    dropped = set[Any]().union(*lacking, *repeated)
    ids = sorted(x for x in by_id[0] if x not in dropped)  # mostly sorted before
    places = [np.fromiter(map(place.__getitem__, ids), np.int64, len(ids)) for place in by_id]
    return Aligned(ids, places, lacking, repeated)


def check_one_type(names: Sequence[str], columns: Sequence[Sequence[Id]]) -> None:
    """Raise InputError unless all ids are texts, or all integers."""
    found: dict[bool, str] = {}
    for name, ids in zip(names, columns, strict=True):
        for kind in {*map(type, ids)}:
            example = describe(next(x for x in ids if type(x) is kind))
            found.setdefault(issubclass(kind, str), f"{name} has the id {example}")
    if len(found) > 1:
        remedy = "a text never equals an integer. Write all ids in one way"
        raise InputError(" and ".join(found[x] for x in sorted(found)), remedy=remedy)


def same_text_in_two_forms(ids: Sequence[Sequence[Any]]) -> str:
    """Say which ids differ only in their Unicode form: é, or e and a mark; "" if none do."""
    texts: dict[str, str] = {}
    for text in (x for column in ids for x in column if isinstance(x, str) and not x.isascii()):
        other = texts.setdefault(normalize("NFC", text), text)
        if other != text:
            pair = " and ".join(printable(ascii(x), 60) for x in (other, text))
            return f"{pair} are one text in two Unicode forms: write all ids in one, such as NFC"
    return ""


_OR_RESET = ", or if they do not belong together, reset_index(drop=True)"


def warn_of_indexes(columns: Mapping[str, Any]) -> None:
    """Warn if pandas would pair the examples of two columns in another way.

    Each column is compared with the last that has an index, which is the references if possible.
    """
    indexed = {name: x for name, x in columns.items() if _has_index(x)}
    if len(indexed) < 2:
        return
    other, right = indexed.popitem()
    for name, column in indexed.items():
        if len(column) == len(right) and not column.index.equals(right.index):
            kinds = dict.fromkeys(type(x).__name__ for x in (column, right))
            what = "DataFrames" if kinds == {"DataFrame": None} else " and ".join(kinds)
            warn(
                f"`{name}` and `{other}` are {what} with different indexes",
                remedy="they are paired by position. Align them first "
                f"({name}.loc[{other}.index]), or reset_index(drop=True)",
            )


def warn_of_repeats(name: str, column: Any) -> None:
    """Warn if ids in the index of a column repeat; call it only without groups."""
    if _has_index(column) and not column.index.is_unique:
        known = entry(name)
        groups = f"groups={known.replace('`', '')}.index"
        warn(
            f"ids in the index of {known} repeat, {column.index.nunique():,} of {len(column):,} "
            "are distinct",
            remedy=(
                "examples that belong together are not independent, and p is too small",
                f"Swap them together, {groups}{_OR_RESET}",
            ),
        )


def _has_index(column: Any) -> bool:
    """Tell whether a column is a Series or a DataFrame; lists have an `index` method too."""
    return type(column).__module__.partition(".")[0] == "pandas" and hasattr(column, "iloc")
