"""The waves of a sum of draws: nothing is lost, and nothing is said that is not true."""

import math

import numpy as np
import pytest
from hypothesis import given

from corpora.fine_laws import SHAPES, searched, shown
from pairedperm.convolution.draws.law import DrawWaves, ResampledLaw
from properties import cases, generators


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
