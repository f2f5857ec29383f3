"""The result of a test, by swaps or by draws, and the null distribution, point by point."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import BudgetError, InputError, describe, message
from pairedperm.inputs.numbers import read_shaped
from pairedperm.options import (
    ALPHA,
    CONFIDENCE_LEVEL,
    Alpha,
    BudgetLike,
    Level,
    Test,
    check_two_sided,
    printed_fraction,
    read_options,
    reads_options,
)
from pairedperm.population.evidence import Evidence, WonExamples, without_rows
from pairedperm.population.intervals import EXTENDED, ConfidenceInterval, IntervalKind
from pairedperm.results.told import GivenNames, Telling, Told, paragraph
from pairedperm.results.words import (
    Figures,
    doubt,
    ends_of_p,
    figures_of,
    format_pvalue,
    pair_of_names,
    plain_name,
    told_of_test,
    unit_of,
)
from pairedperm.scoring.counts import UnknownMetric
from pairedperm.scoring.metric import Metric

SCHEMA_VERSION = 1  # proof: of the keys of `to_dict`


def versioned(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's keys, ready for JSON, with their version as the last one."""
    stored = {key: _plain(x) for key, x in without_version(keys).items()}
    return stored | {"schema_version": SCHEMA_VERSION}


def without_version(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's keys for another result, which says the version for both."""
    return {key: x for key, x in keys.items() if key != "schema_version"}


def _plain(value: Any) -> Any:
    """Return lists for tuples, and None for an infinite number."""
    if isinstance(value, (list, tuple)):
        return [*map(_plain, value)]
    return None if isinstance(value, float) and math.isinf(value) else value


def attributes(result: Any, *left_out: str) -> dict[str, Any]:
    """Return the fields of a result by name, without some."""
    return {x.name: getattr(result, x.name) for x in fields(result) if x.name not in left_out}


_ROUNDING = 1e-15  # proof: rounding error of a sum of masses
_SAME = 1e-12  # proof: relative to the largest score; rounding moves two equal values less apart


@dataclass(frozen=True, slots=True, eq=False)
class NullDistribution:
    """The distribution of the statistic D when a fair coin swaps the systems on each example.

    `PairedResult.null_distribution` returns it, for plots, critical values and power.

    Attributes
    ----------
    support : float64 array, shape (k,), k ≥ 1, read-only
        The values that D takes under some swaps, strictly ascending, in units of the statistic.
        The values of a difference of two scores are symmetric about 0. Values that round to the
        same float are one point. If the score is a function, values that differ by at most 1e-12
        of the largest score are one point.
    pmf : float64 array, shape (k,), read-only
        The probability of each value of `support`, with an absolute error of at most 1e-15. They
        sum to 1. For smaller p-values use the test, which has a small relative error.

    Examples
    --------
    >>> from pairedperm import paired_permutation_test
    >>> null = paired_permutation_test([2, 1, 0], [0, 0, 1]).null_distribution()
    >>> (3 * null.support).round().astype(int), null.pmf
    (array([-4, -2,  0,  2,  4]), array([0.125, 0.25 , 0.25 , 0.25 , 0.125]))
    >>> float(3 * null.quantile(0.95)), float(null.cdf(0.0))
    (4.0, 0.625)
    """

    support: FloatArray
    pmf: FloatArray

    def cdf(self, x: ArrayLike) -> FloatArray:
        """Return P(D ≤ x), the probability that the statistic is at most x.

        A point of `support` that equals x counts. Take x from `support` itself where equality
        matters: its values are rounded floats.

        Parameters
        ----------
        x : float or array_like of float, any shape
            Values in units of the statistic; infinite ones are allowed.

        Returns
        -------
        float64 array, the shape of `x` (for a number, shape ())
            Probabilities in [0, 1]: 0 below the first point, 1 from the last point on.

        Raises
        ------
        InputError
            If `x` holds NaN or anything but real numbers, or has rows of different lengths.
        """
        points = read_shaped("x", x)
        if np.isnan(points).any():
            raise InputError("x", must="be numbers", got="NaN")
        below = np.concatenate(([0.0], self._cumulated()))
        return np.asarray(below[np.searchsorted(self.support, points, side="right")])

    def quantile(self, q: ArrayLike) -> FloatArray:
        """Return the smallest x of `support` with P(D ≤ x) ≥ q.

        An observed difference above ``quantile(1 - alpha)`` has a one-sided p-value of at most
        alpha. The comparison allows for rounding, 1e-15.

        Parameters
        ----------
        q : float or array_like of float, any shape
            Probabilities from 0 to 1, both included.

        Returns
        -------
        float64 array, the shape of `q` (for a number, shape ())
            Points of `support`: the first one for q = 0, the last one for q = 1.

        Raises
        ------
        InputError
            If `q` holds NaN, a number outside [0, 1] or anything but real numbers, or has rows of
            different lengths.
        """
        levels = read_shaped("q", q)
        if not ((levels >= 0.0) & (levels <= 1.0)).all():
            must = "be probabilities from 0 to 1"
            raise InputError("q", must=must, got=describe(levels.tolist()))
        positions = np.searchsorted(self._cumulated(), levels - _ROUNDING, side="left")
        last = self.support.size - 1
        return np.asarray(self.support[np.where(levels == 1.0, last, np.minimum(positions, last))])

    def _cumulated(self) -> FloatArray:
        """Return P(D ≤ x) for x in the support; the upper half as 1 - P(D > x), exact near 1."""
        below = np.cumsum(self.pmf)
        above = np.cumsum(self.pmf[::-1])[::-1] - self.pmf  # P(D > x)
        return np.where(below < 0.5, below, 1.0 - above)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.support.size} values from {self.support[0]:.6g} "
            f"to {self.support[-1]:.6g})"
        )


