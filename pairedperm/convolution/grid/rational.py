"""The number of assignments that give each sum, in big integers (python-flint)."""

from __future__ import annotations

import heapq
from typing import Any

from pairedperm.convolution.grid.law import GridLaw
from pairedperm.convolution.law import IntArray
from pairedperm.errors import extra


def n_assignments(law: GridLaw, numbers: IntArray) -> int:
    """Count those of the 2^n assignments whose sum is at one of these places, numbered in C order.

    The generating function is Π (1 + x^vector)^count. Its variables are powers of a single one (the
    steps of `GridLaw`). That one is a power of two, too large for a coefficient to carry into the
    next. So the product is one integer, and its digits are the coefficients from the least sum on.
    The two least factors are multiplied first. A vector that is turned has the factor
    1 + x^-e = x^-e (1 + x^e). Cost: O(N log N log log N) for N = points · n bits.

    Raises
    ------
    ImportError
        If python-flint is not installed.
    """
    fmpz = _fmpz()
    n_digit_bytes = int(law.counts.sum()) // 8 + 1
    steps, first = law.steps()
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


def _fmpz() -> Any:
    with extra("rational", "method='rational'"):
        from flint import fmpz
    return fmpz
