"""Text and tables in Markdown (CommonMark), shown as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, in a table too."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words it is no markup


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of escaped cells, names in the first column, numbers to the right in the others."""
    lines = [header, [":--", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join("".join(f"| {x} " if x else "| " for x in cells) + "|" for cells in lines)


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same for a terminal."""
    first, *others = (max(map(len, column)) for column in zip(header, *rows, strict=True))
    lines = []
    for name, *cells in (header, *rows):
        numbers = (x.rjust(width) for x, width in zip(cells, others, strict=True))
        lines.append("  ".join((name.ljust(first), *numbers)).rstrip())
    return "\n".join(lines)
