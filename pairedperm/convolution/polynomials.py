"""Generating functions, each of which is one integer: the assignments of a tail are counted.

The coefficient of x^s says how many assignments have the sum s. With x = 2^width, more than all
coefficients together, none of them carries into the next: they are digits in base 2^width.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import GridLaw, IntArray
from pairedperm.errors import extra


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


def n_assignments(law: GridLaw, numbers: IntArray) -> int:
    """Count those of the 2^n assignments whose sum is at one of these places, numbered in C order.

    The generating function is Π (1 + x^vector)^count. Its variables are powers of a single one (the
    steps of `GridLaw`). So its coefficients, from the least sum on, are the digits of an integer.
    A vector that is turned has the factor 1 + x^-e = x^-e (1 + x^e). Cost: O(N log N log log N) for
    N = points · n bits, with products of large integers in place of shifts.

    Raises
    ------
    ImportError
        If python-flint is not installed.
    """
    with extra("rational", "method='rational'"):
        from flint import fmpz
    n_digit_bytes = int(law.counts.sum()) // 8 + 1
    steps, first = law.steps()
    # one large integer for each distinct vector; the least two are multiplied first
    factors = [
        (1 + (fmpz(1) << 8 * n_digit_bytes * step)) ** count
        for step, count in zip(steps, law.counts.tolist(), strict=True)
    ]
    heapq.heapify(factors)
    while len(factors) > 1:
        heapq.heappush(factors, heapq.heappop(factors) * heapq.heappop(factors))
    whole = int(factors[0])
    digits = whole.to_bytes(whole.bit_length() // 8 + 1, "little")
    return sum(
        int.from_bytes(digits[n_digit_bytes * k : n_digit_bytes * (k + 1)], "little")
        for k in map(int, numbers - first)
    )


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
