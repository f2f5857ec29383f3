"""The law of a sum of vectors, point by point: the product of independent parts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Literal, NamedTuple

import numpy as np

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.grid.dp import convolved, convolving_cost
from pairedperm.convolution.grid.law import GridLaw, grid_shape
from pairedperm.convolution.grid.masses import transformed
from pairedperm.convolution.grid.parts import (
    Part,
    binomial_length,
    binomial_part,
    grid_part,
    merged_parts,
)
from pairedperm.convolution.grid.span import Component, components, rank_and_parts
from pairedperm.convolution.law import IntArray
from pairedperm.errors import BudgetError

__all__ = ["ProductLaw", "product_law"]

_CONVOLVED = 2**28  # masses added one by one, which takes about as long as a Fourier transform
_CONVOLVED_AT_MOST = 2**6  # masses added for each frequency of the budget, if p is small
_POINT_BYTES = 40
_OUT_OF_REACH = 2**40  # points that fit into no memory
_SHOWN = 8  # sides in a message


class _Piece(NamedTuple):
    """An independent part: a binomial variable times a vector, or a grid."""

    shape: tuple[int, ...]
    how: Literal["binomial", "convolved", "transformed"]
    component: Component


@dataclass(frozen=True)
class ProductLaw:
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), laid out but not computed.

    Attributes
    ----------
    pieces : tuple
        Independent parts, whose grids together make the whole. None where there are so many
        points that they were not laid out.
    known_rank : int or None
        Of the lattice that the vectors span; None likewise.
    n_points : int
        The product of all lengths, or something less where they were not laid out.
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
        """The dimension of the lattice that the vectors span; in floats if it is not laid out."""
        if self.known_rank is not None:
            return self.known_rank
        columns = self.vectors / np.maximum(np.abs(self.vectors).max(axis=0), 1)
        return int(np.linalg.matrix_rank(columns.T @ columns, hermitian=True))

    @property
    def grid(self) -> tuple[int, ...] | None:
        """The lengths of all sides; those of a part follow each other."""
        if self.pieces is None:
            return None
        return tuple(length for piece in self.pieces for length in piece.shape)

    @property
    def how(self) -> str:
        """In words."""
        names = {
            "binomial": "binomial laws",
            "convolved": "a grid on which differences are added one by one",
            "transformed": "a Fourier transform on a grid",
        }
        found = dict.fromkeys(names[piece.how] for piece in self.pieces or ())
        return "all sums, by " + " and ".join(found)

    @property
    def n_bytes(self) -> int:
        """Memory, about."""
        return _POINT_BYTES * self.n_points

    def as_whole(self) -> ProductLaw:
        """The law on its whole support, from positive terms only."""
        return product_law(self.vectors, self.counts, whole=True)

    def check(self, budget: Budget) -> None:
        """Raise BudgetError if there are too many points."""
        least = "at least " if self.grid is None else ""
        what = (
            "the exact p-value needs the null distribution of the sums on a grid of "
            f"{least}{self.n_points:.3g} points{self._spelled_grid()}"
        )
        if self.n_points > _OUT_OF_REACH:
            raise BudgetError(f"{what}, which no budget allows.")
        if self.n_points > budget.max_frequencies:
            raise BudgetError(
                f"{what}; `max_frequencies` allows {budget.max_frequencies:.3g}. Raise it (a "
                "million take about a second)."
            )
        if self.n_bytes > budget.max_bytes:
            raise BudgetError(
                f"{what}, {self.n_bytes:.3g} bytes; `max_bytes` allows {budget.max_bytes:.3g}. "
                "Raise it."
            )

    def _spelled_grid(self) -> str:
        if self.grid is None:
            return ""
        shown = " x ".join(f"{length:,}" for length in self.grid[:_SHOWN])
        return f" ({shown}{' x ...' if len(self.grid) > _SHOWN else ''})"

    def computed(self, budget: Budget) -> Part:
        """All points and their masses.

        Raises
        ------
        BudgetError
            If there are too many.
        """
        self.check(budget)
        parts = [self._computed(piece, budget) for piece in self.pieces or ()]
        return reduce(merged_parts, sorted(parts, key=lambda part: part.masses.size))

    def _computed(self, piece: _Piece, budget: Budget) -> Part:
        component = piece.component
        counts = self.counts[component.members]
        if piece.how == "binomial":
            return binomial_part(component.basis[0], int(counts[0]), self.is_whole)
        law = GridLaw(component.coordinates, counts)
        if self.is_whole and convolving_cost(law) > _CONVOLVED_AT_MOST * budget.max_frequencies:
            raise BudgetError("too many masses to add.")
        if piece.how == "convolved":
            return grid_part(component, law, convolved(law))
        return grid_part(component, law, transformed(law, *law.window(), budget))


def product_law(vectors: IntArray, counts: IntArray, whole: bool = False) -> ProductLaw:
    """Of distinct vectors, none of which is 0, shape (k, m), at least one.

    Vectors of different parts (`rank_and_parts`) have independent sums. A part is taken vector
    by vector, as binomial variables, if that makes no more points than a grid; on a grid it is
    convolved, if that is quick, or transformed within a window.
    Cost: O(k m rank), and O(points) when it is computed.
    """

    def least(some: IntArray) -> int:
        return math.prod(binomial_length(count, whole) for count in counts[some].tolist())

    independent, part = rank_and_parts(vectors, counts, lambda some: least(some) > _OUT_OF_REACH)
    if part is None:
        return ProductLaw(vectors, counts, None, None, least(independent), whole)
    pieces: list[_Piece] = []
    rank = 0
    for component in components(vectors, counts, part, len(independent)):
        rank += len(component.basis)
        pieces += _pieces(component, vectors, counts, whole)
    n_points = math.prod(length for piece in pieces for length in piece.shape)
    return ProductLaw(vectors, counts, tuple(pieces), rank, n_points, whole)


def _pieces(component: Component, vectors: IntArray, counts: IntArray, whole: bool) -> list[_Piece]:
    """One independent part of the vectors."""
    members = component.members
    lengths = [binomial_length(count, whole) for count in counts[members].tolist()]
    one = np.ones((1, 1), dtype=np.int64)
    singles = [Component(k[None], one, vectors[k][None]) for k in members]
    apart = [_Piece((n,), "binomial", x) for n, x in zip(lengths, singles, strict=True)]
    if len(members) == len(component.basis) or not component.is_small(counts):
        return apart
    component = component.in_int64()
    law = GridLaw(component.coordinates, counts[members])
    is_quick = whole or convolving_cost(law) <= _CONVOLVED
    shape: tuple[int, ...] = grid_shape(law.support if is_quick else law.window()[0])
    if math.prod(lengths) <= math.prod(shape):
        return apart
    return [_Piece(shape, "convolved" if is_quick else "transformed", component)]
