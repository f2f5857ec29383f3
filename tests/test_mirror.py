"""The tests mirror the house: a folder for each room, and what the tests may know of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from trees import CHECKOUT, PACKAGE, sources_of, tree_of

ROOT = "pairedperm"
SET_BY_NAME = {"getattr", "setattr", "delattr", "object", "patch"}  # the last two of mock
SUSPECT = re.compile(  # a private name that is not bound here, or that of a test in an import
    r"[.'\"]_[A-Za-z]|\bimport .*\b(?:_[A-Za-z]|test_)|\bfrom .*\btest_"
    r"|^ +(?:_[A-Za-z]|test_)\w*,$",
    re.MULTILINE,
)
DOCUMENTED = {"sys._getframe", "os._exit"}

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
        if path.startswith("tests/"):
            is_oracle = path.startswith("tests/oracles/")
            for module in _named(text, is_oracle=is_oracle)[0]:
                names = module.split(".")
                of_a_test = any(name.startswith("test_") for name in names)
                if of_a_test or (is_oracle and names[0] == ROOT):
                    found.append(f"{path} imports {module}")
    return found


@cache  # of most files without a parse, which takes the time
def _named(text: str, *, is_oracle: bool) -> tuple[list[str], list[tuple[int, str]]]:
    """What a file imports, and its private names; nothing if neither can break a rule."""
    if not is_oracle and not SUSPECT.search(text):
        return [], []
    tree = tree_of(text)
    return [*_imported(tree)], [*_private(tree)]


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def pried(sources: Sources) -> list[str]:
    """Names with an underscore that a test reads or sets outside its own room."""
    found = []
    for path, text in sources.items():
        if path.startswith("tests/"):
            room = ROOT + path.rpartition("/")[0].removeprefix("tests") + "/"
            files = (room, f"{room[:-1]}.py")  # a room can be a file
            own = "\n".join(source for name, source in sources.items() if name.startswith(files))
            found += [
                f"{path}:{line} {name}"
                for line, name in _named(text, is_oracle=path.startswith("tests/oracles/"))[1]
                if not re.search(rf"\b{name}\b", own) or room == f"{ROOT}/"
            ]
    return found


def _private(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Attributes, imports, and strings that name an attribute; of `self` they are one's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            owner = ast.unparse(node.value)
            if owner not in ("self", "cls") and f"{owner}.{node.attr}" not in DOCUMENTED:
                yield from _if_private(node.lineno, node.attr)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield from _if_private(node.lineno, alias.name)
        elif isinstance(node, ast.Call) and _called(node.func) in SET_BY_NAME:
            for argument in node.args[:2]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield from _if_private(node.lineno, argument.value.rpartition(".")[2])


def _called(function: ast.expr) -> str:
    """The last name of what is called; the result of another call has none."""
    return getattr(function, "attr", "") or getattr(function, "id", "")


def _if_private(line: int, name: str) -> Iterator[tuple[int, str]]:
    if re.match(r"_[A-Za-z]", name):
        yield line, name


RULES = (without_tests, borrowed, pried)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_mirror(rule):
    assert rule(sources_of(PACKAGE, CHECKOUT / "tests", root=CHECKOUT)) == []
