"""The reader of tables: JSON Lines, CSV, TSV, Parquet, datasets and frames.

Cells of CSV and TSV are all texts. In a wide table each column of scores is of a system.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pairedperm.errors import counted, describe, first_of, printable, shown, shown_path
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.files import pyarrow_for
from pairedperm.inputs.lattice import are_decimals
from pairedperm.readers.aggregates import LARGEST, ROUNDING, float_mean, n_digits, rounding_of
from pairedperm.readers.files import (
    CSV,
    DATASET,
    JSONL,
    MEASURES,
    PARQUET,
    TSV,
    Object,
    ReadOptions,
    TextFile,
    value_at,
)
from pairedperm.readers.log import IS_NUMBER, Run, in_one_line, without_examples
from pairedperm.readers.parquet import columns_in_parts
from pairedperm.scoring.merging import float_column

TYPELESS = (CSV, TSV)  # formats whose cells are all texts
_DIALECTS: Mapping[str, Any] = {
    CSV: {"delimiter": ","},
    TSV: {"delimiter": "\t", "quoting": csv.QUOTE_NONE},  # as IANA's text/tab-separated-values
}
_REMEDIES_OF_ROWS = {
    CSV: "Quote cells that hold a delimiter or a line's end.",
    TSV: "In TSV every line is a row. If cells hold tabs or line ends, save the table as CSV.",
}
_LONGEST = 2**31 - 1  # proof: the largest cell, in characters, that the csv module can allow
_IS_WHOLE = re.compile(r"[+-]?\d{1,18}", re.A)
_IS_NAN = re.compile(r"\s*|nan|none|null|na", re.I | re.A)
_IS_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.A)


def check_named_once(file: TextFile, names: Sequence[str], line: int | None = None) -> None:
    """Raise InputError if two columns, which a line names, have one name."""
    twice = next((x for x, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        what = f"has two columns {shown(twice)}"
        raise file.error(what, line=line, remedy="Name each column once.")


def _cells(file: TextFile, kind: str) -> Iterator[list[str]]:
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
                raise file.error(what, line=line, remedy=_REMEDIES_OF_ROWS[kind])
            if row:
                yield row
            line = rows.line_num + 1
    except csv.Error as error:
        what = f"is no line of a table: {printable(str(error))}"
        remedy = "Close each quote, and double one inside quotes."
        raise file.error(what, line=line, remedy=remedy) from error


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
    for keys in (("ids",), ("predictions", "references"), ("groups",), ("slices",)):
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


_GAP = r"[\W_]*"  # between the words of a name, and around them
_SUM = (  # names of rows that sum up the others
    rf"((grand|macro|micro|overall|samples|weighted){_GAP})?"
    rf"(all|a?mean|average|avg|overall|sum|summary|totals?)({_GAP}scores?)?"
)
_BESIDE = (  # names of rows that stand beside one
    rf"accuracy|count|g(eo)?{_GAP}m(ean)?|max|median|min|n|sd|sem?|stdev|25|50|75|"
    rf"(std|standard)({_GAP}(dev(iation)?|err(or)?))?"
)
_SUMS_UP = re.compile(f"{_GAP}({_SUM}){_GAP}", re.I)
_MAY_SUM_UP = re.compile(f"{_GAP}({_SUM}|{_BESIDE}){_GAP}", re.I)
ColumnLists = dict[str, list[Any]]
_OF_A_SYSTEM = "value"  # what cells of a wide table are called: it tells no direction


_Columns = tuple[ColumnLists, Sequence[str]]  # those that were read, by name; and the names of all


def is_stored(given: Any) -> bool:
    """Tell whether this is a `datasets.Dataset`, a frame or an Arrow table: no file, no stream."""
    of_a_dataset = "column_names", "features", "select_columns", "__len__"
    if not hasattr(given, "columns"):
        return all(hasattr(given, x) for x in of_a_dataset)
    return hasattr(given, "iloc") or hasattr(given, "__arrow_c_stream__")  # pandas, or another


def read_stored(given: Any, name: str, names: ReadOptions) -> Run:
    """Read the run in a dataset, frame or Arrow table, which was given as the argument `name`.

    Raises
    ------
    InputError
        If Arrow does not take it, and for the reasons of `read_table`.
    """
    if hasattr(given, "features"):
        return read_table(TextFile(name, Path(f"the dataset {name}")), DATASET, names, given)
    pa = pyarrow_for("a frame")
    file = TextFile(name, Path(f"the table {name}"))
    try:
        if hasattr(given, "iloc"):  # the index of pandas may be the ids
            table = pa.Table.from_pandas(given.rename(columns=str), preserve_index=True)
        else:
            table = pa.table(given)
    except (pa.ArrowException, TypeError, ValueError) as error:
        what = f"is no table of Arrow: {printable(' '.join(map(str, error.args)))}"
        remedy = "Give each column one type, and a name of its own."
        raise file.error(what, remedy=remedy) from error
    check_named_once(file, table.column_names)
    return read_table(file, DATASET, names, table)


def runs_of(run: Run, names: ReadOptions) -> list[Run]:
    """Return the run of a table, or of a wide one that of each system, a column of scores."""
    if not names.wide:
        return [run]
    alone = replace(run, predictions=None)
    return [
        replace(alone, model=in_one_line(system), scores={_OF_A_SYSTEM: column})
        for system, column in run.scores.items()
    ]


def read_table(file: TextFile, kind: str, names: ReadOptions, given: Any = None) -> Run:
    """Read the run in a file, or in the dataset that messages call so.

    Raises
    ------
    InputError
        If it cannot be read, has no rows or no ids, or has neither predictions nor scores; if a
        column that the caller named is missing.
    """
    table, there = _COLUMN_READERS[kind](file if given is None else given, names)
    if table and not any(table.values()):
        raise file.error("has no rows", remedy="at least one example is needed")
    names = _of_systems(file, names, there)
    if kind in TYPELESS:  # an empty cell is a missing entry
        texts = (names.prediction, names.reference, names.group, names.by)
        table |= {x: [y or None for y in table[x]] for x in texts if x in table}
    kept = names.score if names.wide else ()  # a system without a score is no other column
    table = {x: y for x, y in table.items() if x in kept or any(z is not None for z in y)}
    _check_columns(file, names, table, there)
    scores = {x: table[x] for x in names.score if x in table}
    ids = _checked_ids(file, table[names.id])
    if names.repeats and len({*ids}) < len(ids):
        _check_repeats(file, table)
    for name, column in scores.items():
        numbers = numbers_in(column) if kind in TYPELESS else column
        scores[name] = _checked_numbers(file, name, ids, numbers, names.wide)
    run = Run(
        path=file.path,
        format=kind,
        ids=ids,
        scores=scores,
        predictions=table.get(names.prediction),
        references=table.get(names.reference),
        groups=table.get(names.group),
        slices=None if names.by is None else table.get(names.by),
        notes=tuple(_notes_of_minus_one(file, scores)),
    )
    if sums := _sums(ids, [*scores.values()]):
        note = f"left out, because it sums up all others: {first_of([*map(shown, sums)])}"
        run = replace(without_examples(run, sums), notes=(*run.notes, note))
    return run


def _of_systems(file: TextFile, names: ReadOptions, there: Sequence[str]) -> ReadOptions:
    """Return the options with the columns of a wide table that are systems.

    Raises
    ------
    InputError
        If there are none, or references: then the columns may be labels and no scores.
    """
    found = names.among(there)
    if found is names or names.id not in there:
        return names
    if names.reference in there:
        what = f"has references in column {shown(names.reference)}: are the others scores"
        by_name = "Name the columns of scores, score=…"
        raise file.error(f"{what}?", remedy=(by_name, "Of predictions write a table a system."))
    if not found.score:
        raise file.error("has no columns of systems", remedy="Each has a column of scores.")
    return found


def _check_columns(
    file: TextFile, names: ReadOptions, table: ColumnLists, there: Sequence[str]
) -> None:
    """Raise InputError if a column that is needed, or that the caller named, has no entry."""
    has = f"It has {printable(', '.join(map(shown, there)), 300)}."
    by = [("by", names.by)] if names.by and names.references is None else []
    for option, x in (*names.named, *by) if names.score else ():  # not of a table of references
        if x not in (*there, *table):
            raise file.error(f"has no column {shown(x)}, {option}=…", remedy=has)
    if names.id not in table:
        what = f"has no ids in column {shown(names.id)}, by which examples are matched"
        raise file.error(what, remedy=(has, "Name the column that identifies an example, id=…"))
    wanted = (names.prediction, *names.score)
    if table.keys().isdisjoint(wanted):
        remedy = "Name the column, reference=…"
        if names.score:
            remedy = "Name the column of predictions, prediction=…, or that of scores, score=…"
        raise file.error(f"has nothing in {', '.join(map(shown, wanted))}", remedy=(has, remedy))


def _check_repeats(file: TextFile, table: ColumnLists) -> None:
    """Raise InputError if a column tells the measures of lines of one id: they have no mean."""
    for x in MEASURES:
        if len({*map(str, table.get(x, ()))}) > 1:
            what = f"has no repeats in lines of one id: column {shown(x)} tells them apart"
            raise file.error(what, remedy="Write a table of each.")


def _notes_of_minus_one(file: TextFile, scores: ColumnLists) -> Iterator[str]:
    """Yield that -1 may stand for no score: no other is below 0, and not all are -1, 0 or 1."""
    for name, column in scores.items():
        if -1 in column:
            others = [x for x in column if not is_missing(x) and x not in (-1, 0, 1)]
            if min(others, default=0) > 0:
                told = f"{shown(name)} is -1 in {counted(column.count(-1), 'example')} of "
                yield (
                    f"{told}{shown_path(file.path)}: leave the cells empty where that is no score"
                )


def _of_json_lines(file: TextFile, names: ReadOptions) -> _Columns:
    there: list[str] = []
    rows: Iterable[tuple[int, Object]] = file.objects(once=True)
    if names.wide:  # a line may lack the score of a system
        rows = [*rows]
        there = [*dict.fromkeys(x for _, row in rows for x in _names_in(row))]
    table: ColumnLists = {x: [] for x in names.among(there).columns}
    paths = {x: x.split(".") for x in table if "." in x}
    for _, row in rows:
        there = there or [*_names_in(row)]
        for name, column in table.items():
            is_within = name in paths and name not in row
            column.append(value_at(row, *paths[name]) if is_within else row.get(name))
    return table, there


def _names_in(row: Object) -> Iterator[str]:
    """Yield the names of an object's values; those in an object within it have a dot."""
    for name, value in row.items():
        yield from (f"{name}.{x}" for x in value) if isinstance(value, dict) else (name,)


