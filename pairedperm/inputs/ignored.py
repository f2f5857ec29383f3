"""Labels that stand for none, as transformers writes -100, left out of sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, describe
from pairedperm.inputs.columns import is_integer
from pairedperm.inputs.labels import Columns, Labels, check_comparable, check_lengths

IGNORE_LABEL = -100  # proof: of the losses of transformers and torch


def read_ignore_label(value: Any) -> int | None:
    """The label that stands for none.

    Raises
    ------
    InputError
        If it is no integer of int64, nor None.
    """
    if value is None:
        return None
    is_bool = isinstance(value, (bool, np.bool_))
    if is_integer(value) and not is_bool and -(2**63) <= int(value) < 2**63:
        return int(value)
    raise InputError(
        f"`ignore_label` must be an integer, the label of references that stands for none, or "
        f"None, got {describe(value)}."
    )


def without_ignored(columns: Columns, label: int | None, *, aligned: bool) -> Columns:
    """The columns without the places where a reference is the label.

    If they are aligned a prediction has as many labels as its reference; otherwise one that has
    not stays as it is.

    Raises
    ------
    InputError
        If the label stands in references that are no sequences, or columns are not aligned.
    """
    references = columns[2]
    ignored = ignored_places(references, label)
    if ignored is None:
        return columns
    found = []
    for column in columns[:2]:
        (check_lengths if aligned else check_comparable)(column, references)
        same = np.asarray(column.lengths == references.lengths)
        kept = np.ones(len(column.flat), dtype=np.bool_)
        kept[column.spread(same)] = ~ignored[references.spread(same)]
        found.append(column.where(kept))
    rest = replace(references.where(~ignored), n_ignored=references.n_ignored + int(ignored.sum()))
    return found[0], found[1], rest


def ignored_places(references: Labels, label: int | None) -> NDArray[np.bool_] | None:
    """Which labels of references, if any, are this one; InputError if they are no sequences."""
    if label is None or not references.are_integers:
        return None
    ignored = references.are(label)
    if not ignored.any():
        return None
    if references.lengths is None:
        place = references.start + int(ignored.argmax())
        raise InputError(
            f"`{references.name}`[{place}] is {label}, which stands for no label and is left out "
            "of sequences only. Leave such examples out of all columns, or count it as a label, "
            "ignore_label=None."
        )
    return ignored
