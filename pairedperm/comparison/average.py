"""The weighted average of two systems' scores on several tasks: rows, score and test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import BudgetError, Message, called
from pairedperm.nulls.swaps import run
from pairedperm.options import Budget, Options
from pairedperm.population.difference import MeanOfSums, Term
from pairedperm.population.evidence import Evidence, Wins
from pairedperm.population.intervals import (
    ConfidenceInterval,
    IntervalKind,
    average_error,
    average_interval,
)
from pairedperm.results.result import PairedPermutationResult
from pairedperm.scoring.merging import why_floats
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore

_LARGEST_SUM = 2**60  # proof: sums and differences of two such numbers fit int64
_WEIGHT_ERROR = 2.0**-51  # proof: the error of an integer, a factor and their product, each rounded


class Task(NamedTuple):
    """A task's rows and score, in the form for swaps, and its weight.

    The sizes of all weights add up to 1. A negative one turns the score.
    """

    rows: Rows
    score: Score
    weight: Fraction

    @classmethod
    def of(cls, rows: Rows, score: Score, weight: Fraction) -> Task:
        """Make a task with the score in a form that can be averaged."""
        found, simple = score.simplify(rows, "swaps")
        if isinstance(simple, Mean) and simple.is_of_mean:
            found, simple = score.simplify(rows, "draws")
        return cls(found, simple, weight)

    @property
    def factor(self) -> Fraction:
        """The amount that a unit of the numbers adds to the average, if the score is a mean."""
        assert isinstance(self.score, Mean)
        assert self.score.total is not None
        unit = self.score.unit * Fraction(self.score.total)
        return Fraction(self.weight / unit)


@dataclass(frozen=True, eq=False)
class Simplified(Score):
    """A score and its rows, in their simplest form."""

    rows: Rows
    score: Score

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        return self.rows, self.score


def weighted_average(tasks: Sequence[Task], groups: IntArray | None, budget: Budget) -> Simplified:
    """Return Σ weight · score over all tasks.

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
    fact = why_floats(task.rows for task in tasks)
    rounding = max(task.rows.provenance.rounding for task in tasks) + _WEIGHT_ERROR if fact else 0.0
    facts: dict[str, Any] = {"no_lattice": fact, "rounding": rounding}
    excess = _excess_of_table(tasks, budget)
    if not all(isinstance(task.score, Mean) for task in tasks):
        if excess is not None:
            raise BudgetError(excess)
        parts, rows = _side_by_side(tasks)
        rows = rows.having(multiplicities=how_often, groups=groups)
        rows = rows.noting(**facts, float_limit=math.inf if fact else 0.0)
        return Simplified(rows, WeightedAverage(parts))
    if fact or any(isinstance(x.score.total, float) for x in tasks):  # type: ignore[attr-defined]
        facts["no_lattice"] = fact or "the sizes of examples are no integers"
        return _of_floats(tasks, how_often, groups, facts)
    unit = math.lcm(*(task.factor.denominator for task in tasks))
    factors = [int(task.factor * unit) for task in tasks]
    entries = [max(map(largest_entry, (x.rows.rows1, x.rows.rows2))) for x in tasks]
    is_beyond = max(abs(x) * y for x, y in zip(factors, entries, strict=True)) >= _LARGEST_SUM
    otherwise = None
    if excess is None:
        parts, rows = _side_by_side(tasks)
        rows = rows.having(multiplicities=how_often, groups=groups).noting(**facts)
        average = WeightedAverage(parts, unit, factors)
        average.whole = [
            factor * (x - y)
            for task, factor in zip(tasks, factors, strict=True)
            for x, y in zip(task.rows.rows1.tolist(), task.rows.rows2.tolist(), strict=True)
        ]
        otherwise = rows, average
        if is_beyond:
            return Simplified(*otherwise)
    elif is_beyond:
        facts = {"no_lattice": "the tasks are many, of many sizes", "rounding": _WEIGHT_ERROR}
        return _of_floats(tasks, how_often, groups, facts)
    one, two = _scaled(tasks, factors)
    rows = Rows(one, two, how_often, groups=groups).noting(**facts)
    return Simplified(rows, Mean(unit, total=1, otherwise=otherwise))


def _of_floats(
    tasks: Sequence[Task],
    how_often: IntArray | None,
    groups: IntArray | None,
    facts: Mapping[str, Any],
) -> Simplified:
    """Return the average as a mean of floats, in which each row stands for one example."""
    one, two = _scaled(tasks, [float(x.factor) for x in tasks])
    if how_often is not None:
        one, two = (np.repeat(x, how_often) for x in (one, two))
    rows = Rows(one, two, groups=groups).noting(**facts, float_limit=math.inf)
    return Simplified(rows, Mean(total=1))


def _excess_of_table(tasks: Sequence[Task], budget: Budget) -> Message | None:
    """Say that a table with the columns of all tasks exceeds the budget; None if it does not."""
    n, width = sum(len(x.rows.rows1) for x in tasks), sum(x.rows.tables[0].shape[1] for x in tasks)
    n_bytes = 16 * n * width  # of both systems
    what = f"the average of {len(tasks):,} tasks needs {n_bytes:.3g} bytes"
    return budget.excess(what, n_bytes=n_bytes)


def _scaled(tasks: Sequence[Task], factors: Sequence[float]) -> list[NDArray[Any]]:
    """Return the numbers of both systems, those of each task times its factor."""
    return [
        np.concatenate([getattr(x.rows, name) * y for x, y in zip(tasks, factors, strict=True)])
        for name in ("rows1", "rows2")
    ]


