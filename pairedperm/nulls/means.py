"""The problem of a mean: scores over a denominator that no swap changes."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability, sides_of
from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.integers import SUM_BYTES, TOO_MANY, exact_dot, exact_sum, n_sums
from pairedperm.convolution.law import FloatArray, IntArray, distinct_rows
from pairedperm.convolution.line.masses import listed_pmf
from pairedperm.convolution.line.tail import LINE, Line, LineTail, Step
from pairedperm.convolution.reals.bracket import RealSplit, WholeSplit
from pairedperm.errors import InputError
from pairedperm.nulls.functions import MOST_FLOAT, Sums, beyond_floats, is_extreme
from pairedperm.nulls.problem import Additive, Problem, of_sizes, of_whole_numbers
from pairedperm.options import Budget
from pairedperm.results.result import NullDistribution, frozen
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, finite_difference

_LEAST_INT64 = np.iinfo(np.int64).min
BLOCK_READ = 2**15  # tuned: examples of a block, which stays in the cache; up to 2^16
MOST_COUNTED = 2**16  # tuned: smaller differences are counted in an array
_SAFE = 2**46  # proof: int64 holds the sum of a block of such scores


class Means(Problem):
    """The difference of two systems' Σ scores / denominator.

    Under the null hypothesis each d_n = score1_n - score2_n has a random sign. So only both sums
    and the multiset of |d_n| > 0 matter, in units of the common divisor of all |d_n|.
    """

    def __init__(self, rows: Rows, score: Mean, alternative: str) -> None:
        assert isinstance(score.total, int)
        if rows.multiplicities is None:
            values, counts, total, sum1, sum2 = _counted(rows.rows1, rows.rows2)
        else:
            differences = rows.rows1 - rows.rows2
            _check_differences(rows.rows1, rows.rows2, differences, None)
            sizes = np.abs(differences)
            where, counts = distinct_rows([sizes], rows.multiplicities)
            values = sizes[where]
            total = exact_dot(counts, values)
            sum1, sum2 = rows.sum_of(rows.rows1), rows.sum_of(rows.rows2)
        self.n = int(counts.sum())
        if values.size and values[0] == 0:
            values, counts = values[1:], counts[1:]
        self._unit = unit = int(np.gcd.reduce(values)) if values.size else 1
        self._values = values if unit == 1 else values // unit
        self._total = total // unit  # Σ |d| / unit
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
        self.score_unit = rows.unit
        self.is_known = not self.n_differing or (self._observed == 0 and alternative == "two-sided")

    def tails(self) -> Candidates:
        """List the tail P(S ≥ t) = P(B ≤ (W - t) / 2), S = Σ ±d = W - 2B.

        If the lattice is too fine, the mean is posed as a function of sums.
        """
        threshold = self._observed
        steps: tuple[Step, ...] = ()
        if self._alternative == "two-sided":
            threshold, steps = abs(threshold), (CertifiedProbability.doubled,)
        elif self._alternative == "less":
            threshold = -threshold  # S is symmetric
        bound = (self._total - threshold) // 2
        tails = [(LINE, LineTail(self._line, bound, self.n_differing, steps))]
        return tails if self._otherwise is None else chain(tails, self._tails_of_sums())

    def _tails_of_sums(self) -> Candidates:
        """List the tails of the mean as a function of sums, which is read if it is needed."""
        yield from self._sums.tails()

    @property
    def _line(self) -> Line:
        return Line(self._values, self.multiplicities, self._total)

    @cached_property
    def _sums(self) -> Sums:
        assert self._otherwise is not None
        return Sums(*self._otherwise, self._alternative)

    @cached_property
    def additive(self) -> Additive:  # type: ignore[override]
        sizes = self._values, self.multiplicities
        return of_sizes(*sizes, self._total, self._observed, self._alternative)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Integers decide."""
        return np.asarray(is_extreme(self._observed, self._alternative, sums[:, 0]))

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law of unit (W - 2B) / denominator, B a random part of W = Σ |d|."""
        support, pmf = self._line.masses(budget)
        return frozen(self.values((2 * support - self._total)[:, None]), pmf)

    def values(self, sums: NDArray[Any]) -> FloatArray:
        """Each value is rounded once."""
        unit, denominator, signed = self._unit, self._denominator, sums[:, 0]
        if max(self._total * unit, denominator) <= 2**53:  # both are exact floats
            return np.asarray(signed * unit / denominator, dtype=np.float64)
        exact = (int(s) * unit / denominator for s in signed)
        return np.fromiter(exact, dtype=np.float64, count=signed.size)


def _counted(scores1: IntArray, scores2: IntArray) -> tuple[IntArray, IntArray, int, int, int]:
    """Count the distinct |differences|, ascending.

    Return them, their counts, their sum, and the sums of both systems' scores.

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
    buffer = np.empty(min(BLOCK_READ, scores1.size), dtype=np.int64)
    for start in range(0, scores1.size, BLOCK_READ):
        block1, block2 = scores1[start : start + BLOCK_READ], scores2[start : start + BLOCK_READ]
        differences = np.subtract(block1, block2, out=buffer[: block1.size])
        magnitudes = np.abs(differences, out=differences).view(np.uint64)
        # If these and the first scores are small, so are the second: nothing has wrapped.
        if magnitudes.max() < MOST_COUNTED and block1.min() > -_SAFE and block1.max() < _SAFE:
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
    total = int(multiplicities @ values)
    if rest:
        more, how_often = np.unique(np.concatenate(rest), return_counts=True)
        both = np.concatenate((values, more))
        where, multiplicities = distinct_rows([both], np.concatenate((multiplicities, how_often)))
        values = both[where]
        total = exact_dot(multiplicities, values)
    return values, multiplicities, total, sum1, sum2


