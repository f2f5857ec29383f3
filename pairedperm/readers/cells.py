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
_SPELLINGS = (  # by Python, by Excel and R, by JSON and SQL
    *({"True": True, "False": False}, {"TRUE": True, "FALSE": False}),
    {"true": True, "false": False},
)


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
    for spelling in _SPELLINGS:
        if text in spelling:
            return int(spelling[text])
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
    """Read cells of CSV as integers or truth values if the other runs have such there.

    If all cells there are truth values, and not all columns spell them alike, they are read too.
    """
    for keys in (("ids",), ("predictions", "references"), ("groups",)):
        kinds, spelled = set[type](), set[int | None]()
        for run in runs:
            for column in (getattr(run, key) or () for key in keys):
                if run.format not in TYPELESS:
                    kinds |= {*map(type, column)}
                elif column:
                    spelled.add(_spelling(column))
        if str in kinds or not (kinds & {int, bool} or (len(spelled) > 1 and None not in spelled)):
            continue
        runs = [
            replace(run, **{key: _in_type(getattr(run, key)) for key in keys})
            if run.format in TYPELESS
            else run
            for run in runs
        ]
    return [*runs]


def _spelling(cells: Sequence[Any]) -> int | None:
    """Return which way of spelling truth values all cells have, or None if they are others."""
    each = enumerate(_SPELLINGS)
    return next((k for k, words in each if all(x is None or x in words for x in cells)), None)


def _in_type(cells: list[Any] | None) -> Any:
    """Return the cells as integers or truth values if all are such, as programs write them."""
    if cells is None:
        return None
    if all(x is None or _IS_INTEGER.fullmatch(x) for x in cells):
        return [None if x is None else int(x) for x in cells]
    spelling = _spelling(cells)
    return cells if spelling is None else [*map(_SPELLINGS[spelling].get, cells)]
