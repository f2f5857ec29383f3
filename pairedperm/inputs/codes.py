"""Number labels alike in all columns, and find the right predictions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name
from pairedperm.inputs.columns import OF_MATRICES, IntArray, is_integer, place
from pairedperm.inputs.distinct import numbers_of
from pairedperm.inputs.labels import Columns, Labels


def renumbered(labels: Labels, numbers: dict[Any, int]) -> IntArray:
    """Return each label's number in `numbers`, to which new labels are added."""
    if labels.names is not None and not isinstance(labels.flat, list):
        number = np.zeros(len(labels.names), dtype=np.int64)
        for k in np.flatnonzero(np.bincount(labels.flat, minlength=number.size)).tolist():
            number[k] = numbers.setdefault(labels.names[k], len(numbers))
        return number[labels.flat]
    return numbers_of(labels.spelled, numbers)


def numbered(columns: Sequence[Labels]) -> list[Labels]:
    """Return the same columns with labels as numbers in one common list of names."""
    numbers: dict[Any, int] = {}
    flat = [renumbered(column, numbers) for column in columns]
    names = list(numbers)
    return [replace(x, flat=codes, names=names) for x, codes in zip(columns, flat, strict=True)]


def coded(
    columns: Columns, wanted: Sequence[Hashable] = ()
) -> tuple[list[IntArray], list[int | None], list[Any] | None]:
    """Return the labels as integers alike in all columns, and the integers of `wanted` labels.

    An integer is None if its label cannot occur. The third item lists the labels by their
    integers; None if they are integers themselves.
    """
    one, two, three = columns
    names = one.names
    if names is two.names is three.names:  # one list for all, or None for all
        codes: list[Any] = [one.flat, two.flat, three.flat]
        if names is not None:
            numbers: dict[Any, int] = {label: number for number, label in enumerate(names)}
            return codes, [*map(numbers.get, wanted)], [*names]
        if not {type(one.flat), type(two.flat), type(three.flat)} & {list}:
            return codes, [*map(_as_int64, wanted)], None
    numbers = {}
    codes = [renumbered(column, numbers) for column in columns]
    return codes, [*map(numbers.get, wanted)], list(numbers)


def _as_int64(label: Hashable) -> int | None:
    return int(label) if is_integer(label) and -(2**63) <= int(label) < 2**63 else None


def compact(codes: Sequence[IntArray]) -> tuple[IntArray, list[IntArray]]:
    """Return the distinct codes of all columns, ascending, and each column's numbers in them."""
    together = np.concatenate(codes)
    low, high = int(together.min(initial=0)), int(together.max(initial=0))
    if high - low <= together.size:
        there = np.bincount(together - low) > 0
        distinct, numbers = np.flatnonzero(there) + low, (np.cumsum(there) - 1)[together - low]
    else:
        distinct, numbers = np.unique(together, return_inverse=True)
    first, second, _ = codes
    return distinct, np.split(numbers, [first.size, first.size + second.size])


def right_labels(
    columns: Columns, codes: Sequence[IntArray], *, sets: bool
) -> list[NDArray[np.bool_]]:
    """Mark each system's right predictions: those equal to references, or in their sets.

    Raises
    ------
    InputError
        If a set holds a label twice.
    """
    if not sets:
        return [codes[0] == codes[2], codes[1] == codes[2]]
    distinct, parts = compact(codes)
    keys = []
    for column, part in zip(columns, parts, strict=True):
        lengths = np.asarray(column.lengths)
        key = np.repeat(np.arange(lengths.size), lengths) * distinct.size + part
        ordered = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[ordered]) == 0)
        if twice.size:
            position = int(ordered[twice[0] + 1])
            raise InputError(
                Name(column.name, place(position, column.lengths, column.start)),
                " is in its set twice",
                remedy=("give each label once", OF_MATRICES),
            )
        keys.append(key)
    return [np.isin(keys[0], keys[2]), np.isin(keys[1], keys[2])]


def without_ignored(columns: Columns, ignored: NDArray[np.bool_]) -> Columns:
    """Return the columns of sequences without the places where references are ignored.

    A prediction that differs in length from its reference stays as it is.
    """
    references, found = columns[2], []
    for column in columns[:2]:
        same = np.asarray(column.lengths == references.lengths)
        kept = np.ones(len(column.flat), dtype=np.bool_)
        kept[column.spread(same)] = ~ignored[references.spread(same)]
        found.append(column.where(kept))
    rest = replace(references.where(~ignored), n_ignored=references.n_ignored + int(ignored.sum()))
    return found[0], found[1], rest
