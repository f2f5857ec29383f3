"""The tail of a sum of independent vectors in the plane: which engine computes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.plane.band import PlanarRegion, box
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.counting import (
    count_planar_tail,
    counting_bits,
    enumerate_planar_tail,
    n_enumerated,
)
from pairedperm.convolution.plane.law import NO_TILT, PlanarLaw
from pairedperm.errors import BudgetError

__all__ = ["planar_size", "planar_tail"]

_COUNTED = 2**27  # bits shifted that take no longer than the tilted sum
_ENUMERATED = 2**17  # sums that take no longer than it
_MANY_BITS, _MANY_SUMS = 2**35, 2**24  # that take some seconds
_ROW_BYTES = 2**7  # of a row of the grid, and of a column: terms of the Fourier sums
_SUM_BYTES = 64  # of an enumerated sum
_INT64_BITS = 62


def planar_size(
    law: PlanarLaw, budget: Budget, region: PlanarRegion | None = None
) -> tuple[tuple[int, int], int, bool]:
    """The box that `planar_tail` needs, its memory, and whether all swaps are counted.

    The box is that of the region's tilts, before any band is divided, or without one that of
    no tilt.
    """
    tilts = [NO_TILT]
    if region is not None:
        corners = [region.corners(*rows) for rows in region.convex_parts()]
        tilts = [law.tilt_to(*points) for points in corners if points is not None] or tilts
    sides = [
        tuple(last - first + 1 for first, last in box(law, law.tilted(tilt))[:2]) for tilt in tilts
    ]
    columns, rows = max(sides, key=sum)
    n_bytes = _ROW_BYTES * (columns + rows)
    fits = n_bytes <= budget.max_bytes
    counter = _quick_counter(law, budget) or (None if fits else _slow_counter(law, budget))
    if counter is None:
        return (columns, rows), n_bytes, False
    return (columns, rows), counter.n_bytes, True


class _Counter(NamedTuple):
    """How all swaps are counted, and its memory."""

    run: Callable[[PlanarLaw, PlanarRegion], int]
    n_bytes: int


def _quick_counter(law: PlanarLaw, budget: Budget) -> _Counter | None:
    return _counter(law, budget, _COUNTED, _ENUMERATED)


def _slow_counter(law: PlanarLaw, budget: Budget) -> _Counter | None:
    return _counter(law, budget, _MANY_BITS, _MANY_SUMS)


def _counter(law: PlanarLaw, budget: Budget, most_bits: int, most_sums: int) -> _Counter | None:
    """By enumeration, or in one big integer, if that lists or shifts no more."""
    n, n_bits, n_sums = int(law.counts.sum()), counting_bits(law), n_enumerated(law)
    if n <= _INT64_BITS and n_sums <= most_sums and _SUM_BYTES * n_sums <= budget.max_bytes:
        return _Counter(enumerate_planar_tail, _SUM_BYTES * n_sums)
    if n * n_bits <= most_bits and n_bits // 2 <= budget.max_bytes:
        return _Counter(count_planar_tail, n_bits // 2)
    return None


def planar_tail(
    law: PlanarLaw, region: PlanarRegion, *, is_complement: bool, budget: Budget
) -> CertifiedProbability:
    """P(B ∈ region), at most one half, for B = Σ_k vectors[k] · Binomial(counts[k], 1/2).

    The first that applies: counting in one big integer, or enumeration of all sums, where
    that is quick; the tilted sum; where it would exceed the budget, the others again while they
    take no more than some seconds and fit.

    Parameters
    ----------
    law : PlanarLaw
        Vectors that span all integer points of the plane.
    region : PlanarRegion
        Not empty unless `is_complement`.
    is_complement : bool
        Whether one minus the probability is wanted, so that absolute accuracy will do.
    budget : Budget
        What it may cost.

    Raises
    ------
    BudgetError
        If all would cost more.
    """

    def counted(counter: _Counter) -> CertifiedProbability:
        n_tail = counter.run(law, region)
        if n_tail == 0 and is_complement:
            return CertifiedProbability.near(0.0)
        return CertifiedProbability.from_ratio(n_tail, 1 << int(law.counts.sum()))

    quick = _quick_counter(law, budget)
    if quick is not None:
        return counted(quick)
    try:
        return tail_by_bands(law, region, is_complement, budget)
    except BudgetError:
        slow = _slow_counter(law, budget)
        if slow is None:
            raise
        return counted(slow)
