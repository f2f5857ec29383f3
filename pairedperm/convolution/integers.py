"""The tail counted in Python's integers: every assignment, no rounding at all."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["count_lower_tail"]


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