def frozen(support: FloatArray, pmf: FloatArray) -> NullDistribution:
    """Return the distribution of an ascending support; equal points become one."""
    is_new = np.concatenate(([True], support[1:] > support[:-1]))
    if not is_new.all():
        pmf = np.bincount(np.cumsum(is_new) - 1, weights=pmf).astype(np.float64)
        support = support[is_new]
    for array in (support, pmf):
        array.setflags(write=False)
    return NullDistribution(support, pmf)


def law_of(values: FloatArray, masses: FloatArray, size: float) -> NullDistribution:
    """Return the distribution of values in any order; gaps up to 1e-12 of `size` are no gaps."""
    gap = _SAME * size
    values = np.where(np.abs(values) <= gap, 0.0, values)
    order = np.argsort(values, kind="stable")
    values = values[order]
    is_new = np.concatenate(([True], np.diff(values) > gap))
    pmf = np.bincount(np.cumsum(is_new) - 1, weights=masses[order])
    return frozen(values[is_new], pmf / pmf.sum())


class Drawn(Protocol):
    """The examples that were drawn: one task's `Evidence`, or that of an average of tasks."""

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference."""

    @property
    def won(self) -> WonExamples | None:
        """The numbers of examples that each system wins."""

    def interval(
        self, confidence_level: float, seed: int = 0, kind: IntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the difference in the population."""


