"""The index of a table of pandas: files hold it as a column, which identifies the examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairedperm.errors.wording import File, Parts, Words, shown

_UNNAMED = "__index_level_0__", "Unnamed: 0"  # in Parquet; in CSV that pandas read and wrote


def index_column(there: Sequence[str], metadata: Mapping[str, Any] | None = None) -> str | None:
    """Return the column that holds the index, or None if there is none, or one of several columns.

    `metadata` is what pandas writes into Parquet.
    """
    told = [x for x in (metadata or {}).get("index_columns", ()) if x in there]
    if told:
        return told[0] if len(told) == 1 else None
    if there and there[0] == "" and there.count("") == 1:  # in CSV
        return ""
    return next((x for x in _UNNAMED if x in there), None)


def note_on_index(path: str, column: str, ids: Sequence[Any]) -> Words:
    """Say that the ids are those of the index, and whether it only counts the rows."""
    which = f"column {shown(column)}" if column else "the first column, which has no name"
    counts = all(str(x) == str(k) for k, x in enumerate(ids))
    only = "; they count its rows, so check that all files have the same order" if counts else ""
    return Parts("the ids of ", File(path), f" are {which}, the index of pandas{only}")
