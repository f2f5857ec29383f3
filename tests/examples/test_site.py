"""The site has a place for every public name; its build in `.ci/run` says what else holds."""

import re

from public import CHECKOUT, ROOMS, found, names_of

REFERENCE = CHECKOUT / "examples" / "guide" / "reference"
AGREED = {"pairedperm.scoring.ZeroOne"}  # the former name of another one


def placed():
    """The names that the pages of reference take docstrings of."""
    for path in sorted(REFERENCE.iterdir()):
        module = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            directive, _, name = line.removeprefix(".. ").partition(":: ")
            if directive == "currentmodule":
                module = name
            elif directive.startswith("auto"):
                yield re.sub(r"\(\)$", "", name if "." in name else f"{module}.{name}")


def test_every_public_name_has_a_place():
    rooms = [f"pairedperm.{room}".rstrip(".") for room in ROOMS]
    public = {f"{room}.{name}" for room in rooms for name in names_of(found(room))}
    names = [*placed()]
    assert len(names) == len({*names})
    assert public - {*names} == AGREED
