"""The comparison of two systems on several tasks: the weighted average, and each task."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.comparison.compare import OF_A_PAIR
from pairedperm.comparison.slices import split_by
from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import BudgetError, InputError, backticked, called, describe, first_of, shown
from pairedperm.inputs.labels import COLUMNS
from pairedperm.nulls.solve import shared_patience
from pairedperm.nulls.swaps import run, seconds_of_test
from pairedperm.options import (
    ALPHA,
    Alpha,
    Budget,
    OneOf,
    Options,
    is_number,
    read_options,
    reads_options,
)
from pairedperm.population.difference import MeanOfSums, Term
from pairedperm.population.evidence import Evidence, WonExamples
from pairedperm.population.intervals import (
    ConfidenceInterval,
    IntervalKind,
    average_error,
    average_interval,
)
from pairedperm.results.result import PairedResult, facts_of, with_interval
from pairedperm.results.several import Correction, with_adjusted
from pairedperm.results.suite import SuiteResult, WeightedTask
from pairedperm.scoring import MetricName
from pairedperm.scoring.merging import read_group_ids, why_floats
from pairedperm.scoring.metric import Metric, read_metric, split_call
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, SumScore

TaskWeights = Literal["equal", "size"] | Mapping[str, Any]
_WEIGHTS = OneOf(
    ("equal", "size"), words="'equal', 'size' or a dict from task to number, such as {'task': 2}"
)


def of_task(name: str, systems: Sequence[str] = ()) -> AbstractContextManager[None]:
    """Name the task, its columns and its systems in errors and warnings."""
    columns = *map(backticked, (*COLUMNS, "groups")), *(f"`systems`[{shown(x)}]" for x in systems)
    return called({x: f"{x} of task {shown(name)}" for x in columns}, f"task {shown(name)}")


def read_call(
    names: Sequence[str], metric: Any, groups: Any, options: Mapping[str, Any]
) -> tuple[Options, dict[str, Metric], dict[str, list[int | str]]]:
    """Read the options of a test of tasks, and the metric and the ids of each task."""
    metric_options, of_test = split_call(options, without=OF_A_PAIR)
    chosen, metrics = read_options(**of_test), _metrics(metric, names, metric_options)
    if groups is not None and not isinstance(groups, Mapping):
        raise InputError("groups", must="be a dict from task to ids", got=describe(groups))
    check_tasks("groups", groups or {}, names, all_of_them=False)
    ids = {}
    for name, column in (groups or {}).items():
        with of_task(name):
            ids[name] = read_group_ids(column)
    return chosen, metrics, ids


def _metrics(
    metric: Any, names: Sequence[str], metric_options: Mapping[str, Any]
) -> dict[str, Metric]:
    """Read the metric of each task.

    Raises
    ------
    InputError
        If a task has no metric.
    """
    if not isinstance(metric, Mapping):
        return dict.fromkeys(names, read_metric(metric, **metric_options))
    check_tasks("metric", metric, names)
    if of_one := [x for x in metric_options if x != "ignore_label"]:
        what = f"`{of_one[0]}` is an option of one metric, but `metric` names several"
        raise InputError(what, remedy="Give objects, such as {'task': F1(average='macro')}")
    return {name: read_metric(metric[name], **metric_options) for name in names}


def turned_tasks(metrics: Mapping[str, Metric]) -> set[str]:
    """Return the tasks where a lower score is better, unless it is on all.

    Their scores count as negative in the average, so that more of it is better.
    """
    lower = {name for name, metric in metrics.items() if metric.lower_is_better}
    return lower if len(lower) < len(metrics) else set()


def check_average(metrics: Mapping[str, Metric], remedy: str) -> None:
    """Raise InputError if an average of the tasks' scores means nothing."""
    if why := why_no_average(metrics):
        raise InputError("metric", why, remedy=("their average means nothing", remedy))


