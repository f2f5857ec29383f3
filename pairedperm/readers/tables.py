"""The reader of tables: JSON Lines, CSV, TSV, Parquet and datasets.

Cells of CSV and TSV are all texts. Of a Parquet file no more is read than a limit allows.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import counted, describe, printable, shown, shown_path
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.lattice import are_decimals
from pairedperm.readers.aggregates import may_sum_up, summaries
from pairedperm.readers.files import (
    CSV,
    DATASET,
    JSONL,
    PARQUET,
    TSV,
    NamedFile,
    Object,
    ReadOptions,
    TextFile,
    reading,
    value_at,
)
from pairedperm.readers.log import IS_NUMBER, Run, written_as_number
from pairedperm.scoring.merging import float_column

_TEXT = "BYTE_ARRAY"
_WORD = 8  # tuned: bytes of a number, and of an entry on each level of lists and structs
_BY_PREFIX = "DELTA_BYTE_ARRAY"  # an encoding in which a text repeats the start of the one before


def columns_in_parts(file: NamedFile, opened: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield these columns of a `pyarrow.parquet.ParquetFile`, some rows at a time, as tables.

    The footer tells the widths and the numbers of entries, but not how often a text is repeated. So
    texts are read as dictionaries, and counted as if each were written out. Where a text repeats
    the start of another, so few rows are read at a time that they fit if each is the longest.

    Raises
    ------
    InputError
        If the columns take more bytes than may be read of the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    footer = opened.metadata
    leaves = [*_leaves(footer, names)]
    texts = [x for x in leaves if x.is_text]
    n_bytes, n_stored = sum(x.n_bytes for x in leaves), sum(x.n_stored for x in texts)
    _check(file, n_bytes + n_stored)
    is_by_prefix = any(x.is_by_prefix for x in texts)
    coded = [] if is_by_prefix else [x.path for x in texts]
    n_rows = file.max_bytes // (n_stored or 1) if is_by_prefix else footer.num_rows
    types = opened.read_row_groups([], columns=names).schema.types
    with pq.ParquetFile(file.file, metadata=footer, read_dictionary=coded) as again:
        for k in range(footer.num_row_groups):
            for batch in again.iter_batches(max(1, n_rows), row_groups=[k], columns=names):
                n_bytes += sum(map(_written_out, batch.columns))
                _check(file, n_bytes)
                columns = map(_plain_within, batch.columns, types)
                yield pa.table([*columns], names=batch.schema.names)


def _plain_within(column: Any, kind: Any) -> Any:
    """Return an array without dictionaries in its lists and structs, which take long to read."""
    return column if hasattr(column, "dictionary") else column.cast(kind)


def _check(file: NamedFile, n_bytes: int) -> None:
    if n_bytes > file.max_bytes:
        raise file.too_large()


def _leaves(footer: Any, names: Sequence[str]) -> Iterator[_Leaf]:
    """Yield the lowest parts of the columns."""
    starts = tuple(f"{x}." for x in names)
    groups = [footer.row_group(k) for k in range(footer.num_row_groups)]
    for k in range(footer.num_columns):
        column = footer.schema.column(k)
        if f"{column.path}.".startswith(starts):
            yield _Leaf(column, [x.column(k) for x in groups])


class _Leaf:
    """The lowest part of a column, of which the footer tells this.

    `n_bytes` is what its entries take in memory, without texts; `n_stored` is what texts take in
    the file, not compressed, and no text is longer.
    """

    def __init__(self, column: Any, chunks: Sequence[Any]) -> None:
        self.path = column.path
        self.is_text = column.physical_type == _TEXT
        self.is_by_prefix = self.is_text and any(_BY_PREFIX in x.encodings for x in chunks)
        self.n_stored = sum(x.total_uncompressed_size for x in chunks)
        n_words = 2 + column.max_definition_level + column.max_repetition_level
        self.n_bytes = sum(x.num_values for x in chunks) * (column.length + _WORD * n_words)


def _written_out(column: Any) -> int:
    """Count the bytes of the texts of an array, with each written out."""
    import pyarrow.compute as pc

    n_bytes = 0
    for x in _lowest(column):
        if hasattr(x, "dictionary"):
            n_bytes += pc.sum(_lengths(x.dictionary).take(x.indices)).as_py() or 0
        elif str(x.type).removeprefix("large_") in ("string", "binary"):
            n_bytes += x.nbytes
    return n_bytes


def _lowest(column: Any) -> Iterator[Any]:
    """Yield the arrays that hold the entries of an array on the lowest level."""
    import pyarrow as pa

    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if isinstance(column, pa.MapArray):
        start, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
        inner = [x.slice(start, end - start) for x in (column.keys, column.items)]
    elif pa.types.is_nested(column.type):
        inner = column.flatten()
        inner = inner if isinstance(inner, list) else [inner]
    else:
        yield column
        return
    for x in inner:
        yield from _lowest(x)


def _lengths(texts: Any) -> Any:
    """Return the length of each text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_length(texts.cast(pa.large_binary()))


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


