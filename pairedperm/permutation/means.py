"""The problem of a mean: scores over a denominator that no swap changes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.integers import distinct_rows, exact_dot, exact_sum
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.tail import Line
from pairedperm.errors import InputError
from pairedperm.options import Budget
from pairedperm.permutation.engines.line import ON_LINE, LineTail
from pairedperm.permutation.extremes import is_extreme
from pairedperm.permutation.problem import Additive, Problem, Sides, of_sizes
from pairedperm.permutation.sums import Sums
from pairedperm.results.null_distribution import NullDistribution, frozen
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Mean
from pairedperm.wording import Name

_INT64 = np.iinfo(np.int64)
BLOCK = 2**15  # tuned: examples of a block, which stays in the cache; at most 2^16, for _SAFE
DENSE = 2**16  # tuned: smaller differences are counted in an array
_SAFE = 2**46  # proof: int64 holds the sum of a block of smaller scores, also with DENSE added


class Means(Problem):
    """The difference of two systems' Σ scores / denominator.

    Under the null hypothesis each d_n = score1_n - score2_n has a random sign. So only both sums
    and the multiset of |d_n| > 0 matter, in units of the common divisor of all |d_n|.
    """

    def __init__(self, rows: Rows, score: Mean, alternative: str) -> None:
        assert isinstance(score.total, int)
        if rows.multiplicities is None:
            values, counts, sum1, sum2 = _counted(rows.rows1, rows.rows2)
        else:
            differences = rows.rows1 - rows.rows2
            _check_differences(rows.rows1, rows.rows2, differences, None)
            sizes = np.abs(differences)
            where, counts = distinct_rows([sizes], rows.multiplicities)
            values = sizes[where]
            sum1, sum2 = rows.sum_of(rows.rows1), rows.sum_of(rows.rows2)
        self.n = int(counts.sum())
        if values.size and values[0] == 0:
            values, counts = values[1:], counts[1:]
        self._unit = unit = int(np.gcd.reduce(values)) if values.size else 1
        self._values = values if unit == 1 else values // unit
        self._total = exact_dot(counts, self._values)  # Σ |d| / unit
        self._observed = (sum1 - sum2) // unit
        self._denominator = denominator = score.unit * score.total
        self._otherwise, self._alternative = score.otherwise, alternative
        if score.scores:
            self.score1, self.score2 = map(float, score.scores)
            self.statistic = float(score.scores[0] - score.scores[1])
        else:  # Python rounds quotients of integers once
            self.score1, self.score2 = sum1 / denominator, sum2 / denominator
            self.statistic = (sum1 - sum2) / denominator
        self.n_differing = int(counts.sum())
        self.vectors, self.multiplicities = self._values[:, None], counts
        self.decimals = rows.decimals
        self.is_known = not self.n_differing or (self._observed == 0 and alternative == "two-sided")

    def tails(self) -> Candidates:
        """List the tail P(S ≥ t) = P(B ≤ (W - t) / 2), S = Σ ±d = W - 2B.

        If the lattice is too fine, the mean is posed as a function of sums.
        """
        how: Sides = "both" if self._alternative == "two-sided" else "one"
        threshold = abs(self._observed) if how == "both" else self._observed
        if self._alternative == "less":
            threshold = -threshold  # S is symmetric
        yield ON_LINE, LineTail(self._line, (self._total - threshold) // 2, how)
        if self._sums is not None:
            yield from self._sums.tails()

    @property
    def _line(self) -> Line:
        return Line(self._values, self.multiplicities, self._total)

    @cached_property
    def _sums(self) -> Sums | None:
        return self._otherwise and Sums(*self._otherwise, self._alternative)

    @cached_property
    def additive(self) -> Additive:  # type: ignore[override]
        """See `Problem`."""
        sizes = self._values, self.multiplicities
        return of_sizes(*sizes, self._total, self._observed, self._alternative)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """See `Problem`; integers decide."""
        return np.asarray(is_extreme(self._observed, self._alternative, sums[:, 0]))

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law of unit (W - 2B) / denominator, B a random part of W = Σ |d|."""
        support, pmf = self._line.masses(budget)
        return frozen(self.values((2 * support - self._total)[:, None]), pmf)

    def values(self, sums: NDArray[Any]) -> FloatArray:
        """See `Problem`; each value is rounded once."""
        unit, denominator, signed = self._unit, self._denominator, sums[:, 0]
        if max(self._total * unit, denominator) <= 2**53:  # both are exact floats
            return np.asarray(signed * unit / denominator, dtype=np.float64)
        exact = (int(s) * unit / denominator for s in signed)
        return np.fromiter(exact, dtype=np.float64, count=signed.size)


def _counted(scores1: IntArray, scores2: IntArray) -> tuple[IntArray, IntArray, int, int]:
    """Count the distinct |differences|, ascending; return them, their counts, and both sums.

    Cost: O(n), or O(n log n) if the differences are far apart. A block of examples goes through
    all steps while it is in the cache: reading the scores costs the most.

    Raises
    ------
    InputError
        If a difference exceeds int64.
    """
    frequency = np.zeros(1, dtype=np.int64)
    rest: list[IntArray] = []  # blocks with differences too large to count in an array
    sum1 = sum2 = 0
    buffer = np.empty(min(BLOCK, scores1.size), dtype=np.int64)
    for start in range(0, scores1.size, BLOCK):
        block1, block2 = scores1[start : start + BLOCK], scores2[start : start + BLOCK]
        differences = np.subtract(block1, block2, out=buffer[: block1.size])
        magnitudes = np.abs(differences, out=differences).view(np.uint64)
        # If these and the first scores are small, so are the second: nothing has wrapped.
        if magnitudes.max() < DENSE and block1.min() > -_SAFE and block1.max() < _SAFE:
            sum1 += int(block1.sum())
            sum2 += int(block2.sum())
            counted = np.bincount(differences)
            if counted.size > frequency.size:
                frequency, counted = counted, frequency
            frequency[: counted.size] += counted
        else:
            sum1 += exact_sum(block1)
            sum2 += exact_sum(block2)
            _check_differences(block1, block2, block1 - block2, start)
            rest.append(differences.copy())
    values = np.flatnonzero(frequency)
    multiplicities = frequency[values]
    if rest:
        more, how_often = np.unique(np.concatenate(rest), return_counts=True)
        both = np.concatenate((values, more))
        where, multiplicities = distinct_rows([both], np.concatenate((multiplicities, how_often)))
        values = both[where]
    return values, multiplicities, sum1, sum2


def _check_differences(
    scores1: IntArray, scores2: IntArray, differences: IntArray, start: int | None
) -> None:
    """Raise InputError if a difference exceeds int64.

    It has wrapped around if the scores' signs differ and its own sign is not the first score's.
    """
    wrapped = ((scores1 ^ scores2) & (scores1 ^ differences)) < 0
    wrapped |= differences == _INT64.min
    if wrapped.any():
        index = int(wrapped.argmax())
        where = "a row" if start is None else f"entry {start + index}"
        raise InputError(
            *(Name("counts1"), " and ", Name("counts2"), " differ by more than int64 holds: "),
            f"{where} is {scores1[index]} and {scores2[index]}",
            remedy="Divide the scores by a common unit first",
        )
