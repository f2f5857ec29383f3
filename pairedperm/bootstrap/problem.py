"""A test under draws, posed: what its p-value depends on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.shared_ratio import SharedRatio
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.draws.multinomial import resampled_sums
from pairedperm.errors import InputError
from pairedperm.inputs.rationals import on_rational_lattice
from pairedperm.results.sampled import SampledProbability
from pairedperm.scoring.counts import of_units
from pairedperm.scoring.function import Function
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.waist import Mean, Rows, Score, SumScore

__all__ = ["Answer", "Draws", "Scores", "pose"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Scores = tuple[FloatArray, FloatArray, FloatArray]
_SOME = 64  # random resamples for which a function is tried


class Draws(ABC):
    """Scores of sums over examples that are drawn with replacement.

    Attributes
    ----------
    score1, score2, statistic : float
        On the data.
    table : float64 array, shape (k, m)
        What is summed, of the distinct examples.
    multiplicities : int64 array, shape (k,)
        How often each occurs.
    n, n_differing : int
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
    n: int
    n_differing: int
    shared: SharedRatio | None = None
    inexact: str = ""
    sums_differences: bool = False

    @abstractmethod
    def scores(self, sums: FloatArray) -> Scores:
        """From sums, shape (b, m), the difference of the scores and both, shape (b,) each."""


class Answer(NamedTuple):
    """A p-value, and the intervals of the difference and of both scores."""

    p: CertifiedProbability | SampledProbability
    intervals: list[tuple[float, float]]


def pose(name: str, rows: Rows, score: Score) -> Draws:
    """The problem that the score, as it simplifies itself, poses on these rows.

    Raises
    ------
    InputError
        If there is one example only, of the column `name`.
    """
    if rows.n < 2:
        raise InputError(
            f"`{name}` holds one example: a bootstrap draws examples with replacement, and of one "
            "every resample is the same. At least two are needed, some dozens to be of use."
        )
    rows, simple = score.simplify(rows if rows.no_lattice else rows.counted(), "draws")
    if not isinstance(simple, Mean):
        return _Functions(rows, simple)  # type: ignore[arg-type]
    if not rows.no_lattice:
        return _Shared(rows, simple)
    fractions = None if simple.scores else on_rational_lattice((rows.rows1, rows.rows2))
    if fractions is None:
        return _RealMeans(rows, simple)
    (one, two), unit = fractions
    return _Shared(Rows(one, two, np.ones(len(one), dtype=np.int64)), Mean(unit))


class _Shared(Draws):
    """Of sums over a denominator that both systems have in common."""

    sums_differences = True

    def __init__(self, rows: Rows, score: Mean) -> None:
        assert rows.multiplicities is not None
        unit = score.unit * 10**rows.decimals
        if score.sizes is None:
            sizes = np.ones(len(rows.rows1), dtype=np.int64)
            columns = rows.rows1, rows.rows2, sizes, rows.multiplicities
        else:  # the same numbers of some examples may have differed in what does not matter
            one, two = (np.stack((x, score.sizes), axis=1) for x in (rows.rows1, rows.rows2))
            counts = of_units(one, two, rows.multiplicities, 0)
            numerators1, sizes = counts.rows1.T
            columns = numerators1, counts.rows2[:, 0], sizes, counts.multiplicities
        shared = SharedRatio(*columns, unit, score.zero_division)
        self._of = shared
        self.shared, self.inexact = None if shared.obstacle else shared, shared.obstacle
        score1, score2 = shared.scores
        self.score1, self.score2 = float(score1), float(score2)
        self.statistic = float(score1 - score2)
        table = shared.difference, shared.numerators1, shared.numerators2, shared.sizes
        self.table = np.stack([column.astype(np.float64) for column in table], axis=1)
        self.multiplicities, self.n = shared.multiplicities, rows.n
        differs = shared.numerators1 != shared.numerators2
        self.n_differing = int(shared.multiplicities[differs].sum())

    def scores(self, sums: FloatArray) -> Scores:
        """See `Draws`."""
        sizes = sums[:, 3] * float(self._of.unit)
        is_none = sizes == 0.0
        divisors = np.where(is_none, 1.0, sizes)
        if_none = 0.0, self._of.zero_division, self._of.zero_division
        found = [
            np.where(is_none, x, column / divisors)
            for x, column in zip(if_none, sums[:, :3].T, strict=True)
        ]
        return found[0], found[1], found[2]


