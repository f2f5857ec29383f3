"""Exact integer arithmetic: sums beyond int64, distinct rows, and a tail counted in one integer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray

DENSE = 2**16  # tuned: codes that are counted in an array however few rows there are
_TOGETHER = 2**20  # tuned: entries of a table that are summed together, in int64


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


def exact_sum(values: NDArray[np.int64]) -> int:
    """Return Σ values, also beyond int64: the high and the low halves are summed apart."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def exact_dot(counts: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """Return Σ counts · values, also beyond int64."""
    if int(counts.max(initial=0)) * largest_entry(values) * counts.size <= np.iinfo(np.int64).max:
        return int((counts * values).sum())
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
    n_rows = max(_TOGETHER // max(sums.size, 1), 1)
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


def distinct_rows(
    columns: list[IntArray], multiplicities: IntArray | None
) -> tuple[IntArray, IntArray]:
    """Return a position of each distinct row, ascending by row, and how often the row occurs."""
    n = columns[0].size
    if n == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    codes, n_codes = _codes(columns)
    if n_codes <= max(DENSE, n):
        position = np.zeros(n_codes, dtype=np.int64)
        position[codes] = np.arange(n)
        how_often = _how_often(codes, n_codes, multiplicities)
        distinct = np.flatnonzero(how_often)
        return position[distinct], how_often[distinct]
    _, position, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return position, _how_often(inverse, position.size, multiplicities)


def distinct_differences(
    rows1: IntArray, rows2: IntArray, multiplicities: IntArray | None
) -> tuple[IntArray, IntArray]:
    """Return the distinct differences of rows (k, m), up to sign, and how often each occurs.

    Differences of 0 are left out. The others ascend; the first entry that is not 0 is positive.
    """
    columns = (rows1 - rows2).T
    is_turned = np.zeros(len(rows1), dtype=np.bool_)
    for column in reversed(columns):
        is_turned = (column < 0) | ((column == 0) & is_turned)
    np.negative(columns, out=columns, where=is_turned)
    where, how_often = distinct_rows(list(columns), multiplicities)
    matters = (columns != 0).any(axis=0)[where] & (how_often > 0)
    return columns.T[where[matters]].astype(np.int64, copy=False), how_often[matters]


def _how_often(codes: IntArray, n_codes: int, multiplicities: IntArray | None) -> IntArray:
    if multiplicities is None:
        return np.bincount(codes, minlength=n_codes)
    how_often = np.zeros(n_codes, dtype=np.int64)  # weights of bincount would be floats
    np.add.at(how_often, codes, multiplicities)
    return how_often


def _codes(columns: list[IntArray]) -> tuple[IntArray, int]:
    """Return a number from 0 for each row, ascending with the rows, and a bound above them all."""
    codes, n_codes = np.zeros(columns[0].size, dtype=np.int64), 1
    for column in columns:
        column = column.astype(np.int64, copy=False)
        smallest, largest = int(column.min()), int(column.max())
        if largest - smallest < 2**31:
            digits, n_digits = column - smallest, largest - smallest + 1
        else:
            distinct, digits = np.unique(column, return_inverse=True)
            n_digits = distinct.size
        if n_codes * n_digits > 2**62:
            distinct, codes = np.unique(codes, return_inverse=True)
            n_codes = distinct.size
        codes, n_codes = codes * n_digits + digits, n_codes * n_digits
    return codes, n_codes
