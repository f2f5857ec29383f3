"""The bar that shows how far a large file is read."""

import sys

import datasets
import pytest

from pairedperm.readers import read_runs, text_file

ROWS = [{"id": k, "score": k % 3} for k in range(50)]


@pytest.fixture
def large(two, monkeypatch):
    """Two files that are large, as they say."""
    monkeypatch.setattr(text_file, "_LARGE", 1)
    return two(ROWS, ROWS[::-1])


def test_of_a_large_file(large, capsys):
    read_runs(*large)
    shown = capsys.readouterr()
    assert "Reading " in shown.err
    assert "a.jsonl" in shown.err
    assert shown.out == ""


def test_of_a_small_file(two, capsys):
    read_runs(*two(ROWS, ROWS))
    assert capsys.readouterr().err == ""


def test_switched_off(large, capsys, monkeypatch):
    datasets.disable_progress_bars()
    try:
        read_runs(*large)
        assert capsys.readouterr().err == ""
        monkeypatch.delitem(sys.modules, "datasets")  # nobody can have turned its switch
        read_runs(*large)
        assert "a.jsonl" in capsys.readouterr().err
    finally:
        datasets.enable_progress_bars()
