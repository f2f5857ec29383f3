"""Markdown (CommonMark): the blocks of a text; text that is shown as it is."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["blocks", "escaped"]


def blocks(text: str) -> list[Any]:
    """markdown-it's tokens of the blocks, each with the lines that it is in.

    Raises
    ------
    ImportError
        If markdown-it-py is not installed.
    """
    try:
        from markdown_it import MarkdownIt
    except ImportError as error:
        raise ImportError(
            "model_card.update needs markdown-it-py: pip install 'pairedperm[card]'"
        ) from error
    parser = MarkdownIt("commonmark", {"maxNesting": 100})  # 50 lists: the deeper are not read
    return list(parser.disable("inline").parse(text))


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, in a table too."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words it is no markup
