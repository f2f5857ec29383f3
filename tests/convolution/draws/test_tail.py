"""The tail of a sum of draws where numbers are large, and its waves: no bound says too much."""

import math
from unittest import mock

import flint
import numpy as np
import pytest
from hypothesis import given

from corpora.fine_laws import SHAPES, searched, shown
from pairedperm.convolution.draws import tail as tail_module
from pairedperm.convolution.draws.law import DrawWaves, ResampledLaw
from pairedperm.convolution.draws.tail import resampled_lower_tail
from pairedperm.options import Budget
from properties import cases, generators


@pytest.mark.parametrize(("least", "other"), [(1, 30_000), (30_000, 1), (10**6, 10**5)])
def test_the_least_value_each_time(least, other):
    """P = (share of the least value)^n, from near 1 to far below the least float."""
    counts = np.array([least, other])
    n = least + other
    p = resampled_lower_tail(np.array([5, 9]), counts, 5 * n + 3, Budget())
    log = n * (flint.arb(least) / n).log()
    assert flint.arb(p.log_low) <= log <= flint.arb(p.log_high)
    assert flint.arb(p.low) <= log.exp() <= flint.arb(p.high)
    assert p.log == pytest.approx(float(log), rel=1e-11)


def test_one_value_far_above_the_others():
    """What is drawn without it, to all digits: 112 of 5^5 resamples have a sum of at most 5."""
    values, counts = np.array([0, 1, 3, 4, 906_544]), np.ones(5, dtype=np.int64)
    with mock.patch.object(tail_module, "COUNTABLE_BITS", -1):
        p = resampled_lower_tail(values, counts, 5, Budget())
    assert p.low <= 112 / 3125 <= p.high
    assert p.high - p.low < 1e-11 * p.value


def drawn(rng):
    """A law of few or many values, tilted or not, and a number of points."""
    length = int(rng.integers(20, 4000))
    size = int(rng.integers(20, length))
    found = SHAPES[rng.choice([*SHAPES])](rng, int(rng.integers(2, 200)), size)
    values, counts = np.unique(np.append(found, 0), return_counts=True)
    tau = float(rng.choice([0.0, rng.uniform(-5, 5) / values[-1]]))
    return ResampledLaw(values // np.gcd.reduce(values), counts, tau), length


def log_modulus(law, length):
    """Log |φ| at the frequencies 0 … length / 2, by definition."""
    one = np.zeros(length // 2 + 1, dtype=complex)
    for value, chance in zip(law.values.tolist(), law.chance, strict=True):
        turns = np.arange(one.size) * (value % length) % length
        one += chance * np.exp(2j * np.pi / length * turns)
    return law.n * np.log(np.maximum(np.abs(one), 1e-15))


@pytest.mark.thorough
@cases(1)
@given(rng=generators)
def test_no_frequency_is_lost(rng):
    law, length = drawn(rng)
    _, is_lost, log_tolerance = searched(DrawWaves(law, length), length, rng)
    assert log_modulus(law, length)[is_lost].max(initial=-math.inf) <= log_tolerance + 1e-6


@cases(1)
@given(rng=generators)
def test_waves_say_no_more_than_is_true(rng):
    law, length = drawn(rng)
    source = DrawWaves(law, length)
    limit = int(rng.integers(0, length // 2 + 1))
    truth = -2.0 * log_modulus(law, length)
    for waves in (source.slow(limit), source.all()):
        assert np.all(shown(waves, length) <= truth + 1e-9 * (1.0 + truth))
    assert source.slow(limit).distances.max(initial=0) <= limit


def test_frequencies_are_searched_where_no_transform_fits():
    """A sample of them tells what the search takes; the tail is that of the transform."""
    values, counts = np.unique(np.random.default_rng(1).integers(0, 10**4, 30), return_counts=True)
    deviation = math.sqrt(30) * np.repeat(values, counts).std()
    bound = round(int(values @ counts) - 2 * deviation)
    found = []
    for most in (tail_module.TRANSFORMED, 0):
        with mock.patch.object(tail_module, "TRANSFORMED", most):
            found.append(resampled_lower_tail(values, counts, bound, Budget()))
    transformed, searched = found
    assert 0.02 < transformed.value < 0.03
    assert searched.value == pytest.approx(transformed.value, rel=1e-11)
    assert max(p.low for p in found) <= min(p.high for p in found)
