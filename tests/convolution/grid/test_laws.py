"""The law of a sum of vectors, point by point: its layout, and the masses of each engine."""

import functools
import importlib
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom

from oracles import vectors as sum_oracle
from pairedperm.convolution import law as grid_law
from pairedperm.convolution.grid import frequencies
from pairedperm.convolution.grid.product_law import product_law
from pairedperm.options import Budget
from properties import some

BUDGET = Budget()
LAYOUT = importlib.import_module("pairedperm.convolution.grid.product_law")  # the function's module
TRANSFORMED = "all sums, by a Fourier transform on a grid"
FINEST = 1074  # every float is a multiple of 2^-FINEST: they add up without fractions


def in_units(x):
    """How many times 2^-FINEST a float is."""
    numerator, denominator = x.as_integer_ratio()
    return (numerator << FINEST) // denominator


@pytest.fixture(autouse=True)
def with_a_lattice(monkeypatch):
    """Also where there are few points."""
    monkeypatch.setattr(LAYOUT, "FEW_POINTS", 0)


def transforms(monkeypatch):
    """Have laws transformed."""
    monkeypatch.setattr(LAYOUT, "CONVOLVED", 0)
    monkeypatch.setattr(LAYOUT, "WIDER", 0.0)


def cuts(monkeypatch):
    """In a window that a part of the mass is beyond, and is folded into."""
    transforms(monkeypatch)
    monkeypatch.setattr(grid_law, "LEAK", 1e-3)
    monkeypatch.setattr(frequencies, "DROPPED_PHI", 1e-5)


def of(vectors, counts):
    return product_law(np.array(vectors), np.array(counts))


@functools.cache
def known_laws():
    """Up to 6 vectors in up to 4 columns, of rank 3 at most; and some that are worth a window."""
    rng, found = np.random.default_rng(2024), []
    while len(found) < 80:
        k, r, m = rng.integers(1, 7), rng.integers(1, 4), rng.integers(1, 5)
        sparse = rng.integers(-4, 5, (k, r)) * (rng.random((k, r)) < 0.7)
        vectors = sparse @ rng.integers(-2, 3, (r, m))
        vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
        counts = rng.integers(1, int(rng.choice([2, 4, 9, 30])), len(vectors))
        if len(vectors) and math.prod((counts + 1).tolist()) <= 6000:
            found.append((vectors, counts))
    for values, counts in (([1], [120]), ([2, 1], [3, 100]), ([1, 3, 5], [95, 90, 2])):
        found.append((np.outer(values, [1, -2]), np.array(counts)))
    return [(*law, sum_oracle.law(*law)) for law in some(found, every=4)]


def check(part, vectors, counts, ways):
    """Points that are sums, symmetric; masses within the stated bounds. All in integers."""
    total = 2 ** int(np.sum(counts))
    points = part.points(slice(None))
    assert points.shape == (part.masses.size, vectors.shape[1])
    assert np.array_equal(part.points(np.arange(len(points))[::-1]), points[::-1])
    assert (np.diff(part.numbers) > 0).all()
    assert 0 <= part.numbers[0] <= part.numbers[-1] < math.prod(part.shape)
    assert np.array_equal(points + points[::-1], np.tile(counts @ vectors, (len(points), 1)))
    masses = Counter()
    for point, mass in zip(points.tolist(), part.masses.tolist(), strict=True):
        masses[tuple(map(int, point))] += in_units(mass) * total
    assert masses.keys() <= ways.keys()
    relative, error, lost = map(in_units, (part.relative_error, part.error, part.lost))
    above = below = 0  # what all masses together are off, beyond their relative error
    for point, mass in masses.items():
        off, allowed = mass - (ways[point] << FINEST), relative * ways[point]
        above, below = above + max(off - allowed, 0), below + max(-off - allowed, 0)
    missing = sum(n for point, n in ways.items() if point not in masses) << FINEST
    # a sum at several points of the grid may lack the mass of those that are lost
    is_once = len(masses) == part.masses.size
    assert above <= error * total
    assert below <= (error if is_once else error + lost) * total
    assert missing <= lost * total
    # what is lost is lost once: of sums that are missing, and of those that lack some
    assert missing + below <= (error + lost) * total
    return masses.keys() == ways.keys()


@pytest.mark.parametrize("way", ["default", transforms, cuts, "whole"])
def test_laws(monkeypatch, way):
    if callable(way):
        way(monkeypatch)
    for vectors, counts, ways in known_laws():
        law = product_law(vectors, counts)
        law = law.as_whole() if way == "whole" else law
        assert law.rank == np.linalg.matrix_rank(vectors)
        assert law.layout.how == ("transformed" if callable(way) else "convolved")
        part = law.masses(BUDGET)
        assert part.masses.size <= law.n_points == math.prod(law.grid) == math.prod(part.shape)
        is_all = check(part, vectors, counts, ways)
        assert is_all or callable(way) or part.lost
        assert way != "whole" or (is_all and law.is_whole and part.error == part.lost == 0.0)
        if way is not cuts:
            assert part.relative_error <= 1e-13
            assert part.error <= 1e-12
            assert part.lost <= 1e-10


def test_a_law_with_less_than_the_least_float():
    """1100 variables: masses down to 2^-1100, which is below all floats."""
    law = np.array([[1], [2]]), np.array([700, 400])
    part = product_law(*law).as_whole().masses(BUDGET)
    check(part, *law, sum_oracle.law(*law))
    assert 0.0 < part.lost < 1e-300


def test_a_binomial_law_within_a_window():
    """Of very many examples."""
    n = 10**5 + 1
    vectors = np.array([[3, 1, -2]])
    law = product_law(vectors, np.array([n]))
    part = law.masses(BUDGET)
    assert law.how == TRANSFORMED
    assert law.n_points < 4000
    k = part.points(slice(None))[:, 1]
    assert np.array_equal(part.points(slice(None)), k[:, None] * vectors)
    assert k[0] + k[-1] == n
    expected = binom.pmf(k, n, 0.5)
    off = np.abs(part.masses - expected) - 1e-8 * expected  # of binom.pmf, mostly
    assert off.max() <= part.error < 1e-12
    assert 2.0 * binom.cdf(k[0] - 1, n, 0.5) <= part.lost < 1e-12


# How it is laid out
