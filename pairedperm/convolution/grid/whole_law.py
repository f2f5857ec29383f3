"""The whole law of a sum of vectors on one grid: Algorithms 3 and 4 of the paper."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, repeat
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import PASS
from pairedperm.convolution.engine import advance
from pairedperm.convolution.grid.span import (
    SHOWN_SIDES,
    Coordinates,
    PointMasses,
    lattice_of,
    part_at,
)
from pairedperm.convolution.law import FloatArray, GridLaw, GridMasses, IntArray
from pairedperm.convolution.polynomials import attainable_sums
from pairedperm.errors import NO_BUDGET, BudgetError
from pairedperm.options import Budget, raised

WholeEngine = Literal["dp", "fft"]
_BYTES_BY_ENGINE = {"dp": 48, "fft": 64}  # tuned: bytes of a point, by engine
_ADDED_PER_FREQUENCY = 2**6  # tuned: masses added for each frequency of the budget
_PASS_NS, _HALVED_NS = 0.5, 5e3  # tuned: ns of a point in a pass, and of a variable, by "fft"
_UNKNOWN_SIZE = 2**62  # tuned: stands for more points than any memory holds


@dataclass(frozen=True)
class WholeLaw:
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), all vectors on one grid.

    For m columns the paper takes a grid in m dimensions (Appendix B). Here the grid has the
    dimension of the lattice that the vectors span.
    """

    vectors: IntArray  # shape (k, m), none 0, at least one
    counts: IntArray

    @cached_property
    def _found(self) -> Coordinates:
        found, _ = lattice_of(self.vectors, self.counts)
        assert found is not None  # without sizes there is no limit
        return found

    @cached_property
    def _law(self) -> GridLaw:
        return GridLaw(self._found.in_int64().coordinates, self.counts)

    @property
    def rank(self) -> int:
        """The dimension of the grid."""
        return len(self._found.basis)

    @cached_property
    def grid(self) -> tuple[int, ...] | None:
        """The shape of the grid, or None if sums on it may reach 2^53."""
        if not self._found.is_small(self.counts):
            return None
        return self._law.shape

    @property
    def n_points(self) -> int:
        """The number of points of the grid, or 2^62 if the grid is too large to be known."""
        return _UNKNOWN_SIZE if self.grid is None else math.prod(self.grid)

    def n_bytes(self, engine: WholeEngine) -> int:
        """Estimate the memory in bytes."""
        return self.n_points * _BYTES_BY_ENGINE[engine]

    def nanoseconds(self, engine: WholeEngine) -> float:
        """Estimate the nanoseconds that all masses take."""
        if engine == "dp":
            return convolved_cost(self._law)
        n_passes = math.log2(self.n_points + 1) ** 2
        return _PASS_NS * self.n_points * n_passes + _HALVED_NS * (int(self.counts.sum()) + 1)

    def check(self, engine: WholeEngine, budget: Budget) -> None:
        """Raise BudgetError if the engine would take too much."""
        points = f"at least {self.n_points:.3g} points"
        if self.grid is not None:
            sides = " x ".join(f"{n:,}" for n in self.grid[:SHOWN_SIDES])
            points = f"{self.n_points:.3g} points ({sides})"
        whole = f" needs the null distribution on its whole support, {points}"
        what = f"method='{engine}'{whole}"
        if self.n_points >= _UNKNOWN_SIZE:
            raise BudgetError(f"{what}, {NO_BUDGET}")
        work, limit, doing = self.n_points, budget.max_points, ""
        if engine == "dp":
            work, limit = self._law.n_added, _ADDED_PER_FREQUENCY * limit
            doing = f", and {work:.3g} masses added"
        needed = max(self.n_points, math.ceil(work * budget.max_points / limit))
        n_bytes, seconds = self.n_bytes(engine), 1e-9 * self.nanoseconds(engine)
        what, remedy = f"{what}{doing}", raised(seconds, n_bytes, to=f" to {needed:.3g}")
        budget.check(what, n_points=needed, remedy=remedy)
        what, remedy = f"{what}, {n_bytes:.3g} bytes", raised(seconds, n_bytes)
        budget.check(what, n_bytes=n_bytes, remedy=remedy)

    def masses(self, engine: str) -> PointMasses:
        """Return all points that are sums of the vectors, and their masses."""
        convolve = convolved if engine == "dp" else convolved_by_halves
        return self._part(convolve(self._law))

    def _part(self, masses: GridMasses) -> PointMasses:
        """Return the points of the grid that are sums of the vectors, with their masses."""
        numbers = np.flatnonzero(attainable(self._law))
        return part_at(masses, numbers, self._found.in_int64().basis)


