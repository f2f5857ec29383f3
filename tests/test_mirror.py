"""The tests mirror the house: a folder for each room, and what the tests may know of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

import pytest

from trees import CHECKOUT, PACKAGE, sources_of, tree_of

ROOT = "pairedperm"
OF_A_TEST = re.compile(r"\b(?:import|from) .*\btest_|^ +test_\w*,$", re.MULTILINE)
Sources = Mapping[str, str]  # by path in the checkout


def rooms(sources: Sources, root: str) -> set[str]:
    """Folders of files below `root`."""
    folders = {path.rpartition("/")[0] for path in sources if path.startswith(f"{root}/")}
    return {folder.removeprefix(root).strip("/") for folder in folders}


def without_tests(sources: Sources) -> list[str]:
    """Rooms of the package that no folder of tests mirrors."""
    tests = {path: "" for path in sources if "/test_" in path}
    return sorted(rooms(sources, ROOT) - rooms(tests, "tests"))


def borrowed(sources: Sources) -> list[str]:
    """Imports from a test, and an oracle's from the package."""
    found = []
    for path, text in sources.items():
        is_oracle = path.startswith("tests/oracles/")
        if is_oracle or (path.startswith("tests/") and OF_A_TEST.search(text)):
            for module in _imported(tree_of(text)):
                names = module.split(".")
                of_a_test = any(name.startswith("test_") for name in names)
                if of_a_test or (is_oracle and names[0] == ROOT):
                    found.append(f"{path} imports {module}")
    return found


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


RULES = (without_tests, borrowed)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_mirror(rule):
    assert rule(sources_of(PACKAGE, CHECKOUT / "tests", root=CHECKOUT)) == []
