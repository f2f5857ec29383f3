"""Sampled p-values: their interval, their seed, and that "auto" goes on if p is small."""

import math

import numpy as np
import pytest

from corpora.ratio_rows import RATIO, sentences
from pairedperm import paired_bootstrap_test, paired_permutation_test

SENTENCES = sentences(np.random.default_rng(4), 100).reshape(-1, 2, 2).swapaxes(0, 1)
CALLER = {"score": lambda sums: sums.sum(axis=-1)}  # whose cost is unknown: up to some 10^5 swaps


def drawn(*columns, **options):
    return paired_permutation_test(*columns, method="monte_carlo", **{"rng": 0} | options)


def of_ten(shift):
    """Ten columns, and the p of their sum, by the test of a mean."""
    one, two = np.random.default_rng(7).integers(0, 30, (2, 300, 10))
    one[:, 0] += shift
    return (one, two), paired_permutation_test(one.sum(axis=1), two.sum(axis=1)).pvalue


def test_never_zero():
    result = drawn([1] * 200, [0] * 200, n_resamples=99)
    assert result.pvalue == 0.01
    low, high = result.pvalue_interval
    assert (low, result.log_pvalue_interval[0]) == (2.0**-200, -200 * math.log(2.0))
    assert high == pytest.approx(1.0 - 0.005 ** (1 / 99))  # Clopper and Pearson's for 0 of 99


def test_rng():
    def of(rng):
        return drawn(*SENTENCES, score=RATIO, rng=rng, n_resamples=999)

    assert of(5).pvalue == of(np.int64(5)).pvalue != of(6).pvalue
    for kind in (np.random.default_rng, np.random.SeedSequence, np.random.PCG64):
        assert of(kind(5)).pvalue == of(kind(5)).pvalue != of(kind(6)).pvalue
    assert of([1, 2]).pvalue == of((1, 2)).pvalue != of([2, 1]).pvalue
    generator = np.random.default_rng(5)
    assert len({of(generator).pvalue for _ in range(5)}) > 1
    for rng in (None, generator, [1, 2], 2**100, np.int8(3)):
        result = of(rng)
        assert type(result.seed) is int
        assert of(result.seed) == result


@pytest.mark.parametrize("test", [paired_permutation_test, paired_bootstrap_test])
@pytest.mark.parametrize("options", [{}, {"score": lambda sums: sums[..., 0] ** 3}])
@pytest.mark.parametrize("unit", [1.0, 3.0])
def test_the_seed_follows_from_the_data(test, options, unit):
    """The same data in any order have the same p; `rng` draws other samples, or the same again."""
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 9, (2, 60, 2)) / unit
    if not options:
        one, two = one[:, 0], two[:, 0]
    options = options | {"method": "monte_carlo", "n_resamples": 999}
    result, order = test(one, two, **options), rng.permutation(60)
    for again in (
        test(one[order], two[order], **options),
        test(one, two, rng=result.seed, **options),
    ):
        assert (again.seed, again.pvalue) == (result.seed, result.pvalue)
    assert test(one + 1.0, two, **options).seed != result.seed
    assert test(one, two, rng=1, **options).seed == 1 != result.seed


# "auto" goes on: to the 100th extreme swap, or the last


def test_auto_says_that_no_sample_was_as_extreme():
    """System 1 is better on every example, by far: p is below what 99 samples can tell."""
    one, two = np.random.default_rng(6).integers(0, 1000, (2, 300, 15))
    one[:, 0] = two[:, 0] + 10**4
    with pytest.warns(UserWarning, match="p is estimated") as warned:
        result = paired_permutation_test(
            one, two, score=lambda sums: sums.max(axis=-1), n_resamples=99
        )
    assert result.pvalue == 0.01
    assert [x.filename for x in warned] == [__file__]
    text = str(warned[0].message)
    assert text.startswith("p is estimated from 99 random swaps (99% interval 4.91e-91 to 0.0521)")
    assert "No swap was as extreme: p may be much smaller. Set `rng`" in text


@pytest.mark.filterwarnings("ignore:p is estimated")
def test_auto_goes_on_to_the_100th_extreme_swap():
    columns, truth = of_ten(4)
    assert 5e-4 < truth < 5e-3
    result = paired_permutation_test(*columns, **CALLER)
    assert result.pvalue == 100 / result.n_resamples
    assert abs(result.pvalue / truth - 1.0) < 0.5
    assert f"with {result.n_resamples:,} samples" in result.summary()
    asked = {**CALLER, "rng": result.seed}
    before, last = (drawn(*columns, n_resamples=result.n_resamples - k, **asked) for k in (1, 0))
    assert before.pvalue == result.pvalue  # of 99 swaps
    assert before.pvalue_interval[1] == result.pvalue_interval[1]
    assert last.pvalue == 101 / (result.n_resamples + 1)
    assert last.pvalue_interval[0] == result.pvalue_interval[0]


@pytest.mark.filterwarnings("ignore:p is estimated")
def test_auto_draws_what_it_draws_by_name():
    """P is large."""
    columns, truth = of_ten(0)
    result = paired_permutation_test(*columns, **CALLER, rng=0)
    assert (result.n_resamples, truth > 0.05) == (9999, True)
    assert result == drawn(*columns, **CALLER, n_resamples=result.n_resamples)
    few = paired_permutation_test(*columns, **CALLER, n_resamples=99)
    assert few.n_resamples == 99
    assert drawn(*columns, **CALLER).n_resamples == 9999
