"""Sums of integers beyond int64, and the assignments of a tail, counted without a transform.

They are listed in two halves, or the laws of two halves are added.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.engine import advance
from pairedperm.convolution.law import FloatArray, IntArray

_BLOCK_ENTRIES = 2**20  # tuned: entries of a table that are summed together, in int64


def exact_sum(values: NDArray[np.int64]) -> int:
    """Return Σ values, also beyond int64: the high and the low halves are summed apart."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def exact_dot(counts: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """Return Σ counts · values, also beyond int64; no count is negative."""
    largest = int(counts.max(initial=0))
    if largest * largest_entry(values) * counts.size <= np.iinfo(np.int64).max:
        return int((counts * values).sum())
    if largest < 2**31:  # then products with half a value are int64
        return (exact_sum(counts * (values >> 32)) << 32) + exact_sum(
            counts * (values & 0xFFFFFFFF)
        )
    return sum(m * v for m, v in zip(counts.tolist(), values.tolist(), strict=True))


def size_sums(table: NDArray[np.int64], counts: IntArray) -> list[int]:
    """Return Σ counts · |column| of each column, also beyond int64.

    The sums are those of -|column|, since |-2^63| is not an int64.
    """
    return [-exact_dot(counts, -np.abs(column)) for column in table.T]


def column_sums(table: NDArray[np.int64], multiplicities: IntArray | None) -> list[int]:
    """Return the sum of each column, also beyond int64.

    The table has shape (k, m); row k is taken multiplicities[k] times, or once if that is None.
    """
    size = largest_entry(table) * (1 if multiplicities is None else int(multiplicities.max()))
    if size * len(table) <= np.iinfo(np.int64).max:
        return _column_sums(table, multiplicities).tolist()  # type: ignore[no-any-return]
    if multiplicities is None:
        return [exact_sum(column) for column in table.T]
    return [exact_dot(multiplicities, column) for column in table.T]


def _column_sums(table: IntArray, multiplicities: IntArray | None) -> IntArray:
    """Return the sum of each column within int64, some rows at a time: summing widens them."""
    sums = np.zeros(table.shape[1], dtype=np.int64)
    n_rows = max(_BLOCK_ENTRIES // max(sums.size, 1), 1)
    for start in range(0, len(table), n_rows):
        rows = table[start : start + n_rows]
        if multiplicities is None:
            sums += rows.sum(axis=0)
        else:
            sums += multiplicities[start : start + n_rows] @ rows
    return sums


def largest_entry(values: NDArray[np.int64]) -> int:
    """Return the largest |value|, or 0 if there is none."""
    return max(int(values.max()), -int(values.min())) if values.size else 0


_KEY_BITS = 62  # proof: of integers that are compared as int64; of larger ones, the leading bits
TOO_MANY = 2**62  # tuned: more sums than any machine lists
MAX_ENUMERATED = 100  # tuned: examples with their multiplicities
COUNTED_IN_INT64 = 62  # proof: up to so many variables, numbers of assignments are int64


def enumeration_size(counts: Sequence[int]) -> int:
    """Return how many sums the larger half has; `TOO_MANY` for more than a hundred examples."""
    if sum(counts) > MAX_ENUMERATED:
        return TOO_MANY
    return max(math.prod(counts[k] + 1 for k in half) for half in _halves(counts))


def are_int64(total: int) -> bool:
    """Tell whether sums up to this total are listed as int64; if not, as Python's integers."""
    return total.bit_length() <= _KEY_BITS


def enumeration_bytes(counts: Sequence[int], total: int) -> int:
    """Estimate the memory of `enumerate_lower_tail` for values whose sum is `total`."""
    each = 64 if are_int64(total) else 2 * sys.getsizeof(total) + 88
    return (each if max(counts, default=1) == 1 else each + 48) * enumeration_size(counts)