@dataclass(frozen=True, repr=False)
class PairedResult(Telling):
    """The result of a paired-permutation test or of a paired bootstrap test; print it.

    Two results are equal if all that they tell is, `reason` and what they keep of the rows apart.

    Attributes
    ----------
    test : {"permutation", "bootstrap"}
        Which test it is: by swaps, or by draws with replacement.
    statistic : float
        The difference score1 - score2, or the statistic of `structured_permutation_test`.
    pvalue : float
        For swaps: the probability of a difference at least as extreme as the observed one, in
        [0, 1], when a fair coin swaps the two systems on each example. It is 0.0 only if it
        underflows, below about 1e-308; see `log_pvalue`. For draws: the probability that a
        resampled difference lies at least as far from the observed one as that lies from 0. It may
        be 0, see `paired_bootstrap_test`. If k of the samples are so extreme, it is
        (k + 1) / (n_resamples + 1). If "auto" sampled until the 100th, it is 100 / n_resamples.
    log_pvalue : float
        The natural logarithm of p; -inf if p is 0, which for swaps it never is.
    pvalue_interval, log_pvalue_interval : tuple of float, length 2
        The ends (low, high) of an interval for p, and for its logarithm. Of real scores, such as
        2/3, rounding may have moved some apart that tie: the p that is given is the upper end.
    pvalue_kind : {"certified", "confidence"}
        "certified": this interval contains the true p, with all rounding included. "confidence": it
        is a confidence interval of a sampled p, at 99 %.
    score1, score2 : float or None
        The scores of the two systems; None for a statistic without scores.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher.
    method : str
        The method that ran: "exact", "dp", "fft", "enumeration", "bracket" or "monte_carlo".
    n : int
        Number of examples; a sequence counts as one.
    n_differing : int
        Number of examples, or of groups, on which the two systems' contributions differ. Only
        these carry evidence.
    n_groups : int or None
        Number of groups that were swapped, or drawn; None without `groups`.
    n_resamples, seed : int or None
        Number of swaps or resamples that were sampled, and their seed: ``rng=seed`` draws the same
        ones. None for an exact p.
    n_ignored : int
        Number of labels of the references that were left out, see `ignore_label` of `compare`.
    reason : str
        Why this method ran, and how it computed p, such as "a tilted sum on a line". A sampled p
        says why it is not exact.
    metric : str or None
        The metric's name; None for bare counts.
    metric_options : dict or None
        The metric's options as keyword arguments, ``{"pos_label": "PROPN"}``; None without any.
    metric_words : str
        The metric with its options in words, "macro-averaged F1".
    unit : {"share", "percent", "number"}
        The unit of the scores.
    lower_is_better : bool
        Whether the metric counts errors.
    largest_difference : float
        The largest difference that two scores can have; it may be infinite.
    confidence_level : float or None
        The level of `interval`; None if no interval was asked for. Of a bootstrap always a level.
    interval : ConfidenceInterval or None
        The interval of the difference at this level. None if none was asked for; printing, and
        `confidence_interval`, compute one.
    score1_interval, score2_interval : ConfidenceInterval or None
        For draws: the percentile interval (low, high) of each system's own score at this level.
    ties : {"include", "exclude"} or None
        For draws: whether a resampled difference at the threshold counts.
    fraction : fractions.Fraction or None
        `pvalue` without rounding, from the method "enumeration". None for other methods.
    constant : float or None
        The number that all given scores of one system are, where it may be no system's score: p
        tests symmetry about it. None also if it is 0 or an end of `score_range`, or all scores are
        right or wrong, or win, lose or tie (1, 0, ½), or if ``constant="system"`` said that it is a
        system.
    unreported : str
        For logs: what their tool reports instead of this metric; "" if it reports it.
    sample : Evidence or None
        The rows and the score, from which `n_wins`, `standard_error` and intervals follow; that of
        an average holds its tasks. None for a pair of a leaderboard, which keeps the rows once.
    law : object or None
        What the test keeps of its null model, for `null_distribution`, and for the intervals of a
        bootstrap at other levels. None of the results in a leaderboard, and of an average of tasks.
    """

    test: Test
    statistic: float
    pvalue: float
    log_pvalue: float
    pvalue_interval: tuple[float, float]
    log_pvalue_interval: tuple[float, float]
    pvalue_kind: str
    score1: float | Any  # None for a statistic without scores
    score2: float | Any
    alternative: str
    method: str
    n: int
    n_differing: int
    n_groups: int | None = None
    n_resamples: int | None = None
    seed: int | None = None
    n_ignored: int = 0
    reason: str = field(default="", compare=False)
    metric: str | None = None
    metric_options: dict[str, Any] | None = field(default=None, hash=False)
    metric_words: str = "mean score"
    unit: str = "number"
    lower_is_better: bool = False
    largest_difference: float = math.inf
    confidence_level: float | None = None
    interval: ConfidenceInterval | None = None
    score1_interval: ConfidenceInterval | None = None
    score2_interval: ConfidenceInterval | None = None
    ties: str | None = None
    fraction: Fraction | None = None
    constant: float | None = None
    unreported: str = field(default="", compare=False)
    sample: Drawn | None = field(default=None, compare=False)
    law: Any = field(default=None, compare=False)

    @property
    def n_wins(self) -> int | None:
        """The number of examples that speak for system 1.

        For a mean, an example speaks for the system that scores better on it. For other scores, it
        speaks for a system if swapping it would change the difference against this system. If lower
        is better, as for an error rate, the lower score is the better one. None for counts of
        groups, if the result keeps no rows, and if a function has no score of some swaps.
        """
        return self._won and self._won.first

    @property
    def n_losses(self) -> int | None:
        """The number of examples that speak for system 2; see `n_wins`."""
        return self._won and self._won.second

    @property
    def n_ties(self) -> int | None:
        """The number of examples that speak for neither; see `n_wins`."""
        return self._won and self.n - sum(self._won)

    @property
    def _won(self) -> WonExamples | None:
        """The numbers of examples that each system wins; None if they cannot be computed."""
        with suppress(InputError):
            return None if self.sample is None else self.sample.won
        return None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference if other examples or groups were drawn.

        For a mean: √(G / (G - 1) Σ (d_g - d̄ n_g)²) / n, for G groups of n_g examples with the
        summed difference d_g. For other scores: by the delta method. None for one group, for a
        statistic without scores, for a score without derivatives, and if the result keeps no rows.
        """
        with suppress(InputError):  # of a function that has no score of some sums
            return None if self.sample is None else self.sample.standard_error
        return None

    def lead(self) -> float:
        """Return the statistic, its sign turned where lower is better: system 1 leads above 0."""
        return -self.statistic if self.lower_is_better else self.statistic

    def to_dict(self, confidence_level: float | None = None) -> dict[str, Any]:
        """Return the result under the keys of the `evaluate` module, ready for JSON.

        Parameters
        ----------
        confidence_level : float or None
            The level of the interval of the difference. None: the one that the test was asked for,
            and without one no interval.

        Returns
        -------
        dict of str to float, int, str, dict or None
            All numbers are finite. The keys are always the same.

            - "stat", "score1", "score2": float; the scores are None for a statistic without them;
            - "p", "p_low", "p_high": p and the ends of its interval;
            - "log_p", "log_p_low", "log_p_high": their natural logarithms; None for -inf;
            - "pvalue_kind", "metric", "metric_options", "test", "alternative", "method", "n",
              "n_differing", "n_groups", "n_resamples", "n_ignored", "seed", "ties", "constant":
              the attributes of these names;
            - "n_wins", "n_losses", "n_ties", "standard_error": the attributes, or None;
            - "confidence_level": the level of the interval, or None without one;
            - "stat_low", "stat_high": the ends of the interval; None also for an infinite end;
            - "interval_method": its method, such as "exact" or "studentised bootstrap";
            - "score1_low", "score1_high", "score2_low", "score2_high": the ends of the scores' own
              intervals, for a bootstrap;
            - "schema_version": 1, the version of the keys.

        Raises
        ------
        InputError
            If a `confidence_level` is given, and `confidence_interval` raises it.

        Examples
        --------
        >>> from pairedperm import compare
        >>> result = compare([1] * 20, [1] * 12 + [0] * 8, [1] * 20)
        >>> result.to_dict()["stat_low"], round(result.to_dict(0.95)["stat_low"], 3)
        (None, 0.084)
        """
        told = self if confidence_level is None else self.at(confidence_level)
        return versioned({key: _value_of(key, told) for key in KEYS})

    @reads_options
    def at(self, confidence_level: Level) -> PairedResult:
        """Return the same result with the interval of the difference at this level.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.

        Returns
        -------
        PairedResult
            `to_dict` of it has this interval, and it prints it.

        Raises
        ------
        InputError
            If `confidence_interval` raises it.
        """
        if self.interval is not None and confidence_level == self.confidence_level:
            return self
        intervals: dict[str, Any] = {}
        if self.test == "bootstrap":
            intervals |= zip(_INTERVALS, self._percentiles(confidence_level), strict=True)
        else:
            intervals["interval"] = self.confidence_interval(confidence_level)
        return replace(self, confidence_level=confidence_level, **intervals)

    def figures(self) -> Figures:
        """Return the scores, their difference and its interval, as they are printed."""
        told = with_interval(self)
        return figures_of(self, told.interval, told.confidence_level or CONFIDENCE_LEVEL)

    @reads_options
    def confidence_interval(
        self, confidence_level: Level | None = None, *, kind: IntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return a confidence interval of the difference score1 - score2 in the population.

        The population is the one that the examples, or groups, are drawn from. Only two-sided
        permutation tests have an interval. That of a bootstrap test is of percentiles.

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
            differs and the score is of another kind than right and wrong. Of a bootstrap test it is
            "percentile".

        Raises
        ------
        InputError
            If `confidence_level` is not between 0 and 1. If the score has no interval of this kind.
            If the test was one-sided. If there is only one example or group. If the statistic has
            no scores. If a function gives no finite score for some resamples. If the result keeps
            no rows.
        BudgetError
            If an ideal bootstrap at another level would exceed the budget of the test.

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

        For an average of tasks, the resamples draw as many examples as each task has, within the
        task; see `compare_suite` for its exact and its guaranteed interval.

        Cost: milliseconds; tenths of a second to some seconds for the bootstrap. The rows keep each
        interval. That of a bootstrap test at another level takes as long as the test: its resamples
        are drawn again with the same seed.

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
        if self.interval is not None and (level, kind) == (self.confidence_level, "auto"):
            return self.interval
        if self.test == "bootstrap":
            if kind != "auto":
                must = "be 'auto' for a bootstrap test, whose interval is of percentiles"
                raise InputError("kind", must=must, got=repr(kind))
            return self._percentiles(level)[0]
        if self.score1 is None:
            raise InputError(
                "`confidence_interval` is of the difference of two scores",
                remedy="the statistic of `structured_permutation_test` has none",
            )
        check_two_sided(self.alternative)
        if self.sample is None:
            raise without_rows("confidence interval")
        interval = self.sample.interval(level, self.seed or 0, kind)
        if interval.method in EXTENDED and self.pvalue > 1 - printed_fraction(level):
            return interval.extended_to_0()
        return interval

    def _percentiles(self, level: float) -> tuple[ConfidenceInterval, ...]:
        """Return the intervals of the difference and of both scores by the same resamples."""
        if self.law is None:
            raise without_rows("confidence interval at another level")
        return tuple(self.law.intervals(level))

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
            If the points do not fit into the budget, at 64 bytes each. A mean has up to
            ``Σ |d| + 1`` points, with d in units of its last digit. A ratio of sums has up to the
            product of these numbers for its numerator and its denominator.
            `plot_null_distribution` still draws the swaps that were sampled.
        InputError
            If a function gives no finite score for some swaps. If it is of a bootstrap test, or
            keeps no rows.
        """
        law = self._law_of_swaps()
        try:
            null: NullDistribution = law.null_distribution(read_options(budget=budget).budget)
        except BudgetError as error:
            if self.n_resamples is None:
                raise
            of_samples = f"`plot_null_distribution` draws the {self.n_resamples:,} sampled swaps."
            raise BudgetError(f"{error} {of_samples}") from error
        return null

    def sampled_distribution(self, n: int, budget: BudgetLike = None) -> NullDistribution:
        """Return the distribution in the first n of the sampled swaps, drawn once more."""
        chosen, law = read_options(budget=budget).budget, self._law_of_swaps()
        null: NullDistribution = law.sampled_distribution(n, self.seed, chosen)
        return null

    def _law_of_swaps(self) -> Any:
        """Return what the test keeps of the law of its statistic under swaps."""
        if self.test == "bootstrap":
            remedy = "Make a permutation test"
            raise InputError("a bootstrap test has no null distribution of swaps", remedy=remedy)
        if self.law is None:
            raise without_rows("null distribution")
        return self.law

    def evidence_for(self, what: str) -> Evidence:
        """Return the rows and the score that the result keeps, for something that needs them.

        Raises
        ------
        InputError
            If it keeps none, as a pair of a leaderboard, or is of an average of several tasks.
        """
        if not isinstance(self.sample, Evidence):
            raise without_rows(what)
        return self.sample

    @reads_options
    def summary(
        self,
        name1: str | None = None,
        name2: str | None = None,
        *,
        dataset: str | None = None,
        alpha: Alpha = ALPHA,
        latex: bool = False,
    ) -> str:
        """Return the sentences for a paper: the finding, the difference, and the test.

        Parameters
        ----------
        name1, name2 : str or None
            The names of the two systems. None: "system 1" and "system 2".
        dataset : str or None
            The name of the data set that they were compared on. None: it is left out.
        alpha : float
            The level: a difference with p ≤ alpha is called significant.
        latex : bool
            Whether to write it for LaTeX, with %, _, α and other such characters escaped.

        Returns
        -------
        str

        Raises
        ------
        InputError
            If a name is no text or is empty, if both systems have the same name, or if `alpha` is
            not between 0 and 1.

        Examples
        --------
        >>> from pairedperm import compare
        >>> result = compare([1, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1])
        >>> print(result.summary("large", "small", alpha=0.2).partition(": ")[0])
        The accuracy of large is significantly higher than that of small
        """
        return paragraph(self.told((name1, name2), alpha, dataset=dataset), in_latex=latex)

    @reads_options
    def told(
        self, names: GivenNames = None, alpha: Alpha | None = None, *, dataset: str | None = None
    ) -> Told:
        """See `Telling.told`; `dataset` names the data in the first sentence."""
        given = *pair_of_names(names), plain_name("dataset", dataset)
        return told_of_test(self, self.figures(), given, alpha or ALPHA)

    def __repr__(self) -> str:
        told = {name: getattr(self, name) for name in _IN_REPR}
        texts = {
            name: f"{x:.6g}" if isinstance(x, float) else repr(x)
            for name, x in told.items()
            if x is not None
        }
        texts["pvalue"] = format_pvalue(self.log_pvalue, 6)
        if self.n_resamples is not None or self.method == "bracket":
            texts["pvalue"] += f" [{ends_of_p(self, 6).replace(' to ', ', ')}]"
        return f"{type(self).__name__}({', '.join(f'{x}={y}' for x, y in texts.items())})"


