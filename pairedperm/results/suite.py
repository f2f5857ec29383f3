"""The result of several tasks: each of them, and their weighted average."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pairedperm.errors import InputError, NoIntervalError, counted, first_of, shown
from pairedperm.options import CONFIDENCE_LEVEL, Level, printed_fraction, reads_options
from pairedperm.population.intervals import (
    EXTENDED,
    AverageIntervalKind,
    ConfidenceInterval,
    average_interval,
)
from pairedperm.results.result import PairedPermutationResult, keys_of_p, known, versioned
from pairedperm.results.several import (
    CORRECTED,
    Correction,
    TableOfTests,
    least_pvalue,
    with_adjusted,
)
from pairedperm.results.table import Number, Table
from pairedperm.results.words import (
    Figures,
    adjusted_in_words,
    caution,
    groups_in_words,
    interval_in_words,
    is_of_outputs_alone,
    metric_in_words,
    n_sampling_units,
    p_beside,
    p_in_words,
    significance,
    turned_in_words,
    unit_of,
)

if TYPE_CHECKING:
    from pandas import DataFrame


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


_COLUMNS_OF_TASKS = (
    *("task", "weight", "score1", "score2", "stat", "stat_low", "stat_high", "p", "p_adjusted"),
    *("n", "n_differing", "n_wins", "n_losses", "n_ties", "standard_error", "metric", "method"),
)
_OF_AVERAGE = (
    *("score1", "score2", "interval", "alternative", "method", "n", "n_groups"),
    *("n_differing", "n_resamples", "seed", "n_wins", "n_losses", "n_ties", "standard_error"),
)

_P_OF_AVERAGE = ("stat", "p", "log_p", "p_low", "p_high", "log_p_low", "log_p_high")
_INTERVAL = 5  # proof: the column of the intervals


@dataclass(frozen=True, repr=False)
class SuiteResult(AverageOfTasks):
    """The result of `compare_suite`: the weighted average over tasks, and each task; print it.

    Attributes
    ----------
    statistic : float
        The difference of the weighted averages, score1 - score2. It is None without an average, as
        are all attributes that are of the average.
    pvalue, log_pvalue, pvalue_interval, log_pvalue_interval, interval, alternative, method
        See `PairedPermutationResult`; they are those of the weighted average.
    score1, score2 : float
        The weighted averages of the two systems' scores. If lower is better only on some tasks,
        their scores count as negative. `lead()` is the difference, above 0 if system 1 is better.
    n : int
        Number of examples of all tasks.
    n_groups : int or None
        Number of groups of all tasks; None without `groups`.
    n_differing : int
        Number of examples, or of groups, on which the systems differ.
    n_resamples, seed : int or None
        Number of sampled swaps and their seed; None for an exact p.
    n_wins, n_losses, n_ties : int or None
        Numbers of examples of all tasks that speak for system 1, for system 2 and for neither.
        None if they cannot be computed.
    standard_error : float or None
        The standard error of the difference if other examples or groups were drawn for these tasks;
        the tasks themselves stay. None if that of a task is not known.
    results : dict from str to PairedPermutationResult
        The test of each task.
    p_adjusted : dict from str to float
        The p-value of each task, adjusted for the number of tasks. By "holm" it is 1 for tasks
        whose p cannot be as small as alpha; the others are adjusted for their own number.
    tasks : tuple of dict
        The test of each task: the dict of `PairedPermutationResult.to_dict` with "task", "weight"
        (a float; all sum to 1; None without an average), "turned" (whether its score counts as
        negative) and "p_adjusted", which is adjusted for the number of tasks.
    no_average : str
        Why there is no average: which scores have different units. "" if there is one.
    correction : str or None
        How the p-values of the tasks were adjusted; None if they were not.
    alpha : float
        The level: a difference with p ≤ alpha is called significant.
    average_interval : ConfidenceInterval or None
        The interval of `statistic` if other examples or groups were drawn for these tasks, see
        `confidence_interval`; it is computed when it is asked for. None for one-sided tests, and if
        there is none, such as of tasks that share groups.
    confidence_level : float or None
        The level of this interval; None without one.
    name1, name2 : str
        The names of the systems.
    """

    name1: str = "system 1"
    name2: str = "system 2"

    def at(self, alpha: float, confidence_level: float | None = None) -> SuiteResult:
        """Return the same suite, read at another level, with intervals at a level if it is given.

        A task that has no interval at this level stays as it is.
        """
        results = [(x.of, x.result) for x in self._tests]
        adjusted = with_adjusted(results, self.correction, alpha=alpha)
        suite = replace(self, alpha=alpha, _tests=adjusted)
        if confidence_level is None:
            return suite
        tests = []
        for test in adjusted:
            result = test.result
            with suppress(InputError):
                result.confidence_interval(confidence_level)
                result = replace(result, confidence_level=confidence_level)
            tests.append(replace(test, result=result))
        average = self._average and replace(self._average, confidence_level=confidence_level)
        return replace(suite, _tests=tuple(tests), _average=average)

    @property
    def results(self) -> dict[str, PairedPermutationResult]:
        """The test of each task."""
        return {x.of.task: x.result for x in self._tests}

    @property
    def p_adjusted(self) -> dict[str, float]:
        """The p-value of each task, adjusted for the number of tasks."""
        return {x.of.task: x.p_adjusted for x in self._tests}

    @property
    def tasks(self) -> tuple[dict[str, Any], ...]:
        """The test of each task, see above."""
        return tuple(x.to_dict() for x in self._tests)

    @property
    def table(self) -> DataFrame:
        """The tasks as a pandas DataFrame with one row for each task.

        The columns are keys of `tasks`: "task", "weight", "score1", "score2", "stat" (score1 -
        score2), its interval "stat_low" to "stat_high" (if the tests have one), "p", "p_adjusted"
        (adjusted for the number of tasks), "n", "n_differing", "n_wins", "n_losses", "n_ties",
        "standard_error", "metric" and "method".
        """
        return self._frame(_COLUMNS_OF_TASKS)

    def to_dict(self) -> dict[str, Any]:
        """Return the average and the tasks as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, str, list or None
            The keys have the meaning of `PairedPermutationResult.to_dict`. All numbers are finite.

            - "stat", "p", "log_p", "p_low", "p_high", "log_p_low", "log_p_high", "score1",
              "score2": float, of the weighted average;
            - "interval", "alternative", "method", "n", "n_groups", "n_differing", "n_resamples",
              "seed", "n_wins", "n_losses", "n_ties", "standard_error", "correction", "alpha": the
              attributes of these names;
            - "tasks": list of dicts, see the attribute `tasks`; an infinite "stat_low" or
              "stat_high" is None;
            - "stat_low", "stat_high", "stat_interval", "confidence_level": the ends of
              `average_interval`, its method and its level, or None;
            - "no_average": the attribute; where it is not "", what is of the average is None;
            - "schema_version": 1.
        """
        interval = self.average_interval
        low, high, method = (None,) * 3 if interval is None else (*interval, interval.method)
        keys = {
            **dict.fromkeys(_P_OF_AVERAGE),
            **({} if self._average is None else keys_of_p(self._average)),
            **{name: getattr(self, name) for name in _OF_AVERAGE},
            "tasks": [*self.tasks],
            "correction": self.correction,
            "alpha": self.alpha,
            "confidence_level": self.confidence_level,
            "stat_low": low,
            "stat_high": high,
            "stat_interval": method,
            "no_average": self.no_average,
        }
        return versioned(keys)

    def __str__(self) -> str:
        return self.in_columns(self._table())

    def _table(self) -> Table:
        lines = [self.how()]
        if self.correction is not None:
            how = self.correction_in_words(self.correction)
            lines.append(f"Tasks: p adjusted for their number ({how}).")
        return self.table_with("adjusted p", [x.p_adjusted for x in self._tests], "\n".join(lines))

    def correction_in_words(self, correction: Correction) -> str:
        """Return the name of a correction, and how many tasks do not count in Holm's."""
        n = sum(least_pvalue(x.result) > self.alpha for x in self._tests)
        if correction != "holm" or not n:
            return CORRECTED[correction]
        return f"Holm, without {counted(n, 'task')} that cannot have p ≤ {self.alpha:g}"

    def table_with(self, heading: str, pvalues: Sequence[float], notes: str) -> Table:
        """Return the table of the tasks and their average, with p-values as the last column."""
        rows = [
            self._row(x.of.task, x.result, x.result.figures(), adjusted_in_words(p, self.alpha))
            for x, p in zip(self._tests, pvalues, strict=True)
        ]
        if self._average is not None:
            name = "average of all tasks" if "average" in self.results else "average"
            rows.append(self._row(name, self._average, self._figures, Number("", None)))
        interval = f"{self._tests[0].result.figures().level_in_words} interval"
        header = ["task", "n", self.name1, self.name2, "difference", interval, "p", heading]
        return Table(header, rows, notes)

    def in_columns(self, table: Table) -> str:
        """Return a table of `table_with` as text, without its intervals if they do not fit."""
        if not table.fits() or not any(row[_INTERVAL] for row in table.rows):
            header, *rows = (
                [*x[:_INTERVAL], *x[_INTERVAL + 1 :]] for x in (table.header, *table.rows)
            )
            table = replace(table, header=header, rows=rows)
        return table.with_short_names(2, ("system 1", "system 2")).text()

    @property
    def _figures(self) -> Figures:
        """The scores of the average, their difference and its interval."""
        unit = unit_of(self._tests[0].result.metric)
        ends = self.average_interval, self.confidence_level
        bound = max(x.result._scores.bound for x in self._tests)
        return Figures(unit, self.score1, self.score2, self.statistic, *ends, bound=bound)

    def _row(
        self, name: str, result: PairedPermutationResult, figures: Figures, adjusted: Number
    ) -> list[str]:
        """Return the cells of a task, or of the average."""
        p = p_beside(self.alpha, result.pvalue, result.log_pvalue)
        interval = Number("", None) if figures.interval is None else figures.ends
        return [name, Number(f"{result.n:,}", result.n), *figures.row, interval, p, adjusted]

    def how(self) -> str:
        """Say what was averaged, and the p-value and the interval of the average."""
        metrics: dict[str, list[str]] = {}
        for x in self._tests:
            metrics.setdefault(metric_in_words(x.result), []).append(shown(x.of.task))
        of_tasks = "; ".join(
            f"{metric} of {counted(len(tasks), 'task')}"
            + (f" ({first_of(tasks)})" if len(metrics) > 1 else "")
            for metric, tasks in metrics.items()
        )
        is_lower, turned = self.lower_is_better(), [x.of.task for x in self._tests if x.of.turned]
        better = " Lower is better." if is_lower else ""
        lines = [
            f"{of_tasks[0].upper()}{of_tasks[1:]}{', ' if len(metrics) == 1 else '; '}"
            f"{counted(self.n, 'example')}"
            f"{groups_in_words(self)}.{better}",
        ]
        lines += self._doubts()
        if turned:
            lines.append(turned_in_words(turned, has_average=self._average is not None))
        if self._average is None:
            lines.append(f"No average: {self.no_average}.")
        else:
            lines.append(
                f"Average: {p_in_words(self, self.alpha)}, "
                f"{significance(self.pvalue <= self.alpha, self.alpha)}."
            )
            if (figures := self._figures).interval is not None:
                level, ends = figures.level_in_words, interval_in_words(figures)
                lines.append(f"{level} interval of its difference: {ends}.")
                lines += caution(self, figures, self.alpha, n_telling(self))
        significant = [x for x in self._tests if x.p_adjusted <= self.alpha]
        some = [
            x for x in significant if is_of_outputs_alone(x.result, x.result.figures(), self.alpha)
        ]
        if names := [shown(x.of.task) for x in some]:
            which = f"{counted(len(names), 'task')} ({first_of(names)})"
            lines.append(
                f"The outputs differ on {which}; the interval of the difference includes 0."
            )
        return "\n".join(lines)
