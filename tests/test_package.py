"""The package itself: which names it shows, and what is imported with it."""

import ast
import importlib
from pathlib import Path

import pytest

import pairedperm
from interpreter import python

ROOMS = ("hf", "model_card", "readers", "scoring")


HEAVY = {"datasets", "evaluate", "huggingface_hub", "pandas", "pyarrow", "sacrebleu"}
HEAVY |= {"pairedperm.readers"}
MEMBERS = ("hf.compare_dataset", "model_card.update", "readers.read_runs", "scoring.metric")
CODE = f"""
import sys, pairedperm
print({HEAVY} & set(sys.modules))
for room, member in (name.split(".") for name in {MEMBERS}):
    for name in [*sys.modules]:  # no other room is imported yet
        if name.partition(".")[0] == "pairedperm":
            del sys.modules[name]
    import pairedperm
    print(getattr(getattr(pairedperm, room), member).__name__)
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Of one new interpreter, which takes a second."""
    light, *names = python("-c", CODE, cwd=tmp_path_factory.mktemp("new")).splitlines()
    return light, dict(zip(MEMBERS, names, strict=True))


def test_importing_is_light(printed):
    """Nor is anything of Hugging Face imported before it is needed."""
    assert printed[0] == "set()"


@pytest.mark.parametrize("name", MEMBERS)
def test_rooms_are_there(printed, name):
    assert printed[1][name].endswith(name.partition(".")[2])


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
