"""The benchmark of the readers runs, on small logs, and prints a row for each format."""

import sys

import pytest

from scripts import loaded


@pytest.mark.thorough
def test_each_format_has_a_row(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["script.py", "--rows", "500", "--repeat", "1"])
    loaded("reading_benchmark").main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == ["format", "jsonl", "csv", "parquet"]
    assert all(float(row[-1]) > 0.0 for row in rows[1:])
