"""The lattice that integer vectors span, and the masses of its points."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, GridMasses, IntArray

_MAX_REDUCTIONS = 1000  # tuned: most reductions of a basis
_EXACT = 2**53  # proof: integers below it are floats
SHOWN_SIDES = 8  # tuned: sides of a grid in a message


class Coordinates(NamedTuple):
    """Vectors in coordinates: vectors = coordinates @ basis.

    The basis, shape (r, m), spans all integer combinations of the vectors, or holds the vectors
    themselves. Both hold Python integers, which may be large.
    """

    coordinates: NDArray[Any]
    basis: NDArray[Any]

    def is_small(self, counts: IntArray) -> bool:
        """Tell whether sums of the vectors, computed from coordinates, stay below 2^53."""
        reach = (counts[:, None].astype(object) * np.abs(self.coordinates)).sum(axis=0)
        return max(reach @ np.abs(self.basis), default=0) < _EXACT

    def in_int64(self) -> Coordinates:
        """Return the same with arrays of int64."""
        return Coordinates(self.coordinates.astype(np.int64), self.basis.astype(np.int64))


def lattice_of(
    vectors: IntArray, counts: IntArray, sizes: IntArray | None = None, limit: int = 0
) -> tuple[Coordinates | None, int]:
    """Return coordinates of vectors, none of which is 0, in a basis of the lattice that they span.

    With sizes, the second result is the product of those of the independent vectors that were
    found. If it exceeds the limit, no coordinates are returned.

    The basis is in Hermite normal form, until it is reduced. Euclid's algorithm adds vectors until
    all others are combinations of those before; few have to be added. Those that occur most come
    first: they have the longest binomial laws.
    """
    order = np.argsort(-counts, kind="stable")
    ordered, echelon, product = vectors[order], dict[int, list[int]](), 1
    largest = largest_entry(vectors)
    rest = ordered.astype(object) if largest > 2**20 else ordered
    while True:
        basis = np.array([*map(echelon.get, sorted(echelon))], dtype=object)
        coordinates, is_inside = _coordinates(sorted(echelon), basis, rest, largest)
        if is_inside.all():
            break
        first, rank = int(is_inside.argmin()), len(echelon)
        _add(echelon, list(map(int, ordered[first])))
        if sizes is not None and len(echelon) > rank:
            product *= int(sizes[order[first]])
            if product > limit:
                return None, product
    found = np.empty_like(coordinates, dtype=object)
    found[order] = coordinates
    return Coordinates(*_uncorrelated(found, basis, counts)), product


def _coordinates(
    pivots: list[int], basis: NDArray[Any], vectors: NDArray[Any], largest: int
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return integer coordinates in an echelon basis, and whether they give the vector."""
    if vectors.dtype != object and len(basis):
        # a quotient may double the rest at each pivot
        growth = max(int(np.abs(basis).max()), 1) ** 2 << len(basis)
        large = largest * growth > 2**62
        vectors = vectors.astype(object) if large else vectors
        basis = basis if large else basis.astype(np.int64)
    rest = vectors.copy()
    coordinates = np.zeros((len(vectors), len(pivots)), dtype=vectors.dtype)
    for k, pivot in enumerate(pivots):
        coordinates[:, k] = rest[:, pivot] // basis[k, pivot]
        rest = rest - coordinates[:, k, None] * basis[k]
    return coordinates, ~(rest != 0).any(axis=1)


def _add(echelon: dict[int, list[int]], vector: list[int]) -> None:
    """Add a vector to the lattice in place; rows are found by the column of their first entry."""
    for pivot in range(len(vector)):
        if not vector[pivot]:
            continue
        row = echelon.get(pivot)
        if row is None:
            echelon[pivot] = vector if vector[pivot] > 0 else [-x for x in vector]
            break
        while vector[pivot]:
            quotient = row[pivot] // vector[pivot]
            row, vector = vector, [x - quotient * y for x, y in zip(row, vector, strict=True)]
        echelon[pivot] = row if row[pivot] > 0 else [-x for x in row]
    pivots = sorted(echelon)
    for second, first in [(b, a) for k, b in enumerate(pivots) for a in pivots[:k]]:
        quotient = echelon[first][second] // echelon[second][second]  # keeps the entries small
        pairs = zip(echelon[first], echelon[second], strict=True)
        echelon[first] = [x - quotient * y for x, y in pairs]


