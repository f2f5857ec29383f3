"""The lattice that integer vectors span, in independent parts, and the masses of its points."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import reduce
from itertools import accumulate, permutations
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import LEAK, FloatArray, GridMasses, IntArray

PRIME = 2**31 - 1  # tuned: a prime, at most 2^31 - 1: products stay in int64
_ELIMINATED_AT_ONCE = 2**10  # tuned: vectors that are eliminated together
_MAX_REDUCTIONS = 1000  # tuned: most reductions of a basis
_EXACT = 2**53  # proof: integers below it are floats
SHOWN_SIDES = 8  # tuned: sides of a grid in a message


class Component(NamedTuple):
    """Some of the vectors, and their coordinates: vectors[members] = coordinates @ basis.

    The basis, shape (r, m), spans all integer combinations of these vectors. Both hold Python
    integers, which may be large.
    """

    members: IntArray
    coordinates: NDArray[Any]
    basis: NDArray[Any]

    def is_small(self, counts: IntArray) -> bool:
        """Tell whether sums of the vectors, computed from coordinates, stay below 2^53."""
        reach = (counts[self.members, None].astype(object) * np.abs(self.coordinates)).sum(axis=0)
        return max(reach @ np.abs(self.basis), default=0) < _EXACT

    def in_int64(self) -> Component:
        """Return the component with arrays of int64."""
        return Component(
            self.members, self.coordinates.astype(np.int64), self.basis.astype(np.int64)
        )


def rank_and_parts(
    vectors: IntArray, counts: IntArray, sizes: IntArray, limit: int
) -> tuple[IntArray, IntArray | None]:
    """Return independent vectors that span the space of all, and the number of each vector's part.

    If the product of their sizes exceeds the limit, fewer vectors are returned, and None.

    Vectors are in different parts if they share no linear relation. Then the sum of each part moves
    independently of the other sums, in a space of its own. Every vector is a combination of the
    independent ones; those that share a combination are in one part.

    The method is Gauss-Jordan elimination of columns, modulo a prime. A relation that holds for
    integers also holds there. A relation that holds only by accident would make the rank too small;
    `components` finds that out. Independent vectors are chosen greedily, those that occur most
    first.
    """
    # those that occur most come first: they have the longest binomial laws
    order = np.argsort(-counts, kind="stable")
    table = vectors[order]
    table %= PRIME
    chosen: list[int] = []
    columns: list[int] = []
    n_columns = table.shape[1]
    while len(chosen) < n_columns:
        free = np.setdiff1d(np.arange(n_columns), columns)
        rows = np.flatnonzero((table != 0)[:, free].any(axis=1))
        if not rows.size:
            break
        row = int(rows[0])
        column = int(free[table[row, free].argmax()])
        table[:, column] = table[:, column] * pow(int(table[row, column]), -1, PRIME) % PRIME
        others = np.delete(np.arange(n_columns), column)
        others = others[table[row, others] != 0]
        pivot = table[row, others]
        for start in range(0, len(table), _ELIMINATED_AT_ONCE):
            rest = table[start : start + _ELIMINATED_AT_ONCE]
            rest[:, others] = (rest[:, others] - rest[:, column, None] * pivot) % PRIME
        chosen.append(row)
        columns.append(column)
        if math.prod(sizes[order[chosen]].tolist()) > limit:
            return order[chosen], None
    # every vector is now a combination of chosen ones; those that it combines are in one part
    uses = table[:, columns] != 0
    part = np.arange(len(chosen))
    related = uses.T.astype(np.int64) @ uses.astype(np.int64) > 0
    for _ in chosen:  # the least number that can be reached
        part = np.where(related, part, len(chosen)).min(axis=1, initial=len(chosen))
    _, part = np.unique(part, return_inverse=True)
    of_vector = np.empty(len(vectors), dtype=np.int64)
    of_vector[order] = part[uses.argmax(axis=1)] if chosen else 0
    return order[chosen], of_vector


def components(vectors: IntArray, counts: IntArray, part: IntArray, rank: int) -> list[Component]:
    """Return each part of the vectors, none of which is 0, on the lattice that it spans.

    The rank of all vectors is at least that modulo a prime, and at most the sum of the parts'
    ranks. If these are the same, the parts are independent. Otherwise there is one part.
    """
    separate = []
    for number in range(int(part.max(initial=-1)) + 1):
        members = np.flatnonzero(part == number)
        coordinates, basis = _on_lattice(vectors[members])
        separate.append(Component(members, *_uncorrelated(coordinates, basis, counts[members])))
    if len(separate) > 1 and sum(len(component.basis) for component in separate) != rank:
        return components(vectors, counts, np.zeros_like(part), rank)
    return separate


def _on_lattice(vectors: IntArray) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return coordinates in a basis of all integer combinations, and the basis.

    The basis is in Hermite normal form. Euclid's algorithm adds vectors until all others are
    combinations of those before; few have to be added.
    """
    echelon: dict[int, list[int]] = {}
    largest = largest_entry(vectors)
    rest = vectors.astype(object) if largest > 2**20 else vectors
    while True:
        basis = np.array([*map(echelon.get, sorted(echelon))], dtype=object)
        coordinates, is_inside = _coordinates(sorted(echelon), basis, rest, largest)
        if is_inside.all():
            return coordinates.astype(object), basis
        _add(echelon, list(map(int, vectors[int(is_inside.argmin())])))


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


