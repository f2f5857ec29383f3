"""The studentised bootstrap interval of a score of sums, or of a difference, by its influences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.sampling import drawing_cost, draws_one_by_one, resampled_counts
from pairedperm.population.difference import (
    MeanOfSums,
    SummedRows,
    difference_of,
    errors_of,
    gradient,
    linearised,
    scale_of,
)

MOST_ROWS = 2**12  # tuned: the most rows that are resampled; more are put into groups
MOST_EXAMPLES = 2**24  # tuned: the most examples that are put into groups
_DRAWS = 2**19  # tuned: counts of rows that are drawn in one call
MOST_COLUMNS = 2**9  # tuned: up to so many, each resample has its own gradient
_MANY = 2**8  # tuned: distinct rows, from which several means share their resamples
_BLOCK, _MOST_BLOCKS = 1000, 10  # tuned: resamples of a block
MOST_NANOSECONDS = 1e10  # tuned: the time for all resamples, estimated
_PRODUCT, _CELL, _NUMBER = 0.3, 5.0, 15.0  # tuned: nanoseconds of each


def studentised_interval(
    strata: Sequence[SummedRows], confidence_level: float, seed: int
) -> tuple[float, float]:
    """Return d - t_high s and d - t_low s, with quantiles of t* = (d* - d) / s* over resamples.

    A resample draws the n examples n times with replacement [1]_, section 5.2.1; [2]_, chapter 12.
    It does so in each stratum [1]_, section 3.2. With the weights w_t of the strata, d = Σ w_t d_t,
    d* - d = Σ w_t (d_t* - d_t), s² = Σ w_t² s_t² and s*² = Σ w_t² s_t*².

    The nonparametric delta method [1]_, section 2.7.2, gives the standard errors s of a stratum's
    data and s* of a resample: s² = Σ_k c_k ((r_k - S / n) · g)². Row r_k occurs c_k times, S is the
    sum of the rows, and g is the gradient of the difference at S. The score must have derivatives.
    The interval is of second order: it accounts for skewness. It is asymptotic in the number of
    examples that differ. How often it covers a mean, by how many differ, is a table of the guide
    (`examples/calibration.py`). At 0.95 it was 0.91 for the mean of 20 lognormal
    numbers, 0.95 for that of 80, and 0.95 for the difference of F1 of 40 examples.

    More than 4,096 distinct rows are replaced by the sums of at least 2,048 random groups of
    examples, all of one size. The examples left over are not used. A sum of drawn groups has the
    mean, variance and skewness of as many examples, up to one part in thousands. s remains that of
    all examples. Of more than 2^24 examples, 2^24 are drawn first.

    There are 9,999 resamples, or thousands fewer, at least 999, if these would take more than about
    ten seconds. The time is estimated from the numbers of rows and columns. With more than 512
    columns, all resamples use the gradient of the data. Cost: O(resamples · rows · columns +
    resamples · columns²), with some 100 MB beside the table.

    Parameters
    ----------
    strata : sequence of SummedRows
        One for examples that are all drawn alike.
    confidence_level : float
        Between 0 and 1.
    seed : int
        The seed of the groups and the resamples; the same seed gives the same bits.

    Returns
    -------
    tuple of float, length 2
        Both ends, around d. An end is infinite if there are too few resamples for its quantile. It
        is infinite as well if more than (1 - confidence_level) / 2 of the resamples have another
        difference but no standard error. Both are infinite if the data have no standard error.

    Raises
    ------
    InputError
        If a score is beyond floats, or if a function gives no finite number.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997.
    .. [2] B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", 1993.
    """
    told = _resampled(strata, seed)
    return (-math.inf, math.inf) if told is None else _ends(*told, confidence_level)


def pvalues_of(stratum: SummedRows, number: float, seed: int) -> tuple[float, float]:
    """Return the least α at which the interval of level 1 - 2 α is above a number, and below it.

    They are (k + 1) / (m + 1), where k of m resamples have t* ≥ (d - number) / s, and ≤.
    """
    told = _resampled([stratum], seed)
    if told is None:
        return 1.0, 1.0
    difference, error, distances, errors = told
    pivots, observed = _pivots(distances, errors), (difference - number) / error
    above, below = (int(x.sum()) for x in (pivots >= observed, pivots <= observed))
    return (above + 1) / (pivots.size + 1), (below + 1) / (pivots.size + 1)


def _resampled(
    strata: Sequence[SummedRows], seed: int
) -> tuple[float, float, FloatArray, FloatArray] | None:
    """Return d, s, and d* - d and s* of all resamples; None if the data have no standard error."""
    rng = np.random.default_rng(seed)
    parts = [_Resampled(x, rng) for x in strata]
    unit = max(abs(x.unit) for x in parts)  # no square overflows
    difference = math.fsum(x.difference for x in parts)
    error = math.hypot(*(x.unit / unit * x.error for x in parts))
    if not error:
        return None
    m = _n_resamples(parts)
    distances, errors = np.zeros((2, m))
    for part in parts:
        moves, own = part.draw(m, rng)
        distances += part.unit / unit * moves
        errors = np.hypot(errors, part.unit / unit * own)
    return difference, unit * error, distances, errors


def intervals_of_means(
    strata: Sequence[SummedRows], confidence_level: float, seed: int
) -> list[tuple[float, float] | None]:
    """Return `studentised_interval` of each mean of many rows, but for rounding; None for others.

    The resamples are drawn once for all that draw from as many examples, or groups of them: there
    the seed draws the same ones. With the influences v_k of a mean, whose sum is 0,
    d* - d = Σ w_k v_k and s*² = Σ w_k v_k² - (d* - d)² / n, which are products of matrices.
    """
    intervals: list[tuple[float, float] | None] = [None] * len(strata)
    alike: dict[int, dict[int, _Resampled]] = {}
    sources: dict[int, np.random.Generator] = {}  # in the state that groups leave
    for k, stratum in enumerate(strata):
        if _is_mean_of_many(stratum):
            rng = np.random.default_rng(seed)
            part = _Resampled(stratum, rng)
            alike.setdefault(part.n_drawn, {})[k] = part
            sources[part.n_drawn] = rng
    for n, parts in alike.items():
        resampled = _together([*parts.values()], sources[n])
        for (k, part), *drawn in zip(parts.items(), *resampled, strict=True):
            intervals[k] = -math.inf, math.inf
            if part.error:
                unit, (moves, errors) = abs(part.unit), part.without_rounding(*drawn)
                told = part.difference, unit * part.error, moves, errors
                intervals[k] = _ends(*told, confidence_level)
    return intervals


def _together(
    parts: Sequence[_Resampled], rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return d* - d and s* of means in the same resamples, each of shape (parts, resamples)."""
    values, m = np.column_stack([x.influences for x in parts]), _n_resamples(parts[:1])
    n, squares = len(values), values**2
    moves, errors = np.empty((2, m, len(parts)))
    at = 0
    for drawn in resampled_counts(np.ones(n, dtype=np.int64), m, rng, max(_DRAWS // n, 1)):
        weights, some = drawn.astype(np.float64), slice(at, at + len(drawn))
        moves[some], errors[some] = weights @ values, weights @ squares
        at += len(drawn)
    errors -= moves**2 / n
    return moves.T, np.sqrt(np.maximum(errors, 0.0, out=errors), out=errors).T


def _is_mean_of_many(stratum: SummedRows) -> bool:
    """Tell whether it is a mean of examples, drawn one by one, of which many are distinct."""
    table, counts, terms, weight = stratum
    is_mean = len(terms) == 1 and isinstance(terms[0].score, MeanOfSums) and table.shape[1] == 1
    is_many = counts.size >= _MANY and draws_one_by_one(counts)
    return is_mean and is_many and weight == 1.0


def _n_resamples(parts: Sequence[_Resampled]) -> int:
    """Return how many resamples take no more than some ten seconds."""
    n_blocks = int(MOST_NANOSECONDS / sum(x.nanoseconds for x in parts) / _BLOCK)
    return _BLOCK * min(max(n_blocks, 1), _MOST_BLOCKS) - 1


def _ends(
    difference: float, error: float, distances: FloatArray, errors: FloatArray, level: float
) -> tuple[float, float]:
    """Return d - t_high s and d - t_low s."""
    low, high = _quantiles(_pivots(distances, errors), (1.0 - level) / 2.0)
    ends = difference - error * high, difference - error * low
    return float(min(ends[0], difference)), float(max(ends[1], difference))


def _pivots(distances: FloatArray, errors: FloatArray) -> FloatArray:
    """Return t* of each resample; without an error it is infinite, or 0 at the middle."""
    far = np.where(distances == 0.0, 0.0, np.copysign(np.inf, distances))
    return np.where(errors == 0.0, far, distances / np.where(errors == 0.0, 1.0, errors))


class _Resampled:
    """A stratum as it is drawn: its weighted difference d, and d* - d and s* of resamples.

    Attributes
    ----------
    difference : float
        d, of all examples.
    unit : float
        The unit of errors and distances, negative if the weight is.
    error : float
        s of all examples in units; 0 if it is mere rounding.
    nanoseconds : float
        The time of a resample, estimated.
    """

    def __init__(self, stratum: SummedRows, rng: np.random.Generator) -> None:
        table, counts, self._terms, weight = stratum
        sums, self._sizes, self._slopes = linearised(table, counts, self._terms)
        self.difference = weight * float(difference_of(self._terms, sums)[0])
        self._own_unit, self._least = scale_of(table, counts, self._slopes)
        self.unit = weight * self._own_unit
        error = float(errors_of(table, counts[None], sums, self._slopes / self._own_unit)[0])
        self.error = error if error > self._least else 0.0
        # Groups of examples stand for too many rows; the middle is the difference of what is drawn.
        if counts.size > MOST_ROWS:
            table, counts = _groups(table, counts, rng)
        self._table, self._counts = table.astype(np.float64, copy=False), counts
        self._middle = difference_of(self._terms, (counts @ self._table)[None])[0]
        width = table.shape[1]
        widest = max(len(range(*x.columns.indices(width))) for x in self._terms)
        self._has_own_gradients = widest <= MOST_COLUMNS
        n_columns = widest if self._has_own_gradients else 0
        self.nanoseconds = drawing_cost(self._table, counts).nanoseconds
        self.nanoseconds += counts.size * (_CELL + 2.0 * _PRODUCT * width)
        self.nanoseconds += 4.0 * _NUMBER * n_columns**2

    def draw(self, m: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return d* - d and s* of m resamples in units; both are 0 where they are mere rounding."""
        counts, unit = self._counts, self._own_unit
        distances, errors = np.empty((2, m))
        at, n_rows = 0, max(_DRAWS // min(int(counts.sum()), 4 * counts.size), 1)
        for drawn in resampled_counts(counts, m, rng, n_rows):
            weights = drawn.astype(np.float64)
            sums, slopes = weights @ self._table, self._slopes
            if self._has_own_gradients:
                slopes = gradient(self._terms, sums, self._sizes)
            some = slice(at, at + len(sums))
            errors[some] = errors_of(self._table, weights, sums, slopes / unit)
            distances[some] = (difference_of(self._terms, sums) - self._middle) / unit
            at += len(sums)
        return self.without_rounding(distances, errors)

    @property
    def n_drawn(self) -> int:
        """The number of examples, or of groups of them, that a resample draws."""
        return int(self._counts.sum())

    @property
    def influences(self) -> FloatArray:
        """Return what each of the n draws may add to d* - d of a mean, in units; their sum is 0."""
        of_one = difference_of(self._terms, np.ones((1, 1)))[0] / self._own_unit
        values = np.repeat(self._table[:, 0] * of_one, self._counts)
        return np.asarray(values - values.mean())

    def without_rounding(
        self, distances: FloatArray, errors: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return d* - d and s*, both 0 where they are mere rounding."""
        is_none = errors <= self._least
        distances[is_none & (np.abs(distances) <= self._least)] = 0.0
        return distances, np.where(is_none, 0.0, errors)


def _groups(
    table: NDArray[Any], counts: IntArray, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    """Return the sums of random groups of examples, all of one size, as rows that occur once."""
    n = int(counts.sum())
    if n > MOST_EXAMPLES:
        n, counts = MOST_EXAMPLES, rng.multinomial(MOST_EXAMPLES, counts / n)
    examples = rng.permutation(np.repeat(np.arange(counts.size, dtype=np.int32), counts))
    size = -(-n // MOST_ROWS)
    n_groups = n // size
    sums = np.zeros((n_groups, table.shape[1]))
    for members in examples[: n_groups * size].reshape(size, n_groups):
        sums += table[members]
    return sums, np.ones(n_groups, dtype=np.int64)


def _quantiles(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the values of rank (size + 1) · level from both ends; infinite if the rank is 0."""
    rank = math.floor((values.size + 1) * level * (1.0 + 1e-12))
    if rank < 1:
        return -math.inf, math.inf
    values.partition((rank - 1, values.size - rank))
    return float(values[rank - 1]), float(values[values.size - rank])
