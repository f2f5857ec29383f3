"""Which sums are at least as extreme as those observed: ties count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import Part
from pairedperm.permutation.sum_differences import SumDifferences

__all__ = ["Extremes", "ScoreExtremes", "StatisticExtremes", "SumScore"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
_TIE = 1e-12  # of the larger of two scores, by which they may differ and tie
_TIE_OF_ALL = 1e-14  # of the largest statistic of some random swaps
_UNCLEAR = 1e-9  # of the larger of two scores: nearer ones are compared exactly, if they can be
_CELLS = 2**20  # numbers of points that are looked at together


class SumScore(Protocol):
    """A score as a function of the column sums."""

    @property
    def exact(self) -> Callable[[list[int]], Any] | None:
        """From a row of sums to its score as an exact number; None where only floats are known."""

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums of shape (n, m)."""


class Extremes(Protocol):
    """A statistic of the counted rows' sum C, and which values are extreme."""

    observed: float

    def at(self, counted: FloatArray) -> BoolArray:
        """Whether the sums C, shape (n, m), are."""

    def among(self, law: Part) -> BoolArray:
        """Whether the points B of a law are."""

    def values(self, law: Part) -> FloatArray:
        """The statistic at the points B of a law."""


class ScoreExtremes:
    """D = score(C) - score(T - C), T the sum of all rows, which is odd under swapping everything.

    In floats D and the observed difference tie if they differ by at most `tie`, 1e-12, of the
    largest of the four scores. Exact scores are compared exactly where they are near. `sums` are
    those of both systems, if `differences` has them less exactly.
    """

    def __init__(
        self,
        differences: SumDifferences,
        score: SumScore,
        alternative: str,
        *,
        sums: FloatArray | None = None,
        tie: float = _TIE,
    ) -> None:
        self._differences, self._score, self._alternative = differences, score, alternative
        both = np.stack((differences.sum1, differences.sum2))
        self._tie = tie
        self.score1, self.score2 = score(both.astype(np.float64) if sums is None else sums).tolist()
        self.observed = self.score1 - self.score2
        exact = score.exact
        self._exactly = None if exact is None else exact(both[0].tolist()) - exact(both[1].tolist())

    @property
    def sign(self) -> int:
        """Of the observed difference: -1, 0 where the scores are the same, or 1."""
        if self._exactly is not None:
            same = self._exactly == 0
        else:
            same = abs(self.observed) <= self._tie * max(abs(self.score1), abs(self.score2))
        return 0 if same else (1 if self.observed > 0.0 else -1)

    def at(self, counted: FloatArray) -> BoolArray:
        """Whether the sums C, shape (n, m), are extreme."""
        first, second = self._score(counted), self._score(self._differences.total - counted)
        return self._flags(first, second, lambda places: counted[places])

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

            def rows(places: IntArray, start: int = start) -> FloatArray:
                return self._differences.counted(law.points(start + places))

            found.append(self._flags(scores[block], mirrored[block], rows))
        return np.concatenate(found)

    def values_at(self, counted: FloatArray) -> FloatArray:
        """D of sums C, shape (n, m)."""
        return np.asarray(self._score(counted) - self._score(self._differences.total - counted))

    def values(self, law: Part) -> FloatArray:
        """D at the points B of a law."""
        scores = _at_all(self._differences, self._score, law)
        return np.asarray(scores - scores[::-1])

    def _flags(
        self, first: FloatArray, second: FloatArray, rows: Callable[[IntArray], FloatArray]
    ) -> BoolArray:
        d, difference = self.observed, first - second
        if self._alternative == "two-sided":
            excess = np.abs(difference) - abs(d)
        else:
            excess = difference - d if self._alternative == "greater" else d - difference
        largest = max(abs(self.score1), abs(self.score2))
        scale = np.maximum(np.maximum(np.abs(first), np.abs(second)), largest)
        if self._exactly is None:
            return np.asarray(excess >= -self._tie * scale)
        flags = excess >= 0.0
        unclear = np.flatnonzero(np.abs(excess) <= _UNCLEAR * scale)
        if unclear.size:
            near = rows(unclear).astype(np.int64)
            points, position = np.unique(near, axis=0, return_inverse=True)
            exact = [self._is_extreme(row) for row in points.tolist()]
            flags[unclear] = np.array(exact)[position.reshape(-1)]
        return np.asarray(flags)

    def _is_extreme(self, counted: list[int]) -> bool:
        """The same in exact numbers."""
        exact: Any = self._score.exact
        observed: Any = self._exactly
        others = [t - c for t, c in zip(self._differences.total.tolist(), counted, strict=True)]
        difference = exact(counted) - exact(others)
        if self._alternative == "two-sided":
            return bool(abs(difference) >= abs(observed))
        if self._alternative == "greater":
            return bool(difference >= observed)
        return bool(difference <= observed)


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

    def among(self, law: Part) -> BoolArray:
        """Whether the points B of a law are."""
        return self._flags(self.values(law))

    def values(self, law: Part) -> FloatArray:
        """The statistic at the points B of a law."""
        return _at_all(self._differences, self._statistic, law)

    def _flags(self, values: FloatArray) -> BoolArray:
        scale = np.maximum(np.abs(values), abs(self.observed))
        return np.asarray(values >= self.observed - np.maximum(_TIE * scale, self._rounding))


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
