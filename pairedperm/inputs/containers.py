"""Read columns whose container tells the labels: matrices, categories, strings in Arrow."""

from __future__ import annotations

from typing import Any

from pairedperm.inputs.columns import opened
from pairedperm.inputs.distinct import Names, numbers_in_arrow, read_categories
from pairedperm.inputs.indicators import read_indicators


def held(
    name: str, column: Any, start: int, sets: bool, names: Names
) -> tuple[Any, dict[str, Any] | None]:
    """Return the column, opened, and fields of `Labels`; None if its entries must be read.

    `sets` and `names` are those of `read_labels`.

    Raises
    ------
    InputError
        If `read_indicators` refuses the column.
    """
    column = opened(column)
    if names is not None and (numbers := numbers_in_arrow(column, names)) is not None:
        return column, {"flat": numbers, "kind": "strings", "lengths": None, "names": names}
    found = read_indicators(name, column, start) if sets else read_categories(column)
    return column, None if found is None else {"lengths": None, **found._asdict()}
