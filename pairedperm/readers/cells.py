"""Cells of CSV and TSV files, which are all texts: the numbers that they spell, and their types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, shown
from pairedperm.readers.delimited import QUOTED, TSV, TYPELESS, UNQUOTED
from pairedperm.readers.run import IS_NUMBER, Run

_IS_WHOLE = re.compile(r"[+-]?\d{1,18}", re.A)
_IS_NAN = re.compile(r"\s*|nan|none|null|na", re.I | re.A)
_IS_QUOTED = re.compile('"[^"]+"')
_IS_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.A)


def numbers_in(cells: list[str]) -> list[Any]:
    """Return the number that each cell spells, as `_number_in` reads it."""
    numbers = {x: _number_in(x) for x in {*cells}}
    return [*map(numbers.__getitem__, cells)]


def _number_in(cell: str) -> Any:
    """Return the number that a cell spells, None if it is empty, or else its text."""
    text = cell.strip()
    if _IS_WHOLE.fullmatch(text):
        return int(text)
    if IS_NUMBER.fullmatch(text):
        return float(text)
    if text in ("True", "False"):  # as pandas writes them
        return int(text == "True")
    return None if _IS_NAN.fullmatch(text) else cell


def check_quotes_of_tsv(runs: Sequence[Run]) -> None:
    """Raise InputError if a TSV quotes a text that stands elsewhere without quotes."""
    for run in runs:
        quoted = [x for x in _texts(run) if _IS_QUOTED.fullmatch(x)] if run.format == TSV else []
        plain = {x for other in runs for x in _texts(other)} if quoted else set()
        for cell in quoted:
            if cell[1:-1] in plain:
                what = f" has the cell {shown(cell)}, {QUOTED}"
                raise InputError(File(run.path), what, remedy=UNQUOTED)


def _texts(run: Run) -> Iterator[str]:
    """Yield the texts of a run that are compared for equality."""
    for column in (run.predictions, run.references, run.groups):
        yield from (str(x) for x in column or () if x is not None)


def in_one_type(runs: Sequence[Run]) -> list[Run]:
    """Read cells of CSV as integers if the other runs have integers there."""
    for keys in (("ids",), ("predictions", "references"), ("groups",)):
        typed = (getattr(run, key) for run in runs if run.format not in TYPELESS for key in keys)
        kinds = set().union(*(map(type, column or ()) for column in typed))
        if int in kinds and str not in kinds:
            runs = [
                replace(run, **{key: _integers(getattr(run, key)) for key in keys})
                if run.format in TYPELESS
                else run
                for run in runs
            ]
    return [*runs]


def _integers(cells: list[Any] | None) -> Any:
    """Return the cells as integers if each is written as Python writes an integer."""
    if cells is None or not all(isinstance(x, str) and _IS_INTEGER.fullmatch(x) for x in cells):
        return cells
    return [*map(int, cells)]
