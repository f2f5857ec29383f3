"""The benchmark of the query runs, on few rows, and measures a process of its own."""

import json
import sys

import pytest

from extras import on_posix
from scripts import done_in


@on_posix
@pytest.mark.thorough
def test_each_figure_is_measured(tmp_path):
    done = done_in(tmp_path, "sql_benchmark", "--quick", "--json", "figures.json")
    assert not done.returncode, done.stderr
    (table,) = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert [row[0] for row in table["rows"]] == ["GROUP BY", "ours"]
    for *_, ratio, memory in table["rows"]:
        assert ratio > 0.0
        assert 20 < memory < 2000 or sys.platform != "linux"  # which alone says it
