"""Examples that have a set of labels each."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.bad_labels import place

if TYPE_CHECKING:
    from pairedperm.inputs.labels import Labels

__all__ = ["in_sets", "listed_sets"]

IntArray = NDArray[np.int64]


def listed_sets(name: str, values: list[Any] | NDArray[Any]) -> list[Any]:
    """A list of each set of labels; they may come as lists."""
    if isinstance(values, np.ndarray) and values.ndim > 1:
        raise InputError(
            f"`{name}` must hold a set of labels per example with multilabel=True, got an array of "
            f"shape {values.shape}. Of an indicator matrix: [np.flatnonzero(r) for r in matrix]."
        )
    return [sorted(row, key=repr) if isinstance(row, Set) else row for row in values]


def in_sets(
    predictions: Labels, predicted: IntArray, references: Labels, gold: IntArray
) -> NDArray[np.bool_]:
    """Which predicted labels are in the set of their example's references."""
    _, both = np.unique(np.concatenate((predicted, gold)), return_inverse=True)
    n_codes = int(both.max(initial=0)) + 1
    keys = []
    parts = np.split(both, [predicted.size])
    for column, codes in zip((predictions, references), parts, strict=True):
        lengths = np.asarray(column.lengths)
        key = np.repeat(np.arange(lengths.size), lengths) * n_codes + codes
        ordered = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[ordered]) == 0)
        if twice.size:
            position = int(ordered[twice[0] + 1])
            raise InputError(
                f"`{column.name}`{place(position, column.lengths, column.start)} is in its set "
                "twice: with multilabel=True give each label once. Of an indicator matrix: "
                "[np.flatnonzero(row) for row in matrix]."
            )
        keys.append(key)
    return np.isin(keys[0], keys[1])
