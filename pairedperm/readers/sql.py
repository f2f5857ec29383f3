"""Counts of predictions in a database: one query counts the distinct examples.

`query` writes it, `from_table` reads its answer; Spark runs the same query by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting, describe, first_of, shown
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import COLUMN
from pairedperm.options.constraints import OneOf, Text, reads_options
from pairedperm.readers.distinct_rows import COUNT, DistinctTable
from pairedperm.scoring import MetricName
from pairedperm.scoring.call_options import MetricOptions, Unpack, lists_options
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import Metric, read_metric

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
    given = {name: columns[name] for name in names}
    return DistinctTable(given, columns[COUNT], names).counts(metric)


def _columns(table: Any) -> Mapping[str, Any]:
    """Return the columns by their names."""
    if isinstance(table, Mapping):
        return table
    if hasattr(table, "__arrow_c_stream__"):
        import pyarrow as pa

        table = pa.table(table)
        names = table.column_names
        if len({*names}) < len(names):
            raise InputError(Name("table"), f" has columns of the same name: {first_of(names)}")
        return dict(zip(names, table.columns, strict=True))
    accepted = "be a table of columns: of pyarrow, pandas, polars or DuckDB, or a dict"
    raise InputError(Name("table"), must=accepted, got=describe(table))
