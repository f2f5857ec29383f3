"""The weighted average of several tasks: its p-value and its interval."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pairedperm.errors import InputError, NoIntervalError
from pairedperm.options import CONFIDENCE_LEVEL, Level, printed_fraction, reads_options
from pairedperm.population.intervals import (
    EXTENDED,
    AverageIntervalKind,
    ConfidenceInterval,
    average_interval,
)
from pairedperm.results.correction import TableOfTests
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import known
from pairedperm.results.sentence import n_sampling_units


@dataclass(frozen=True, slots=True)
class WeightedTask:
    """The name of a task, its exact weight, and whether its score counts as negative."""

    task: str
    weight: Fraction | None
    turned: bool = False

    @property
    def share(self) -> Fraction:
        """The weight, negative if the score counts so; 0 without an average."""
        return (self.weight or Fraction(0)) * (-1 if self.turned else 1)

    def _asdict(self) -> dict[str, Any]:
        weight = None if self.weight is None else float(self.weight)
        return {"task": self.task, "weight": weight, "turned": self.turned}


def _of_average(name: str) -> property:
    """Return a property that is that of the average; None without one."""
    return property(lambda self: getattr(self._average, name, None))


def _of_all_tasks(name: str) -> property:
    """Return a property that is the sum over all tasks; None if it is not known of one."""

    def total(self: AverageOfTasks) -> int | None:
        counts = [known(x.result, name) for x in self._tests]
        return None if None in counts else sum(counts)

    return property(total)


@dataclass(frozen=True, repr=False)
class AverageOfTasks(TableOfTests[WeightedTask, PairedPermutationResult]):
    """The part of a `SuiteResult` that is of the average."""

    _average: PairedPermutationResult | None
    _are_independent: bool
    no_average: str

    statistic = _of_average("statistic")
    pvalue = _of_average("pvalue")
    log_pvalue = _of_average("log_pvalue")
    pvalue_interval = _of_average("pvalue_interval")
    log_pvalue_interval = _of_average("log_pvalue_interval")
    interval = _of_average("interval")
    score1 = _of_average("score1")
    score2 = _of_average("score2")
    method = _of_average("method")
    n = _of_all_tasks("n")
    n_groups = _of_average("n_groups")
    n_differing = _of_average("n_differing")
    n_resamples = _of_average("n_resamples")
    seed = _of_average("seed")
    n_wins = _of_all_tasks("n_wins")
    n_losses = _of_all_tasks("n_losses")
    n_ties = _of_all_tasks("n_ties")

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference of the averages, see above."""
        return None if self._average is None else known(self._average, "standard_error")

    @property
    def alternative(self) -> str:
        """The alternative of the average, and of each task whose score is not turned."""
        return next(x.result.alternative for x in self._tests if not x.of.turned)

    @property
    def _asked_level(self) -> float:
        return (self._average and self._average.confidence_level) or CONFIDENCE_LEVEL

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
        kind : {"auto", "exact", "guaranteed", "studentised bootstrap"}
            The method. "auto" is "exact" if every example is right or wrong, and all have one
            weight, as with weights by size. It is "guaranteed" if each task's score is a mean of
            scores in a known range, and all its groups, or sequences, have one size. Otherwise it
            is "studentised bootstrap".

        Returns
        -------
        ConfidenceInterval
            It unpacks as (low, high), floats in units of the score. An end is infinite if the
            examples do not bound it. `method` is the kind, or "differing share" if no example
            differs and the score has no known range.

        Raises
        ------
        InputError
            If `confidence_level` is not between 0 and 1. If there is no average, or its scores have
            no interval of this kind. If tasks share groups. If there is only one example or group,
            or a task has only one and the kind is "studentised bootstrap".

        Notes
        -----
        The exact interval is that of all tasks' wins, losses and ties as one list; see
        `PairedPermutationResult.confidence_interval`. The guaranteed interval covers the true
        difference with the probability that it promises, for any law of scores in their range. It
        is wider than an asymptotic one, and far wider if differences are small beside the range, or
        single examples differ much in weight. Groups of several sizes have none: large ones that
        were not drawn may all be losses.

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
        if self._average is None:
            raise NoIntervalError("there is no average", remedy=self.no_average)
        level, intervals = confidence_level or self._asked_level, self._average._intervals
        if (level, kind) not in intervals:
            tests = [(x.result.evidence_for("confidence interval"), x.of) for x in self._tests]
            samples, weights = [x.sample for x, _ in tests], [x.share for _, x in tests]
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
        if self._average is None:
            raise InputError("there is no average", remedy=self.no_average)
        sign = -1.0 if self.lower_is_better() else 1.0
        return sign * float(self.statistic)

    def lower_is_better(self) -> bool:
        """Tell whether the metrics of all tasks count errors."""
        return all(x.result.lower_is_better() for x in self._tests)


def n_telling(average: AverageOfTasks) -> int:
    """Return how many differing examples, or groups, of one weight would tell as much.

    Of m_t that differ in a task of n_t, each weighs a_t = w_t / n_t. So many are
    (Σ m_t a_t)² / Σ m_t a_t², by Kish's formula; all, if each example weighs the same.
    """
    tests = [(x.result, abs(x.of.share)) for x in average._tests]
    each = [(x.n_differing, weight / n_sampling_units(x)) for x, weight in tests]
    squares = sum(m * share**2 for m, share in each)
    return int(sum(m * share for m, share in each) ** 2 / squares) if squares else 0
