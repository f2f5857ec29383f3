"""Columns of labels: one label an example, or a sequence of labels an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.columns import (
    INTEGERS,
    describe,
    integers,
    is_missing,
    is_scalar_array,
    materialise,
)

__all__ = ["Labels", "check_alike", "join", "place", "read_labels", "renumbered"]

IntArray = NDArray[np.int64]
_DROP = "Drop the example from all columns, or give it a label of its own."
_LABELS = "Labels are integers, bools or strings."
Kind = Literal["integers", "strings"]


@dataclass(frozen=True)
class Labels:
    """A column of labels, all integers (bools too) or all strings.

    Attributes
    ----------
    name : str
        The argument they came in as, for error messages.
    flat : int64 array or list of str
        All labels in order.
    kind : {"integers", "strings"} or None
        None where there is no label at all (every sequence is empty).
    lengths : int64 array of shape (n,), or None
        Of the sequences; None if every example has one label.
    names : list of str or int, or None
        The distinct labels, if `flat` holds their numbers in this list.
    start : int
        The first example's number in error messages.
    """

    name: str
    flat: IntArray | list[str]
    kind: Kind | None
    lengths: IntArray | None
    names: Sequence[str | int] | None = None
    start: int = 0

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.flat) if self.lengths is None else self.lengths.size

    @property
    def first(self) -> int | str:
        """The first label, for error messages; there must be one."""
        label = self.flat[0] if self.names is None else self.names[int(self.flat[0])]
        return label if isinstance(label, str) else int(label)

    @property
    def spelled(self) -> IntArray | list[Any]:
        """All labels in order, strings as such."""
        if self.names is None or isinstance(self.flat, list):
            return self.flat
        return [self.names[number] for number in self.flat.tolist()]

    def place(self, index: int) -> str:
        """The example's place in its column, as error messages write it."""
        return f"`{self.name}`{place(index, None, self.start)}"

    def copy(self) -> Labels:
        """The same labels, whatever becomes of the caller's list or array."""
        return replace(self, flat=self.flat.copy())


def read_labels(name: str, column: Any, start: int = 0, *, sets: bool = False) -> Labels:
    """The column as `Labels`; `start` is its first example's number in error messages.

    With `sets` each example has a set of labels, in any order.

    Raises
    ------
    InputError
        For no column, an empty one, missing labels, floats, mixtures of strings and integers
        or of labels and sequences, integers beyond int64, and labels nested more deeply.
    """
    if isinstance(column, Labels):
        return replace(column, name=name, start=start)
    if column is None:
        raise InputError(f"`{name}` is missing: pass one label, or label sequence, per example.")
    values = materialise(name, column)
    if len(values) == 0:
        raise InputError(f"`{name}` is empty: at least one example is needed.")
    if sets:
        values = _listed_sets(name, values)
    if isinstance(values, np.ndarray):
        if values.ndim == 2 and values.dtype != object:
            n, length = values.shape
            lengths = np.full(n, length, dtype=np.int64)
            flat, kind = _flat_labels(name, values.reshape(-1), lengths, start)
            return Labels(name, flat, kind, lengths, start=start)
        if values.ndim > 2:
            raise InputError(
                f"`{name}` must be of shape (n,), or (n, length) for label sequences, got shape "
                f"{values.shape}."
            )
        if values.dtype == object:
            values = values.tolist()
    if isinstance(values, np.ndarray) or not _is_sequence(values[0]):
        flat, kind = _flat_labels(name, values, None, start)
        return Labels(name, flat, kind, None, start=start)
    rows = [_row(name, index, row, start) for index, row in enumerate(values)]
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    flat, kind = _flat_labels(name, list(chain.from_iterable(rows)), lengths, start)
    return Labels(name, flat, kind, lengths, start=start)


def _listed_sets(name: str, values: list[Any] | NDArray[Any]) -> list[Any]:
    """A list of each set of labels; they may come as lists."""
    if isinstance(values, np.ndarray) and values.ndim > 1:
        raise InputError(
            f"`{name}` must hold a set of labels per example with multilabel=True, got an array of "
            f"shape {values.shape}. Of an indicator matrix: [np.flatnonzero(r) for r in matrix]."
        )
    return [sorted(row, key=repr) if isinstance(row, Set) else row for row in values]


def _is_sequence(value: Any) -> bool:
    unordered_or_text = isinstance(value, (str, bytes, Mapping, Set))
    return hasattr(value, "__len__") and not unordered_or_text and not is_scalar_array(value)


def _row(name: str, index: int, row: Any, start: int) -> list[Any]:
    if type(row) is list:
        return row
    number = start + index
    if is_missing(row):
        raise InputError(f"`{name}`[{number}] is missing ({row!r}). {_DROP}")
    if not _is_sequence(row):
        raise InputError(
            f"`{name}` mixes sequences and single labels: entry {start} is a sequence, entry "
            f"{number} is {describe(row)}. Give every example a sequence, or none."
        )
    values = materialise(f"{name}[{number}]", row)
    return values.tolist() if isinstance(values, np.ndarray) else values


