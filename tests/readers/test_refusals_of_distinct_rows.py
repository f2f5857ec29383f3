"""Queries, and tables of distinct rows, that are refused."""

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pairedperm.inputs.labels import COLUMNS
from pairedperm.readers import sql
from pairedperm.readers.sql import DistinctTable
from pairedperm.scoring import F1
from refusals import asks, refusal, refuses

TABLE: dict[str, list[Any]] = {
    "predictions1": ["a", "b", "b"],
    "predictions2": ["a", "a", "b"],
    "references": ["a", "b", "a"],
    "n": [50, 6, 2],
}
SCORES = {"predictions1": [1, 0, 2], "predictions2": [0, 1, 1], "n": [50, 6, 2]}
SETS = {key: [["a"]] for key in [*TABLE][:3]} | {"n": [3], "groups": [1]}


def labels(metric="accuracy", **columns):
    """A table of labels, of which some columns are others, or are left out."""
    return sql.from_table({k: x for k, x in (TABLE | columns).items() if x is not None}, metric)


def scores(**columns):
    return sql.from_table(SCORES | columns, "mean_score")


def twice():
    names = ["predictions1", "predictions1", "predictions2", "references", "n"]
    return sql.from_table(pa.table([[1]] * 5, names=names))


def of_shards():
    """DuckDB fills what a shard lacks with NULL."""
    whole = pa.table({key: TABLE[key] for key in [*TABLE][:3]})
    pq.write_table(whole, "0.parquet")
    pq.write_table(whole.drop_columns("references"), "1.parquet")
    text = sql.query("read_parquet('*.parquet', union_by_name = true)", *whole.column_names)
    with duckdb.connect() as connection:
        return sql.from_table(connection.sql(text))


@refuses
def test_query():
    sql.query(None, "a", "b")
    # -> `table` must be the text after FROM, got None
    sql.query("  ", "a", "b")
    # -> `table` must be the text after FROM, got ' '
    sql.query("t", 3, "b")
    # -> `predictions1` must be a column's name, got 3 (int)
    sql.query("t", None, "b")
    # -> `predictions1` … a column's name, got None
    sql.query("t", "a", "")
    # -> `predictions2` must be a column's name, got ''
    sql.query("t", "a", "b", " ")
    # -> `references` … a column's name, or None, got ' '
    sql.query("t", "a", "b", groups=["c"])
    # -> `groups` … a column's name, or None, got ['c']
    sql.query("t", "a", "b", quote="")
    # -> `quote` must be a double quote or a backtick, got ''
    sql.query("t", "a", "b", quote=None)
    # -> `quote` … or a backtick, got None


@refuses
def test_tables():
    sql.from_table(None)
    # -> `table` must be a table of columns: of pyarrow, pandas, polars or DuckDB, or a dict, …
    #    got None
    sql.from_table("runs")
    # -> `table` must be a table … got 'runs' (str)
    sql.from_table([("a", "b", 3)])
    # -> `table` must be a table of … (list)
    labels(predictions2=None)
    # -> `table` lacks the column 'predictions2': it has 'predictions1', … Run the text that
    #    `query` returns.
    labels(n=None)
    # -> `table` lacks the column 'n': … Run the text
    sql.from_table(SCORES)
    # -> `table` lacks the column 'references': … For scores use metric='mean_score'
    sql.from_table({key.upper(): x for key, x in TABLE.items()})
    # -> `table` lacks the column 'predictions1': it has 'PREDICTIONS1',
    labels("mean_score")
    # -> `table` has references, but metric 'mean_score' takes none: query without them.
    labels("unheard")
    # -> `metric` must be one of 'accuracy', … got 'unheard'
    sql.from_table({key: [] for key in TABLE})
    # -> there are no rows to count: the table is empty
    sql.from_table(pa.table(TABLE).slice(0, 0))
    # -> no rows to count
    labels(n=[0, 0, 0])
    # -> no rows to count: the table is empty
    labels(n=5)
    # -> column 'n' must be a column with one entry per row, got 5
    labels(predictions2=5)
    # -> column 'predictions2' must be a column … got 5
    sql.from_table(TABLE | {"references": None})
    # -> 'references' must … None
    labels(n=[1, 2])
    # -> column 'predictions1' has 3 rows, but column 'n' has 2. Run the query again.
    labels(n=[1, 2, 3, 4])
    # -> has 3 rows, but column 'n' has 4
    scores(predictions1=[1, 2])
    # -> column 'predictions1' has 2 rows … has 3
    labels(groups=[1, 2])
    # -> column 'groups' has 2 rows, but column 'n' has 3


test_tables_in_rows = asks(
    refusal(twice, "table", "has columns of the same name: predictions1, predictions1, pre"),
)


@refuses
def test_entries():
    labels(n=[1, -2, 3])
    # -> column 'n' must be numbers of examples … 'n'[1] is -2
    labels(n=[1, 2, 0.5])
    # -> column 'n' must be numbers of … 'n'[2] is 0.5
    labels(n=[1, None, 3])
    # -> column 'n' has missing entries. It must say how often each row occurs.
    labels(n=["1", "2", "3"])
    # -> column 'n'[0] is not a number, '1'
    labels(n=[2**62] * 3)
    # -> column 'n' must add up to at most 2^63 - 1 examples
    labels(predictions1=[None, "b", None], predictions2=["a", None, "b"])
    # -> entries are missing, NULL or NaN: column 'predictions1' in 52, column … 'predictions2' in 6
    #    of 58 rows. Leave these rows out of all columns, or give them
    labels(references=["a", None, "a"])
    # -> column 'references' in 6 of 58 rows
    labels(groups=[1, None, None])
    # -> column 'groups' in 8 of 58 rows
    sql.from_table(SETS | {"references": [["a", None]]}, "exact_match")
    # -> column 'references' in 3 of 3 rows
    scores(predictions1=[1, np.nan, 2])
    # -> 'predictions1' in 6 of 58 rows
    scores(predictions1=pa.array([0.5, None, 1], pa.float32()))
    # -> 'predictions1' in 6 of 58 rows
    (
        DistinctTable(
            TABLE | {"predictions1": [None, "b", "b"], "references": ["a", None, None]},
            dict(zip(COLUMNS, ("large", "small", "gold"), strict=True)),
        )
    )
    # -> column 'large' in 50, column 'gold' in 8 of 58 rows
    labels(references=[1, 2, 3])
    # -> column 'references' (distinct rows) holds integers
    labels(groups=[0.5, 1, 2])
    # -> column 'groups'[0] is 0.5 (float)
    scores(predictions1=[2**0.5, 1, 2])
    # -> cannot be counted: … no decimal of at
    scores(groups=[1, 2, 3], predictions1=[2**60, 1, 1])
    # -> there may be groups of 50 examples with numbers up to 1.15e+18, whose sums exceed
    sql.from_table(SETS, F1(average="samples", multilabel=True))
    # -> column 'groups': sample-averaged F1 is a mean


test_entries_in_rows = asks(
    refusal(of_shards, "", "column 'references' in 3 of 6 rows"),
)
