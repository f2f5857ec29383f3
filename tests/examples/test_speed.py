"""The guides' tables are those of the stored figures, which scripts write."""

import importlib
import json
import math
from functools import partial

import pytest

from scripts import EXAMPLES


@pytest.fixture
def speed(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("speed")


def test_guides_are_those_of_the_figures(speed):
    figures = json.loads(speed.FIGURES.read_text(encoding="utf-8"))
    texts = [guide.read_text(encoding="utf-8") for guide in speed.GUIDES]
    marked = {match[1] for text in texts for match in speed.MARKED.findall(text)}
    assert marked == {*figures} <= {*speed.SCRIPTS}
    assert [speed.written(text, figures) for text in texts] == texts


def test_table_is_written_between_its_markers(speed):
    tables = [{"name": "a b", "columns": {"": "", "t": "s", "m": "MB"}, "rows": [["x", 0.5, None]]}]
    text = "before\n<!-- speed: s, a b -->\nold\n<!-- end -->\nafter"
    shown = "|   |      t | m |\n|---|-------:|--:|\n| x | 500 ms |   |"
    found = speed.written(text, {"s": {"tables": tables}})
    assert found == f"before\n<!-- speed: s, a b -->\n\n{shown}\n\n<!-- end -->\nafter"
    assert speed.written(text, {}) == text


def test_short_calls_are_repeated(speed):
    timing, called = importlib.import_module("timing"), []
    (times,) = timing.in_turn({"": partial(called.append, None)}, rounds=3).values()
    assert len(times) == 3
    assert 0.0 < max(times) < timing.SHORTEST
    assert len(called) > 4


def test_unknown_memory_is_blank(speed):
    tables = [{"name": "t", "columns": {"": "", "m": "MB"}, "rows": [["x", math.nan]]}]
    assert speed.markdown(*speed.as_read(tables))[-1] == "| x |   |"


def test_drift_is_new_by_old(speed):
    def figures(cell):
        table = {"name": "t", "columns": {"": "", "time": "s"}, "rows": [["x", cell]]}
        return {"s": {"tables": [table]}}

    assert [*speed.drift(figures(3.0), figures(2.0))] == ["   1.50  s, t, x, time"]
    assert not [*speed.drift(figures(3.0), {})]


@pytest.mark.thorough
def test_quick_run_is_read_back(speed):
    found = speed.measured("bleu_benchmark", quick=True)
    (table,) = speed.as_read(found["tables"])
    assert len(table.rows) == 2
    assert found.keys() == {"date", "version", "processors", "tables"}
