"""The files of the checkout, each read once and parsed once for all the rules that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
PACKAGE = CHECKOUT / "pairedperm"


@cache
def sources_of(*folders: Path, root: Path = PACKAGE) -> dict[str, str]:
    """The files' text by their path below `root`."""
    paths = sorted(path for folder in folders or [root] for path in folder.rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in paths}


@cache
def tree_of(text: str) -> ast.Module:
    """A file as a tree."""
    return ast.parse(text)