def _check_differences(
    scores1: IntArray, scores2: IntArray, differences: IntArray, start: int | None
) -> None:
    """Raise InputError if a difference exceeds int64.

    It has wrapped around if the scores' signs differ and its own sign is not the first score's.
    """
    wrapped = ((scores1 ^ scores2) & (scores1 ^ differences)) < 0
    wrapped |= differences == _LEAST_INT64
    if wrapped.any():
        index = int(wrapped.argmax())
        where = "a row" if start is None else f"entry {start + index}"
        raise InputError(
            "counts1",
            f"and `counts2` differ by more than int64 holds: {where} is {scores1[index]} and "
            f"{scores2[index]}",
            remedy="Divide the scores by a common unit first",
        )


_UP = 1.0 + 1e-9  # proof: covers the rounding of the slack
_SUM_BITS = 52  # proof: bits of the sum of all |differences| in whole units


class RealMeans(Problem):
    """The difference of two systems' Σ scores / denominator; scores are exact real numbers.

    If rows have several columns, the score of an example is the exact sum of its row.

    Sampled sums and the null distribution use differences rounded to 2^-52 of their total. Two
    sums tie if they differ by no more than this rounding, and that of the scores.
    """

    def __init__(self, rows: Rows, score: Mean, alternative: str) -> None:
        first, second = rows.tables
        terms = np.concatenate((first, -second), axis=1)
        try:
            differences = _sums(terms)
            sum1, sum2, observed = (math.fsum(x.ravel().tolist()) for x in (first, second, terms))
            largest = float(np.abs(differences).max())
        except (OverflowError, ValueError):  # sums of infinite numbers
            sum1 = largest = math.inf
        if not (math.isfinite(sum1) and largest < MOST_FLOAT):
            raise InputError(
                f"there are scores up to {max(np.abs(first).max(), np.abs(second).max()):.3g}",
                remedy=(
                    "their differences and sums must be floats, below 1e300",
                    "Divide by a common unit",
                ),
            )
        matters = differences != 0.0
        self._terms = terms[matters]
        self._differences = differences[matters]  # each rounded once
        # how far rounding may have moved the lesser sum of |differences| from the observed one
        self._slack = (
            rows.provenance.rounding * math.fsum(np.abs(self._terms).ravel().tolist()) * _UP
        )
        self._sign = int(np.sign(observed))  # exact, because `fsum` rounds once
        whole, self._exponent = _in_units(self._differences)
        self._observed, self._alternative = int(whole.sum()), alternative
        self._sides = sides_of(self._sign, alternative)
        values, self.multiplicities = np.unique(np.abs(whole), return_counts=True)
        self.vectors = values[:, None]
        self.n, self.n_differing = differences.size, whole.size
        assert score.total is not None
        self._denominator = score.unit * score.total
        self.statistic = observed / self._denominator
        self.score1, self.score2 = sum1 / self._denominator, sum2 / self._denominator
        if not math.isfinite(self.score1 - self.score2):
            raise beyond_floats(self.score1, self.score2)
        if score.scores:
            self.score1, self.score2 = map(float, score.scores)
            self.statistic = float(score.scores[0] - score.scores[1])
        self.is_known = self._sides == "all" or not self.n_differing
        self.no_lattice = self.why_not_exact = rows.no_lattice

    @cached_property
    def additive(self) -> Additive:  # type: ignore[override]
        """The differences against the better system are taken."""
        values, place = np.unique(np.abs(self._differences), return_inverse=True)
        against = self._differences * (self._sign or 1) < 0.0
        taken = np.bincount(place[against], minlength=values.size)
        split = RealSplit(values, np.bincount(place), taken, self._slack)
        return Additive(split, self._sides, lambda: self._in_integers)

    @cached_property
    def _in_integers(self) -> tuple[WholeSplit, int]:
        """The exact |differences| as multiples of a power of two, and a slack.

        See `Additive` for the slack.
        """
        terms = [[*map(Fraction, row)] for row in self._terms.tolist()]
        exact = [sum(row, Fraction(0)) for row in terms]
        scale = max((d.denominator for d in exact), default=1)
        units = [int(d * scale) for d in exact]
        whole = of_whole_numbers(units, [1] * len(units), self._alternative)
        return whole.in_integers()[0], math.floor(Fraction(self._slack) * scale)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Sums tie within one unit for each difference, and twice the slack."""
        slack = math.ceil(math.ldexp(2.0 * self._slack, -self._exponent))
        s, observed, tolerance = sums[:, 0], self._observed, self.n_differing + slack
        if self._alternative == "two-sided":
            return np.asarray(np.abs(s) >= abs(observed) - tolerance)
        if self._alternative == "greater":
            return np.asarray(s >= observed - tolerance)
        return np.asarray(s <= observed + tolerance)

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law of the mean difference; all its values are listed."""
        values, counts = self.vectors[:, 0], self.multiplicities
        n = n_sums(counts)
        budget.check(
            "the null distribution of scores that lie on no lattice has "
            f"{'at least ' if n == TOO_MANY else ''}{n:.3g} values, {SUM_BYTES * n:.3g} bytes",
            n_bytes=SUM_BYTES * n,
            remedy="Round the scores to the digits that they mean, for instance np.round(scores, "
            "4)",
        )
        total = int((values * counts).sum())
        sums, pmf = listed_pmf(values, counts, total)
        return frozen(self.values((2 * sums - total)[:, None]), pmf)

    def values(self, sums: NDArray[Any]) -> FloatArray:
        signed = sums[:, 0].astype(np.float64)
        with np.errstate(over="ignore"):
            difference = np.ldexp(signed, self._exponent) / self._denominator
        return finite_difference(difference, np.zeros(1), "swaps have")


def _sums(terms: FloatArray) -> FloatArray:
    """Return the exact sum of each row, rounded once."""
    if terms.shape[1] == 2:
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused
            return np.asarray(terms[:, 0] + terms[:, 1])
    return np.array([math.fsum(row) for row in terms.tolist()])


def _in_units(differences: FloatArray) -> tuple[IntArray, int]:
    """Round differences to multiples of 2^exponent, 2^-52 of their sum, for sampling."""
    total = math.fsum(np.abs(differences).tolist())
    exponent = math.frexp(total)[1] - _SUM_BITS
    return np.rint(np.ldexp(differences, -exponent)).astype(np.int64), exponent
