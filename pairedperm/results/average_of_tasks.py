"""The weighted average of several tasks: its p-value and its interval."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any

from pairedperm.errors import InputError
from pairedperm.options import CONFIDENCE_LEVEL, Level
from pairedperm.options.constraints import printed_fraction, reads_options
from pairedperm.population.average import AverageIntervalKind, average_interval
from pairedperm.population.intervals import EXTENDED, ConfidenceInterval
from pairedperm.results.correction import TableOfTests
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import known


@dataclass(frozen=True, slots=True)
class WeightedTask:
    """The name of a task and its exact weight."""

    task: str
    weight: Fraction

    def _asdict(self) -> dict[str, Any]:
        return {"task": self.task, "weight": float(self.weight)}


@dataclass(frozen=True, repr=False)
class AverageOfTasks(TableOfTests[WeightedTask, PairedPermutationResult]):
    """The part of a `SuiteResult` that is of the average."""

    _average: PairedPermutationResult
    _are_independent: bool

    statistic = property(attrgetter("_average.statistic"))
    pvalue = property(attrgetter("_average.pvalue"))
    log_pvalue = property(attrgetter("_average.log_pvalue"))
    pvalue_interval = property(attrgetter("_average.pvalue_interval"))
    log_pvalue_interval = property(attrgetter("_average.log_pvalue_interval"))
    interval = property(attrgetter("_average.interval"))
    score1 = property(attrgetter("_average.score1"))
    score2 = property(attrgetter("_average.score2"))
    alternative = property(attrgetter("_average.alternative"))
    method = property(attrgetter("_average.method"))
    n = property(attrgetter("_average.n"))
    n_groups = property(attrgetter("_average.n_groups"))
    n_differing = property(attrgetter("_average.n_differing"))
    n_resamples = property(attrgetter("_average.n_resamples"))
    seed = property(attrgetter("_average.seed"))
    n_wins = property(lambda self: known(self._average, "n_wins"))
    n_losses = property(lambda self: known(self._average, "n_losses"))
    n_ties = property(lambda self: known(self._average, "n_ties"))
    standard_error = property(lambda self: known(self._average, "standard_error"))

    @property
    def _asked_level(self) -> float:
        return self._average.confidence_level or CONFIDENCE_LEVEL

    @cached_property
    def average_interval(self) -> ConfidenceInterval | None:
        """The interval of the average at the level of the suite, see above."""
        if self.alternative == "two-sided":
            with suppress(InputError):  # nobody asked: one example, or groups that tasks share
                return self.confidence_interval()
        return None

    @property
    def confidence_level(self) -> float | None:
        """The level of this interval; None without one."""
        return None if self.average_interval is None else self._asked_level

    @reads_options
    def confidence_interval(
        self, confidence_level: Level | None = None, *, kind: AverageIntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return a confidence interval of the average's difference in the population.

        The population is what the examples, or groups, of these tasks are drawn from, each task
        with its own number of them. The interval has two sides, also if the test has one.

        Parameters
        ----------
        confidence_level : float or None
            Between 0 and 1. None: the level that the tests were asked for, or 0.95.
        kind : {"auto", "guaranteed", "studentised bootstrap"}
            The method. "auto" is "guaranteed" if each task's score is a mean of scores in a known
            range, as accuracy is, and "studentised bootstrap" otherwise.

        Returns
        -------
        ConfidenceInterval
            It unpacks as (low, high), floats in units of the score. An end is infinite if the
            examples do not bound it. `method` is the kind, or "differing share" if no example
            differs and the score has no known range.

        Raises
        ------
        InputError
            If `confidence_level` is not between 0 and 1. If the scores have no interval of this
            kind. If tasks share groups. If there is only one example or group, or a task has only
            one and the kind is no "guaranteed".

        Notes
        -----
        The guaranteed interval covers the true difference with the probability that it promises,
        for any law of scores in their range. It is some 1.6 times as wide as an asymptotic one, and
        far wider if groups, or the weights of single examples, differ much in size.

        The studentised bootstrap is asymptotic. Its resamples draw as many examples as each task
        has, within the task. It uses the seed of the result, or 0 if it has none. With fewer than
        30 differing examples or groups, or if few count most, it misses more often than it says.

        If p exceeds 1 - confidence_level, the interval is extended to contain 0, and says so. Of a
        one-sided test that is p above half of it, and an interval on the side that was tested.

        Examples
        --------
        >>> from pairedperm import compare_suite
        >>> new, old = [1] * 90 + [0] * 10, [0] * 8 + [1] * 82 + [1] * 2 + [0] * 8
        >>> suite = compare_suite({"logic": (new, old, [1] * 100), "law": (new, new, [1] * 100)})
        >>> low, high = suite.confidence_interval(0.9)
        >>> low > -0.05
        True
        """
        level, intervals = confidence_level or self._asked_level, self._average._intervals
        if (level, kind) not in intervals:
            tests = [(x.result.evidence_for("confidence interval"), x.of) for x in self._tests]
            samples, weights = [x.sample for x, _ in tests], [x.weight for _, x in tests]
            are_shared = not self._are_independent
            seed = self.seed or 0
            interval = average_interval(samples, weights, level, seed, kind, are_shared=are_shared)
            if interval.method in EXTENDED and self._allows_0(interval, level):
                interval = interval.extended_to_0()
            intervals[level, kind] = interval
        return intervals[level, kind]

    def _allows_0(self, interval: ConfidenceInterval, level: float) -> bool:
        """Tell whether p does not exclude 0 at this level, on a side that was tested."""
        tail = 1 - printed_fraction(level)
        if self.alternative == "two-sided":
            return bool(self.pvalue > tail)
        is_tested = interval.low > 0.0 if self.alternative == "greater" else interval.high < 0.0
        return is_tested and self.pvalue > tail / 2

    def lead(self) -> float:
        """Return the statistic, its sign turned where lower is better: system 1 leads above 0."""
        sign = -1.0 if self.lower_is_better() else 1.0
        return sign * float(self.statistic)

    def lower_is_better(self) -> bool:
        """Tell whether the tasks' metrics count errors."""
        return self._tests[0].result.lower_is_better()


def n_telling(average: AverageOfTasks) -> int:
    """Return how many differing examples, or groups, of one weight would tell as much.

    Of m_t that differ in a task of n_t, each weighs a_t = w_t / n_t. So many are
    (Σ m_t a_t)² / Σ m_t a_t², by Kish's formula; all, if each example weighs the same.
    """
    tests = [(x.result, x.of.weight) for x in average._tests]
    each = [(x.n_differing, weight / (x.n_groups or x.n)) for x, weight in tests]
    squares = sum(m * share**2 for m, share in each)
    return int(sum(m * share for m, share in each) ** 2 / squares) if squares else 0
