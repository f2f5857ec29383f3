"""The law of a sum of vectors, laid out point by point on one grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.grid.frequencies import transformed, transformed_cost
from pairedperm.convolution.grid.span import (
    DYADIC,
    SHOWN_SIDES,
    Coordinates,
    PointMasses,
    lattice_of,
    part_at,
    point_nanoseconds,
    total_mass,
)
from pairedperm.convolution.grid.whole_law import convolved, convolved_cost
from pairedperm.convolution.law import LEAK, GridLaw, GridMasses, IntArray, grid_shape
from pairedperm.errors import NO_BUDGET, BudgetError
from pairedperm.options import Budget, raised

CONVOLVED = 2**28  # tuned: up to so many masses are added without comparing a transform
WIDER = 1.5  # tuned: up to so many times a transform's points, masses may be added instead
_MOST_SIDES = 16  # tuned: sides of a grid up to which a transform is compared; boxes have 2^sides
_ADDING = 80.0  # tuned: ns of masses added for each frequency of the budget, if p is small
_ATTAINED = 0.7  # tuned: share of the points of a box that are sums, for each further dimension
FEW_POINTS = 2**15  # tuned: looking at so few points is faster than finding a lattice with fewer
_PRODUCT_POINT_BYTES = 40  # tuned: bytes of a point of a law
_SECONDS = 1e-6  # tuned: about the time of a point, with its score
_OUT_OF_REACH = 2**40  # tuned: points that fit into no memory
_RANK_ENTRIES = 2**20  # tuned: entries of vectors that are multiplied together, in floats


class _Layout(NamedTuple):
    """How the masses are computed, and on which grid."""

    shape: tuple[int, ...]
    how: Literal["convolved", "transformed"]
    of: Coordinates
    nanoseconds: float  # about

    @property
    def is_relative(self) -> bool:
        """Whether all masses are sums of positive terms on the whole support."""
        return self.how == "convolved"


@dataclass(frozen=True)
class ProductLaw:
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), laid out but not computed.

    Attributes
    ----------
    layout : _Layout or None
        The grid, and how its masses are computed. None if there are so many points that they were
        not laid out.
    known_rank : int or None
        The rank of the lattice that the vectors span; None if it has not been found.
    n_points : int
        The points of the grid, or a lower bound if they were not laid out.
    is_whole : bool
        Whether all points are to be known relatively, down to the smallest masses.
    """

    vectors: IntArray
    counts: IntArray
    layout: _Layout | None
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
        """The lengths of all sides, or None if they were not laid out."""
        return None if self.layout is None else self.layout.shape

    @property
    def how(self) -> str:
        """A description of the method in words."""
        names = {
            "convolved": "a grid on which differences are added one by one",
            "transformed": "a Fourier transform on a grid",
        }
        return "all sums" if self.layout is None else f"all sums, by {names[self.layout.how]}"

    @property
    def n_bytes(self) -> int:
        """An estimate of the memory in bytes."""
        return _PRODUCT_POINT_BYTES * self.n_points

    @property
    def nanoseconds(self) -> float:
        """An estimate of the nanoseconds that the masses take, without looking at the points."""
        return 0.0 if self.layout is None else self.layout.nanoseconds

    @property
    def n_attained(self) -> float:
        """An estimate of how many points are sums: near the corners of a box, hardly any are."""
        n_sides = len(self.grid or ())
        return self.n_points * (_ATTAINED ** (n_sides - 1) if n_sides < len(self.vectors) else 1.0)

    @property
    def seconds(self) -> float:
        """An estimate of the seconds that the masses take, and the score at each point."""
        each = point_nanoseconds(len(self.grid or ()), self.vectors.shape[1])
        return 1e-9 * (self.nanoseconds + each * self.n_attained)

    @property
    def is_relative(self) -> bool:
        """True if all masses are sums of positive terms on the whole support."""
        return self.is_whole or self.layout is None or self.layout.is_relative

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
            raise BudgetError(f"{what}, {NO_BUDGET}")
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
        assert self.layout is not None
        law = GridLaw(self.layout.of.coordinates, self.counts)
        if self.layout.how == "convolved":
            return _grid_part(self.layout.of, law, convolved(law))
        return _grid_part(self.layout.of, law, transformed(law, *law.window(), budget))


