"""Read columns of labels: one label, or a sequence of labels, for each example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import At, InputError, Name, describe, shown
from pairedperm.inputs.columns import (
    IntArray,
    beyond_int64,
    entries_of,
    is_integer_type,
    is_missing,
    is_scalar_array,
    is_sequence,
    listed_sets,
    materialise,
    opened,
    place,
    some_entries,
    unwrapped,
)
from pairedperm.inputs.ids import warn_of_indexes
from pairedperm.inputs.label_errors import (
    bad_label,
    other_columns,
    other_forms,
    other_kinds,
    other_lengths,
    other_rank,
    stands_for_none,
)
from pairedperm.inputs.label_numbers import (
    named_alike,
    numbers_in_arrow,
    numbers_of_few,
    read_categories,
    read_indicators,
)


class Repeats(list[Any]):
    """The labels of an item that was run several times, as a log says."""


@dataclass(frozen=True)
class Labels:
    """A column of labels, all integers (bools too) or all strings.

    Attributes
    ----------
    name : str
        The argument's name, for error messages.
    flat : int64 array or list of str
        All labels in order.
    kind : {"integers", "strings"} or None
        None if there is no label at all, because every sequence is empty.
    lengths : int64 array, shape (n,), or None
        The lengths of the sequences; None if every example has one label.
    names : list of str or int, or None
        The distinct labels, if `flat` holds their numbers in this list.
    start : int
        The first example's number in error messages.
    n_ignored : int
        How many labels of references were left out.
    every : tuple of str or int, or None
        All possible labels, in order, if an indicator matrix tells them.
    order : tuple of str or int, or None
        The categories of an ordered Categorical.
    in_order : bool
        True if examples must stay in their order, so that their rows are not counted early.
    are_runs : bool
        True if the sequences are known to be runs of an item.
    declared : frozenset
        Labels that the caller knows to be none of the references, or to stand for one.
    """

    name: str
    flat: IntArray | list[str]
    kind: Literal["integers", "strings"] | None
    lengths: IntArray | None
    names: Sequence[str | int] | None = None
    start: int = 0
    n_ignored: int = 0
    every: tuple[Any, ...] | None = None
    order: tuple[Any, ...] | None = None
    in_order: bool = False
    are_runs: bool = False
    declared: frozenset[Any] = frozenset()

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.flat) if self.lengths is None else self.lengths.size

    def ignored(self, label: int | None) -> NDArray[np.bool_] | None:
        """Mark the labels equal to `label`, which stands for none; None if there are none.

        Raises
        ------
        InputError
            If there are some, and examples have single labels instead of sequences.
        """
        if label is None or isinstance(self.flat, list):
            return None
        if self.names is None and self.flat.min(initial=0) > label:  # the usual case, found fast
            return None
        ignored = self.are(label)
        if not ignored.any():
            return None
        if self.lengths is None:
            raise stands_for_none(self, label, int(ignored.argmax()))
        return ignored

    @property
    def first(self) -> int | str:
        """The first label, for error messages; a column with names must have one."""
        label = self.flat[0] if len(self.flat) else 0
        label = label if self.names is None else self.names[int(label)]
        return label if isinstance(label, str) else int(label)

    @property
    def spelled(self) -> list[Any]:
        """The labels in order, as strings or integers rather than numbers in `names`."""
        flat: list[Any] = self.flat if isinstance(self.flat, list) else self.flat.tolist()
        return flat if self.names is None else [self.names[number] for number in flat]

    @property
    def distinct(self) -> frozenset[Any]:
        """The set of labels that occur."""
        there = self.flat if isinstance(self.flat, list) else np.unique(self.flat).tolist()
        return frozenset(there if self.names is None else map(self.names.__getitem__, there))

    def has(self, label: int | str) -> bool:
        """Tell whether the label occurs."""
        if self.names is None and (isinstance(self.flat, list) or isinstance(label, str)):
            return label in self.spelled
        return bool(self.are(label).any())

    def are(self, label: int | str) -> NDArray[np.bool_]:
        """Mark the labels equal to `label`, in a column of numbers."""
        if self.names is not None:
            label = self.names.index(label) if label in self.names else -1
        return np.asarray(self.flat == label)

    def where(self, kept: NDArray[np.bool_]) -> Labels:
        """Keep only the marked labels, so that sequences may become shorter."""
        some = [*compress(self.flat, kept)] if isinstance(self.flat, list) else self.flat[kept]
        return replace(self, flat=some, lengths=self.sums(kept))

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Repeat each example's value for each of its labels."""
        return values if self.lengths is None else np.repeat(values, self.lengths)

    def sums(self, flat: NDArray[Any]) -> IntArray:
        """Sum numbers, one for each label, over each example's labels."""
        if self.lengths is None:
            return flat.astype(np.int64, copy=False)
        sums = np.zeros(len(flat) + 1, dtype=np.int64)
        np.cumsum(flat, out=sums[1:], dtype=np.int64)
        ends = np.cumsum(self.lengths)
        return np.asarray(sums[ends] - sums[ends - self.lengths])


