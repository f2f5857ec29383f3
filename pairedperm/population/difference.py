"""A score in the population, or a difference of two: its standard error, influences and gradient.

All follow from the rows of one system, or of both, and their score, in its form for draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, SumScore, finite_difference

_MOVED = 2**18  # tuned: numbers of moved sums that are scored in one call
_COPIED = 2**24  # tuned: numbers of a table that become floats in one step
_STEP = 1e-5  # tuned: relative step of a sum for its derivative
_NOTHING = 1e-9  # tuned: relative to the largest influences; less is mere rounding
_LARGEST = 2**61  # proof: differences of smaller numbers are int64


def error_of_influences(moves: FloatArray, counts: IntArray) -> float | None:
    """Return the standard error √(G / (G - 1) Σ v²) of G examples or groups with influences v.

    For a mean it is √(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, with n_g examples in each group. None for
    one group.
    """
    n = int(counts.sum())
    if n < 2:
        return None
    unit = float(np.abs(moves).max()) or 1.0  # v² may overflow
    squares = math.fsum((counts * (moves / unit) ** 2).tolist())  # the same in any order
    return unit * math.sqrt(n / (n - 1) * squares)


def influences(rows: Rows, simple: Score) -> FloatArray | None:
    """Return each row's influence on the difference; None if the score has no derivatives."""
    counts = rows.how_often
    if not rows.n_differing:
        return np.zeros(counts.size)
    if not isinstance(simple, Mean):
        summed, order = SummedRows.of(rows, simple), _one_order(rows)
        moves = SummedRows(summed.table[order], counts[order], summed.terms).influences
        return None if moves is None else moves[np.argsort(order)]
    differences, sizes, total = differences_of(rows), *_sizes(rows, simple)
    if not total:
        return None
    rest = differences - math.fsum((counts * differences).tolist()) / total * sizes
    return np.asarray(rest / float(simple.unit) / total)


def effects(rows: Rows, simple: Score) -> FloatArray | None:
    """Return by how much each row speaks for system 1; None if the score has no derivatives.

    It is half of what a swap of the row takes from the difference, if both systems have the mean of
    their sums.
    """
    if isinstance(simple, Mean):
        return differences_of(rows) / float(simple.unit) / (_sizes(rows, simple)[1] or 1.0)
    systems = SummedRows.of_systems(rows, simple)
    (sums1, sizes1), (sums2, sizes2) = (sums_of(x.table, x.counts) for x in systems)
    try:
        slopes = gradient(systems[0].terms, (sums1 + sums2) / 2.0, (sizes1 + sizes2) / 2.0)
    except InputError:  # a function may need whole sums
        return None
    one, two = (row_products(slopes, x.table)[0] for x in systems)
    return one - two if (one != two).any() else None


class SummedRows(NamedTuple):
    """Rows that are drawn among themselves, and a score of their sums.

    The score is the difference of two systems, or that of one system.

    Attributes
    ----------
    table : array, shape (k, m)
        The distinct rows that are summed.
    counts : int64 array, shape (k,)
        The number of examples with each row.
    terms : sequence of Term
        The score is the signed sum of these scores of some columns.
    weight : float
        What the score counts in a sum over several such tables; a negative one turns it.
    """

    table: NDArray[Any]
    counts: IntArray
    terms: Sequence[Term]
    weight: float = 1.0

    @classmethod
    def of(cls, rows: Rows, simple: Score) -> SummedRows:
        """Return the difference: the mean of differences, or that of two scores of sums."""
        if isinstance(simple, Mean):  # the difference of two means would lose digits
            return cls._of_mean(differences_of(rows), rows, simple)
        score, width = _of_sums(rows, simple), rows.tables[0].shape[1]
        terms = [Term(score, np.s_[:width], 1.0), Term(score, np.s_[width:], -1.0)]
        return cls(rows.side_by_side, rows.how_often, terms)

    @classmethod
    def of_systems(cls, rows: Rows, simple: Score) -> list[SummedRows]:
        """Return the score of system 1, and that of system 2."""
        if isinstance(simple, Mean):
            return [cls._of_mean(x, rows, simple) for x in (rows.rows1, rows.rows2)]
        terms = [Term(_of_sums(rows, simple), np.s_[:], 1.0)]
        return [cls(x, rows.how_often, terms) for x in rows.tables]

    @classmethod
    def _of_mean(cls, numbers: NDArray[Any], rows: Rows, mean: Mean) -> SummedRows:
        """Return the mean of these numbers."""
        unit, table = float(mean.unit), numbers[:, None].astype(np.float64)
        if mean.sizes is None:
            unit *= rows.n
        else:
            table = np.column_stack((table, mean.sizes))
        return cls(table, rows.how_often, [Term(MeanOfSums(unit), np.s_[:], 1.0)])

    def at(self, sums: FloatArray) -> float:
        """Return the score at these sums, shape (m,)."""
        return float(difference_of(self.terms, sums[None])[0])

    @property
    def value(self) -> float:
        """The score of the data."""
        return self.at(weighted_sums(self.counts, self.table))

    @property
    def influences(self) -> FloatArray | None:
        """The influence (r_k - S / n) · g of each row; None if all are 0 within rounding."""
        sums, _, slopes = linearised(self.table, self.counts, self.terms)
        values = _values(self.table, self.counts[None], sums, slopes)[0]
        unit, least = scale_of(self.table, self.counts, slopes)
        error = math.sqrt(self.counts @ np.square(values / unit))
        return None if error <= least else values

    @property
    def standard_error(self) -> float | None:
        """The standard error of the score, by the influences; None if there are none."""
        moves = self.influences
        return None if moves is None else error_of_influences(moves, self.counts)

    def exchanged(self, sums: FloatArray) -> FloatArray:
        """Return the sums of a difference if the two systems change places."""
        if len(self.terms) == 1:  # of differences, and perhaps of sizes
            return np.asarray(sums * np.array([-1.0, 1.0])[: sums.size])
        return np.roll(sums, sums.size // 2)

    @property
    def largest_change(self) -> float:
        """N times the most that a row, or some of its numbers, contribute to the score."""
        _, _, slopes = linearised(self.table, self.counts, self.terms)
        of_row = row_products(slopes, self.table)[0]
        of_numbers = row_products(np.abs(slopes), self.table, np.abs)[0]
        return float(self.counts.sum()) * float((of_numbers + np.abs(of_row)).max()) / 2.0


def _of_sums(rows: Rows, simple: Any) -> Any:
    """Return the score of a system's sums; what a caller's function returns is checked."""
    if not isinstance(simple, Function):
        return simple
    table, width = rows.side_by_side, rows.tables[0].shape[1]
    sums = (rows.how_often @ table).astype(np.float64).reshape(2, width)
    return Checked(simple, rows, sums, "resamples", rows.unit)


class MeanOfSums(SumScore):
    """The first sum over a constant, and over the second sum if there is one and it is not 0."""

    def __init__(self, unit: float) -> None:
        self._unit = unit

    def __call__(self, sums: FloatArray) -> FloatArray:
        sizes = sums[:, 1] if sums.shape[1] == 2 else np.ones(1)
        return np.asarray(sums[:, 0] / np.where(sizes == 0.0, 1.0, sizes) / self._unit)


def _sizes(rows: Rows, mean: Mean) -> tuple[NDArray[Any], float]:
    """Return the sizes of the examples, by which a mean divides, and their total."""
    sizes = np.ones(1) if mean.sizes is None else mean.sizes
    return sizes, math.fsum((rows.how_often * sizes).tolist())


def differences_of(rows: Rows) -> FloatArray:
    """Return the differences of both systems' numbers, rounded once."""
    one, two = rows.rows1, rows.rows2
    if rows.no_lattice:
        return finite_difference(one, two, "examples have")
    if max(largest_entry(one), largest_entry(two)) >= _LARGEST:
        one = one.astype(object)
    return np.asarray(one - two).astype(np.float64)


def _one_order(rows: Rows) -> IntArray:
    """Return an order of the rows that does not depend on how they came, as rounding would."""
    if rows.multiplicities is not None:
        return np.arange(len(rows.rows1))
    return np.lexsort(np.concatenate(rows.tables, axis=1).T)


class Term(NamedTuple):
    """A score of the sums of some columns, and its sign in the difference, or its weight."""

    score: SumScore
    columns: slice
    sign: float


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
