"""Columns of labels: one label an example, or a sequence of labels an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, compress
from operator import eq
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.columns import (
    INTEGERS,
    describe,
    integers,
    is_missing,
    is_scalar_array,
    materialise,
)
from pairedperm.errors import InputError

__all__ = [
    "Labels",
    "check_alike",
    "check_comparable",
    "exact_matches",
    "join",
    "matches",
    "read_labels",
]

IntArray = NDArray[np.int64]
_DROP = "Drop the example from all columns, or give it a label that no reference has."
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
    """

    name: str
    flat: IntArray | list[str]
    kind: Kind | None
    lengths: IntArray | None

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.flat) if self.lengths is None else self.lengths.size

    @property
    def first(self) -> int | str:
        """The first label, for error messages."""
        label = self.flat[0]
        return label if isinstance(label, str) else int(label)

    def copy(self) -> Labels:
        """The same labels, whatever becomes of the caller's list or array."""
        return replace(self, flat=self.flat.copy())

    def to_list(self) -> list[Any]:
        """Labels, or lists of labels, one per example."""
        flat = self.flat.tolist() if isinstance(self.flat, np.ndarray) else self.flat
        if self.lengths is None:
            return flat
        ends = np.cumsum(self.lengths)
        return [
            flat[a:b] for a, b in zip((ends - self.lengths).tolist(), ends.tolist(), strict=True)
        ]


def read_labels(name: str, column: Any) -> Labels:
    """The column as `Labels`.

    Raises
    ------
    InputError
        For no column, an empty one, missing labels, floats, mixtures of strings and integers
        or of labels and sequences, integers beyond int64, and labels nested more deeply.
    """
    if column is None:
        raise InputError(f"`{name}` is missing: pass one label, or label sequence, per example.")
    values = materialise(name, column)
    if len(values) == 0:
        raise InputError(f"`{name}` is empty: at least one example is needed.")
    if isinstance(values, np.ndarray):
        if values.ndim == 2 and values.dtype != object:
            n, length = values.shape
            flat, kind = _flat_labels(name, values.reshape(-1), length)
            return Labels(name, flat, kind, np.full(n, length, dtype=np.int64))
        if values.ndim > 2:
            raise InputError(
                f"`{name}` must be of shape (n,), or (n, length) for label sequences, got shape "
                f"{values.shape}."
            )
        if values.dtype == object:
            values = values.tolist()
    if isinstance(values, np.ndarray) or not _is_sequence(values[0]):
        flat, kind = _flat_labels(name, values, None)
        return Labels(name, flat, kind, None)
    rows = [_row(name, index, row) for index, row in enumerate(values)]
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    flat, kind = _flat_labels(name, list(chain.from_iterable(rows)), lengths)
    return Labels(name, flat, kind, lengths)


def _is_sequence(value: Any) -> bool:
    unordered_or_text = isinstance(value, (str, bytes, Mapping, Set))
    return hasattr(value, "__len__") and not unordered_or_text and not is_scalar_array(value)


def _row(name: str, index: int, row: Any) -> list[Any]:
    if type(row) is list:
        return row
    if is_missing(row):
        raise InputError(f"`{name}`[{index}] is missing ({row!r}). {_DROP}")
    if not _is_sequence(row):
        raise InputError(
            f"`{name}` mixes sequences and single labels: entry 0 is a sequence, entry {index} "
            f"is {describe(row)}. Give every example a sequence, or none."
        )
    values = materialise(f"{name}[{index}]", row)
    return values.tolist() if isinstance(values, np.ndarray) else values


def _flat_labels(
    name: str, labels: list[Any] | NDArray[Any], lengths: int | IntArray | None
) -> tuple[IntArray | list[str], Kind | None]:
    """The labels in one piece, with what they are; `lengths` say where an error lies."""
    if len(labels) == 0:
        return np.zeros(0, dtype=np.int64), None
    if isinstance(labels, np.ndarray):
        if labels.dtype.kind in "bi":
            return labels.astype(np.int64, copy=False), "integers"
        return _flat_labels(name, list(labels.tolist()), lengths)
    types = set(map(type, labels))
    if all(issubclass(t, str) for t in types):
        return labels, "strings"
    if all(issubclass(t, INTEGERS) for t in types):
        return integers(name, labels, lambda position: _place(position, lengths)), "integers"
    if any(map(is_scalar_array, labels)):
        plain = [label.item() if is_scalar_array(label) else label for label in labels]
        return _flat_labels(name, plain, lengths)
    raise _bad_label(name, labels, lengths)