def _uncorrelated(
    coordinates: NDArray[Any], basis: NDArray[Any], counts: IntArray
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return coordinates and their basis with small Σ counts x²: sums of vectors need less room.

    If subtracting a multiple of another coordinate makes a coordinate smaller, it is subtracted.
    The basis gains what the coordinates lose:
    x_i b_i + x_j b_j = (x_i - q x_j) b_i + x_j (b_j + q b_i).
    """
    x, b = coordinates.copy(), basis.copy()
    # as in Lagrange's reduction: coordinates with less correlation have shorter sums
    gram = (x * counts[:, None].astype(object)).T @ x
    for _ in range(_MAX_REDUCTIONS):  # pragma: no branch: a few rounds suffice
        is_done = True
        for i, j in permutations(range(len(b)), 2):
            quotient = (2 * gram[i, j] + gram[j, j]) // (2 * gram[j, j])  # nearest integer
            if quotient and gram[i, j] * quotient * 2 > gram[j, j] * quotient**2:
                x[:, i] -= quotient * x[:, j]
                b[j] += quotient * b[i]
                gram[i] -= quotient * gram[j]
                gram[:, i] -= quotient * gram[:, j]
                is_done = False
        if is_done:
            break
    return x, b


DYADIC = 52  # proof: variables n whose masses, multiples of 2^-n, add up exactly in floats
_POINT, _SIDE, _SIDE_COLUMN = 5.0, 18.0, 10.0  # tuned: ns of a point, a side of its grid, and a sum


class PointMasses(NamedTuple):
    """Points Σ coordinates · basis + origin of a sum of vectors, and their masses.

    A point's number is its place in C order on a grid of this `shape`. `numbers`, shape (n,),
    ascend. They are symmetric: the points in reversed order are their mirror images. The masses of
    any set of points are within `relative_error`, and together within `error`. `lost` is at least
    the mass of all points that are left out.
    """

    masses: FloatArray
    numbers: IntArray
    shape: tuple[int, ...]
    basis: IntArray
    origin: IntArray
    relative_error: float
    error: float
    lost: float

    def points(self, places: slice | IntArray) -> FloatArray:
        """Return the points at these places, shape (n, m), as floats: integers are below 2^53."""
        coordinates = np.stack(np.unravel_index(self.numbers[places], self.shape), axis=1)
        points = coordinates.astype(np.float64) @ self.basis.astype(np.float64)
        return np.asarray(points + self.origin)

    def probability(
        self, flags: NDArray[np.bool_], n: int, is_upper_end: bool = True
    ) -> CertifiedProbability:
        """Return the mass of the flagged points, one of which is the observed point.

        The law is of n variables. Mass that it has lost may belong to flagged points, and widens
        the interval. With `is_upper_end`, p is the upper end of its interval if the lower end is
        below half of it.
        """
        value = total_mass(self.masses[flags])
        if n <= DYADIC and not self.error and not self.lost and value:
            return CertifiedProbability.exactly(value)
        p = CertifiedProbability.within(value, self.relative_error, self.error, self.lost, n)
        if is_upper_end and p.low < p.high / 2.0:  # p is not understated
            return replace(p, value=p.high, log=p.log_high)
        return p


def point_nanoseconds(n_sides: int, n_columns: int) -> float:
    """Estimate the time for a point of a law and its score."""
    return _POINT + _SIDE * n_sides + _SIDE_COLUMN * n_columns


def part_at(on_grid: GridMasses, numbers: IntArray, basis: IntArray) -> PointMasses:
    """Return those points of a grid that have these numbers, in this basis."""
    return PointMasses(
        masses=on_grid.masses.reshape(-1)[numbers],
        numbers=numbers,
        shape=on_grid.masses.shape,
        basis=basis,
        origin=np.array(on_grid.origin) @ basis,
        relative_error=on_grid.relative_error,
        error=on_grid.error,
        lost=on_grid.lost,
    )


def total_mass(masses: FloatArray) -> float:
    """Return the sum of the masses, in parts, since lists take memory."""
    return math.fsum(map(np.sum, np.array_split(masses, masses.size // 2**16 + 1)))
