"""Pairs of rows, of both systems: the distinct ones, in order, and how often each occurs."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.counting import few_rows
from pairedperm.convolution.integers import distinct_rows
from pairedperm.convolution.law import IntArray


def few_pairs(rows1: IntArray, rows2: IntArray) -> tuple[IntArray, IntArray, IntArray] | None:
    """The distinct pairs, ascending, and how often each occurs; None if they may be many."""
    found = few_rows([*np.atleast_2d(rows1.T), *np.atleast_2d(rows2.T)])
    if found is None:
        return None
    columns, how_often = found
    one, two = np.array(columns, dtype=rows1.dtype).reshape(2, -1, how_often.size)
    if rows1.ndim == 1:
        return one[0], two[0], how_often
    return one.T.copy(), two.T.copy(), how_often


def distinct_pairs(
    rows1: IntArray,
    rows2: IntArray,
    multiplicities: IntArray | None,
    sizes: IntArray | None = None,
) -> tuple[IntArray, IntArray, IntArray, IntArray | None]:
    """The distinct pairs of rows, and sizes, ascending, and how often each occurs."""
    few = few_pairs(rows1, rows2) if multiplicities is None and sizes is None else None
    if few is not None:
        return *few, None
    columns = [*np.atleast_2d(rows1.T), *np.atleast_2d(rows2.T)]
    columns += [] if sizes is None else [sizes]
    first, multiplicities = distinct_rows(columns, multiplicities)
    return rows1[first], rows2[first], multiplicities, None if sizes is None else sizes[first]


def spread_rows(
    rows: NDArray[Any], classes: tuple[Hashable, ...], wider: tuple[Hashable, ...]
) -> NDArray[Any]:
    """Rows (correct, predicted, right) of some classes, with columns for all of the others."""
    place = {label: k for k, label in enumerate(wider)}
    columns = np.array([place[label] for label in classes], dtype=np.int64)
    narrow = rows.reshape(len(rows), 3, -1)  # without any class there is one, of zeros
    wide = np.zeros((len(rows), 3, len(wider)), dtype=rows.dtype)
    wide[:, :, columns] = narrow[:, :, : columns.size]
    return wide.reshape(len(rows), -1)
