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
    plan,
    structured_permutation_test,
)
from pairedperm.convolution import sampling
from pairedperm.convolution.sampling import SamplingCost, drawing_cost, swapping_cost
from pairedperm.options import Options
from pairedperm.results import sampled
from pairedperm.results.sampled import check_sampling
from properties import one_in

TESTS = [paired_permutation_test, paired_bootstrap_test]
SAMPLED = {"method": "monte_carlo", "rng": 0}
DURATION = r"`n_resamples` must be at most \S+ here, got .*, which would take (about|more than a y)"


def rows(n, largest=9):
    one, two, size = np.random.default_rng(n).integers(1, largest, (3, n))
    return np.stack((one, size), axis=1), np.stack((two, size + one), axis=1)


@pytest.mark.parametrize("m", [10**9, 10**12, 10**400])
@pytest.mark.parametrize("test", TESTS)
def test_an_endless_number_of_resamples(test, m):
    """Refused before anything is drawn, whatever is compared."""
    for score in (Ratio([1, 0], [0, 1]), lambda sums: sums[..., 0] / sums[..., 1]):
        with pytest.raises(BudgetError, match=DURATION):
            test(*rows(5), score=score, n_resamples=m, **SAMPLED)
    for columns in (([3, 1, 2], [1, 2, 0]), ([2**0.5, 0.1], [3**0.5, 0])):
        with pytest.raises(
            BudgetError, match=r"Draw fewer: the standard error of p = 0.05"
        ) as error:
            test(*columns, n_resamples=m, **SAMPLED)
        assert "method" not in str(error.value)  # nothing but fewer helps
    assert test([3, 1, 2], [1, 2, 0], n_resamples=m).method == "exact"


def test_what_would_take_more_than_an_hour():
    reals = np.random.default_rng(0).normal(size=(2, 10**5))
    with pytest.raises(BudgetError, match=r"at most 21,0\S+ here, .* about 4\.8 hours\."):
        paired_permutation_test(*reals, n_resamples=10**8, **SAMPLED)
    with pytest.raises(BudgetError, match=DURATION):
        paired_bootstrap_test(*reals, n_resamples=10**8, **SAMPLED)
    with pytest.raises(BudgetError, match=DURATION):
        structured_permutation_test(*rows(9), lambda s: s[..., 0], n_resamples=10**9, **SAMPLED)
    columns = np.random.default_rng(1).integers(0, 3, (3, 40))
    for test in ("permutation", "bootstrap"):
        with pytest.raises(BudgetError, match=DURATION):
            compare(*columns, metric="f1", average="macro", test=test, n_resamples=10**9, **SAMPLED)
    with pytest.raises(BudgetError, match=DURATION):
        plan(*columns, method="monte_carlo", n_resamples=10**9)


@pytest.mark.parametrize("test", TESTS)
def test_auto_says_why_it_does_not_sample(test):
    reals = np.random.default_rng(0).normal(size=(2, 60, 2))
    options = {"score": lambda sums: sums[..., 0], "n_resamples": 10**9, "rng": 0}
    with pytest.raises(BudgetError, match=DURATION):
        test(*reals, **options)


@pytest.mark.parametrize(
    ("n", "n_rows", "m"), [(10**5, 4, 10**6), (10**4, 10**4, 10**5), (10**5, 10**5, 10**5)]
)
def test_what_people_ask_is_accepted(n, n_rows, m):
    counts = np.full(n_rows, n // n_rows)
    for cost in (swapping_cost, drawing_cost):
        check_sampling(Options(n_resamples=m), cost(np.ones((n_rows, 3)), counts))


def test_the_hour_is_one_of_counts():
    cost = SamplingCost(3600.0, 0.0)
    check_sampling(Options(n_resamples=10**9 - 1), cost)
    with pytest.raises(BudgetError, match=r"at most 999,999,999 here, .* about 1\.0 hours"):
        check_sampling(Options(n_resamples=10**9), cost)
    with pytest.raises(BudgetError, match=r"at most 10,000,000 here, .* about 10\.0 hours"):
        check_sampling(Options(n_resamples=10**8), SamplingCost(360_000.0, 0.0))


def test_memory_of_all_scores(monkeypatch):
    options = {**SAMPLED, "n_resamples": 10**8}
    needs = r"100,000,000 resamples need 2\.\S* bytes; `max_bytes` .* 1.07e\+09\. Raise it, or dr"
    with pytest.raises(BudgetError, match=needs):
        paired_bootstrap_test([3, 1, 2], [1, 2, 0], **options)
    monkeypatch.setattr(sampled, "LEAST_BYTES", 1)
    with pytest.raises(BudgetError, match=r"allows 10\. Raise it, or compare fewer columns"):
        paired_permutation_test([3, 1, 2], [1, 2, 0], budget={"max_bytes": 10}, **SAMPLED)


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
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_tables_beyond_the_budget(test):
    columns = np.random.default_rng(0).integers(900, size=(3, 1500))
    with pytest.raises(
        BudgetError, match=r"`max_bytes` of `budget` allows 1\.68e\+07\. Raise it, or compare f"
    ):
        compare(
            *columns,
            metric="f1",
            average="macro",
            test=test,
            budget={"max_bytes": 2**24},
            **SAMPLED,
        )


@one_in(2)
@pytest.mark.parametrize("test", TESTS)
def test_draws_do_not_depend_on_blocks(test, monkeypatch):
    options = {"score": lambda sums: sums[..., 0] / sums[..., 1], **SAMPLED}
    whole = test(*rows(70), **options)
    monkeypatch.setattr(sampling, "SUMS", 64)
    assert test(*rows(70), **options).to_dict() == whole.to_dict()