_PLAIN_INTEGERS, _PLAIN = {int, bool}, {int, bool, str}
COLUMNS = ("predictions1", "predictions2", "references")
Columns = tuple[Labels, Labels, Labels]  # predictions, predictions, references


def read_columns(
    read: Callable[..., Any], columns: Sequence[Any], start: int, **options: Any
) -> tuple[Any, Any, Any]:
    """Read both systems' predictions and the references by `read`, such as `read_labels`."""
    one, two, three = columns
    if hasattr(one, "iloc") or hasattr(two, "iloc"):
        warn_of_indexes(dict(zip(COLUMNS, columns, strict=True)))
    one, two = read(COLUMNS[0], one, start, **options), read(COLUMNS[1], two, start, **options)
    read_all = one, two, read(COLUMNS[2], three, start, **options)
    return named_alike(read_all) if options.get("sets") else read_all


def read_labels(
    name: str, column: Any, start: int = 0, *, sets: bool = False, names: list[str] | None = None
) -> Labels:
    """Read a column as `Labels`; `start` is its first example's number in error messages.

    With `sets`, each example has a set of labels in any order, or is a row of a matrix. With
    `names`, strings become numbers in this list, and new ones are added, up to 256.

    Raises
    ------
    InputError
        If the column is none or empty. If labels are missing, floats, nested more deeply, or
        beyond int64. If strings and integers, or labels and sequences, are mixed.
    """
    if isinstance(column, Labels):
        return replace(column, name=name, start=start)
    if not isinstance(column, list):
        column = opened(column)
        if names is not None and (numbers := numbers_in_arrow(column, names)) is not None:
            return Labels(name, numbers, "strings", None, names, start)
        fields = read_indicators(name, column, start) if sets else read_categories(column)
        if fields is not None:
            return Labels(name, start=start, **fields)
    elif column and type(column[0]) in _PLAIN and not sets:  # the usual case
        return _joined(name, column, None, start, names)
    values = some_entries(name, column, "one label, or label sequence,")
    values = listed_sets(name, values) if sets else values
    if isinstance(values, np.ndarray):
        if values.ndim == 2 and values.dtype != object:
            lengths = np.full(len(values), values.shape[1], dtype=np.int64)
            return _joined(name, values.reshape(-1), lengths, start, names)
        if values.ndim > 2:
            raise other_rank(name, values.shape)
        if values.dtype == object:
            values = values.tolist()
    if isinstance(values, np.ndarray) or not is_sequence(values[0]):
        return _joined(name, values, None, start, names)
    rows = [_row(name, number, row, start) for number, row in enumerate(values, start)]
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    labels = _joined(name, list(chain.from_iterable(rows)), lengths, start, names)
    return replace(labels, are_runs=isinstance(values[0], Repeats))


