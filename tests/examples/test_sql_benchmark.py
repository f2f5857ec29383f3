"""The benchmark of the query runs, on few rows, and prints each figure."""

import sys

import pytest

from extras import on_posix
from scripts import CHECKOUT, loaded


@on_posix
@pytest.mark.thorough
@pytest.mark.parametrize("is_kept", [False, True])
def test_each_figure_is_printed(monkeypatch, capsys, tmp_path, is_kept):
    arguments = ["--rows", "5000", "--repeat", "1", *(["--folder", str(tmp_path)] * is_kept)]
    monkeypatch.setattr(sys, "argv", ["script.py", *arguments])
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))  # for the process whose memory is measured
    loaded("sql_benchmark").main()
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[2:])
    assert lines.keys() == {"ours", "ratio", "memory"} | {"group"}
    assert float(lines["ratio"]) > 0.0
    memory = float(lines["memory"].removesuffix(" MB"))
    assert 20 < memory < 2000 or sys.platform != "linux"  # which alone says it
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"] * is_kept
