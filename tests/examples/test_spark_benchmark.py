"""The benchmark of Spark runs, on few rows, and yields a row for each method."""

import importlib

import pytest

from scripts import EXAMPLES
from spark_session import WARNED

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings(WARNED),
]


def test_each_method_has_a_row(spark_session, monkeypatch):
    """It stops unless the answers are those of one machine, to the last bit."""
    monkeypatch.setattr(type(spark_session), "stop", lambda _: None)  # others go on with it
    monkeypatch.syspath_prepend(str(EXAMPLES))
    (table,) = importlib.import_module("spark_benchmark").tables(True, 0)
    assert table.name == "2,000 rows in 3 partitions"
    assert [row[0] for row in table.rows] == ["groupBy", "ours", "documents"]
    assert table.rows[0][-1] == table.rows[1][-1]
    assert all(row[2] > 0.0 for row in table.rows)
