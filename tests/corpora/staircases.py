"""Regions of the plane with any bounds, and the probability of sums in them, counted."""

import functools
import math
from fractions import Fraction

import numpy as np

from oracles import vectors as sum_oracle
from pairedperm.convolution.plane.law import PlanarLaw, ThresholdRegion
from pairedperm.convolution.plane.tail import spanned


class Staircase:
    """Holds up to any given i in each row from the lowest on."""

    def __init__(self, bottom, bounds):
        self.bottom, self.bounds = bottom, np.asarray(bounds)

    def __call__(self, points):
        return points[:, 0] <= self.bounds[points[:, 1] - self.bottom]


def random_law(rng, counts):
    """Vectors that span all integer points, with one count each."""
    while True:
        vectors = np.stack((rng.integers(-4, 5, len(counts)), rng.integers(0, 4, len(counts))), 1)
        vectors[(vectors[:, 1] == 0) & (vectors[:, 0] < 0)] *= -1
        distinct = np.unique(vectors[vectors.any(axis=1)], axis=0)
        if len(distinct) == len(counts):
            lattice = spanned(distinct, counts)
            if lattice.rank == 2:
                return PlanarLaw(lattice.coordinates(distinct), counts)


def random_steps(rng, law):
    """Bounds that ascend or descend from row to row by steps, or that jump about; some rows empty.

    Below the middle of the support, by any number of its standard deviations.
    """
    (left, right), (bottom, top) = law.support
    n_rows = top - bottom + 1
    deviation = math.sqrt(law.squares[0]) / 2.0
    kind = rng.choice(["ascending", "descending", "jumping"])
    if kind == "jumping":
        steps = rng.normal(0.0, rng.choice([0.3, 2.0]) * deviation, n_rows)
    else:  # long flat parts, and high steps
        rises = rng.geometric(0.3, n_rows) * (rng.random(n_rows) < rng.choice([0.1, 0.5]))
        steps = np.cumsum(rises) * (1 if kind == "ascending" else -1)
        steps = steps - steps[n_rows // 2]
    depth = rng.uniform(0.3, 9.0) * deviation
    bounds = np.floor((left + right) / 2.0 - depth + steps).astype(np.int64)
    bounds[rng.random(n_rows) < rng.choice([0.0, 0.2])] = left - 1
    return np.clip(bounds, left - 1, right)


def probability(law, ways, bounds):
    bottom = law.support[1][0]
    n_tail = sum(n for (i, j), n in ways.items() if i <= bounds[j - bottom])
    return Fraction(n_tail, 2 ** int(law.counts.sum()))


@functools.cache
def step_cases():
    """150 or so laws and bounds of at most one half, with the truth."""
    rng = np.random.default_rng(30)
    found: list[tuple] = []
    while len(found) < 150:
        k = int(rng.integers(2, 6))
        law = random_law(rng, rng.integers(1, {2: 60, 3: 20, 4: 8, 5: 5}[k], k))
        ways = sum_oracle.law(law.vectors, law.counts)
        for _ in range(3):
            bounds = random_steps(rng, law)
            truth = probability(law, ways, bounds)
            if 0 < truth <= Fraction(1, 2):
                found.append((law, ways, bounds, truth))
    return found


def region_of(law, bounds):
    return ThresholdRegion(law, Staircase(law.support[1][0], bounds))
