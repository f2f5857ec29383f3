"""What people read, as it was stored: one file a room, written by this script, read as a diff.

    python tests/snapshots.py results commands

A room's `said.py` has `SAID`: what is said, as a function without arguments, by a name. Its
`words.txt` holds the texts; `test_snapshots.py` asks that these are what is said.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parent
ROOMS = tuple(sorted(x.parent.name for x in TESTS.glob("*/said.py")))
_HEAD = "#### "


def said_of(room: str) -> dict[str, Callable[[], str]]:
    """What the room says, by name."""
    found: dict[str, Callable[[], str]] = importlib.import_module(f"{room}.said").SAID
    return found


def stored_of(room: str) -> dict[str, str]:
    """The texts of a room's file."""
    return read((TESTS / room / "words.txt").read_text(encoding="utf-8"))


def read(text: str) -> dict[str, str]:
    """The texts in a file."""
    parts = (x.partition("\n") for x in f"\n{text}".split(f"\n{_HEAD}")[1:])
    return {name: body.rstrip("\n") for name, _, body in parts}


def written(texts: dict[str, str]) -> str:
    """The file of these texts."""
    return "\n".join(f"{_HEAD}{name}\n{text.rstrip()}\n" for name, text in texts.items())


def main() -> None:
    sys.path.insert(0, str(TESTS))
    for room in sys.argv[1:] or ROOMS:
        texts = {name: say() for name, say in said_of(room).items()}
        (TESTS / room / "words.txt").write_text(written(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
