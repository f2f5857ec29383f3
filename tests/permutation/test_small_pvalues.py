"""Sampling by "auto" continues if p is small: to the 100th extreme swap, or the last."""

import json

import numpy as np
import pytest

from pairedperm import compare, paired_bootstrap_test, paired_permutation_test
from pairedperm.model_card import significance_section
from properties import one_in

ENOUGH = 100
CALLER = {"score": lambda sums: sums.sum(axis=-1)}  # whose cost is unknown: up to some 10^5 swaps


def labels():
    """Labels of three classes; p of macro-F1 is 9.4e-5, from five million swaps."""
    rng = np.random.default_rng(28)
    gold = rng.integers(3, size=2000)
    systems = (
        np.where(rng.random(2000) < share, gold, rng.integers(3, size=2000))
        for share in (0.85, 0.8)
    )
    return *systems, gold


def rows(shift):
    """Ten columns, and the p of their sum, by the test of a mean."""
    one, two = np.random.default_rng(7).integers(0, 30, (2, 300, 10))
    one[:, 0] += shift
    return (one, two), paired_permutation_test(one.sum(axis=1), two.sum(axis=1)).pvalue


def sampled(test, *columns, **options):
    with pytest.warns(UserWarning, match="p is estimated") as warned:
        result = test(*columns, **options)
    return result, str(warned[0].message)


@pytest.mark.thorough
def test_a_macro_average_of_small_p():
    result, text = sampled(compare, *labels(), "f1", average="macro", rng=0)
    assert result.pvalue == ENOUGH / result.n_resamples
    assert result.pvalue == pytest.approx(9.4e-5, rel=0.35)
    low, high = result.pvalue_interval
    assert low < 9.4e-5 < high < 1.6e-4
    assert text.startswith(f"p is estimated from {result.n_resamples:,} random swaps (99% inte")
    assert "No swap" not in text


@one_in(6)
@pytest.mark.parametrize("seed", range(5))
def test_it_is_near_the_exact_pvalue(seed):
    columns, truth = rows(5)
    assert 5e-4 < truth < 5e-3
    result, _ = sampled(paired_permutation_test, *columns, **CALLER, rng=seed)
    assert result.pvalue == ENOUGH / result.n_resamples
    assert abs(result.pvalue / truth - 1.0) < 5.0 / ENOUGH**0.5
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()
    words = f"with {result.n_resamples:,} samples"
    assert words in result.summary()
    section = significance_section(result.to_dict())
    assert words in section
    assert " drawn until 100 were as extreme: it is 100 / samples.\n" in section


def test_the_last_swap_is_the_100th():
    columns, _ = rows(5)
    result, _ = sampled(paired_permutation_test, *columns, **CALLER, rng=None)
    options = {**CALLER, "method": "monte_carlo", "rng": result.seed}
    before, last = (
        paired_permutation_test(*columns, n_resamples=result.n_resamples - k, **options)
        for k in (1, 0)
    )
    assert before.pvalue == result.pvalue  # of 99 swaps
    assert before.pvalue_interval[1] == result.pvalue_interval[1]
    assert last.pvalue == (ENOUGH + 1) / (result.n_resamples + 1)
    assert last.pvalue_interval[0] == result.pvalue_interval[0]


@pytest.mark.thorough
def test_no_swap_is_as_extreme():
    columns, truth = rows(20)
    assert truth < 1e-19
    result, text = sampled(paired_permutation_test, *columns, **CALLER, rng=0)
    assert 10**5 < result.n_resamples < 10**6
    assert result.pvalue == 1 / (result.n_resamples + 1)
    assert result.pvalue_interval[0] == 2.0**-result.n_differing
    assert "No swap was as extreme: p may be much smaller" in text
    asked = {"method": "monte_carlo", "n_resamples": result.n_resamples, "rng": 0}
    assert paired_permutation_test(*columns, **CALLER, **asked) == result
    assert "(k + 1) / (samples + 1)" in significance_section(result)


def test_a_large_p_is_as_ever():
    columns, truth = rows(0)
    assert truth > 0.05
    result, _ = sampled(paired_permutation_test, *columns, **CALLER, rng=3)
    asked = paired_permutation_test(*columns, **CALLER, rng=3, method="monte_carlo")
    assert result == asked
    assert result.n_resamples == 9999


def test_as_many_as_asked_for():
    columns, _ = rows(20)
    for n in (99, 9999):
        result, _ = sampled(paired_permutation_test, *columns, **CALLER, n_resamples=n)
        assert (result.n_resamples, result.pvalue) == (n, 1 / (n + 1))
    result = paired_permutation_test(*columns, **CALLER, method="monte_carlo")
    assert result.n_resamples == 9999
    assert paired_bootstrap_test(*columns, **CALLER).n_resamples == 9999


def test_memory_does_not_matter():
    columns, _ = rows(5)
    whole, _ = sampled(paired_permutation_test, *columns, **CALLER, rng=0)
    few = {"budget": {"max_bytes": 1}}
    assert sampled(paired_permutation_test, *columns, **CALLER, rng=0, **few)[0] == whole
