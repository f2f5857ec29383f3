"""The benchmark of leaderboards measures what it says, and its loops find the same p-values."""

import importlib
import math

import numpy as np
import pytest

from properties import one_in
from scripts import EXAMPLES

SIZES = 5, 200


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # it sets that itself
    monkeypatch.syspath_prepend(str(EXAMPLES))
    module = importlib.import_module("leaderboard_benchmark")
    monkeypatch.setattr(module, "N_RESAMPLES", 999)
    return module


@one_in(2)
@pytest.mark.parametrize(
    ("metric", "tests"),
    [
        ("accuracy", ["compare_many", "binomtest", "permutation_test *"]),
        ("F1", ["compare_many", "permutation_test *"]),
        ("MCC", ["compare_many"]),
        ("decimals", ["compare_many"]),
    ],
)
def test_measures_each_test(benchmark, metric, tests):
    inputs = benchmark.predictions(*SIZES, np.random.default_rng(0))
    rows = benchmark.measured(metric, *inputs, rounds=2)
    assert [row[0] for row in rows] == [f"{metric}: {test}" for test in tests]
    assert all(row[1] == pytest.approx(10 * row[2]) for row in rows)
    assert rows[0][3] == 1.0
    assert 0 <= int(rows[0][5]) <= 10


@pytest.mark.thorough
def test_loops_agree(benchmark):
    """McNemar's test to the digit, samples within 5 standard errors, twice a tail's."""
    systems, references = benchmark.predictions(*SIZES, np.random.default_rng(1))
    for metric, loops in benchmark.LOOPS.items():
        for pair in benchmark.compare_many(**benchmark.CALLS[metric](systems, references)).pairs:
            columns = systems[pair["system1"]], systems[pair["system2"]]
            for name, (test, _) in loops.items():
                error = 1e-12
                if name == "permutation_test":
                    half = pair["p"] / 2.0
                    error = 10.0 * math.sqrt(half * (1.0 - half) / 999) + 2.0 / 1000
                assert abs(test(references, *columns) - pair["p"]) < error


def test_systems_are_like_real_ones(benchmark):
    """Accuracies from 0.6 to 0.85, errors in common, and not all pairs told apart."""
    systems, references = benchmark.predictions(12, 2_000, np.random.default_rng(0))
    right = np.array([x == references for x in systems.values()])
    assert right.mean(axis=1)[[0, -1]] == pytest.approx([0.85, 0.6], abs=0.03)
    assert (np.corrcoef(right)[~np.eye(12, dtype=bool)] > 0.3).all()
    board = benchmark.compare_many(systems, references)
    apart = [pair["p_adjusted"] <= board.alpha for pair in board.pairs]
    assert 0.2 < np.mean(apart) < 0.95


def test_alike_systems(benchmark):
    same = np.zeros(3, dtype=np.int64)
    assert benchmark.by_binomtest(same, same, same) == 1.0


def test_pairs_are_spread(benchmark):
    assert benchmark.spread(range(9), 3) == [1, 4, 7]
    assert benchmark.spread(range(2), 3) == [0, 1]


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.*estimated from random swaps")
def test_yields_its_table(benchmark, monkeypatch):
    monkeypatch.setattr(benchmark, "QUICK", (3, 60))
    (table,) = benchmark.tables(True, 0)
    assert table.name == "3 systems, 60 examples"
    assert {row[0].split(":")[0] for row in table.rows} == {*benchmark.CALLS}
    assert {len(row) for row in table.rows} == {len(table.columns)}
