"""Documents of examples: when two are the same, and how a message shows two that differ."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, Parts, Words, printable, shown
from pairedperm.inputs.ids import Id
from pairedperm.readers.run import Run

_WIDTH = 78  # tuned: characters of a text in a message, beside the marks that it is cut
_BEFORE = 20  # tuned: how many of them stand before the first that differs


class Document(dict[str, Any]):
    """The parts of a document by name; it is the same as another if the parts that both have are.

    Logs of one tool need not hold the same parts, but some in common. One without parts is any.
    """

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if not (isinstance(other, dict) and self and other):
            return isinstance(other, dict)
        common = self.keys() & other.keys()
        return bool(common) and all(self[x] == other[x] for x in common)

    def __ne__(self, other: object) -> bool:
        return not self == other


def differ(entries: Sequence[Any]) -> bool:
    """Tell whether some entries differ; documents may also do so in parts that the first lacks."""
    if any(x != entries[0] for x in entries[1:]):
        return True
    if not (entries and isinstance(entries[0], Document)):
        return False
    parts = {name: part for x in reversed(entries) for name, part in x.items()}
    return any(x != parts for x in entries)


def both_sides(example: Id, runs: Sequence[Run], column: Sequence[Any]) -> Words:
    """Return a sentence with what two runs hold of an example, each from where it differs.

    `column` has what each of the runs holds: a document, or a hash of one, which is then read
    again. It is "" if their texts are the same.
    """
    given = [(run, x) for run, x in zip(runs, column, strict=True) if x is not None]
    pairs = combinations(given, 2)
    (run1, first), (run2, second) = next((x, y) for x, y in pairs if x[1] != y[1])
    with suppress(InputError, StopIteration):  # a file may have changed since it was read
        first = first if run1.document_of is None else run1.document_of(example)
        second = second if run2.document_of is None else run2.document_of(example)
    if isinstance(first, dict) and isinstance(second, dict):
        keys = [x for x in {**first, **second} if first.get(x) != second.get(x)]
        first, second = ({x: y[x] for x in keys if x in y} for y in (first, second))
    texts = [" ".join(str(x).split()) for x in (first, second)]
    if texts[0] == texts[1]:
        return ""
    start = max(0, len(os.path.commonprefix(texts)) - _BEFORE)  # noqa: RUF071, letters are meant
    one, two = (_cut(x, start) for x in texts)
    sides = f"{one} in ", File(run1.path), f"; {two} in ", File(run2.path)
    return Parts(f"Id {shown(example)}: ", *sides)


def _cut(text: str, start: int) -> str:
    """Return a part of a text, with marks where it is cut."""
    part = text[start : start + _WIDTH]
    return f"{'…' * (start > 0)}{printable(part)}{'…' * (start + _WIDTH < len(text))}"
