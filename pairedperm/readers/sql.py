"""Counts of predictions in a database: one query counts the distinct examples, Spark runs it too.

`query` writes it, and `from_table` reads its answer, a table of distinct examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting, called, describe, first_of, shown
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.labels import COLUMNS, Labels
from pairedperm.options import COLUMN
from pairedperm.options.constraints import OneOf, Text, reads_options
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import check_adds_up, check_on_lattice, counts_of
from pairedperm.scoring.call_options import MetricOptions, Unpack, lists_options
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import read_groups, summed
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.pairs import read_multiplicities
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import check_sums_of_groups

COUNT = "n"  # the column of how often each row occurs
_Column = Annotated[str, COLUMN]


@reads_options
def query(
    table: Annotated[str, Text(words="the text after FROM")],
    predictions1: _Column,
    predictions2: _Column,
    references: _Column | None = None,
    *,
    groups: _Column | None = None,
    quote: Annotated[str, OneOf(('"', "`"), words="a double quote or a backtick")] = '"',
) -> str:
    """Return the SQL query that counts the distinct examples of a table.

    It is one ``SELECT … GROUP BY`` of standard SQL. Read its answer with `from_table`.

    Parameters
    ----------
    table : str
        The text after ``FROM``: a table's name, a subquery in parentheses with its alias, or the
        engine's function that reads files. It is not quoted: never pass a stranger's text.
    predictions1, predictions2 : str
        The names of the columns of both systems' predictions, or scores.
    references : str or None
        The name of the column of right answers; None for scores.
    groups : str or None
        The name of a column of ids. Examples of one group are swapped together. The answer then has
        a row for each distinct example of each group.
    quote : str
        The character around names: ``"`` in standard SQL, a backtick in BigQuery, MySQL and Spark.

    Returns
    -------
    str
        The query, without a semicolon.

    Raises
    ------
    InputError
        If `table` or a name is no text or is empty; if `quote` is another character.

    Examples
    --------
    >>> from pairedperm.readers import sql
    >>> print(sql.query("runs", "large", "small", "label"))
    SELECT
        "large" AS "predictions1",
        "small" AS "predictions2",
        "label" AS "references",
        COUNT(*) AS "n"
    FROM runs
    GROUP BY "large", "small", "label"
    """
    names = given_columns(predictions1, predictions2, references, groups)
    return count_query(table.strip(), names, quote)


def given_columns(*names: str | None) -> dict[str, str]:
    """Return the caller's names of predictions, references and groups, by what they are."""
    keys = *COLUMNS, "groups"
    return {key: x for key, x in zip(keys, names, strict=True) if x is not None}


def count_query(table: str, names: Mapping[str, str], quote: str) -> str:
    """Return the query that counts the distinct rows of columns; `names` holds them by new names.

    Spark runs it, too.
    """

    def quoted(name: str) -> str:
        return f"{quote}{name.replace(quote, 2 * quote)}{quote}"

    selected = [f"    {quoted(name)} AS {quoted(key)},\n" for key, name in names.items()]
    keys = dict.fromkeys(map(quoted, names.values()))
    return (
        f"SELECT\n{''.join(selected)}    COUNT(*) AS {quoted(COUNT)}\n"
        f"FROM {table}\n"
        f"GROUP BY {', '.join(keys)}"
    )