def _bad_label(name: str, labels: list[Any], lengths: int | IntArray | None) -> InputError:
    """The error for a missing label, or the first that is none or not of the first one's type."""

    def where(position: int) -> str:
        return f"`{name}`{_place(position, lengths)}"

    missing = next((i for i, label in enumerate(labels) if is_missing(label)), None)
    if missing is not None:  # it also turns integers into floats: the cause comes first
        return InputError(f"{where(missing)} is missing ({labels[missing]!r}). {_DROP}")
    for position, label in enumerate(labels):
        if isinstance(label, (float, np.floating)):
            return InputError(
                f"{where(position)} is a float, {describe(label)}. {_LABELS} For numeric scores "
                "use paired_permutation_test; for class ids convert with astype(int)."
            )
        if not isinstance(label, (str, *INTEGERS)):
            return InputError(f"{where(position)} is no label: {describe(label)}. {_LABELS}")
    is_text = isinstance(labels[0], str)
    other = next(i for i, label in enumerate(labels) if isinstance(label, str) is not is_text)
    return InputError(
        f"`{name}` mixes strings and integers: {describe(labels[0])} and, at "
        f"{_place(other, lengths)}, {describe(labels[other])}. Convert all to one type."
    )


def _place(position: int, lengths: int | IntArray | None) -> str:
    if lengths is None:
        return f"[{position}]"
    if isinstance(lengths, int):
        return f"[{position // lengths}][{position % lengths}]"
    ends = np.cumsum(lengths)
    row = int(np.searchsorted(ends, position, side="right"))
    return f"[{row}][{position - int(ends[row] - lengths[row])}]"


def join(parts: Sequence[Labels]) -> Labels:
    """The batches of one column as one column; they must be alike (`check_alike`)."""
    if len(parts) == 1:
        return parts[0]
    first = next((part for part in parts if part.kind), parts[0])
    flat: IntArray | list[str]
    if first.kind == "strings":
        flat = list(chain.from_iterable(part.flat for part in parts if part.kind))
    else:
        flat = np.concatenate([part.flat for part in parts])
    lengths = None
    if first.lengths is not None:
        lengths = np.concatenate([part.lengths for part in parts])
    return Labels(first.name, flat, first.kind, lengths)


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


def check_comparable(predictions: Labels, references: Labels) -> None:
    """Alike, and of as many examples.

    Raises
    ------
    InputError
        If not.
    """
    if predictions.n != references.n:
        raise InputError(
            f"`{predictions.name}` has {predictions.n} examples and `{references.name}` has "
            f"{references.n}: all columns must have the same length. Pair the examples by id first."
        )
    check_alike(predictions, references)


def matches(predictions: Labels, references: Labels) -> IntArray:
    """How many labels of each example agree, shape (n,).

    Raises
    ------
    InputError
        If the columns, or a prediction and its reference, differ in length or in kind.
    """
    check_comparable(predictions, references)
    if predictions.lengths is None or references.lengths is None:
        return _equal(predictions.flat, references.flat)
    unequal = predictions.lengths != references.lengths
    if unequal.any():
        index = int(unequal.argmax())
        raise InputError(
            f"`{predictions.name}`[{index}] has {predictions.lengths[index]} labels and "
            f"`{references.name}`[{index}] has {references.lengths[index]}: give a prediction as "
            "many labels as its reference (metric='exact_match' takes any number)."
        )
    return _row_sums(_equal(predictions.flat, references.flat), references.lengths)


def exact_matches(predictions: Labels, references: Labels) -> IntArray:
    """1 for each example that is right as a whole, 0 for the others, shape (n,).

    A sequence of another length than its reference is not right.
    """
    check_comparable(predictions, references)
    if predictions.lengths is None or references.lengths is None:
        return _equal(predictions.flat, references.flat)
    same_length = predictions.lengths == references.lengths
    rows = np.repeat(same_length, predictions.lengths), np.repeat(same_length, references.lengths)
    lengths = references.lengths[same_length]
    agree = _equal(_chosen(predictions.flat, rows[0]), _chosen(references.flat, rows[1]))
    result = np.zeros(references.n, dtype=np.int64)
    result[same_length] = _row_sums(agree, lengths) == lengths
    return result


def _equal(left: IntArray | list[str], right: IntArray | list[str]) -> IntArray:
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.asarray(left == right, dtype=np.int64)
    # Strings one by one: an array of them would be as wide as the longest.
    return np.fromiter(map(eq, left, right), dtype=np.int64, count=len(left))


def _row_sums(flat: IntArray, lengths: IntArray) -> IntArray:
    sums = np.concatenate(([0], np.cumsum(flat)))
    ends = np.cumsum(lengths)
    return np.asarray(sums[ends] - sums[ends - lengths])


def _chosen(flat: IntArray | list[str], mask: NDArray[np.bool_]) -> IntArray | list[str]:
    return flat[mask] if isinstance(flat, np.ndarray) else list(compress(flat, mask))
