"""How many assignments give each sum, in big integers (python-flint)."""

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np

from pairedperm.convolution.grid.law import GridLaw, grid_shape
from pairedperm.convolution.law import IntArray


def n_assignments(law: GridLaw, numbers: IntArray) -> int:
    """How many of the 2^n assignments have a sum at one of these places of the grid, in C order.

    The generating function Π (1 + x^vector)^count, its variables Kronecker's substitution of
    powers of one (the place of a point), and that a power of two too large for a coefficient to
    carry into the next: the product is one integer, whose digits are the coefficients. The two
    shortest factors are multiplied first. Vectors with negative coordinates are turned by
    their place being negative: then 1 + x^-e = x^-e (1 + x^e).
    Cost: O(N log N log log N) for N = points · n bits.

    Raises
    ------
    ImportError
        Without python-flint.
    """
    fmpz = _fmpz()
    shape = grid_shape(law.support)
    n_digit_bytes = int(law.counts.sum()) // 8 + 1
    strides = np.array([math.prod(shape[k + 1 :]) for k in range(len(shape))])
    steps = law.vectors @ strides
    # the first digit is the point of the least place, not that of the grid's first corner
    least = int((law.counts * np.minimum(steps, 0)).sum())
    first = least - int(np.array([low for low, _ in law.support]) @ strides)
    heap: list[tuple[int, int, Any]] = []
    for k, (step, count) in enumerate(
        zip(np.abs(steps).tolist(), law.counts.tolist(), strict=True)
    ):
        factor = (1 + (fmpz(1) << 8 * n_digit_bytes * step)) ** count
        heap.append((factor.bit_length(), k, factor))
    heapq.heapify(heap)
    while len(heap) > 1:
        (_, _, one), (_, k, other) = heapq.heappop(heap), heapq.heappop(heap)
        product = one * other
        heapq.heappush(heap, (product.bit_length(), k, product))
    whole = int(heap.pop()[2])
    digits = whole.to_bytes(whole.bit_length() // 8 + 1, "little")
    return sum(
        int.from_bytes(digits[n_digit_bytes * k : n_digit_bytes * (k + 1)], "little")
        for k in map(int, numbers - first)
    )


def _fmpz() -> Any:
    try:
        from flint import fmpz
    except ImportError as error:
        raise ImportError(
            "method='rational' needs python-flint: pip install 'pairedperm[rational]'."
        ) from error
    return fmpz
