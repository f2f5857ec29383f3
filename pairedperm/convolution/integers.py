"""Exact integers: the tail counted assignment by assignment, sums that do not wrap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["count_lower_tail", "exact_dot", "exact_sum", "largest_entry"]


def count_lower_tail(values: Sequence[int], counts: Sequence[int], bound: int) -> int:
    """How many of the 2^n assignments have a sum of at most ``bound``.

    The generating function Π (1 + x^value)^count is held in one integer, x being a power
    of two that is too large for a coefficient to carry into the next; multiplying by
    (1 + x^value) is a shift and an addition, and terms above ``bound`` are cut off.
    Cost: O(n² · bound) bit operations, a few microseconds for small corpora.
    """
    n = sum(counts)
    width = n + 1
    kept = (1 << (bound + 1) * width) - 1
    polynomial = 1
    for value, count in zip(values, counts, strict=True):
        if value > bound:
            continue
        for _ in range(count):
            polynomial += (polynomial << value * width) & kept
    # The digits in base 2^width sum to what is left modulo 2^width - 1.
    return polynomial % ((1 << width) - 1)


def exact_sum(values: NDArray[np.int64]) -> int:
    """Σ values, also where it leaves int64: high and low halves apart."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def exact_dot(counts: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """Σ counts · values, also where it leaves int64."""
    largest = int(counts.max(initial=0)) * int(np.abs(values).max(initial=0))
    if largest * counts.size <= np.iinfo(np.int64).max:
        return int((counts * values).sum())
    return sum(m * v for m, v in zip(counts.tolist(), values.tolist(), strict=True))


def largest_entry(values: NDArray[np.int64]) -> int:
    """The largest |value|, 0 without any."""
    return max(int(values.max()), -int(values.min())) if values.size else 0