_ADDITION_NS, _PRODUCT_NS, _VARIABLE_NS = 2.0, 10.0, 1.5e4  # tuned: ns of each
_SCALED_AFTER = 512  # proof: additions after which masses are scaled: they do not overflow


def convolved_cost(law: GridLaw) -> float:
    """Estimate the nanoseconds of `convolved`."""
    n = float(law.counts.sum())
    return _ADDITION_NS * law.n_added + _PRODUCT_NS * math.prod(law.shape) + _VARIABLE_NS * n


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
        advance(_VARIABLE_NS + _ADDITION_NS * math.prod(b - a + 1 for a, b, _ in sides))
        low = [min(a, a + x) for a, _, x in sides]
        high = [max(b, b + x) for _, b, x in sides]
        if number % _SCALED_AFTER == 0:
            masses *= math.ldexp(1.0, -_SCALED_AFTER)
    n = int(law.counts.sum())
    masses *= math.ldexp(1.0, -(n % _SCALED_AFTER))
    lost = masses.size * np.finfo(float).tiny if n > -np.finfo(float).minexp else 0.0  # underflow
    return GridMasses(masses, law.corner, (n + 1) * UNIT, 0.0, float(lost), float(lost))


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
    # a transform is as long as the longest vector: those of similar size are convolved first
    n_bits = np.frexp(np.abs(law.vectors).max(axis=1).astype(np.float64))[1]
    laws = []
    for kind in np.unique(n_bits // 2):
        members = n_bits // 2 == kind
        laws.append(_halved(np.repeat(law.vectors[members], law.counts[members], axis=0)))
    number = count()  # orders laws of the same size, which cannot be compared
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
    # the law of each vector: one half at 0, one half at the vector
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
    shape = tuple(a + b - 1 for a, b in zip(one.masses.shape, other.masses.shape, strict=True))
    rows, added = _convolved_rows(one.masses[None], other.masses[None], shape)
    return _Law(rows[0], one.error + other.error + added)


def _convolved_rows(
    one: FloatArray, other: FloatArray, shape: tuple[int, ...]
) -> tuple[FloatArray, float]:
    """Convolve laws row by row, as far as `shape`, and bound the sum of all errors' norms."""
    from scipy import fft

    if math.prod(one.shape[1:]) <= _DIRECT:
        return _summed_products(one, other, shape), 0.0
    axes = tuple(range(1, one.ndim))
    lengths = [fft.next_fast_len(n, real=True) for n in shape]
    step = max(ROWS // math.prod(lengths), 1)
    both = np.empty((len(one), *shape))
    inside = (slice(None), *(slice(n) for n in shape))
    for start in range(0, len(one), step):
        rows = slice(start, start + step)
        spectrum = fft.rfftn(one[rows], lengths, axes=axes)
        spectrum *= fft.rfftn(other[rows], lengths, axes=axes)
        both[rows] = fft.irfftn(spectrum, lengths, axes=axes)[inside]
    norms = sum(float(np.sqrt((x**2).sum(axis=axes)).sum()) for x in (one, other))
    passes = math.log2(math.prod(lengths)) + 4.0 * len(lengths)
    return both, 3.0 * PASS * passes * UNIT * norms


def _summed_products(one: FloatArray, other: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Convolve laws row by row as sums of products, which are all positive."""
    sides = [a + b - 1 for a, b in zip(one.shape[1:], other.shape[1:], strict=True)]
    both = np.zeros((len(one), *sides))
    for point in np.ndindex(one.shape[1:]):
        to = tuple(slice(k, k + n) for k, n in zip(point, other.shape[1:], strict=True))
        weight = one[(slice(None), *point)].reshape(-1, *(1 for _ in sides))
        both[(slice(None), *to)] += weight * other
    return np.asarray(both[(slice(None), *(slice(n) for n in shape))])


def attainable(law: GridLaw) -> NDArray[np.bool_]:
    """Tell which points of the grid of the support are sums of the vectors."""
    steps, first = law.steps()
    sums = attainable_sums(steps, law.counts.tolist())
    reached = np.zeros(math.prod(law.shape), dtype=np.bool_)
    reached[first : first + sums.size] = sums
    return reached.reshape(law.shape)
