"""Text and tables in Markdown (CommonMark)."""

from __future__ import annotations

import re
from collections.abc import Sequence


def escaped(text: str) -> str:
    """Escape text so that Markdown shows it as it is, also in a table."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words "_" is no markup


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of escaped cells: the first column to the left, the others to the right."""
    lines = [header, [":--", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join("".join(f"| {x} " if x else "| " for x in cells) + "|" for cells in lines)