def enumerate_lower_tail(
    values: Sequence[int], counts: Sequence[int], bounds: Sequence[int]
) -> list[int]:
    """Count, for each bound, those of the 2^n assignments whose sum is at most the bound.

    All sums of one half of the values are sorted. Then, for each sum of the other half, a search
    tells how many of them leave the total at most the bound. `values` may be any positive integers,
    `counts` says how often each occurs.

    If values repeat, equal sums are joined. Integers of more than 62 bits are Python's: the search
    is by their leading bits, and whole integers decide where these are equal. Cost: O(s log s)
    time, O(s) memory for s = `enumeration_size`, which is 2^{n/2} for n distinct values.
    """
    total = sum(v * c for v, c in zip(values, counts, strict=True))
    shift = 0 if are_int64(total) else total.bit_length() - _KEY_BITS
    (left, left_ways), (right, right_ways) = (
        _sorted_sums(
            [values[k] for k in half], [counts[k] for k in half], object if shift else np.int64
        )
        for half in _halves(counts)
    )
    # of the left sums, a search tells how many leave room for a right one
    n_below = np.concatenate(([0], np.cumsum(left_ways)))
    keys, n_tails = _leading_bits(left, shift), dict.fromkeys(bounds, 0)
    for bound in n_tails:
        most = min(max(bound, -1), total)
        for start in range(0, right.size, BLOCK_SUMS):
            block = slice(start, start + BLOCK_SUMS)
            rest = most - right[block]
            heads = _leading_bits(rest, shift)
            ends = keys.searchsorted(heads, side="right")
            if shift:
                for k in np.flatnonzero((ends > 0) & (keys[ends - 1] == heads)):
                    first = keys.searchsorted(heads[k])
                    ends[k] = bisect_right(left, rest[k], first, ends[k])
            n_tails[bound] += exact_dot(right_ways[block], n_below[ends])
    return [n_tails[bound] for bound in bounds]


def _leading_bits(integers: NDArray[Any], shift: int) -> IntArray:
    """Return the integers without their last bits."""
    if not shift:
        return integers
    return np.fromiter((x >> shift for x in integers), np.int64, integers.size)