def _row(name: str, number: int, row: Any, start: int) -> list[Any]:
    """Return the labels of an example, or raise InputError if it has no sequence of them."""
    if type(row) is list:
        return row
    if is_missing(row):
        raise bad_label(name, [row], None, number)
    if not is_sequence(row):
        raise InputError(
            Name(name),
            f" mixes sequences and single labels: entry {start} is a sequence, entry {number} is ",
            describe(row),
            remedy="Give every example a sequence, or none",
        )
    values = materialise(Name(name, (number,)), row)
    return entries_of(values) if isinstance(values, np.ndarray) else values


def _joined(
    name: str,
    labels: list[Any] | NDArray[Any],
    lengths: IntArray | None,
    start: int,
    names: list[str] | None,
) -> Labels:
    """Make a column of the labels of all examples, or raise InputError for a bad one."""
    if len(labels) == 0:
        return Labels(name, np.zeros(0, dtype=np.int64), None, lengths, start=start)
    if names is not None and isinstance(labels[0], str):
        numbers = numbers_of_few(labels, names)
        if numbers is not None:
            return Labels(name, numbers, "strings", lengths, names, start)
    if isinstance(labels, np.ndarray):
        if labels.dtype.kind in "bi":
            whole = labels.astype(np.int64, copy=False)
            return Labels(name, whole, "integers", lengths, start=start)
        return _joined(name, entries_of(labels), lengths, start, names)
    types = set(map(type, labels))
    if types <= _PLAIN_INTEGERS or all(map(is_integer_type, types)):
        whole = integers(name, labels, lambda k: place(k, lengths, start))
        return Labels(name, whole, "integers", lengths, start=start)
    if all(issubclass(t, str) for t in types):
        return Labels(name, labels, "strings", lengths, start=start)
    if any(map(is_scalar_array, labels)):
        return _joined(name, [unwrapped(name, x) for x in labels], lengths, start, names)
    raise bad_label(name, labels, lengths, start)


def integers(name: str, values: list[Any], place: Callable[[int], At]) -> IntArray:
    """Convert a list of integers to int64; `place` says where the i-th one stands."""
    try:
        return np.asarray(values, dtype=np.int64)
    except OverflowError:
        raise beyond_int64(name, values, place) from None


def check_lengths(name: str, n: int, other: str, n_other: int) -> None:
    """Raise InputError unless two columns have the same number of examples."""
    if n != n_other:
        raise InputError(
            *(Name(name), f" has {n} examples and ", Name(other), f" has {n_other}"),
            remedy="all columns must have the same length. Pair the examples by id first",
        )


def check_alike(one: Labels, other: Labels) -> None:
    """Raise InputError unless both columns have the same form, and labels of the same type."""
    if one.every != other.every:
        raise other_columns(one, other)
    if (one.lengths is None) != (other.lengths is None):
        raise other_forms(*((one, other) if other.lengths is None else (other, one)))
    if one.kind and other.kind and one.kind != other.kind:
        raise other_kinds(one, other)


def check_comparable(predictions: Labels, references: Labels) -> None:
    """Raise InputError unless the columns are alike, and have equally many examples."""
    check_lengths(predictions.name, predictions.n, references.name, references.n)
    check_alike(predictions, references)


def check_fit(columns: Columns, *, sets: bool, aligned: bool) -> None:
    """Raise InputError unless all columns fit each other.

    Examples need equally many labels, unless they are sets or the columns are not `aligned`.
    """
    references = columns[2]
    for predictions in columns[:2]:
        check_comparable(predictions, references)
        if predictions.lengths is not None and aligned and not sets:
            differs = predictions.lengths != references.lengths
            if differs.any():
                raise other_lengths(predictions, references, int(differs.argmax()))
    if sets and references.lengths is None:
        raise InputError(
            Name(references.name),
            must="hold a set of labels per example",
            got=f"single labels ({shown(references.first)})",
            remedy="Give sets or lists, also of one label",
        )
