"""The groups of several tasks; a group may have examples in more than one task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.scoring.rows import Rows


class Together:
    """The groups of all tasks; a group may have examples in several tasks.

    Attributes
    ----------
    rows : list of Rows
        The rows of each task; all have groups if some task has them.
    numbers : int64 array or None
        The group of each row, numbered over all tasks together.
    places : list of int64 array
        For each task, the numbers of its groups over all tasks.
    n_groups : int or None
        The number of groups of all tasks together.
    are_shared : bool
        Whether a group has examples of several tasks.
    """

    def __init__(self, rows: Sequence[Rows], ids: Sequence[Any]) -> None:
        self.rows, self.numbers, self.places = [*rows], None, []
        self.n_groups, self.are_shared = None, False
        if all(x.groups is None for x in rows):
            return
        number: dict[Any, int] = {}
        n_own = 0
        for k, (some, known) in enumerate(zip(rows, ids, strict=True)):
            if some.groups is None:
                self.rows[k] = some = some.having(groups=np.arange(some.n))
            keys = [*dict.fromkeys(known)] if known else [(k, x) for x in range(some.n_groups or 0)]
            self.places.append(np.array([number.setdefault(x, len(number)) for x in keys]))
            n_own += len(keys)
        found = zip(self.places, self.rows, strict=True)
        self.numbers = np.concatenate([place[x.groups] for place, x in found])
        self.n_groups, self.are_shared = len(number), len(number) < n_own
