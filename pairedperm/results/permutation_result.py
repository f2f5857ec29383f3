"""The result of a test of swaps."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from pairedperm.errors import InputError
from pairedperm.options import (
    CONFIDENCE_LEVEL,
    Budget,
    BudgetLike,
    check_two_sided,
    read_budget,
    read_confidence_level,
)
from pairedperm.results.difference import DifferenceInterval, difference_interval
from pairedperm.results.null_distribution import NullDistribution
from pairedperm.results.report import Report, asked_for
from pairedperm.results.result import PairedResult, without_function


class KeptProblem(Protocol):
    """What a result keeps of its problem."""

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """The law of the statistic."""

    def how(self) -> str:
        """In words, how the exact p-value is found."""


@dataclass(frozen=True, slots=True, repr=False)
class PairedPermutationResult(PairedResult):
    """What a paired-permutation test found, in builtin scalars.

    Attributes
    ----------
    statistic : float
        score1 - score2, or the statistic of `structured_permutation_test`.
    pvalue : float
        P(a difference at least as large as the observed one) when a fair coin swaps the two
        systems' outputs on each example; in [0, 1]. 0.0 only where it underflows, below
        about 1e-308 (see `log_pvalue`). Sampled by "monte_carlo", (k + 1) / (n_resamples + 1)
        for the k samples with such a difference; 100 / n_resamples, where "auto" drew until the
        100th of these.
    log_pvalue : float
        Its natural logarithm, finite in every case.
    pvalue_interval, log_pvalue_interval : tuple of float
        Lower and upper end of an interval for each.
    interval : str
        What the intervals are: "certified" (rounding and all other errors included, the true
        value lies inside) or "confidence" (of a sampled p-value: it does so for all but a
        share of 1 % of the samples).
    score1, score2 : float or None
        The scores of the two systems; None for a statistic that has none.
    metric : str or None
        The metric's name; None for bare counts.
    metric_options : dict or None
        Its options as keyword arguments, ``{"pos_label": "PROPN"}``; None without any.
    alternative : str
        "two-sided", "greater" (system 1 scores higher) or "less".
    method : str
        What ran: "exact", "dp", "fft", "rational", "enumeration", "bracket" or
        "monte_carlo".
    n : int
        Number of examples; a sequence counts as one.
    n_differing : int
        How many of them, or of the groups, the two systems' contributions differ on. Only these
        carry evidence.
    n_groups : int or None
        Number of groups that were swapped; None without `groups`.
    n_wins, n_losses, n_ties : int
        Examples that speak for system 1, for system 2 and for none; see `Report`.
    standard_error : float or None
        Of the difference of the scores, if other examples or groups were drawn: of a mean
        √(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, G groups with n_g examples each and differences of d_g
        together, otherwise by the delta method. None of one group, of a statistic that has no
        scores, and where a score has no derivatives.
    n_resamples : int or None
        How many swaps were sampled; None for an exact p-value.
    confidence_level : float or None
        Of the interval of the difference, if one was asked for.
    n_ignored : int
        How many labels of the references were left out, see `ignore_label` of `compare`.
    seed : int or None
        Of the samples: with ``rng=seed`` they are the same. None for an exact p-value.
    fraction : fractions.Fraction or None
        The true p-value, of method "rational" and "enumeration"; None of others, and where the
        rounding of a function decides what ties.
    """

    fraction: Fraction | None
    _problem: KeptProblem | None = field(compare=False)
    _intervals: dict[float, DifferenceInterval] = field(default_factory=dict, compare=False)

    def null_distribution(self, budget: BudgetLike = None) -> NullDistribution:
        """The law of the statistic when a fair coin swaps the systems on each example.

        Computed when asked for, from the few distinct differences that the result holds.

        Parameters
        ----------
        budget : Budget, dict or None
            As of `paired_permutation_test`.

        Raises
        ------
        BudgetError
            If the points, 64 bytes each, do not fit; there are up to Σ |d| + 1, of a ratio of sums
            up to the product of these for the numerators and the denominators.
        InputError
            If the result was pickled without its score function.
        """
        budget = read_budget(budget)
        if self._problem is None:
            raise without_function("null distribution")
        return self._problem.null_distribution(budget)

    def confidence_interval(self, confidence_level: float = CONFIDENCE_LEVEL) -> DifferenceInterval:
        """An interval of the difference of the scores, asymptotic; two-sided results only.

        Of the difference in the population that the examples are drawn from: Tango's score
        interval [1]_ where all examples that differ differ by the same, as with labels;
        otherwise a studentised bootstrap [2]_, of up to 9,999 resamples with the result's own
        seed, 0 without one. Where p exceeds 1 - confidence_level it is extended to 0, so that it
        never contradicts p: the interval only grows. It may hold 0 where p is smaller.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.

        Returns
        -------
        DifferenceInterval
            A named tuple: low, high, and method, in words. An end is infinite where the examples
            do not tell.

        Raises
        ------
        InputError
            If the test was one-sided; for one example; for a statistic that has no scores; if the
            result was pickled without its score function.

        Notes
        -----
        Cost: O(n) for Tango's; the bootstrap takes tenths of a second to some seconds. The result
        keeps what it found.

        References
        ----------
        .. [1] T. Tango, "Equivalence test and confidence interval for the difference in
           proportions for the paired-sample design", Statistics in Medicine 17, 1998.
        .. [2] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997,
           section 5.2.1.

        Examples
        --------
        >>> from pairedperm import compare
        >>> result = compare([1] * 20, [1] * 12 + [0] * 8, [1] * 20)
        >>> low, high, method = result.confidence_interval(0.95)
        >>> round(low, 3), round(high, 3), method
        (0.174, 0.613, 'Tango score')
        """
        level = read_confidence_level(confidence_level)
        if self.score1 is None:
            raise InputError(
                "`confidence_interval` is of the difference of two scores: the statistic of "
                "`structured_permutation_test` has none."
            )
        check_two_sided(self.alternative)
        if level not in self._intervals:
            evidence = self._evidence_for("confidence interval")
            found = difference_interval(*evidence.drawn, level, self.seed or 0, evidence.bound)
            if self.pvalue > 1.0 - level:
                found = found._replace(low=min(found.low, 0.0), high=max(found.high, 0.0))
            self._intervals[level] = found
        return self._intervals[level]

    def to_dict(self) -> dict[str, Any]:
        """The result under the keys of the `evaluate` module; ready for JSON.

        With ``confidence_level=`` also the interval of the difference, an infinite end as None.
        """
        found = PairedResult.to_dict(self)
        return found if self.confidence_level is None else found | self._interval_of_dict()

    def _interval_of_dict(self) -> dict[str, Any]:
        level = self.confidence_level or CONFIDENCE_LEVEL
        *ends, method = self.confidence_interval(level)
        low, high = (x if math.isfinite(x) else None for x in ends)
        return {
            "confidence_level": level,
            "stat_low": low,
            "stat_high": high,
            "stat_interval": method,
        }

    def _facts(self) -> dict[str, Any]:
        """See `PairedResult`."""
        found = {**PairedResult.to_dict(self), "test": "permutation"}
        has_none = self.alternative != "two-sided" or self.score1 is None or self._evidence is None
        try:
            return found if has_none or self.n < 2 else found | self._interval_of_dict()
        except InputError:  # a score that resamples have not: nobody asked for the interval
            return found

    def report(self) -> Report:
        """See `PairedResult`."""
        sides = 2 if self.alternative == "two-sided" else 1
        reason = self._why_not_exact or asked_for(self.method)
        if self.method == "exact":
            reason = "" if self._problem is None else self._problem.how()
        log_smallest = math.log(sides) - self.n_differing * math.log(2.0)
        return Report.of(self, self._evidence_for("report"), reason, min(log_smallest, 0.0))
