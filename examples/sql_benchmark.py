"""Time one query that counts rows of labels in Parquet, and the test, beside a plain `GROUP BY`.

    python -m pip install ".[test]"  # for DuckDB
    python examples/sql_benchmark.py [--rows N] [--repeat R] [--folder FOLDER]

Two systems have about nine in ten right of N examples, by default 10^8, 0.1 GB. A row has both
predictions and the right answer, one of ten labels. DuckDB may use 1 GB.

group by   `SELECT large, small, label, count(*) ... GROUP BY` of all three columns, and its answer
ours       the query of `readers.sql.query`, its answer by `from_table`, and the exact test

They take turns in one process, each on its own connection. A time is a median over the rounds; the
ratio is the median of the rounds' ratios. "memory" is the largest memory of a process that only
runs ours, Python and all libraries included. 10^8 rows take some seconds a round.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import duckdb

from pairedperm import paired_permutation_test
from pairedperm.readers import sql

LIMIT = "1GB"
COLUMNS = ("large", "small", "label")
WRITTEN = """
COPY (
    SELECT
        'label-' || if(hash(i, 1) % 1000 < 900, hash(i) % 10, hash(i, 2) % 10) AS large,
        'label-' || if(hash(i, 3) % 1000 < 899, hash(i) % 10, hash(i, 4) % 10) AS small,
        'label-' || hash(i) % 10 AS label
    FROM range({rows}) AS of_rows(i)
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


def seconds(method: Callable[[Path], int], path: Path, rows: int) -> float:
    """Time a method, and check that it sees all rows."""
    start = time.perf_counter()
    assert method(path) == rows
    return time.perf_counter() - start


def most_memory() -> float:
    """Return the most memory this process had, in bytes, on Linux; nan elsewhere.

    `resource` would count the process that started this one.
    """
    status = Path("/proc/self/status")
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    return next((1024.0 * int(x.split()[1]) for x in lines if x.startswith("VmHWM")), math.nan)


def memory_of_ours(path: Path) -> float:
    """Return the most memory of a process that runs only ours."""
    command = [sys.executable, __file__, "--only-ours", str(path)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def report(path: Path, rows: int, repeat: int) -> None:
    """Time both, and print the figures."""
    for method in (by_group_by, by_pairedperm):
        method(path)  # once for the disk's cache
    methods = (by_group_by, by_pairedperm)
    times = [[seconds(method, path, rows) for method in methods] for _ in range(repeat)]
    theirs, ours = (median(x) for x in zip(*times, strict=True))
    print(f"rows      {rows:,} in {path.stat().st_size / 1e6:,.0f} MB of Parquet")
    print(f"limit     {LIMIT} for DuckDB")
    print(f"group by  {theirs:.3f} s")
    print(f"ours      {ours:.3f} s")
    print(f"ratio     {median(y / x for x, y in times):.2f}")
    print(f"memory    {memory_of_ours(path) / 1e6:.0f} MB")


def main() -> None:
    """Write the rows, and print the figures."""
    parser = argparse.ArgumentParser(description="Time the query beside DuckDB's own counting.")
    parser.add_argument("--rows", type=int, default=10**8)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where rows.parquet is written, and stays")
    parser.add_argument("--only-ours", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only_ours is not None:
        by_pairedperm(arguments.only_ours)
        print(most_memory())
        return
    with tempfile.TemporaryDirectory() as name:
        path = (arguments.folder or Path(name)) / "rows.parquet"
        with connected() as connection:
            connection.execute(WRITTEN.format(rows=arguments.rows, path=path))
        report(path, arguments.rows, arguments.repeat)


if __name__ == "__main__":
    main()
