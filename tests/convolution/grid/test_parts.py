"""Binomial parts of a law, and parts merged."""

import importlib

import numpy as np
import pytest

from convolution.floats import FINEST, in_units
from pairedperm.convolution.grid.product_law import binomial_lengths
from pairedperm.convolution.grid.span import binomial_part, merged_parts
from properties import one_in

LAYOUT = importlib.import_module("pairedperm.convolution.grid.product_law")  # the function's module


def kept(vector, count, whole):
    """The part as it is laid out."""
    return binomial_part(vector, count, int(binomial_lengths(np.array([count]), whole)[0]))


def binomials(n):
    """Σ_k of the coefficients so far: those of n, one after the other."""
    ways = [1]
    for k in range(n):
        ways.append(ways[-1] * (n - k) // (k + 1))
    return ways


@one_in(3)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "count", [1, 2, 3, 51, 52, 53, 54, 999, 1000, 1001, 1002, 1100, 4095, 4096, 4097, 4098, 7001]
)
def test_binomial_parts(count, whole):
    """Around the switches: 52 variables, 1000, and 4096."""
    vector = np.array([3, -2])
    part = kept(vector, count, whole)
    ways = binomials(count)
    points = part.points(slice(None))
    k = (points[:, 0] / 3).astype(np.int64)
    assert np.array_equal(points, k[:, None] * vector)
    assert np.array_equal(np.diff(k), np.ones(k.size - 1))
    assert k[0] + k[-1] == count
    assert part.shape == (k.size,)
    relative, error, lost = map(in_units, (part.relative_error, part.error, part.lost))
    error_of_all = 0
    for j, mass in zip(k.tolist(), part.masses.tolist(), strict=True):
        off = abs((in_units(mass) << count) - (ways[j] << FINEST)) - relative * ways[j]
        assert off <= error << count
        error_of_all += max(off, 0)
    assert error_of_all <= error << count
    assert 2 * sum(ways[: k[0]]) << FINEST <= lost << count
    assert (k[0] > 0) == (count > 4096 and not whole) == (part.lost > 1e-20)
    assert (part.relative_error == 0.0) == (count <= 52)
    assert part.relative_error <= 1e-11
    assert part.error <= 1e-300


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4095, 4096, 4097, 4098, 7001, 10**5, 10**5 + 1])
def test_the_length_of_a_binomial_part_is_foretold(count, whole):
    part = kept(np.array([1]), count, whole)
    assert binomial_lengths(np.array([count]), whole).tolist() == [part.masses.size]


@pytest.mark.parametrize("count", [100, 101, 500])
def test_binomial_parts_that_are_cut_and_in_integers(count, monkeypatch):
    """Which count is the first to be cut is a matter of speed."""
    whole = kept(np.array([1]), count, False)
    monkeypatch.setattr(LAYOUT, "WHOLE", 4)
    cut = kept(np.array([1]), count, False)
    first = int(cut.origin[0])
    assert 0 < 2 * first == whole.masses.size - cut.masses.size
    assert np.array_equal(cut.masses, whole.masses[first:-first])
    assert binomial_lengths(np.array([count]), False).tolist() == [cut.masses.size]
    assert whole.lost == 0.0 < cut.lost


def test_merging_adds_what_is_unknown():
    one = kept(np.array([1, 0]), 5000, False)
    other = kept(np.array([0, 1]), 60, False)
    both = merged_parts([one, other])
    assert both.lost >= one.lost + other.lost > 0.0
    assert both.relative_error > one.relative_error + other.relative_error > 0.0
    points = both.points(slice(None)).astype(np.int64)
    i, j = (points - one.origin.astype(np.int64)).T
    assert set(zip(i.tolist(), j.tolist(), strict=True)) == set(np.ndindex(one.shape + other.shape))
    assert np.array_equal(both.masses, one.masses[i] * other.masses[j])
    assert np.prod(both.shape) == both.masses.size == one.masses.size * other.masses.size
