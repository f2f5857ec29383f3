"""The law of a sum of vectors, point by point: the product of independent parts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Literal, NamedTuple

import numpy as np

from pairedperm.convolution.grid.law import GridLaw, grid_shape
from pairedperm.convolution.grid.polynomials import (
    convolved,
    convolved_cost,
    transformed,
    transformed_cost,
)
from pairedperm.convolution.grid.span import (
    Component,
    Part,
    binomial_lengths,
    binomial_part,
    components,
    grid_part,
    merged_parts,
    rank_and_parts,
)
from pairedperm.convolution.law import IntArray
from pairedperm.errors import BudgetError, raised
from pairedperm.errors.wording import NO_BUDGET
from pairedperm.options import Budget

CONVOLVED = 2**28  # tuned: up to so many masses are added without comparing a transform
WIDER = 1.5  # tuned: up to so many times a transform's points, masses may be added instead
_ADDING = 80.0  # tuned: ns of masses added for each frequency of the budget, if p is small
_ATTAINED = 0.7  # tuned: share of the points of a box that are sums, for each further dimension
_MERGED = 5.0  # tuned: ns of a mass of a product of parts
FEW = 2**15  # tuned: looking at so few points is faster than finding a lattice with fewer
_POINT_BYTES = 40  # tuned: bytes of a point of a law
_SECONDS = 1e-6  # tuned: about the time of a point, with its score
_OUT_OF_REACH = 2**40  # tuned: points that fit into no memory
_SHOWN = 8  # tuned: sides in a message
_TOGETHER = 2**20  # tuned: entries of vectors that are multiplied together, in floats


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
        n_rows = max(_TOGETHER // scale.size, 1)
        for start in range(0, len(vectors), n_rows):
            rows = vectors[start : start + n_rows] / scale
            products += rows.T @ rows
        return int(np.linalg.matrix_rank(products, hermitian=True))

    @property
    def grid(self) -> tuple[int, ...] | None:
        """The lengths of all sides, part after part, or None if they were not laid out."""
        if self.pieces is None:
            return None
        return tuple(chain.from_iterable(map(attrgetter("shape"), self.pieces)))

    @property
    def how(self) -> str:
        """A description of the method in words."""
        names = {
            "binomial": "binomial laws",
            "convolved": "a grid on which differences are added one by one",
            "transformed": "a Fourier transform on a grid",
        }
        found = dict.fromkeys(map(attrgetter("how"), self.pieces or ()))
        return "all sums, by " + " and ".join(map(names.__getitem__, found))

    @property
    def n_bytes(self) -> int:
        """An estimate of the memory in bytes."""
        return _POINT_BYTES * self.n_points

    @property
    def nanoseconds(self) -> float:
        """An estimate of the nanoseconds that the masses take, without looking at the points."""
        return float(
            _MERGED * self.n_points + sum(map(attrgetter("nanoseconds"), self.pieces or ()))
        )

    @property
    def n_attained(self) -> float:
        """An estimate of how many points are sums: near the corners of a box, hardly any are."""
        return self.n_points * _ATTAINED ** (len(self.grid or ()) - len(self.pieces or ()))

    @property
    def is_relative(self) -> bool:
        """True if all masses are sums of positive terms on the whole support."""
        return self.is_whole or all(map(attrgetter("is_relative"), self.pieces or ()))

    def as_whole(self) -> ProductLaw:
        """Return the law on its whole support, from positive terms only."""
        return product_law(self.vectors, self.counts, whole=True)

    def check(self, budget: Budget) -> None:
        """Raise BudgetError if there are too many points."""
        n, n_bytes = self.n_points, _POINT_BYTES * self.n_points
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
        shown = " x ".join(f"{length:,}" for length in self.grid[:_SHOWN])
        return f" ({shown}{' x ...' if len(self.grid) > _SHOWN else ''})"

    def masses(self, budget: Budget) -> Part:
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

    def _on_grid(self, component: Component, how: str, budget: Budget) -> Part:
        law = GridLaw(component.coordinates, self.counts[component.members])
        if how == "convolved":
            return grid_part(component, law, convolved(law))
        return grid_part(component, law, transformed(law, *law.window(), budget))


def product_law(vectors: IntArray, counts: IntArray, whole: bool = False) -> ProductLaw:
    """Lay out the law of distinct vectors, at least one and none of them 0, shape (k, m).

    Vectors of different parts (`rank_and_parts`) have independent sums. A part is taken vector by
    vector, as binomial variables, if that makes no more points than a grid. Otherwise it is laid
    out on a grid: convolved if that is quick, or transformed within a window. Cost: O(k m rank),
    and O(points) when it is computed.
    """
    lengths = binomial_lengths(counts, whole)
    n_points = math.prod(lengths.tolist())
    if n_points <= FEW:
        apart = _apart(range(len(vectors)), counts, lengths)
        return ProductLaw(vectors, counts, tuple(apart), None, n_points, whole)
    independent, part = rank_and_parts(vectors, counts, lengths, _OUT_OF_REACH)
    if part is None:
        least = math.prod(lengths[independent].tolist())
        return ProductLaw(vectors, counts, None, None, least, whole)
    found = components(vectors, counts, part, len(independent))
    pieces = [piece for x in found for piece in _pieces(x, counts, lengths, whole)]
    rank = sum(len(component.basis) for component in found)
    n_points = math.prod(math.prod(piece.shape) for piece in pieces)
    return ProductLaw(vectors, counts, tuple(pieces), rank, n_points, whole)


def _apart(members: Iterable[int], counts: IntArray, lengths: IntArray) -> list[_Piece]:
    """Return a piece for each of these vectors by itself."""
    return [
        _Piece((int(lengths[k]),), "binomial", k, bool(lengths[k] > counts[k])) for k in members
    ]


def _pieces(component: Component, counts: IntArray, lengths: IntArray, whole: bool) -> list[_Piece]:
    """Return the pieces of one independent part of the vectors."""
    members = component.members
    apart = _apart(members.tolist(), counts, lengths)
    if len(members) == len(component.basis) or not component.is_small(counts):
        return apart
    component = component.in_int64()
    law = GridLaw(component.coordinates, counts[members])
    is_quick = whole or law.n_added <= CONVOLVED
    window = law.support if is_quick else law.window()[0]
    n_points = math.prod(grid_shape(window))
    if math.prod(lengths[members].tolist()) <= n_points:
        return apart
    added = _Piece(law.shape, "convolved", component, True, convolved_cost(law))
    if is_quick:
        return [added]
    cost = transformed_cost(law, window) if n_points <= _OUT_OF_REACH else math.inf
    if added.nanoseconds <= cost < math.inf and math.prod(law.shape) <= WIDER * n_points:
        return [added]
    return [_Piece(grid_shape(window), "transformed", component, False, cost)]
