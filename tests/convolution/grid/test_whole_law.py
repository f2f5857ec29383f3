"""Whole laws by adding and by halving, against those counted one by one."""

import functools

import numpy as np
import pytest

from oracles import vectors as sum_oracle
from pairedperm.convolution.grid.whole_law import (
    WholeLaw,
    attainable,
    convolved,
    convolved_by_halves,
)
from pairedperm.convolution.law import GridLaw, grid_shape
from pairedperm.options import Budget
from properties import one_in, some


@functools.cache
def known_laws():
    """Distinct vectors in 1 to 3 dimensions, with coordinates of both signs, and their truths."""
    found = []
    rng = np.random.default_rng(30)
    for r in (1, 2, 3):
        for _ in range(60):
            vectors = rng.integers(-4, 5, (int(rng.integers(1, 6)), r))
            vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
            if len(vectors):
                counts = rng.integers(1, int(rng.choice([2, 5, 9])), len(vectors))
                found.append((rng.permutation(vectors), counts))
    found.append((np.array([[1], [-1]]), np.array([30, 31])))
    found.append((np.array([[7, -7], [-500, 3]]), np.array([4, 2])))
    in_space = np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1], [-1, 1, -1]])
    found.append((in_space, np.array([5, 5, 5, 5])))
    return [(*law, sum_oracle.law(*law)) for law in found]


@one_in(2)
@pytest.mark.parametrize("engine", [convolved, convolved_by_halves])
def test_whole_laws(engine):
    """Each mass within its bounds, and any set of them; 0 where no sum is, nearly."""
    for vectors, counts, ways in [*known_laws()[-3:], *some(known_laws()[:-3], every=2)]:
        law = GridLaw(vectors, counts)
        found = engine(law)
        assert found.masses.shape == grid_shape(law.support)
        truth = np.zeros(found.masses.shape)
        for point, n in ways.items():
            place = tuple(x - low for x, low in zip(point, found.origin, strict=True))
            assert min(place) >= 0
            truth[place] = n / 2 ** int(counts.sum())
        off = np.abs(found.masses - truth) - 2.0**-52 * truth
        assert (off <= found.relative_error * truth + found.point_error).all()
        assert np.clip(off - found.relative_error * truth, 0, None).sum() <= found.error
        assert np.abs(found.masses - truth).max() <= 1e-15
        if engine is convolved:
            assert not found.masses[truth == 0.0].any()
            assert found.error == found.lost == 0.0
            assert (np.abs(found.masses - truth) <= 1e-14 * truth).all()


def test_attainable_points():
    """The points of each grid that are sums, by shifting one integer."""
    for vectors, counts, ways in [*known_laws()[-3:], *some(known_laws()[:-3], every=3)]:
        law = GridLaw(vectors, counts)
        shape = grid_shape(law.support)
        numbers = np.flatnonzero(attainable(law))
        low = [low for low, _ in law.support]
        points = np.stack(np.unravel_index(numbers, shape), axis=1) + low
        assert set(map(tuple, points.tolist())) == set(ways)


def test_the_grid_is_that_of_the_lattice():
    """Three columns of rank 1, all multiples of (2, -4, 6): a grid in one dimension."""
    law = WholeLaw(np.array([[2, -4, 6], [6, -12, 18]]), np.array([3, 2]))
    assert (law.rank, law.grid) == (1, (10,))
    for part in (law.masses("dp"), law.masses("fft")):
        points = part.points(slice(None))
        assert np.array_equal(np.sort(points[:, 0]), 2.0 * np.arange(10))
        assert np.array_equal(points, points[:, :1] * [1, -2, 3])
    law.check("dp", Budget())
