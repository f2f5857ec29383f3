"""The sums that swaps give, and those at least as extreme as the observed ones; ties count."""

from __future__ import annotations

import math
from functools import cached_property, partial
from operator import sub
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.engine import advance
from pairedperm.convolution.grid.product_law import ProductLaw, product_law
from pairedperm.convolution.grid.span import PointMasses, point_nanoseconds
from pairedperm.convolution.integers import largest_entry, size_sums
from pairedperm.convolution.law import FloatArray, IntArray, distinct_differences
from pairedperm.convolution.sampling import sampled_sums
from pairedperm.errors import InputError, NoLatticeError
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import SumScore, finite_difference

_SOME = 64  # proof: random assignments; their largest statistic scales _TIE_OF_ALL
_MOST_EXACT = 2**53  # proof: up to it all integers are floats
BoolArray = NDArray[np.bool_]
_TIE = 1e-12  # proof: differences tie within this share of the largest score
_TIE_OF_ALL = 1e-14  # proof: they also tie within this share of the largest of some random swaps
_UNCLEAR = 1e-9  # proof: differences within this share are compared exactly, if possible
COMPARED = 2**20  # tuned: entries of points that are compared together


def is_extreme(observed: Any, alternative: str, difference: Any) -> Any:
    """Tell whether a difference, or each one of an array, is at least as extreme as observed."""
    if alternative == "two-sided":
        return abs(difference) >= abs(observed)
    return difference >= observed if alternative == "greater" else difference <= observed


class SumDifferences:
    """The distinct differences of two systems' rows, up to sign, and the sums of the rows.

    A fair coin decides for each example which of its two rows is counted. The sum of the counted
    rows is C = start - B, with B = Σ_k vectors[k] · Binomial(multiplicities[k], 1/2). The sum of
    the other rows is total - C.

    Attributes
    ----------
    vectors, multiplicities : int64 array, shape (k, m) and (k,)
        The distinct differences other than 0, and how often each occurs. The first entry that is
        not 0 is positive.
    sum1, sum2 : int64 array, shape (m,)
        The sum of the first rows, and of the second rows.
    total : int64 array, shape (m,)
        The sum of all rows, which no swap changes.
    start : int64 array, shape (m,)
        The sum of the counted rows if B = 0.

    Raises
    ------
    NoLatticeError
        If the rows are no integers, or a sum of them exceeds 2^52.
    """

    def __init__(self, rows: Rows) -> None:
        if rows.no_lattice:
            raise NoLatticeError(rows.no_lattice)
        rows1, rows2 = rows.tables
        self.n, sums, counts = rows.n, rows.sums, rows.multiplicities
        largest = self.n * (largest_entry(rows1) + largest_entry(rows2))
        if 2 * largest > _MOST_EXACT and counts is not None:  # the bound may be too high
            largest = sum(max(size_sums(x, counts), default=0) for x in (rows1, rows2))
        if 2 * largest > _MOST_EXACT:
            fact = f"the counts add up to {largest:.3g}, and sums are exact floats only up to 2^52"
            raise NoLatticeError(fact, remedy="Give the counts in a larger unit")
        self.vectors, self.multiplicities = distinct_differences(rows1, rows2, counts)
        self.sum1, self.sum2 = np.array(sums)
        self.total = self.sum1 + self.sum2
        self.start = (self.total + self.multiplicities @ self.vectors) // 2

    @cached_property
    def law(self) -> ProductLaw:
        """The law of B, not yet computed."""
        return product_law(self.vectors, self.multiplicities)

    @cached_property
    def some(self) -> FloatArray:
        """The sums C of the observed assignment, of its mirror image, and of some random ones."""
        rng = np.random.default_rng(0)
        blocks = sampled_sums(self.vectors, self.multiplicities, _SOME, rng)
        counted = [self.start - sums for sums in blocks]
        return np.concatenate((self.sum1[None], self.sum2[None], *counted)).astype(np.float64)

    def counted_of_signed(self, signed: NDArray[Any]) -> FloatArray:
        """Return C for the signed sums S = Σ ± vectors."""
        return np.asarray((self.total + signed) / 2.0, dtype=np.float64)


def beyond_floats(score1: float, score2: float) -> InputError:
    """Return the error for a score, or a difference of both, that is beyond floats."""
    return InputError(
        f"the scores are {score1:.3g} and {score2:.3g}, beyond floats",
        remedy="give the numerators in a larger unit, or the denominators in a smaller one",
    )