def why_no_average(metrics: Mapping[str, Metric]) -> str:
    """Say which scores have no unit in common, for their average means nothing; "" if all have."""
    kinds: dict[Any, tuple[str, Metric]] = {}  # the first task of each: two of one are not apart
    for task, metric in metrics.items():
        kind = metric.unit, metric.largest_difference, metric.lower_is_better
        kinds.setdefault(kind, (task, metric))
    for (task1, one), (task2, other) in combinations(kinds.values(), 2):
        if apart := _how_apart(one, other):
            return (
                f"{_name_of(one)} of task {shown(task1)} and {_name_of(other)} of task "
                f"{shown(task2)} differ in their {apart}"
            )
    return ""


def _how_apart(one: Metric, other: Metric) -> str:
    """Say in what two metrics differ that have no unit in common; "" if they may have one.

    Numbers say by their range which unit they have. Where a range is not known, scores and losses
    are not taken for numbers of one unit.
    """
    if one.unit != other.unit:
        return "unit"
    widths = {one.largest_difference, other.largest_difference}
    if one.unit != "number":
        return ""
    if math.inf not in widths:
        return "range" if len(widths) > 1 else ""
    is_lower = one.lower_is_better is not other.lower_is_better
    return "direction, and not both have a known range (score_range)" if is_lower else ""


def _name_of(metric: Metric) -> str:
    """Return the name of a metric, or of what is logged."""
    return shown(metric.options["of"] if metric.options and "of" in metric.options else metric.name)


