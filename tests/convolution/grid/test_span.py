"""The lattice that vectors span, against exact linear algebra."""

import math
from itertools import combinations

import flint
import numpy as np
import pytest
from hypothesis import given

from pairedperm.convolution.grid.span import Coordinates, lattice_of
from properties import cases, generators, one_in


def found(vectors, counts):
    """Coordinates, and the basis."""
    return lattice_of(vectors, counts)[0]


def matrix(rows):
    return flint.fmpz_mat([[int(x) for x in row] for row in rows])


def spanned(rows):
    """The Hermite normal form: the same for rows that span the same lattice, only for those."""
    table = matrix(rows).hnf().tolist()
    return [list(map(int, row)) for row in table if any(row)]


def minors(rows, size):
    """The greatest common divisor of all determinants of this size."""
    table = [[int(x) for x in row] for row in rows]
    return math.gcd(
        *(
            int(matrix([[table[i][j] for j in columns] for i in chosen]).det())
            for chosen in combinations(range(len(table)), size)
            for columns in combinations(range(len(table[0])), size)
        )
    )


def small_vectors(rng):
    """Up to 7 vectors, distinct and not 0, of any rank."""
    while True:
        k, r, m = rng.integers(1, 8), rng.integers(1, 5), rng.integers(1, 6)
        sparse = rng.integers(-3, 4, (k, r)) * (rng.random((k, r)) < rng.choice([0.4, 1.0]))
        vectors = sparse @ (rng.integers(-2, 3, (r, m)) * int(rng.integers(1, 4)))
        vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
        if len(vectors):
            return vectors, rng.integers(1, 9, len(vectors))


def small_cases(n_cases, seed):
    rng = np.random.default_rng(seed)
    return [small_vectors(rng) for _ in range(n_cases)]


# Rank


def test_rank():
    ranks = set()
    for vectors, counts in small_cases(500, 1):
        coordinates, basis = found(vectors, counts)
        rank = np.linalg.matrix_rank(vectors)
        ranks.add((len(vectors) > rank, int(rank)))
        assert len(basis) == rank
        assert np.array_equal(coordinates @ basis, vectors)
    assert {(True, 1), (True, 4), (False, 1), (False, 4)} <= ranks


def test_the_product_is_that_of_the_independent_vectors_that_occur_most():
    """No other independent vectors have a larger sum of counts."""
    for vectors, counts in small_cases(100, 2):
        sizes = 2 ** counts.astype(object)
        coordinates, product = lattice_of(vectors, counts, sizes, 2**100)
        rank = np.linalg.matrix_rank(vectors)
        largest = max(
            counts[list(chosen)].sum()
            for chosen in combinations(range(len(vectors)), rank)
            if np.linalg.matrix_rank(vectors[list(chosen)]) == rank
        )
        assert (len(coordinates.basis), product) == (rank, 2**largest)


def test_stops_when_there_are_enough():
    vectors, counts = np.eye(6, dtype=np.int64), np.array([1, 5, 3, 6, 2, 4])
    assert lattice_of(vectors, counts, np.full_like(counts, 2), 2**3 - 1) == (None, 2**3)
    coordinates, product = lattice_of(vectors, counts, np.full_like(counts, 2), 2**7 - 1)
    assert (len(coordinates.basis), product) == (6, 2**6)


def test_the_four_columns_of_a_difference_of_two_f1_scores_have_rank_2():
    """Equation (16): true positives and incorrect predictions of one system, then the other's.

    What a swap adds to one system's sums it takes from the other's.
    """
    rng = np.random.default_rng(16)
    moves = np.unique(rng.integers(-4, 5, (40, 2)), axis=0)
    moves = moves[moves.any(axis=1)]
    vectors = np.hstack((moves, -moves))
    _, basis = found(vectors, np.ones(len(vectors), dtype=np.int64))
    assert spanned(basis) == [[1, 0, -1, 0], [0, 1, 0, -1]]


# The lattice


def test_the_lattice_is_the_one_spanned():
    """All coordinates together have minors without a common divisor, those of the basis the same.

    As any integer combination of vectors is one of the basis, the quotient of the two is the
    index of one lattice in the other.
    """
    divisors = set()
    for vectors, counts in small_cases(200, 4):
        coordinates, basis = found(vectors, counts)
        divisor = minors(basis, len(basis))
        divisors.add(divisor)
        assert minors(coordinates, len(basis)) == 1
        assert minors(vectors, len(basis)) == divisor
        assert spanned(vectors) == spanned(basis)
    assert len(divisors) > 10


def test_coordinates_are_small():
    """None is smaller for a multiple of another taken from it."""
    for vectors, counts in small_cases(200, 5):
        coordinates, _ = found(vectors, counts)
        gram = (coordinates.T * counts.astype(object)) @ coordinates
        for i, j in combinations(range(len(gram)), 2):
            assert abs(2 * gram[i, j]) <= min(gram[i, i], gram[j, j])


def test_correlated_coordinates_are_made_compact():
    """A unit square in two very long vectors."""
    unit = np.array([[1, 0], [0, 1], [1, 1], [1, -1]])
    vectors = unit @ np.array([[1000, 1], [999, 1]])
    assert np.abs(found(vectors, np.full(4, 10)).coordinates).max() == 1


@one_in(5)
@pytest.mark.parametrize("largest", [2**15, 2**20, 2**20 + 1, 2**31, 2**40, 2**61])
@pytest.mark.parametrize("rank", [1, 2, 4])
@cases(0.2)
@given(rng=generators)
def test_large_entries_are_exact(largest, rank, rng):
    """Products of entries are far beyond int64."""
    few = rng.integers(-largest // 8, largest // 8, (rank, 5))
    few[0, 0] = largest // 8 - 1
    vectors = np.concatenate((few, rng.integers(-1, 2, (3, rank)) @ few))
    vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
    counts = rng.integers(1, 4, len(vectors))
    coordinates, basis = found(vectors, counts)
    assert len(basis) == rank == matrix(vectors).rank()
    assert (coordinates @ basis == vectors.astype(object)).all()
    assert spanned(basis) == spanned(vectors)


def test_large_vectors_without_any_relation():
    """As many as there are columns: what they span has an enormous determinant."""
    rng = np.random.default_rng(40)
    vectors = rng.integers(-(2**40), 2**40, (6, 3))
    for n in (6, 3):
        coordinates, basis = found(vectors[:n], np.arange(1, n + 1))
        assert (coordinates @ basis == vectors[:n].astype(object)).all()
        assert spanned(basis) == spanned(vectors[:n])


# What coordinates say of themselves


@pytest.mark.parametrize(("count", "is_small"), [(2**13 - 1, True), (2**13, False)])
def test_sums_are_small_below_2_53(count, is_small):
    one = np.array([[1]], dtype=object)
    of_one = Coordinates(one, np.array([[2**40]], dtype=object))
    assert of_one.is_small(np.array([count])) is is_small


def test_sums_that_leave_int64_are_not_small():
    coordinates = np.array([[2**40, -(2**40)]], dtype=object)
    large = Coordinates(coordinates, np.array([[2**40], [1 - 2**40]], dtype=object))
    assert not large.is_small(np.array([1]))


def test_in_int64():
    small = found(np.array([[2, 4], [3, 6]]), np.array([1, 1])).in_int64()
    assert small.coordinates.dtype == small.basis.dtype == np.int64
    assert np.array_equal(small.coordinates @ small.basis, [[2, 4], [3, 6]])
