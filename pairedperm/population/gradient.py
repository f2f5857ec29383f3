"""A difference of scores of sums: its gradient, and the influences of the rows on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.scoring.function import Checked
from pairedperm.scoring.scores import SumScore, finite_difference

_MOVED = 2**18  # tuned: numbers of moved sums that are scored in one call
_COPIED = 2**24  # tuned: numbers of a table that become floats in one step
_STEP = 1e-5  # tuned: relative step of a sum for its derivative
_NOTHING = 1e-9  # tuned: relative to the largest influences; less is mere rounding


class Term(NamedTuple):
    """A score of the sums of some columns, and its sign in the difference."""

    score: SumScore
    columns: slice
    sign: float


def linear_influences(
    table: NDArray[Any], counts: IntArray, terms: Sequence[Term]
) -> FloatArray | None:
    """Return (r_k - S / n) · g of each row; None if all are 0 within rounding."""
    sums, _, slopes = linearised(table, counts, terms)
    values = _values(table, counts[None], sums, slopes)[0]
    unit, least = scale_of(table, counts, slopes)
    return None if math.sqrt(counts @ np.square(values / unit)) <= least else values


def scale_of(table: NDArray[Any], counts: IntArray, slopes: FloatArray) -> tuple[float, float]:
    """Return a unit of standard errors, and the number of units that may be mere rounding."""
    unit = float(row_products(np.abs(slopes), table, np.abs).max()) or 1.0
    return unit, _NOTHING * math.sqrt(counts.sum())


def errors_of(
    table: NDArray[Any], weights: NDArray[Any], sums: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return √(Σ_k w_k ((r_k - S / n) · g)²) of each resample, shape (b,)."""
    values = _values(table, weights, sums, slopes)
    return np.asarray(np.sqrt(np.einsum("bk,bk->b", weights, np.square(values))))


def _values(
    table: NDArray[Any], weights: NDArray[Any], sums: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return (r_k - S / n) · g, shape (b, k)."""
    values = row_products(slopes, table)
    return np.asarray(values - (sums * slopes).sum(axis=1, keepdims=True) / weights[0].sum())


def linearised(
    table: NDArray[Any], counts: IntArray, terms: Sequence[Term]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the sums of the data, Σ |x| of columns with negatives, and the gradient there."""
    sums, sizes = sums_of(table, counts)
    return sums, sizes, gradient(terms, sums, sizes)


def gradient(terms: Sequence[Term], sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return the derivatives of the difference, shape (b, m).

    The differences are central, or one-sided where the score is not finite on the other side. A
    step is relative to the sum S, or to Σ |x|, given by `sizes`, if this is larger.
    """
    slopes = np.zeros_like(sums)
    for score, columns, sign in terms:
        here = sums[:, columns]
        steps = _STEP * np.maximum(np.abs(here), sizes[columns])
        scores = score(here)
        m = here.shape[1]
        n_columns = m if not isinstance(score, Checked) and m * here.size <= _MOVED else 1
        for j in range(0, m, n_columns):
            some = np.arange(j, j + n_columns)
            up, more = _moved(score, here, scores, some, steps[:, some])
            down, less = _moved(score, here, scores, some, -steps[:, some])
            run = up - down
            with np.errstate(over="ignore"):
                slope = (more - less) / np.where(run == 0.0, 1.0, run)
            slopes[:, columns][:, some] = sign * slope
    return finite_difference(slopes, np.zeros(1), "resamples have")


def _moved(
    score: SumScore, here: FloatArray, scores: FloatArray, some: IntArray, steps: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the steps of single columns and the score's changes; 0 if a score is not finite."""
    moved = np.repeat(here[:, None], some.size, axis=1)
    moved[:, np.arange(some.size), some] += steps
    with np.errstate(over="ignore", invalid="ignore"):
        near = score.near(moved.reshape(-1, here.shape[1])).reshape(steps.shape)
        changes = near - scores[:, None]
    is_known = np.isfinite(changes)
    steps = moved[:, np.arange(some.size), some] - here[:, some]
    return np.where(is_known, steps, 0.0), np.where(is_known, changes, 0.0)


def difference_of(terms: Sequence[Term], sums: FloatArray) -> FloatArray:
    """Return the signed sum of all terms, for sums of shape (b, m), as shape (b,)."""
    difference = np.zeros(len(sums))
    for score, columns, sign in terms:
        less = -sign * score(sums[:, columns])
        difference = finite_difference(difference, less, "resamples have")
    return difference


def sums_of(table: NDArray[Any], counts: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the sums of all columns, shape (1, m), and Σ |x| of columns with negatives."""
    negative = (table < 0).any(axis=0)
    sizes = np.zeros(table.shape[1])
    if negative.any():
        sizes[negative] = weighted_sums(counts, np.abs(table[:, negative]))
    return weighted_sums(counts, table)[None], sizes


def weighted_sums(weights: NDArray[Any], table: NDArray[Any]) -> FloatArray:
    """Return Σ_k weights[k] table[k]; wide tables of small integers stay small."""
    blocks = (weights[some] @ table[some] for some in _blocks(table))
    return np.asarray(sum(blocks), dtype=np.float64)


def row_products(
    slopes: FloatArray, table: NDArray[Any], of: Callable[[NDArray[Any]], Any] = np.asarray
) -> FloatArray:
    """Return slopes · row for all rows of the table, shape (b, k); `of` changes the rows first."""
    return np.concatenate([slopes @ of(table[some]).T for some in _blocks(table)], axis=1)


def _blocks(table: NDArray[Any]) -> list[slice]:
    """Return blocks of the rows, a single one if they are floats already."""
    size = len(table) if table.dtype == np.float64 else max(_COPIED // table.shape[1], 1)
    return [slice(start, start + size) for start in range(0, len(table), size)]
