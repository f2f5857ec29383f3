"""Generating functions, each of which is one integer: the assignments of a tail are counted.

The coefficient of x^s says how many assignments have the sum s. With x = 2^width, more than all
coefficients together, none of them carries into the next: they are digits in base 2^width.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray


def polynomial(steps: Sequence[int], counts: Sequence[int], width: int, n_kept: int) -> int:
    """Return Π (1 + x^step)^count, x = 2^width, cut off from x^n_kept on.

    Multiplying by 1 + x^step is a shift and an addition.
    """
    kept, product = (1 << n_kept * width) - 1, 1
    for step, count in zip(steps, counts, strict=True):
        if step < n_kept:
            for _ in range(count):
                product += (product << step * width) & kept
    return product


def sum_of_digits(number: int, width: int) -> int:
    """Return the sum of the digits in base 2^width, if it is less than 2^width - 1.

    It is the remainder modulo 2^width - 1.
    """
    return number % ((1 << width) - 1)


def count_lower_tail(values: Sequence[int], counts: Sequence[int], bound: int) -> int:
    """Count those of the 2^n assignments whose sum is at most the bound.

    Cost: O(n² · bound) bit operations, a few microseconds for few examples.
    """
    width = sum(counts) + 1
    return sum_of_digits(polynomial(values, counts, width, bound + 1), width)


def count_resamples(values: IntArray, counts: IntArray, bound: int, width: int) -> int:
    """Count the n^n resamples with a sum of at most the bound, from (Σ counts x^value)^n."""
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    of_one = sum(count << value * width for value, count in pairs)
    kept = of_one ** int(counts.sum()) & ((1 << (bound + 1) * width) - 1)
    return int(sum_of_digits(kept, width))


def attainable_sums(values: Sequence[int], counts: Sequence[int]) -> NDArray[np.bool_]:
    """Tell which of 0 … Σ counts · values are sums of the values, by shifting one integer's bits.

    The values are positive. The sums have no gap as long as each next value is at most 1 more than
    the sum of the values before it.
    """
    reached, largest, is_full = 1, 0, True
    for value, count in zip(values, counts, strict=True):
        is_full = is_full and value <= largest + 1
        largest += value * count
        if is_full:
            continue
        if reached == 1:
            reached = (1 << largest - value * count + 1) - 1
        left, step = count, 1
        while left:
            step = min(step, left)
            reached |= reached << step * value
            left -= step
            step *= 2
    if is_full:
        return np.ones(largest + 1, dtype=np.bool_)
    data = np.frombuffer(reached.to_bytes(largest // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(data, bitorder="little", count=largest + 1).view(np.bool_)
