"""The problem of a mean of real scores, which lie on no lattice."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.assignments import SUM_BYTES, n_sums
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.enumeration import TOO_MANY
from pairedperm.convolution.line.pmf import listed_pmf
from pairedperm.convolution.reals.bracket import RealSplit, WholeSplit
from pairedperm.errors import InputError
from pairedperm.options import Budget
from pairedperm.permutation.extremes import check_scores
from pairedperm.permutation.problem import Additive, Problem, of_whole_numbers, sides
from pairedperm.results.null_distribution import NullDistribution, frozen
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Mean, finite_difference
from pairedperm.wording import Parts, Python

_LARGEST = 1e300  # proof: a difference must be less
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
        if not (math.isfinite(sum1) and largest < _LARGEST):
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
        self._sides = sides(self._sign, alternative)
        values, self.multiplicities = np.unique(np.abs(whole), return_counts=True)
        self.vectors = values[:, None]
        self.n, self.n_differing = differences.size, whole.size
        assert score.total is not None
        self._denominator = score.unit * score.total
        self.statistic = observed / self._denominator
        self.score1, self.score2 = sum1 / self._denominator, sum2 / self._denominator
        check_scores(self.score1, self.score2)
        if score.scores:
            self.score1, self.score2 = map(float, score.scores)
            self.statistic = float(score.scores[0] - score.scores[1])
        self.is_known = self._sides == "all" or not self.n_differing
        self.no_lattice = self.why_not_exact = rows.no_lattice

    @cached_property
    def additive(self) -> Additive:  # type: ignore[override]
        """See `Problem`; the differences against the better system are taken."""
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
        """See `Problem`; sums tie within one unit for each difference, and twice the slack."""
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
            remedy=Parts(
                "Round the scores to the digits that they mean",
                Python(", for instance np.round(scores, 4)"),
            ),
        )
        total = int((values * counts).sum())
        sums, pmf = listed_pmf(values, counts, total)
        return frozen(self.values((2 * sums - total)[:, None]), pmf)

    def values(self, sums: NDArray[Any]) -> FloatArray:
        """See `Problem`."""
        signed = sums[:, 0].astype(np.float64)
        with np.errstate(over="ignore"):
            found = np.ldexp(signed, self._exponent) / self._denominator
        return finite_difference(found, np.zeros(1), "swaps have")


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
