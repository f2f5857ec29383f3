"""Warn of pandas indexes, because columns are paired by position whatever their indexes are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.errors import warn
from pairedperm.inputs.columns import entry
from pairedperm.wording import PYTHON, Name, Parts, Setting

_OR_RESET = ", or if they do not belong together, reset_index(drop=True)"


def warn_of_indexes(columns: Mapping[str, Any]) -> None:
    """Warn if pandas would pair the examples of two columns in another way.

    Each column is compared with the last that has an index, which is the references if possible.
    """
    indexed = {name: x for name, x in columns.items() if _has_index(x)}
    if len(indexed) < 2:
        return
    other, right = indexed.popitem()
    for name, column in indexed.items():
        if len(column) == len(right) and not column.index.equals(right.index):
            kinds = dict.fromkeys(type(x).__name__ for x in (column, right))
            what = "DataFrames" if kinds == {"DataFrame": None} else " and ".join(kinds)
            warn(
                *(Name(name), " and ", Name(other)),
                f" are {what} with different indexes",
                remedy="they are paired by position. Align them first "
                f"({name}.loc[{other}.index]), or reset_index(drop=True)",
            )


def warn_of_repeats(name: str | Name, column: Any) -> None:
    """Warn if ids in the index of a column repeat; call it only without groups."""
    if _has_index(column) and not column.index.is_unique:
        known = entry(name)
        groups = Setting("groups", f"{PYTHON.entry(known.argument, known.at)}.index")
        warn(
            "ids in the index of ",
            known,
            f" repeat, {column.index.nunique():,} of {len(column):,} are distinct",
            remedy=(
                "examples that belong together are not independent, and p is too small",
                Parts("Swap them together, ", groups, _OR_RESET),
            ),
        )


def _has_index(column: Any) -> bool:
    """Tell whether a column is a Series or a DataFrame; lists have an `index` method too."""
    return type(column).__module__.partition(".")[0] == "pandas" and hasattr(column, "iloc")
