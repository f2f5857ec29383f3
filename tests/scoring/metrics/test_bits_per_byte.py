"""Bits per byte, against their definition: contracts, and what perplexities say of them."""

import math
from functools import partial

import pytest
from hypothesis import given

from corpora.likelihoods import decimals, real_numbers
from pairedperm import compare
from pairedperm.scoring.call_options import METRICS
from properties import cases, generators
from scoring.contract import ALTERNATIVES, Contract, check_metric

METRIC = "bits_per_byte"


def bits_per_byte(predictions, sizes):
    """Without a byte it is 0."""
    return -math.fsum(predictions) / math.log(2) / sum(sizes) if sum(sizes) else 0.0


def loss(predictions, sizes):
    """The null distribution has differences of it."""
    return -math.fsum(predictions) / sum(sizes) if sum(sizes) else 0.0


of_both = partial(Contract, METRIC, score=bits_per_byte, of_law=loss, tie=1e-9)
test_contract = check_metric(
    of_both(draw=decimals, words="bits per byte"),
    of_both(draw=real_numbers, name="reals", few=6, is_counted=False),
)


@cases(0.2)
@given(rng=generators)
def test_swaps(rng):
    """Their p is that of perplexities, whose binary logarithms they are."""
    columns, _ = (decimals if rng.random() < 0.5 else real_numbers)(rng, 30)
    for alternative in ALTERNATIVES:
        found = compare(*columns, METRIC, alternative=alternative)
        other = compare(*columns, "perplexity", alternative=alternative)
        assert (found.pvalue, found.pvalue_interval) == (other.pvalue, other.pvalue_interval)
        logs = math.log2(other.score1), math.log2(other.score2)
        assert (found.score1, found.score2) == pytest.approx(logs, rel=1e-9, abs=1e-12)


def test_the_least_is_0():
    """A perplexity is 1 then."""
    assert (METRICS[METRIC].limits, METRICS["perplexity"].limits) == ((0, math.inf), (1, math.inf))
    assert compare([0.0], [-1.0], [9], METRIC).score1 == METRICS[METRIC].limits[0]


def test_beyond_the_floats_of_a_perplexity():
    found = compare([-2e4], [-1e4], [10], METRIC)
    assert found.score1 == pytest.approx(2e3 / math.log(2))
