"""Tables: Markdown that is aligned in a terminal too, and CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

WIDTH = 7  # of a column, at least


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A Markdown table, each row as soon as it is there."""
    widths = [max(len(column), WIDTH) for column in columns]
    rule = ["-" * (width - 1) + ":" for width in widths]
    for lines in ([columns, rule], rows):
        for line in lines:
            cells = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            print(f"| {' | '.join(cells)} |", flush=True)


def write_csv(path: Path, rows: Sequence[dict[str, object]]) -> None:
    """Write all rows, with the first one's keys as the header, and print where."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    print(path)
