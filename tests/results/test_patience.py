"""The patience of a call of many tests: shares of it, samples in any case, and one bar."""

import datasets
import numpy as np
import pytest

from pairedperm import compare_many, compare_suite, paired_permutation_test
from pairedperm.options import Options
from pairedperm.results import sampled
from pairedperm.results.sampled import OWN_SHARE, most_samples, sharing

RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 4, 400)
SYSTEMS = {x: np.where(RNG.random(400) < 0.6, LABELS, RNG.integers(0, 4, 400)) for x in "ab"}
SYSTEMS["right"] = LABELS


@pytest.mark.parametrize(
    ("n_tests", "seconds", "each", "most"),
    [
        (20, 60.0, 1e-5, 300_000),  # as one test alone
        (20, 61.0, 1e-5, 300_000),  # three seconds for each
        (48, 100.0, 2**-16, 81_920),
        (8_000, 1e5, 1e-5, 160_000),  # so that p can be 0.05 / 8,000
        (100, 1e5, 1.0, 9_999),
        (10**6, 1e9, 1e-5, 10**6),
    ],
)
def test_how_many_samples_one_of_many_tests_may_draw(n_tests, seconds, each, most):
    with sharing(n_tests, seconds, 0.05):
        assert most_samples(Options(), each) == most
        assert most_samples(Options(n_resamples=20), each) == 20
        assert most_samples(Options(method="monte_carlo"), each) == 9_999
    assert not OWN_SHARE.get().is_of_many


def test_the_share_of_a_pair(monkeypatch):
    """A pair draws fewer samples than alone, and enough to be told apart."""
    alone = paired_permutation_test
    monkeypatch.setattr(sampled, "_ALL", 1e-3)
    with pytest.warns(UserWarning, match="estimated from random swaps"):
        board = compare_many(SYSTEMS, LABELS, "f1", average="macro", alpha=1e-3)
    assert max(x["n_resamples"] for x in board.pairs) == 9_999  # 3 / alpha are fewer
    with pytest.warns(UserWarning, match="estimated from random swaps"):
        board = compare_many(SYSTEMS, LABELS, "f1", average="macro", alpha=2e-4)
    pairs = board.pairs
    assert max(x["n_resamples"] for x in pairs) == 15_000
    assert {x["system1"] for x in pairs if x["p_adjusted"] <= 2e-4} == {"right"}
    rows = {x: (y == LABELS).astype(int) for x, y in SYSTEMS.items()}
    for pair in compare_many(rows).pairs:  # exact ones stay as they are
        assert pair["p"] == alone(rows[pair["system1"]], rows[pair["system2"]]).pvalue


@pytest.mark.parametrize("what", ["pairs", "tasks"])
def test_the_one_bar(capsys, monkeypatch, terminal, what):
    monkeypatch.setattr("pairedperm.results.sampled.PATIENCE", 0.0)
    monkeypatch.setattr("pairedperm.permutation.choose.QUICK", 0.0)
    for switch in (datasets.enable_progress_bars, datasets.disable_progress_bars):
        switch()
        try:
            if what == "pairs":
                compare_many(SYSTEMS, LABELS)
            else:
                monkeypatch.setattr("pairedperm.results.sampled._ALL", 0.0)
                tasks = {x: (y, SYSTEMS["a"], LABELS) for x, y in SYSTEMS.items()}
                compare_suite(tasks)
        finally:
            datasets.enable_progress_bars()
        printed = capsys.readouterr().err
        assert ("Testing" in printed) is (switch is datasets.enable_progress_bars)
        before = printed.rpartition("Testing")[0]
        assert "Computing" not in before
        assert "Sampling" not in before
