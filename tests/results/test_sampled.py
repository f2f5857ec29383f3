"""How many resamples are accepted: those that take an hour at most, by counts, and fit."""

import tracemalloc
from functools import cache

import numpy as np
import pytest

from pairedperm import (
    BudgetError,
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
)
from pairedperm.convolution import sampling
from pairedperm.convolution.sampling import SamplingCost, drawing_cost, swapping_cost
from pairedperm.options import Options
from pairedperm.results.sampled import sampling_cost
from properties import one_in

TESTS = [paired_permutation_test, paired_bootstrap_test]
SAMPLED = {"method": "monte_carlo", "rng": 0}


def rows(n, largest=9):
    one, two, size = np.random.default_rng(n).integers(1, largest, (3, n))
    return np.stack((one, size), axis=1), np.stack((two, size + one), axis=1)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("pair", "score"),
    [
        (rows(5), Ratio([1, 0], [0, 1])),
        (rows(5), lambda sums: sums[..., 0] / sums[..., 1]),
        (([3, 1, 2], [1, 2, 0]), None),
        (([2**0.5, 0.1], [3**0.5, 0]), None),
    ],
    ids=["ratio", "function", "integers", "reals"],
)
def test_an_endless_number_of_resamples(test, pair, score):
    """Refused before anything is drawn, whatever is compared; nothing but fewer helps."""
    with pytest.raises(BudgetError, match="Draw fewer") as error:
        test(*pair, score=score, n_resamples=10**12, **SAMPLED)
    assert "method" not in str(error.value)


@pytest.mark.parametrize("test", TESTS)
def test_an_endless_number_that_is_not_drawn(test):
    assert test([3, 1, 2], [1, 2, 0], n_resamples=10**400).method == "exact"


@pytest.mark.parametrize(
    ("n", "n_rows", "m"), [(10**5, 4, 10**6), (10**4, 10**4, 10**5), (10**5, 10**5, 10**5)]
)
def test_what_people_ask_is_accepted(n, n_rows, m):
    counts = np.full(n_rows, n // n_rows)
    for cost in (swapping_cost, drawing_cost):
        each = cost(np.ones((n_rows, 3)), counts)
        assert sampling_cost(3, 0, Options(n_resamples=m), each).excess is None


def test_more_than_an_hour_is_refused():
    excess = sampling_cost(1, 0, Options(n_resamples=10**9), SamplingCost(3600.0, 0.0)).excess
    assert "at most 999,999,999 here" in str(excess)
    assert "about 1.0 hours" in str(excess)


def answer_and_peak(columns, **options):
    """Of a comparison by macro-F1, and the memory that it took."""
    tracemalloc.start()
    try:
        return compare(*columns, metric="f1", average="macro", **SAMPLED, **options), (
            tracemalloc.get_traced_memory()[1]
        )
    finally:
        tracemalloc.stop()


@pytest.mark.thorough
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_blocks_of_many_classes_are_small(test):
    """The sums of a block, and what a score makes of them, take some tens of megabytes."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2000, (3, 120))
    found, peak = answer_and_peak(columns, test=test, n_resamples=2000)
    assert found.n_resamples == 2000
    assert peak < 10**8


MANY = [(1500, 1000, 1, 2**27), (200, 1500, 300, 2**28)]
MORE = [(8000, 2000, 1, 2**29), (4000, 2000, 2000, 2**30)]


@one_in(2)
@pytest.mark.parametrize(
    ("test", "n", "n_classes", "length", "most"),
    [
        ("permutation", *MANY[0]),
        ("bootstrap", *MANY[1]),
        *(
            pytest.param(test, *sizes, marks=pytest.mark.thorough)
            for test, chosen in (
                ("permutation", [MANY[1], MORE[0]]),
                ("bootstrap", [MANY[0], MORE[1]]),
            )
            for sizes in chosen
        ),
    ],
)
def test_an_average_over_many_classes_is_sampled_in_little_memory(test, n, n_classes, length, most):
    """The counts of all classes are 6 n K: of these far fewer bytes than eight each are taken."""
    columns = np.random.default_rng(0).integers(n_classes, size=(3, n, length)[: 2 + (length > 1)])
    found, peak = answer_and_peak(columns, test=test, n_resamples=99)
    assert found.n == n
    assert peak < most


@cache  # of every budget the same
def of_all_blocks(test):
    columns = np.random.default_rng(0).integers(50, size=(3, 300))
    return compare(*columns, metric="f1", average="macro", test=test, **SAMPLED).to_dict()


@one_in(3)
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("max_bytes", [pytest.param(2**26, marks=pytest.mark.thorough), 2**24, 1])
def test_blocks_follow_the_budget(test, max_bytes):
    columns = np.random.default_rng(0).integers(50, size=(3, 300))
    found, peak = answer_and_peak(columns, test=test, budget={"max_bytes": max_bytes})
    assert found.to_dict() == of_all_blocks(test)
    assert peak < max(max_bytes, 2 * sampling.LEAST_BYTES)


@one_in(2)
@pytest.mark.parametrize("test", TESTS)
def test_draws_do_not_depend_on_blocks(test, monkeypatch):
    options = {"score": lambda sums: sums[..., 0] / sums[..., 1], **SAMPLED}
    whole = test(*rows(70), **options)
    monkeypatch.setattr(sampling, "SUMS_AT_ONCE", 64)
    assert test(*rows(70), **options).to_dict() == whole.to_dict()
