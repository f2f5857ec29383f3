"""Sums of vectors in the plane, and regions with the number of assignments in them."""

import functools
import math
from collections import Counter
from fractions import Fraction

import numpy as np

from oracles import vectors
from pairedperm.convolution.plane.law import PlanarLaw, ThresholdRegion
from pairedperm.convolution.plane.tail import spanned


class Parabola:
    """The points with i ≤ a + b j + c (j - j0)², c ≥ 0."""

    def __init__(self, last, a, b, c, j0):
        self.last, self.coefficients = last, (a, b, c, j0)

    def real(self, rows):
        a, b, c, j0 = self.coefficients
        return a + b * rows + c * (rows - j0) ** 2

    def bounds(self, rows):
        return np.floor(self.real(rows)).astype(np.int64)

    def corners(self, first, last):
        return (float(self.real(first)) + 1e-6, first), (float(self.real(last)) + 1e-6, last)

    def convex_parts(self):
        return [(0, self.last)]

    def sketch(self):
        return [self.corners(0, self.last)]

    def holds(self, points):
        return points[:, 0] <= self.bounds(points[:, 1])


class Staircase:
    """Holds up to any given i in each row from the lowest on."""

    def __init__(self, bottom, bounds):
        self.bottom, self.bounds = bottom, np.asarray(bounds)

    def __call__(self, points):
        return points[:, 0] <= self.bounds[points[:, 1] - self.bottom]


def region_of(law, bounds):
    return ThresholdRegion(law, Staircase(law.support[1][0], bounds))


def pmf(law):
    """The number of assignments with each sum."""
    return Counter(vectors.law(law.vectors.tolist(), law.counts.tolist()))


def random_law(rng):
    """Vectors that span all integer points, with j ≥ 0."""
    while True:
        k = int(rng.integers(2, 7))
        vectors = np.stack((rng.integers(-4, 5, k), rng.integers(0, 4, k)), axis=1)
        vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
        vectors[(vectors[:, 1] == 0) & (vectors[:, 0] < 0)] *= -1
        vectors = np.unique(vectors, axis=0)
        counts = rng.integers(1, int(rng.choice([2, 5, 14])), len(vectors))
        if not len(vectors):
            continue
        lattice = spanned(vectors, counts)
        if lattice.rank == 2:
            return PlanarLaw(lattice.coordinates(vectors), counts)


def tail_cases():
    """150 laws and regions of at most one half, with the truth.

    The laws are new: they remember tilts, of which a test of worse constants finds others.
    """
    return [(PlanarLaw(law.vectors, law.counts), *others) for law, *others in _tail_cases()]


@functools.cache
def _tail_cases():
    rng = np.random.default_rng(2026)
    found: list[tuple[PlanarLaw, Parabola, Fraction]] = []
    while len(found) < 150:
        law = random_law(rng)
        ways = pmf(law)
        (_, _), (_, last) = law.support
        mean = (law.counts[:, None] * law.vectors).sum(axis=0) / 2.0
        depth = rng.uniform(0.0, 3.0) * math.sqrt(law.squares[0])
        slope = rng.normal()
        region = Parabola(
            last,
            float(mean[0] - slope * mean[1] - depth),
            float(slope),
            float(rng.choice([0.0, 0.02, 0.2])),
            float(mean[1] + rng.normal()),
        )
        bounds = region.bounds(np.arange(last + 1))
        n_tail = sum(n for (i, j), n in ways.items() if i <= bounds[j])
        total = 2 ** int(law.counts.sum())
        if 0 < n_tail <= total // 2:
            found.append((law, region, Fraction(n_tail, total)))
    return found
