"""The difference of two scores in the population: its interval, standard error and influences.

All follow from the rows of both systems and their score, in its form for draws.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, NoIntervalError
from pairedperm.population.flips import score_interval
from pairedperm.population.studentised import (
    Term,
    difference_of,
    gradient,
    linear_influences,
    linearised,
    row_products,
    studentised_interval,
    sums_of,
    weighted_sums,
)
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, SumScore, check_sums, finite_difference

SCORE, BOOTSTRAP = "Tango score", "studentised bootstrap"  # methods of an interval
_LARGEST = 2**61  # proof: differences of smaller numbers are int64
_SAME = 1e-12  # proof: relative to the largest score that differs; rounding moves differences less


class DifferenceInterval(NamedTuple):
    """An asymptotic confidence interval of score1 - score2, and the name of its method."""

    low: float
    high: float
    method: str


def difference_interval(
    rows: Rows, simple: Score, confidence_level: float, seed: int, bound: float = math.inf
) -> DifferenceInterval:
    """Return the interval of the difference in the population that the examples are drawn from.

    Tango's score interval is used if the score is a mean and all differences but 0 have one size.
    If the examples have sizes, these must be equal or 0, and only examples with a size count.
    Otherwise the studentised bootstrap is used. Both are asymptotic; see `score_interval` and
    `studentised_interval`.

    If no example differs, a share h = z² / (n + z²) of the population may differ, by Tango's
    interval. The interval is then -c h to c h, where c bounds the change that one example makes:
    the larger of `bound` and the largest contribution of a seen example. Without a bound it is the
    contribution alone, or infinite if all scores are 0. The contribution to a mean is the score,
    and that to other scores the linear part.

    With a bound, a bootstrap interval is cut at c times the upper end of Tango's interval of the
    share that differs. This keeps it finite if few of many examples differ. If the observed
    difference exceeds this limit, the interval is cut at `bound` alone: the score jumps, such as
    where a denominator is 0.

    Parameters
    ----------
    rows : Rows
        The rows of examples, or their sums over groups.
    simple : Score
        The score of two systems, no `Statistic`, simplified for draws of these rows.
    confidence_level : float
        Between 0 and 1.
    seed : int
        The seed of the resamples.
    bound : float
        The largest difference that two scores can have, such as 1 for scores from 0 to 1.

    Raises
    ------
    InputError
        If there is only one example. If scores are beyond floats. If a function gives no finite
        number for some resamples.
    """
    if rows.n < 2:
        raise NoIntervalError(
            "an interval needs at least two examples or groups, some dozens to be of use",
            got="one",
            remedy="it does not tell how they vary",
        )
    counts, n_differing = rows.how_often, rows.n_differing
    if one_size := of_one_size(rows, simple):
        size, wins, losses, n = one_size
        low, high = (size * x for x in score_interval(wins, losses, n, confidence_level))
        return DifferenceInterval(max(low, -bound), min(high, bound), SCORE)
    summed = SummedDifference.of(rows, simple)
    for table in (summed.table, *summed.of_systems):
        check_sums(table, rows.n)
    reach = math.inf
    if math.isfinite(bound) or not n_differing:
        _, share = score_interval(n_differing, 0, rows.n, confidence_level)
        change = _largest_change(summed, counts)
        change = max(change, bound) if math.isfinite(bound) else change or math.inf
        reach = min(share * change if share else 0.0, bound)
    if not n_differing:
        return DifferenceInterval(-reach, reach, SCORE)
    low, high = studentised_interval(summed.table, counts, summed.terms, confidence_level, seed)
    if abs(summed.at(weighted_sums(counts, summed.table))) > reach:
        reach = bound  # the score jumps, such as where a denominator is 0
    return DifferenceInterval(max(low, -reach), min(high, reach), BOOTSTRAP)


def _largest_change(summed: SummedDifference, counts: IntArray) -> float:
    """Return n times the most that a row, or some of its numbers, contribute to a score."""
    largest, term = 0.0, summed.of_one_system
    for rows in summed.of_systems:
        _, _, slopes = linearised(rows, counts, [term])
        of_row = row_products(slopes, rows)[0]
        of_numbers = row_products(np.abs(slopes), rows, np.abs)[0]
        largest = max(largest, float((of_numbers + np.abs(of_row)).max()) / 2.0)
    return float(counts.sum()) * largest


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
        summed, order = SummedDifference.of(rows, simple), _one_order(rows)
        moves = linear_influences(summed.table[order], counts[order], summed.terms)
        return None if moves is None else moves[np.argsort(order)]
    differences, sizes, total = _differences(rows), *_sizes(rows, simple)
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
        return _differences(rows) / float(simple.unit) / (_sizes(rows, simple)[1] or 1.0)
    term, tables = SummedDifference.of(rows, simple).of_one_system, rows.tables
    (sums1, sizes1), (sums2, sizes2) = (sums_of(x, rows.how_often) for x in tables)
    try:
        slopes = gradient([term], (sums1 + sums2) / 2.0, (sizes1 + sizes2) / 2.0)
    except InputError:  # a function may need whole sums
        return None
    one, two = (row_products(slopes, x)[0] for x in tables)
    return one - two if (one != two).any() else None


def of_one_size(rows: Rows, simple: Score) -> tuple[float, int, int, int] | None:
    """Return the one size of all differences but 0, and the numbers of wins, losses and examples.

    None if the score is no mean, if no example differs, or if the differences have several sizes.
    If the examples have sizes, only those with a size are counted.
    """
    if not isinstance(simple, Mean) or not rows.n_differing:
        return None
    differences, counts = _differences(rows), rows.how_often
    sizes = np.ones(1, dtype=np.int64) if simple.sizes is None else simple.sizes
    has_size = np.broadcast_to(sizes > 0, differences.shape)
    differs = differences != 0.0
    of_differing = np.abs(differences[differs])
    rounding = 0.0
    if rows.no_lattice:
        rounding = _SAME * max(np.abs(x[differs]).max() for x in (rows.rows1, rows.rows2))
    if np.ptp(of_differing) > rounding or np.ptp(sizes[sizes > 0]):
        return None
    if differences[~has_size].any():
        return None
    unit = float(sizes.max()) * simple.unit
    numbers = (counts[x].sum() for x in (differences > 0.0, differences < 0.0, has_size))
    wins, losses, n = map(int, numbers)
    return float(of_differing.max()) / unit, wins, losses, n


class SummedDifference(NamedTuple):
    """The difference of two scores as a function of the sums of rows.

    Attributes
    ----------
    table : array, shape (k, m)
        The rows that are summed.
    terms : list of Term
        The difference is the signed sum of these scores of some columns.
    of_systems : list of array
        The rows of system 1 and of system 2.
    """

    table: NDArray[Any]
    terms: list[Term]
    of_systems: list[NDArray[Any]]

    @classmethod
    def of(cls, rows: Rows, simple: Score) -> SummedDifference:
        """Return the mean of differences, or the difference of two scores of sums."""
        if isinstance(simple, Mean):
            return cls._of_mean(rows, simple)
        score: Any = simple
        table, width = rows.side_by_side, rows.tables[0].shape[1]
        if isinstance(score, Function):
            sums = (rows.how_often @ table).astype(np.float64).reshape(2, width)
            score = Checked(score, rows, sums, "resamples", rows.unit)
        terms = [Term(score, np.s_[:width], 1.0), Term(score, np.s_[width:], -1.0)]
        return cls(table, terms, [*rows.tables])

    @classmethod
    def _of_mean(cls, rows: Rows, mean: Mean) -> SummedDifference:
        """Return the mean of differences: the difference of two means would lose digits."""
        unit = float(mean.unit)
        numbers = _differences(rows), rows.rows1, rows.rows2
        tables = [x[:, None].astype(np.float64) for x in numbers]
        if mean.sizes is None:
            unit *= rows.n
        else:
            tables = [np.column_stack((x, mean.sizes)) for x in tables]
        return cls(tables[0], [Term(_MeanOfSums(unit), np.s_[:], 1.0)], tables[1:])

    @property
    def of_one_system(self) -> Term:
        """The score of one system's own sums."""
        return Term(self.terms[0].score, np.s_[:], 1.0)

    def at(self, sums: FloatArray) -> float:
        """Return the difference at these sums, shape (m,)."""
        return float(difference_of(self.terms, sums[None])[0])

    def exchanged(self, sums: FloatArray) -> FloatArray:
        """Return the sums if the two systems change places."""
        if len(self.terms) == 1:  # of differences, and perhaps of sizes
            return np.asarray(sums * np.array([-1.0, 1.0])[: sums.size])
        return np.roll(sums, sums.size // 2)


class _MeanOfSums(SumScore):
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


def _differences(rows: Rows) -> FloatArray:
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
