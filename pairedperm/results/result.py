"""The results of both tests, and the null distribution of the statistic, point by point."""

from __future__ import annotations

import copy
import math
import pickle
from abc import abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import (
    Advice,
    BudgetError,
    InputError,
    Message,
    Name,
    Setting,
    Words,
    describe,
)
from pairedperm.inputs.numbers import read_shaped
from pairedperm.options import (
    ALPHA,
    CONFIDENCE_LEVEL,
    Alpha,
    Budget,
    BudgetLike,
    Level,
    check_two_sided,
    printed_fraction,
    read_options,
    reads_options,
)
from pairedperm.population.evidence import Evidence, without_function
from pairedperm.population.intervals import BOOTSTRAP, EXTENDED, ConfidenceInterval, IntervalKind
from pairedperm.results.table import Table, Tabular, latex_text
from pairedperm.results.words import (
    Figures,
    doubt,
    ends_of_p,
    format_pvalue,
    lines_of_test,
    names_of,
    scores_table,
    sentence,
    unit_of,
)
from pairedperm.scoring.counts import UnknownMetric
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.scores import Mean

_AS_THEY_ARE = (
    *("interval", "score1", "score2", "metric", "alternative", "method"),
    *("n", "n_differing", "n_resamples", "confidence_level"),
)
LATER = ("n_groups", "n_wins", "n_losses", "n_ties", "standard_error")
_WITH_FUNCTION = ("_problem", "_evidence", "_metric", "_at_level")  # maybe of a caller's function

Result = TypeVar("Result", bound="PairedResult")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairedResult(Tabular):
    """The common part of the results; see `PairedPermutationResult`, `PairedBootstrapResult`."""

    statistic: float
    pvalue: float
    log_pvalue: float
    pvalue_interval: tuple[float, float]
    log_pvalue_interval: tuple[float, float]
    interval: str
    score1: float | Any  # None for a statistic without scores
    score2: float | Any
    _metric: Metric | UnknownMetric | None = field(compare=False)
    alternative: str
    method: str
    n: int
    n_differing: int
    n_groups: int | None
    n_resamples: int | None
    confidence_level: float | None
    n_ignored: int
    seed: int | None
    reason: str = field(compare=False)
    _evidence: Evidence | Callable[[], Evidence] | None = field(compare=False)
    _later: dict[str, Any] = field(default_factory=dict, compare=False, kw_only=True)
    _unreported: Words = field(default="", compare=False, kw_only=True)  # what tools report instead

    @property
    def metric(self) -> str | None:
        """The metric's name; None for bare counts."""
        return None if self._metric is None else self._metric.name

    @property
    def metric_options(self) -> dict[str, Any] | None:
        """The metric's options as keyword arguments; None without any."""
        return None if self._metric is None else self._metric.options

    def lower_is_better(self) -> bool:
        """Tell whether the metric counts errors."""
        return self._metric is not None and self._metric.lower_is_better

    def lead(self) -> float:
        """Return the statistic, its sign turned where lower is better: system 1 leads above 0."""
        return -self.statistic if self.lower_is_better() else self.statistic

    @property
    def n_wins(self) -> int:
        """The number of examples that speak for system 1; see `PairedPermutationResult`.

        Raises
        ------
        InputError
            If the result was pickled without its score function, or is of counts of groups.
        """
        return self.evidence_for("number of wins").won.first

    @property
    def n_losses(self) -> int:
        """The number of examples that speak for system 2; see `n_wins`."""
        return self.evidence_for("number of losses").won.second

    @property
    def n_ties(self) -> int:
        """The number of examples that speak for neither; see `n_wins`."""
        return self.n - self.n_wins - self.n_losses

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference of the scores; None if it is not known.

        Raises
        ------
        InputError
            If the result was pickled without its score function.
        """
        return self.evidence_for("standard error").standard_error

    def to_dict(self) -> dict[str, Any]:
        """Return the result under the keys of the `evaluate` module, ready for JSON."""
        return {
            **keys_of_p(self),
            **{name: getattr(self, name) for name in _AS_THEY_ARE},
            "metric_options": copy.deepcopy(self.metric_options),
            "n_ignored": self.n_ignored,
            "seed": self.seed,
            **{name: known(self, name) for name in LATER},
        }

    def figures(self) -> Figures:
        """Return the scores, their difference and its interval, as they are printed."""
        level, interval = self._interval()
        return replace(self._scores, interval=interval, level=level)

    @property
    def _scores(self) -> Figures:
        """The scores and their difference alone."""
        bound = getattr(self._metric, "largest_difference", math.inf)
        scores = self.score1, self.score2, self.statistic
        return Figures(unit_of(self.metric), *scores, bound=bound)

    @abstractmethod
    def _interval(self) -> tuple[float, ConfidenceInterval | None]:
        """Return the level and the interval that is printed, if there is one."""

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
        names = names_of(name1, name2, dataset)
        text = sentence(self, *names, alpha)
        return latex_text(text) if latex else text

    def _table(self) -> Table:
        return scores_table(self, self.figures(), self.summary())

    def __str__(self) -> str:  # a long seed stays in its line
        return "\n".join(lines_of_test(self))

    def __repr__(self) -> str:
        p = f"pvalue={format_pvalue(self.log_pvalue, 6)}"
        if self.n_resamples is not None or self.method == "bracket":
            p += f" [{ends_of_p(self, 6).replace(' to ', ', ')}]"
        sampled = "" if self.n_resamples is None else f", n_resamples={self.n_resamples}"
        sampled += "" if self.seed is None else f", seed={self.seed}"
        groups = "" if self.n_groups is None else f", n_groups={self.n_groups}"
        sampled += f", n_ignored={self.n_ignored}" if self.n_ignored else ""
        score1, score2 = (x if x is None else f"{x:.6g}" for x in (self.score1, self.score2))
        return (
            f"{type(self).__name__}(statistic={self.statistic:.6g}, {p}, "
            f"alternative={self.alternative!r}, "
            f"score1={score1}, score2={score2}, metric={self.metric!r}, "
            f"{'' if self.metric_options is None else f'metric_options={self.metric_options!r}, '}"
            f"method={self.method!r}, n={self.n}, n_differing={self.n_differing}{groups}{sampled})"
        )

    def evidence_for(self, what: str) -> Evidence:
        """Return the rows and the score that the result keeps, for something that needs them.

        Raises
        ------
        InputError
            If the result was pickled without its score function: there is no `what` then.
        """
        if self._evidence is None:
            raise without_function(what)
        return self._evidence if isinstance(self._evidence, Evidence) else self._evidence()

    def __eq__(self, other: object) -> bool:
        """Compare all that is told: metrics are the same if their names and options are."""
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, PairedResult)
        is_same = self.metric_options == other.metric_options
        return is_same and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Any, ...]:
        return (self.metric, *(getattr(self, x.name) for x in fields(self) if x.compare))

    def __copy__(self) -> Any:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return replace(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the result, without a function of the caller's that cannot be pickled."""
        values = attributes(self)
        lost = [x for x in _WITH_FUNCTION if x in values and not _is_pickled(values[x])]
        values |= dict.fromkeys(lost)
        if "_metric" in lost:
            values["_metric"] = UnknownMetric(str(self.metric), self.metric_options)
        return partial(type(self), **values), ()


