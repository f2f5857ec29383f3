"""The lattice that vectors span, and its independent components, against exact linear algebra."""

import math
from itertools import combinations

import flint
import numpy as np
import pytest
from hypothesis import given

from pairedperm.convolution.grid import span
from pairedperm.convolution.grid.span import PRIME, Component, components, rank_and_parts
from properties import cases, generators, one_in


def split(vectors, counts):
    """Independent vectors, and the components."""
    independent, part = rank_and_parts(vectors, counts, np.ones_like(counts), 1)
    return independent, components(vectors, counts, part, len(independent))


def members(found):
    return {frozenset(component.members.tolist()) for component in found}


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


def finest(vectors):
    """The finest division into parts whose ranks add up to that of all, from all subsets.

    What a division separates any two of them separate together, so that the part of a vector
    is what is left of all the sets that hold it and can be split off.
    """
    everything = range(len(vectors))
    rank = np.linalg.matrix_rank(vectors)
    parts = [set(everything) for _ in everything]
    for size in range(1, len(vectors)):
        for chosen in combinations(everything, size):
            others = [k for k in everything if k not in chosen]
            ranks = (np.linalg.matrix_rank(vectors[part]) for part in (list(chosen), others))
            if sum(ranks) == rank:
                for k in chosen:
                    parts[k] &= set(chosen)
    return {frozenset(part) for part in parts}


def small_vectors(rng):
    """Up to 7 vectors, distinct and not 0, of any rank, often in several parts."""
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


def unimodular(rng, size, n_steps):
    """A product of elementary operations: its inverse has integers, too."""
    table = np.eye(size, dtype=np.int64)
    for _ in range(n_steps if size > 1 else 0):
        i, j = rng.choice(size, 2, replace=False)
        table[:, i] += int(rng.choice([-1, 1])) * table[:, j]
    return table[:, rng.permutation(size)]


# Rank


def test_rank():
    ranks = set()
    for vectors, counts in small_cases(500, 1):
        independent, part = rank_and_parts(vectors, counts, np.ones_like(counts), 1)
        rank = np.linalg.matrix_rank(vectors)
        ranks.add((len(vectors) > rank, int(rank)))
        assert len(independent) == rank
        assert np.linalg.matrix_rank(vectors[independent]) == rank
        assert part.shape == (len(vectors),)
        assert set(part.tolist()) == set(range(part.max() + 1))
    assert {(True, 1), (True, 4), (False, 1), (False, 4)} <= ranks


def test_those_that_occur_most_are_chosen():
    """No other independent vectors have a larger sum of counts."""
    for vectors, counts in small_cases(100, 2):
        independent, _ = rank_and_parts(vectors, counts, np.ones_like(counts), 1)
        largest = max(
            counts[list(chosen)].sum()
            for chosen in combinations(range(len(vectors)), len(independent))
            if np.linalg.matrix_rank(vectors[list(chosen)]) == len(independent)
        )
        assert counts[independent].sum() == largest


def test_stops_when_there_are_enough():
    vectors, counts = np.eye(6, dtype=np.int64), np.array([1, 5, 3, 6, 2, 4])
    independent, part = rank_and_parts(vectors, counts, np.full_like(counts, 2), 2**3 - 1)
    assert independent.tolist() == [3, 1, 5]
    assert part is None
    independent, part = rank_and_parts(vectors, counts, np.full_like(counts, 2), 2**7 - 1)
    assert sorted(independent.tolist()) == sorted(part.tolist()) == list(range(6))


def test_the_four_columns_of_a_difference_of_two_f1_scores_have_rank_2():
    """Equation (16): true positives and incorrect predictions of one system, then the other's.

    What a swap adds to one system's sums it takes from the other's.
    """
    rng = np.random.default_rng(16)
    moves = np.unique(rng.integers(-4, 5, (40, 2)), axis=0)
    moves = moves[moves.any(axis=1)]
    vectors = np.hstack((moves, -moves))
    independent, found = split(vectors, np.ones(len(vectors), dtype=np.int64))
    assert len(independent) == 2
    (component,) = found
    assert spanned(component.basis) == [[1, 0, -1, 0], [0, 1, 0, -1]]


