"""How often rows occur: count few distinct ones fast, or read their multiplicities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, Name, Words, describe
from pairedperm.inputs.numbers import read_scores

LEAST = 2**12  # tuned: fewer rows are counted later, where they are needed, in little time
CACHED_ROWS = 2**15  # tuned: rows that stay in the cache for all steps
TABLE_CELLS = 2**16  # tuned: cells of the table of all possible rows, which stays in the cache too
_FEW_CELLS = 4  # tuned: cells that are counted one by one faster than by `np.bincount`
_FIRST = 2**12  # tuned: first rows, from which the table's size is estimated
_ROOM = 2  # tuned: 1/_ROOM of a column's range is added to it, for later rows
_MOST_COLUMNS = 16  # proof: columns; if each takes two values, there are TABLE_CELLS cells
_SMALL = 2**46  # proof: differences stay int64, and so does a low plus a number below TABLE_CELLS


def few_rows(columns: Sequence[NDArray[Any]]) -> tuple[list[IntArray], IntArray] | None:
    """Return the distinct rows, ascending, and how often each occurs; None if there may be many.

    There are few if a table has at most TABLE_CELLS cells, and at most as many as there are rows.
    The table spans each column from its least to its largest number. Cost: O(n).
    """
    n = columns[0].size
    if n == 0 or len(columns) > _MOST_COLUMNS:
        return None
    table = _Table(columns, min(TABLE_CELLS, n))
    if not table.widen([column[:_FIRST] for column in columns]):
        return None
    for start in range(0, n, CACHED_ROWS):
        if not table.add([column[start : start + CACHED_ROWS] for column in columns]):
            return None
    return table.rows()


class _Table:
    """A table of how often each row occurs, with one axis for each column, starting at its low."""

    def __init__(self, columns: Sequence[NDArray[Any]], most: int) -> None:
        self._most = most
        self._lows = [int(column[0]) for column in columns]
        self._cells = np.zeros([0] * len(columns), dtype=np.int64)
        self._buffers = np.empty((len(columns), min(CACHED_ROWS, columns[0].size)), dtype=np.int64)

    def add(self, block: Sequence[NDArray[Any]]) -> bool:
        """Count the rows of a block; return False if the table would have too many cells."""
        digits = self._digits(block)
        if digits is None:
            return self.widen(block) and self.add(block)
        numbers = digits[0]
        for column, size in zip(digits[1:], self._cells.shape[1:], strict=True):
            numbers = np.multiply(numbers, size, out=self._buffers[0, : numbers.size])
            numbers += column
        cells = self._cells.reshape(-1)
        if cells.size <= _FEW_CELLS:
            cells += [np.count_nonzero(numbers == number) for number in range(cells.size)]
        else:
            counted = np.bincount(numbers)
            cells[: counted.size] += counted
        return True

    def _digits(self, block: Sequence[NDArray[Any]]) -> list[IntArray] | None:
        """Return the columns less their lows, or None if one of them leaves the table."""
        digits = []
        for k, (column, low, size) in enumerate(
            zip(block, self._lows, self._cells.shape, strict=True)
        ):
            if low or column.dtype != np.int64 or not column.flags.c_contiguous:
                buffer = self._buffers[k, : column.size]
                column = np.subtract(column, low, out=buffer, dtype=np.int64)
            if np.maximum.reduce(column.view(np.uint64)) >= size:  # as uint64, negatives are large
                return None
            digits.append(column)
        return digits

    def widen(self, block: Sequence[NDArray[Any]]) -> bool:
        """Make room for the block's rows and some more; return False if it takes too many cells."""
        counted, how_often = self.rows()
        ends = [np.append(x, (y.min(), y.max())) for x, y in zip(counted, block, strict=True)]
        lows, highs = [int(x.min()) for x in ends], [int(x.max()) for x in ends]
        shape = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        if math.prod(shape) > self._most or min(lows) < -_SMALL or max(highs) > _SMALL:
            return False
        roomy = [size + (size - 1) // _ROOM for size in shape]
        cells = np.zeros(roomy if math.prod(roomy) <= self._most else shape, dtype=np.int64)
        cells[tuple(x - low for x, low in zip(counted, lows, strict=True))] = how_often
        self._lows, self._cells = lows, cells
        return True

    def rows(self) -> tuple[list[IntArray], IntArray]:
        """Return the rows that occur, ascending, and how often each occurs."""
        how_often = self._cells.reshape(-1)
        cells = np.flatnonzero(how_often)
        places = np.unravel_index(cells, self._cells.shape)
        rows = [place + low for place, low in zip(places, self._lows, strict=True)]
        return rows, how_often[cells]


def read_multiplicities(
    column: Any, n_rows: int, *, least: int = 0, remedy: Words = ""
) -> IntArray:
    """Read how often each of `n_rows` rows occurs; `remedy` says what to do with wrong numbers."""
    array = read_scores("multiplicities", column)
    if array.shape != (n_rows,):
        must = f"have one number per row, shape ({n_rows},)"
        raise InputError(Name("multiplicities"), must=must, got=f"shape {array.shape}")
    bad = array < least
    if array.dtype.kind == "f":
        bad |= array != np.rint(array)
    if bad.any():
        index = int(bad.argmax())
        raise InputError(
            Name("multiplicities"),
            must=f"be numbers of examples, integers from {least}",
            at=Name("multiplicities", (index,)),
            got=str(array[index]),
            remedy=remedy,
        )
    if array.dtype.kind == "f" and array.size and float(array.max()) >= 2.0**53:
        raise InputError(
            *(Name("multiplicities"), " has ", describe(float(array.max()))),
            ", a float that may have been rounded",
            remedy="Give integers",
        )
    multiplicities = array.astype(np.int64)
    check_total(multiplicities.tolist())
    return multiplicities


def check_total(multiplicities: list[int]) -> None:
    """Raise InputError if the multiplicities add up to more than int64."""
    n = sum(multiplicities)
    if n >= 2**63:
        raise InputError(
            Name("multiplicities"),
            must="add up to at most 2^63 - 1 examples",
            got=f"{n:.3g}",
            remedy="Were shards added more than once?",
        )
