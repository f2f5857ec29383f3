"""Time counting rows of labels in a local Spark, beside Spark's own `groupBy().count()`.

    python -m pip install ".[spark]"  # and Java 17
    python examples/spark_benchmark.py [--quick] [--seed SEED] [--json FILE]

Two systems have about nine in ten right of 10^7 examples. The rows are in 8 files of Parquet, each
a partition. A row has both predictions, the right answer (one of ten labels) and a document's id.

groupBy    `groupBy(...).count()` of the three columns, and its answer
ours       `readers.spark.paired_counts` of the same columns, and the exact test
documents  the same with groups: examples of one document are swapped together

They take turns in one session. A time is a median over the rounds; the ratio is the median of the
rounds' ratios to groupBy. The answers must equal those of `compare` of all rows on this machine, to
the last bit. 10^7 rows take a minute.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from timing import Cell, Table, in_turn, ratio, run

from pairedperm import compare, paired_permutation_test
from pairedperm.readers import spark

ROWS, PARTITIONS, ROUNDS, CORES = 10**7, 8, 5, 2
COLUMNS = ("large", "small", "label")
OF_EXAMPLES = ("n_wins", "n_losses", "n_ties")  # which counts of groups do not tell
DOCUMENT = 1000  # examples


def started() -> Any:
    """Start a session on this machine."""
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
        "spark.sql.files.openCostInBytes": "134217728",  # a partition for each file
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(f"local[{CORES}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def written(session: Any, folder: Path, rows: range, partitions: int) -> Any:
    """Write rows of these numbers, a file for each partition, and return them as a DataFrame."""
    session.range(rows.start, rows.stop, 1, partitions).selectExpr(
        "concat('label-', if(pmod(hash(id, 1), 1000) < 900, pmod(hash(id), 10), "
        "pmod(hash(id, 2), 10))) large",
        "concat('label-', if(pmod(hash(id, 3), 1000) < 899, pmod(hash(id), 10), "
        "pmod(hash(id, 4), 10))) small",
        "concat('label-', pmod(hash(id), 10)) label",
        f"id div {DOCUMENT} document",
    ).write.parquet(str(folder))
    return session.read.parquet(str(folder))


class Received:
    """A counter of the rows that come to this machine as Arrow tables."""

    def __init__(self, df: Any) -> None:
        self.n = 0
        self._class, self._to_arrow = type(df), type(df).toArrow

    def __enter__(self) -> Received:
        def counting(df: Any) -> Any:
            table = self._to_arrow(df)
            self.n += table.num_rows
            return table

        self._class.toArrow = counting
        return self

    def __exit__(self, *_: object) -> None:
        self._class.toArrow = self._to_arrow


def by_group_by(df: Any) -> None:
    """Fetch Spark's own counts."""
    df.groupBy(*COLUMNS).count().toArrow()


def by_pairedperm(df: Any) -> dict[str, Any]:
    """Return the result of the test."""
    return paired_permutation_test(spark.paired_counts(df, *COLUMNS)).to_dict()


def by_documents(df: Any) -> dict[str, Any]:
    """Return the result of the test with groups."""
    return paired_permutation_test(spark.paired_counts(df, *COLUMNS, groups="document")).to_dict()


METHODS: dict[str, Callable[[Any], Any]] = {
    "groupBy": by_group_by,
    "ours": by_pairedperm,
    "documents": by_documents,
}


def check(df: Any, folder: Path) -> None:
    """Raise AssertionError unless the answers equal those of all rows."""
    table = pq.read_table(folder)
    columns = [table[name].combine_chunks() for name in COLUMNS]
    assert by_pairedperm(df) == compare(*columns).to_dict()
    expected = compare(*columns, groups=table["document"].combine_chunks()).to_dict()
    assert by_documents(df) == expected | dict.fromkeys(OF_EXAMPLES)


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the table, of other rows for each seed."""
    n, partitions, rounds = (2000, 3, 1) if quick else (ROWS, PARTITIONS, ROUNDS)
    session = started()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "rows")
        df = written(session, folder, range(seed * n, (seed + 1) * n), partitions)
        check(df, folder)
        times = in_turn({key: partial(method, df) for key, method in METHODS.items()}, rounds)
        rows: list[list[Cell]] = []
        for key, method in METHODS.items():
            with Received(df) as received:
                method(df)
            of_time = median(times[key]), ratio(times, key, "groupBy")
            rows.append([key, *of_time, f"{received.n:,}"])
        columns = {"": "", "time": "s", "ratio": "x", "rows received": ""}
        yield Table(f"{n:,} rows in {df.rdd.getNumPartitions()} partitions", columns, rows)
    session.stop()


if __name__ == "__main__":
    run(tables, __doc__)
