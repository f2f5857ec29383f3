"""Perplexity, against log-likelihoods, all resamples and 40,000 swaps of its own definition."""

import math
from itertools import product

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given

import pairedperm
from oracles.vectors import ALTERNATIVES, EXTREME
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from properties import cases, generators

METRIC = "perplexity"


def perplexity(column, sizes):
    return math.exp(-math.fsum(column) / sizes.sum())


def texts(rng, n):
    sizes = rng.integers(1, 40, n)
    one = -rng.gamma(2.0 * sizes, 1.0)
    return [one, np.minimum(one + rng.normal(-0.1, 1.0, n), 0.0), sizes]


@cases(0.2)
@given(rng=generators)
def test_swaps(rng):
    """It is that of the mean, for the opposite side."""
    columns = texts(rng, int(rng.integers(1, 30)))
    if rng.random() < 0.5:
        columns[:2] = np.round(columns[:2], 2)
    opposite = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
    for alternative in ALTERNATIVES:
        found = compare(*columns, METRIC, alternative=alternative)
        mean = compare(*columns, "log_likelihood", alternative=opposite[alternative])
        assert (found.pvalue, found.pvalue_interval) == (mean.pvalue, mean.pvalue_interval)
        assert (found.method, found.n_differing) == (mean.method, mean.n_differing)
    assert found.score1 == pytest.approx(perplexity(columns[0], columns[2]), rel=1e-12)
    assert found.score2 == pytest.approx(perplexity(columns[1], columns[2]), rel=1e-12)
    assert found.statistic == found.score1 - found.score2


def test_swaps_of_its_own_definition():
    rng = np.random.default_rng(22)
    one, two, sizes = texts(rng, 400)
    observed = perplexity(one, sizes) - perplexity(two, sizes)
    swapped = rng.random((40_000, 400)) < 0.5
    first = np.where(swapped, two, one).sum(axis=1)
    second = one.sum() + two.sum() - first
    difference = np.exp(-first / sizes.sum()) - np.exp(-second / sizes.sum())
    share = np.mean(np.abs(difference) >= abs(observed))
    p = compare(one, two, sizes, METRIC).pvalue
    assert abs(share - p) <= 4 * np.sqrt(p * (1 - p) / 40_000)


def test_draws():
    """Of the exponentials are p and the intervals, against all resamples."""
    one = np.array([-4.5, -2.5, -7.0, -1.0, 0.0])
    two = np.array([-4.0, -3.5, -7.5, -0.25, -1.0])
    sizes = np.array([3, 1, 4, 2, 0])
    found = []
    for drawn in product(range(5), repeat=5):
        x, y, size = (column[[*drawn]].sum() for column in (one, two, sizes))
        found.append([math.exp(-total / max(size, 1)) for total in (x, y)])
    differences = np.subtract(*np.array(found).T)
    observed = perplexity(one, sizes) - perplexity(two, sizes)
    for alternative in ALTERNATIVES:
        result = compare(
            *[one, two, sizes], METRIC, test="bootstrap", alternative=alternative, rng=0
        )
        if alternative == "two-sided":
            extreme = EXTREME[alternative](differences - observed, observed)
        else:
            extreme = EXTREME[alternative](differences, 2 * observed)
        assert result.pvalue == pytest.approx(np.mean(extreme), abs=0.02)
    low, high = result.confidence_interval
    assert np.quantile(differences, 0.015) <= low <= np.quantile(differences, 0.035)
    assert np.quantile(differences, 0.965) <= high <= np.quantile(differences, 0.985)


@pytest.mark.parametrize("decimals", [1, 2])
def test_resamples_without_a_token(decimals):
    """Their perplexity is 1, in whatever unit the log-likelihoods are."""
    unit = 10.0 ** (1 - decimals)
    columns = [-3.9 * unit, -2.3 * unit], [-8.9 * unit, -0.5 * unit], [0, 2]
    result = compare(*columns, METRIC, test="bootstrap", rng=0)
    assert result.score1_interval.low == 1.0
    assert result.score1 == pytest.approx(math.exp(6.2 * unit / 2))
    assert result.score2 == pytest.approx(math.exp(9.4 * unit / 2))
    low, high = compare(*columns, METRIC).confidence_interval()[:2]
    assert low <= result.statistic <= high


def test_interval_is_of_perplexities():
    """Of many texts that of the mean, times what a change of the mean changes."""
    columns = texts(np.random.default_rng(5), 2_000)
    found = compare(*columns, METRIC)
    mean = compare(*columns, "log_likelihood")
    low, high = (x * -found.score1 for x in mean.confidence_interval()[1::-1])
    assert found.confidence_interval()[:2] == pytest.approx((low, high), rel=0.15)
    assert found.summary().startswith("The perplexity of system 1 is ")
    wins, of_mean = (str(x.report()).splitlines()[1] for x in (found, mean))
    assert wins == of_mean  # fewer is better, of the one, more of the other


def test_doors():
    one, two, sizes = texts(np.random.default_rng(3), 60)
    wanted = compare(one, two, sizes, METRIC).to_dict()
    columns = {"predictions1": one, "predictions2": two, "references": sizes}
    module = pairedperm.load("paired_perm", METRIC)
    for start in range(0, 60, 25):
        module.add_batch(**{name: x[start : start + 25] for name, x in columns.items()})
    assert module.compute() == pytest.approx(wanted)
    assert pairedperm.load("paired_perm").compute(**columns, metric=METRIC) == wanted
    assert compare_dataset(Dataset.from_dict(columns), metric=METRIC).to_dict() == wanted


def test_beyond_floats():
    with pytest.raises(InputError, match=r"of -1e\+03 per token is a perplexity beyond floats"):
        compare([-1000.0], [-2.0], [1], METRIC)
    with pytest.raises(InputError, match="compare log-likelihoods, metric='log_likelihood'"):
        compare([-1000.0, -1.0], [-2.0, -1.0], [1, 9], METRIC, test="bootstrap")