def _halves(counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Divide the values' numbers into two halves that have about as many sums."""
    halves: tuple[list[int], list[int]] = ([], [])
    sizes = [1, 1]
    for k in sorted(range(len(counts)), key=lambda k: -counts[k]):
        smaller = int(sizes[1] < sizes[0])
        halves[smaller].append(k)
        sizes[smaller] *= counts[k] + 1
    return halves


def _sorted_sums(
    values: Sequence[int], counts: Sequence[int], integers: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """List the sums of all subsets, ascending, and the ways to each."""
    if max(counts, default=1) > 1:
        return _distinct_sums(values, counts, integers)
    if integers is object:
        listed = [0]
        for value in values:  # sorting is fast: two sorted lists are merged
            listed = sorted([*listed, *(x + value for x in listed)])
        return np.array(listed, dtype=object), np.ones(len(listed), dtype=np.int8)
    column, weights = np.array(values, dtype=integers), [_binomials(1, np.int8)] * len(values)
    (sums,), ways = every_sum(column[None], weights)
    return np.sort(sums), ways


def _distinct_sums(
    values: Sequence[int], counts: Sequence[int], integers: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """List each sum of a subset once, ascending, and the ways to each."""
    kind = _kind(counts)
    sums, ways = np.zeros(1, dtype=integers), np.ones(1, dtype=kind)
    for value, count in zip(values, counts, strict=True):
        steps = np.array([value * k for k in range(count + 1)], dtype=integers)
        every = np.add.outer(steps, sums).reshape(-1)
        order = every.argsort(kind="stable")  # fast: as many sorted lists are merged
        every = every[order]
        first = np.flatnonzero(np.diff(every, prepend=-1))
        products = np.multiply.outer(_binomials(count, kind), ways).reshape(-1)
        sums, ways = every[first], np.add.reduceat(products[order], first)
    return sums, ways


MAX_HALVED = 1000  # proof: products of two counts stay below 2^1000
_VALUE_NS, _COUNTED_NS = 3000.0, 0.4  # tuned: ns of a value, and of each sum up to the bound
BLOCK_SUMS = 2**15  # tuned: sums that are compared at once


def halves_bytes(bound: int) -> int:
    """Return the memory that both laws of `halved_lower_tail` take."""
    return 2 * 8 * (bound + 1)


def halves_cost(n: int, bound: int) -> float:
    """Estimate the nanoseconds of `halved_lower_tail`; infinite beyond `MAX_HALVED` values."""
    return n * (_VALUE_NS + _COUNTED_NS * bound) if n <= MAX_HALVED else math.inf


def halved_lower_tail(values: IntArray, counts: IntArray, bound: int) -> CertifiedProbability:
    """Return P(B ≤ bound) for at most `MAX_HALVED` values, counted with their multiplicities.

    In one half of the values, assignments are counted for each sum; in the other half, for all sums
    up to each point. Then the products that leave the whole at most `bound` are added. All terms
    are positive: a value adds one rounding of 1 u, and the sum of the products at most 64 u. Cost:
    O(n · bound) time, O(bound) memory.
    """
    # values in turn, so that the halves are alike
    each = np.repeat(values, counts).tolist()
    exactly = np.zeros(min(sum(each[::2]), bound) + 1)
    exactly[0] = 1.0
    _add_subsets(exactly, each[::2], 1)
    at_most = np.ones(bound + 1)
    _add_subsets(at_most, each[1::2], bound + 1)
    parts = []
    for start in range(0, exactly.size, BLOCK_SUMS):
        block = exactly[start : start + BLOCK_SUMS]
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
        advance(_VALUE_NS + 2.0 * _COUNTED_NS * reached)  # as many are added on average
        for end in range(reached, value, -BLOCK_SUMS):
            start = max(end - BLOCK_SUMS, value)
            ways[start:end] += ways[start - value : end - value]  # numpy copies what overlaps


SUM_BYTES = 64  # tuned: bytes of a listed sum
BLOCK_LISTED = 2**18  # tuned: sums in a block


def n_sums(counts: IntArray) -> int:
    """Return Π (counts + 1), the number of sums that are listed, or `TOO_MANY` if that is less."""
    if np.log2(counts + 1.0).sum() >= math.log2(TOO_MANY):
        return TOO_MANY
    return math.prod(count + 1 for count in counts.tolist())


def every_sum(
    columns: NDArray[Any], weights: Sequence[NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """List all sums Σ_k j_k columns[:, k], shape (m, n), and their weights Π_k weights[k][j_k].

    A column is taken as often, from j = 0 on, as it has weights.
    """
    sums, products = np.zeros((len(columns), 1), dtype=columns.dtype), np.ones(1, dtype=np.int8)
    for column, weight in zip(columns.T, weights, strict=True):
        steps = np.multiply.outer(column, np.arange(weight.size))
        sums = (sums[:, None, :] + steps[:, :, None]).reshape(len(columns), -1)
        products = np.multiply.outer(weight, products).reshape(-1)
    return sums, products


def _binomials(count: int, kind: Any) -> NDArray[Any]:
    """Return in how many ways 0 … count of as many variables are taken."""
    return np.array([*map(partial(math.comb, count), range(count + 1))], dtype=kind)


def _kind(counts: Sequence[int]) -> Any:
    """Return the type of numbers of assignments: Python integers if int64 may not hold them."""
    return np.int64 if sum(counts) <= COUNTED_IN_INT64 else object


def listed_sums(
    vectors: IntArray, multiplicities: IntArray
) -> Iterator[tuple[IntArray, NDArray[Any]]]:
    """Yield all sums Σ vectors · (0 … multiplicities) in blocks, with the number of ways to each.

    The sums of the first vectors are listed once. They are added to each sum of the other vectors.
    """
    counts = multiplicities.tolist()
    kind, shape = _kind(counts), [count + 1 for count in counts]
    weights = [_binomials(count, kind) for count in counts]
    n_first = sum(size <= BLOCK_LISTED for size in accumulate(shape, mul))
    sums, ways = every_sum(vectors[:n_first].T, weights[:n_first])
    # each choice among the other vectors moves the whole list of the first ones
    n, step = math.prod(shape[n_first:]), BLOCK_LISTED // ways.size
    for start in range(0, n, step):
        numbers = np.arange(start, min(start + step, n))
        _, *taken = np.unravel_index(numbers, [1, *shape[n_first:]])
        moved = np.zeros((vectors.shape[1], numbers.size), dtype=np.int64)
        more: NDArray[Any] = np.ones(numbers.size, dtype=kind)
        for vector, weight, times in zip(vectors[n_first:], weights[n_first:], taken, strict=True):
            moved += np.multiply.outer(vector, times)
            more *= weight[times]
        together = (sums[:, None, :] + moved[:, :, None]).reshape(len(moved), -1)
        yield np.ascontiguousarray(together.T), np.multiply.outer(more, ways).reshape(-1)
