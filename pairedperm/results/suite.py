"""The result of several tasks: each of them, and their weighted average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pairedperm.errors import counted, first_of, shown
from pairedperm.options import Alpha, reads_options
from pairedperm.results.result import KEYS, PairedResult, versioned, with_interval, without_version
from pairedperm.results.several import (
    CORRECTED,
    Correction,
    TableOfTests,
    rows_of_tests,
    with_adjusted,
)
from pairedperm.results.told import EMPTY_CELL, GivenNames, Number, Told
from pairedperm.results.words import (
    adjusted_in_words,
    groups_in_words,
    headings,
    is_of_outputs_alone,
    least_pvalue,
    n_sampling_units,
    pair_of_names,
    sentences_of_test,
    turned_in_words,
)

if TYPE_CHECKING:
    from pandas import DataFrame

_COLUMNS_OF_TASKS = (
    *("task", "weight", "score1", "score2", "stat", "stat_low", "stat_high", "p", "p_adjusted"),
    *("n", "n_differing", "n_wins", "n_losses", "n_ties", "standard_error", "metric", "method"),
)
_OF_A_TASK = "metric", "metric_options", "n_ignored"  # keys that an average has not


@dataclass(frozen=True, slots=True)
class WeightedTask:
    """The name of a task, its exact weight, and whether its score counts as negative."""

    task: str
    weight: Fraction | None
    turned: bool = False

    def _asdict(self) -> dict[str, Any]:
        weight = None if self.weight is None else float(self.weight)
        return {"task": self.task, "weight": weight, "turned": self.turned}


@dataclass(frozen=True, repr=False)
class SuiteResult(TableOfTests):
    """The result of `compare_suite`: the weighted average over tasks, and each task; print it.

    Attributes
    ----------
    average : PairedResult or None
        The test of the weighted averages of the two systems' scores: ``average.pvalue``. If lower
        is better only on some tasks, their scores count as negative. `n` is the number of examples
        of all tasks, and so are `n_wins`, `n_losses` and `n_ties`. Its `standard_error` and its
        `confidence_interval` are of other examples or groups that were drawn for these tasks; the
        tasks themselves stay. None if the scores have different units.
    no_average : str
        Why there is no average: which scores have different units. "" if there is one.
    results : dict from str to PairedResult
        The test of each task.
    p_adjusted : dict from str to float
        The p-value of each task, adjusted for the number of tasks. By "holm" it is 1 for tasks
        whose p cannot be as small as alpha; the others are adjusted for their own number.
    correction : str or None
        How the p-values of the tasks were adjusted; None if they were not.
    alpha : float
        The level: a difference with p ≤ alpha is called significant.
    name1, name2 : str
        The names of the systems.
    """

    average: PairedResult | None = None
    no_average: str = ""
    name1: str = "system 1"
    name2: str = "system 2"

    def at(self, alpha: float, confidence_level: float | None = None) -> SuiteResult:
        """Return the same suite, read at another level, with intervals at a level if it is given.

        A task that has no interval at this level stays as it is.
        """
        results = [(x.of, x.result) for x in self._tests]
        average = self.average
        if confidence_level is not None:
            results = [(of, with_interval(x, confidence_level)) for of, x in results]
            average = average and with_interval(average, confidence_level)
        adjusted = with_adjusted(results, self.correction, alpha=alpha)
        return replace(self, alpha=alpha, _tests=adjusted, average=average)

    @property
    def results(self) -> dict[str, PairedResult]:
        """The test of each task."""
        return {x.of.task: x.result for x in self._tests}

    @property
    def p_adjusted(self) -> dict[str, float]:
        """The p-value of each task, adjusted for the number of tasks."""
        return {x.of.task: x.p_adjusted for x in self._tests}

    @property
    def table(self) -> DataFrame:
        """The tasks as a pandas DataFrame with one row for each task.

        The columns are keys of `to_dict`: "task", "weight", "score1", "score2", "stat" (score1 -
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
            The keys of `PairedResult.to_dict`, of the average with its interval, but for "metric",
            "metric_options" and "n_ignored". Without an average they are None; the numbers of
            examples are those of all tasks all the same. Also:

            - "tasks": list of dicts, the keys of `PairedResult.to_dict` for each task, with its
              interval, "task" (its name), "weight" (a float; all sum to 1; None without an
              average), "turned" (whether its score counts as negative) and "p_adjusted", which is
              adjusted for the number of tasks;
            - "correction", "alpha", "no_average": the attributes of these names;
            - "schema_version": 1.
        """
        average = self.average and with_interval(self.average)
        keys = without_version(average.to_dict()) if average else self._of_all_tasks()
        own = {
            "tasks": [x.to_dict() for x in self._told()],
            "correction": self.correction,
            "alpha": self.alpha,
            "no_average": self.no_average,
        }
        return versioned({key: x for key, x in keys.items() if key not in _OF_A_TASK} | own)

    def _of_all_tasks(self) -> dict[str, Any]:
        """Return the keys of an average that there is not, with the numbers of all tasks."""
        keys = dict.fromkeys(KEYS)
        for name in ("n", "n_wins", "n_losses", "n_ties"):
            counts = [getattr(x, name) for x in self.results.values()]
            keys[name] = None if None in counts else sum(counts)
        first = next(x.result for x in self._tests if not x.of.turned)
        return keys | {"test": first.test, "alternative": first.alternative}

    @reads_options
    def told(self, names: GivenNames = None, alpha: Alpha | None = None) -> Told:
        """See `Telling.told`."""
        name1, name2 = pair_of_names(names, (self.name1, self.name2))
        suite = self if alpha is None else self.at(alpha)
        suite = replace(suite, name1=name1, name2=name2)
        adjusted = {x: adjusted_in_words(p, suite.alpha) for x, p in suite.p_adjusted.items()}
        header, rows = suite.rows("adjusted p", adjusted)
        sentences = suite.sentences()
        if self.correction is not None:
            how = suite.correction_in_words(self.correction)
            sentences.append(f"Tasks: p adjusted for their number ({how}).")
        return Told(header, rows, sentences)

    def correction_in_words(self, correction: Correction) -> str:
        """Return the name of a correction, and which tasks do not count in Holm's."""
        small = [shown(x.of.task) for x in self._tests if least_pvalue(x.result) > self.alpha]
        if correction != "holm" or not small:
            return CORRECTED[correction]
        return f"Holm, without {first_of(small)}, which cannot have p ≤ {self.alpha:g}"

    def _weights_in_words(self) -> str:
        """Say how each of several tasks counts in their average; "" without one."""
        tests = self._tests
        if self.average is None or len(tests) == 1:
            return ""
        if len({x.of.weight for x in tests}) == 1:
            return " Each task counts the same."
        if len({x.of.weight / x.result.n for x in tests}) == 1:
            return " A task counts by its number of examples."
        return " Tasks count by the given weights."

    def rows(
        self, heading: str, pvalues: Mapping[str, Number]
    ) -> tuple[list[str], list[list[str]]]:
        """Return the header, and a row for each task and for their average; these p come last."""
        each = [(x, x.figures(), pvalues[task]) for task, x in self.results.items()]
        tasks = [*self.results]
        if self.average is not None:
            tasks.append("average of all tasks" if "average" in tasks else "average")
            each.append((self.average, self.average.figures(), EMPTY_CELL))
        systems, _ = headings(self.name1, self.name2)
        header, rows = rows_of_tests(each, systems, heading, self.alpha)
        return ["task", *header], [[task, *row] for task, row in zip(tasks, rows, strict=True)]

    def sentences(self) -> list[str]:
        """Say what was averaged, and the p-value and the interval of the average."""
        of_metrics: dict[str, list[str]] = {}
        average, tests = self.average, self._tests
        for x in tests:
            of_metrics.setdefault(x.result.metric_words, []).append(shown(x.of.task))
        has_one = len(of_metrics) == 1
        what = "; ".join(
            f"{metric} of {counted(len(tasks), 'task')}{'' if has_one else f' ({first_of(tasks)})'}"
            for metric, tasks in of_metrics.items()
        )
        n = counted(sum(x.result.n for x in tests), "example")
        groups = "" if average is None else groups_in_words(average)
        is_lower = all(x.result.lower_is_better for x in tests)
        lines = [
            *headings(self.name1, self.name2)[1],
            f"{what[0].upper()}{what[1:]}{', ' if has_one else '; '}{n}{groups}."
            f"{self._weights_in_words()}{' Lower is better.' * is_lower}",
            *self._doubts(),
        ]
        if turned := [x.of.task for x in tests if x.of.turned]:
            lines.append(turned_in_words(turned, has_average=average is not None))
        if average is None:
            lines.append(f"No average: {self.no_average}.")
        else:
            of_both = average.figures(), (self.name1, self.name2), self.alpha
            lines += sentences_of_test(average, *of_both, n_telling=n_telling(self))
        significant = [x for x in tests if x.p_adjusted <= self.alpha]
        names = [
            shown(x.of.task)
            for x in significant
            if is_of_outputs_alone(x.result, x.result.figures(), self.alpha)
        ]
        if names:
            which = f"The outputs differ on {counted(len(names), 'task')} ({first_of(names)})"
            lines.append(f"{which}; the interval of the difference includes 0.")
        return lines


def n_telling(suite: SuiteResult) -> int:
    """Return how many differing examples, or groups, of one weight would tell as much.

    Of m_t that differ in a task of n_t, each weighs a_t = w_t / n_t. So many are
    (Σ m_t a_t)² / Σ m_t a_t², by Kish's formula; all, if each example weighs the same.
    """
    tests = [(x.result, x.of.weight or Fraction(0)) for x in suite._tests]
    each = [(x.n_differing, weight / n_sampling_units(x)) for x, weight in tests]
    squares = sum(m * share**2 for m, share in each)
    return int(sum(m * share for m, share in each) ** 2 / squares) if squares else 0