class ScoreExtremes:
    """The extreme sums C under a score: D = score(C) - score(T - C), T the sum of all rows.

    D changes its sign if everything is swapped. In floats D and the observed difference tie if
    they differ by at most 1e-12 of the largest of the four scores. Exact scores that are near are
    compared exactly.
    """

    scores: tuple[float, float] | tuple[None, None]  # the observed scores of both systems
    _rounding = 0.0  # two differences tie at least within this distance
    _exactly: Any = None  # the observed difference, if scores are exact

    def __init__(self, differences: SumDifferences, score: SumScore, alternative: str) -> None:
        self._differences, self._score, self._alternative = differences, score, alternative
        both = np.stack((differences.sum1, differences.sum2))
        score1, score2 = self.scores = tuple(score(both.astype(np.float64)).tolist())
        self.observed, self._largest = score1 - score2, max(abs(score1), abs(score2))
        is_same = abs(self.observed) <= _TIE * self._largest
        if score.is_exact:
            self._exactly = score.exact(both[0].tolist()) - score.exact(both[1].tolist())
            is_same = self._exactly == 0
        if not math.isfinite(self.observed):
            raise beyond_floats(score1, score2)
        self.sign = 0 if is_same else (1 if self.observed > 0.0 else -1)

    def at(self, counted: FloatArray) -> BoolArray:
        """Tell which of the sums C, shape (n, m), are extreme."""
        flags, unclear = self._compared(*self._both(counted))
        if unclear.size:
            flags[unclear] = self._decided(counted[unclear])
        return flags

    def among(self, law: PointMasses) -> BoolArray:
        """Tell which points B of a law are extreme; the score is called once for each."""
        scores, mirrored = self._on(law)
        blocks = []
        n_rows = max(COMPARED // self._differences.total.size, 1)
        for start in range(0, scores.size, n_rows):
            block = slice(start, start + n_rows)
            flags, unclear = self._compared(scores[block], mirrored[block])
            if unclear.size:
                points = law.points(start + unclear)
                flags[unclear] = self._decided(self._differences.start - points)
            blocks.append(flags)
        return np.concatenate(blocks)

    def values_at(self, counted: FloatArray) -> tuple[FloatArray, float]:
        """Return D for sums C, shape (n, m), and the size of the largest score."""
        return _differences(*self._both(counted))

    def values(self, law: PointMasses) -> tuple[FloatArray, float]:
        """Return D at the points B of a law, and the size of the largest score."""
        return _differences(*self._on(law))

    def _both(self, counted: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the scores of sums C, and of T - C."""
        return self._score(counted), self._score(self._differences.total - counted)

    def _on(self, law: PointMasses) -> tuple[FloatArray, FloatArray]:
        """Return both scores at the points B of a law; T - C is C of the mirror image."""
        values = np.empty(law.masses.size)
        each = point_nanoseconds(len(law.shape), law.basis.shape[1])
        n_rows = max(COMPARED // self._differences.total.size, 1)
        for start in range(0, values.size, n_rows):
            block = slice(start, start + n_rows)
            values[block] = self._score(self._differences.start - law.points(block))
            advance(each * values[block].size)
        return values, values[::-1]

    def _compared(self, first: FloatArray, second: FloatArray) -> tuple[BoolArray, IntArray]:
        """Tell in floats whether D is extreme, and where exact numbers must decide."""
        d = self.observed
        with np.errstate(invalid="ignore"):  # scores beyond floats are compared exactly
            difference = first - second
        if self._alternative == "two-sided":
            excess = np.abs(difference) - abs(d)
        else:
            excess = difference - d if self._alternative == "greater" else d - difference
        scale = np.maximum(np.maximum(np.abs(first), np.abs(second)), self._largest)
        if self._exactly is not None:
            return excess >= 0.0, np.flatnonzero(~(np.abs(excess) > _UNCLEAR * scale))
        tie = np.maximum(_TIE * scale, self._rounding)
        return excess >= -tie, np.zeros(0, dtype=np.int64)

    def _decided(self, counted: FloatArray) -> BoolArray:
        """Tell in exact numbers which sums C are extreme."""
        points, position = np.unique(counted.astype(np.int64), axis=0, return_inverse=True)
        mirrored, exact = self._differences.total - points, self._score.exact
        one, two = map(exact, points.tolist()), map(exact, mirrored.tolist())
        decided = partial(is_extreme, self._exactly, self._alternative)
        flags = np.array([*map(decided, [*map(sub, one, two)])])
        return np.asarray(flags[position.reshape(-1)])


class StatisticExtremes(ScoreExtremes):
    """The extreme sums C under a statistic: statistic(C) ≥ statistic(observed sum).

    Two values tie if they differ by at most 1e-12 of the larger one. They also tie within 1e-14
    of the largest |value| of the observed sum and 64 random swaps, because rounding may move a 0.
    """

    sign = 1

    def __init__(self, differences: SumDifferences, statistic: SumScore, alternative: str) -> None:
        self._differences, self._score, self._alternative = differences, statistic, alternative
        self.scores = None, None
        self.observed = float(statistic(differences.sum1[None].astype(np.float64))[0])
        self._largest = abs(self.observed)
        some = np.abs(statistic(differences.some))
        self._rounding = _TIE_OF_ALL * max(float(some.max()), self._largest)

    def _both(self, counted: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._score(counted), np.zeros(len(counted))

    def _on(self, law: PointMasses) -> tuple[FloatArray, FloatArray]:
        values, _ = super()._on(law)
        return values, np.broadcast_to(0.0, values.shape)


def _differences(scores: FloatArray, mirrored: FloatArray) -> tuple[FloatArray, float]:
    """Return the differences of scores and mirrored scores, and the size of the largest score."""
    differences = finite_difference(scores, mirrored, "swaps give")
    return differences, float(max(np.abs(scores).max(), np.abs(mirrored).max()))
