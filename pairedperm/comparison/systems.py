"""Any two of many systems, whose columns are read once each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from numpy.typing import NDArray

from pairedperm.errors import InputError, Name, NoLatticeError, Parts, called
from pairedperm.nulls.swaps import problem_of, run
from pairedperm.options import Options
from pairedperm.population.evidence import Evidence
from pairedperm.results.result import PairedPermutationResult
from pairedperm.scoring.arguments import (
    ScoreArgument,
    columns_in_order,
    read_score,
)
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import all_classes, as_floats, in_common_unit, why_floats
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows

Names = tuple[str, str]  # of two systems


class Contest(ABC):
    """Any two of many systems: their scores, their test, and what is told of them later."""

    metric: Metric | None  # of all systems; None for bare numbers
    pairs: Sequence[Names]  # some, which hold each system at least once

    @abstractmethod
    def evidence(self, names: Names) -> Evidence:
        """Return the rows and the score of two systems."""

    def test(self, names: Names, options: Options) -> PairedPermutationResult:
        """Test two systems."""
        return run(*self.evidence(names).tested, self.metric, options)


def tested_pairs(systems: Sequence[str], baseline: str | None) -> list[Names]:
    """Return the pairs that a board tests: every two systems, or each with the baseline."""
    if baseline is None:
        return [*combinations(systems, 2)]
    return [(name, baseline) for name in systems if name != baseline]


def scores_of(pairs: Sequence[Names], evidence: Callable[[Names], Evidence]) -> dict[str, Any]:
    """Return the score of each system in these pairs."""
    scores: dict[str, Any] = {}
    for names in pairs:
        if not scores.keys() >= {*names}:
            problem = problem_of(*evidence(names).tested, "two-sided")
            scores |= zip(names, (problem.score1, problem.score2), strict=True)
    return scores


class Systems(Contest):
    """The rows of each system in the order of the examples, in the same unit and classes.

    Attributes
    ----------
    pairs : list of (str, str)
        Pairs that hold each system.
    first : Rows
        The rows of the first of these pairs.
    """

    def __init__(
        self,
        named: Mapping[str, Any],
        references: Any,
        metric: Metric | None,
        score: ScoreArgument | None = None,
        groups: Any = None,
    ) -> None:
        """Read the columns, two by two.

        Raises
        ------
        InputError
            If `compare` or `paired_permutation_test` refuses them. If a system is a PairedCounts.
        """
        self.metric, self.score = metric, read_score(score)
        self.pairs = two_by_two([*named])
        pairs = [
            _read_two({x: named[x] for x in two}, references, metric, score, groups)
            for two in self.pairs
        ]
        fact = why_floats(pairs)
        if not fact:
            classes = all_classes([pair.classes for pair in pairs])
            try:
                pairs = in_common_unit("the systems", [pair.spread_to(classes) for pair in pairs])
            except NoLatticeError as error:
                fact = error.fact
        if fact:
            pairs = [as_floats(pair, fact) for pair in pairs]
        self._tables: dict[str, NDArray[Any]] = {}
        for names, pair in zip(self.pairs, pairs, strict=True):
            self._tables |= zip(names, (pair.rows1, pair.rows2), strict=True)
        self.first = pairs[0]

    def in_order(self, one: str, two: str) -> Rows:
        """Return the rows of two systems, one for each example."""
        return self.first.having(rows1=self._tables[one], rows2=self._tables[two])

    def rows_of(self, one: str, two: str) -> Rows:
        """Return the rows of two systems; many that are few distinct ones are counted."""
        return self.in_order(one, two).counted_if_few()

    def evidence(self, names: Names) -> Evidence:
        rows, metric = self.rows_of(*names), self.metric
        return Evidence(rows, self.score if metric is None else metric.score(rows), metric)


def two_by_two(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the first and second name, the third and fourth; an odd last one with the first."""
    ring = [*names, names[0]]
    return [(ring[k], ring[k + 1]) for k in range(0, len(names), 2)]


def _read_two(
    two: Mapping[str, Any], references: Any, metric: Metric | None, score: Any, groups: Any
) -> Rows:
    """Return the rows of two systems, in the order of the examples."""
    argument = "counts" if metric is None else "predictions"
    names, columns = [Name("systems", (name,)) for name in two], [*two.values()]
    own_names = {f"{argument}{number}": x for number, x in enumerate(names, 1)}
    with called(own_names, Parts(names[0], " and ", names[1])):
        if metric is not None:
            rows = metric.rows_in_order(metric.read((*columns, references)), groups)
            metric.checked_score(rows)
            return rows
        for name, column in zip(names, columns, strict=True):
            if isinstance(column, PairedCounts):
                remedy = "give each system's own scores, or rows of counts"
                raise InputError(name, " is a PairedCounts, of two systems", remedy=remedy)
        rows = columns_in_order(columns[0], columns[1], score).owned()
        return rows if groups is None else grouped(rows, groups)