def known(result: PairedResult, name: str) -> Any:
    """Return an attribute of the result, or None if it cannot be computed; the result keeps it."""
    if name not in result._later:
        value = None
        with suppress(InputError):
            value = getattr(result, name)
        result._later[name] = value
    return result._later[name]


def keys_of_p(result: Any) -> dict[str, float]:
    """Return a result's statistic and p-value under the keys of the `evaluate` module."""
    return {
        "stat": result.statistic,
        "p": result.pvalue,
        "log_p": result.log_pvalue,
        "p_low": result.pvalue_interval[0],
        "p_high": result.pvalue_interval[1],
        "log_p_low": result.log_pvalue_interval[0],
        "log_p_high": result.log_pvalue_interval[1],
    }


def _is_pickled(value: Any) -> bool:
    try:
        pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def attributes(result: Any, *left_out: str) -> dict[str, Any]:
    """Return the fields of a result by name, without some."""
    return {x.name: getattr(result, x.name) for x in fields(result) if x.name not in left_out}


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


_ROUNDING = 1e-15  # proof: rounding error of a sum of masses
_SAME = 1e-12  # proof: relative to the largest score; rounding moves two equal values less apart


@dataclass(frozen=True, slots=True, eq=False)
class NullDistribution:
    """The distribution of the statistic D when a fair coin swaps the systems on each example.

    `PairedPermutationResult.null_distribution` returns it, for plots, critical values and power.

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
            raise InputError(Name("x"), must="be numbers", got="NaN")
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
            raise InputError(Name("q"), must=must, got=describe(levels.tolist()))
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


IF_SYSTEM = Advice("If it is a system, set ", Setting("constant", "'system'"))


class KeptProblem(Protocol):
    """What a result keeps of the problem of its test."""

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
            return self._kept_problem().null_distribution(read_options(budget=budget).budget)
        except BudgetError as error:
            if self.n_resamples is None:
                raise
            of_samples = f"`plot_null_distribution` draws the {self.n_resamples:,} sampled swaps."
            raise BudgetError(f"{error} {of_samples}") from error

    def _sampled_distribution(self, n: int, budget: BudgetLike) -> NullDistribution:
        """Return the distribution in the first n of the sampled swaps, drawn once more."""
        assert self.seed is not None
        chosen = read_options(budget=budget)
        return self._kept_problem().sampled_distribution(n, self.seed, chosen.budget)

    def _kept_problem(self) -> KeptProblem:
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


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairedBootstrapResult(PairedResult):
    """The result of a paired bootstrap test, in builtin scalars; print it.

    Its other attributes are those of `PairedPermutationResult`, without `fraction`. There are
    always scores.

    Attributes
    ----------
    pvalue : float
        The probability that a resampled difference lies at least as far from the observed
        difference as that lies from 0; in [0, 1]. It may be 0, see `paired_bootstrap_test`. If k
        of the sampled resamples are so extreme, it is (k + 1) / (n_resamples + 1).
    log_pvalue : float
        The natural logarithm of p; -inf if p is 0.
    method : str
        The method that ran: "exact" or "monte_carlo".
    reason : str
        Why this method ran; see `PairedPermutationResult`.
    n_groups : int or None
        Number of groups that were drawn; None without `groups`.
    n_resamples, seed : int or None
        Number of resamples that were drawn, and their seed: ``rng=seed`` draws the same ones. None
        for the ideal bootstrap.
    confidence_level : float
        The level of the percentile intervals.
    score1_interval, score2_interval : ConfidenceInterval
        The percentile interval (low, high) of each system's own score.
    ties : str
        "include" or "exclude": whether a resampled difference at the threshold counts.
    """

    _difference_interval: ConfidenceInterval
    score1_interval: ConfidenceInterval
    score2_interval: ConfidenceInterval
    ties: str
    _at_level: Callable[[float], ConfidenceInterval] | None = field(compare=False)

    def __repr__(self) -> str:
        low, high = self._difference_interval
        interval = f"confidence_interval=({low:.6g}, {high:.6g})"
        return f"{PairedResult.__repr__(self)[:-1]}, {interval}, ties={self.ties!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result under the keys of the `evaluate` module, ready for JSON.

        Returns
        -------
        dict of str to float, int, str, dict or None
            All keys of `PairedPermutationResult.to_dict` but "stat_interval". "log_p", "log_p_low"
            and "log_p_high" are None where the logarithm is -inf. Also:

            - "confidence_level", and the ends of the percentile intervals at this level:
              "stat_low", "stat_high", "score1_low", "score1_high", "score2_low", "score2_high";
            - "test": "bootstrap";
            - "ties": "include" or "exclude".

            "schema_version" is the last key.
        """
        keys = PairedResult.to_dict(self)
        last = {name: keys.pop(name) for name in ("n_ignored", "seed", *LATER)}
        keys["stat_low"], keys["stat_high"] = self._difference_interval
        keys["score1_low"], keys["score1_high"] = self.score1_interval
        keys["score2_low"], keys["score2_high"] = self.score2_interval
        return versioned(keys | {"test": "bootstrap", "ties": self.ties, **last})

    @reads_options
    def confidence_interval(self, confidence_level: Level | None = None) -> ConfidenceInterval:
        """Return the percentile interval of the difference score1 - score2.

        Parameters
        ----------
        confidence_level : float or None
            Between 0 and 1. None: the level of the test.

        Returns
        -------
        ConfidenceInterval
            It unpacks as (low, high); `method` is "percentile".

        Raises
        ------
        InputError
            If `confidence_level` is not between 0 and 1. If it is another level than that of the
            test, and the result was pickled without its score function.
        BudgetError
            If the ideal bootstrap at another level would exceed the budget of the test.

        Notes
        -----
        The result keeps the interval at the level of the test. One at another level is of the same
        resamples, as if the test had been made with it. They are not kept but drawn again with the
        same seed, so that it takes as long as the test.

        Examples
        --------
        >>> from pairedperm import paired_bootstrap_test
        >>> result = paired_bootstrap_test([2, 1, 1, 0], [0, 0, 0, 1])
        >>> tuple(result.confidence_interval()), tuple(result.confidence_interval(0.5))
        ((-0.5, 1.75), (0.5, 1.25))
        """
        if confidence_level in (None, self.confidence_level):
            return self._difference_interval
        if self._at_level is None:
            raise without_function("confidence interval at another level")
        return self._at_level(confidence_level)

    def _interval(self) -> tuple[float, ConfidenceInterval]:
        """See `PairedResult`."""
        assert self.confidence_level is not None
        return self.confidence_level, self._difference_interval
