"""The columns of a table and its index, and the rows of CSV and TSV, whose cells are all texts."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, Parts, Words, counted, printable, shown
from pairedperm.readers.text_file import TextFile

MANY_ROWS = 512  # tuned: rows that are read at once; Python looks for garbage after 700
CSV, TSV = "csv", "tsv"
TYPELESS = (CSV, TSV)  # formats whose cells are all texts
_DIALECTS: Mapping[str, Any] = {
    CSV: {"delimiter": ","},
    TSV: {"delimiter": "\t", "quoting": csv.QUOTE_NONE},  # as IANA's text/tab-separated-values
}
_REMEDIES_OF_ROWS = {
    CSV: "Quote cells that hold a delimiter or a line's end.",
    TSV: "In TSV every line is a row. If cells hold tabs or line ends, save the table as CSV.",
}
QUOTED = "quoted as in CSV, but TSV has no quotes"
UNQUOTED = "Write it without quotes, or save it as CSV."
IS_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)+"')  # a cell that CSV has quoted: inner quotes doubled
_HAS_COMMA = re.compile(r'"[^",]*,[^"]*"')  # Excel quotes such cells also between tabs
_INDEX = "__index_level_0__", "Unnamed: 0"  # of pandas, in Parquet; in CSV that it read and wrote
_LONGEST = 2**31 - 1  # proof: the largest cell, in characters, that the csv module can allow


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
    header = read_header(file, kind)
    if names[0] not in header:
        return {}, header
    with _long_cells():
        columns = {x: Column(is_id=x == names[0]) for x in names if x in header}
        wanted = [(header.index(name), column) for name, column in columns.items()]
        for rows in _batches(file, kind, len(header)):
            cells = [*zip(*rows, strict=True)]
            for place, column in wanted:
                column.add(cells[place])
    if kind == TSV:
        for column in columns.values():
            for pattern in (IS_QUOTED, _HAS_COMMA):
                _check_unquoted(file, [*filter(pattern.fullmatch, column)])
    return {**columns}, header


def read_header(file: TextFile, kind: str) -> list[str]:
    """Return the names of the columns; raise InputError if two are the same."""
    with _long_cells():
        _, header = next(_rows(file, kind))
    check_named_once(file, header, line=1)
    if kind == TSV:
        _check_unquoted(file, [x for x in header if len(x) > 1 and x[0] == x[-1] == '"'])
    return header


def check_named_once(file: TextFile, names: Sequence[str], line: int | None = None) -> None:
    """Raise InputError if two columns, which a line names, have one name."""
    twice = next((x for x in names if names.count(x) > 1), None)
    if twice is not None:
        what = f"has two columns {shown(twice)}"
        raise file.error(what, line=line, remedy="Name each column once.")


def index_column(there: Sequence[str], metadata: Mapping[str, Any] | None = None) -> str | None:
    """Return the column that holds the index, or None if there is none, or one of several columns.

    `metadata` is what pandas writes into Parquet.
    """
    told = [x for x in (metadata or {}).get("index_columns", ()) if x in there]
    if told:
        return told[0] if len(told) == 1 else None
    if there and there[0] == "" and there.count("") == 1:  # in CSV
        return ""
    return next((x for x in _INDEX if x in there), None)


def note_on_index(path: str, column: str, ids: Sequence[Any]) -> Words:
    """Say that the ids are those of the index, and whether it only counts the rows."""
    which = f"column {shown(column)}" if column else "the first column, which has no name"
    counts = all(str(x) == str(k) for k, x in enumerate(ids))
    only = "; they count its rows, so check that all files have the same order" if counts else ""
    return Parts("the ids of ", File(path), f" are {which}, the index of pandas{only}")


def _cells(file: TextFile, kind: str) -> Any:
    """Return the csv module's reader of a table."""
    return csv.reader(file.lines(newline=""), **_DIALECTS[kind], strict=True)


def _batches(file: TextFile, kind: str, width: int) -> Iterator[list[list[str]]]:
    """Yield the rows below the header, many at a time.

    Raises
    ------
    InputError
        If the file cannot be read, or a row has more or fewer cells than the header.
    """
    rows = filter(None, _cells(file, kind))  # without blank lines
    try:
        next(rows)
        while some := [*islice(rows, MANY_ROWS)]:
            if {*map(len, some)} != {width}:
                raise _first_error(file, kind, width)
            yield some
    except (csv.Error, InputError) as error:
        raise _first_error(file, kind, width) from error


def _first_error(file: TextFile, kind: str, width: int) -> InputError:
    """Return the error of the first row that is wrong, with its line; read them one by one."""
    try:
        for line, row in _rows(file, kind):
            if len(row) != width:
                what = f"has {counted(len(row), 'cell')}, and the header {width}"
                return file.error(what, line=line, remedy=_REMEDIES_OF_ROWS[kind])
    except InputError as error:
        return error
    return file.error("was changed while it was read", remedy="Read it again.")


def _rows(file: TextFile, kind: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that is not blank, and the number of its first line."""
    rows, line = _cells(file, kind), 1
    try:
        for row in rows:
            if row:
                yield line, row
            line = rows.line_num + 1
    except csv.Error as error:
        what = f"is no line of a table: {printable(str(error))}"
        remedy = "Close each quote, and double one inside quotes."
        raise file.error(what, line=line, remedy=remedy) from error


def _check_unquoted(file: TextFile, quoted: Sequence[str]) -> None:
    """Raise InputError if a TSV has cells that were quoted as in CSV, which would be misread."""
    if quoted:
        raise file.error(f"has the cell {shown(quoted[0])}, {QUOTED}", remedy=UNQUOTED)


@contextmanager
def _long_cells() -> Iterator[None]:
    """Let the csv module read cells of any length: answers of models are long."""
    before = csv.field_size_limit(_LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(before)
