"""Who sees a bar of progress: people at a terminal or in a notebook, unless they switch it off."""

import sys
from types import SimpleNamespace

import datasets
import pytest

from pairedperm.options import NoBar, progress_bar


def is_seen():
    with progress_bar(2, "Work") as bar:
        bar.update()
        bar.update()
    return not isinstance(bar, NoBar)


def test_a_terminal(capsys, monkeypatch):
    """A log of stderr has none; the bar goes when it is done."""
    assert not is_seen()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert is_seen()
    shown = capsys.readouterr().err
    assert "Work" in shown
    assert shown.endswith("\r")


@pytest.mark.parametrize("has_kernel", [True, False])
def test_a_notebook(has_kernel, capsys, monkeypatch):
    """Its stderr is no terminal; a shell of IPython has no kernel."""
    shell = SimpleNamespace(**{"kernel": 1} if has_kernel else {})
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert is_seen() is has_kernel


@pytest.mark.parametrize("switch", ["1", "on", "0"])
def test_switches_of_datasets(switch, capsys, monkeypatch, terminal):
    datasets.disable_progress_bars()
    try:
        assert not is_seen()
        monkeypatch.delitem(sys.modules, "datasets")
        monkeypatch.setenv("HF_DATASETS_DISABLE_PROGRESS_BARS", switch)
        assert is_seen() is (switch == "0")
    finally:
        datasets.enable_progress_bars()


def test_without_stderr(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    assert not is_seen()
