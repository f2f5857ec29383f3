"""Names: a public one stands once in the package, a private one once in a room; all are told."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import defaultdict

import pytest

from trees import sources_of, tree_of

COMMAND, NULL = "a command and its function", "the two null models"
SIDE = "rooms that do not import each other"
TWICE = {  # why a public name stands in two files; may not grow
    **dict.fromkeys(("compare", "gate", "noise", "power", "preference", "register"), COMMAND),
    **dict.fromkeys(("MONTE_CARLO", "MonteCarlo", "RealMeans", "problem_of", "run"), NULL),
    **dict.fromkeys(("FloatArray", "IntArray"), SIDE),
}


def names_of(tree: ast.Module) -> set[str]:
    """What a file defines: functions, classes, constants."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                x.id for target in targets for x in ast.walk(target) if isinstance(x, ast.Name)
            }
    return {name for name in names if not name.startswith("__")}


def places() -> dict[tuple[str, str], list[str]]:
    """The files of each name; a private name is another one in each room."""
    there = defaultdict(list)
    for path, text in sources_of().items():
        for name in names_of(tree_of(text)):
            there[path.split("/")[0] if name.startswith("_") else "", name].append(path)
    return {name: paths for name, paths in there.items() if len(paths) > 1}


def test_public_names():
    assert {name for room, name in places() if not room} == TWICE.keys()


def test_private_names():
    assert {name: paths for (room, name), paths in places().items() if room} == {}


@pytest.mark.parametrize("path", [path for path in sources_of() if not path.startswith("__main__")])
def test_docstrings(path):
    """A public method without one overrides a method that has one, which `help` shows."""
    name = ".".join(["pairedperm", *path.removesuffix(".py").split("/")]).removesuffix(".__init__")
    module = importlib.import_module(name)
    for owner in vars(module).values():
        if inspect.isclass(owner) and owner.__module__ == name and owner.__name__[0] != "_":
            methods = [x for x in vars(owner) if not x.startswith("_")]
            assert [
                x
                for x in methods
                if callable(getattr(owner, x)) and not inspect.getdoc(getattr(owner, x))
            ] == []
