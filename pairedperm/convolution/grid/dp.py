"""Algorithm 3: the law of a sum of vectors, one variable added after the other."""

from __future__ import annotations

import math
from itertools import chain, repeat

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.grid.law import GridLaw, GridMasses
from pairedperm.convolution.law import FloatArray

_SCALED = 512  # additions after which masses are scaled, so that they do not overflow


def convolved(law: GridLaw) -> GridMasses:
    """On the whole support (Zmigrod, Vieira & Cotterell 2022, Algorithm 3, in any dimension).

    A variable adds to the number of assignments of each sum that of the sum without it, in
    place: all terms are positive, so that every mass is relatively accurate, and 0 where no sum
    is. Numbers are scaled by powers of two, which is exact down to 1e-308.
    Cost: O(n points) for n variables; the part of the grid that is reached grows with them.
    """
    masses = np.zeros(law.shape)
    low = [0] * masses.ndim  # the box that is reached, about 0
    high = [0] * masses.ndim
    origin = tuple(-first for first in law.corner)
    masses[origin] = 1.0
    variables = chain.from_iterable(map(repeat, law.vectors.tolist(), law.counts.tolist()))
    for number, vector in enumerate(variables, start=1):
        low = [a + min(x, 0) for a, x in zip(low, vector, strict=True)]
        high = [b + max(x, 0) for b, x in zip(high, vector, strict=True)]
        box = tuple(slice(o + a, o + b + 1) for o, a, b in zip(origin, low, high, strict=True))
        _add_moved(masses[box], vector)
        if number % _SCALED == 0:
            masses *= math.ldexp(1.0, -_SCALED)
    n = int(law.counts.sum())
    masses *= math.ldexp(1.0, -(n % _SCALED))
    lost = masses.size * np.finfo(float).tiny if n > -np.finfo(float).minexp else 0.0  # underflow
    return GridMasses(masses, law.corner, (n + 1) * UNIT, 0.0, float(lost), float(lost))


def _add_moved(masses: FloatArray, vector: list[int]) -> None:
    """In place: what is at each point also at the point moved by the vector."""
    pairs = list(zip(vector, masses.shape, strict=True))
    to = tuple(slice(max(x, 0), length + min(x, 0)) for x, length in pairs)
    origin = tuple(slice(max(-x, 0), length + min(-x, 0)) for x, length in pairs)
    masses[to] += masses[origin]  # numpy copies what overlaps
