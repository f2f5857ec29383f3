"""The tail of a sum of independent vectors in the plane: which engine computes it."""

from __future__ import annotations

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.planar_band import PlanarRegion, box
from pairedperm.convolution.planar_bands import tail_by_bands
from pairedperm.convolution.planar_counting import (
    count_planar_tail,
    counting_bits,
    enumerate_planar_tail,
    n_enumerated,
)
from pairedperm.convolution.planar_law import NO_TILT, PlanarLaw
from pairedperm.errors import BudgetError

__all__ = ["planar_size", "planar_tail"]

_COUNTED = 2**27  # bits shifted that take no longer than the tilted sum
_ENUMERATED = 2**17  # sums that take no longer than it
_MANY_BITS, _MANY_SUMS = 2**35, 2**24  # that take some seconds
_ROW_BYTES = 2**7  # of a row of the grid, and of a column: terms of the Fourier sums
_SUM_BYTES = 64  # of an enumerated sum
_INT64_BITS = 62


def planar_size(law: PlanarLaw, budget: Budget) -> tuple[tuple[int, int], int, bool]:
    """The box that holds the law without tilt, its memory, and whether all swaps are counted."""
    columns, rows = (last - first + 1 for first, last in box(law, law.tilted(NO_TILT))[:2])
    n, n_bits, n_sums = int(law.counts.sum()), counting_bits(law), n_enumerated(law)
    if n <= _INT64_BITS and n_sums <= min(_ENUMERATED, budget.max_bytes // _SUM_BYTES):
        return (columns, rows), _SUM_BYTES * n_sums, True
    if n * n_bits <= _COUNTED and n_bits // 2 <= budget.max_bytes:
        return (columns, rows), n_bits // 2, True
    return (columns, rows), _ROW_BYTES * (columns + rows), False


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
    n = int(law.counts.sum())
    n_bits, n_sums = counting_bits(law), n_enumerated(law)

    def counted(most_bits: int, most_sums: int) -> CertifiedProbability | None:
        if n <= _INT64_BITS and n_sums <= most_sums and _SUM_BYTES * n_sums <= budget.max_bytes:
            n_tail = enumerate_planar_tail(law, region)
        elif n * n_bits <= most_bits and n_bits // 2 <= budget.max_bytes:
            n_tail = count_planar_tail(law, region)
        else:
            return None
        if n_tail == 0 and is_complement:
            return CertifiedProbability.near(0.0)
        return CertifiedProbability.from_ratio(n_tail, 1 << n)

    quick = counted(_COUNTED, _ENUMERATED)
    if quick is not None:
        return quick
    try:
        return tail_by_bands(law, region, is_complement, budget)
    except BudgetError:
        slow = counted(_MANY_BITS, _MANY_SUMS)
        if slow is None:
            raise
        return slow
