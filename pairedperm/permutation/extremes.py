"""Which sums are at least as extreme as those observed: ties count."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from operator import sub
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.grid.parts import Part
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.scoring.waist import SumScore

if TYPE_CHECKING:
    from pairedperm.permutation.sums import SumDifferences

BoolArray = NDArray[np.bool_]
_TIE = 1e-12  # of the larger of two scores, by which they may differ and tie
_TIE_OF_ALL = 1e-14  # of the largest statistic of some random swaps
_UNCLEAR = 1e-9  # of the larger of two scores: nearer ones are compared exactly, if they can be
_CELLS = 2**20  # numbers of points that are looked at together


def is_extreme(observed: Any, alternative: str, difference: Any) -> Any:
    """Whether a difference, or each of an array, is at least as extreme as observed."""
    if alternative == "two-sided":
        return abs(difference) >= abs(observed)
    return difference >= observed if alternative == "greater" else difference <= observed


class ScoreExtremes:
    """D = score(C) - score(T - C), T the sum of all rows, which is odd under swapping everything.

    In floats D and the observed difference tie if they differ by at most 1e-12 of the largest
    of the four scores. Exact scores are compared exactly where they are near.
    """

    def __init__(self, differences: SumDifferences, score: SumScore, alternative: str) -> None:
        self._differences, self._score, self._alternative = differences, score, alternative
        both = np.stack((differences.sum1, differences.sum2))
        self.score1, self.score2 = score(both.astype(np.float64)).tolist()
        if not math.isfinite(self.score1) or not math.isfinite(self.score2):
            raise InputError(
                f"the scores are {self.score1:.3g} and {self.score2:.3g}, beyond floats: give the "
                "numerators in a larger unit, or the denominators in a smaller one."
            )
        self.observed = self.score1 - self.score2
        self._exactly = None
        if score.is_exact:
            self._exactly = score.exact(both[0].tolist()) - score.exact(both[1].tolist())
            is_same = self._exactly == 0
        else:
            is_same = abs(self.observed) <= _TIE * max(abs(self.score1), abs(self.score2))
        self.sign = 0 if is_same else (1 if self.observed > 0.0 else -1)  # of the difference

    def at(self, counted: FloatArray) -> BoolArray:
        """Whether the sums C, shape (n, m), are extreme."""
        first, second = self._score(counted), self._score(self._differences.total - counted)
        flags, unclear = self._compared(first, second)
        if unclear.size:
            flags[unclear] = self._decided(counted[unclear])
        return flags

    def surely_at(self, counted: FloatArray) -> BoolArray:
        """The same without those that tie or nearly tie in floats: only exact scores tell."""
        if self._exactly is not None:
            return self.at(counted)
        first, second = self._score(counted), self._score(self._differences.total - counted)
        excess, scale = self._excess(first, second)
        return np.asarray(excess > _TIE * scale)

    def among(self, law: Part) -> BoolArray:
        """Whether the points B of a law are; the score is called once for each.

        The points are symmetric: T - C of one is C of its mirror image.
        """
        scores = _at_all(self._differences, self._score, law)
        mirrored = scores[::-1]
        found = []
        n_rows = max(_CELLS // self._differences.total.size, 1)
        for start in range(0, scores.size, n_rows):
            block = slice(start, start + n_rows)
            flags, unclear = self._compared(scores[block], mirrored[block])
            if unclear.size:
                points = self._differences.counted(law.points(start + unclear))
                flags[unclear] = self._decided(points)
            found.append(flags)
        return np.concatenate(found)

    def values_at(self, counted: FloatArray) -> FloatArray:
        """D of sums C, shape (n, m)."""
        return np.asarray(self._score(counted) - self._score(self._differences.total - counted))

    def values(self, law: Part) -> FloatArray:
        """D at the points B of a law."""
        scores = _at_all(self._differences, self._score, law)
        return np.asarray(scores - scores[::-1])

    def _excess(self, first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
        """By how much D is beyond the observed one, and the largest score of each comparison."""
        d = self.observed
        with np.errstate(invalid="ignore"):  # of scores beyond floats, which are compared exactly
            difference = first - second
        if self._alternative == "two-sided":
            excess = np.abs(difference) - abs(d)
        else:
            excess = difference - d if self._alternative == "greater" else d - difference
        largest = max(abs(self.score1), abs(self.score2))
        return excess, np.maximum(np.maximum(np.abs(first), np.abs(second)), largest)

    def _compared(self, first: FloatArray, second: FloatArray) -> tuple[BoolArray, IntArray]:
        """Whether D of these scores is extreme, in floats; where only exact numbers tell."""
        excess, scale = self._excess(first, second)
        if self._exactly is None:
            return np.asarray(excess >= -_TIE * scale), np.zeros(0, dtype=np.int64)
        return np.asarray(excess >= 0.0), np.flatnonzero(~(np.abs(excess) > _UNCLEAR * scale))

    def _decided(self, counted: FloatArray) -> BoolArray:
        """The same of sums C in exact numbers."""
        points, position = np.unique(counted.astype(np.int64), axis=0, return_inverse=True)
        mirrored, exact = self._differences.total - points, self._score.exact
        one, two = map(exact, points.tolist()), map(exact, mirrored.tolist())
        decided = partial(is_extreme, self._exactly, self._alternative)
        flags = np.array([*map(decided, [*map(sub, one, two)])])
        return np.asarray(flags[position.reshape(-1)])


class StatisticExtremes:
    """statistic(C) ≥ statistic(observed sum).

    They tie if they differ by at most 1e-12 of the larger, or 1e-14 of the largest in size of
    the observed one and those of 64 random swaps: what should be 0 may be a rounding.
    """

    def __init__(
        self, differences: SumDifferences, statistic: Callable[[FloatArray], FloatArray]
    ) -> None:
        self._differences, self._statistic = differences, statistic
        self.observed = float(statistic(differences.sum1[None].astype(np.float64))[0])
        some = statistic(differences.some)
        self._rounding = _TIE_OF_ALL * max(float(np.abs(some).max()), abs(self.observed))

    def at(self, counted: FloatArray) -> BoolArray:
        """Whether the sums C, shape (n, m), are extreme."""
        return self._flags(self._statistic(counted))

    def surely_at(self, counted: FloatArray) -> BoolArray:
        """The same without those that tie."""
        values = self._statistic(counted)
        return np.asarray(values > self.observed + self._tie(values))

    def among(self, law: Part) -> BoolArray:
        """Whether the points B of a law are."""
        return self._flags(self.values(law))

    def values_at(self, counted: FloatArray) -> FloatArray:
        """The statistic of sums C, shape (n, m)."""
        return self._statistic(counted)

    def values(self, law: Part) -> FloatArray:
        """The statistic at the points B of a law."""
        return _at_all(self._differences, self._statistic, law)

    def _flags(self, values: FloatArray) -> BoolArray:
        return np.asarray(values >= self.observed - self._tie(values))

    def _tie(self, values: FloatArray) -> FloatArray:
        """By how much these may differ from the observed one, and tie."""
        scale = np.maximum(np.abs(values), abs(self.observed))
        return np.maximum(_TIE * scale, self._rounding)


Extremes = ScoreExtremes | StatisticExtremes


def _at_all(
    differences: SumDifferences, function: Callable[[FloatArray], FloatArray], law: Part
) -> FloatArray:
    """The function of C at each point B of the law."""
    values = np.empty(law.masses.size)
    n_rows = max(_CELLS // differences.total.size, 1)
    for start in range(0, values.size, n_rows):
        block = slice(start, start + n_rows)
        values[block] = function(differences.counted(law.points(block)))
    return values
