"""The tail by enumeration of the two halves of all assignments (meet in the middle)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import exact_dot

IntArray = NDArray[np.int64]
_BITS = 56  # of a limb: sums of up to 127 of them are int64
TOO_MANY = 2**62  # sums, which no machine lists
MAX_ENUMERATED = 100  # examples, counted with their multiplicities
_INT64_BITS = 62


class _Half(NamedTuple):
    """Sums of some of the values, in limbs, shape (n_limbs, n); how many assignments have each."""

    sums: IntArray
    ways: NDArray[Any] | None  # None: one each; Python integers, if int64 may not hold their sum


def enumeration_size(counts: Sequence[int]) -> int:
    """How many sums the larger half has; `TOO_MANY` for more than a hundred examples."""
    if sum(counts) > MAX_ENUMERATED:
        return TOO_MANY
    return max(math.prod(counts[k] + 1 for k in half) for half in _halves(counts))


def enumeration_bytes(counts: Sequence[int], total: int) -> int:
    """Memory for `enumerate_lower_tail` of values whose sum is `total`."""
    n_limbs = _n_limbs(total)
    each = 16 * (4 if n_limbs == 1 else 3 * n_limbs + 4)
    return (each if max(counts, default=1) == 1 else each + 48) * enumeration_size(counts)


def enumerate_lower_tail(
    values: Sequence[int], counts: Sequence[int], bounds: Sequence[int]
) -> list[int]:
    """For each bound, how many of the 2^n assignments have a sum of at most that.

    All sums of one half of the values are sorted; for each sum of the other half, how many of
    them leave the total at most the bound. `values` may be any positive integers, `counts`
    says how often each occurs.

    Cost: O(s log s) time, O(s) memory for s = `enumeration_size`: 2^{n/2} of n distinct values.
    Integers of more than 62 bits are taken in limbs of 56, compared from the highest on.
    """
    total = sum(v * c for v, c in zip(values, counts, strict=True))
    n_limbs = _n_limbs(total)
    left, right = (
        _listed([values[k] for k in half], [counts[k] for k in half], n_limbs)
        for half in _halves(counts)
    )
    left, right = (
        _ordered(left, np.lexsort(left.sums[::-1])),
        _ordered(right, right.sums[0].argsort()),
    )
    return [_counted(left, right, min(max(bound, -1), total)) for bound in bounds]


def _counted(left: _Half, right: _Half, bound: int) -> int:
    """How many pairs have a sum of at most the bound; the left sums ascend."""
    rest = _carried(np.array(_limbs(bound, len(left.sums)))[:, None] - right.sums)
    n_left = _n_at_most(left.sums, rest)
    if left.ways is not None:
        n_left = np.concatenate(([0], np.cumsum(left.ways)))[n_left]
    if right.ways is None:
        return int(n_left.sum())
    return exact_dot(right.ways, n_left)


def _ordered(half: _Half, order: IntArray) -> _Half:
    return _Half(half.sums[:, order], None if half.ways is None else half.ways[order])


def _n_at_most(sums: IntArray, bounds: IntArray) -> IntArray:
    """How many of the sums, ascending, are at most each bound: one limb after the other.

    Those of the sums that are the same as the bound so far are from `first` to `last`.
    """
    first = np.searchsorted(sums[0], bounds[0], side="left")
    last = np.searchsorted(sums[0], bounds[0], side="right")
    for limb, wanted in zip(sums[1:], bounds[1:], strict=True):
        unclear = np.flatnonzero(first < last)
        ends = first[unclear], last[unclear]
        first[unclear] = _bisected(limb, wanted[unclear] - 1, *ends)
        last[unclear] = _bisected(limb, wanted[unclear], *ends)
    return np.asarray(last)


def _bisected(values: IntArray, bounds: IntArray, low: IntArray, high: IntArray) -> IntArray:
    """Where the values from low to high, which ascend, begin to be above each bound."""
    while (is_open := low < high).any():
        middle = (low + high) // 2
        is_below = values[np.where(is_open, middle, 0)] <= bounds
        low = np.where(is_open & is_below, middle + 1, low)
        high = np.where(is_open & ~is_below, middle, high)
    return low


def _halves(counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Which values are in which half, so that both have about as many sums."""
    halves: tuple[list[int], list[int]] = ([], [])
    sizes = [1, 1]
    for k in sorted(range(len(counts)), key=lambda k: -counts[k]):
        smaller = int(sizes[1] < sizes[0])
        halves[smaller].append(k)
        sizes[smaller] *= counts[k] + 1
    return halves


def _listed(values: Sequence[int], counts: Sequence[int], n_limbs: int) -> _Half:
    """The sums of all subsets of the values."""
    sums = np.zeros((n_limbs, 1), dtype=np.int64)
    kind: Any = np.int64 if sum(counts) <= _INT64_BITS else object
    ways = None if max(counts, default=1) == 1 else np.ones(1, dtype=kind)
    for value, count in zip(values, counts, strict=True):
        limbs = np.array(_limbs(value, n_limbs))
        steps = limbs[:, None] * np.arange(count + 1)
        sums = (sums[:, None, :] + steps[:, :, None]).reshape(n_limbs, -1)
        if ways is not None:
            binomials = np.array([math.comb(count, k) for k in range(count + 1)], dtype=kind)
            ways = (binomials[:, None] * ways).reshape(-1)
    return _Half(_carried(sums), ways)


def _n_limbs(total: int) -> int:
    return 1 if total.bit_length() <= 62 else -(-total.bit_length() // _BITS)


def _limbs(value: int, n_limbs: int) -> list[int]:
    """The integer in base 2^56, from the highest limb on, which is unbounded."""
    lower = [value >> _BITS * k & (1 << _BITS) - 1 for k in range(n_limbs - 1)]
    return [value >> _BITS * (n_limbs - 1), *lower[::-1]]


def _carried(limbs: IntArray) -> IntArray:
    """In place: all limbs but the highest from 0 to 2^56 - 1."""
    for k in range(len(limbs) - 1, 0, -1):
        limbs[k - 1] += limbs[k] >> _BITS
        limbs[k] &= (1 << _BITS) - 1
    return limbs