_INTERVALS = "interval", "score1_interval", "score2_interval"
_IN_REPR = (
    *("test", "statistic", "pvalue", "alternative", "score1", "score2", "metric"),
    *("metric_options", "method", "n", "n_differing", "n_groups", "n_resamples", "seed", "ties"),
)


KEYS = (  # of `to_dict`, in this order
    *("stat", "p", "log_p", "p_low", "p_high", "log_p_low", "log_p_high", "pvalue_kind"),
    *("score1", "score2", "metric", "metric_options", "test", "alternative", "method"),
    *("n", "n_differing", "n_groups", "n_resamples", "n_ignored", "seed"),
    *("n_wins", "n_losses", "n_ties", "standard_error"),
    *("confidence_level", "stat_low", "stat_high", "interval_method"),
    *("score1_low", "score1_high", "score2_low", "score2_high", "ties", "constant"),
)
_ATTRIBUTES = {"stat": "statistic", "p": "pvalue", "log_p": "log_pvalue"}  # with names of their own


def _value_of(key: str, result: PairedResult) -> Any:
    """Return an attribute, or an end of its interval, by its key; None without an interval."""
    name, _, end = key.rpartition("_")
    if end in ("low", "high"):
        of = "interval" if name == "stat" else f"{_ATTRIBUTES.get(name, name)}_interval"
        return (getattr(result, of) or (None, None))[end == "high"]
    if key == "interval_method":
        return result.interval and result.interval.method
    return copy.deepcopy(getattr(result, _ATTRIBUTES.get(key, key)))  # of the metric's options