_SECOND_KEYS = (  # tuned: names of columns that may tell lines of one id apart, in lower case
    *("epoch", "repeat", "seed", "run", "trial", "attempt", "repetition", "sample", "rollout"),
    *("turn", "task", "subject", "subset", "split", "category", "config", "dataset", "language"),
)
_SYSTEM_KEYS = ("model", "model_name", "system")  # tuned: those that may name systems, as above
_MEASURE_KEYS = ("measure", "metric", "metric_name", "scorer", "variable")  # tuned: or measures
ColumnLists = dict[str, list[Any]]
_More = Callable[[Sequence[str]], ColumnLists]  # reads further columns of a table


class _Columns(NamedTuple):
    """The columns that were read, by name; and the names of all."""

    lists: ColumnLists
    there: Sequence[str]


def read_dataset(dataset: Any, name: str, names: ReadOptions) -> Run:
    """Read the run in a `datasets.Dataset`, which was given as the argument `name`.

    Raises
    ------
    InputError
        For the reasons of `read_table`.
    """
    return read_table(TextFile(name, Path(f"the dataset {name}")), DATASET, names, dataset)


def read_table(file: TextFile, kind: str, names: ReadOptions, given: Any = None) -> Run:
    """Read the run in a file, or in the dataset that messages call so.

    Raises
    ------
    InputError
        If it cannot be read, has no rows or no ids, or has neither predictions nor scores; if a
        column that the caller named is missing.
    """
    source = file if given is None else given
    table, there = _COLUMN_READERS[kind](source, names)
    has_entries = {x for x, column in table.items() if any(y is not None for y in column)}
    _check_named(file, names, {*there} | has_entries)
    if kind in TYPELESS:  # an empty cell is a missing entry
        texts = (names.prediction, names.reference, names.group)
        table |= {x: [y or None for y in table[x]] for x in texts if x in table}
    if table and not any(table.values()):
        raise file.error("has no rows", remedy="at least one example is needed")
    table = {column: x for column, x in table.items() if any(y is not None for y in x)}
    has = f"It has {printable(', '.join(map(shown, there)), 300)}."
    if names.id not in table:
        if names.id in there:
            what = f"has no id in column {shown(names.id)}: all are missing"
            raise file.error(what, remedy="An id is an integer or a text.")
        name_it = "Name the column that identifies an example, id=…"
        what = f"has no column {shown(names.id)}, by which examples are matched"
        raise file.error(what, remedy=(has, hint_on_header(there, kind) or name_it))
    scores = {x: table[x] for x in names.score if x in table}
    if not scores and names.prediction not in table:
        wanted = ", ".join(map(shown, (names.prediction, *names.score)))
        remedy = "Name the column of references, reference=…"
        if names.score:
            one, two = "prediction=…", "score=…"
            remedy = f"Name the column of predictions, {one}, or that of scores, {two}"
        lacks = "nothing in" if {names.prediction, *names.score} & {*there} else "none of"
        raise file.error(f"has {lacks} {wanted}", remedy=(has, remedy))
    ids = _checked_ids(file, table[names.id])

    def more(columns: Sequence[str]) -> ColumnLists:
        """Read these columns too."""
        return _COLUMN_READERS[kind](source, replace(names, score=tuple(columns))).lists

    for what, column in scores.items():
        numbers = numbers_in(column) if kind in TYPELESS else column
        scores[what] = _checked_numbers(file, what, ids, numbers)
    return Run(
        path=file.path,
        format=kind,
        ids=ids,
        summaries=_rows_that_sum_up(kind, names, ids, there, more),
        scores=scores,
        predictions=table.get(names.prediction),
        references=table.get(names.reference),
        groups=table.get(names.group),
        second_keys=_second_keys(ids, there, more),
        notes=tuple(_notes_of_minus_one(file, scores)),
    )


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


def _rows_that_sum_up(
    kind: str, names: ReadOptions, ids: Sequence[Any], there: Sequence[str], more: _More
) -> dict[str, list[str]]:
    """Return the rows that sum up the others, by all columns of numbers; see `summaries`."""
    named = may_sum_up(ids)
    if not (named and names.score):
        return {}
    every = [x for x in there if x.strip() and x != names.id]
    table = more(every)
    columns = [table[x] for x in every if x in table]
    if kind in TYPELESS:
        columns = [*map(numbers_in, columns)]
    return summaries(ids, named, columns)


def _second_keys(ids: Sequence[Any], there: Sequence[str], more: _More) -> dict[str, list[str]]:
    """Return the columns that may tell lines of one id apart, and what they hold, if ids repeat."""
    keys = [x for x in there if _last_word(x) in (*_SECOND_KEYS, *_SYSTEM_KEYS, *_MEASURE_KEYS)]
    if not keys or len({*ids}) == len(ids):
        return {}
    table = more(keys)
    held = {x: [*dict.fromkeys(map(str, table.get(x, ())))] for x in keys}
    return {x: values for x, values in held.items() if len(values) > 1}


def _last_word(name: str) -> str:
    return name.lower().rpartition(".")[2]


def names_systems(name: str) -> bool:
    """Tell whether a column may hold the names of systems, by its own name."""
    return _last_word(name) in _SYSTEM_KEYS


