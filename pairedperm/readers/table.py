"""The reader of tables: JSON Lines, CSV, TSV, Parquet and datasets."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors.wording import Parts, Setting, counted, describe, printable, shown
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.lattice import are_decimals
from pairedperm.readers.run import IS_NUMBER, Run
from pairedperm.readers.text_file import TextFile, reading
from pairedperm.scoring.merging import float_column

CSV, TSV = "csv", "tsv"
JSONL, PARQUET, DATASET = "jsonl", "parquet", "dataset"
TABLES = (JSONL, CSV, TSV, PARQUET, DATASET)
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
_LONGEST = 2**31 - 1  # proof: the largest cell, in characters, that the csv module can allow
_IS_WHOLE = re.compile(r"[+-]?\d{1,18}", re.A)
_IS_NAN = re.compile(r"\s*|nan|none|null|na", re.I | re.A)

ColumnLists = Mapping[str, list[Any]]


class ColumnNames(NamedTuple):
    """The names of the columns of a table."""

    id: str = "id"
    prediction: str = "prediction"
    reference: str = "reference"
    score: tuple[str, ...] = ("score",)
    group: str = "group"

    @property
    def named(self) -> list[tuple[str, str]]:
        """The columns of a run that the caller named: each with its option."""
        given = {"prediction": self.prediction, "group": self.group}
        named = [(x, y) for x, y in given.items() if y != self._field_defaults[x]]
        if self.score != self._field_defaults["score"]:
            named += [("score", x) for x in self.score]
        return named

    @property
    def all(self) -> tuple[str, ...]:
        """All names, each once."""
        some = (self.id, self.prediction, self.reference, *self.score, self.group)
        return tuple(dict.fromkeys(some))


def read_dataset(dataset: Any, name: str, names: ColumnNames) -> Run:
    """Read the run in a `datasets.Dataset`, which was given as the argument `name`.

    Raises
    ------
    InputError
        For the reasons of `read_table`.
    """
    return read_table(TextFile(name, Path(f"the dataset {name}")), DATASET, names, dataset)


def read_table(file: TextFile, kind: str, names: ColumnNames, dataset: Any = None) -> Run:
    """Read the run in a file, or in the dataset that messages call so.

    Raises
    ------
    InputError
        If it cannot be read, has no rows or no ids, or has neither predictions nor scores; if a
        column that the caller named is missing.
    """
    table, there = _COLUMN_READERS[kind](file if dataset is None else dataset, names)
    _check_named(file, names, {*there, *(x for x, y in table.items() if any(y))})
    if kind in TYPELESS:  # an empty cell is a missing entry
        texts = (names.prediction, names.reference, names.group)
        table |= {x: [y or None for y in table[x]] for x in texts if x in table}
    if table and not any(table.values()):
        raise file.error("has no rows", remedy="at least one example is needed")
    table = {column: x for column, x in table.items() if any(y is not None for y in x)}
    has = f"It has {printable(', '.join(map(shown, there)), 300)}."
    if names.id not in table:
        hint = "Is it split at semicolons? Split it at commas, or at tabs in a .tsv file."
        remedy = Parts("Name the column that identifies an example, ", Setting("id", "…"))
        more = hint if len(there) == 1 and ";" in there[0] else ""
        what = f"has no column {shown(names.id)}, by which examples are matched"
        raise file.error(what, remedy=(has, remedy, more))
    scores = {x: table[x] for x in names.score if x in table}
    if not scores and names.prediction not in table:
        wanted = ", ".join(map(shown, (names.prediction, *names.score)))
        remedy = Parts("Name the column of references, ", Setting("reference", "…"))
        if names.score:
            one, two = Setting("prediction", "…"), Setting("score", "…")
            remedy = Parts("Name the column of predictions, ", one, ", or that of scores, ", two)
        lacks = "nothing in" if {names.prediction, *names.score} & {*there} else "none of"
        raise file.error(f"has {lacks} {wanted}", remedy=(has, remedy))
    ids = _checked_ids(file, table[names.id])
    for what, column in scores.items():
        numbers = [*map(_number_in, column)] if kind in TYPELESS else column
        scores[what] = _checked_numbers(file, what, ids, numbers)
    return Run(
        path=file.path,
        format=kind,
        ids=ids,
        scores=scores,
        predictions=table.get(names.prediction),
        references=table.get(names.reference),
        groups=table.get(names.group),
    )


def _check_named(file: TextFile, names: ColumnNames, there: Collection[str]) -> None:
    """Raise InputError if a column is missing that the caller has named."""
    if not names.score:  # a table of references
        return
    for option, column in names.named:
        if column not in there:
            what = f"has no column {shown(column)}, ", Setting(option, "…")
            has = f"It has {printable(', '.join(map(shown, sorted(there))), 300)}."
            raise file.error(*what, remedy=has)


def _of_json_lines(file: TextFile, names: ColumnNames) -> tuple[ColumnLists, list[str]]:
    table: dict[str, list[Any]] = {name: [] for name in names.all}
    there: dict[str, None] = {}
    for _, rows in file.batches():
        there.update(dict.fromkeys(rows[0]))
        for name, column in table.items():
            column += _values_at(rows, name)
    return table, [*there]


def _values_at(rows: list[Any], name: str) -> list[Any]:
    """Return each object's entry under a name, or None if it has none."""
    try:
        return [*map(itemgetter(name), rows)]  # takes half the time
    except KeyError:
        return [row.get(name) for row in rows]