def _of_delimited(file: TextFile, names: ReadOptions, kind: str) -> _Columns:
    rows = _cells(file, kind)
    header = next(rows)
    check_named_once(file, header, line=1)
    if names.id not in header:  # the columns are of no use
        return {}, header
    table: ColumnLists = {x: [] for x in names.among(header).columns if x in header}
    places = [(header.index(x), column) for x, column in table.items()]
    for row in rows:
        for k, column in places:
            column.append(row[k])
    return table, header


def _of_parquet(file: TextFile, names: ReadOptions) -> _Columns:
    import pyarrow as pa

    with file.parquet() as opened:
        there = opened.schema_arrow.names
        check_named_once(file, there)
        names = names.among(there)
        columns = [*names.columns]
        parts = [*columns_in_parts(file, opened, columns)]
        whole = pa.concat_tables(parts) if parts else opened.read(columns=columns)
        table = _of_arrow(whole, columns, names.score)
    return table, there


def _of_stored(dataset: Any, names: ReadOptions) -> _Columns:
    there = dataset.column_names
    names = names.among(there)
    columns = names.columns
    if not hasattr(dataset, "features"):
        return _of_arrow(dataset, columns, names.score), there
    from datasets import ClassLabel

    wanted = dict.fromkeys(x if x in there else x.partition(".")[0] for x in columns)
    table = dataset.select_columns([x for x in wanted if x in there]).with_format("arrow")[:]
    lists = _of_arrow(table, columns, names.score)
    for name in lists:
        feature = dataset.features.get(name)
        if isinstance(feature, ClassLabel):
            names_of = [*feature.names, None]  # the last entry is for -1, no label
            lists[name] = [None if x is None else names_of[x] for x in lists[name]]
    return lists, there


