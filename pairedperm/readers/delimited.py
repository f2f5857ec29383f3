"""The columns of a table, and the rows of CSV and TSV, whose cells are all texts."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from pairedperm.errors import counted, printable, shown
from pairedperm.readers.read_options import CSV, TSV
from pairedperm.readers.run import IS_NUMBER, Run
from pairedperm.readers.text_file import TextFile

MANY_ROWS = 512  # tuned: rows that are read at once; Python looks for garbage after 700
TYPELESS = (CSV, TSV)  # formats whose cells are all texts
_DIALECTS: Mapping[str, Any] = {
    CSV: {"delimiter": ","},
    TSV: {"delimiter": "\t", "quoting": csv.QUOTE_NONE},  # as IANA's text/tab-separated-values
}
_REMEDIES_OF_ROWS = {
    CSV: "Quote cells that hold a delimiter or a line's end.",
    TSV: "In TSV every line is a row. If cells hold tabs or line ends, save the table as CSV.",
}
_OF_R = "If it is of R, write it by write.csv(x, file, row.names = FALSE)."
_LONGEST = 2**31 - 1  # proof: the largest cell, in characters, that the csv module can allow
_IS_WHOLE = re.compile(r"[+-]?\d{1,18}", re.A)
_IS_NAN = re.compile(r"\s*|nan|none|null|na", re.I | re.A)
_IS_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.A)


class Column(list[Any]):
    """The entries of a column; texts that are equal are one object, if few are distinct.

    Such a column takes less memory, and is put into another order faster. Ids are all distinct.
    """

    def __init__(self, *, is_id: bool) -> None:
        super().__init__()
        self._is_id = is_id
        self._texts: dict[str, str] = {}

    def add(self, values: Sequence[Any]) -> None:
        """Add some entries."""
        if not self._is_id and {*map(type, values)} == {str}:
            if len(self._texts) > MANY_ROWS:
                self._texts.clear()
            values = [*map(self._texts.setdefault, values, values)]
        self += values


def read_delimited(
    file: TextFile, kind: str, names: Sequence[str]
) -> tuple[dict[str, list[Any]], list[str]]:
    """Return the columns of these names, of which the first is that of ids, and the header.

    Without ids there are no columns.

    Raises
    ------
    InputError
        If the file cannot be read, or is no table of the kind.
    """
    header = _read_header(file, kind)
    if names[0] not in header:
        return {}, header
    columns = {x: Column(is_id=x == names[0]) for x in names if x in header}
    wanted = [(header.index(name), column) for name, column in columns.items()]
    rows = islice(_rows(file, kind), 1, None)
    while some := [*islice(rows, MANY_ROWS)]:
        cells = [*zip(*some, strict=True)]
        for place, column in wanted:
            column.add(cells[place])
    return {**columns}, header


def _read_header(file: TextFile, kind: str) -> list[str]:
    """Return the names of the columns; raise InputError if two are the same."""
    header = next(_rows(file, kind))
    check_named_once(file, header, line=1)
    return header


def check_named_once(file: TextFile, names: Sequence[str], line: int | None = None) -> None:
    """Raise InputError if two columns, which a line names, have one name."""
    twice = next((x for x, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        what = f"has two columns {shown(twice)}"
        raise file.error(what, line=line, remedy="Name each column once.")


def _rows(file: TextFile, kind: str) -> Iterator[list[str]]:
    """Yield the cells of the header, and of each row that is not blank.

    Raises
    ------
    InputError
        If the file cannot be read, or a row has more or fewer cells than the header.
    """
    csv.field_size_limit(_LONGEST)  # of all threads: to set it back would stop another reader
    rows, line, width = csv.reader(file.lines(newline=""), **_DIALECTS[kind], strict=True), 1, 0
    try:
        for row in rows:
            width = width or len(row)
            if len(row) not in (0, width):
                what = f"has {counted(len(row), 'cell')}, and the header {width}"
                of_r = _OF_R if len(row) == width + 1 else ""  # the names of rows have no column
                raise file.error(what, line=line, remedy=(_REMEDIES_OF_ROWS[kind], of_r))
            if row:
                yield row
            line = rows.line_num + 1
    except csv.Error as error:
        what = f"is no line of a table: {printable(str(error))}"
        remedy = "Close each quote, and double one inside quotes.", _OF_R if line == 1 else ""
        raise file.error(what, line=line, remedy=remedy) from error


def hint_on_header(header: Sequence[str], kind: str) -> str:
    """Say what may be wrong with a table whose header lacks a column."""
    if len(header) == 1 and ";" in header[0]:
        return "Is it split at semicolons? Split it at commas, or at tabs in a .tsv file."
    if kind == TSV and all(x[:1] == x[-1:] == '"' for x in header):
        return f"In TSV a quote is a character. {_OF_R}"
    return _OF_R if kind in TYPELESS and len(header) == 1 and " " in header[0] else ""


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
    return None if _IS_NAN.fullmatch(text) else cell


def in_one_type(runs: Sequence[Run]) -> list[Run]:
    """Read cells of CSV as integers if the other runs have integers or truth values there."""
    for keys in (("ids",), ("predictions", "references"), ("groups",)):
        kinds = {
            type(x)
            for run in runs
            if run.format not in TYPELESS
            for key in keys
            for x in getattr(run, key) or ()
        }
        if str in kinds or not kinds & {int, bool}:
            continue
        runs = [
            replace(run, **{key: _in_type(getattr(run, key)) for key in keys})
            if run.format in TYPELESS
            else run
            for run in runs
        ]
    return [*runs]


def _in_type(cells: list[Any] | None) -> Any:
    """Return the cells as integers if all are such, as programs write them."""
    if cells is None or not all(x is None or _IS_INTEGER.fullmatch(x) for x in cells):
        return cells
    return [None if x is None else int(x) for x in cells]
