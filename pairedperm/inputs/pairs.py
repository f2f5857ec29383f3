"""Two columns with a number, or a row of counts, for each example."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.numbers import read_scores

__all__ = ["read_pair"]


def read_pair(
    name1: str, column1: Any, name2: str, column2: Any, *, rows: bool = False, remedy: str = ""
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both columns as they are, int64 or floats.

    Raises
    ------
    InputError
        If a column is empty or not of numbers, or if they differ in shape.
    """
    first = read_scores(name1, column1, rows=rows, remedy=remedy)
    second = read_scores(name2, column2, rows=rows, remedy=remedy)
    for name, scores in ((name1, first), (name2, second)):
        if scores.size == 0:
            raise InputError(f"`{name}` is empty: at least one example is needed.")
    if first.shape[1:] != second.shape[1:]:
        raise InputError(
            f"`{name1}` and `{name2}` must have rows of the same length, got shapes "
            f"{first.shape} and {second.shape}. Give both the same columns; a column of shape "
            "(n, 1) is x[:, 0] in shape (n,)."
        )
    if len(first) != len(second):
        raise InputError(
            f"`{name1}` and `{name2}` must have the same length, got {len(first)} and "
            f"{len(second)}. Pair the examples by id first."
        )
    return first, second