def _flat_labels(
    name: str, labels: list[Any] | NDArray[Any], lengths: IntArray | None, start: int
) -> tuple[IntArray | list[str], Kind | None]:
    """The labels in one piece, with what they are; `lengths` say where an error lies."""
    if len(labels) == 0:
        return np.zeros(0, dtype=np.int64), None
    if isinstance(labels, np.ndarray):
        if labels.dtype.kind in "bi":
            return labels.astype(np.int64, copy=False), "integers"
        return _flat_labels(name, list(labels.tolist()), lengths, start)
    types = set(map(type, labels))
    if all(issubclass(t, str) for t in types):
        return labels, "strings"
    if all(issubclass(t, INTEGERS) for t in types):
        return integers(name, labels, lambda position: place(position, lengths, start)), "integers"
    if any(map(is_scalar_array, labels)):
        plain = [label.item() if is_scalar_array(label) else label for label in labels]
        return _flat_labels(name, plain, lengths, start)
    raise _bad_label(name, labels, lengths, start)


def _bad_label(name: str, labels: list[Any], lengths: IntArray | None, start: int) -> InputError:
    """The error for a missing label, or the first that is none or not of the first one's type."""

    def where(position: int) -> str:
        return f"`{name}`{place(position, lengths, start)}"

    missing = next((i for i, label in enumerate(labels) if is_missing(label)), None)
    if missing is not None:  # it also turns integers into floats: the cause comes first
        return InputError(f"{where(missing)} is missing ({labels[missing]!r}). {_DROP}")
    for position, label in enumerate(labels):
        if isinstance(label, (float, np.floating)):
            return InputError(
                f"{where(position)} is a float, {describe(label)}. {_LABELS} For numeric scores "
                "use paired_permutation_test, compare_dataset(..., references=None) or "
                "evaluate.load(…, 'scores'); for class ids convert with astype(int)."
            )
        if isinstance(label, Set):
            return InputError(
                f"{where(position)} is a set, {describe(label)}: metrics that take sets of labels "
                "need multilabel=True."
            )
        if not isinstance(label, (str, *INTEGERS)):
            return InputError(f"{where(position)} is no label: {describe(label)}. {_LABELS}")
    is_text = isinstance(labels[0], str)
    other = next(i for i, label in enumerate(labels) if isinstance(label, str) is not is_text)
    return InputError(
        f"`{name}` mixes strings and integers: {describe(labels[0])} and, at "
        f"{place(other, lengths, start)}, {describe(labels[other])}. Convert all to one type."
    )


def place(position: int, lengths: IntArray | None, start: int) -> str:
    """Where a label stands: "[row]", or "[row][label]" in sequences of these lengths."""
    if lengths is None:
        return f"[{start + position}]"
    ends = np.cumsum(lengths)
    row = int(np.searchsorted(ends, position, side="right"))
    return f"[{start + row}][{position - int(ends[row] - lengths[row])}]"


def join(parts: Sequence[Labels]) -> Labels:
    """The batches of one column as one column; they must be alike (`check_alike`)."""
    if len(parts) == 1:
        return parts[0]
    first = next((part for part in parts if part.kind), parts[0])
    flat: IntArray | list[str]
    names: dict[str | int, int] | None = None
    if any(part.names is not None for part in parts):  # each numbers the labels in its own way
        names = {}
        some = [renumbered(part, names) for part in parts if part.kind]
        flat = np.concatenate([np.zeros(0, dtype=np.int64), *some])
    elif first.kind == "strings":
        flat = list(chain.from_iterable(part.flat for part in parts if part.kind))
    else:
        flat = np.concatenate([part.flat for part in parts])
    lengths = None
    if first.lengths is not None:
        lengths = np.concatenate([part.lengths for part in parts])
    numbered = None if names is None else list(names)
    return Labels(first.name, flat, first.kind, lengths, numbered, parts[0].start)


def renumbered(labels: Labels, numbers: dict[Any, int]) -> IntArray:
    """The labels by their number in `numbers`, to which those that it has not are added."""
    if labels.names is not None and not isinstance(labels.flat, list):
        used, position = np.unique(labels.flat, return_inverse=True)
        distinct = [labels.names[k] for k in used.tolist()]
        new = [numbers.setdefault(label, len(numbers)) for label in distinct]
        return np.asarray(np.array(new, dtype=np.int64)[position])
    flat = labels.flat.tolist() if isinstance(labels.flat, np.ndarray) else labels.flat
    for label in dict.fromkeys(flat):
        numbers.setdefault(label, len(numbers))
    return np.fromiter(map(numbers.__getitem__, flat), dtype=np.int64, count=len(flat))


def check_alike(one: Labels, other: Labels) -> None:
    """Both of sequences or neither, both of integers or of strings.

    Raises
    ------
    InputError
        Otherwise: such labels could not match, or not be joined.
    """
    if (one.lengths is None) != (other.lengths is None):
        many, single = (one, other) if other.lengths is None else (other, one)
        raise InputError(
            f"`{many.name}` has a sequence of labels per example, `{single.name}` has single "
            "labels. Give all columns and batches in the same form."
        )
    if one.kind and other.kind and one.kind != other.kind:
        raise InputError(
            f"`{one.name}` holds {one.kind} ({one.first!r}) and `{other.name}` holds {other.kind} "
            f"({other.first!r}): no label could match. Convert all columns and batches to one "
            "type, for instance with ClassLabel's int2str."
        )
