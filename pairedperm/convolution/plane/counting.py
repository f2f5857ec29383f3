"""The tail in the plane counted assignment by assignment, in integers."""

from __future__ import annotations

import numpy as np

from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.law import PlanarLaw

__all__ = [
    "count_planar_tail",
    "counting_bits",
    "enumerate_planar_tail",
    "n_enumerated",
]


def counting_bits(law: PlanarLaw) -> int:
    """Of the integer that `count_planar_tail` needs."""
    columns, rows = (high - low + 1 for low, high in law.support)
    return columns * rows * 8 * _width(law)


def _width(law: PlanarLaw) -> int:
    """Bytes of a coefficient: 2^n and a sum of them are less."""
    return int(law.counts.sum()) // 8 + 1


def count_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """How many of the 2^n assignments have their sum in the region.

    The generating function Π (1 + x^i y^j)^count, held in one integer: x and y are powers of two
    that are too large for a coefficient or a row to carry into the next. Where i or j is
    negative a factor is multiplied by x^-i or y^-j, for the exponents to stay positive.
    Cost: O(n) shifts of `counting_bits`.
    """
    (left, right), (bottom, top) = law.support
    width = _width(law)
    row_bytes = (right - left + 1) * width
    polynomial = 1
    for (i, j), count in zip(law.vectors.tolist(), law.counts.tolist(), strict=True):
        without = max(-i, 0) * width + max(-j, 0) * row_bytes
        taken = max(i, 0) * width + max(j, 0) * row_bytes
        for _ in range(count):
            polynomial = (polynomial << 8 * without) + (polynomial << 8 * taken)
    coefficients = memoryview(polynomial.to_bytes((top - bottom + 1) * row_bytes, "little"))
    n_tail = 0
    for row, bound in enumerate(region.bounds(bottom, top).tolist()):
        n_columns = min(bound, right) - left + 1
        if n_columns > 0:
            start = row * row_bytes
            digits = int.from_bytes(coefficients[start : start + n_columns * width], "little")
            # in base 2^width they sum to what is left modulo 2^width - 1
            n_tail += digits % ((1 << 8 * width) - 1)
    return n_tail


def n_enumerated(law: PlanarLaw) -> int:
    """How many sums `enumerate_planar_tail` looks at."""
    n = 1
    for count in law.counts.tolist():
        n *= count + 1
    return n


def enumerate_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """The same for up to 62 variables, each combination of the numbers of each vector by itself.

    Cost: O(`n_enumerated`) time and memory, however large the vectors are.
    """
    sums, ways = np.zeros((1, 2), dtype=np.int64), np.ones(1, dtype=np.int64)
    for vector, count in zip(law.vectors, law.counts.tolist(), strict=True):
        multiples = np.arange(count + 1)
        binomial = np.ones(count + 1, dtype=np.int64)
        for k in range(1, count + 1):
            binomial[k] = int(binomial[k - 1]) * (count - k + 1) // k
        sums = (sums[:, None, :] + multiples[None, :, None] * vector).reshape(-1, 2)
        ways = (ways[:, None] * binomial).reshape(-1)
    rows, position = np.unique(sums[:, 1], return_inverse=True)
    bounds = np.array([int(region.bounds(row, row)[0]) for row in rows.tolist()], dtype=np.int64)
    return int(ways[sums[:, 0] <= bounds[position]].sum())
