"""The law of a sum of vectors, point by point: the product of independent parts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import PASS, phi_at
from pairedperm.convolution.grid.frequencies import Meter, search_cost, surviving_grid_frequencies
from pairedperm.convolution.grid.span import (
    SHOWN_SIDES,
    Component,
    PointMasses,
    binomial_lengths,
    binomial_part,
    components,
    grid_part,
    merged_parts,
    rank_and_parts,
)
from pairedperm.convolution.grid.whole_law import (
    attainable,
    convolved,
    convolved_cost,
)
from pairedperm.convolution.law import FloatArray, GridLaw, GridMasses, IntArray, Ranges, grid_shape
from pairedperm.convolution.line.frequencies import check_points, denoise, normalised
from pairedperm.errors import BudgetError, raised
from pairedperm.errors.wording import NO_BUDGET
from pairedperm.options import Budget

CONVOLVED = 2**28  # tuned: up to so many masses are added without comparing a transform
WIDER = 1.5  # tuned: up to so many times a transform's points, masses may be added instead
_ADDING = 80.0  # tuned: ns of masses added for each frequency of the budget, if p is small
_ATTAINED = 0.7  # tuned: share of the points of a box that are sums, for each further dimension
_MERGED = 5.0  # tuned: ns of a mass of a product of parts
FEW_POINTS = 2**15  # tuned: looking at so few points is faster than finding a lattice with fewer
_PRODUCT_POINT_BYTES = 40  # tuned: bytes of a point of a law
_SECONDS = 1e-6  # tuned: about the time of a point, with its score
_OUT_OF_REACH = 2**40  # tuned: points that fit into no memory
_RANK_ENTRIES = 2**20  # tuned: entries of vectors that are multiplied together, in floats


class _Piece(NamedTuple):
    """An independent part: a binomial variable times a vector, or several vectors on a grid."""

    shape: tuple[int, ...]
    how: Literal["binomial", "convolved", "transformed"]
    of: int | Component  # the vector's number, or the vectors of the grid
    is_relative: bool  # all masses are sums of positive terms on the whole support
    nanoseconds: float = 0.0  # about


@dataclass(frozen=True)
class ProductLaw:
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), laid out but not computed.

    Attributes
    ----------
    pieces : tuple or None
        Independent parts, whose grids together make the whole. None if there are so many
        points that they were not laid out.
    known_rank : int or None
        The rank of the lattice that the vectors span; None if it has not been found.
    n_points : int
        The product of all lengths, or a lower bound if they were not laid out.
    is_whole : bool
        Whether all points are to be known relatively, down to the smallest masses.
    """

    vectors: IntArray
    counts: IntArray
    pieces: tuple[_Piece, ...] | None
    known_rank: int | None
    n_points: int
    is_whole: bool

    @cached_property
    def rank(self) -> int:
        """The rank of the lattice that the vectors span, computed in floats if it is not known."""
        if self.known_rank is not None:
            return self.known_rank
        vectors = self.vectors
        scale = np.maximum(np.maximum(vectors.max(axis=0), -vectors.min(axis=0)), 1)
        products = np.zeros((scale.size, scale.size))
        n_rows = max(_RANK_ENTRIES // scale.size, 1)
        for start in range(0, len(vectors), n_rows):
            rows = vectors[start : start + n_rows] / scale
            products += rows.T @ rows
        return int(np.linalg.matrix_rank(products, hermitian=True))

    @property
    def grid(self) -> tuple[int, ...] | None:
        """The lengths of all sides, part after part, or None if they were not laid out."""
        if self.pieces is None:
            return None
        return tuple(chain.from_iterable(piece.shape for piece in self.pieces))

    @property
    def how(self) -> str:
        """A description of the method in words."""
        names = {
            "binomial": "binomial laws",
            "convolved": "a grid on which differences are added one by one",
            "transformed": "a Fourier transform on a grid",
        }
        ways = dict.fromkeys(piece.how for piece in self.pieces or ())
        return "all sums, by " + " and ".join(names[how] for how in ways)

    @property
    def n_bytes(self) -> int:
        """An estimate of the memory in bytes."""
        return _PRODUCT_POINT_BYTES * self.n_points

    @property
    def nanoseconds(self) -> float:
        """An estimate of the nanoseconds that the masses take, without looking at the points."""
        return _MERGED * self.n_points + sum(piece.nanoseconds for piece in self.pieces or ())

    @property
    def n_attained(self) -> float:
        """An estimate of how many points are sums: near the corners of a box, hardly any are."""
        return self.n_points * _ATTAINED ** (len(self.grid or ()) - len(self.pieces or ()))

    @property
    def is_relative(self) -> bool:
        """True if all masses are sums of positive terms on the whole support."""
        return self.is_whole or all(piece.is_relative for piece in self.pieces or ())

    def as_whole(self) -> ProductLaw:
        """Return the law on its whole support, from positive terms only."""
        return product_law(self.vectors, self.counts, whole=True)

    def check(self, budget: Budget) -> None:
        """Raise BudgetError if there are too many points."""
        n, n_bytes = self.n_points, self.n_bytes
        if n <= min(_OUT_OF_REACH, budget.max_points) and n_bytes <= budget.max_bytes:
            if self.is_whole and self.nanoseconds > _ADDING * budget.max_points:
                raise BudgetError("too many masses to add.")
            return
        what = (
            "the exact p-value needs the null distribution of the sums on a grid of "
            f"{'at least ' if self.grid is None else ''}{n:.3g} points{self._spelled_grid()}"
        )
        if n > _OUT_OF_REACH:
            raise BudgetError(f"{what}, ", NO_BUDGET)
        remedy = raised(_SECONDS * n, n_bytes)
        budget.check(what, n_points=n, remedy=remedy)
        budget.check(f"{what}, {n_bytes:.3g} bytes", n_bytes=n_bytes, remedy=remedy)

    def _spelled_grid(self) -> str:
        if self.grid is None:
            return ""
        shown = " x ".join(f"{length:,}" for length in self.grid[:SHOWN_SIDES])
        return f" ({shown}{' x ...' if len(self.grid) > SHOWN_SIDES else ''})"

    def masses(self, budget: Budget) -> PointMasses:
        """Compute all points and their masses.

        Raises
        ------
        BudgetError
            If there are too many points.
        """
        self.check(budget)
        binomials, grids = [], []
        for _, how, of, *_ in self.pieces or ():
            if isinstance(of, int):
                count = int(self.counts[of])
                binomials.append(binomial_part(self.vectors[of], count, self.is_whole))
            else:
                grids.append(self._on_grid(of, how, budget))
        return merged_parts(binomials + grids)

    def _on_grid(self, component: Component, how: str, budget: Budget) -> PointMasses:
        law = GridLaw(component.coordinates, self.counts[component.members])
        is_added = how == "convolved"
        masses = convolved(law) if is_added else transformed(law, *law.window(), budget)
        return grid_part(component, law, masses)


def product_law(vectors: IntArray, counts: IntArray, whole: bool = False) -> ProductLaw:
    """Lay out the law of distinct vectors, at least one and none of them 0, shape (k, m).

    Vectors of different parts (`rank_and_parts`) have independent sums. A part is taken vector by
    vector, as binomial variables, if that makes no more points than a grid. Otherwise it is laid
    out on a grid: convolved if that is quick, or transformed within a window. Cost: O(k m rank),
    and O(points) when it is computed.
    """
    # few points: the product of binomial laws is quicker than looking for a lattice
    lengths = binomial_lengths(counts, whole)
    n_points = math.prod(lengths.tolist())
    if n_points <= FEW_POINTS:
        apart = _binomial_pieces(range(len(vectors)), counts, lengths)
        return ProductLaw(vectors, counts, tuple(apart), None, n_points, whole)
    # vectors that share no relation are independent
    independent, part = rank_and_parts(vectors, counts, lengths, _OUT_OF_REACH)
    if part is None:
        least = math.prod(lengths[independent].tolist())
        return ProductLaw(vectors, counts, None, None, least, whole)
    parts = components(vectors, counts, part, len(independent))
    pieces = [piece for x in parts for piece in _pieces(x, counts, lengths, whole)]
    rank = sum(len(component.basis) for component in parts)
    n_points = math.prod(math.prod(piece.shape) for piece in pieces)
    return ProductLaw(vectors, counts, tuple(pieces), rank, n_points, whole)


def _binomial_pieces(members: Iterable[int], counts: IntArray, lengths: IntArray) -> list[_Piece]:
    """Return a piece for each of these vectors by itself."""
    return [
        _Piece((int(lengths[k]),), "binomial", k, bool(lengths[k] > counts[k])) for k in members
    ]


def _pieces(component: Component, counts: IntArray, lengths: IntArray, whole: bool) -> list[_Piece]:
    """Return the pieces of one independent part of the vectors."""
    members = component.members
    apart = _binomial_pieces(members.tolist(), counts, lengths)
    if len(members) == len(component.basis) or not component.is_small(counts):
        return apart
    component = component.in_int64()
    law = GridLaw(component.coordinates, counts[members])
    # a grid, if it has fewer points than the product of binomial laws
    is_quick = whole or law.n_added <= CONVOLVED
    window = law.support if is_quick else law.window()[0]
    n_points = math.prod(grid_shape(window))
    if math.prod(lengths[members].tolist()) <= n_points:
        return apart
    added = _Piece(law.shape, "convolved", component, True, convolved_cost(law))
    if is_quick:
        return [added]
    # adding one by one is exact on the whole grid; a transform has fewer points
    cost = transformed_cost(law, window) if n_points <= _OUT_OF_REACH else math.inf
    if added.nanoseconds <= cost < math.inf and math.prod(law.shape) <= WIDER * n_points:
        return [added]
    return [_Piece(grid_shape(window), "transformed", component, False, cost)]


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
