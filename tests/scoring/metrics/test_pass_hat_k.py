"""Pass^k, against all choices of runs, fractions and all swaps."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from oracles.texts import brute_force
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, compare
from properties import cases, generators

METRIC = "pass_hat_k"


def share(runs, k):
    """Of all ways to choose k of the runs, those in which all pass."""
    chosen = [all(some) for some in combinations(runs, k)]
    return Fraction(sum(chosen), len(chosen))


@cases(0.3)
@given(rng=generators)
def test_runs(rng):
    n, k = int(rng.integers(1, 9)), int(rng.integers(1, 4))
    sizes = rng.integers(k, 8, n)
    one, two = (
        [(rng.random(size) < rng.random()).astype(int).tolist() for size in sizes] for _ in range(2)
    )
    shares = [[share(runs, k) for runs in column] for column in (one, two)]
    for alternative in ALTERNATIVES:
        result = compare(one, two, None, METRIC, k=k, alternative=alternative)
        assert result.pvalue == pytest.approx(float(brute_force(*shares, alternative)), rel=1e-12)
        assert result.score1 == pytest.approx(float(sum(shares[0]) / n), rel=1e-15)
        assert result.score2 == pytest.approx(float(sum(shares[1]) / n), rel=1e-15)


def test_swaps_of_its_own_estimates():
    rng = np.random.default_rng(23)
    difficulty = rng.random((200, 1))
    one, two = (rng.random((200, 8)) < difficulty**x for x in (0.3, 0.33))
    estimates = [[float(share(runs, 4)) for runs in column.tolist()] for column in (one, two)]
    difference = np.subtract(*estimates)
    signs = rng.integers(0, 2, (40_000, 200)) * 2 - 1
    share_of_swaps = np.mean(np.abs(signs @ difference) >= abs(difference.sum()) - 1e-9)
    result = compare(one, two, None, METRIC, k=4)
    p = result.pvalue
    assert abs(share_of_swaps - p) <= 4 * np.sqrt(p * (1 - p) / 40_000)
    assert str(result).startswith("pass^4: ")


def test_once_is_the_mean():
    runs = [[1, 0, 1], [0, 0, 1]], [[0, 0, 1], [0, 1, 1]]
    found = [compare(*runs, None, metric) for metric in (METRIC, "pass_at_k")]  # k=1
    assert found[0].score1 == found[1].score1 == 0.5
    assert found[0].pvalue == found[1].pvalue
    with pytest.raises(InputError, match=r"must be one of .*Did you mean metric='pass_hat_k'\?"):
        compare(*runs, None, "pass^k")