@lists_options(of=MetricOptions)
def from_table(
    table: Any, metric: MetricName | Metric = "accuracy", **metric_options: Unpack[MetricOptions]
) -> PairedCounts:
    """Turn the answer of `query` into counts, which every test takes.

    Parameters
    ----------
    table : pyarrow.Table, DataFrame, or mapping from str to a column
        The answer, with the columns that `query` names: predictions1, predictions2, n, and
        optionally references and groups. Any object that exports Arrow data is accepted, such as a
        relation of DuckDB.
    metric, **metric_options
        The same as in `pairedperm.compare`; for scores, "mean_score".

    Returns
    -------
    PairedCounts
        Pass it to `paired_permutation_test` or `paired_bootstrap_test`.

    Raises
    ------
    InputError
        If the table is empty or lacks a column. If entries are missing (the message counts them).
        If scores have more than 13 digits. If the metric is a mean of ratios and there are groups.
        If `pairedperm.compare` refuses the values.

    Examples
    --------
    >>> from pairedperm import paired_permutation_test
    >>> from pairedperm.readers import sql
    >>> answer = {
    ...     "predictions1": ["a", "b", "b"],
    ...     "predictions2": ["a", "a", "b"],
    ...     "references": ["a", "b", "a"],
    ...     "n": [50, 6, 2],
    ... }
    >>> paired_permutation_test(sql.from_table(answer)).pvalue
    0.03125
    """
    metric = read_metric(metric, **metric_options)
    columns = _columns(table)
    wanted = COLUMNS[: 3 if metric.has_references else 2]
    names = {name: name for name in (*wanted, *(x for x in ("groups",) if x in columns))}
    lacking = [name for name in (*names, COUNT) if name not in columns]
    if lacking:
        of_scores = Parts("For scores use ", Setting("metric", "'mean_score'"))
        hint = of_scores if lacking == [COLUMNS[2]] else ""
        listed = first_of([*map(shown, columns)])
        what = f" lacks the column {shown(lacking[0])}: it has {listed}"
        raise InputError(Name("table"), what, remedy=("Run the text that `query` returns", hint))
    if not metric.has_references and COLUMNS[2] in columns:
        what = f" has references, but metric {metric.name!r} takes none"
        raise InputError(Name("table"), what, remedy="query without them")
    return DistinctTable(columns, names).counts(metric)


def _columns(table: Any) -> Mapping[str, Any]:
    """Return the columns by their names."""
    if isinstance(table, Mapping):
        return table
    if hasattr(table, "__arrow_c_stream__"):
        import pyarrow as pa

        table = pa.table(table)
        names = table.column_names
        if len({*names}) < len(names):
            what = f" has columns of the same name: {first_of(names)}"
            raise InputError(Name("table"), what, remedy="name each column once")
        return dict(zip(names, table.columns, strict=True))
    accepted = "be a table of columns: of pyarrow, pandas, polars or DuckDB, or a dict"
    raise InputError(Name("table"), must=accepted, got=describe(table))