class _RealMeans(Draws):
    """Of means of numbers that lie on no lattice, in floats."""

    sums_differences = True

    def __init__(self, rows: Rows, score: Mean) -> None:
        one, two = rows.rows1, rows.rows2
        _check_sums(np.stack((one, two)), rows.n)
        mean1, mean2 = score.scores or (_exact_mean(one), _exact_mean(two))
        self.score1, self.score2 = float(mean1), float(mean2)
        self.statistic = float(mean1 - mean2)
        self.table = np.stack((one - two, one, two), axis=1)
        self.multiplicities, self.n = _multiplicities(rows), rows.n
        self.n_differing = int(self.multiplicities[one != two].sum())
        self.inexact = rows.no_lattice

    def scores(self, sums: FloatArray) -> Scores:
        """See `Draws`."""
        difference, score1, score2 = sums.T / self.n
        return difference, score1, score2


class _Functions(Draws):
    """Of any score of the sums of each system's rows."""

    def __init__(self, rows: Rows, score: SumScore | Function) -> None:
        if isinstance(score, Quotient) and not rows.no_lattice:
            rows = Rows.of(of_units(rows.rows1, rows.rows2, rows.multiplicities, 0))
        rows1, rows2 = rows.tables
        self.multiplicities, self.n = _multiplicities(rows), rows.n
        self._width = rows1.shape[1]
        self.table = np.hstack((rows1, rows2)).astype(np.float64)
        _check_sums(self.table, self.n)
        self._score: Any = score
        self.inexact = "the score is a function of several sums"
        if isinstance(score, Function):
            self._score = score.checked(rows, self._some(), "resamples", 10**rows.decimals)
        elif isinstance(score, Quotient):
            self.inexact = "the two systems' denominators differ"
        if rows.no_lattice:
            self.inexact = f"the rows lie on no lattice: {rows.no_lattice}"
        if isinstance(score, Quotient) and not rows.no_lattice:
            exact1, exact2 = map(score.exact, rows.sums)
            self.score1, self.score2 = float(exact1), float(exact2)
            self.statistic = float(exact1 - exact2)
        else:
            sums = [math.fsum((self.multiplicities * column).tolist()) for column in self.table.T]
            _, one, two = self.scores(np.array([sums]))
            self.score1, self.score2 = float(one[0]), float(two[0])
            self.statistic = self.score1 - self.score2
        differs = (rows1 != rows2).any(axis=1)
        self.n_differing = int(self.multiplicities[differs].sum())

    def scores(self, sums: FloatArray) -> Scores:
        """See `Draws`."""
        one, two = self._score(sums[:, : self._width]), self._score(sums[:, self._width :])
        return one - two, one, two

    def _some(self) -> FloatArray:
        """Sums of the data, and of some resamples."""
        rng = np.random.default_rng(0)
        tables = np.hsplit(self.table, [self._width])
        found = [
            block
            for table in tables
            for block in resampled_sums(table, self.multiplicities, _SOME, rng)
        ]
        return np.concatenate([*((self.multiplicities @ x)[None] for x in tables), *found])


def _multiplicities(rows: Rows) -> IntArray:
    if rows.multiplicities is None:
        return np.ones(len(rows.rows1), dtype=np.int64)
    return rows.multiplicities


def _exact_mean(column: FloatArray) -> Fraction:
    """Σ x / n without rounding: what a rounded sum leaves is summed again, until nothing is."""
    total, rest = Fraction(0), column.tolist()
    while rounded := math.fsum(rest):
        total += Fraction(rounded)
        rest.append(-rounded)
    return total / column.size


def _check_sums(table: FloatArray, n: int) -> None:
    """Raise InputError if sums of n rows, or the difference of two sums, may exceed float64."""
    largest = float(np.abs(table).max())
    if not math.isfinite(2.0 * n * largest):
        raise InputError(
            f"there are numbers up to {largest:.3g}: their sums must be floats. Divide by a common "
            "unit."
        )
