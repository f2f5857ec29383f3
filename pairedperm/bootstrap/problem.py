"""A bootstrap test, reduced to what its p-value depends on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.shared_ratio import SharedRatio
from pairedperm.convolution import exact_dot
from pairedperm.errors import InputError
from pairedperm.scoring.class_score import ClassScore
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import MetricSpec

__all__ = [
    "BootstrapProblem",
    "check_several",
    "of_classes",
    "of_function",
    "of_means",
    "of_ratios",
    "of_real_means",
    "of_shares",
    "quotients",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Scores = tuple[FloatArray, FloatArray, FloatArray]
_FINEST = 2**40  # units of a lattice that is tried


@dataclass(frozen=True)
class BootstrapProblem:
    """Scores of sums over examples that are drawn with replacement.

    Attributes
    ----------
    score1, score2, statistic : float
        On the data.
    table : float64 array, shape (k, m)
        What is summed, of the distinct examples.
    multiplicities : int64 array, shape (k,)
        How often each occurs.
    scores : callable
        From sums, shape (b, m), to the difference of the scores and both, shape (b,) each.
    n_differing : int
    shared : SharedRatio or None
        The same, if the ideal bootstrap may be known.
    inexact : str
        Why it is not.
    sums_differences : bool
        Whether the difference is summed itself, or else that of two rounded scores.
    """

    score1: float
    score2: float
    statistic: float
    table: FloatArray
    multiplicities: IntArray
    scores: Callable[[FloatArray], Scores]
    n_differing: int
    shared: SharedRatio | None = None
    inexact: str = ""
    sums_differences: bool = False

    @property
    def n(self) -> int:
        """Number of examples."""
        return int(self.multiplicities.sum())


def of_means(
    scores1: IntArray, scores2: IntArray, multiplicities: IntArray, unit: int
) -> BootstrapProblem:
    """Of integers, each one score in units of 1 / unit."""
    sizes = np.ones(len(scores1), dtype=np.int64)
    return _of_shared(SharedRatio(scores1, scores2, sizes, multiplicities, unit))


def of_real_means(
    columns: Scores, multiplicities: IntArray, means: tuple[Fraction, Fraction], inexact: str
) -> BootstrapProblem:
    """Of the differences and both scores, in floats; `means` are those of the scores, exactly."""
    n = int(multiplicities.sum())

    def scores(sums: FloatArray) -> Scores:
        difference, score1, score2 = sums.T / n
        return difference, score1, score2

    return BootstrapProblem(
        score1=float(means[0]),
        score2=float(means[1]),
        statistic=float(means[0] - means[1]),
        table=np.stack(columns, axis=1),
        multiplicities=multiplicities,
        scores=scores,
        n_differing=int(multiplicities[columns[0] != 0.0].sum()),
        inexact=inexact,
        sums_differences=True,
    )


def of_ratios(
    pairs1: tuple[IntArray, IntArray],
    pairs2: tuple[IntArray, IntArray],
    multiplicities: IntArray,
    zero_division: Fraction,
) -> BootstrapProblem:
    """Of the numerators and the denominators of both systems' scores, shape (k,) each."""
    if np.array_equal(pairs1[1], pairs2[1]) and pairs1[1].any():
        columns = pairs1[0], pairs2[0], pairs1[1]
        return _of_shared(SharedRatio(*columns, multiplicities, zero_division=float(zero_division)))
    table = np.stack((*pairs1, *pairs2), axis=1)
    if_none = float(zero_division)

    def scores(sums: FloatArray) -> Scores:
        return _with_difference(quotients(sums[:, :2], if_none), quotients(sums[:, 2:], if_none))

    exact = [
        Fraction(x, z) if z else zero_division
        for x, z in ([exact_dot(multiplicities, x) for x in pair] for pair in (pairs1, pairs2))
    ]
    differs = (pairs1[0] != pairs2[0]) | (pairs1[1] != pairs2[1])
    return BootstrapProblem(
        score1=float(exact[0]),
        score2=float(exact[1]),
        statistic=float(exact[0] - exact[1]),
        table=table.astype(np.float64),
        multiplicities=multiplicities,
        scores=scores,
        n_differing=int(multiplicities[differs].sum()),
        inexact="the two systems' denominators differ",
    )