class WeightedAverage(SumScore):
    """The weighted average as a function of the sums of all tasks' columns, side by side.

    If all scores are means, it is Σ factors · sums / unit, without rounding.
    """

    def __init__(self, parts: Sequence[Term], unit: int = 0, factors: Sequence[int] = ()) -> None:
        self._parts, self._unit, self._factors = parts, unit, factors
        self.is_exact = bool(factors)

    def __call__(self, sums: FloatArray) -> FloatArray:
        found = np.zeros(len(sums))
        for score, columns, weight in self._parts:
            found += weight * score(sums[:, columns])
        return found

    def exact(self, sums: list[int]) -> Fraction:
        """Return the exact average of means."""
        pairs = zip(self._factors, sums, strict=True)
        return Fraction(sum(factor * x for factor, x in pairs), self._unit)


def _side_by_side(tasks: Sequence[Task]) -> tuple[list[Term], Rows]:
    """Return the score of each task's columns, and all rows, with 0 in other tasks' columns."""
    tables = [task.rows.tables for task in tasks]
    widths = [one.shape[1] for one, _ in tables]
    n, ends = sum(len(one) for one, _ in tables), np.cumsum([0, *widths]).tolist()
    kind = np.float64 if any(task.rows.no_lattice for task in tasks) else np.int64
    whole = [np.zeros((n, sum(widths)), dtype=kind) for _ in range(2)]
    parts, row = [], 0
    for task, table, start, end in zip(tasks, tables, ends, ends[1:], strict=False):
        stop = row + len(table[0])
        for found, numbers in zip(whole, table, strict=True):
            found[row:stop, start:end] = numbers
        score = task.score
        if isinstance(score, Mean):
            assert score.total is not None
            score = MeanOfSums(float(score.unit * score.total))
        assert isinstance(score, SumScore)
        parts.append(Term(score, slice(start, end), float(task.weight)))
        row = stop
    return parts, Rows(whole[0], whole[1])


class Together:
    """The groups of all tasks; a group may have examples in several tasks.

    Attributes
    ----------
    rows : list of Rows
        The rows of each task; all have groups if some task has them.
    numbers : int64 array or None
        The group of each row, numbered over all tasks together.
    places : list of int64 array
        For each task, the numbers of its groups over all tasks.
    n_groups : int or None
        The number of groups of all tasks together.
    are_shared : bool
        Whether a group has examples of several tasks.
    """

    def __init__(self, tasks: Mapping[str, Evidence], ids: Mapping[str, Any]) -> None:
        self.rows, self.numbers, self.places = [x.rows for x in tasks.values()], None, []
        self.n_groups, self.are_shared = None, False
        if all(x.groups is None for x in self.rows):
            return
        number: dict[Any, int] = {}
        n_own = 0
        for k, (name, task) in enumerate(tasks.items()):
            some, known = task.rows, ids.get(name)
            if some.groups is None:
                self.rows[k] = some = some.having(groups=np.arange(some.n))
            keys = [*dict.fromkeys(known)] if known else [(k, x) for x in range(some.n_groups or 0)]
            self.places.append(np.array([number.setdefault(x, len(number)) for x in keys]))
            n_own += len(keys)
        found = zip(self.places, self.rows, strict=True)
        self.numbers = np.concatenate([place[x.groups] for place, x in found])
        self.n_groups, self.are_shared = len(number), len(number) < n_own


class SuiteAverage(Evidence):
    """What two systems on several tasks say of the weighted averages of their scores.

    Attributes
    ----------
    tasks : list of Evidence
        The rows and the score of each task, a row for each example in their order.
    weights : sequence of Fraction
        The weight of each task, negative if its score counts so; their sizes add up to 1.
    joined : Together
        The groups of all tasks.

    Raises
    ------
    BudgetError
        If the average needs more memory than the `budget` allows.
    """

    tasks: Sequence[Evidence]
    weights: Sequence[Fraction]
    joined: Together

    def __init__(
        self,
        tasks: Mapping[str, Evidence],
        weights: Sequence[Fraction],
        joined: Together,
        budget: Budget,
    ) -> None:
        are_single = joined.numbers is None
        parts = [
            Task.of(rows.counted() if are_single else rows, task.score, weight)
            for task, rows, weight in zip(tasks.values(), joined.rows, weights, strict=True)
        ]
        average = weighted_average(parts, joined.numbers, budget)
        super().__init__(average.rows, average)
        vars(self).update(tasks=[*tasks.values()], weights=weights, joined=joined)

    def run(self, options: Options) -> PairedPermutationResult:
        """Test the difference of the averages; the result has the numbers of all tasks."""
        of_test = replace(options, confidence_level=None)
        with called({}, "the average of the tasks"):
            result = run(*self.tested, None, of_test)
        return replace(
            result,
            n=sum(task.rows.n for task in self.tasks),
            n_groups=self.joined.n_groups,
            confidence_level=options.confidence_level,
        )

    @cached_property
    def standard_error(self) -> float | None:
        """The standard error of the difference, for these tasks; see `average_error`."""
        rows = zip(self.joined.rows, self.tasks, strict=True)
        places = self.joined.places if self.joined.are_shared else None
        return average_error([(x, task.score) for x, task in rows], self.weights, places)

    @cached_property
    def wins(self) -> Wins:
        """The numbers of examples of all tasks that each system wins."""
        first, second = zip(*(x.wins for x in self.tasks), strict=True)
        return Wins(sum(first), sum(second))

    def interval(
        self, confidence_level: float, seed: int = 0, kind: IntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the difference, for these tasks.

        Raises
        ------
        InputError
            For the reasons of `average_interval`.
        """
        samples, are_shared = [x.sample for x in self.tasks], self.joined.are_shared
        of_average: Any = kind  # any other is refused
        return average_interval(
            samples, self.weights, confidence_level, seed, of_average, are_shared=are_shared
        )