def _column_at(table: Any, name: str) -> Any:
    """Return a column, or the values under a name with dots in a struct; None if it is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if name in table.column_names:
        return table.column(name)
    first, *path = name.split(".")
    if path and first in table.column_names:
        with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):  # no such field, or no struct
            return pc.struct_field(table.column(first), path)
    return None


def _of_arrow(table: Any, columns: Sequence[str], scores: Sequence[str]) -> ColumnLists:
    """Return the columns as lists; narrow floats become the decimals that they print as.

    Narrow scores that are no decimals keep their type, which tells how far off they are.
    """
    lists = {}
    for name in columns:
        column = _column_at(table, name)
        if column is None:
            continue
        if str(column.type) not in ("float", "halffloat"):
            lists[name] = column.to_pylist()
            continue
        floats = column.to_numpy()
        is_real = name in scores and not are_decimals(floats[~np.isnan(floats)])
        lists[name] = [*floats] if is_real else float_column(name, floats).tolist()
    return lists


_COLUMN_READERS: Mapping[str, Callable[[Any, ReadOptions], _Columns]] = {
    JSONL: _of_json_lines,
    CSV: partial(_of_delimited, kind=CSV),
    TSV: partial(_of_delimited, kind=TSV),
    PARQUET: _of_parquet,
    DATASET: _of_stored,
}


def _checked_ids(file: TextFile, ids: list[Any]) -> list[Any]:
    """Return the ids if all are integers or texts that are not empty."""
    if {*map(type, ids)} <= {int, str} and "" not in ids:
        return ids
    number, value = next(
        (k, x) for k, x in enumerate(ids, 1) if type(x) not in (int, str) or x == ""
    )
    what = f"has {describe(value)} as the id of example {number}"
    raise file.error(what, remedy="An id is an integer or a text.")


def _checked_numbers(
    file: TextFile, what: str, ids: Sequence[Any], column: list[Any], is_wide: bool
) -> list[Any]:
    """Return a column of scores: numbers, or None or NaN for a missing score."""
    if {*map(type, column)} <= {int, float, bool, type(None)}:
        return column
    for example, value in zip(ids, column, strict=True):
        is_number = isinstance(value, (int, float, np.number, Decimal))
        if not is_number and not is_missing(value):
            of_id = f" for id {shown(example)}, but a score is a number"
            remedy = "Name another column, score=…"
            if isinstance(value, dict) and value:
                remedy = f"Name a value in it, score={shown(f'{what}.{next(iter(value))}')}"
            elif is_wide:
                remedy = "If the column is no system, name those that are, score=…"
            raise file.error(f"has the {what} {describe(value)}{of_id}", remedy=remedy)
    return column


def _sums(ids: Sequence[Any], columns: Sequence[Sequence[Any]]) -> list[str]:
    """Return the rows that sum up the others, and such as standard deviations beside them.

    A row is one if it is called so, and is the mean or the sum of the rows of other names in all
    columns that have a number of it.
    """
    texts = (x for x in ids if isinstance(x, str) and not x[-1:].isdigit())
    aside = {*filter(_MAY_SUM_UP.fullmatch, texts)}
    is_sum: dict[str, bool] = {}
    for column in columns if aside else ():
        pairs = zip(ids, column, strict=True)
        numbers = [(x, float(y)) for x, y in pairs if not is_missing(y) and abs(y) <= LARGEST]
        others = [y for x, y in numbers if x not in aside]
        for x, y in numbers if others else ():
            if x in aside and _SUMS_UP.fullmatch(x):
                is_sum[x] = is_sum.get(x, True) and _is_sum(y, others)
    return sorted(aside) if any(is_sum.values()) else []


def _is_sum(cell: float, others: list[float]) -> bool:
    """Tell whether a cell is the mean or the sum of others, up to the digits of all.

    A whole number is exact.
    """
    near, own, each = ROUNDING * max(1.0, abs(cell)), 0.0, 0.0
    if cell % 1:
        own = rounding_of(cell)
        each = rounding_of(max(others, key=n_digits)) if any(x % 1 for x in others) else 0.0
    mean, n = float_mean(others), len(others)
    return any(
        abs(x - cell) <= (own + slack) * (1 + ROUNDING) + near
        for x, slack in ((mean, each), (mean * n, each * n))
    )
