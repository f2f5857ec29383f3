"""Labels that stand for none, as transformers writes -100, left out of sequences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pairedperm.inputs.labels import Columns


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
