"""A column of a table, read in parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MANY_ROWS = 512  # tuned: rows that are read at once; Python looks for garbage after 700


class Column(list[Any]):
    """The entries of a column; texts that are equal are one object, if few are distinct.

    Such a column takes less memory, and is put into another order faster. Ids are all distinct.
    """

    def __init__(self, *, is_id: bool) -> None:
        super().__init__()
        self._is_id = is_id
        self._texts: dict[str, str] = {}

    def add(self, values: Sequence[Any]) -> None:
        """Add some entries."""
        if not self._is_id and {*map(type, values)} == {str}:
            if len(self._texts) > MANY_ROWS:
                self._texts.clear()
            values = [*map(self._texts.setdefault, values, values)]
        self += values
