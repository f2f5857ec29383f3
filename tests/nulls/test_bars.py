"""The bar over what takes long: it is one, shown on request, and counts the work as planned."""

from functools import partial

import datasets
import numpy as np
import pytest

from choices import plan
from corpora.planned import largest
from pairedperm import compare_many, compare_suite, options, paired_permutation_test
from pairedperm.convolution.engine import watched
from pairedperm.nulls import solve, swaps

ROWS = np.random.default_rng(4).integers(0, 9, (2, 40, 3))
TOO_FINE_TO_CONVOLVE = np.random.default_rng(7).integers(0, 10**6, (2, 200))


def test_the_work_that_is_planned_is_told():
    """About: to the same order."""
    told = []
    with watched(told.append):
        paired_permutation_test(*TOO_FINE_TO_CONVOLVE, method="exact")
    planned = plan(*TOO_FINE_TO_CONVOLVE, method="exact")
    assert 0.1 <= 1e-9 * sum(told) / planned.seconds <= 10.0


COLUMNS = [*np.random.default_rng(5).integers(0, 4, (3, 40))]
MACRO = {"metric": "f1", "average": "macro", "method": "monte_carlo", "rng": 0}
PAIRS = partial(compare_many, dict(zip("abc", COLUMNS, strict=True)), COLUMNS[0], **MACRO)
CALLS = {
    "Computing p": lambda: paired_permutation_test(*ROWS[:, :20], score=largest, method="exact"),
    "Testing pairs": PAIRS,
    "Testing pairs that share the time": PAIRS,
    "Testing tasks that share the time": partial(
        compare_suite, dict.fromkeys("abc", (*COLUMNS,)), **MACRO
    ),
}


@pytest.mark.filterwarnings("ignore:3 of 3 p-values")
@pytest.mark.parametrize("kind", ["long", "long, without bars", "quick"])
@pytest.mark.parametrize("said", CALLS)
def test_the_one_bar(capsys, monkeypatch, terminal, said, kind):
    """Of all tests of a call none has its own; short work shows none."""
    for module in (swaps, solve):
        monkeypatch.setattr(module, "QUICK", 1e9 if kind == "quick" else 0.0)
    if kind != "quick":
        monkeypatch.setattr(solve, "PATIENCE", 0.0)
        monkeypatch.setattr(options, "PATIENCE", 0.0)
        if "share" in said:
            monkeypatch.setattr(solve, "_ALL", 0.0)
    if kind == "long, without bars":
        datasets.disable_progress_bars()
    try:
        CALLS[said]()
    finally:
        datasets.enable_progress_bars()
    printed = capsys.readouterr()
    what = said.split()[0]
    assert printed.out == ""
    assert (what in printed.err) is (kind == "long")
    before = printed.err.rpartition(what)[0]  # the average of tasks has one of its own
    assert all(x not in before for x in {"Computing", "Testing", "Sampling"} - {what})
