"""Tables of times and sizes: numbers in their units, aligned Markdown, and the guides' tables.

A table of a guide stands between `<!-- benchmarks: SECTION -->` and `<!-- end -->`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

MARKED = re.compile(r"(<!-- benchmarks: (.+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def significant(x: float) -> str:
    """Write a number with at least two significant digits and no exponent."""
    return f"{x:,.{max(1 - math.floor(math.log10(x)), 0)}f}" if x > 0.0 else "0"


def seconds(x: float) -> str:
    """Write a time in a suitable unit."""
    unit, name = (1.0, "s") if x >= 1.0 else (1e-3, "ms") if x >= 1e-4 else (1e-6, "us")
    return f"{significant(x / unit)} {name}"


def megabytes(x: float) -> str:
    """Write a size that is given in bytes."""
    return f"{significant(x / 1e6)} MB"


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table that is aligned in plain text, too; the first row is its head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    first, *others = widths
    rule = "|".join(["-" * (first + 2), *("-" * (width + 1) + ":" for width in others)])
    lines = [
        f"| {' | '.join([row[0].ljust(first), *map(str.rjust, row[1:], others)])} |" for row in rows
    ]
    return [lines[0], f"|{rule}|", *lines[1:]]


def written(text: str, tables: Mapping[str, Sequence[str]]) -> str:
    """Return a guide with these tables, by section; a section without one keeps its own."""

    def replaced(match: re.Match[str]) -> str:
        head, section, _, end = match.groups()
        if section not in tables:
            return match[0]
        return "\n".join((head, *tables[section], "", end))

    return MARKED.sub(replaced, text)
