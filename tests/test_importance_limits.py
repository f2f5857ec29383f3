"""Importance sampling where sampling is easy, or hopeless."""

import dataclasses
import json
import math

import numpy as np
import pytest
from importance_runs import SAMPLED, f1_columns, mean_of_ratios, relative_error
from ratio_rows import RATIO, sentences

from pairedperm import paired_permutation_test, structured_permutation_test


def test_moderate_pvalues_are_those_of_monte_carlo():
    """If 5 % of fair samples are extreme."""
    rng = np.random.default_rng(9)
    differences = np.repeat([3, -2, -1], [14, 15, 11])
    rows = sentences(rng, 50)
    for arguments, options in (
        ((differences, np.zeros(40, dtype=int)), {}),
        ((rows[:, :2], rows[:, 2:]), {"score": RATIO}),
        ((rows[:, :2], rows[:, 2:]), {"score": mean_of_ratios}),
        (([1] * 90, [0] * 90), {"alternative": "less"}),
        (([1, 2], [1, 2]), {}),
    ):
        options |= {"rng": 4, "n_resamples": 2000}
        result = paired_permutation_test(*arguments, **options, **SAMPLED)
        assert result.pvalue > 0.05
        expected = paired_permutation_test(*arguments, **options, method="monte_carlo")
        assert result == dataclasses.replace(expected, method="importance_sampling")


@pytest.mark.parametrize("n", [30, 200, 900])
def test_never_zero(n):
    """All wins; with few samples too, of which none or a few are extreme."""
    for n_resamples, alternative in ((1, "two-sided"), (5, "greater"), (1000, "two-sided")):
        options = {"n_resamples": n_resamples, "alternative": alternative, "rng": 0, **SAMPLED}
        if n_resamples < 10:
            with pytest.warns(UserWarning, match="samples were extreme, too few to know p"):
                result = paired_permutation_test([1] * n, [0] * n, **options)
        else:
            result = paired_permutation_test([1] * n, [0] * n, **options)
        log_low, log_high = result.log_pvalue_interval
        least = -n * math.log(2.0)
        assert result.pvalue >= 2.0**-n * (1 - 1e-12) > 0.0
        assert least <= log_low <= result.log_pvalue <= log_high <= 0.0
        low, high = result.pvalue_interval
        assert 0.0 < low <= result.pvalue <= high <= 1.0
        json.dumps(result.to_dict(), allow_nan=False)


def test_finite_below_underflow():
    result = paired_permutation_test([1] * 3000, [0] * 3000, n_resamples=2000, rng=0, **SAMPLED)
    assert result.pvalue == result.pvalue_interval[0] == 0.0
    expected = -2999 * math.log(2.0)
    low, high = result.log_pvalue_interval
    assert low <= expected <= high
    assert result.log_pvalue == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("n_resamples", [1, 3, 8])
def test_too_few_extreme_samples(n_resamples):
    columns = f1_columns()
    message = rf"only \d of {n_resamples} samples were extreme, too few to know p: raise `n_resamp"
    with pytest.warns(UserWarning, match=message) as warned:
        paired_permutation_test(*columns, score=RATIO, n_resamples=n_resamples, rng=0, **SAMPLED)
    assert warned[0].filename == __file__
    assert len(warned) == 1


def test_weights_that_vary():
    """A standard error above 20 % is said, in words that hold for a factor."""
    columns = f1_columns()
    message = (
        r"vary so much that p is hardly known, to a factor of 1\.\d as a standard error: raise"
    )
    with pytest.warns(UserWarning, match=message) as warned:
        result = paired_permutation_test(*columns, score=RATIO, n_resamples=100, rng=0, **SAMPLED)
    assert warned[0].filename == __file__
    assert relative_error(result) > 0.2
    result = paired_permutation_test(*columns, score=RATIO, n_resamples=10_000, rng=0, **SAMPLED)
    assert relative_error(result) < 0.2  # and nothing is said


def test_no_extreme_sample():
    """The upper end of what fair samples without an extreme one leave possible: α^(1/n)."""
    with pytest.warns(UserWarning, match="only 0 of 1 samples were extreme"):
        result = paired_permutation_test([1] * 50, [0] * 50, n_resamples=1, rng=0, **SAMPLED)
    assert result.pvalue == result.pvalue_interval[1] == pytest.approx(0.99)
    assert result.pvalue_interval[0] == 2.0**-50


def test_no_tilt_is_found():
    """The statistic singles out one sum, which swaps under no tilt have often."""
    differences = np.random.default_rng(10).integers(1, 1000, 40) * np.tile([1, 1, 1, -1], 10)
    observed = differences.sum()
    arguments = (differences, -differences, lambda sums: sums == observed)
    exact = structured_permutation_test(*arguments)
    assert exact.pvalue < 1e-3
    message = "no swaps were found towards which to sample: p is that of plain sampling"
    with pytest.warns(UserWarning, match=message) as warned:
        result = structured_permutation_test(*arguments, n_resamples=1000, rng=0, **SAMPLED)
    assert warned[0].filename == __file__
    expected = structured_permutation_test(
        *arguments, n_resamples=1000, rng=0, method="monte_carlo"
    )
    assert result == dataclasses.replace(expected, method="importance_sampling")
    low, high = result.pvalue_interval
    assert low <= exact.pvalue <= high
