"""Text and tables in Markdown (CommonMark), shown as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, in a table too."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words it is no markup


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """A table of escaped cells, the first `left` columns to the left, numbers to the right."""
    lines = [header, [":--" if k < left else "--:" for k in range(len(header))], *rows]
    return "\n".join("".join(f"| {x} " if x else "| " for x in cells) + "|" for cells in lines)


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """The same for a terminal."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = []
    for cells in (header, *rows):
        aligned = [
            x.ljust(w) if k < left else x.rjust(w)
            for k, (x, w) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)
