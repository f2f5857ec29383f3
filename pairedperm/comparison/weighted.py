"""The weighted average of the scores of several tasks, as rows and a score of their sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
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


def weighted_average(tasks: Sequence[Task], groups: IntArray | None = None) -> Simplified:
    """Return Σ weight · score over all tasks.

    It is a mean if each score is a mean, unless the common lattice is beyond int64. `groups` holds
    the group number of each row, over all tasks together.
    """
    how_often = None
    if groups is None:
        how_often = np.concatenate([task.rows.how_often for task in tasks])
    fact = why_floats(task.rows for task in tasks)
    rounding = max(task.rows.provenance.rounding for task in tasks) + _WEIGHT_ERROR if fact else 0.0
    facts: dict[str, Any] = {"no_lattice": fact, "rounding": rounding}
    are_means = all(isinstance(task.score, Mean) for task in tasks)
    if are_means and (fact or any(isinstance(x.score.total, float) for x in tasks)):  # type: ignore[attr-defined]
        facts["no_lattice"] = fact or "the sizes of examples are no integers"
        one, two = (
            np.concatenate([getattr(x.rows, name) * float(x.factor) for x in tasks])
            for name in ("rows1", "rows2")
        )
        rows = Rows(one, two, how_often, groups=groups)
        return Simplified(rows.noting(**facts, float_limit=math.inf), Mean(total=1))
    parts, rows = _side_by_side(tasks)
    rows = rows.having(multiplicities=how_often, groups=groups)
    rows = rows.noting(**facts, float_limit=math.inf if fact else 0.0)
    if not are_means:
        return Simplified(rows, WeightedAverage(parts))
    unit = math.lcm(*(task.factor.denominator for task in tasks))
    factors = [int(task.factor * unit) for task in tasks]
    average = WeightedAverage(parts, unit, factors)
    average.whole = [
        factor * (x - y)
        for task, factor in zip(tasks, factors, strict=True)
        for x, y in zip(task.rows.rows1.tolist(), task.rows.rows2.tolist(), strict=True)
    ]
    tables = [(task.rows.rows1, task.rows.rows2) for task in tasks]
    largest = [
        abs(factor) * max(map(largest_entry, x)) for x, factor in zip(tables, factors, strict=True)
    ]
    if max(largest) >= _LARGEST_SUM:
        return Simplified(rows, average)
    one, two = (
        np.concatenate([x[k] * factor for x, factor in zip(tables, factors, strict=True)])
        for k in (0, 1)
    )
    return Simplified(
        rows.having(rows1=one, rows2=two), Mean(unit, total=1, otherwise=(rows, average))
    )


class Part(NamedTuple):
    """The score of the sums of some columns, with its weight."""

    score: Callable[[FloatArray], FloatArray]
    columns: slice
    weight: float


class WeightedAverage(SumScore):
    """The weighted average as a function of the sums of all tasks' columns, side by side.

    If all scores are means, it is Σ factors · sums / unit, without rounding.
    """

    def __init__(self, parts: Sequence[Part], unit: int = 0, factors: Sequence[int] = ()) -> None:
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


def _side_by_side(tasks: Sequence[Task]) -> tuple[list[Part], Rows]:
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
        parts.append(Part(_called(task), slice(start, end), float(task.weight)))
        row = stop
    return parts, Rows(whole[0], whole[1])


def _called(task: Task) -> Callable[[FloatArray], FloatArray]:
    """Return the score of a task as a function of sums, shape (n, m)."""
    score = task.score
    if isinstance(score, Mean):
        assert score.total is not None
        unit = float(score.unit * score.total)
        return lambda sums: np.asarray(sums[:, 0] / unit)
    assert isinstance(score, SumScore)  # metrics have no functions of the caller's
    return score


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

    def __init__(self, rows: Sequence[Rows], ids: Sequence[Any]) -> None:
        self.rows, self.numbers, self.places = [*rows], None, []
        self.n_groups, self.are_shared = None, False
        if all(x.groups is None for x in rows):
            return
        number: dict[Any, int] = {}
        n_own = 0
        for k, (some, known) in enumerate(zip(rows, ids, strict=True)):
            if some.groups is None:
                self.rows[k] = some = some.having(groups=np.arange(some.n))
            keys = [*dict.fromkeys(known)] if known else [(k, x) for x in range(some.n_groups or 0)]
            self.places.append(np.array([number.setdefault(x, len(number)) for x in keys]))
            n_own += len(keys)
        found = zip(self.places, self.rows, strict=True)
        self.numbers = np.concatenate([place[x.groups] for place, x in found])
        self.n_groups, self.are_shared = len(number), len(number) < n_own
