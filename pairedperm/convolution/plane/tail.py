"""The choice of the engine that computes the tail of a sum of vectors in the plane."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from pairedperm.convolution.certified import CertifiedProbability
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
from pairedperm.errors import BudgetError
from pairedperm.message import Message
from pairedperm.options import Budget

COUNTED = 2**27  # tuned: bits shifted that take no longer than the tilted sum
ENUMERATED = 2**17  # tuned: listed sums that take no longer than the tilted sum
MANY_BITS, MANY_SUMS = 2**35, 2**26  # tuned: bits shifted, and sums, that take some seconds
QUICK = 2e7  # tuned: ns of a tilted sum that is not compared with counting
_BIT = 0.04  # tuned: ns of a bit that is shifted
_SUM_BYTES, _TOGETHER = 64, 2**18  # tuned: bytes of a listed sum, and sums that are held at once
_INT64_BITS = 62  # proof: up to so many variables, numbers of assignments are int64


class PlanarEngine(NamedTuple):
    """An engine for a tail, with about what it takes; `excess` says why that is too much."""

    name: str
    box: tuple[int, int]
    n_bytes: int
    nanoseconds: float
    run: Callable[[], CertifiedProbability]
    excess: Message | None = None


def planar_engine(
    law: PlanarLaw, region: PlanarRegion, is_complement: bool, budget: Budget
) -> PlanarEngine:
    """Choose how to compute the `planar_tail`.

    Counting in one big integer, or listing all sums, is chosen if that is quick. Otherwise the
    tilted sum is. If the tilted sum exceeds the budget or takes longer, counting and listing come
    again. They are chosen if they fit and take no more than some seconds.
    """
    counter = _counter(law, region, budget, COUNTED, ENUMERATED)
    if counter is not None:
        return counter
    cost = tilted_cost(law, region, is_complement)
    counter, excess = _counter(law, region, budget, MANY_BITS, MANY_SUMS), cost.excess(budget)
    if counter and (excess or cost.nanoseconds > max(counter.nanoseconds, QUICK)):
        return counter
    run = partial(_tilted, law, region, is_complement, budget, counter)
    return PlanarEngine("tilted", *cost, run, excess)


def planar_tail(
    law: PlanarLaw, region: PlanarRegion, *, is_complement: bool, budget: Budget
) -> CertifiedProbability:
    """Return P(B ∈ region), at most one half, for B = Σ_k vectors[k] · Binomial(counts[k], 1/2).

    Parameters
    ----------
    law : PlanarLaw
        Vectors that span all integer points of the plane.
    region : PlanarRegion
        Not empty unless `is_complement`.
    is_complement : bool
        Whether one minus the probability is wanted, so that absolute accuracy suffices.
    budget : Budget
        What it may cost.

    Raises
    ------
    BudgetError
        If every engine would cost more.
    """
    engine = planar_engine(law, region, is_complement, budget)
    if engine.excess:
        raise BudgetError(engine.excess)
    return engine.run()


def _counter(
    law: PlanarLaw, region: PlanarRegion, budget: Budget, most_bits: int, most_sums: int
) -> PlanarEngine | None:
    """Return the engine that counts all assignments within these limits, or None."""
    n, n_bits, n_sums = int(law.counts.sum()), counting_bits(law), n_enumerated(law)
    columns, rows = law.shape
    n_bytes = _SUM_BYTES * min(n_sums, _TOGETHER)
    if n <= _INT64_BITS and n_sums <= most_sums and n_bytes <= budget.max_bytes:
        run = partial(_counted, enumerate_planar_tail, law, region)
        return PlanarEngine("counting", (columns, rows), n_bytes, SUM * n_sums, run)
    if n * n_bits <= most_bits and n_bits // 2 <= budget.max_bytes:
        run = partial(_counted, count_planar_tail, law, region)
        return PlanarEngine("counting", (columns, rows), n_bits // 2, _BIT * n * n_bits, run)
    return None


def _counted(
    count: Callable[[PlanarLaw, PlanarRegion], int], law: PlanarLaw, region: PlanarRegion
) -> CertifiedProbability:
    return CertifiedProbability.from_ratio(count(law, region), 1 << int(law.counts.sum()))


def _tilted(
    law: PlanarLaw,
    region: PlanarRegion,
    is_complement: bool,
    budget: Budget,
    counter: PlanarEngine | None,
) -> CertifiedProbability:
    """Return the tilted sum; if that turns out to be too much, count if it is possible."""
    try:
        return tail_by_bands(law, region, is_complement, budget)
    except BudgetError:
        if counter is None:
            raise
        return counter.run()