def names_measures(name: str) -> bool:
    """Tell whether a column may hold the names of measures, by its own name."""
    return _last_word(name) in _MEASURE_KEYS


def _check_named(file: TextFile, names: ReadOptions, there: Collection[str]) -> None:
    """Raise InputError if a column is missing that the caller has named."""
    if not names.score:  # a table of references
        return
    for option, column in names.named:
        if column not in there:
            what = f"has no column {shown(column)}, {option}=…"
            has = f"It has {printable(', '.join(map(shown, sorted(there))), 300)}."
            raise file.error(what, remedy=has)


def _of_json_lines(file: TextFile, names: ReadOptions) -> _Columns:
    table = {x: Column(is_id=x == names.id) for x in names.columns}
    there: dict[str, None] = {}
    for _, rows in file.batches(names.columns):
        there.update(dict.fromkeys(_names_in(rows[0])))
        for name, column in table.items():
            column.add(_values_at(rows, name))
    return _Columns({**table}, [*there])


def _names_in(row: Object) -> Iterator[str]:
    """Yield the names of an object's values; those in an object within it have a dot."""
    for name, value in row.items():
        yield from (f"{name}.{x}" for x in value) if isinstance(value, dict) else (name,)


def _values_at(rows: list[Any], name: str) -> list[Any]:
    """Return each object's entry under a name, or that of the objects within; None if none has."""
    try:
        return [*map(itemgetter(name), rows)]  # takes half the time
    except KeyError:
        first, *within = name.split(".")
        if not within:
            return [row.get(name) for row in rows]
        return [row[name] if name in row else value_at(row, first, *within) for row in rows]


def _of_delimited(file: TextFile, names: ReadOptions, kind: str) -> _Columns:
    return _Columns(*read_delimited(file, kind, names.columns))


def _of_parquet(file: TextFile, names: ReadOptions) -> _Columns:
    import pyarrow as pa

    n_bytes = file.check()
    with file.parquet() as opened, reading(file.path, n_bytes) as bar:
        there = opened.schema_arrow.names
        check_named_once(file, there)
        columns = [*names.columns]
        parts = []
        for part in columns_in_parts(file, opened, columns):
            parts.append(part)
            bar.update(n_bytes * part.num_rows / opened.metadata.num_rows)
        whole = pa.concat_tables(parts) if parts else opened.read(columns=columns)
        table = _of_arrow(whole, columns, names.score)
    return _Columns(table, there)


def _of_dataset(dataset: Any, names: ReadOptions) -> _Columns:
    from datasets import ClassLabel

    there = dataset.column_names
    columns = names.columns
    wanted = dict.fromkeys(x if x in there else x.partition(".")[0] for x in columns)
    table = dataset.select_columns([x for x in wanted if x in there]).with_format("arrow")[:]
    lists = _of_arrow(table, columns, names.score)
    for name in lists:
        feature = dataset.features.get(name)
        if isinstance(feature, ClassLabel):
            names_of = [*feature.names, None]  # the last entry is for -1, no label
            lists[name] = [None if x is None else names_of[x] for x in lists[name]]
    return _Columns(lists, there)


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
            lists[name] = [*chain.from_iterable(map(_as_list, column.chunks))]
            continue
        floats = column.to_numpy()
        is_real = name in scores and not are_decimals(floats[~np.isnan(floats)])
        lists[name] = [*floats] if is_real else float_column(name, floats).tolist()
    return lists


def _as_list(array: Any) -> list[Any]:
    """Return the entries of an array; those of a dictionary are one object each."""
    if not hasattr(array, "dictionary"):
        return array.to_pylist()  # type: ignore[no-any-return]
    entries = [*array.dictionary.to_pylist(), None]
    return [*map(entries.__getitem__, array.indices.fill_null(-1).to_pylist())]


_COLUMN_READERS: Mapping[str, Callable[[Any, ReadOptions], _Columns]] = {
    JSONL: _of_json_lines,
    CSV: partial(_of_delimited, kind=CSV),
    TSV: partial(_of_delimited, kind=TSV),
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
    what = f"has {describe(value)} as the id of example {number}"
    raise file.error(what, remedy="An id is an integer or a text.")


def _checked_numbers(file: TextFile, what: str, ids: Sequence[Any], column: list[Any]) -> list[Any]:
    """Return a column of scores: numbers, or None or NaN for a missing score."""
    if {*map(type, column)} <= {int, float, bool, type(None)}:
        return column
    for example, value in zip(ids, column, strict=True):
        is_number = isinstance(value, (int, float, np.number, Decimal))
        if not is_number and not is_missing(value):
            of_id = f" for id {shown(example)}, but a score is a number"
            remedy: str = written_as_number(value)
            remedy = remedy or "Name another column, score=…"
            if isinstance(value, dict) and value:
                inner = shown(f"{what}.{next(iter(value))}")
                remedy = f"Name a value in it, score={inner}"
            elif isinstance(value, list):
                remedy = (
                    "Write one number. If these are of repeated runs, write a line for each, and "
                    "average them, repeats=True"
                )
            raise file.error(f"has the {what} {describe(value)}{of_id}", remedy=remedy)
    return column
