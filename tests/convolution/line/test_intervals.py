"""Branch and bound over intervals of frequencies: nothing is lost, and little is left over."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from corpora.fine_laws import SHAPES, searched, shown
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import TiltedLaw
from pairedperm.convolution.line import frequencies as frequencies_module
from pairedperm.convolution.line.frequencies import surviving_frequencies
from pairedperm.convolution.line.waves import TwoPointWaves
from pairedperm.convolution.line.window import fit
from pairedperm.options import Budget
from properties import cases, generators


def drawn(shape, rng, n, size):
    """Distinct values, ascending, and their counts."""
    values, counts = np.unique(SHAPES[shape](rng, n, size), return_counts=True)
    return values // np.gcd.reduce(values), counts


def log_modulus(law, length):
    """Log |φ| at the frequencies 0 … length / 2, by definition."""
    found = np.zeros(length // 2 + 1)
    frequencies = np.arange(length // 2 + 1)
    for value, count, chance in zip(law.values, law.counts, law.chance, strict=True):
        angle = 2.0 * np.pi / length * (frequencies * (int(value) % length) % length)
        squared = 1.0 - 4.0 * chance * (1.0 - chance) * np.sin(angle / 2.0) ** 2
        with np.errstate(divide="ignore"):
            found += 0.5 * count * np.log(np.maximum(squared, 0.0))
    return found


@cases(1)
@given(rng=generators)
def test_no_frequency_is_lost(rng):
    shape, length = rng.choice([*SHAPES]), int(rng.integers(20, 30_000))
    values, counts = drawn(shape, rng, int(rng.integers(1, 120)), int(rng.integers(20, length)))
    law = TiltedLaw(values, counts, float(rng.choice([0.0, rng.uniform(0, 5) / values[-1]])))
    found, is_lost, log_tolerance = searched(TwoPointWaves(law, length), length, rng)
    assert found.is_all
    assert np.array_equal(found.frequencies, np.unique(found.frequencies))
    assert log_modulus(law, length)[is_lost].max(initial=-math.inf) <= log_tolerance + 1e-6


@cases(1)
@given(rng=generators)
def test_waves_say_no_more_than_is_true(rng):
    values, counts = drawn(rng.choice([*SHAPES]), rng, int(rng.integers(1, 60)), 1000)
    length = int(rng.integers(20, 5000))
    law = TiltedLaw(values, counts, float(rng.choice([0.0, rng.uniform(0, 5) / values[-1]])))
    source = TwoPointWaves(law, length)
    assert source.longest == np.minimum(values % length, -values % length).max()
    limit = int(rng.integers(0, source.longest + 1))
    truth = -2.0 * log_modulus(law, length)
    for waves in (source.slow(limit), source.all()):
        assert np.all(shown(waves, length) <= truth + 1e-9)
    assert source.slow(limit).distances.max(initial=0) <= limit


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [60, 400])
def test_the_same_as_by_single_frequencies(shape, n):
    """A long transform, and the sieve of all its frequencies."""
    rng = np.random.default_rng([n, len(shape)])
    values, counts = drawn(shape, rng, n, 3000)
    total = exact_dot(counts, values)
    bound = int(total * rng.uniform(0.3, 0.499))
    fitted = fit(values, counts, bound, total)
    with mock.patch.object(frequencies_module, "LONG", 2**4):
        by_intervals = [*surviving_frequencies(fitted.law, 50_000, -40.0, Budget())]
    with mock.patch.object(frequencies_module, "LONG", 2**62):
        one_by_one = [*surviving_frequencies(fitted.law, 50_000, -40.0, Budget())]
    found, known = (set(np.concatenate([np.zeros(0), *x])) for x in (by_intervals, one_by_one))
    modulus = log_modulus(fitted.law, 50_000)
    surely = set(np.flatnonzero(modulus > -40.0 + 1e-6))
    assert surely <= found
    assert surely <= known
    assert len(found) <= 1.6 * len(surely) + 50