def of_function(
    rows1: NDArray[Any],
    rows2: NDArray[Any],
    multiplicities: IntArray,
    function: Callable[[FloatArray], FloatArray],
    inexact: str = "the score is a function of several sums",
) -> BootstrapProblem:
    """Of rows of shape (k, m), whose sums a function scores, from shape (b, m) to (b,)."""
    width = rows1.shape[1]

    def scores(sums: FloatArray) -> Scores:
        return _with_difference(function(sums[:, :width]), function(sums[:, width:]))

    table = np.hstack((rows1, rows2)).astype(np.float64)
    observed = np.array([[math.fsum((multiplicities * column).tolist()) for column in table.T]])
    score1, score2 = (float(x[0]) for x in scores(observed)[1:])
    return BootstrapProblem(
        score1=score1,
        score2=score2,
        statistic=score1 - score2,
        table=table,
        multiplicities=multiplicities,
        scores=scores,
        n_differing=int(multiplicities[(rows1 != rows2).any(axis=1)].sum()),
        inexact=inexact,
    )


def of_classes(counts: PairedCounts, spec: MetricSpec) -> BootstrapProblem:
    """Of rows (correct, predicted, right) of K classes each, over which a metric averages."""
    width = counts.rows1.shape[1] // 3
    score = ClassScore(spec, np.zeros(width, dtype=np.int64), np.zeros((3, 0), dtype=np.int64))

    def function(sums: FloatArray) -> FloatArray:
        correct, predicted, gold = np.hsplit(sums, 3)
        return score.of_resamples(correct, predicted, gold)

    inexact = "the score averages over classes"
    return of_function(counts.rows1, counts.rows2, counts.multiplicities, function, inexact)


def of_shares(counts: PairedCounts) -> BootstrapProblem:
    """Of the mean of ratios, rows (numerator, denominator) in lowest terms."""
    (x1, z1), (x2, z2), multiplicities = counts.rows1.T, counts.rows2.T, counts.multiplicities
    unit = math.lcm(*z1.tolist(), *z2.tolist())
    if unit <= _FINEST:
        return of_means(x1 * (unit // z1), x2 * (unit // z2), multiplicities, unit)
    columns = (x1 * z2 - x2 * z1) / (z1 * z2), x1 / z1, x2 / z2
    means = _mean_share(x1, z1, multiplicities), _mean_share(x2, z2, multiplicities)
    inexact = f"the common denominator of the answers' shares has {len(str(unit))} digits"
    return of_real_means(columns, multiplicities, means, inexact)


def _mean_share(numerators: IntArray, denominators: IntArray, multiplicities: IntArray) -> Fraction:
    """The mean of ratios, whose numerators are added over each denominator first."""
    total = Fraction(0)
    for denominator in np.unique(denominators):
        own = denominators == denominator
        total += Fraction(exact_dot(multiplicities[own], numerators[own]), int(denominator))
    return total / int(multiplicities.sum())


def _of_shared(shared: SharedRatio) -> BootstrapProblem:
    columns = shared.difference, shared.numerators1, shared.numerators2, shared.sizes
    unit, (score1, score2) = float(shared.unit), shared.scores
    if_none = (0.0, shared.zero_division, shared.zero_division)

    def scores(sums: FloatArray) -> Scores:
        sizes = sums[:, 3] * unit
        pairs = (np.stack((x, sizes), axis=1) for x in sums[:, :3].T)
        found = [quotients(pair, x) for pair, x in zip(pairs, if_none, strict=True)]
        return found[0], found[1], found[2]

    differs = shared.numerators1 != shared.numerators2
    return BootstrapProblem(
        score1=float(score1),
        score2=float(score2),
        statistic=float(score1 - score2),
        table=np.stack([column.astype(np.float64) for column in columns], axis=1),
        multiplicities=shared.multiplicities,
        scores=scores,
        n_differing=int(shared.multiplicities[differs].sum()),
        shared=None if shared.obstacle else shared,
        inexact=shared.obstacle,
        sums_differences=True,
    )


def _with_difference(score1: FloatArray, score2: FloatArray) -> Scores:
    return score1 - score2, score1, score2


def quotients(pairs: FloatArray, if_none: float) -> FloatArray:
    """Numerator / denominator of rows of both, or what the score is without one."""
    is_none = pairs[:, 1] == 0.0
    return np.asarray(np.where(is_none, if_none, pairs[:, 0] / np.where(is_none, 1.0, pairs[:, 1])))


def check_several(name: str, n: int) -> None:
    """Raise InputError if there is one example only."""
    if n < 2:
        raise InputError(
            f"`{name}` holds one example: a bootstrap draws examples with replacement, and of one "
            "every resample is the same. At least two are needed, some dozens to be of use."
        )
