"""The tail of a sum of independent vectors in the plane: which engine computes it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.plane.band import PlanarRegion, box
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.law import NO_TILT, PlanarLaw
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

COUNTED = 2**27  # tuned: bits shifted that take no longer than the tilted sum
ENUMERATED = 2**17  # tuned: sums that take no longer than it
MANY_BITS, MANY_SUMS = 2**35, 2**24  # tuned: that take some seconds
_ROW_BYTES = 2**7  # tuned: of a row of the grid, and of a column: terms of the Fourier sums
_SUM_BYTES = 64  # tuned: of an enumerated sum
_INT64_BITS = 62  # proof: variables whose numbers of assignments are int64


def planar_size(
    law: PlanarLaw, budget: Budget, region: PlanarRegion | None = None
) -> tuple[tuple[int, int], int, bool]:
    """The box that `planar_tail` needs, its memory, and whether all swaps are counted.

    The box is that of the region's tilts, before any band is divided, or without one that of
    no tilt.
    """
    tilts = [NO_TILT]
    if region is not None:
        corners = [region.corners(*rows) for rows in region.convex_parts()]
        tilts = [law.tilt_to(*points) for points in corners if points is not None] or tilts
    sides = [
        tuple(last - first + 1 for first, last in box(law, law.tilted(tilt))[:2]) for tilt in tilts
    ]
    columns, rows = max(sides, key=sum)
    n_bytes, counter = _ROW_BYTES * (columns + rows), _counter(law, budget, COUNTED, ENUMERATED)
    if counter is None and n_bytes > budget.max_bytes:
        counter = _counter(law, budget, MANY_BITS, MANY_SUMS)
    if counter is not None:
        n_bytes = counter.n_bytes
    return (columns, rows), n_bytes, counter is not None


class _Counter(NamedTuple):
    """How all swaps are counted, and its memory."""

    run: Callable[[PlanarLaw, PlanarRegion], int]
    n_bytes: int


def _counter(law: PlanarLaw, budget: Budget, most_bits: int, most_sums: int) -> _Counter | None:
    """By enumeration, or in one big integer, if that lists or shifts no more."""
    n, n_bits, n_sums = int(law.counts.sum()), _counting_bits(law), n_enumerated(law)
    if n <= _INT64_BITS and n_sums <= most_sums and _SUM_BYTES * n_sums <= budget.max_bytes:
        return _Counter(enumerate_planar_tail, _SUM_BYTES * n_sums)
    if n * n_bits <= most_bits and n_bits // 2 <= budget.max_bytes:
        return _Counter(count_planar_tail, n_bits // 2)
    return None


def planar_tail(
    law: PlanarLaw, region: PlanarRegion, *, is_complement: bool, budget: Budget
) -> CertifiedProbability:
    """P(B ∈ region), at most one half, for B = Σ_k vectors[k] · Binomial(counts[k], 1/2).

    The first that applies: counting in one big integer, or enumeration of all sums, where
    that is quick; the tilted sum; where it would exceed the budget, the others again while they
    take no more than some seconds and fit.

    Parameters
    ----------
    law : PlanarLaw
        Vectors that span all integer points of the plane.
    region : PlanarRegion
        Not empty unless `is_complement`.
    is_complement : bool
        Whether one minus the probability is wanted, so that absolute accuracy will do.
    budget : Budget
        What it may cost.

    Raises
    ------
    BudgetError
        If all would cost more.
    """
    counter = _counter(law, budget, COUNTED, ENUMERATED)
    if counter is None:
        try:
            return tail_by_bands(law, region, is_complement, budget)
        except BudgetError:
            counter = _counter(law, budget, MANY_BITS, MANY_SUMS)
            if counter is None:
                raise
    n_tail = counter.run(law, region)
    return CertifiedProbability.from_ratio(n_tail, 1 << int(law.counts.sum()))


def _counting_bits(law: PlanarLaw) -> int:
    """Of the integer that `count_planar_tail` needs."""
    (left, right), (bottom, top) = law.support
    return (right - left + 1) * (top - bottom + 1) * 8 * _width(law)


def _width(law: PlanarLaw) -> int:
    """Bytes of a coefficient: 2^n and a sum of them are less."""
    return int(law.counts.sum()) // 8 + 1


def count_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """How many of the 2^n assignments have their sum in the region.

    The generating function Π (1 + x^i y^j)^count, held in one integer: x and y are powers of two
    that are too large for a coefficient or a row to carry into the next. Where i or j is
    negative a factor is multiplied by x^-i or y^-j, for the exponents to stay positive.
    Cost: O(n) shifts of `_counting_bits`.
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
            # in base 2^width they sum to what is left modulo 2^width - 1
            n_tail += digits % ((1 << 8 * width) - 1)
    return n_tail


def n_enumerated(law: PlanarLaw) -> int:
    """How many sums `enumerate_planar_tail` looks at."""
    return math.prod((law.counts + 1).tolist())


def enumerate_planar_tail(law: PlanarLaw, region: PlanarRegion) -> int:
    """The same for up to 62 variables, each combination of the numbers of each vector by itself.

    Cost: O(`n_enumerated`) time and memory, however large the vectors are.
    """
    sums, ways = np.zeros((1, 2), dtype=np.int64), np.ones(1, dtype=np.int64)
    for vector, count in zip(law.vectors, law.counts.tolist(), strict=True):
        multiples = np.arange(count + 1)
        binomial = np.array([math.comb(count, k) for k in range(count + 1)], dtype=np.int64)
        sums = (sums[:, None, :] + multiples[None, :, None] * vector).reshape(-1, 2)
        ways = (ways[:, None] * binomial).reshape(-1)
    rows, position = np.unique(sums[:, 1], return_inverse=True)
    return int(ways[sums[:, 0] <= region.bounds(rows)[position]].sum())
