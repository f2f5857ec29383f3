"""The result of a paired-permutation test."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

from pairedperm.errors import Advice, BudgetError, InputError, Message, Setting
from pairedperm.options import (
    ALPHA,
    CONFIDENCE_LEVEL,
    Budget,
    BudgetLike,
    Level,
    check_two_sided,
    printed_fraction,
    read_options,
    reads_options,
)
from pairedperm.population.evidence import without_function
from pairedperm.population.intervals import BOOTSTRAP, EXTENDED, ConfidenceInterval, IntervalKind
from pairedperm.results.null_distribution import NullDistribution
from pairedperm.results.result import PairedResult, Result, versioned
from pairedperm.results.sentence import doubt
from pairedperm.scoring.scores import Mean

IF_SYSTEM = Advice("If it is a system, set ", Setting("constant", "'system'"))


class KeptProblem(Protocol):
    """The part of a posed problem that its result keeps."""

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the null distribution of the statistic."""

    def sampled_distribution(self, n: int, seed: int, budget: Budget) -> NullDistribution:
        """Return the statistic of the first n swaps that a seed draws."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairedPermutationResult(PairedResult):
    """The result of a paired-permutation test, in builtin scalars; print it.

    Attributes
    ----------
    statistic : float
        The difference score1 - score2, or the statistic of `structured_permutation_test`.
    pvalue : float
        The probability of a difference at least as extreme as the observed one, in [0, 1], when a
        fair coin swaps the two systems on each example. It is 0.0 only if it underflows, below
        about 1e-308; see `log_pvalue`. If k of the sampled swaps are so extreme, it is
        (k + 1) / (n_resamples + 1). If "auto" sampled until the 100th, it is 100 / n_resamples.
    log_pvalue : float
        The natural logarithm of p, always finite.
    pvalue_interval, log_pvalue_interval : tuple of float, length 2
        The ends (low, high) of an interval for p, and for its logarithm. Of real scores, such as
        2/3, rounding may have moved some apart that tie: the p that is given is the upper end.
    interval : str
        "certified": the interval contains the true value, with all rounding included.
        "confidence": it is a confidence interval of a sampled p, at 99 %.
    score1, score2 : float or None
        The scores of the two systems; None for a statistic without scores.
    metric : str or None
        The metric's name; None for bare counts.
    metric_options : dict or None
        The metric's options as keyword arguments, ``{"pos_label": "PROPN"}``; None without any.
    alternative : str
        "two-sided", "greater" (system 1 scores higher) or "less".
    method : str
        The method that ran: "exact", "dp", "fft", "enumeration", "bracket" or "monte_carlo".
    reason : str
        Why this method ran, and how it computed p, such as "a tilted sum on a line". A sampled p
        says why it is not exact. Results that differ in it alone are equal.
    n : int
        Number of examples; a sequence counts as one.
    n_differing : int
        Number of examples, or of groups, on which the two systems' contributions differ. Only
        these carry evidence.
    n_groups : int or None
        Number of groups that were swapped; None without `groups`.
    n_wins, n_losses, n_ties : int
        Numbers of examples that speak for system 1, for system 2 and for neither. For a mean, an
        example speaks for the system that scores better on it. For other scores, it speaks for a
        system if swapping it would change the difference against this system. If lower is better,
        as for an error rate, the lower score is the better one.
    standard_error : float or None
        The standard error of the difference if other examples or groups were drawn. For a mean:
        √(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, for G groups of n_g examples with the summed
        difference d_g. For other scores: by the delta method. None for one group, for a statistic
        without scores, and for a score without derivatives.
    n_resamples : int or None
        Number of swaps that were sampled; None for an exact p.
    confidence_level : float or None
        The level of the interval of the difference; None if no interval was asked for.
    n_ignored : int
        Number of labels of the references that were left out, see `ignore_label` of `compare`.
    seed : int or None
        The seed of the samples: ``rng=seed`` draws the same ones. None for an exact p.
    fraction : fractions.Fraction or None
        `pvalue` without rounding, from the method "enumeration". None for other methods.
    constant : float or None
        The number that all given scores of one system are, where it may be no system's score: p
        tests symmetry about it. None also if it is 0 or an end of `score_range`, or all scores are
        right or wrong, or win, lose or tie (1, 0, ½), or if ``constant="system"`` said that it is a
        system.
    """

    fraction: Fraction | None
    _problem: KeptProblem | None = field(compare=False)
    _intervals: dict[tuple[float, str], ConfidenceInterval] = field(
        default_factory=dict, compare=False
    )
    constant: float | None = None

    def null_distribution(self, budget: BudgetLike = None) -> NullDistribution:
        """Return the distribution of the statistic under random swaps.

        It is computed on request, from the distinct differences that the result holds: it is that
        of all swaps, also if p was sampled.

        Parameters
        ----------
        budget : Budget, dict or None
            Upper limits, see `paired_permutation_test`.

        Returns
        -------
        NullDistribution
            One point of probability 1 if no example differs.

        Raises
        ------
        BudgetError
            If the points do not fit into the budget, at 64 bytes each. A mean has up to Σ |d| + 1
            points, with d in units of its last digit. A ratio of sums has up to the product of
            these numbers for its numerator and its denominator. `plot_null_distribution` still
            draws the swaps that were sampled.
        InputError
            If a function gives no finite score for some swaps. If the result was pickled without
            its score function.
        """
        try:
            return self._posed().null_distribution(read_options(budget=budget).budget)
        except BudgetError as error:
            if self.n_resamples is None:
                raise
            of_samples = f"`plot_null_distribution` draws the {self.n_resamples:,} sampled swaps."
            raise BudgetError(f"{error} {of_samples}") from error

    def _sampled_distribution(self, n: int, budget: BudgetLike) -> NullDistribution:
        """Return the distribution in the first n of the sampled swaps, drawn once more."""
        assert self.seed is not None
        chosen = read_options(budget=budget)
        return self._posed().sampled_distribution(n, self.seed, chosen.budget)

    def _posed(self) -> KeptProblem:
        if self._problem is None:
            raise without_function("null distribution")
        return self._problem

    @reads_options
    def confidence_interval(
        self, confidence_level: Level | None = None, *, kind: IntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return a confidence interval of the difference score1 - score2 in the population.

        The population is the one that the examples, or groups, are drawn from. Only two-sided
        results have an interval.

        Parameters
        ----------
        confidence_level : float or None
            Between 0 and 1. None: the level that the test was asked for, or 0.95.
        kind : {"auto", "exact", "guaranteed", "studentised bootstrap"}
            The method. "auto" is "exact" if the metric says of each example whether it is right or
            wrong, as accuracy does, or if given scores are all 0 or 1. Otherwise it is "studentised
            bootstrap". It is "guaranteed" if `largest_group` was given to the test, or if all
            differences are the same and the range of the scores is known.

        Returns
        -------
        ConfidenceInterval
            It unpacks as (low, high), floats in units of the score. An end is infinite if the
            examples do not bound it. `method` is the kind, or "differing share" if no example
            differs and the score is of another kind than right and wrong.

        Raises
        ------
        InputError
            If `confidence_level` is not between 0 and 1. If the score has no interval of this kind.
            If the test was one-sided. If there is only one example or group. If the statistic has
            no scores. If a function gives no finite score for some resamples. If the result was
            pickled without its score function.

        Notes
        -----
        The exact interval [1]_ covers the true difference with the probability that it promises,
        for any number of examples. It excludes 0 exactly where p is at most 1 - confidence_level,
        unless p is sampled; an end of 0 excludes it. By name it is of any mean whose differences
        but 0 have one size, and holds if no other size can occur.

        The guaranteed interval is of the mean of scores whose range is known. It keeps its promise
        too, for any law of the scores, and is wider for it: the more so, the smaller the
        differences are beside the range. All groups, or sequences, must have one size, also those
        that were not drawn. Otherwise give the test `largest_group`, the largest size that one may
        have, fixed beforehand: large groups that were not drawn may all be losses.

        The studentised bootstrap [2]_ is asymptotic. It draws up to 9,999 resamples with the seed
        of the result, or 0 if it has none. With fewer than 30 differing examples or groups it
        misses more often than it says. If p exceeds 1 - confidence_level, this interval and the
        guaranteed one are extended to contain 0, and say so. If p is smaller, they may still
        contain 0.

        Cost: milliseconds; tenths of a second to some seconds for the bootstrap. The result keeps
        each interval.

        References
        ----------
        .. [1] M. P. Fay, K. Lumbard, "Confidence intervals for difference in proportions for
           matched pairs compatible with exact McNemar's or sign tests", Statistics in Medicine 40,
           2021.
        .. [2] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997,
           section 5.2.1.

        Examples
        --------
        >>> from pairedperm import compare
        >>> result = compare([1] * 20, [1] * 12 + [0] * 8, [1] * 20)
        >>> low, high = interval = result.confidence_interval(0.95)
        >>> round(low, 3), round(high, 3), interval.method
        (0.084, 0.639, 'exact')
        """
        level = confidence_level or self.confidence_level or CONFIDENCE_LEVEL
        if self.score1 is None:
            raise InputError(
                "`confidence_interval` is of the difference of two scores",
                remedy="the statistic of `structured_permutation_test` has none",
            )
        check_two_sided(self.alternative)
        if (level, kind) not in self._intervals:
            evidence = self.evidence_for("confidence interval")
            interval = evidence.interval(level, self.seed or 0, kind)
            if interval.method in EXTENDED and self.pvalue > 1 - printed_fraction(level):
                interval = interval.extended_to_0()
            self._intervals[level, kind] = interval
        return self._intervals[level, kind]

    def to_dict(self) -> dict[str, Any]:
        """Return the result under the keys of the `evaluate` module, ready for JSON.

        Returns
        -------
        dict of str to float, int, str, dict or None
            All numbers are finite.

            - "stat", "score1", "score2": float; the scores are None for a statistic without them;
            - "p", "p_low", "p_high": p and the ends of its interval;
            - "log_p", "log_p_low", "log_p_high": their natural logarithms;
            - "interval", "metric", "metric_options", "alternative", "method", "n", "n_differing",
              "n_groups", "n_resamples", "n_ignored", "seed": the attributes of these names;
            - "n_wins", "n_losses", "n_ties", "standard_error": the attributes, or None if they
              cannot be computed;
            - "confidence_level": float or None. If it is no None, also the interval at this level:
              "stat_low", "stat_high" (None for an infinite end) and "stat_interval", its method;
            - "constant": the attribute, only if it is no None;
            - "schema_version": 1, the version of the keys.

        Raises
        ------
        InputError
            If a `confidence_level` was asked for and `confidence_interval` raises it.
        """
        keys = PairedResult.to_dict(self)
        if self.confidence_level is not None:
            low, high = interval = self.confidence_interval(self.confidence_level)
            keys |= {"stat_low": low, "stat_high": high, "stat_interval": interval.method}
        return versioned(keys if self.constant is None else keys | {"constant": self.constant})

    def _interval(self) -> tuple[float, ConfidenceInterval | None]:
        """See `PairedResult`."""
        level = self.confidence_level or CONFIDENCE_LEVEL
        if (level, "auto") in self._intervals:
            return level, self._intervals[level, "auto"]
        has_none = self.alternative != "two-sided" or self.score1 is None or self._evidence is None
        try:
            return level, None if has_none or self.n < 2 else self.confidence_interval(level)
        except InputError:  # resamples have no score, but nobody asked for the interval
            return level, None


def about_constant(result: PairedPermutationResult, alpha: float = ALPHA) -> Message | None:
    """Return what p tests, and ways out, if one of the systems may be a number; see `doubt`."""
    if not (said := [*doubt(result, alpha)]):
        return None
    given = result.evidence_for("doubt").range_to_give
    an_end = (
        Advice("If no score is beyond it, set ", Setting("score_range", given)) if given else ""
    )
    return Message(said[0].rstrip("."), remedy=(*said[1:], an_end, IF_SYSTEM))


def with_interval(result: Result) -> Result:
    """Return the result with an interval of the difference in its dict, if it has one."""
    if not isinstance(result, PairedPermutationResult):
        return result
    if result.confidence_level is None and result.alternative == "two-sided":
        with suppress(InputError):  # nobody asked: one example, or a failing function
            result.confidence_interval()
            return replace(result, confidence_level=CONFIDENCE_LEVEL)
    return result


_OF_A_MEAN, _OF_A_SCORE = 0.01, 0.2  # tuned: seconds of an interval of many, roughly


def seconds_of_interval(result: PairedResult) -> float:
    """Return about how long the interval of one of many results takes, if it is a bootstrap."""
    if not isinstance(result, PairedPermutationResult) or result._evidence is None:
        return 0.0
    if result.alternative != "two-sided" or result._intervals:
        return 0.0
    sample = result.evidence_for("interval").sample
    if sample.own_kind != BOOTSTRAP:
        return 0.0
    return _OF_A_MEAN if isinstance(sample.simple, Mean) else _OF_A_SCORE


def without_rows(result: Result) -> Result:
    """Return a result whose rows are made when asked for as a pickle keeps it: without them."""
    if not callable(result._evidence):
        return result
    with_interval(result).to_dict()  # the result keeps what this computes
    return replace(result, _evidence=None)
