"""Time one query that counts rows of labels in Parquet, and the test, beside a plain `GROUP BY`.

    python -m pip install ".[test]"  # for DuckDB
    python examples/sql_benchmark.py [--quick] [--seed SEED] [--json FILE]

Two systems have about nine in ten right of 10^8 examples, 0.1 GB. A row has both predictions and
the right answer, one of ten labels. DuckDB may use 1 GB.

GROUP BY   `SELECT large, small, label, count(*) ... GROUP BY` of all three columns, and its answer
ours       the query of `readers.sql.query`, its answer by `from_table`, and the exact test

They take turns in one process, each on its own connection. A time is a median over the rounds; the
ratio is the median of the rounds' ratios. "memory" is the largest memory of a process that only
runs this, Python and all libraries included. 10^8 rows take some seconds a round.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import duckdb
from timing import Cell, Table, apart, in_turn, ratio, run

from pairedperm import paired_permutation_test
from pairedperm.readers import sql

ROWS, ROUNDS, LIMIT = 10**8, 5, "1GB"
COLUMNS = ("large", "small", "label")
WRITTEN = """
COPY (
    SELECT
        'label-' || if(hash(i, 1) % 1000 < 900, hash(i) % 10, hash(i, 2) % 10) AS large,
        'label-' || if(hash(i, 3) % 1000 < 899, hash(i) % 10, hash(i, 4) % 10) AS small,
        'label-' || hash(i) % 10 AS label
    FROM range({start}, {stop}) AS of_rows(i)
) TO '{path}' (FORMAT parquet)
"""


def connected() -> duckdb.DuckDBPyConnection:
    """Open a database in memory, with a limit."""
    connection = duckdb.connect()
    connection.execute(f"SET memory_limit = '{LIMIT}'")
    return connection


def by_group_by(path: Path) -> int:
    """Count the rows by a plain GROUP BY."""
    names = ", ".join(COLUMNS)
    text = f"SELECT {names}, count(*) FROM '{path}' GROUP BY {names}"
    with connected() as connection:
        return sum(row[-1] for row in connection.execute(text).fetchall())


def by_pairedperm(path: Path) -> int:
    """Count the rows by the test's result."""
    with connected() as connection:
        answer = connection.sql(sql.query(f"'{path}'", *COLUMNS))
        return paired_permutation_test(sql.from_table(answer)).n


METHODS = {"GROUP BY": by_group_by, "ours": by_pairedperm}


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the table, of other rows for each seed."""
    n, rounds = (5000, 1) if quick else (ROWS, ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.parquet")
        with connected() as connection:
            connection.execute(WRITTEN.format(start=seed * n, stop=(seed + 1) * n, path=path))
        times = in_turn({name: partial(method, path) for name, method in METHODS.items()}, rounds)
        rows: list[list[Cell]] = []
        for name, method in METHODS.items():
            counted, memory = apart(method, path)
            assert counted == n
            rows.append([name, median(times[name]), ratio(times, name, "GROUP BY"), memory])
    columns = {"": "", "time": "s", "ratio": "x", "memory": "MB"}
    yield Table(f"{n:,} rows in Parquet, DuckDB limited to {LIMIT}", columns, rows)


if __name__ == "__main__":
    run(tables, __doc__)