class DistinctTable:
    """Distinct examples, and how often each occurs.

    `table` has the columns of an answer to `query`. `names` are the caller's names of those that
    are read.

    Raises
    ------
    InputError
        If a column is no list of entries, or differs in length; if there are no examples; if
        entries are missing.
    """

    def __init__(self, table: Any, names: Mapping[str, str]) -> None:
        self._names = {name: f"column {shown(other)}" for name, other in names.items()}
        of_counts = f"column {shown(COUNT)}"
        counts = _listed_entries(of_counts, table[COUNT])
        entries = {name: _listed_entries(own, table[name]) for name, own in self._names.items()}
        for name, column in entries.items():
            if len(column) != len(counts):
                raise InputError(
                    f"{self._names[name]} has {len(column):,} rows, but {of_counts} has "
                    f"{len(counts):,}",
                    remedy="Run the query again",
                )
        if any(map(is_missing, counts)):
            what = f"{of_counts} has missing entries"
            raise InputError(what, remedy="It must say how often each row occurs")
        with called({"multiplicities": of_counts}):
            multiplicities = read_multiplicities(counts, len(counts))
        occurs = multiplicities > 0
        if not occurs.all():
            kept = np.flatnonzero(occurs).tolist()
            entries = {name: _entries_at(column, kept) for name, column in entries.items()}
        self.columns, self.how_often = entries, multiplicities[occurs]
        self.n = int(self.how_often.sum())
        if not self.n:
            raise InputError("there are no rows to count", remedy="the table is empty")
        lacking = {name: self._n_missing(name) for name in self.columns}
        if any(lacking.values()):
            listed = (f"{self._names[name]} in {n:,}" for name, n in lacking.items() if n)
            raise InputError(
                f"entries are missing, NULL or NaN: {', '.join(listed)} of {self.n:,} rows",
                remedy="Leave these rows out of all columns, or give them a label or a score of "
                "their own",
            )

    def rows(self, metric: Metric) -> Rows:
        """Return a row for each distinct example, in order; the runs of an item are summed to one.

        Raises
        ------
        InputError
            If the columns do not fit each other, or the metric. If scores lie on no lattice.
        """
        given = [self.columns.get(name) for name in COLUMNS]
        with called({name: f"{self._names[name]} (distinct rows)" for name in self.columns}):
            read = metric.read(given)
            rows = metric.rows_in_order(read)
            check_on_lattice(rows)
            if rows.groups is not None:  # an item's runs
                check_adds_up(metric, rows)
                rows = summed(rows)
        references, label = read[2], metric.ignored
        if rows.provenance.n_ignored and isinstance(references, Labels) and label is not None:
            n_ignored = references.sums(references.are(label)) @ self.how_often
            rows = rows.noting(n_ignored=int(n_ignored))
        return rows

    def counts(self, metric: Metric) -> PairedCounts:
        """Return the counts of all examples, or of their groups.

        Raises
        ------
        InputError
            For the reasons of `rows`; if the id of a group is invalid, or a group's sum exceeds
            int64.
        """
        rows = self.rows(metric)
        if "groups" not in self.columns:
            return counts_of(rows.having(multiplicities=self.how_often).distinct(), metric)
        with called({"groups": self._names["groups"]}):
            groups = read_groups(self.columns["groups"])
            check_adds_up(metric, rows)
            return counts_of(self._repeated(rows, groups), metric)

    def _repeated(self, rows: Rows, groups: IntArray) -> Rows:
        """Return the sums of rows over groups, each row as often as it occurs in its group."""
        how_often, most = self.how_often, int(self.how_often.max())
        largest = max(largest_entry(rows.rows1), largest_entry(rows.rows2))
        check_sums_of_groups("there may be", most, largest)
        each = how_often.reshape(-1, *[1] * (rows.rows1.ndim - 1))
        sizes = how_often if rows.sizes is None else how_often * rows.sizes
        one, two = rows.rows1 * each, rows.rows2 * each
        of_groups = summed(rows.having(rows1=one, rows2=two, groups=groups, sizes=None))
        n_each = np.zeros(int(groups.max()) + 1, dtype=np.int64)
        np.add.at(n_each, groups, sizes)
        return of_groups.having(sizes=n_each)

    def _n_missing(self, name: str) -> int:
        """Count the examples whose entry, or a part of it, is missing."""
        column = self.columns[name]
        if isinstance(column, np.ndarray):
            return int(self.how_often[column != column].sum())
        lacks = np.fromiter(map(_lacks, column), dtype=np.bool_, count=len(column))
        return int(self.how_often[lacks].sum())


def _lacks(entry: Any) -> bool:
    if isinstance(entry, (list, tuple)):
        return any(map(_lacks, entry))
    return is_missing(entry)


def _entries_at(column: Any, places: list[int]) -> Any:
    return column[places] if isinstance(column, np.ndarray) else [column[k] for k in places]


def _is_whole(entry: Any) -> bool:
    return isinstance(entry, Decimal) and entry.is_finite() and entry == entry.to_integral_value()


def _listed_entries(name: str, column: Any) -> Any:
    """Return a column as a list, or as an array if its floats are narrower than 64 bits.

    Raises
    ------
    InputError
        If it is no column.
    """
    kind = str(getattr(column, "type", getattr(column, "dtype", "")))
    if kind in ("float", "halffloat", "float32", "float16"):
        return np.asarray(column)
    for to_list in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, to_list):
            column = getattr(column, to_list)()
            break
    if not isinstance(column, (list, tuple)):
        raise InputError(name, must="be a column with one entry per row", got=describe(column))
    if column and all(map(_is_whole, column)):
        return [*map(int, column)]  # some warehouses return integers as decimals
    return [*column]
