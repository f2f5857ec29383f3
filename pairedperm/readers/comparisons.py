"""Comparisons of two systems under several metrics or on several tasks, with adjusted p-values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pairedperm.errors import Parts, Words, called, first_of, joined, shown
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.readers.examples import Examples, compare_examples, lacking
from pairedperm.readers.logged_metrics import NoMetricError
from pairedperm.readers.matching import Unmatched
from pairedperm.readers.runs import Runs
from pairedperm.results.result import PairedResult, versioned
from pairedperm.results.several import Correction, TableOfTests, with_adjusted
from pairedperm.results.table import Number, Table
from pairedperm.results.words import adjusted_in_words, p_beside
from pairedperm.scoring.metrics.given import MeanScore


class Logged(NamedTuple):
    """The name of a task, and that of a metric in its log."""

    task: str
    logged: str


@dataclass(frozen=True, repr=False)
class Comparisons(TableOfTests[Logged, PairedResult]):
    """Results of two systems under several metrics or on several tasks; print them.

    Attributes
    ----------
    name1, name2 : str
        The names of the systems.
    results : dict from (str, str) to result
        The result of `compare` for each task and metric.
    tests : tuple of dict
        `to_dict` of each result, with "task", "logged" (the metric's name in the log) and
        "p_adjusted".
    correction : str or None
        How the p-values were adjusted for their number.
    alpha : float
        The significance level, between 0 and 1.
    left_out : tuple of str or Part
        A line for each task that lacks the metric, for each metric that is the same as another,
        and for each that not all examples have.
    """

    name1: str
    name2: str
    left_out: tuple[Words, ...] = ()

    @property
    def results(self) -> dict[tuple[str, str], PairedResult]:
        """The result of each task and metric."""
        return {(x.of.task, x.of.logged): x.result for x in self._tests}

    @property
    def tests(self) -> tuple[dict[str, Any], ...]:
        """The test of each task and metric, see above."""
        return tuple(x.to_dict() for x in self._tests)

    def to_dict(self) -> dict[str, Any]:
        """Return the names, tests, correction and alpha as builtins, ready for JSON."""
        return versioned(
            {
                "system1": self.name1,
                "system2": self.name2,
                "tests": [*self.tests],
                "correction": self.correction,
                "alpha": self.alpha,
            }
        )

    def __str__(self) -> str:
        table = self._table()
        return table.with_short_names(len(table.header) - 5, ("system 1", "system 2")).text()

    def _table(self) -> Table:
        header = ["metric", "n", self.name1, self.name2, "difference", "p", "adjusted p"]
        rows = [
            [
                test.of.task,
                test.of.logged,
                Number(f"{test.result.n:,}", test.result.n),
                *test.result.figures().alone.in_words,
                p_beside(self.alpha, test.result.pvalue, test.result.log_pvalue),
                adjusted_in_words(test.p_adjusted, self.alpha),
            ]
            for test in self._tests
        ]
        n_significant = sum(x.p_adjusted <= self.alpha for x in self._tests)
        how = f"Significant: {n_significant:,} of {len(rows):,} ({self._level})."
        how = "\n".join([how, *self._doubts()])
        if any(x.of.task for x in self._tests):
            return Table(["task", *header], rows, how, n_names=2)
        return Table(header, [row[1:] for row in rows], how)


@reads_options
def compare_all(
    tasks: Sequence[Runs],
    *,
    metrics: Sequence[str] = (),
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    lower_is_better: bool | None = None,
    metric_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[Comparisons, list[Examples]]:
    """Compare two systems under each metric of each task; return also the compared examples.

    Metrics that are not named, and are the same as another in all examples, are one test.

    Raises
    ------
    InputError
        For the reasons of `Runs.compare`; if `correction` or `alpha` is wrong.
    """
    partly = [{} if metrics else _partly_scored(runs) for runs in tasks]
    wanted = [
        (runs, x)
        for runs, some in zip(tasks, partly, strict=True)
        for x in metrics or runs.metrics or (None,)
        if x not in some
    ]
    not_whole: list[Words] = [
        Parts(f"left out: {', '.join(filter(None, (runs.task, name)))}: ", joined(ids, "; "))
        for runs, some in zip(tasks, partly, strict=True)
        for name, ids in some.items()
    ]

    def where(task: str, metric: str | None) -> str:
        return ", ".join(x for x in (task, metric) if x) if len(wanted) > 1 else ""

    def examples_of(runs: Runs, metric: str | None) -> Callable[[], Examples]:
        # of several, those that are no means have a direction of their own
        is_own = not metrics and any(metric in x.aggregated for x in runs.systems.values())
        lower = None if is_own and len(wanted) > 1 else lower_is_better
        return partial(runs.examples, metric, lower_is_better=lower, **(metric_options or {}))

    pairs, left_out = those_with_metric(
        (runs, where(runs.task, x), examples_of(runs, x)) for runs, x in wanted
    )
    if not metrics:
        pairs, doubles = _without_doubles(pairs)
        left_out += doubles
    results: dict[Logged, PairedResult] = {}
    for runs, examples in pairs:
        with called({}, where(runs.task, examples.name)):
            results[Logged(runs.task, examples.name)] = compare_examples(examples, **options)
    name1, name2 = pairs[0][0].systems
    tests = with_adjusted([*results.items()], correction)
    board = Comparisons(tests, correction, alpha, name1, name2, (*not_whole, *left_out))
    return board, [examples for _, examples in pairs]


def _without_doubles(
    pairs: Sequence[tuple[Runs, Examples]],
) -> tuple[list[tuple[Runs, Examples]], list[Words]]:
    """Return the first of several that are the same, and a note on each other."""
    kept: list[tuple[Runs, Examples]] = []
    notes: list[Words] = []
    for runs, examples in pairs:
        others = [x for of_task, x in kept if of_task is runs and _are_same(x, examples)]
        if others:
            where = f"{runs.task}: " if runs.task else ""
            same = f"the same as {others[0].name} in all examples, and no test of its own"
            notes.append(f"left out: {where}{examples.name}: {same}")
        else:
            kept.append((runs, examples))
    return kept, notes


def _are_same(one: Examples, other: Examples) -> bool:
    """Tell whether two logged metrics have the same scores and the same direction."""
    if not (isinstance(one.metric, MeanScore) and isinstance(other.metric, MeanScore)):
        return False
    is_lower = {x.direction.lower_is_better for x in (one, other)}
    return len(is_lower) == 1 and (one.ids, one.systems) == (other.ids, other.systems)


def _partly_scored(runs: Runs) -> dict[str, list[Unmatched]]:
    """Return the metrics that not all examples have, with these examples, unless they are dropped.

    There are none if no metric is whole: then examples failed.
    """
    if runs.on_missing == "drop":
        return {}
    found = {x: lacking(x, [*runs.systems.values()], runs.matching) for x in runs.metrics}
    partly = {name: ids for name, ids in found.items() if ids}
    return partly if len(partly) < len(found) else {}


def those_with_metric(
    wanted: Iterable[tuple[Runs, str, Callable[[], Examples]]],
) -> tuple[list[tuple[Runs, Examples]], list[Words]]:
    """Return the runs of each task with what is compared, and a note on each that lacks the metric.

    Each comes with the words that say in messages where it is, and a function for what is compared.

    Raises
    ------
    InputError
        If all lack it; for the reasons of `Runs.examples`.
    """
    compared: list[tuple[Runs, Examples]] = []
    lacking: list[tuple[Runs, NoMetricError]] = []
    for runs, where, examples in wanted:
        with called({}, where):
            try:
                compared.append((runs, examples()))
            except NoMetricError as error:
                lacking.append((runs, error))
    if not compared:
        (runs, lack), *others = lacking
        names = dict.fromkeys(x for other, _ in others for x in other.metrics)
        more = [shown(x) for x in names if x not in runs.metrics]
        have = f"Other tasks have {first_of(more)}." if more else ""
        message = lack.message
        remedy = *message.remedy, have
        raise NoMetricError(*message.what.parts, remedy=remedy, fact=lack.fact)
    return compared, [Parts(f"left out: task {shown(runs.task)}: ", x.fact) for runs, x in lacking]
