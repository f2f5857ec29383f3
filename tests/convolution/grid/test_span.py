"""The lattice that vectors span, against exact linear algebra."""

from itertools import combinations

import flint
import numpy as np
import pytest
from hypothesis import given

from pairedperm.convolution.grid.span import lattice_of
from properties import cases, generators, one_in


def found(vectors, counts):
    """Coordinates, and the basis."""
    return lattice_of(np.asarray(vectors), np.asarray(counts))[0]


def spanned(rows):
    """The Hermite normal form: the same for rows that span the same lattice, only for those."""
    table = flint.fmpz_mat([[int(x) for x in row] for row in rows]).hnf().tolist()
    return [list(map(int, row)) for row in table if any(row)]


@cases(2)
@given(rng=generators)
def test_the_lattice_is_the_one_spanned(rng):
    """Coordinates and basis of up to 7 vectors, distinct and not 0, of any rank.

    No coordinate is smaller for a multiple of another taken from it; and no other independent
    vectors have a larger sum of counts.
    """
    vectors = np.zeros((0, 1), dtype=np.int64)
    while not len(vectors):
        k, r, m = rng.integers(1, 8), rng.integers(1, 5), rng.integers(1, 6)
        sparse = rng.integers(-3, 4, (k, r)) * (rng.random((k, r)) < rng.choice([0.4, 1.0]))
        vectors = sparse @ (rng.integers(-2, 3, (r, m)) * int(rng.integers(1, 4)))
        vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
    counts, rank = rng.integers(1, 9, len(vectors)), np.linalg.matrix_rank(vectors)
    (coordinates, basis), product = lattice_of(vectors, counts, 2 ** counts.astype(object), 2**100)
    assert len(basis) == rank
    assert np.array_equal(coordinates @ basis, vectors)
    assert spanned(vectors) == spanned(basis)
    gram = (coordinates.T * counts.astype(object)) @ coordinates
    for i, j in combinations(range(rank), 2):
        assert abs(2 * gram[i, j]) <= min(gram[i, i], gram[j, j])
    largest = max(
        counts[list(chosen)].sum()
        for chosen in combinations(range(len(vectors)), rank)
        if np.linalg.matrix_rank(vectors[list(chosen)]) == rank
    )
    assert product == 2**largest


def test_stops_when_there_are_enough():
    vectors, counts = np.eye(6, dtype=np.int64), np.array([1, 5, 3, 6, 2, 4])
    assert lattice_of(vectors, counts, np.full_like(counts, 2), 2**3 - 1) == (None, 2**3)
    coordinates, product = lattice_of(vectors, counts, np.full_like(counts, 2), 2**7 - 1)
    assert (len(coordinates.basis), product) == (6, 2**6)


def test_correlated_coordinates_are_made_compact():
    """A unit square in two very long vectors."""
    unit = np.array([[1, 0], [0, 1], [1, 1], [1, -1]])
    vectors = unit @ np.array([[1000, 1], [999, 1]])
    assert np.abs(found(vectors, [10] * 4).coordinates).max() == 1


@one_in(5)
@pytest.mark.parametrize("largest", [2**15, 2**20, 2**20 + 1, 2**31, 2**40, 2**61])
@pytest.mark.parametrize("rank", [1, 2, 3, 4])
@cases(0.2)
@given(rng=generators)
def test_large_entries_are_exact(largest, rank, rng):
    """Products of entries, and determinants, are far beyond int64."""
    few = rng.integers(-largest // 8, largest // 8, (rank, 5))
    few[0, 0] = largest // 8 - 1
    vectors = np.concatenate((few, rng.integers(-1, 2, (3, rank)) @ few))
    vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
    coordinates, basis = found(vectors, rng.integers(1, 4, len(vectors)))
    assert len(basis) == rank
    assert (coordinates @ basis == vectors.astype(object)).all()
    assert spanned(basis) == spanned(vectors)
