"""The benchmark of Spark runs, on few rows, and prints a row for each method."""

import sys

import pytest

from scripts import loaded
from spark_session import WARNED

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings(WARNED),
]


def test_each_method_has_a_row(spark_session, monkeypatch, capsys):
    monkeypatch.setattr(type(spark_session), "stop", lambda _: None)  # others go on with it
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
