"""Read indicator matrices: a row for each example, a column of 0 and 1 for each label.

A column of rows holds sets of labels if the metric takes sets, and otherwise several runs of each
item if the references have single labels, or sequences of labels. One-hot rows are none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.errors.wording import (
    At,
    Name,
    Parts,
    Python,
    Setting,
    Words,
    describe,
    first_of,
    joined,
    shown,
)
from pairedperm.inputs.columns import (
    IntArray,
    is_integer,
    listed,
    materialise,
    plain_label,
)

if TYPE_CHECKING:
    from pairedperm.inputs.labels import Columns, Labels

_RENAME = "Rename them, or pass table.to_numpy()"
_FEW = 5  # tuned: fewer rows of two numbers may have a single 1 each by chance
IN_ROWS = Parts(  # where Python flattens columns
    "write each number in a row with an id of its own, and name a column of groups, ",
    Setting("groups", "…"),
)


class Indicators(NamedTuple):
    """An indicator matrix as fields of `Labels`."""

    flat: IntArray
    kind: Literal["integers", "strings"]
    lengths: IntArray
    names: Sequence[str | int]  # a range without names
    every: tuple[str | int, ...]


def read_indicators(name: str, column: Any, start: int = 0) -> Indicators | None:
    """Return the sets in a two-dimensional array, tensor, sparse matrix or table; else None.

    Lists of lists are sets of labels, whatever they hold.

    Raises
    ------
    InputError
        If an entry is not 0 or 1, or there are no rows or columns. If the names of a table's
        columns are no labels, or not distinct.
    """
    names: list[str | int] | None = None
    if hasattr(column, "columns") and hasattr(column, "to_numpy"):
        names = _names(name, list(column.columns))
        column = column.to_numpy()
    is_sparse = hasattr(column, "tocsr")
    if not is_sparse and getattr(column, "ndim", 0) == 2:
        column = materialise(name, column)
    if getattr(column, "ndim", 0) != 2:  # a masked array has become a list
        return None
    n, width = column.shape
    if not n or not width:
        remedy = "at least one example and one label are needed"
        raise InputError(Name(name), f" is empty, of shape {(n, width)}", remedy=remedy)
    if is_sparse:
        column = column.tocsr(copy=True)
        column.sum_duplicates()  # sorts the indices too
        column.data = _are_ones(name, column.data, lambda k: _sparse_place(column, k, start))
        column.eliminate_zeros()
        codes, lengths = column.indices, np.diff(column.indptr)
    else:
        is_one = _are_ones(name, column, lambda k: (start + k // width, k % width))
        codes, lengths = np.nonzero(is_one)[1], np.count_nonzero(is_one, axis=1)
    codes, lengths = (x.astype(np.int64, copy=False) for x in (codes, lengths))
    if names is None:
        return Indicators(codes, "integers", lengths, range(width), (*range(width),))
    kind: Literal["integers", "strings"]
    kind = "strings" if isinstance(names[0], str) else "integers"
    return Indicators(codes, kind, lengths, names, (*sorted(names),))


def one_hot(columns: Sequence[Labels]) -> int:
    """Return the length of the rows if they look one-hot; otherwise 0.

    Rows look one-hot if all hold 0 and 1, equally many, two or more, and one of these holds:

    - each row of the references has a single 1 among three or more numbers;
    - the references are single integers, some of which are neither 0 nor 1;
    - each row of all columns has a single 1.

    `check_not_one_hot` lets rows of two pass if there are fewer than five. Sequences of which
    labels were left out do not look one-hot, and neither do runs as a log tells them.
    """
    rows = [x for x in columns if x.lengths is not None]
    lengths = [x.lengths for x in rows if x.lengths is not None]
    length = int(lengths[0].max(initial=0)) if rows else 0
    if length < 2 or any((x != length).any() for x in lengths):
        return 0
    if any(isinstance(x.flat, list) or x.n_ignored or x.are_runs for x in rows):
        return 0
    if not all((x.are(0) | x.are(1)).all() for x in rows):
        return 0
    are_hot = [(x.are(1).reshape(-1, length).sum(axis=1) == 1).all() for x in rows]
    right = columns[-1]
    if right.lengths is None:
        is_told = right.kind == "integers" and not (right.are(0) | right.are(1)).all()
    else:
        is_told = length > 2 and are_hot[-1]
    return length if is_told or all(are_hot) else 0


def check_not_one_hot(names: Sequence[str], length: int, n: int, others: Words) -> None:
    """Raise InputError for `n` rows that look one-hot; `others` are other meanings, and remedies.

    `length` is what `one_hot` found.
    """
    if not length or (length == 2 and n < _FEW):
        return
    labels = Python(
        "Pass the labels: np.argmax(rows, -1), or np.argmax(probabilities, -1) if these are "
        "thresholded",
        "Write the label of each example instead",
    )
    raise InputError(
        *(*joined([*map(Name, names[:-1])]).parts, " and ", Name(names[-1])),
        f" look one-hot: rows of {length} numbers, all 0 or 1",
        remedy=(labels, others),
    )


def named_alike(columns: Columns) -> Columns:
    """Name the labels of matrices after those of a table beside them with as many columns."""
    tables = [x for x in columns if x.every is not None and not isinstance(x.names, range)]
    if not tables:
        return columns

    def named(column: Labels) -> Labels:
        table = tables[-1]  # the references, if those are one
        names = table.names or ()
        if not isinstance(column.names, range) or len(column.names) != len(names):
            return column
        return replace(column, names=names, kind=table.kind, every=table.every)

    return named(columns[0]), named(columns[1]), named(columns[2])


def other_columns(one: Labels, other: Labels) -> InputError:
    """Make the error for a matrix beside another form, or beside one with other columns."""
    if one.every is None or other.every is None or len(one.every) != len(other.every):
        return InputError(
            *(Name(one.name), f" is {_form(one)} and ", Name(other.name), f" is {_form(other)}"),
            remedy="Give all columns and batches as matrices with a column for each of the same "
            "labels, or none",
        )
    differing = [
        shown(x) for x in (*one.every, *other.every) if (x in one.every) != (x in other.every)
    ]
    return InputError(
        *(Name(one.name), " and ", Name(other.name)),
        f" are tables with columns of different names: {first_of(differing)} in one of them only",
        remedy=("These are the labels of the sets", _RENAME),
    )


def other_forms(many: Labels, single: Labels) -> InputError:
    """Make the error for a column of sequences beside one of single labels."""
    remedies: tuple[Words, ...] = ("Give all columns and batches in the same form",)
    if one_hot([many]):
        largest = Python(
            "pass the labels, np.argmax(rows, -1)", "write the label of the largest one"
        )
        remedies = (Parts("It looks one-hot: ", largest),)
    elif many.n and many.lengths is not None and (many.lengths == 1).all():
        alone = Python("pass np.ravel of it", "write it without a list")
        remedies = (Parts("Each sequence holds one label: ", alone),)
    elif many.name != "references":
        calls = Python(", and all columns in one call")
        remedies += (Parts("For runs, give both systems lists of them", calls),)
    return InputError(
        *(Name(many.name), " has a sequence of labels per example, "),
        *(Name(single.name), " has single labels"),
        remedy=remedies,
    )


def _form(column: Labels) -> str:
    if column.every is not None:
        return f"an indicator matrix of shape {(column.n, len(column.every))}"
    return "a column of labels" if column.lengths is None else "a column of sets"


def _names(name: str, columns: list[Any]) -> list[str | int]:
    found: dict[str | int, None] = {}
    for column in columns:
        label = plain_label(column)
        if label is None or label in found:
            what = "is no string or integer" if label is None else "is there twice"
            raise InputError(
                Name(name),
                f" is a table with a column {shown(column)}, which {what}",
                remedy=("for sets of labels, the columns' names are the labels", _RENAME),
            )
        found[label] = None
    if len({*map(type, found)}) > 1:
        raise InputError(
            Name(name),
            " is a table whose columns are called by strings and by integers",
            remedy=("for sets of labels, these names are the labels", _RENAME),
        )
    return [*found]


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
        entry = listed(values.reshape(-1)[k : k + 1])[0]
        raise InputError(
            Name(name, place(k)),
            " is ",
            describe(entry),
            remedy="For sets of labels, a two-dimensional array is an indicator matrix: it holds 0 "
            "and 1, and has a column for each label. For probabilities, pass p > 0.5; for labels, "
            "a list or a set per example",
        )
    return is_one


def _sparse_place(rows: Any, k: int, start: int) -> tuple[int, ...]:
    """Return the place of the k-th stored number of compressed rows."""
    row = int(np.searchsorted(rows.indptr, k, side="right")) - 1
    return start + row, int(rows.indices[k])
