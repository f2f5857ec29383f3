"""The tail from the laws of two halves of the values, counted on the lattice."""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.law import FloatArray, IntArray

__all__ = ["MAX_HALVED", "halved_lower_tail", "halves_bytes"]

MAX_HALVED = 150  # beyond, a characteristic function dies away soon enough
_BLOCK = 2**16


def halves_bytes(bound: int) -> int:
    """Memory for `halved_lower_tail`: both laws, and a step on the way to the second."""
    return 3 * 8 * (bound + 1)


def halved_lower_tail(values: IntArray, counts: IntArray, bound: int) -> CertifiedProbability:
    """P(B ≤ bound) for at most `MAX_HALVED` values, counted with their multiplicities.

    Of one half of them, how many assignments have which sum; of the other, how many have at
    most which; then the products that leave the whole at most `bound`. All terms are
    positive: a value adds one rounding of 1 u, the sum of the products 64 u at most.
    Cost: O(n · bound) time, O(bound) memory.
    """
    each = np.repeat(values, counts).tolist()
    exactly = _assignments(np.ones(1), each[::2], bound)
    at_most = _assignments(np.ones(bound + 1), each[1::2], bound)
    parts = []
    for start in range(0, exactly.size, _BLOCK):
        block = exactly[start : start + _BLOCK]
        left_over = at_most[bound - start - block.size + 1 : bound - start + 1][::-1]
        parts.append(float((block * left_over).sum()))
    share = math.ldexp(math.fsum(parts), -len(each))
    return CertifiedProbability.from_product(0.0, share, (64.0 + len(each)) * UNIT)


def _assignments(ways: FloatArray, values: list[int], bound: int) -> FloatArray:
    """How many subsets of the values, ascending, have each sum up to `bound`, if ways is [1].

    From ways of 1 at every point on the same steps count the subsets of at most each sum.
    """
    for value in values:
        longer = np.zeros(min(ways.size + value, bound + 1))
        longer[: ways.size] = ways
        if value < longer.size:
            longer[value:] += ways[: longer.size - value]
        ways = longer
    return ways
