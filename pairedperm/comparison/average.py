"""The weighted average of two systems' scores on several tasks: its test, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from pairedperm.comparison.tasks import ReadTask
from pairedperm.comparison.weighted import Simplified, Task, Together, weighted_average
from pairedperm.errors.wording import called
from pairedperm.options import Options
from pairedperm.permutation.choose import run
from pairedperm.population.average import average_error, average_interval
from pairedperm.population.evidence import Evidence, Wins
from pairedperm.population.intervals import ConfidenceInterval, IntervalKind
from pairedperm.results.permutation_result import PairedPermutationResult


@dataclass(frozen=True, eq=False)
class SuiteAverage:
    """Two systems on several tasks, and the weights of these.

    Attributes
    ----------
    tasks : sequence of ReadTask
        The rows and the score of each task.
    weights : sequence of Fraction
        The weight of each task, negative if its score counts so; their sizes add up to 1.
    joined : Together
        The groups of all tasks.
    """

    tasks: Sequence[ReadTask]
    weights: Sequence[Fraction]
    joined: Together

    @cached_property
    def simplified(self) -> Simplified:
        """The average as rows of all tasks and a score of their sums."""
        parts = [
            Task.of(rows, task.score, weight)
            for task, rows, weight in zip(self.tasks, self.joined.rows, self.weights, strict=True)
        ]
        return weighted_average(parts, self.joined.numbers)

    def run(self, options: Options) -> PairedPermutationResult:
        """Test the difference of the averages; the result has the numbers of all tasks."""
        with called({}, "the average of the tasks"):
            result = run(self.simplified.rows, self.simplified, None, options)
        n = sum(task.rows.n for task in self.tasks)
        return replace(result, n=n, n_groups=self.joined.n_groups)

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference; see `average_error`."""
        rows = zip(self.joined.rows, self.tasks, strict=True)
        places = self.joined.places if self.joined.are_shared else None
        return average_error([(x, task.score) for x, task in rows], self.weights, places)

    @cached_property
    def of_tasks(self) -> list[Evidence]:
        """The rows and the score of each task, for what is told of them."""
        return [Evidence(*task.tested(), task.metric) for task in self.tasks]


class AverageEvidence(Evidence):
    """What the rows of two systems on several tasks say of their weighted averages."""

    def __init__(self, average: SuiteAverage) -> None:
        super().__init__(average.simplified.rows, average.simplified)
        object.__setattr__(self, "_average", average)

    _average: SuiteAverage

    @cached_property
    def standard_error(self) -> float | None:
        """The standard error of the difference, for these tasks."""
        return self._average.standard_error

    @cached_property
    def wins(self) -> Wins:
        """The numbers of examples of all tasks that each system wins."""
        first, second = zip(*(x.wins for x in self._average.of_tasks), strict=True)
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
        weights, joined = self._average.weights, self._average.joined
        samples = [x.sample for x in self._average.of_tasks]
        of_average: Any = kind  # any other is refused
        return average_interval(
            samples, weights, confidence_level, seed, of_average, are_shared=joined.are_shared
        )
