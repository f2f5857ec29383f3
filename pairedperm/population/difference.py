"""The confidence interval of the difference of two scores, from rows and their score."""

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
    Part,
    difference_of,
    gradient,
    linear_parts,
    linearised,
    products,
    studentised_interval,
    sums_of,
    weighted_sums,
)
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, SumScore, check_sums, finite_difference

SCORE, BOOTSTRAP = "Tango score", "studentised bootstrap"
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
    counts = rows.how_often
    n_differing = rows.n_differing
    if isinstance(simple, Mean) and n_differing and (found := of_one_size(rows, simple)):
        size, wins, losses, n = found
        low, high = (size * x for x in score_interval(wins, losses, n, confidence_level))
        return DifferenceInterval(max(low, -bound), min(high, bound), SCORE)
    posed = pose_difference(rows, simple)
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
    observed = difference_of(posed.parts, weighted_sums(counts, posed.table)[None])[0]
    if abs(observed) > reach:  # the score jumps, such as where a denominator is 0
        reach = bound
    return DifferenceInterval(max(low, -reach), min(high, reach), BOOTSTRAP)


class Posed(NamedTuple):
    """The rows that are summed, the difference as parts of the sums, and each system's rows."""

    table: NDArray[Any]
    parts: list[Part]
    of_systems: list[NDArray[Any]]

    def exchanged(self, sums: FloatArray) -> FloatArray:
        """Return the sums if the two systems change places."""
        if len(self.parts) == 1:  # of differences, and perhaps of sizes
            return np.asarray(sums * np.array([-1.0, 1.0])[: sums.size])
        return np.roll(sums, sums.size // 2)


class _MeanOfSums(SumScore):
    """The first sum over a constant, and over the second sum if there is one and it is not 0."""

    def __init__(self, unit: float) -> None:
        self._unit = unit

    def __call__(self, sums: FloatArray) -> FloatArray:
        """See `SumScore`."""
        sizes = sums[:, 1] if sums.shape[1] == 2 else np.ones(1)
        return np.asarray(sums[:, 0] / np.where(sizes == 0.0, 1.0, sizes) / self._unit)


def difference_error(rows: Rows, simple: Score) -> float | None:
    """Return the standard error of the difference, for a score simplified for draws of these rows.

    For a mean it is √(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, of G groups (or examples) with n_g
    examples each. For other scores it is that of the linear part, by the delta method. It is None
    for one group, and if the score has no derivatives.
    """
    found = influences(rows, simple)
    return None if found is None else error_of(found, rows.how_often)


def error_of(found: FloatArray, counts: IntArray) -> float | None:
    """Return √(G / (G - 1) Σ v²) for the influences v of G examples or groups; None for one."""
    n = int(counts.sum())
    if n < 2:
        return None
    unit = float(np.abs(found).max()) or 1.0  # v² may overflow
    squares = math.fsum((counts * (found / unit) ** 2).tolist())  # the same in any order
    return unit * math.sqrt(n / (n - 1) * squares)


def influences(rows: Rows, simple: Score) -> FloatArray | None:
    """Return each row's influence on the difference; None if the score has no derivatives."""
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
    return np.asarray(rest / float(simple.unit) / total)


def effects(rows: Rows, simple: Score) -> FloatArray | None:
    """Return by how much each row speaks for system 1; None if the score has no derivatives.

    It is half of what a swap of the row takes from the difference, if both systems have the mean of
    their sums.
    """
    if isinstance(simple, Mean):
        sizes = np.ones(1) if simple.sizes is None else simple.sizes
        total = math.fsum((rows.how_often * sizes).tolist())
        return _differences(rows) / float(simple.unit) / (total or 1.0)
    posed, tables = posed_sums(rows, simple, rows.how_often), rows.tables
    (sums1, sizes1), (sums2, sizes2) = (sums_of(x, rows.how_often) for x in tables)
    part, means = Part(posed.parts[0].score, np.s_[:], 1.0), (sums1 + sums2) / 2.0
    try:
        slopes = gradient([part], means, (sizes1 + sizes2) / 2.0)
    except InputError:  # a function may need whole sums
        return None
    one, two = (products(slopes, x)[0] for x in tables)
    return one - two if (one != two).any() else None


def _one_order(rows: Rows) -> IntArray:
    """Return an order of the rows that does not depend on how they came, as rounding would."""
    if rows.multiplicities is not None:
        return np.arange(len(rows.rows1))
    return np.lexsort(np.concatenate(rows.tables, axis=1).T)


def _differences(rows: Rows) -> FloatArray:
    """Return the differences of both systems' numbers, rounded once."""
    one, two = rows.rows1, rows.rows2
    if rows.no_lattice:
        return finite_difference(one, two, "examples have")
    if max(largest_entry(one), largest_entry(two)) >= _LARGEST:
        one = one.astype(object)
    return np.asarray(one - two).astype(np.float64)


def of_one_size(rows: Rows, mean: Mean) -> tuple[float, int, int, int] | None:
    """Return the one size of all differences but 0, and the numbers of wins, losses and examples.

    None if the differences have several sizes. At least one example differs. If the examples have
    sizes, only those with a size are counted.
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
    unit = float(sizes.max()) * mean.unit
    numbers = (counts[x].sum() for x in (differences > 0.0, differences < 0.0, has_size))
    wins, losses, n = map(int, numbers)
    return float(of_differing.max()) / unit, wins, losses, n


def pose_difference(rows: Rows, simple: Score) -> Posed:
    """Pose the difference of scores as a function of the sums of the rows."""
    is_mean = isinstance(simple, Mean)
    return _posed_mean(rows, simple) if is_mean else posed_sums(rows, simple, rows.how_often)


def _posed_mean(rows: Rows, mean: Any) -> Posed:
    """Pose the mean of differences: the difference of two means would lose digits."""
    differences = _differences(rows)
    unit = float(mean.unit)
    tables = [x[:, None].astype(np.float64) for x in (differences, rows.rows1, rows.rows2)]
    if mean.sizes is None:
        unit *= rows.n
    else:
        tables = [np.column_stack((x, mean.sizes)) for x in tables]
    part = Part(_MeanOfSums(unit), np.s_[:], 1.0)
    return Posed(tables[0], [part], tables[1:])


def posed_sums(rows: Rows, score: Any, counts: IntArray) -> Posed:
    """Pose the difference of two scores, each a function of its own system's sums."""
    table, tables = rows.side_by_side, rows.tables
    width = tables[0].shape[1]
    if isinstance(score, Function):
        some = (counts @ table).astype(np.float64).reshape(2, width)
        score = Checked(score, rows, some, "resamples", rows.unit)
    parts = [Part(score, np.s_[:width], 1.0), Part(score, np.s_[width:], -1.0)]
    return Posed(table, parts, [*tables])


def _largest_change(posed: Posed, counts: IntArray) -> float:
    """Return n times the most that a row, or some of its numbers, contribute to a score."""
    found, score = 0.0, Part(posed.parts[0].score, np.s_[:], 1.0)
    for rows in posed.of_systems:
        _, _, slopes = linearised(rows, counts, [score])
        together, apart = products(slopes, rows)[0], products(np.abs(slopes), rows, np.abs)[0]
        found = max(found, float((apart + np.abs(together)).max()) / 2.0)
    return float(counts.sum()) * found
