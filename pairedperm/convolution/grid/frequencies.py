"""Masses on a grid by a Fourier transform, from the frequencies at which φ has not died away."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import FACTOR_SLACK, PASS, nearest, phi_at
from pairedperm.convolution.engine import Meter
from pairedperm.convolution.grid.whole_law import attainable, convolved
from pairedperm.convolution.law import (
    FloatArray,
    GridLaw,
    GridMasses,
    IntArray,
    Ranges,
    TiltedVectors,
    grid_shape,
)
from pairedperm.convolution.line.masses import check_points, denoise, normalised
from pairedperm.options import Budget

BOXES = 2**10  # tuned: least number of boxes that the frequencies are divided into
BLOCK_BOXES = 2**12  # tuned: boxes that are looked at together
FACTORS = 32  # tuned: factors that are looked at between two choices of boxes
FEW_FREQUENCIES = 2**25  # tuned: frequencies below which the search is quick anyway
_SAMPLED_BOXES = 2**8  # tuned: boxes of each size from which the cost is estimated
_MARGIN = 1.5  # tuned: the peak is taken so many times as wide as that of a normal law
_BOX_FACTOR_NS, _FREQUENCY_FACTOR_NS = 15.0, 80.0  # tuned: ns of a factor for each
_PEAK_FACTOR_NS = 45.0  # tuned: ns of a factor for the boxes about a frequency that is found
_KEPT_BYTES = 96  # tuned: bytes of a frequency that survives
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0  # tuned: the golden ratio's inverse


def surviving_grid_frequencies(
    law: TiltedVectors, lengths: tuple[int, ...], log_tolerance: float, meter: Meter
) -> IntArray:
    """Return the frequencies, shape (n, r), at which |φ| may exceed e^log_tolerance.

    The first coordinate is from 0 to lengths[0] / 2, for φ is symmetric. Any other is from 0 to its
    length - 1.

    A box of frequencies is dropped for good if |φ| is small in all of it; otherwise it is divided.
    Every factor has modulus at most 1, so that some of them suffice to drop a box.
    """
    # boxes that survive are halved in every direction, down to single frequencies
    search = _BoxSearch(law, lengths, log_tolerance)
    size = search.start(meter)
    surviving, n_surviving = [], 0
    for first in search.corners(size):
        pending = [(first, size)]
        while pending:
            corners, side = pending.pop()
            if len(corners) > BLOCK_BOXES:
                pending += [(corners[BLOCK_BOXES:], side), (corners[:BLOCK_BOXES], side)]
                continue
            alive = corners[search.alive(corners, side)]
            if side > 1 and len(alive):
                pending.append((search.children(alive, side), side // 2))
            elif len(alive):
                n_surviving += len(alive)
                surviving.append(alive)
            meter.spend(_BOX_FACTOR_NS * search.n_looked_at)
            search.n_looked_at = 0
            meter.check(_FREQUENCY_FACTOR_NS * n_surviving * law.counts.size)
            meter.check_bytes(_KEPT_BYTES * n_surviving)
    meter.spend(_FREQUENCY_FACTOR_NS * n_surviving * law.counts.size)
    return np.concatenate(surviving)  # the frequency 0 always survives


class SearchCost(NamedTuple):
    """The estimated nanoseconds of a search with φ at what it finds, and how much it finds.

    It finds `n_surviving` frequencies, with so many different values of each coordinate, `sides`.
    """

    nanoseconds: float
    n_surviving: float
    sides: tuple[float, ...]


def search_cost(law: TiltedVectors, lengths: tuple[int, ...], log_tolerance: float) -> SearchCost:
    """Estimate the cost of `surviving_grid_frequencies` and of φ at the frequencies that it finds.

    About 0 the law is nearly normal, and |φ| exceeds the tolerance in an ellipsoid. Elsewhere, some
    boxes of each size are looked at.
    """
    search = _BoxSearch(law, lengths, log_tolerance)
    peak = search.peak()
    costs = search.sampled_costs(peak)
    _, cost, share = next(costs)
    for _, own, _ in costs:
        if search.n > FEW_FREQUENCIES and own >= cost:
            break
        cost = own
    cost += (_FREQUENCY_FACTOR_NS + _PEAK_FACTOR_NS) * peak.n * law.counts.size
    elsewhere = share * search.n
    sides = np.minimum(peak.sides + elsewhere, search.ends)
    return SearchCost(cost, peak.n + elsewhere, tuple(sides.tolist()))


class _Peak(NamedTuple):
    """The frequencies f about 0 at which |φ| of a normal law exceeds the tolerance: f A f ≤ 1."""

    matrix: FloatArray
    n: float
    sides: FloatArray

    def holds(self, frequencies: NDArray[Any], lengths: IntArray, size: int) -> NDArray[np.bool_]:
        """Tell which boxes of this size, with these centres, about reach the peak."""
        near = frequencies - lengths * np.rint(frequencies / lengths)
        squared = np.einsum("ni,ij,nj->n", near, self.matrix, near)  # rounding may turn its sign
        norm = np.sqrt(np.maximum(squared, 0.0))
        return np.asarray(norm <= _MARGIN + size / 2.0 * np.sqrt(self.matrix.trace()))


class _BoxSearch:
    """A search through boxes of frequencies: cubes, given by their lowest corners."""

    def __init__(self, law: TiltedVectors, lengths: tuple[int, ...], log_tolerance: float) -> None:
        # the factors that make φ small come first
        sharpness = law.counts * law.sech2 * (law.vectors**2.0).sum(axis=1)
        order = np.argsort(-sharpness, kind="stable")
        self._sech2, self._counts = law.sech2[order], law.counts[order].astype(np.float64)
        self._vectors, self._lengths = law.vectors[order], np.array(lengths)
        # modulo the lengths, which changes no φ: then x below is up to half their sum
        residues = nearest(self._vectors % self._lengths, self._lengths)
        self._slopes = residues / self._lengths
        self.ends = np.array([lengths[0] // 2 + 1, *lengths[1:]])
        self.n = math.prod(self.ends.tolist())
        self._half_steps = np.array(list(product((0, 1), repeat=len(lengths))))
        self.n_looked_at = 0  # factors in boxes
        self._rounding = 8.0 * UNIT * float(sum(lengths))
        # the powers of the factors may be off by so much, in nats
        self._log_limit = log_tolerance - 4.0 * UNIT * float(self._counts.sum())

    @property
    def largest(self) -> int:
        """The size of the largest boxes: there are about `BOXES` of them."""
        return 1 << max(math.ceil(math.log2(self.n / BOXES) / self.ends.size), 0)

    def start(self, meter: Meter) -> int:
        """Return the size of the first boxes for which the search takes least.

        Larger boxes are fewer, but hardly one of them can be dropped. If there are very many
        frequencies, a sample of boxes of each size decides. It also tells if the search takes too
        long.
        """
        if self.n <= FEW_FREQUENCIES:
            return self.largest
        cost = math.inf
        for side, own, _ in self.sampled_costs():
            if own >= cost:
                break
            best, cost = side, own
        self.n_looked_at = 0
        meter.check(cost)
        return best

    def sampled_costs(self, without: _Peak | None = None) -> Iterator[tuple[int, float, float]]:
        """Yield for each size of boxes, doubled each time, what the search takes from there on.

        Each item is the size, nanoseconds, and the share of boxes that survives, both by a sample.
        """
        rank, side, below = self.ends.size, 1, _FREQUENCY_FACTOR_NS * self.n * self._counts.size
        while side <= self.largest:
            self.n_looked_at = 0
            corners = self._sampled(side)
            if without is not None:
                corners = corners[~without.holds(corners + (side - 1) / 2.0, self._lengths, side)]
            share = self.alive(corners, side).size / _SAMPLED_BOXES
            own = _BOX_FACTOR_NS * self.n_looked_at * self.n / side**rank / _SAMPLED_BOXES
            own += share * below
            yield side, own, share
            below, side = own, 2 * side

    def peak(self) -> _Peak:
        """Return the ellipsoid in which |φ| = exp(-ω Σ ω / 2) exceeds the tolerance.

        There ω = 2π f / length, and Σ is the covariance. If hardly any variance is left, all
        frequencies are returned.
        """
        rank, vectors = self.ends.size, self._vectors * (2.0 * math.pi / self._lengths)
        # covariance over the tolerance: the ellipsoid f A f ≤ 1
        weights = self._counts * self._sech2 / (-8.0 * self._log_limit)
        matrix = (vectors.T * weights) @ vectors
        determinant = float(np.linalg.det(matrix))
        if not determinant > 0.0:
            return _Peak(np.zeros((rank, rank)), float(self.n), self.ends.astype(np.float64))
        ball = math.pi ** (rank / 2.0) / math.gamma(rank / 2.0 + 1.0)
        reach = np.sqrt(np.maximum(np.diag(np.linalg.inv(matrix)), 0.0))
        reach[1:] *= 2.0
        n = min(ball / 2.0 / math.sqrt(determinant) + 1.0, float(self.n))
        return _Peak(matrix, n, np.minimum(reach + 1.0, self.ends))

    def _sampled(self, size: int) -> IntArray:
        """Return corners that are evenly spread: multiples of the powers of the golden ratio."""
        k = np.arange(_SAMPLED_BOXES)
        columns = [(2 * k + 1) * int(self.ends[0]) // (2 * _SAMPLED_BOXES)]
        for power, end in enumerate(self.ends[1:].tolist(), 1):
            columns.append((((k + 0.5) * _GOLDEN**power) % 1.0 * end).astype(np.int64))
        return np.stack(columns, axis=1) // size * size

    def corners(self, size: int) -> Iterator[IntArray]:
        """Yield the corners of all boxes of a size."""
        shape = tuple((self.ends // -size * -1).tolist())
        n = math.prod(shape)
        for start in range(0, n, BLOCK_BOXES):
            numbers = np.arange(start, min(start + BLOCK_BOXES, n))
            yield np.stack(np.unravel_index(numbers, shape), axis=1) * size

    def children(self, corners: IntArray, size: int) -> IntArray:
        """Return the corners of the boxes of half the size."""
        children = corners[:, None, :] + size // 2 * self._half_steps
        children = children.reshape(-1, self.ends.size)
        return np.asarray(children[(children < self.ends).all(axis=1)])

    def alive(self, corners: IntArray, size: int) -> IntArray:
        """Return the positions of the boxes in which |φ| may exceed the tolerance somewhere.

        A squared factor is 1 - sech² sin² πx, x = f · (vector / lengths). With x reduced to
        |x| ≤ 1/2, sin² πx is at least 8 s (1 - 2s) for s ≤ x² ≤ 1/4. Inside a box, x is nearer to
        an integer than at the centre by at most the vector's reach in half a box.
        """
        alive = np.arange(len(corners))
        centres = corners + (size - 1) / 2.0
        total = np.zeros(len(corners))
        reach = np.abs(self._slopes).sum(axis=1) * ((size - 1) / 2.0)
        useful = np.flatnonzero(reach < 0.5)
        for start in range(0, useful.size, FACTORS):
            some = useful[start : start + FACTORS]
            self.n_looked_at += alive.size * some.size
            # the least |x| in the box: that of the centre less the reach of half a box
            x = centres[alive] @ self._slopes[some].T
            x -= np.rint(x)
            s = np.maximum(np.abs(x) - reach[some] - self._rounding, 0.0) ** 2
            lost = 8.0 * (1.0 - FACTOR_SLACK) * self._sech2[some] * s * (1.0 - 2.0 * s)
            total = total + 0.5 * (np.log1p(-lost) @ self._counts[some])
            kept = total > self._log_limit
            alive, total = alive[kept], total[kept]
            if not alive.size:
                break
        return alive


CONVOLVED_PMF = 2**27  # tuned: points times variables up to which those are added one by one
DROPPED_PHI = 2.0**-64  # tuned: |φ| at a frequency that is dropped
_BEGUN = 1e6  # tuned: ns of a transform, however short
_MULTIPLIED = 45  # tuned: ns of a point of a transform


def transformed_cost(law: GridLaw, box: Ranges) -> float:
    """Estimate the nanoseconds of `transformed`."""
    lengths = _lengths(grid_shape(box))
    search = search_cost(law, lengths, math.log(DROPPED_PHI))
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
    # φ at the few frequencies that matter, in the transform's order
    frequencies = surviving_grid_frequencies(law, lengths, math.log(DROPPED_PHI), meter)
    first = tuple(low for low, _ in box)
    phi, phi_error = phi_at(law, frequencies, first, lengths)
    spectrum = np.zeros((*lengths[:0:-1], lengths[0] // 2 + 1), dtype=np.complex128)
    spectrum[tuple(frequencies[:, k] for k in range(len(lengths)))[::-1]] = phi.conj()
    pmf = fft.irfftn(spectrum, s=lengths[::-1]).T[tuple(slice(n) for n in shape)]
    pmf = (pmf + pmf[(slice(None, None, -1),) * pmf.ndim]) / 2.0
    # rounding of φ and of the passes, at a point and over all of them
    size = np.abs(phi) * np.where(2 * frequencies[:, 0] % lengths[0] == 0, 1.0, 2.0)
    passes = PASS * (math.log2(n_points) + 4.0 * len(lengths)) + 4.0
    errors = np.where(size > 0.0, phi_error + passes, 0.0) * UNIT
    point_error = float((size * errors).sum()) / n_points + DROPPED_PHI
    squares = float((size * np.abs(phi) * errors**2).sum())
    error = math.sqrt(pmf.size) * (math.sqrt(squares / n_points) + DROPPED_PHI) + leak
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
    if n_points * int(law.counts.sum()) <= CONVOLVED_PMF:
        pmf = convolved(law).masses
    else:
        pmf = np.where(is_attainable, transformed(law, law.support, 0.0, budget).masses, 0.0)
        denoise(pmf)
    points = np.argwhere(is_attainable) + np.array(law.corner)
    return points, normalised(pmf[is_attainable])
