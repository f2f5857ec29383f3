"""The tail of a sum of vectors in the plane, and the engines that compute it."""

from __future__ import annotations

from typing import NamedTuple

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Best, Candidates, Cost, Engine
from pairedperm.convolution.grid.masses import grid_pmf
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.cost import tilted_cost
from pairedperm.convolution.plane.counting import (
    SUM,
    count_planar_tail,
    counting_bits,
    enumerate_planar_tail,
    n_enumerated,
)
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.options import Budget

COUNTED = 2**27  # tuned: bits shifted that take no longer than the tilted sum
ENUMERATED = 2**17  # tuned: listed sums that take no longer than the tilted sum
MANY_BITS, MANY_SUMS = 2**35, 2**26  # tuned: bits shifted, and sums, that take some seconds
QUICK = 2e7  # tuned: ns of a tilted sum that is not compared with counting
_BIT = 0.04  # tuned: ns of a bit that is shifted
_SUM_BYTES, _TOGETHER = 64, 2**18  # tuned: bytes of a listed sum, and sums that are held at once
_COUNTED = "all swaps are counted"
_INT64_BITS = 62  # proof: up to so many variables, numbers of assignments are int64


class Plane(NamedTuple):
    """The law of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), in the plane.

    The vectors span all integer points of the plane.
    """

    law: PlanarLaw

    def cost(self, region: PlanarRegion, is_complement: bool, budget: Budget) -> Cost:
        """Return what `tail` takes.

        Counting in one big integer, or listing all sums, is chosen if that is quick. Otherwise the
        tilted sum is. If the tilted sum exceeds the budget or takes longer, counting and listing
        come again. They are chosen if they fit and take no more than some seconds.
        """
        return BEST.cost(Tail(self.law, region, is_complement), budget)

    def tail(
        self, region: PlanarRegion, is_complement: bool, budget: Budget, cost: Cost | None = None
    ) -> Answer:
        """Return P(B ∈ region), at most one half.

        Parameters
        ----------
        region : PlanarRegion
            Not empty unless `is_complement`.
        is_complement : bool
            Whether one minus the probability is wanted, so that absolute accuracy suffices.
        budget : Budget
            What it may cost.
        cost : Cost, optional
            What `cost` has returned.

        Raises
        ------
        BudgetError
            If every engine would cost more.
        """
        cost = self.cost(region, is_complement, budget) if cost is None else cost
        return BEST.run(Tail(self.law, region, is_complement), budget, cost)

    def masses(self, budget: Budget) -> tuple[IntArray, FloatArray]:
        """Return the points of B, and their masses; see `grid_pmf`."""
        return grid_pmf(self.law, budget)


class Tail(NamedTuple):
    """P(B ∈ region); if one minus it is wanted, absolute accuracy suffices."""

    law: PlanarLaw
    region: PlanarRegion
    is_complement: bool


class _Listing(Engine[Tail, Budget]):
    """All sums, listed, if there are not more than the constant named `most`."""

    name = "listing"

    def __init__(self, most: str) -> None:
        self._most = most

    def cost(self, problem: Tail, limits: Budget) -> Cost | None:
        """See `Engine`."""
        n_sums, (columns, rows) = n_enumerated(problem.law), problem.law.shape
        n_bytes = _SUM_BYTES * min(n_sums, _TOGETHER)
        is_small = int(problem.law.counts.sum()) <= _INT64_BITS and n_sums <= globals()[self._most]
        if not is_small or n_bytes > limits.max_bytes:
            return None
        return Cost(2, _COUNTED, (columns, rows), columns * rows, n_bytes, 1e-9 * SUM * n_sums)

    def run(self, problem: Tail, limits: Budget, cost: Cost) -> Answer:
        """See `Engine`."""
        return _share(enumerate_planar_tail(problem.law, problem.region), problem)


class _Counting(Engine[Tail, Budget]):
    """All assignments, counted in one integer, unless more bits are shifted than `most` names."""

    name = "counting"

    def __init__(self, most: str) -> None:
        self._most = most

    def cost(self, problem: Tail, limits: Budget) -> Cost | None:
        """See `Engine`."""
        n_bits, (columns, rows) = counting_bits(problem.law), problem.law.shape
        n_shifted, n_bytes = int(problem.law.counts.sum()) * n_bits, n_bits // 2
        if n_shifted > globals()[self._most] or n_bytes > limits.max_bytes:
            return None
        return Cost(2, _COUNTED, (columns, rows), columns * rows, n_bytes, 1e-9 * _BIT * n_shifted)

    def run(self, problem: Tail, limits: Budget, cost: Cost) -> Answer:
        """See `Engine`."""
        return _share(count_planar_tail(problem.law, problem.region), problem)


def _share(n_tail: int, problem: Tail) -> Answer:
    p = CertifiedProbability.from_ratio(n_tail, 1 << int(problem.law.counts.sum()))
    return Answer(p)


class _Tilted(Engine[Tail, Budget]):
    """The tilted sums of bands of rows."""

    name = "tilted"

    def cost(self, problem: Tail, limits: Budget) -> Cost:
        """See `Engine`."""
        found = tilted_cost(*problem)
        excess, (columns, rows) = found.excess(limits), found.box
        how, seconds = "tilted sums in the plane", 1e-9 * found.nanoseconds
        return Cost(2, how, found.box, columns * rows, found.n_bytes, seconds, excess)

    def run(self, problem: Tail, limits: Budget, cost: Cost) -> Answer:
        """See `Engine`."""
        return Answer(tail_by_bands(*problem, limits))


TILTED = _Tilted()
_IN_ORDER = (
    *(_Listing("ENUMERATED"), _Counting("COUNTED")),
    TILTED,
    *(_Listing("MANY_SUMS"), _Counting("MANY_BITS")),
)


def _candidates(tail: Tail) -> Candidates:
    return [(engine, tail) for engine in _IN_ORDER]


def _is_quick(tail: Tail, cost: Cost) -> bool:
    return cost.seconds <= 1e-9 * QUICK


BEST: Best[Tail, Budget] = Best("plane", _candidates, _is_quick)