def _grid_part(of: Coordinates, law: GridLaw, on_grid: GridMasses) -> PointMasses:
    """Return the points of a grid that are certainly sums of the vectors, with their masses.

    A mass above the error of each point is not 0. The mass of all other points is lost.
    """
    part = part_at(on_grid, np.flatnonzero(on_grid.masses > on_grid.point_error), of.basis)
    if on_grid.point_error:
        n_others = on_grid.masses.size - part.numbers.size
        rest = max(1.0 - total_mass(part.masses), 0.0) + on_grid.error + 64.0 * UNIT
        part = part._replace(lost=min(rest, on_grid.lost + 2.0 * n_others * on_grid.point_error))
    if not on_grid.error and int(law.counts.sum()) <= DYADIC:
        part = part._replace(relative_error=0.0)
    return part


def product_law(vectors: IntArray, counts: IntArray, whole: bool = False) -> ProductLaw:
    """Lay out the law of distinct vectors, at least one and none of them 0, shape (k, m).

    The grid has the dimension of the lattice that the vectors span, or a side for each vector if
    that makes no more points. The law is convolved on it if that is quick, or transformed within a
    window. Cost: O(k m rank), and O(points) when it is computed.
    """
    n_apart = math.prod((counts + 1).tolist())
    if n_apart <= FEW_POINTS:  # that is quicker than looking for a lattice
        return ProductLaw(
            vectors, counts, _with_own_sides(vectors, counts, whole), None, n_apart, whole
        )
    found, least = lattice_of(vectors, counts, binomial_lengths(counts, whole), _OUT_OF_REACH)
    if found is None:
        return ProductLaw(vectors, counts, None, None, least, whole)
    rank = len(found.basis)
    layout = _laid_out(found.in_int64(), counts, whole) if found.is_small(counts) else None
    if n_apart <= (_OUT_OF_REACH if layout is None else math.prod(layout.shape)):
        layout = _with_own_sides(vectors, counts, whole)
    n_points = n_apart if layout is None else math.prod(layout.shape)
    return ProductLaw(vectors, counts, layout, rank, n_points, whole)


def _with_own_sides(vectors: IntArray, counts: IntArray, whole: bool) -> _Layout:
    """Lay out a grid with a side for each vector."""
    return _laid_out(Coordinates(np.eye(len(vectors), dtype=np.int64), vectors), counts, whole)


def binomial_lengths(counts: IntArray, whole: bool) -> IntArray:
    """Return how many points of Binomial(count, 1/2) are needed at least, for each count.

    By Hoeffding's bound, the mass beyond the mean ± s is at most 2 exp(-2 s² / count).
    """
    reach = np.ceil(np.sqrt(counts * math.log(2.0 / LEAK) / 2.0)) + 1
    cut = np.where(whole, 0, np.maximum((counts + 1) // 2 - reach, 0))
    return counts + 1 - 2 * cut.astype(np.int64)


def _laid_out(of: Coordinates, counts: IntArray, whole: bool) -> _Layout:
    """Choose the grid, and how the masses on it are computed."""
    law = GridLaw(of.coordinates, counts)
    added = _Layout(law.shape, "convolved", of, convolved_cost(law))
    if whole or law.n_added <= CONVOLVED or len(law.shape) > _MOST_SIDES:
        return added
    # adding one by one is exact on the whole grid; a transform has fewer points
    window = law.window()[0]
    n_points = math.prod(grid_shape(window))
    cost = transformed_cost(law, window) if n_points <= _OUT_OF_REACH else math.inf
    if added.nanoseconds <= cost < math.inf and math.prod(law.shape) <= WIDER * n_points:
        return added
    return _Layout(grid_shape(window), "transformed", of, cost)