# Components


def test_components():
    n_parts = set()
    for vectors, counts in small_cases(150, 3):
        _, found = split(vectors, counts)
        n_parts.add(len(found))
        assert members(found) == finest(vectors)
        assert sum(len(component.members) for component in found) == len(vectors)
        assert sum(len(component.basis) for component in found) == np.linalg.matrix_rank(vectors)
        for members_, coordinates, basis in found:
            assert np.array_equal(coordinates @ basis, vectors[members_])
            assert np.linalg.matrix_rank(basis.astype(float)) == len(basis)
    assert n_parts >= {1, 2, 3, 4}


@given(rng=generators)
def test_blocks_hidden_by_a_change_of_columns(rng):
    sizes = rng.integers(1, 5, int(rng.integers(2, 6))).tolist()
    rows, block_of = [], []
    for number, size in enumerate(sizes):
        own = np.concatenate((np.eye(size), np.ones((1, size)), rng.integers(-2, 3, (3, size))))
        own = np.unique(own[own.any(axis=1)].astype(np.int64), axis=0)
        before = sum(sizes[:number])
        rows.append(np.pad(own, ((0, 0), (before, sum(sizes) - before - size))))
        block_of += [number] * len(own)
    order = rng.permutation(len(block_of))
    change = unimodular(rng, sum(sizes), 3 * sum(sizes))
    hidden, block_of = (np.concatenate(rows) @ change)[order], np.array(block_of)[order]
    independent, found = split(hidden, rng.integers(1, 5, len(hidden)))
    assert len(independent) == sum(sizes)
    blocks = {frozenset(np.flatnonzero(block_of == k).tolist()) for k in range(len(sizes))}
    assert members(found) == blocks
    for members_, coordinates, basis in found:
        assert np.array_equal(coordinates @ basis, hidden[members_])
        assert spanned(basis) == spanned(hidden[members_])


