"""Labels that stand for none, as transformers writes -100, left out of sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, describe
from pairedperm.inputs.columns import is_integer
from pairedperm.inputs.labels import Columns

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


def without_ignored(columns: Columns, ignored: NDArray[np.bool_]) -> Columns:
    """The columns without the places of those labels of the references, in sequences.

    A prediction of another length than its reference stays as it is.
    """
    references, found = columns[2], []
    for column in columns[:2]:
        same = np.asarray(column.lengths == references.lengths)
        kept = np.ones(len(column.flat), dtype=np.bool_)
        kept[column.spread(same)] = ~ignored[references.spread(same)]
        found.append(column.where(kept))
    rest = replace(references.where(~ignored), n_ignored=references.n_ignored + int(ignored.sum()))
    return found[0], found[1], rest
