"""The tail by enumeration of the two halves of all assignments (meet in the middle)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import exact_dot

__all__ = ["enumerate_lower_tail", "enumeration_bytes"]

IntArray = NDArray[np.int64]
_INT64_MAX = np.iinfo(np.int64).max


def enumeration_bytes(n: int, total: int) -> int:
    """Memory for `enumerate_lower_tail` of n values with the sum `total`."""
    each = 8 if total <= _INT64_MAX else 48  # a Python integer and its reference
    return 4 * each << (n + 1) // 2  # two halves, a merge, the positions


def enumerate_lower_tail(values: IntArray, counts: IntArray, bound: int) -> int:
    """How many of the 2^n assignments have a sum of at most `bound`.

    All sums of one half of the values are sorted; for each sum of the other half a binary
    search says how many of them leave the total at most `bound`. Cost: O(n 2^{n/2}) time,
    O(2^{n/2}) memory, however large the values are; sums beyond int64 are Python integers.
    """
    each = np.repeat(values, counts)
    if exact_dot(counts, values) > _INT64_MAX:
        each = each.astype(object)
    left, right = _sums(each[::2]), _sums(each[1::2])
    return int(np.searchsorted(left, bound - right, side="right").sum())


def _sums(values: NDArray[Any]) -> NDArray[Any]:
    """The sums of all subsets, ascending."""
    sums = np.zeros(1, dtype=values.dtype)
    for value in values:
        sums = np.concatenate((sums, sums + value))
        sums.sort(kind="stable")  # two ascending runs: a merge
    return sums