def read_weights(weights: Any, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """Read the weight of each task; the weights sum to 1."""
    if isinstance(weights, Mapping):
        check_tasks("weights", weights, [*sizes])
        of_tasks = {name: _read_weight(name, weights[name]) for name in sizes}
    else:
        is_size = _WEIGHTS.read("weights", weights) == "size"
        of_tasks = {name: Fraction(n if is_size else 1) for name, n in sizes.items()}
    total = sum(of_tasks.values())
    if not total:
        raise InputError("weights", "are all 0", remedy="one must be positive")
    return {name: x / total for name, x in of_tasks.items()}


def _read_weight(name: str, value: Any) -> Fraction:
    """Read an integer, a Fraction or a decimal as it is printed."""
    if is_number(value) or isinstance(value, (Fraction, Decimal)):
        with suppress(ValueError):  # infinite or NaN
            weight = Fraction(str(value))
            if weight >= 0:
                return weight
    must = "be a number from 0, such as 2 or 0.25"
    raise InputError(f"`weights`[{shown(name)}]", must=must, got=describe(value))


def check_tasks(
    argument: str, given: Mapping[Any, Any], names: Sequence[str], *, all_of_them: bool = True
) -> None:
    """Raise InputError if a name is no task, or if a task is missing."""
    known = {*names}
    if unknown := [name for name in given if name not in known]:
        what = f"`{argument}` has {describe(unknown[0])}, which is no task"
        raise InputError(what, remedy=f"they are {first_of([*map(shown, names)])}")
    missing = [name for name in names if name not in given]
    if all_of_them and missing:
        what = f"`{argument}` lacks task {shown(missing[0])}"
        raise InputError(what, remedy="it must have all tasks")


_LARGEST_SUM = 2**60  # proof: sums and differences of two such numbers fit int64
_WEIGHT_ERROR = 2.0**-51  # proof: the error of an integer, a factor and their product, each rounded


class WeightedScore(NamedTuple):
    """A task's rows and score, in the form for swaps, and its weight.

    The sizes of all weights add up to 1. A negative one turns the score. The divisor is that of the
    numbers of a mean; other scores have none.
    """

    rows: Rows
    score: Any
    weight: Fraction
    divisor: Any = None


def weighted_average(
    tasks: Sequence[WeightedScore], groups: IntArray | None, budget: Budget
) -> tuple[Rows, Score]:
    """Return the rows and the score Σ weight · score over all tasks.

    It is a mean if each score is a mean, unless the common lattice is beyond int64. `groups` holds
    the group number of each row, over all tasks together. A function of the sums needs a table with
    columns for each task. If that exceeds the budget, means are a mean of floats.

    Raises
    ------
    BudgetError
        If the table of scores that are no means exceeds the budget.
    """
    how_often = None
    if groups is None:
        how_often = np.concatenate([task.rows.how_often for task in tasks])
    fact, otherwise = why_floats(task.rows for task in tasks), None
    rounding = max(task.rows.provenance.rounding for task in tasks) + _WEIGHT_ERROR if fact else 0.0
    if any(task.divisor is None for task in tasks):
        rows, average = _side_by_side(tasks, how_often, groups, budget)
        limit = math.inf if fact else 0.0
        return rows.noting(no_lattice=fact, rounding=rounding, float_limit=limit), average
    of_means = [task.weight / task.divisor for task in tasks]
    if not fact and any(isinstance(task.score.total, float) for task in tasks):
        fact = "the sizes of examples are no integers"
    if not fact:
        unit = math.lcm(*(x.denominator for x in of_means))
        factors = [int(x * unit) for x in of_means]
        entries = [max(map(largest_entry, (x.rows.rows1, x.rows.rows2))) for x in tasks]
        is_beyond = max(abs(x) * y for x, y in zip(factors, entries, strict=True)) >= _LARGEST_SUM
        with suppress(BudgetError):
            otherwise = _side_by_side(tasks, how_often, groups, budget, unit, factors)
        if not is_beyond:
            one, two = _scaled(tasks, factors)
            mean = Mean(unit, total=1, otherwise=otherwise)
            return Rows(one, two, how_often, groups=groups), mean
        if otherwise is not None:
            return otherwise
        fact, rounding = "the tasks are many, of many sizes", _WEIGHT_ERROR
    one, two = _scaled(tasks, [*map(float, of_means)])
    if how_often is not None:  # each row stands for one example
        one, two = (np.repeat(x, how_often) for x in (one, two))
    rows = Rows(one, two, groups=groups)
    return rows.noting(no_lattice=fact, rounding=rounding, float_limit=math.inf), Mean(total=1)


def _scaled(tasks: Sequence[WeightedScore], factors: Sequence[float]) -> list[NDArray[Any]]:
    """Return the numbers of both systems, those of each task times its factor."""
    return [
        np.concatenate([getattr(x.rows, name) * y for x, y in zip(tasks, factors, strict=True)])
        for name in ("rows1", "rows2")
    ]


class WeightedAverage(SumScore):
    """The weighted average as a function of the sums of all tasks' columns, side by side.

    If all scores are means, it is Σ factors · sums / unit, without rounding.
    """

    def __init__(self, parts: Sequence[Term], unit: int, factors: Sequence[int]) -> None:
        self._parts, self._unit, self._factors = parts, unit, factors
        self.is_exact = bool(factors)

    def __call__(self, sums: FloatArray) -> FloatArray:
        total = np.zeros(len(sums))
        for score, columns, weight in self._parts:
            total += weight * score(sums[:, columns])
        return total

    def exact(self, sums: list[int]) -> Fraction:
        """Return the exact average of means."""
        pairs = zip(self._factors, sums, strict=True)
        return Fraction(sum(factor * x for factor, x in pairs), self._unit)


def _side_by_side(
    tasks: Sequence[WeightedScore],
    how_often: IntArray | None,
    groups: IntArray | None,
    budget: Budget,
    unit: int = 0,
    factors: Sequence[int] = (),
) -> tuple[Rows, SumScore]:
    """Return all rows, with 0 in other tasks' columns, and the average of their sums.

    Raises
    ------
    BudgetError
        If they exceed the budget.
    """
    shapes = [(0, 0), *(task.rows.tables[0].shape for task in tasks)]
    ends = np.cumsum(shapes, axis=0).tolist()
    n_bytes = 16 * math.prod(ends[-1])  # of both systems
    what = f"the average of {len(tasks):,} tasks needs {n_bytes:.3g} bytes"
    if excess := budget.excess(what, n_bytes=n_bytes):
        raise BudgetError(excess)
    kind = np.float64 if any(task.rows.no_lattice for task in tasks) else np.int64
    both, parts = np.zeros((2, *ends[-1]), dtype=kind), []
    for task, (row, start), (stop, end) in zip(tasks, ends, ends[1:], strict=False):
        for block, numbers in zip(both, task.rows.tables, strict=True):
            block[row:stop, start:end] = numbers
        score = task.score if task.divisor is None else MeanOfSums(float(task.divisor))
        parts.append(Term(score, slice(start, end), float(task.weight)))
    average = WeightedAverage(parts, unit, factors)
    if factors:
        average.whole = [
            factor * (x - y)
            for task, factor in zip(tasks, factors, strict=True)
            for x, y in zip(task.rows.rows1.tolist(), task.rows.rows2.tolist(), strict=True)
        ]
    return Rows(both[0], both[1], how_often, groups=groups), average


@dataclass(frozen=True, eq=False)
class SuiteAverage:
    """What two systems on several tasks say of the weighted averages of their scores.

    Attributes
    ----------
    tasks : dict from str to Evidence
        The rows and the score of each task; where some have groups, a row for each example.
    weights : sequence of Fraction
        The weight of each task, negative if its score counts so; their sizes add up to 1.
    ids : dict from str to list
        The ids of the groups of the tasks that have some.
    budget : Budget
        The limits of the average.
    intervals : dict
        Those that were computed, by level, seed and kind.
    """

    tasks: Mapping[str, Evidence]
    weights: Sequence[Fraction]
    ids: Mapping[str, Any]
    budget: Budget
    intervals: dict[tuple[float, int, str], ConfidenceInterval] = field(default_factory=dict)

    @cached_property
    def rows(self) -> list[Rows]:
        """The rows of each task; all have groups if some task has them."""
        rows = [x.rows for x in self.tasks.values()]
        if all(x.groups is None for x in rows):
            return rows
        return [x.having(groups=np.arange(x.n)) if x.groups is None else x for x in rows]

    @cached_property
    def places(self) -> list[IntArray]:
        """For each task, the numbers of its groups over all tasks, which may share groups."""
        number: dict[Any, int] = {}
        places = []
        for name, rows in zip(self.tasks, self.rows, strict=True):
            keys = dict.fromkeys(
                self.ids.get(name) or ((name, x) for x in range(rows.n_groups or 0))
            )
            places.append(np.array([number.setdefault(x, len(number)) for x in keys], dtype=int))
        return places

    @cached_property
    def n_groups(self) -> int | None:
        """The number of groups of all tasks together."""
        return len({*np.concatenate(self.places).tolist()}) or None

    @property
    def are_shared(self) -> bool:
        """Whether a group has examples of several tasks."""
        return (self.n_groups or 0) < sum(map(len, self.places))

    @property
    def tested(self) -> tuple[Rows, Score]:
        """What a test takes: the rows of all tasks, and the average of their sums.

        Raises
        ------
        BudgetError
            If the average needs more memory than the `budget` allows.
        """
        groups = None
        if self.n_groups is not None:
            placed = zip(self.places, self.rows, strict=True)
            groups = np.concatenate([place[x.groups] for place, x in placed])
        parts = []
        for task, each, weight in zip(self.tasks.values(), self.rows, self.weights, strict=True):
            rows = each.counted() if groups is None else each
            fewer, simple = task.score.simplify(rows, "swaps")
            if isinstance(simple, Mean) and simple.is_of_mean:
                fewer, simple = task.score.simplify(rows, "draws")
            divisor = (
                simple.unit * Fraction(simple.total or 0) if isinstance(simple, Mean) else None
            )
            parts.append(WeightedScore(fewer, simple, weight, divisor))
        return weighted_average(parts, groups, self.budget)

    def run(self, options: Options, **facts: Any) -> PairedResult:
        """Test the difference of the averages; the result has the numbers of all tasks."""
        of_test = replace(options, confidence_level=None, constant="system")  # tasks are doubted
        rows, score = self.tested
        with called({}, "the average of the tasks"):
            result = run(rows, score, None, of_test)
        n = sum(x.n for x in self.rows)
        return replace(result, n=n, n_groups=self.n_groups, sample=self, law=None, **facts)

    @cached_property
    def standard_error(self) -> float | None:
        """The standard error of the difference, for these tasks; see `average_error`."""
        scores = (x.score for x in self.tasks.values())
        places = self.places if self.are_shared else None
        return average_error([*zip(self.rows, scores, strict=True)], self.weights, places)

    @cached_property
    def won(self) -> WonExamples | None:
        """The numbers of examples of all tasks that each system wins; None if not all are known."""
        known = [x.won for x in self.tasks.values() if x.won is not None]
        if len(known) < len(self.tasks):
            return None
        return WonExamples(*map(sum, zip(*known, strict=True)))

    def interval(
        self, confidence_level: float, seed: int = 0, kind: IntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the difference, for these tasks.

        Raises
        ------
        InputError
            For the reasons of `average_interval`.
        """
        key = confidence_level, seed, kind
        if key not in self.intervals:
            samples = [x.sample for x in self.tasks.values()]
            self.intervals[key] = average_interval(
                samples, self.weights, *key, are_shared=self.are_shared
            )
        return self.intervals[key]


@reads_options
def compare_suite(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: TaskWeights | None = None,
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    by: Any = None,
    groups: Any = None,
    **options: Any,
) -> SuiteResult:
    """Does one system beat another on several tasks together, and on which of them?

    The weighted average of the tasks' scores has one p-value, over all swaps of the systems'
    outputs on the examples of all tasks. Each task has its own p-value, adjusted for their number.

    Parameters
    ----------
    tasks : dict from str to (predictions1, predictions2, references), or list of such pairs
        The columns of each task by its name, see `compare`; without references if the metric has
        none. With `by`: the columns of one list of examples, (predictions1, predictions2,
        references).
    metric : str, Metric, or dict from task to one of these
        The metric of all tasks, or of each task. If lower is better only on some tasks, their
        scores count as negative in the average. So system 1 is better if its average is higher.
    weights : {"equal", "size"} or dict from task to number, or None
        "equal": all tasks have the same weight. "size": a task's weight is its number of examples.
        A dict has a weight ≥ 0 for each task (int, float, Fraction or Decimal; floats are read as
        printed). The weights are divided by their sum. None: "equal", but no average if the scores
        have different units, see Notes.
    correction : {"holm", "bonferroni", "bh", "by"} or None
        How the tasks' p-values are adjusted; see `compare_many`. "holm" does not count tasks that
        cannot be significant: with m differing examples, or groups, the smallest two-sided p is
        2^(1 - m), and p of such a task is adjusted to 1. Where tasks share groups, this assumes
        that they can be swapped in all tasks without a difference at once.
    alpha : float
        The level, between 0 and 1: of the printed text, and for "holm" of which tasks can be
        significant.
    by : sequence of int or str, length n, or None
        The slice of each example of one list, such as its domain. Each slice is a task, called by
        its value, in sorted order. With equal weights the average is that of the slices' scores;
        with "size", if each example counts once, that of the whole list. No entry may be missing.
    groups : dict from task to sequence of int or str, or None
        The ids of the examples of some or all tasks, see `compare`. Examples with the same id are
        swapped together, also those of different tasks. With `by`: one sequence, of length n.
    **options
        Of the test: `alternative`, `method`, `n_resamples`, `rng`, `budget` and `constant` apply to
        the average and to each task. If lower is better only on some tasks, "greater" says on all
        of them that system 1 is better. `confidence_level` is that of the intervals of the
        differences, each on its own; None: 0.95 for two-sided tests; one-sided tests have no
        interval. Of the one metric that is named for all tasks: see `compare`.

    Returns
    -------
    SuiteResult
        To print; `table`, `tasks`, `to_markdown` and `to_dict` say more.

    Raises
    ------
    InputError
        If there is no task. If a name occurs twice or is no text. If a task is not two or three
        columns. If weights are missing, negative, all 0 or of other tasks, or are given to scores
        with different units. If `by` has another length, an entry is missing, or is no integer and
        no text. Also as `compare`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If a p is sampled without being asked for. If a task's column of scores is one number
        throughout, see `paired_permutation_test`.

    Notes
    -----
    If the score of every task is a mean, such as accuracy or recall of one label, p of the average
    is exact. It sums over the tasks' common lattice, or over the numbers of swapped examples of the
    tasks. If both are too many, p is bracketed, mostly within 1e-4 of it. Averages of other scores,
    such as F1, are sampled unless they have few sums.

    Scores with different units have no average: shares, percents and plain numbers, or numbers with
    different known ranges (`score_range` of "mean_score"). Where lower is better only on some
    tasks, numbers need a known range. Numbers of unknown range are otherwise taken for numbers of
    one unit. Without an average its p, scores and interval are None.

    The interval of the average, ``average.confidence_interval``, is of the examples, or groups,
    that each task's are drawn from, each task with its own number of them. Only two-sided tests
    have one; tasks that share groups have none. It is "exact" if every example is right or wrong,
    and all have one weight, as with weights by size: it is that of all tasks' wins, losses and ties
    as one list. It is "guaranteed" if each task's score is a mean of scores in a known range, and
    all its groups, or sequences, have one size. This one is wider than an asymptotic one, and far
    wider if differences are small beside the range, or single examples differ much in weight.
    Otherwise it is the studentised bootstrap, which is asymptotic: with fewer than 30 differing
    examples or groups, or if few count most, it misses more often than it says.

    Examples
    --------
    >>> from pairedperm import compare_suite
    >>> right = [1] * 8
    >>> tasks = {
    ...     "arithmetic": ([1, 1, 1, 1, 1, 1, 1, 0], [1, 0, 0, 1, 0, 0, 0, 1], right),
    ...     "logic": ([1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 0, 0, 1], right),
    ... }
    >>> print(compare_suite(tasks))
    task         n  system  system  difference   95% interval       p  adjusted
                         1       2    (points)                                p
    arithmetic   8   87.5%   37.5%        50.0  -21.8 to 89.2   0.219     0.219
    logic        8  100.0%   50.0%        50.0  -10.8 to 84.3   0.125         1
    average     16   93.8%   43.8%        50.0    6.1 to 78.0  0.0215
    <BLANKLINE>
    Accuracy of 2 tasks, 16 examples. Each task counts the same.
    The average accuracy of system 1 is significantly higher than that of system 2:
      93.8% against 43.8%.
    The difference is 50.0 percentage points (95% exact confidence interval 6.1 to
      78.0).
    The exact two-sided paired-permutation test gives p = 0.0215 (n = 16, 10 differ,
      α = 0.05).
    p is the share of swaps of the systems' outputs whose difference is at least as
      large; the interval is for other examples of this kind.
    Tasks: p adjusted for their number (Holm, without 'logic', which cannot have p ≤
      0.05).

    Which slices of one list got worse? Here by the language of each example:

    >>> language = ["de", "en"] * 8
    >>> columns = [1, 1] * 7 + [0, 1], [1, 0] * 7 + [1, 0], [1] * 16
    >>> slices = compare_suite(columns, by=language)
    >>> slices.p_adjusted
    {'de': 1.0, 'en': 0.0078125}
    """
    if by is not None:
        _check_columns("tasks", tasks, " where `by` splits one list of examples")
        tasks, groups = split_by(tasks, by, groups)
    named = read_named("tasks", tasks, "columns", 1)
    chosen, metrics, ids = read_call([*named], metric, groups, options)
    no_average, turned = why_no_average(metrics), turned_tasks(metrics)
    if weights is not None:
        check_average(metrics, "Leave out `weights`")
    read = {name: _read_task(name, x, metrics[name], ids.get(name)) for name, x in named.items()}
    sizes = {name: task.rows.n for name, task in read.items()}
    weight = {} if no_average else read_weights("equal" if weights is None else weights, sizes)
    sides: dict[Any, Any] = {"greater": "less", "less": "greater"}  # where lower is better
    other = replace(chosen, alternative=sides.get(chosen.alternative, chosen.alternative))

    def seconds(task: Evidence) -> float:
        return seconds_of_test(*task.tested, chosen)

    results = []
    with shared_patience([*read.values()], seconds, alpha, "tasks") as bar:
        for name, task in read.items():
            is_turned = name in turned
            with of_task(name):
                tested = run(*task.tested, task.metric, other if is_turned else chosen)
            results.append((WeightedTask(name, weight.get(name), is_turned), tested))
            bar.update()
    average = None
    if weight:
        shares = [-x if name in turned else x for name, x in weight.items()]
        of_all = SuiteAverage(read, shares, ids, chosen.budget)
        average = of_all.run(chosen, **_facts_of_all([*metrics.values()]))
        if chosen.confidence_level is not None:
            average = with_interval(average, chosen.confidence_level)
    tests = with_adjusted(results, correction, alpha=alpha)
    return SuiteResult(tests, correction, alpha, average, no_average)


def _facts_of_all(metrics: Sequence[Metric]) -> dict[str, Any]:
    """Return the fields of an average that are of the metrics of its tasks."""
    one = facts_of(metrics[0])
    if any(x != metrics[0] for x in metrics):
        one |= {"metric": None, "metric_options": None, "metric_words": "score"}
    one["metric_words"] = f"average {one['metric_words']}"
    is_lower = all(x.lower_is_better for x in metrics)
    largest = max(x.largest_difference for x in metrics)
    return one | {"lower_is_better": is_lower, "largest_difference": largest}


def _read_task(name: str, columns: Any, metric: Metric, ids: Any) -> Evidence:
    """Read the columns of a task; those of some metrics have no references."""
    _check_columns(f"`tasks`[{shown(name)}]", columns)
    with of_task(name):
        rows = metric.rows_in_order(metric.read((*columns, None)[:3]), ids)
        return Evidence(rows, metric.checked_score(rows), metric)


def _check_columns(argument: str, columns: Any, where: str = "") -> None:
    """Raise InputError unless these are the two or three columns of a task."""
    if not isinstance(columns, (tuple, list)) or len(columns) not in (2, 3):
        must = f"be (predictions1, predictions2, references){where}"
        raise InputError(argument, must=must, got=describe(columns))


def read_named(argument: str, given: Any, what: str, least: int) -> dict[str, Any]:
    """Return the `given` things by their names, in which white space is one space.

    A table of pandas is a mapping from names to columns. Messages call the things `what`, such as
    "predictions". There must be at least `least`.

    Raises
    ------
    InputError
        If `given` has another type or fewer things; if a name is empty, no text, or there twice.
    """
    is_table = hasattr(given, "columns") and hasattr(given, "items")
    pairs = [*given.items()] if is_table or isinstance(given, Mapping) else given
    are_pairs = isinstance(pairs, (list, tuple)) and all(isinstance(x, tuple) for x in pairs)
    if not are_pairs or any(len(x) != 2 for x in pairs):
        must = f"be a dict from names to {what}, or a list of such pairs"
        raise InputError(argument, must=must, got=describe(given))
    by_name: dict[str, Any] = {}
    for label, value in pairs:
        if not isinstance(label, str) or not label.strip():
            raise InputError(argument, must="have names, as text", got=describe(label))
        name = " ".join(label.split())
        if name in by_name:
            what = f"`{argument}` holds {shown(name)} twice"
            raise InputError(what, remedy="give each a name of its own")
        by_name[name] = value
    if len(by_name) < least:
        got = "".join((f"{len(by_name)}", *(f": {shown(name)}" for name in by_name)))
        raise InputError(argument, must=f"hold at least {least}", got=got)
    return by_name