def _of_delimited(file: TextFile, names: ColumnNames, kind: str) -> tuple[ColumnLists, list[str]]:
    with _long_cells():
        rows = _rows(file, kind)
        _, header = next(rows)
        twice = next((x for x in header if header.count(x) > 1), None)
        if twice is not None:
            what = f"has two columns {shown(twice)}"
            raise file.error(what, line=1, remedy="Name each column once.")
        if kind == TSV:
            _check_unquoted(file, [x for x in header if len(x) > 1 and x[0] == x[-1] == '"'])
        if names.id not in header:
            return {}, header
        wanted = [(header.index(name), name) for name in names.all if name in header]
        columns: dict[str, list[str]] = {name: [] for _, name in wanted}
        adders = [(place, columns[name].append) for place, name in wanted]
        for line, row in rows:
            if len(row) != len(header):
                what = f"has {counted(len(row), 'cell')}, and the header {len(header)}"
                raise file.error(what, line=line, remedy=_REMEDIES_OF_ROWS[kind])
            for place, add in adders:
                add(row[place])
    if kind == TSV:
        for column in columns.values():
            for pattern in (IS_QUOTED, _HAS_COMMA):
                _check_unquoted(file, [*filter(pattern.fullmatch, column)])
    return columns, header


def _rows(file: TextFile, kind: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that is not blank, and the number of its first line."""
    rows, line = csv.reader(file.lines(newline=""), **_DIALECTS[kind], strict=True), 1
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


def _of_parquet(file: TextFile, names: ColumnNames) -> tuple[ColumnLists, list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    n_bytes = file.check()
    try:
        with pq.ParquetFile(file.file) as opened:
            there = opened.schema_arrow.names
            wanted = [x for x in names.all if x in there]
            n_groups = opened.num_row_groups
            with reading(file.path, n_bytes) as bar:
                parts = []
                for k in range(n_groups):
                    parts.append(opened.read_row_group(k, columns=wanted))
                    bar.update(n_bytes / n_groups)
            whole = pa.concat_tables(parts) if parts else opened.read(columns=wanted)
            table = _of_arrow(whole, names)
    except (pa.ArrowException, OSError, ValueError) as error:  # a ValueError: texts not in UTF-8
        remedy = "Give a whole Parquet file."
        raise file.error("cannot be read: ", file.in_words(error), remedy=remedy) from error
    return table, there


def _of_dataset(dataset: Any, names: ColumnNames) -> tuple[ColumnLists, list[str]]:
    from datasets import ClassLabel

    there = dataset.column_names
    wanted = [x for x in names.all if x in there]
    table = dict(_of_arrow(dataset.select_columns(wanted).with_format("arrow")[:], names))
    for name in wanted:
        feature = dataset.features[name]
        if isinstance(feature, ClassLabel):
            names_of = [*feature.names, None]  # the last entry is for -1, no label
            table[name] = [None if x is None else names_of[x] for x in table[name]]
    return table, there


def _of_arrow(table: Any, names: ColumnNames) -> ColumnLists:
    """Return the columns as lists; narrow floats become the decimals that they print as.

    Narrow scores that are no decimals keep their type, which tells how far off they are.
    """
    lists = {}
    for name in table.column_names:
        column = table.column(name)
        if str(column.type) not in ("float", "halffloat"):
            lists[name] = column.to_pylist()
            continue
        scores = column.to_numpy()
        is_real = name in names.score and not are_decimals(scores[~np.isnan(scores)])
        lists[name] = [*scores] if is_real else float_column(name, scores).tolist()
    return lists


_COLUMN_READERS: Mapping[str, Any] = {
    JSONL: _of_json_lines,
    CSV: lambda file, names: _of_delimited(file, names, CSV),
    TSV: lambda file, names: _of_delimited(file, names, TSV),
    PARQUET: _of_parquet,
    DATASET: _of_dataset,
}


def _checked_ids(file: TextFile, ids: list[Any]) -> list[Any]:
    """Return the ids if all are integers or texts that are not empty."""
    if {*map(type, ids)} <= {int, str} and "" not in ids:
        return ids
    number, value = next(
        (k, x) for k, x in enumerate(ids, 1) if type(x) not in (int, str) or x == ""
    )
    what = "has ", describe(value), f" as the id of example {number}"
    raise file.error(*what, remedy="An id is an integer or a text.")


def _checked_numbers(file: TextFile, what: str, ids: Sequence[Any], column: list[Any]) -> list[Any]:
    """Return a column of scores: numbers, or None or NaN for a missing score."""
    if {*map(type, column)} <= {int, float, bool, type(None)}:
        return column
    for example, value in zip(ids, column, strict=True):
        is_number = isinstance(value, (int, float, np.number, Decimal))
        if not is_number and not is_missing(value):
            of_id = f" for id {shown(example)}, but a score is a number"
            other = Parts("Name another column, ", Setting("score", "…"))
            raise file.error(f"has the {what} ", describe(value), of_id, remedy=other)
    return column


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
