"""Counts of the assignments whose sum is in a region of the plane: in one integer, or listed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.assignments import listed_sums
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.progress import advance

SUM = 40.0  # tuned: ns of a sum that is listed


def counting_bits(law: PlanarLaw) -> int:
    """Return the bits of the integer that `count_planar_tail` needs."""
    (left, right), (bottom, top) = law.support
    return (right - left + 1) * (top - bottom + 1) * 8 * _width(law)


def _width(law: PlanarLaw) -> int:
    """Return the bytes of a coefficient: 2^n and any sum of coefficients fit."""
    return int(law.counts.sum()) // 8 + 1


def count_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """Count those of the 2^n assignments whose sum is in the region.

    One integer holds the generating function Π (1 + x^i y^j)^count. There x and y are powers of
    two, too large for a coefficient or a row to carry into the next. If i or j is negative, a
    factor is multiplied by x^-i or y^-j, so that exponents stay positive. Cost: O(n) shifts of
    `counting_bits`.
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
    for row, bound in enumerate(region.bounds(np.arange(bottom, top + 1)).tolist()):
        n_columns = min(bound, right) - left + 1
        if n_columns > 0:
            start = row * row_bytes
            digits = int.from_bytes(coefficients[start : start + n_columns * width], "little")
            # the digits in base 2^(8 width) sum to the remainder modulo 2^(8 width) - 1
            n_tail += digits % ((1 << 8 * width) - 1)
    return n_tail


def n_enumerated(law: PlanarLaw) -> int:
    """Return how many sums `enumerate_planar_tail` looks at."""
    return math.prod((law.counts + 1).tolist())


def enumerate_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """Count the assignments of up to 62 variables whose sum is in the region, by listing all sums.

    Cost: O(`n_enumerated`) time, however large the vectors are.
    """
    (_, _), (bottom, top) = law.support
    holds = region.holds
    if top - bottom < n_enumerated(law):  # fewer rows than sums
        ends = region.bounds(np.arange(bottom, top + 1))

        def holds(points: IntArray) -> NDArray[np.bool_]:
            return np.asarray(points[:, 0] <= ends[points[:, 1] - bottom])

    n_tail = 0
    for sums, ways in listed_sums(law.vectors, law.counts):
        n_tail += int(ways[holds(sums)].sum())
        advance(SUM * len(sums))
    return n_tail