INTEGER_QUOTIENTS = 1000  # tuned: masses that are integer quotients; at most 1022: 2^-n is normal
DYADIC = 52  # proof: variables n whose masses, multiples of 2^-n, add up exactly in floats
_POINT, _SIDE, _SIDE_COLUMN = 5.0, 18.0, 10.0  # tuned: ns of a point, a side of its grid, and a sum


class PointMasses(NamedTuple):
    """Points Σ coordinates · basis + origin of a part of the sum, and their masses.

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


def binomial_masses(count: int) -> FloatArray:
    """Return P(Binomial(count, 1/2) = k) for all k: quotients of integers, correctly rounded."""
    ways = accumulate(range(count), lambda n, k: n * (count - k) // (k + 1), initial=1)
    return np.array([n / (1 << count) for n in ways])


def binomial_part(vector: IntArray, count: int, length: int) -> PointMasses:
    """Return the part vector · Binomial(count, 1/2): the points in the middle, so many.

    The masses are quotients of integers, or else normalised products of ratios of neighbours, from
    the middle on. Both are relatively accurate.
    """
    first = (count + 1 - length) // 2
    if count <= INTEGER_QUOTIENTS:
        masses = binomial_masses(count)[first : count + 1 - first]
        error = 0.0 if count <= DYADIC else UNIT
    else:
        # from the middle on, each mass is the one before times a ratio of small integers
        middle = count // 2
        k = np.arange(middle, count - first, dtype=np.float64)
        right = np.concatenate(([1.0], np.cumprod((count - k) / (k + 1.0))))
        masses = np.concatenate((right[: count % 2 : -1], right))
        masses /= math.fsum(masses.tolist())
        error = (6.0 * right.size + 8.0) * UNIT
    small = masses.size * float(np.finfo(float).tiny) if count > INTEGER_QUOTIENTS else 0.0
    lost = (LEAK if first else 0.0) + small
    on_grid = GridMasses(masses, (first,), error, small, small, lost)
    return part_at(on_grid, np.arange(masses.size), vector[None])


def part_at(on_grid: GridMasses, numbers: IntArray, basis: IntArray) -> PointMasses:
    """Return those points of a grid that have these numbers, in this basis, as a part."""
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


def merged_parts(parts: list[PointMasses]) -> PointMasses:
    """Return the sum of all parts, adding the smallest first."""
    return reduce(_merged, sorted(parts, key=attrgetter("masses.size")))


def _merged(one: PointMasses, other: PointMasses) -> PointMasses:
    """Return the sum of both parts, whose products of masses may underflow."""
    tiny = float(np.finfo(float).tiny)
    least = float(one.masses.min()) * float(other.masses.min())
    lost = one.masses.size * other.masses.size * tiny if least < tiny else 0.0
    n_other = int(np.prod(other.shape))
    return PointMasses(
        masses=(one.masses[:, None] * other.masses).reshape(-1),
        numbers=(one.numbers[:, None] * n_other + other.numbers).reshape(-1),
        shape=one.shape + other.shape,
        basis=np.concatenate((one.basis, other.basis)),
        origin=one.origin + other.origin,
        relative_error=one.relative_error + other.relative_error + 2.0 * UNIT,
        error=one.error + other.error + lost,
        lost=one.lost + other.lost + lost,
    )
