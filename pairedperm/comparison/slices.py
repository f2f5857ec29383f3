"""Slices: the examples of one list, split by the values of a column into the tasks of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.errors import InputError, describe, printable
from pairedperm.inputs.columns import Id, materialise, read_label
from pairedperm.inputs.labels import COLUMNS, check_lengths
from pairedperm.scoring.merging import read_group_ids

_TO_NAME = (
    "Name the slice of each example by a text or an integer; numbers by their range, and an "
    "example without a slice by a name such as 'other'"
)


def slices_of(by: Any) -> dict[str, list[int]]:
    """Return the places of the examples of each slice, by its name, in the order of the values.

    Raises
    ------
    InputError
        If an entry is missing, or is no integer and no text; if names are blank or the same.
    """
    places: dict[Id, list[int]] = {}
    for k, value in enumerate(read_group_ids(by, "by", _TO_NAME)):
        places.setdefault(value, []).append(k)
    named: dict[str, list[int]] = {}
    for value in sorted(places):
        label = value if isinstance(value, (bool, np.bool_)) else read_label("by", value)
        name = printable(" ".join(str(label).split()))
        if not name or name in named:
            must = "name slices so that they print apart, and none blank"
            raise InputError("by", must=must, got=describe(value), remedy=_TO_NAME)
        named[name] = places[value]
    return named


def split_by(columns: Sequence[Any], by: Any, groups: Any) -> tuple[dict[str, Any], Any]:
    """Return the columns of each slice, and the ids of its groups if there are some.

    Raises
    ------
    InputError
        If `slices_of` refuses `by`, or a column is none or has another length.
    """
    given = dict(zip(COLUMNS, columns, strict=False)) | {"groups": groups}
    read = {name: None if x is None else materialise(name, x) for name, x in given.items()}
    places = slices_of(by)
    n = sum(map(len, places.values()))
    for name, column in read.items():
        if column is not None:
            check_lengths("by", n, name, len(column))

    def some(name: str, at: list[int]) -> Any:
        column = read[name]
        return column[at] if isinstance(column, np.ndarray) else column and [column[k] for k in at]

    names = COLUMNS[: len(columns)]
    tasks = {task: tuple(some(x, at) for x in names) for task, at in places.items()}
    return tasks, groups if groups is None else {x: some("groups", y) for x, y in places.items()}
