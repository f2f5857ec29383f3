"""The whole law of a sum of vectors on one grid: the engines of the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pairedperm.convolution.grid.law import GridLaw, GridMasses, attainable
from pairedperm.convolution.grid.polynomials import (
    convolved,
    convolved_by_halves,
    convolved_cost,
    n_assignments,
)
from pairedperm.convolution.grid.span import Component, Part, components, part_at
from pairedperm.convolution.law import IntArray
from pairedperm.errors import BudgetError, raised
from pairedperm.errors.wording import NO_BUDGET, Parts, Setting
from pairedperm.options import Budget

WholeEngine = Literal["dp", "fft", "rational"]
_POINT_BYTES = {"dp": 48, "fft": 64, "rational": 64}  # tuned: bytes of a point, by engine
_ADDED = 2**6  # tuned: masses added for each frequency of the budget
_BITS = 2**5  # tuned: bits of integers for each frequency of the budget
_PASS, _VARIABLE = 0.5, 5e3  # tuned: ns of a point in a pass, and of a variable, by "fft"
_BIT = 18.0  # tuned: ns of a bit by "rational"
_OUT_OF_REACH = 2**62  # tuned: points that fit into no memory
_SHOWN = 8  # tuned: sides in a message


@dataclass(frozen=True)
class WholeLaw:
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), all vectors on one grid.

    For m columns the paper takes a grid in m dimensions (Appendix B). Here the grid has the
    dimension of the lattice that the vectors span.
    """

    vectors: IntArray  # shape (k, m), none 0, at least one
    counts: IntArray

    @cached_property
    def _component(self) -> Component:
        part = np.zeros(len(self.vectors), dtype=np.int64)
        [found] = components(self.vectors, self.counts, part, self.vectors.shape[1])
        return found

    @cached_property
    def _law(self) -> GridLaw:
        return GridLaw(self._component.in_int64().coordinates, self.counts)

    @property
    def rank(self) -> int:
        """The dimension of the grid."""
        return len(self._component.basis)

    @cached_property
    def grid(self) -> tuple[int, ...] | None:
        """The shape of the grid, or None if sums on it may reach 2^53."""
        if not self._component.is_small(self.counts):
            return None
        return self._law.shape

    @property
    def n_points(self) -> int:
        """The number of points of the grid, or 2^62 if the grid is too large to be known."""
        return _OUT_OF_REACH if self.grid is None else math.prod(self.grid)

    def n_bytes(self, engine: WholeEngine) -> int:
        """Estimate the memory in bytes."""
        each = _POINT_BYTES[engine] + (self._n_bits * 5 // 8 if engine == "rational" else 0)
        return self.n_points * each

    def nanoseconds(self, engine: WholeEngine) -> float:
        """Estimate the nanoseconds that all masses take."""
        if engine == "dp":
            return convolved_cost(self._law)
        if engine == "rational":
            return _BIT * self.n_points * self._n_bits
        return _PASS * self.n_points * math.log2(self.n_points + 1) ** 2 + _VARIABLE * self._n_bits

    @property
    def _n_bits(self) -> int:
        return int(self.counts.sum()) + 1

    def check(self, engine: WholeEngine, budget: Budget) -> None:
        """Raise BudgetError if the engine would take too much."""
        least = "at least " if self.grid is None else ""
        shown = "" if self.grid is None else " x ".join(f"{n:,}" for n in self.grid[:_SHOWN])
        points = f"{least}{self.n_points:.3g} points{shown and f' ({shown})'}"
        whole = f" needs the null distribution on its whole support, {points}"
        what = Parts(Setting("method", f"'{engine}'"), whole)
        if self.n_points >= _OUT_OF_REACH:
            raise BudgetError(what, ", ", NO_BUDGET)
        work, limit, doing = self.n_points, budget.max_points, ""
        if engine == "dp":
            work, limit = self._law.n_added, _ADDED * limit
            doing = f", and {work:.3g} masses added"
        elif engine == "rational":
            work, limit = self.n_points * self._n_bits, _BITS * limit
            doing = f", each an integer of {self._n_bits:.3g} bits"
        needed = max(self.n_points, math.ceil(work * budget.max_points / limit))
        n_bytes = self.n_bytes(engine)
        seconds = 1e-9 * self.nanoseconds(engine)
        what = Parts(what, doing)
        remedy = raised(seconds, n_bytes, to=f" to {needed:.3g}")
        budget.check(what, n_points=needed, remedy=remedy)
        what, remedy = Parts(what, f", {n_bytes:.3g} bytes"), raised(seconds, n_bytes)
        budget.check(what, n_bytes=n_bytes, remedy=remedy)

    def masses(self, engine: str) -> Part:
        """Return all points that are sums of the vectors, and their masses."""
        convolve = convolved if engine == "dp" else convolved_by_halves
        return self._part(convolve(self._law))

    def points(self) -> Part:
        """Return all points that are sums of the vectors; their masses are NaN."""
        unknown = np.full(self._law.shape, np.nan)
        return self._part(GridMasses(unknown, self._law.corner, 0.0, 0.0, 0.0, 0.0))

    def n_assignments(self, numbers: IntArray) -> int:
        """Count those of the 2^n assignments that give a point of these numbers.

        Raises
        ------
        ImportError
            If python-flint is not installed.
        """
        return n_assignments(self._law, numbers)

    def _part(self, found: GridMasses) -> Part:
        """Return the points of the grid that are sums of the vectors, with their masses."""
        numbers = np.flatnonzero(attainable(self._law))
        return part_at(found, numbers, self._component.in_int64().basis)