@pytest.mark.parametrize("size", [2, 7, 40])
def test_a_chain_is_one_part(size):
    """Each is related to the next only; without one link there are two parts."""
    unit = np.eye(size, dtype=np.int64)
    vectors = np.concatenate((unit, unit[:-1] + unit[1:]))
    counts = np.concatenate((np.full(size, 2), np.full(size - 1, 1)))
    assert len(split(vectors, counts)[1]) == 1
    assert len(split(np.delete(vectors, size + size // 2 - 1, axis=0), counts[:-1])[1]) == 2


# The lattice


def test_the_lattice_is_the_one_spanned():
    """All coordinates together have minors without a common divisor, those of the basis the same.

    As any integer combination of vectors is one of the basis, the quotient of the two is the
    index of one lattice in the other.
    """
    divisors = set()
    for vectors, counts in small_cases(200, 4):
        for members_, coordinates, basis in split(vectors, counts)[1]:
            divisor = minors(basis, len(basis))
            divisors.add(divisor)
            assert minors(coordinates, len(basis)) == 1
            assert minors(vectors[members_], len(basis)) == divisor
            assert spanned(vectors[members_]) == spanned(basis)
    assert len(divisors) > 10


def test_coordinates_are_small():
    """None is smaller for a multiple of another taken from it."""
    for vectors, counts in small_cases(200, 5):
        for members_, coordinates, _ in split(vectors, counts)[1]:
            gram = (coordinates.T * counts[members_].astype(object)) @ coordinates
            for i, j in combinations(range(len(gram)), 2):
                assert abs(2 * gram[i, j]) <= min(gram[i, i], gram[j, j])


def test_correlated_coordinates_are_made_compact():
    """A unit square in two very long vectors."""
    unit = np.array([[1, 0], [0, 1], [1, 1], [1, -1]])
    vectors = unit @ np.array([[1000, 1], [999, 1]])
    (component,) = split(vectors, np.full(4, 10))[1]
    assert np.abs(component.coordinates).max() == 1


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
    independent, found = split(vectors, counts)
    assert len(independent) == rank == matrix(vectors).rank()
    assert sum(len(component.basis) for component in found) == rank
    for members_, coordinates, basis in found:
        assert (coordinates @ basis == vectors[members_].astype(object)).all()
        assert spanned(basis) == spanned(vectors[members_])


def test_large_vectors_without_any_relation():
    """As many as there are columns: what they span has an enormous determinant."""
    rng = np.random.default_rng(40)
    vectors = rng.integers(-(2**40), 2**40, (6, 3))
    _, (component,) = split(vectors, np.arange(1, 7))
    assert (component.coordinates @ component.basis == vectors.astype(object)).all()
    assert spanned(component.basis) == spanned(vectors)
    _, found = split(vectors[:3], np.arange(1, 4))
    assert members(found) == {frozenset([0]), frozenset([1]), frozenset([2])}
    for members_, coordinates, basis in found:
        assert (coordinates @ basis == vectors[members_].astype(object)).all()


# Modulo a prime


@pytest.mark.parametrize(
    ("vectors", "parts"),
    [
        ([[PRIME, 0], [0, PRIME]], [{0, 1}]),
        ([[1, 0], [0, 1], [PRIME, 1]], [{0, 1, 2}]),
        ([[1, 1], [1, 1 + PRIME]], [{0, 1}]),
        ([[1, 1, 0], [1, 1 + PRIME, 0], [0, 0, 1]], [{0, 1, 2}]),
        ([[1, 0], [1 + PRIME, 0], [0, 3]], [{0, 1}, {2}]),
        ([[2 * PRIME, 4 * PRIME], [3 * PRIME, 6 * PRIME]], [{0, 1}]),
        (
            [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, PRIME, 1], [0, 1, PRIME]],
            [{0, 1, 2, 3, 4}],
        ),
    ],
)
def test_relations_modulo_the_prime_only(vectors, parts):
    """Parts that are independent there only are one part, with all of its rank."""
    vectors = np.array(vectors)
    _, found = split(vectors, np.ones(len(vectors), dtype=np.int64))
    assert members(found) == set(map(frozenset, parts))
    assert sum(len(component.basis) for component in found) == matrix(vectors).rank()
    for members_, coordinates, basis in found:
        assert (coordinates @ basis == vectors[members_].astype(object)).all()
        assert spanned(basis) == spanned(vectors[members_])


def test_a_small_prime_does_not_split_wrongly(monkeypatch):
    """There relations by accident are common; parts may be too coarse, but are independent."""
    monkeypatch.setattr(span, "PRIME", 3)
    n_coarse = 0
    for vectors, counts in small_cases(150, 6):
        _, found = split(vectors, counts)
        assert sum(len(component.basis) for component in found) == np.linalg.matrix_rank(vectors)
        for members_, coordinates, basis in found:
            assert np.array_equal(coordinates @ basis, vectors[members_])
        n_coarse += members(found) != finest(vectors)
    assert n_coarse > 10


# What a component says of itself


@pytest.mark.parametrize(("count", "is_small"), [(2**13 - 1, True), (2**13, False)])
def test_sums_are_small_below_2_53(count, is_small):
    one = np.array([[1]], dtype=object)
    component = Component(np.array([1]), one, np.array([[2**40]], dtype=object))
    assert component.is_small(np.array([2**50, count])) is is_small


def test_sums_that_leave_int64_are_not_small():
    coordinates = np.array([[2**40, -(2**40)]], dtype=object)
    component = Component(
        np.array([0]), coordinates, np.array([[2**40], [1 - 2**40]], dtype=object)
    )
    assert not component.is_small(np.array([1]))


def test_in_int64():
    _, (component,) = split(np.array([[2, 4], [3, 6]]), np.array([1, 1]))
    small = component.in_int64()
    assert small.coordinates.dtype == small.basis.dtype == np.int64
    assert np.array_equal(small.coordinates @ small.basis, [[2, 4], [3, 6]])
