"""Pairs of rows of both systems: read them, and count the distinct ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.counting import few_rows
from pairedperm.convolution.integers import distinct_rows, exact_sum
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.inputs.numbers import read_scores
from pairedperm.wording import Name, describe

_INT64_MAX = np.iinfo(np.int64).max


def few_pairs(rows1: IntArray, rows2: IntArray) -> tuple[IntArray, IntArray, IntArray] | None:
    """Return the distinct pairs, ascending, and how often each occurs; None if they may be many."""
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
    """Return the distinct pairs (with sizes, if given), ascending, and how often each occurs."""
    few = few_pairs(rows1, rows2) if multiplicities is None and sizes is None else None
    if few is not None:
        return *few, None
    columns = [*np.atleast_2d(rows1.T), *np.atleast_2d(rows2.T)]
    columns += [] if sizes is None else [sizes]
    first, multiplicities = distinct_rows(columns, multiplicities)
    return rows1[first], rows2[first], multiplicities, None if sizes is None else sizes[first]


def all_classes(several: Sequence[tuple[Hashable, ...]]) -> tuple[Hashable, ...]:
    """Return the classes of all parts: as they are if all parts have the same, otherwise sorted."""
    if all(classes == several[0] for classes in several):
        return several[0]
    return tuple(sorted({label for classes in several for label in classes}))  # type: ignore[type-var]


def spread_rows(
    rows: NDArray[Any], classes: tuple[Hashable, ...], wider: tuple[Hashable, ...]
) -> NDArray[Any]:
    """Return rows (correct, predicted, right) with columns for all classes in `wider`."""
    place = {label: k for k, label in enumerate(wider)}
    columns = np.array([place[label] for label in classes], dtype=np.int64)
    narrow = rows.reshape(len(rows), 3, -1)  # one column of zeros if there is no class
    wide = np.zeros((len(rows), 3, len(wider)), dtype=rows.dtype)
    wide[:, :, columns] = narrow[:, :, : columns.size]
    return wide.reshape(len(rows), -1)


def read_multiplicities(column: Any, n_rows: int) -> IntArray:
    """Read how often each of `n_rows` rows occurs."""
    array = read_scores("multiplicities", column)
    if array.shape != (n_rows,):
        must = f"have one number per row, shape ({n_rows},)"
        raise InputError(Name("multiplicities"), must=must, got=f"shape {array.shape}")
    bad = (array < 0) | (array != np.rint(array)) if array.dtype.kind == "f" else array < 0
    if bad.any():
        index = int(bad.argmax())
        raise InputError(
            Name("multiplicities"),
            must="be numbers of examples, integers from 0",
            at=Name("multiplicities", (index,)),
            got=str(array[index]),
        )
    if array.dtype.kind == "f" and array.size and float(array.max()) >= 2.0**53:
        raise InputError(
            *(Name("multiplicities"), " has ", describe(float(array.max()))),
            ", a float that may have been rounded",
            remedy="Give integers",
        )
    multiplicities = array.astype(np.int64)
    check_total(multiplicities)
    return multiplicities


def check_total(multiplicities: IntArray | list[int]) -> None:
    """Raise InputError if the multiplicities add up to more than int64."""
    n = sum(multiplicities) if isinstance(multiplicities, list) else exact_sum(multiplicities)
    if n > _INT64_MAX:
        raise InputError(
            Name("multiplicities"),
            must="add up to at most 2^63 - 1 examples",
            got=f"{n:.3g}",
            remedy="Were shards added more than once?",
        )
