"""Algorithm 3: the law of a sum of vectors, one variable added after the other."""

from __future__ import annotations

import heapq
import math
from itertools import chain, count, repeat
from typing import Any, NamedTuple

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import phi_at
from pairedperm.convolution.engine import advance
from pairedperm.convolution.grid.frequencies import Meter, search_cost, surviving_grid_frequencies
from pairedperm.convolution.grid.law import GridLaw, GridMasses, Ranges, attainable, grid_shape
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.pmf import check_points, denoise, normalised
from pairedperm.errors import extra
from pairedperm.options import Budget

_ADDED, _POINT, _VARIABLE = 2.0, 10.0, 1.5e4  # tuned: ns of an addition, a point, a variable
_SCALED = 512  # proof: additions after which masses are scaled, so that they do not overflow


def convolved_cost(law: GridLaw) -> float:
    """Estimate the nanoseconds of `convolved`."""
    n = float(law.counts.sum())
    return _ADDED * law.n_added + _POINT * math.prod(law.shape) + _VARIABLE * n


def convolved(law: GridLaw) -> GridMasses:
    """Return the masses on the whole support, by adding one variable after the other.

    This is Algorithm 3 of Zmigrod, Vieira & Cotterell 2022, in any dimension. To the number of
    assignments of each sum, a variable adds the number of the sum without it, in place. All terms
    are positive. So every mass is relatively accurate, and 0 if there is no such sum. Numbers are
    scaled by powers of two, which is exact down to 1e-308. Cost: O(n points) for n variables; the
    part of the grid that is reached grows with them.
    """
    masses = np.zeros(law.shape)
    low = high = [-first for first in law.corner]  # ends of the box that is reached: first 0 alone
    masses[tuple(low)] = 1.0
    variables = chain.from_iterable(map(repeat, law.vectors.tolist(), law.counts.tolist()))
    for number, vector in enumerate(variables, start=1):
        sides = list(zip(low, high, vector, strict=True))
        reached = tuple(slice(a, b + 1) for a, b, _ in sides)
        moved = tuple(slice(a + x, b + x + 1) for a, b, x in sides)
        masses[moved] += masses[reached]  # numpy copies what overlaps
        advance(_VARIABLE + _ADDED * math.prod(b - a + 1 for a, b, _ in sides))
        low = [min(a, a + x) for a, _, x in sides]
        high = [max(b, b + x) for _, b, x in sides]
        if number % _SCALED == 0:
            masses *= math.ldexp(1.0, -_SCALED)
    n = int(law.counts.sum())
    masses *= math.ldexp(1.0, -(n % _SCALED))
    lost = masses.size * np.finfo(float).tiny if n > -np.finfo(float).minexp else 0.0  # underflow
    return GridMasses(masses, law.corner, (n + 1) * UNIT, 0.0, float(lost), float(lost))


