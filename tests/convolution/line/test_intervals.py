"""Branch and bound over intervals of frequencies: nothing is lost, and little is left over."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from corpora.fine_laws import SHAPES, searched, shown
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import TiltedLaw
from pairedperm.convolution.line import intervals as intervals_module
from pairedperm.convolution.line.intervals import _Cosines, _surviving_numbers, search
from pairedperm.convolution.line.tilted import fit
from pairedperm.convolution.waves import TwoPointWaves, Waves
from pairedperm.options import Budget
from properties import cases, generators, one_in


def drawn(shape, rng, n, size):
    """Distinct values, ascending, and their counts."""
    values, counts = np.unique(SHAPES[shape](rng, n, size), return_counts=True)
    return values // np.gcd.reduce(values), counts


def log_modulus(law, length):
    """Log |φ| at the frequencies 0 … length / 2, by definition."""
    found = np.zeros(length // 2 + 1)
    frequencies = np.arange(length // 2 + 1)
    squared_sines = np.sin(np.pi / length * np.arange(length)) ** 2  # of all halves of angles
    for value, count, chance in zip(law.values, law.counts, law.chance, strict=True):
        sines = squared_sines[frequencies * (int(value) % length) % length]
        squared = 1.0 - 4.0 * chance * (1.0 - chance) * sines
        with np.errstate(divide="ignore"):
            found += 0.5 * count * np.log(np.maximum(squared, 0.0))
    return found


@pytest.mark.thorough
@cases(1)
@given(rng=generators)
def test_no_frequency_is_lost(rng):
    shape, length = rng.choice([*SHAPES]), int(rng.integers(20, 4000))
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


@cases(1)
@given(rng=generators)
def test_first_intervals_say_no_more_than_is_true(rng):
    """Of a few waves, in an interval of many frequencies, what is just above their least value."""
    n = 2 ** int(rng.integers(2, 8))
    length = n * int(rng.integers(1, 60))
    longest = max(n >> int(rng.integers(2, 6)), 1)
    distances = np.unique(rng.integers(1, longest + 1, rng.integers(1, 4)))
    waves = Waves(distances, *rng.random((2, distances.size)))
    values = shown(waves, length)
    nearest = np.rint(np.arange(values.size) * (n / length)).astype(np.int64)
    for number in rng.choice(n // 2 + 1, 20):
        goal = float(values[nearest == number].min(initial=9.0)) + 1e-6
        with mock.patch.object(intervals_module, "CACHED_POINTS", 2 ** int(rng.integers(2, 9))):
            numbers, weight = _surviving_numbers(_Cosines.of(waves, n), n, goal, is_sample=False)
        assert number in numbers
        assert weight == 1.0


LENGTH = 20_000


def surviving(source, length, log_tolerance, from_points):
    """What a whole search finds, by intervals in transforms of more than so many points."""
    with mock.patch.object(intervals_module, "LONG_TRANSFORM", from_points):
        return search(source, length, log_tolerance, Budget()).frequencies


@one_in(5)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [60, 400])
def test_the_same_as_by_single_frequencies(shape, n):
    """Intervals of frequencies, and all frequencies, of a long transform."""
    rng = np.random.default_rng([n, len(shape)])
    values, counts = drawn(shape, rng, n, 3000)
    total = exact_dot(counts, values)
    bound = int(total * rng.uniform(0.3, 0.499))
    fitted = fit(values, counts, bound, total)
    source = TwoPointWaves(fitted.law, LENGTH)
    found, known = (
        set(surviving(source, LENGTH, -40.0, from_points).tolist()) for from_points in (2**4, 2**62)
    )
    modulus = log_modulus(fitted.law, LENGTH)
    surely = set(np.flatnonzero(modulus > -40.0 + 1e-6))
    assert surely <= found
    assert surely <= known
    assert len(found) <= 1.6 * len(surely) + 50


@one_in(2)
@pytest.mark.parametrize(
    ("shape", "n", "size"),
    [("uniform", 200, 10**6), ("near a large one", 400, 10**5), ("skewed", 150, 10**5)],
)
def test_a_sample_tells_what_a_search_takes(shape, n, size):
    """Within three times, and of survivors what matters beside that."""
    values, counts = drawn(shape, np.random.default_rng(n), n, size)
    total = exact_dot(counts, values)
    fitted = fit(values, counts, round(0.45 * total), total)
    length, log_tolerance = fitted.window.length, fitted.log_tolerance
    source = TwoPointWaves(fitted.law, length)
    told, found = (search(source, length, log_tolerance, x) for x in (None, Budget()))
    assert not told.is_all
    assert found.n == found.frequencies.size
    for name in ("n_looked_at", "nanoseconds"):
        assert 1 / 3 < getattr(told, name) / getattr(found, name) < 3
    assert abs(told.n - found.n) < 2.0 * found.n + 1e-3 * found.n_looked_at


def test_a_sample_is_taken_of_all_at_once(monkeypatch):
    """However few intervals are divided at once, or samples of samples would multiply."""
    values, counts = drawn("uniform", np.random.default_rng(0), 60, 2**20)
    total = exact_dot(counts, values)
    fitted = fit(values, counts, round(0.45 * total), total)
    source, length = TwoPointWaves(fitted.law, fitted.window.length), fitted.window.length
    expected = search(source, length, fitted.log_tolerance)
    monkeypatch.setattr(intervals_module, "BLOCK_INTERVALS", 2**9)
    found = search(source, length, fitted.log_tolerance)
    assert not found.is_all
    assert (found.n, found.nanoseconds) == (expected.n, expected.nanoseconds)
