"""The bar over a long exact computation: how far it is, by counts of work."""

import datasets
import numpy as np
import pytest

from choices import plan
from corpora.planned import largest
from pairedperm import Ratio, paired_permutation_test
from pairedperm.convolution.engine import advance, watched
from pairedperm.permutation import choose as module
from pairedperm.permutation import choose as run_module
from properties import one_in

ROWS = np.random.default_rng(4).integers(0, 9, (2, 40, 3))
FINE = np.random.default_rng(5).integers(1, 10**6, (2, 18, 2))
CASES = {
    "masses added": ((*ROWS,), {"score": largest}),
    "swaps listed": ((*FINE / 3,), {"score": largest}),
    "swaps counted in the plane": ((*FINE,), {"score": Ratio([1, 0], [0, 1])}),
    "tilted sums in the plane": ((*ROWS[:, :, :2].repeat(5, 1),), {"score": Ratio([1, 0], [1, 1])}),
    "halves": ((*np.random.default_rng(6).integers(0, 10**4, (2, 100)),), {}),
    "a tilted sum": (
        (*np.random.default_rng(7).integers(0, 10**6, (2, 200)),),
        {"method": "exact"},
    ),
}


@one_in(5)
@pytest.mark.parametrize("what", CASES)
def test_the_work_that_is_planned_is_told(what):
    """About: to the same order."""
    arguments, options = CASES[what]
    told = []
    with watched(told.append):
        paired_permutation_test(*arguments, **options)
    planned = plan(*arguments, **options)
    assert planned.method in ("exact", "enumeration")
    assert 0.1 <= 1e-9 * sum(told) / planned.seconds <= 10.0


def test_nobody_watches():
    told = []
    with watched(told.append):
        advance(3.0)
    advance(5.0)
    assert told == [3.0]


@one_in(2)
@pytest.mark.parametrize("is_long", [True, False])
def test_the_bar(capsys, monkeypatch, terminal, is_long):
    monkeypatch.setattr(run_module, "QUICK", 0.0 if is_long else 1e9)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    for switch in (datasets.enable_progress_bars, datasets.disable_progress_bars):
        switch()
        try:
            paired_permutation_test(*ROWS, score=largest, method="exact")
        finally:
            datasets.enable_progress_bars()
        printed = capsys.readouterr()
        assert printed.out == ""
        is_shown = is_long and switch is datasets.enable_progress_bars
        assert ("Computing p" in printed.err) is is_shown


def test_the_bar_stops_at_its_end(capsys, monkeypatch, terminal):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with module.computing(1.0):
        advance(3e9)
        advance(3e9)
    assert "101%" not in capsys.readouterr().err