def n_assignments(law: GridLaw, numbers: IntArray) -> int:
    """Count those of the 2^n assignments whose sum is at one of these places, numbered in C order.

    The generating function is Π (1 + x^vector)^count. Its variables are powers of a single one (the
    steps of `GridLaw`). That one is a power of two, too large for a coefficient to carry into the
    next. So the product is one integer, and its digits are the coefficients from the least sum on.
    The two least factors are multiplied first. A vector that is turned has the factor
    1 + x^-e = x^-e (1 + x^e). Cost: O(N log N log log N) for N = points · n bits.

    Raises
    ------
    ImportError
        If python-flint is not installed.
    """
    fmpz = _fmpz()
    n_digit_bytes = int(law.counts.sum()) // 8 + 1
    steps, first = law.steps()
    factors = [
        (1 + (fmpz(1) << 8 * n_digit_bytes * step)) ** count
        for step, count in zip(steps, law.counts.tolist(), strict=True)
    ]
    heapq.heapify(factors)
    while len(factors) > 1:
        heapq.heappush(factors, heapq.heappop(factors) * heapq.heappop(factors))
    whole = int(factors[0])
    digits = whole.to_bytes(whole.bit_length() // 8 + 1, "little")
    return sum(
        int.from_bytes(digits[n_digit_bytes * k : n_digit_bytes * (k + 1)], "little")
        for k in map(int, numbers - first)
    )


def _fmpz() -> Any:
    with extra("rational", "method='rational'"):
        from flint import fmpz
    return fmpz


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


CONVOLVED = 2**27  # tuned: points times variables up to which those are added one by one
DROPPED = 2.0**-64  # tuned: |φ| at a frequency that is dropped
_BEGUN = 1e6  # tuned: ns of a transform, however short
_MULTIPLIED = 45  # tuned: ns of a point of a transform


def transformed_cost(law: GridLaw, box: Ranges) -> float:
    """Estimate the nanoseconds of `transformed`."""
    lengths = _lengths(grid_shape(box))
    search = search_cost(law, lengths, math.log(DROPPED))
    return _BEGUN + _MULTIPLIED * math.prod(lengths) + search.nanoseconds


def _lengths(shape: tuple[int, ...]) -> tuple[int, ...]:
    from scipy import fft

    return tuple(fft.next_fast_len(n, real=True) for n in shape)


def transformed(law: GridLaw, box: Ranges, leak: float, budget: Budget) -> GridMasses:
    """Return the masses in a box that all but `leak` of the mass is in, by a Fourier transform.

    The periods M hold the box. φ at the frequencies f is transformed back, and the mass beyond the
    box is folded into it. An output of the transform is a sum of the |φ|, each of which goes
    through its passes. So no mass is off by more than (error of φ + passes) u Σ |φ| / Π M. By
    Parseval's identity, the errors' squares add up to those of the |φ| over Π M.
    """
    from scipy import fft

    shape = grid_shape(box)
    lengths = _lengths(shape)
    meter = Meter(budget)
    n_points = math.prod(lengths)
    meter.spend(_MULTIPLIED * n_points)
    frequencies = surviving_grid_frequencies(law, lengths, math.log(DROPPED), meter)
    first = tuple(low for low, _ in box)
    phi, phi_error = phi_at(law, frequencies, first, lengths)
    spectrum = np.zeros((*lengths[:0:-1], lengths[0] // 2 + 1), dtype=np.complex128)
    spectrum[tuple(frequencies[:, k] for k in range(len(lengths)))[::-1]] = phi.conj()
    pmf = fft.irfftn(spectrum, s=lengths[::-1]).T[tuple(slice(n) for n in shape)]
    pmf = (pmf + pmf[(slice(None, None, -1),) * pmf.ndim]) / 2.0
    size = np.abs(phi) * np.where(2 * frequencies[:, 0] % lengths[0] == 0, 1.0, 2.0)
    passes = _PASS * (math.log2(n_points) + 4.0 * len(lengths)) + 4.0
    errors = np.where(size > 0.0, phi_error + passes, 0.0) * UNIT
    point_error = float((size * errors).sum()) / n_points + DROPPED
    squares = float((size * np.abs(phi) * errors**2).sum())
    error = math.sqrt(pmf.size) * (math.sqrt(squares / n_points) + DROPPED) + leak
    return GridMasses(pmf, first, 2.0 * UNIT, point_error + leak, error, leak)


def grid_pmf(law: GridLaw, budget: Budget) -> tuple[IntArray, FloatArray]:
    """Return the attainable points b of B, shape (n, r), and P(B = b).

    If that is quick, one variable is added after the other, which is relatively accurate. Otherwise
    a Fourier transform over the whole support gives masses within 1e-15 absolutely. The masses sum
    to 1.

    Raises
    ------
    BudgetError
        If the arrays, 64 bytes for each point of the box around the support, would not fit.
    """
    n_points = math.prod(law.shape)
    check_points(n_points, budget)
    is_attainable = attainable(law)
    if n_points * int(law.counts.sum()) <= CONVOLVED:
        pmf = convolved(law).masses
    else:
        pmf = np.where(is_attainable, transformed(law, law.support, 0.0, budget).masses, 0.0)
        denoise(pmf)
    points = np.argwhere(is_attainable) + np.array(law.corner)
    return points, normalised(pmf[is_attainable])
