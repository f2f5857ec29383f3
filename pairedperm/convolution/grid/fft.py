"""Algorithm 4: the law of a sum of vectors, halves of the variables convolved by Fourier transform.

The certificate. A transform of L points multiplies the Euclidean norm of any input by the same
number. Its error is at most ε = 16 u log2 L of that norm, u = 2^-53. The transforms of
probabilities have no entry above 1. So the convolution of two laws f and g is off by at most
3 ε (|f| + |g|) in norm. It passes on the errors of f and g without making them larger, for no
factor exceeds 1. All errors together are at most their sum over the tree, and in the sum of any
set of masses √(points) times that. This is the worst case: rounding errors cancel. In 9,410 random
data sets of up to 2,000 examples, p was off by more than 1e-15 in 4.5 %, by more than 3e-15 in
0.8 %, and by at most 1.5e-14.
"""

from __future__ import annotations

import heapq
import math
from itertools import count
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.grid.law import GridLaw, GridMasses
from pairedperm.convolution.law import FloatArray, IntArray

_PASS = 16.0  # proof: u of a term in a pass of a Fourier transform, generously
_DIRECT = 9  # tuned: points of a law up to which convolutions are sums of products
ROWS = 2**20  # tuned: points of the convolutions that are made together


class _Law(NamedTuple):
    """Masses from the least point on, and a bound on the norm of their errors."""

    masses: FloatArray
    error: float


def convolved_by_halves(law: GridLaw) -> GridMasses:
    """Return the masses on the whole support, by convolving halves of the variables.

    This is Algorithm 4 of Zmigrod, Vieira & Cotterell 2022, in any dimension. Each of the n
    variables has a law of two points. Variables with vectors of similar size are convolved in
    pairs, the results again, and so on. All pairs of a level are rows of one array. The laws of all
    sizes are convolved last, the smallest first. Points that are no sums have a mass of rounding
    errors. Cost: O(points log points log n).
    """
    n_bits = np.frexp(np.abs(law.vectors).max(axis=1).astype(np.float64))[1]
    laws = []
    for kind in np.unique(n_bits // 2):
        members = n_bits // 2 == kind
        laws.append(_halved(np.repeat(law.vectors[members], law.counts[members], axis=0)))
    number = count()  # orders laws of the same size
    heap = [(x.masses.size, next(number), x) for x in laws]
    heapq.heapify(heap)
    while len(heap) > 1:
        (_, _, one), (_, _, other) = heapq.heappop(heap), heapq.heappop(heap)
        both = _convolved(one, other)
        heapq.heappush(heap, (both.masses.size, next(number), both))
    masses, error = heap[0][2]
    masses = masses[tuple(slice(n) for n in law.shape)]
    relative = 2.0 * int(law.counts.sum()) * UNIT  # for the sums of products
    return GridMasses(masses, law.corner, relative, error, math.sqrt(masses.size) * error, 0.0)


def _halved(vectors: IntArray) -> _Law:
    """Return the law of the sum of vectors, each taken with probability one half, by halving."""
    ends = np.abs(vectors)  # the last point of each law
    rows = np.zeros((len(vectors), *(ends.max(axis=0) + 1)))
    number = np.arange(len(vectors))
    for corner in (np.maximum(-vectors, 0), np.maximum(vectors, 0)):
        rows[(number, *corner.T)] += 0.5
    error = 0.0
    while len(rows) > 1:
        order = np.argsort(ends.prod(axis=1), kind="stable")  # the smallest with the largest
        rows, ends = rows[order], ends[order]
        if len(rows) % 2:  # adding the law of 0 makes the number even
            none = np.zeros((1, *rows.shape[1:]))
            none[(0,) * rows.ndim] = 1.0
            rows = np.concatenate((none, rows))
            ends = np.concatenate((np.zeros((1, ends.shape[1]), dtype=ends.dtype), ends))
        half = len(rows) // 2
        ends = ends[:half] + ends[: half - 1 : -1]
        shape = tuple(ends.max(axis=0) + 1)
        rows, added = _convolved_rows(rows[:half], rows[: half - 1 : -1], shape)
        error += added
    return _Law(rows[0], error)


def _convolved(one: _Law, other: _Law) -> _Law:
    pairs = zip(one.masses.shape, other.masses.shape, strict=True)
    shape = tuple(a + b - 1 for a, b in pairs)
    rows, added = _convolved_rows(one.masses[None], other.masses[None], shape)
    return _Law(rows[0], one.error + other.error + added)


def _convolved_rows(
    one: FloatArray, other: FloatArray, shape: tuple[int, ...]
) -> tuple[FloatArray, float]:
    """Convolve laws row by row, as far as `shape`, and bound the sum of all errors' norms."""
    from scipy import fft

    if math.prod(one.shape[1:]) <= _DIRECT:
        return _products(one, other, shape), 0.0
    axes = tuple(range(1, one.ndim))
    lengths = [fft.next_fast_len(n, real=True) for n in shape]
    step = max(ROWS // math.prod(lengths), 1)
    found = np.empty((len(one), *shape))
    inside = (slice(None), *(slice(n) for n in shape))
    for start in range(0, len(one), step):
        rows = slice(start, start + step)
        spectrum = fft.rfftn(one[rows], lengths, axes=axes)
        spectrum *= fft.rfftn(other[rows], lengths, axes=axes)
        found[rows] = fft.irfftn(spectrum, lengths, axes=axes)[inside]
    norms = sum(float(np.sqrt((x**2).sum(axis=axes)).sum()) for x in (one, other))
    passes = math.log2(math.prod(lengths)) + 4.0 * len(lengths)
    return found, 3.0 * _PASS * passes * UNIT * norms


def _products(one: FloatArray, other: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Convolve laws row by row as sums of products, which are all positive."""
    sides = [a + b - 1 for a, b in zip(one.shape[1:], other.shape[1:], strict=True)]
    found = np.zeros((len(one), *sides))
    for point in np.ndindex(one.shape[1:]):
        to = tuple(slice(k, k + n) for k, n in zip(point, other.shape[1:], strict=True))
        weight = one[(slice(None), *point)].reshape(-1, *(1 for _ in sides))
        found[(slice(None), *to)] += weight * other
    return np.asarray(found[(slice(None), *(slice(n) for n in shape))])
