"""The benchmark of Spark runs, on few rows, and prints a row for each method."""

import shutil
import sys

import pytest

from extras import needs
from scripts import loaded

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def test_each_method_has_a_row(monkeypatch, capsys):
    needs("pyspark", "spark")
    if shutil.which("java") is None:
        pytest.skip("needs java: install Java 17")
    arguments = ["--rows", "2000", "--partitions", "3", "--repeat", "1"]
    monkeypatch.setattr(sys, "argv", ["script.py", *arguments])
    loaded("spark_benchmark").main()
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert first == "2,000 rows in 3 partitions"
    assert last == "the same answers as on one machine, to the last bit"
    rows = [line.split() for line in lines]
    assert [row[0] for row in rows] == ["method", "groupBy", "ours", "documents"]
    assert [row[-1] for row in rows][1:3] == [rows[1][-1]] * 2
    assert all(float(row[3]) > 0.0 for row in rows[1:])
