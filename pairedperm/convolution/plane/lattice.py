"""The lattice that vectors in the plane span, and their coordinates on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pairedperm.convolution.law import IntArray

_LARGEST = 2**62  # proof: of a product, so that a vector's entry less the product is int64


@dataclass(frozen=True, slots=True)
class Lattice:
    """All integer combinations of (step, 0) and (shear, rise).

    `step` and `rise` are not negative. One of them is 0 if the lattice is a line, both if it is a
    point.
    """

    step: int
    shear: int
    rise: int

    @property
    def rank(self) -> int:
        """The dimension of the lattice."""
        return (self.step > 0) + (self.rise > 0)

    @property
    def direction(self) -> tuple[int, int]:
        """The vector that spans a lattice of rank 1."""
        return (self.shear, self.rise) if self.rise else (self.step, 0)

    def multiples(self, vectors: IntArray) -> IntArray:
        """Return which multiple of the direction each vector is, on a lattice of rank 1."""
        return vectors[:, 1] // self.rise if self.rise else vectors[:, 0] // self.step

    def coordinates(self, vectors: IntArray) -> IntArray:
        """Return (i, j) of each vector i (step, 0) + j (shear, rise), on a lattice of rank 2."""
        x, j = vectors[:, 0], vectors[:, 1] // self.rise
        if abs(self.shear) * int(np.abs(j).max()) >= _LARGEST:  # i is small, but the product is not
            x, j = x.astype(object), j.astype(object)
        i = (x - self.shear * j) // self.step
        return np.stack((i, j), axis=1).astype(np.int64)

    def points(self, coordinates: IntArray) -> IntArray:
        """Return the vectors that have these coordinates (i, j), if they are int64."""
        i, j = coordinates.T
        if abs(self.shear) * int(np.abs(j).max(initial=0)) >= _LARGEST:
            i, j = i.astype(object), j.astype(object)
        return np.stack((i * self.step + j * self.shear, j * self.rise), axis=1).astype(np.int64)


def spanned(vectors: IntArray, counts: IntArray) -> Lattice:
    """Return the lattice that integer vectors, shape (k, 2), span (Hermite normal form).

    It is found by Euclid's algorithm. Among all suitable (shear, rise), the choice makes the
    vectors' coordinates, weighted by counts, least correlated. So a sum of them needs the smallest
    grid.
    """
    step, shear, rise = 0, 0, 0
    for x, y in vectors.tolist():
        while y:
            quotient = rise // y
            shear, rise, x, y = x, y, shear - quotient * x, rise - quotient * y
        step = math.gcd(step, x)
        if step:
            shear %= step
    if rise < 0:
        shear, rise = -shear, -rise
    if step and rise:
        i, j = Lattice(step, shear, rise).coordinates(vectors).astype(np.float64).T
        squares = float((counts * j * j).sum())
        shear += step * round(float((counts * i * j).sum()) / squares)
    return Lattice(step, shear, rise)
