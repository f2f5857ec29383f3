"""Perplexity, against its definition: contracts, and what log-likelihoods say of it."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given

from corpora.likelihoods import decimals, random_texts, real_numbers
from pairedperm import compare
from properties import cases, generators
from scoring.contract import ALTERNATIVES, Contract, check_metric

METRIC = "perplexity"


def perplexity(predictions, sizes):
    """Without a token it is 1."""
    return math.exp(-math.fsum(predictions) / sum(sizes)) if sum(sizes) else 1.0


def loss(predictions, sizes):
    """The null distribution has differences of it."""
    return -math.fsum(predictions) / sum(sizes) if sum(sizes) else 0.0


of_both = partial(Contract, METRIC, score=perplexity, of_law=loss, tie=1e-9)
test_contract = check_metric(
    of_both(draw=decimals, words="perplexity"),
    of_both(draw=real_numbers, name="reals", few=6, is_counted=False),
)


@cases(0.2)
@given(rng=generators)
def test_swaps(rng):
    """Its p is that of the mean, for the opposite side."""
    (columns, _) = (decimals if rng.random() < 0.5 else real_numbers)(rng, 30)
    opposite = dict(zip(ALTERNATIVES, ("two-sided", "less", "greater"), strict=True))
    for alternative in ALTERNATIVES:
        found = compare(*columns, METRIC, alternative=alternative)
        mean = compare(*columns, "log_likelihood", alternative=opposite[alternative])
        assert (found.pvalue, found.pvalue_interval) == (mean.pvalue, mean.pvalue_interval)
        assert (found.method, found.n_differing) == (mean.method, mean.n_differing)
    assert found.statistic == found.score1 - found.score2


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
    *columns, sizes = random_texts(np.random.default_rng(5), 500)
    columns = [*np.round(columns, 2), sizes]
    found = compare(*columns, METRIC)
    mean = compare(*columns, "log_likelihood")
    low, high = (x * -found.score1 for x in mean.confidence_interval()[1::-1])
    assert found.confidence_interval()[:2] == pytest.approx((low, high), rel=0.15)
    wins, of_mean = ((x.n_wins, x.n_losses, x.n_ties) for x in (found, mean))
    assert wins == of_mean  # fewer is better, of the one, more of the other
