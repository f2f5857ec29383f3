"""The confidence interval of the difference of two scores, from rows and their score."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import NoIntervalError
from pairedperm.results.score_interval import score_interval
from pairedperm.results.studentised import (
    Part,
    difference_of,
    linear_parts,
    linearised,
    studentised_interval,
)
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.waist import Mean, Rows, Score, SumScore, check_sums, finite_difference

SCORE, BOOTSTRAP = "Tango score", "studentised bootstrap"
_LARGEST = 2**61  # proof: so that differences are int64
_SAME = 1e-12  # proof: of the largest score that differs, by which rounding moves differences apart


class DifferenceInterval(NamedTuple):
    """A confidence interval of score1 - score2, asymptotic, and which one it is, in words."""

    low: float
    high: float
    method: str


def difference_interval(
    rows: Rows, simple: Score, confidence_level: float, seed: int, bound: float = math.inf
) -> DifferenceInterval:
    """The interval of the difference of scores in the population that the examples are drawn from.

    Tango's score interval where the score is a mean and all examples that differ differ by the
    same; for sizes, where these are all the same or 0, of the examples with a size. Otherwise the
    studentised bootstrap; see `score_interval` and `studentised_interval`. Both are asymptotic.

    Where no example differs, a share h = z² / (n + z²) of the population may, by Tango's interval,
    and the interval is from -c h to c h. The change c that an example may make is `bound`, or what
    an example that is seen contributes if that is more, or there is no bound: for a mean the
    largest score, for others that of their linear part. Of scores that are all 0 it is infinite.
    With a bound, no end of a bootstrap interval is farther from 0 than c times the upper end of
    Tango's interval of the share that differs: few of many do not make it infinite. A difference
    beyond that, of a score that jumps where a denominator is 0, has the bound alone.

    Parameters
    ----------
    rows : Rows
        Of examples, or summed over groups.
    simple : Score
        Of two systems, no `Statistic`, simplified for draws of these rows.
    confidence_level : float
        Between 0 and 1.
    seed : int
        Of the resamples.
    bound : float
        What no difference of the two scores exceeds, such as 1 for scores from 0 to 1.

    Raises
    ------
    InputError
        If there is one example only, or scores are beyond floats, or a function gives no finite
        number for some resamples.
    """
    if rows.n < 2:
        raise NoIntervalError(
            "an interval needs at least two examples or groups, some dozens to be of "
            "use, got one: it does not tell how they vary."
        )
    counts = rows.how_often
    n_differing = rows.n_differing
    if isinstance(simple, Mean) and n_differing and (found := of_one_size(rows, simple)):
        size, wins, losses, n = found
        low, high = (size * x for x in score_interval(wins, losses, n, confidence_level))
        return DifferenceInterval(max(low, -bound), min(high, bound), SCORE)
    posed = _posed(rows, simple)
    for table in (posed.table, *posed.of_systems):
        check_sums(table, rows.n)
    reach = math.inf
    if math.isfinite(bound) or not n_differing:
        _, share = score_interval(n_differing, 0, rows.n, confidence_level)
        change = _largest_change(posed, counts)
        change = max(change, bound) if math.isfinite(bound) else change or math.inf
        reach = min(share * change if share else 0.0, bound)
    if not n_differing:
        return DifferenceInterval(-reach, reach, SCORE)
    low, high = studentised_interval(posed.table, counts, posed.parts, confidence_level, seed)
    observed = difference_of(posed.parts, np.asarray(counts @ posed.table, np.float64)[None])[0]
    if abs(observed) > reach:  # a score that jumps, as where there is no denominator
        reach = bound
    return DifferenceInterval(max(low, -reach), min(high, reach), BOOTSTRAP)


class Posed(NamedTuple):
    """What is summed, the difference of sums, and both systems' own rows."""

    table: NDArray[Any]
    parts: list[Part]
    of_systems: list[NDArray[Any]]


class _MeanOfSums(SumScore):
    """The first sum over the second, if there is one, and a constant; 0 without any sizes."""

    def __init__(self, unit: float) -> None:
        self._unit = unit

    def __call__(self, sums: FloatArray) -> FloatArray:
        """See `SumScore`."""
        sizes = sums[:, 1] if sums.shape[1] == 2 else np.ones(1)
        return np.asarray(sums[:, 0] / np.where(sizes == 0.0, 1.0, sizes) / self._unit)


def difference_error(rows: Rows, simple: Score) -> float | None:
    """The standard error of the difference of scores, of rows and a score simplified for draws.

    Of a mean √(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, of G groups with n_g examples each, or examples;
    of other scores that of its linear part, by the delta method. None of one group or example, or
    if the score has no derivatives.
    """
    found = influences(rows, simple)
    return None if found is None else error_of(found, rows.how_often)


