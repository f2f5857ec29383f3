"""Branch and bound over intervals of frequencies: nothing is lost, and little is left over."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from pairedperm.convolution.draws.law import DrawWaves, ResampledLaw
from pairedperm.convolution.law import TiltedLaw
from pairedperm.convolution.line import intervals as intervals_module
from pairedperm.convolution.waves import TwoPointWaves
from pairedperm.options import Budget
from properties import cases, generators

SHAPES = {  # positive differences of n examples, up to some size: adversarial ones among them
    "uniform": lambda rng, n, size: rng.integers(1, size + 1, n),
    "skewed": lambda rng, n, size: np.ceil(size * rng.random(n) ** 4).astype(np.int64),
    "ranks": lambda rng, n, size: np.arange(1, n + 1),
    "squares": lambda rng, n, size: np.arange(1, n + 1) ** 2,
    "near a large one": lambda rng, n, size: size + rng.integers(0, 10, n),
    "powers of two": lambda rng, n, size: 2 ** rng.integers(0, size.bit_length(), n),
    "two scales": lambda rng, n, size: np.where(rng.random(n) < 0.7, 1, size // 3 + 1),
    "many of one": lambda rng, n, size: np.where(rng.random(n) < 0.9, 3, rng.integers(1, 9, n)),
    "one outlier": lambda rng, n, size: np.append(rng.integers(1, 4, n), size),
}


def searched(source, length, rng):
    """What a search finds with drawn settings, which frequencies it drops, and its tolerance."""
    log_tolerance = float(-rng.uniform(1, 60))
    with _settings(rng):
        found = intervals_module.search(source, length, log_tolerance, Budget())
    is_lost = np.ones(length // 2 + 1, dtype=bool)
    is_lost[found.frequencies] = False
    return found, is_lost, log_tolerance


def shown(waves, length):
    """What they say at the frequencies 0 … length / 2."""
    angles = np.outer(np.arange(length // 2 + 1), waves.distances) * (np.pi / length)
    s = np.sin(angles) ** 2
    return s @ waves.linear + s**3 @ waves.cubic


def _settings(rng):
    """Sizes of transforms, intervals and blocks, much smaller than in use."""
    chosen = {
        "FIRST_POINTS": 2 ** int(rng.integers(0, 8)),
        "CACHED_POINTS": 2 ** int(rng.integers(2, 6)),
        "SINGLE": float(rng.choice([0.3, 1.0, 5.0])),
        "BLOCK_INTERVALS": int(rng.integers(1, 50)),
        "BLOCK_TERMS": int(rng.integers(1, 500)),
    }
    return mock.patch.multiple(intervals_module, **chosen)


def drawn(shape, rng, n, size, *more):
    """Distinct values, ascending, and their counts."""
    found = np.append(SHAPES[shape](rng, n, size), more).astype(np.int64)
    values, counts = np.unique(found, return_counts=True)
    return values // np.gcd.reduce(values), counts


def log_moduli(law, length):
    """Log |φ| of a two-point law, factor by factor, at the frequencies 0 … length / 2."""
    found = np.zeros(length // 2 + 1)
    squared_sines = np.sin(np.pi / length * np.arange(length)) ** 2  # of all halves of angles
    for value, count, chance in zip(law.values, law.counts, law.chance, strict=True):
        sines = squared_sines[np.arange(found.size) * (int(value) % length) % length]
        squared = 1.0 - 4.0 * chance * (1.0 - chance) * sines
        with np.errstate(divide="ignore"):
            found += 0.5 * count * np.log(np.maximum(squared, 0.0))
    return found


def of_two_points(rng):
    """A law of few or many values, tilted or not: its waves, its log |φ|, and the length."""
    length = int(rng.integers(20, 4000))
    n, size = int(rng.integers(1, 120)), int(rng.integers(20, length))
    values, counts = drawn(rng.choice([*SHAPES]), rng, n, size)
    law = TiltedLaw(values, counts, float(rng.choice([0.0, rng.uniform(0, 5) / values[-1]])))
    source = TwoPointWaves(law, length)
    assert source.longest == np.minimum(values % length, -values % length).max()
    return source, log_moduli(law, length), length


def of_draws(rng):
    """The same of as many draws from the values."""
    length = int(rng.integers(20, 4000))
    n, size = int(rng.integers(2, 200)), int(rng.integers(20, length))
    values, counts = drawn(rng.choice([*SHAPES]), rng, n, size, 0)
    law = ResampledLaw(values, counts, float(rng.choice([0.0, rng.uniform(-5, 5) / values[-1]])))
    one = np.zeros(length // 2 + 1, dtype=complex)
    for value, chance in zip(values.tolist(), law.chance, strict=True):
        turns = np.arange(one.size) * (value % length) % length
        one += chance * np.exp(2j * np.pi / length * turns)
    modulus = law.n * np.log(np.maximum(np.abs(one), 1e-15))
    return DrawWaves(law, length), modulus, length


@pytest.mark.parametrize("of", [of_two_points, of_draws])
@cases(0.7)
@given(rng=generators)
def test_waves_say_no_more_than_is_true_and_no_frequency_is_lost(of, rng):
    source, modulus, length = of(rng)
    limit, truth = int(rng.integers(0, source.longest + 1)), -2.0 * modulus
    for waves in (source.slow(limit), source.all()):
        assert np.all(shown(waves, length) <= truth + 1e-9 * (1.0 + truth))
    assert source.slow(limit).distances.max(initial=0) <= limit
    found, is_lost, log_tolerance = searched(source, length, rng)
    assert found.is_all
    assert np.array_equal(found.frequencies, np.unique(found.frequencies))
    assert modulus[is_lost].max(initial=-math.inf) <= log_tolerance + 1e-6
