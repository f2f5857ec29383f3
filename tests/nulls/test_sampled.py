"""How many resamples are accepted: those that take an hour at most, by counts, and fit."""

import tracemalloc

import numpy as np
import pytest

from pairedperm import (
    compare,
    compare_many,
    paired_permutation_test,
)
from pairedperm.convolution import sampling
from pairedperm.convolution.sampling import drawing_cost, swapping_cost
from pairedperm.nulls import solve
from pairedperm.nulls.solve import ALLOWANCE, most_samples, sampling_cost, sharing
from pairedperm.options import Options
from properties import one_in

SAMPLED = {"method": "monte_carlo", "rng": 0}


@pytest.mark.parametrize(("n", "n_rows", "m"), [(10**5, 4, 10**6), (10**5, 10**5, 10**5)])
def test_what_people_ask_is_accepted(n, n_rows, m):
    counts = np.full(n_rows, n // n_rows)
    for cost in (swapping_cost, drawing_cost):
        each = cost(np.ones((n_rows, 3)), counts)
        assert sampling_cost(3, 0, Options(n_resamples=m), each).excess is None


@pytest.mark.parametrize(
    ("n_tests", "seconds", "each", "most"),
    [
        (20, 60.0, 1e-5, 300_000),  # as one test alone
        (48, 100.0, 2**-16, 81_920),
        (8_000, 1e5, 1e-5, 160_000),  # so that p can be 0.05 / 8,000
        (100, 1e5, 1.0, 9_999),
    ],
)
def test_how_many_one_of_many_tests_may_draw(n_tests, seconds, each, most):
    with sharing(n_tests, seconds, 0.05):
        assert most_samples(Options(), each) == most
        assert most_samples(Options(n_resamples=20), each) == 20
        assert most_samples(Options(method="monte_carlo"), each) == 9_999
    assert not ALLOWANCE.get().is_of_many
    assert most_samples(Options(), 1e-7) == 10**6
    assert most_samples(Options(), 1e-5) == 300_000


def test_the_share_of_a_pair(monkeypatch):
    """A pair draws fewer samples than alone, and enough to be told apart; exact ones stay."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 4, 150)
    systems = {x: np.where(rng.random(150) < 0.6, labels, rng.integers(0, 4, 150)) for x in "ab"}
    systems["right"] = labels
    monkeypatch.setattr(solve, "_ALL", 1e-3)
    with pytest.warns(UserWarning, match="estimated from random swaps"):
        board = compare_many(systems, labels, "f1", average="macro", alpha=2e-4)
    pairs = board.to_dict()["pairs"]
    assert max(x["n_resamples"] for x in pairs) == 15_000  # 3 / alpha
    assert {x["system1"] for x in pairs if x["p_adjusted"] <= 2e-4} == {"right"}
    rows = {x: (y == labels).astype(int) for x, y in systems.items()}
    for x in compare_many(rows).to_dict()["pairs"]:
        alone = paired_permutation_test(rows[x["system1"]], rows[x["system2"]])
        assert x["p"] == alone.pvalue


@one_in(3)
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("max_bytes", [2**24, pytest.param(2**26, marks=pytest.mark.thorough), 1])
def test_blocks_follow_the_budget(test, max_bytes):
    """The samples are the same."""
    columns = np.random.default_rng(0).integers(50, size=(3, 150))
    options = {"metric": "f1", "average": "macro", "test": test, **SAMPLED}
    tracemalloc.start()
    try:
        found = compare(*columns, budget={"max_bytes": max_bytes}, **options)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.to_dict() == compare(*columns, **options).to_dict()
    assert peak < max(max_bytes, 2 * sampling.LEAST_BYTES)
