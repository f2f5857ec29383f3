"""Which names are shown; what is public is what the stored list says."""

import ast
import difflib
import importlib
import re
from pathlib import Path

import pytest

import pairedperm
import public
from pairedperm.commands.app import cli

ROOMS = ("hf", "model_card", "readers", "scoring")


def test_public_names_are_shown():
    assert dir(pairedperm) == sorted([*pairedperm.__all__, *ROOMS, "aggregators", "__version__"])
    assert all(hasattr(pairedperm, name) for name in dir(pairedperm))
    assert dir(pairedperm.hf) == sorted(pairedperm.hf.__all__)


@pytest.mark.parametrize("module", [pairedperm, pairedperm.hf])
def test_type_checkers_find_the_same_homes(module):
    """The imports for type checkers and the table for Python name the same modules."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    guarded = next(x for x in tree.body if isinstance(x, ast.If))
    seen = {x.asname: (y.module, x.name) for y in guarded.body for x in y.names}
    shown = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    assert seen.keys() == shown.keys()
    for name, (home, named) in seen.items():
        assert getattr(importlib.import_module(home), named) is shown[name]


@pytest.mark.parametrize("module", [pairedperm, pairedperm.hf])
def test_other_names_are_not_there(module):
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'cmp'"):
        module.cmp  # noqa: B018


def test_what_is_public_is_listed():
    """Whoever changes what the stored list says tells the users."""
    stored = public.LIST.read_text(encoding="utf-8").splitlines()
    found = public.listed().splitlines()
    changed = difflib.unified_diff(stored, found, "stored", "found", lineterm="", n=0)
    remedy = "add a line to .github/CHANGELOG.md, and run python tests/public.py"
    assert not [*changed], remedy


def test_the_changelog_names_what_there_is():
    """On one screen: the names of the package and of what it loads, and the commands."""
    text = (public.CHECKOUT / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")
    names = {*pairedperm.__all__, *ROOMS, "aggregators", *cli.commands}
    names |= {
        name
        for room in ("hf", "readers", "plots")
        for name in public.names_of(public.found(f"pairedperm.{room}"))
    }
    assert names - {*re.findall(r"`(\w+)[`(]", text)} == set()
    assert text.count("\n") <= 60
