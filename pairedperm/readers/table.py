"""The reader of tables: JSON Lines, CSV, TSV, Parquet and datasets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors.wording import Parts, Setting, describe, printable, shown
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.lattice import are_decimals
from pairedperm.readers.delimited import CSV, TSV, TYPELESS, Column, numbers_in, read_delimited
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import TextFile, reading
from pairedperm.scoring.merging import float_column

JSONL, PARQUET, DATASET = "jsonl", "parquet", "dataset"
TABLES = (JSONL, CSV, TSV, PARQUET, DATASET)
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
        numbers = numbers_in(column) if kind in TYPELESS else column
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
    table = {x: Column(is_id=x == names.id) for x in names.all}
    there: dict[str, None] = {}
    for _, rows in file.batches():
        there.update(dict.fromkeys(rows[0]))
        for name, column in table.items():
            column.add(_values_at(rows, name))
    return table, [*there]


def _values_at(rows: list[Any], name: str) -> list[Any]:
    """Return each object's entry under a name, or None if it has none."""
    try:
        return [*map(itemgetter(name), rows)]  # takes half the time
    except KeyError:
        return [row.get(name) for row in rows]


def _of_parquet(file: TextFile, names: ColumnNames) -> tuple[ColumnLists, list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    n_bytes, path = file.check(), file.file
    try:
        with pq.ParquetFile(path) as opened:
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
    CSV: lambda file, names: read_delimited(file, CSV, names.all),
    TSV: lambda file, names: read_delimited(file, TSV, names.all),
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
