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
from pairedperm.convolution.grid.frequencies import transformed, transformed_cost
from pairedperm.convolution.grid.span import (
    DYADIC,
    SHOWN_SIDES,
    Component,
    PointMasses,
    binomial_part,
    components,
    merged_parts,
    part_at,
    point_nanoseconds,
    rank_and_parts,
    total_mass,
)
from pairedperm.convolution.grid.whole_law import convolved, convolved_cost
from pairedperm.convolution.law import LEAK, GridLaw, GridMasses, IntArray, grid_shape
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
WHOLE = 2**12  # tuned: variables up to which a binomial law is taken whole
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
    def seconds(self) -> float:
        """An estimate of the seconds that the masses take, and the score at each point."""
        each = point_nanoseconds(len(self.grid or ()), self.vectors.shape[1])
        return 1e-9 * (self.nanoseconds + each * self.n_attained)

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
        for shape, how, of, *_ in self.pieces or ():
            if isinstance(of, int):
                binomials.append(binomial_part(self.vectors[of], int(self.counts[of]), *shape))
            else:
                grids.append(self._on_grid(of, how, budget))
        return merged_parts(binomials + grids)

    def _on_grid(self, component: Component, how: str, budget: Budget) -> PointMasses:
        law = GridLaw(component.coordinates, self.counts[component.members])
        is_added = how == "convolved"
        masses = convolved(law) if is_added else transformed(law, *law.window(), budget)
        return _grid_part(component, law, masses)


def _grid_part(component: Component, law: GridLaw, on_grid: GridMasses) -> PointMasses:
    """Return the points of a grid that are certainly sums of the vectors, with their masses.

    A mass above the error of each point is not 0. The mass of all other points is lost.
    """
    part = part_at(on_grid, np.flatnonzero(on_grid.masses > on_grid.point_error), component.basis)
    if on_grid.point_error:
        n_others = on_grid.masses.size - part.numbers.size
        rest = max(1.0 - total_mass(part.masses), 0.0) + on_grid.error + 64.0 * UNIT
        part = part._replace(lost=min(rest, on_grid.lost + 2.0 * n_others * on_grid.point_error))
    if not on_grid.error and int(law.counts.sum()) <= DYADIC:
        part = part._replace(relative_error=0.0)
    return part


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


def binomial_lengths(counts: IntArray, whole: bool) -> IntArray:
    """Return how many points of Binomial(count, 1/2) are kept, for each count.

    By Hoeffding's bound, the mass beyond the mean ± s is at most 2 exp(-2 s² / count).
    """
    reach = np.ceil(np.sqrt(counts * math.log(2.0 / LEAK) / 2.0)) + 1
    cut = np.maximum((counts + 1) // 2 - reach, 0)
    cut = np.where(whole | (counts <= WHOLE), 0, cut)
    return counts + 1 - 2 * cut.astype(np.int64)


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
