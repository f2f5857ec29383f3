"""The tail from the laws of two halves of the values, counted on the lattice."""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.progress import advance

MAX_HALVED = 1000  # proof: products of two counts stay below 2^1000
_VALUE, _POINT = 3000.0, 0.4  # tuned: ns of a value, and of each sum up to the bound
BLOCK = 2**15  # tuned: sums that are compared at once


def halves_bytes(bound: int) -> int:
    """Return the memory that both laws of `halved_lower_tail` take."""
    return 2 * 8 * (bound + 1)


def halves_cost(n: int, bound: int) -> float:
    """Estimate the nanoseconds of `halved_lower_tail`; infinite beyond `MAX_HALVED` values."""
    return n * (_VALUE + _POINT * bound) if n <= MAX_HALVED else math.inf


def halved_lower_tail(values: IntArray, counts: IntArray, bound: int) -> CertifiedProbability:
    """Return P(B ≤ bound) for at most `MAX_HALVED` values, counted with their multiplicities.

    In one half of the values, assignments are counted for each sum; in the other half, for all sums
    up to each point. Then the products that leave the whole at most `bound` are added. All terms
    are positive: a value adds one rounding of 1 u, and the sum of the products at most 64 u. Cost:
    O(n · bound) time, O(bound) memory.
    """
    each = np.repeat(values, counts).tolist()
    exactly = np.zeros(min(sum(each[::2]), bound) + 1)
    exactly[0] = 1.0
    _add_subsets(exactly, each[::2], 1)
    at_most = np.ones(bound + 1)
    _add_subsets(at_most, each[1::2], bound + 1)
    parts = []
    for start in range(0, exactly.size, BLOCK):
        block = exactly[start : start + BLOCK]
        left_over = at_most[bound - start - block.size + 1 : bound - start + 1][::-1]
        parts.append(float((block * left_over).sum()))
    share = math.ldexp(math.fsum(parts), -len(each))
    return CertifiedProbability.from_product(0.0, share, (64.0 + len(each)) * UNIT)


def _add_subsets(ways: FloatArray, values: list[int], reached: int) -> None:
    """Count in place how many subsets of the values have each sum, if `ways` starts as 1 at 0.

    If `ways` starts as 1 everywhere, the same steps count the subsets of at most each sum. Points
    from `reached` on are 0. Each step goes downwards in blocks that stay in the cache.
    """
    for value in values:
        reached = min(reached + value, ways.size)
        advance(_VALUE + 2.0 * _POINT * reached)  # as many are added on average
        for end in range(reached, value, -BLOCK):
            start = max(end - BLOCK, value)
            ways[start:end] += ways[start - value : end - value]  # numpy copies what overlaps