def facts_of(metric: Metric | UnknownMetric | None) -> dict[str, Any]:
    """Return the fields of a result of two systems that are of its metric."""
    largest = getattr(metric, "largest_difference", math.inf)
    return words_of(metric) | {"largest_difference": largest}


def words_of(metric: Metric | UnknownMetric | None) -> dict[str, Any]:
    """Return the fields of any result that are of its metric."""
    return {
        "metric": None if metric is None else metric.name,
        "metric_options": None if metric is None else metric.options,
        "metric_words": "mean score" if metric is None else " ".join(metric.in_words.split()),
        "unit": unit_of(None if metric is None else metric.name).key,
        "lower_is_better": metric is not None and metric.lower_is_better,
    }


def with_interval(result: PairedResult, confidence_level: float | None = None) -> PairedResult:
    """Return the result with an interval at a level, or at its own, if it has such a one."""
    with suppress(InputError):  # nobody asked: one example, a one-sided test, a failing function
        return result.at(confidence_level or result.confidence_level or CONFIDENCE_LEVEL)
    return result


WAYS_OUT = (
    "If it is a number, ask gate(score_interval(...)) with a threshold, in a shell --threshold",
    "If it is a system, set constant='system'",
)


def about_constant(result: PairedResult, alpha: float = ALPHA) -> str:
    """Return what p tests, and ways out, if one of the systems may be a number; see `doubt`."""
    said = doubt(result, alpha)
    if not said:
        return ""
    given = result.evidence_for("doubt").range_to_give
    an_end = f"If no score is beyond it, set score_range={given}" if given else ""
    return message(said.rstrip("."), remedy=(an_end, *WAYS_OUT))