def error_of(found: FloatArray, counts: IntArray) -> float | None:
    """√(G / (G - 1) Σ v²) of what G examples or groups move a score by; None of one."""
    n = int(counts.sum())
    if n < 2:
        return None
    unit = float(np.abs(found).max()) or 1.0  # whose square may be no float
    squares = math.fsum((counts * (found / unit) ** 2).tolist())  # the same in any order
    return unit * math.sqrt(n / (n - 1) * squares)


def weighted_difference(rows: Rows, simple: Score, weights: FloatArray) -> float:
    """The difference of scores where rows have other weights, whose sum is 1."""
    posed = _posed(rows, simple)
    sums = np.asarray((weights * rows.n) @ posed.table, dtype=np.float64)
    return float(difference_of(posed.parts, sums[None])[0])


def influences(rows: Rows, simple: Score) -> FloatArray | None:
    """By how much each row moves the difference of scores; None if the score has no derivatives."""
    counts = rows.how_often
    if not rows.n_differing:
        return np.zeros(counts.size)
    if not isinstance(simple, Mean):
        posed, order = posed_sums(rows, simple, counts), _one_order(rows)
        moves = linear_parts(posed.table[order], counts[order], posed.parts)
        return None if moves is None else moves[np.argsort(order)]
    differences = _differences(rows)
    sizes = np.ones(1) if simple.sizes is None else simple.sizes
    total = math.fsum((counts * sizes).tolist())
    if not total:
        return None
    rest = differences - math.fsum((counts * differences).tolist()) / total * sizes
    return np.asarray(rest / float(simple.unit * 10**rows.decimals) / total)


def _one_order(rows: Rows) -> IntArray:
    """An order of the rows, the same of the same rows however they come: rounding depends on it."""
    if rows.multiplicities is not None:
        return np.arange(len(rows.rows1))
    return np.lexsort(np.concatenate(rows.tables, axis=1).T)


def _differences(rows: Rows) -> FloatArray:
    """The differences of both systems' numbers, rounded once."""
    one, two = rows.rows1, rows.rows2
    if rows.no_lattice:
        return finite_difference(one, two, "examples have")
    if max(largest_entry(one), largest_entry(two)) >= _LARGEST:
        one = one.astype(object)
    return np.asarray(one - two).astype(np.float64)


def of_one_size(rows: Rows, mean: Mean) -> tuple[float, int, int, int] | None:
    """The size of all differences that are not 0, the numbers of wins and losses, and of all.

    None if they have several sizes; at least one differs.
    """
    differences, counts = _differences(rows), rows.how_often
    sizes = np.ones(1, dtype=np.int64) if mean.sizes is None else mean.sizes
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
    unit = float(sizes.max()) * mean.unit * 10**rows.decimals
    numbers = (counts[x].sum() for x in (differences > 0.0, differences < 0.0, has_size))
    wins, losses, n = map(int, numbers)
    return float(of_differing.max()) / unit, wins, losses, n


def _posed(rows: Rows, simple: Score) -> Posed:
    is_mean = isinstance(simple, Mean)
    return _posed_mean(rows, simple) if is_mean else posed_sums(rows, simple, rows.how_often)


def _posed_mean(rows: Rows, mean: Any) -> Posed:
    """The mean of differences; the difference of two means would lose digits."""
    differences = _differences(rows)
    unit = float(mean.unit * 10**rows.decimals)
    tables = [x[:, None].astype(np.float64) for x in (differences, rows.rows1, rows.rows2)]
    if mean.sizes is None:
        unit *= rows.n
    else:
        tables = [np.column_stack((x, mean.sizes)) for x in tables]
    part = Part(_MeanOfSums(unit), np.s_[:], 1.0)
    return Posed(tables[0], [part], tables[1:])


def posed_sums(rows: Rows, score: Any, counts: IntArray) -> Posed:
    """The difference of two scores of sums, each of its system's columns."""
    table, tables = rows.side_by_side, rows.tables
    width = tables[0].shape[1]
    if isinstance(score, Function):
        some = (counts @ table).astype(np.float64).reshape(2, width)
        score = Checked(score, rows, some, "resamples", 10**rows.decimals)
    parts = [Part(score, np.s_[:width], 1.0), Part(score, np.s_[width:], -1.0)]
    return Posed(table, parts, [*tables])


def _largest_change(posed: Posed, counts: IntArray) -> float:
    """The most that a row, or some of its numbers, contribute to a system's score, times n."""
    found, score = 0.0, Part(posed.parts[0].score, np.s_[:], 1.0)
    for rows in posed.of_systems:
        _, _, slopes = linearised(rows, counts, [score])
        together, apart = rows @ slopes[0], np.abs(rows) @ np.abs(slopes[0])
        found = max(found, float((apart + np.abs(together)).max()) / 2.0)
    return float(counts.sum()) * found
