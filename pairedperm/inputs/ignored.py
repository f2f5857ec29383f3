"""Leave out of sequences the labels that stand for none, as transformers writes -100."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pairedperm.inputs.labels import Columns


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
