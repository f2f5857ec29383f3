"""Any two of many systems: by columns, read once each, or by counts of pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, NoLatticeError
from pairedperm.errors.wording import Name, Parts, Setting, Words, called, describe, shown
from pairedperm.options import Options
from pairedperm.permutation.choose import problem_of, run
from pairedperm.population.evidence import Evidence
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.arguments import (
    ScoreArgument,
    check_on_lattice,
    columns_in_order,
    read_arguments,
    read_score,
)
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import all_classes, as_floats, in_common_unit, why_floats
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

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


class ContestOfRows(Contest):
    """A contest by the rows of any two systems."""

    score: Score  # of bare numbers

    @abstractmethod
    def rows_of(self, one: str, two: str) -> Rows:
        """Return the rows of two systems."""

    def evidence(self, names: Names) -> Evidence:
        rows, metric = self.rows_of(*names), self.metric
        return Evidence(rows, self.score if metric is None else metric.score(rows), metric)


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


class Systems(ContestOfRows):
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
                remedy = (
                    "give each system's own scores, or rows of counts",
                    "Counts of two have both names as key, such as ('large', 'small').",
                )
                raise InputError(name, " is a PairedCounts, of two systems", remedy=remedy)
        rows = columns_in_order(columns[0], columns[1], score).owned()
        return rows if groups is None else grouped(rows, groups)


def are_pairs(systems: Any) -> bool:
    """Tell whether these are counts by pairs of names, not columns by name."""
    return isinstance(systems, Mapping) and any(isinstance(x, tuple) for x in systems)


class CountedPairs(ContestOfRows):
    """The counts of each pair of systems, in the same unit and classes.

    Attributes
    ----------
    systems : tuple of str
        The names of the systems, in the order in which they first come.
    pairs : list of (str, str)
        The pairs that were given.
    """

    def __init__(
        self, counts: Mapping[Any, Any], score: ScoreArgument | None, groups: Any = None
    ) -> None:
        """Read the counts.

        Raises
        ------
        InputError
            If keys are not pairs of names, each once. If a value is no PairedCounts, or
            `paired_permutation_test` refuses it. If the counts do not fit each other.
        """
        named = dict(_named(counts))
        self.systems = tuple(dict.fromkeys(name for names in named for name in names))
        read: dict[Names, Rows] = {}
        for names, given in named.items():
            with called({"counts1": _entry(names)}):
                read[names], self.score, self.metric = read_arguments(given, None, score, groups)
                check_on_lattice(given)
        _check_alike(read)
        classes = all_classes([rows.classes for rows in read.values()])
        spread = [rows.spread_to(classes) for rows in read.values()]
        rows = in_common_unit("the systems", spread)
        self.pairs, self._rows = [*read], dict(zip(read, rows, strict=True))
        _check_systems(self._rows)

    def check_complete(self, baseline: str | None) -> None:
        """Raise InputError if a pair is missing that a board tests."""
        remedy = Parts(
            "Count these too, or name a ", Setting("baseline"), ", which needs its pairs alone"
        )
        if baseline is not None:
            remedy = Parts("each system is compared with the ", Setting("baseline"))
        for one, two in tested_pairs(self.systems, baseline):
            if (one, two) not in self._rows and (two, one) not in self._rows:
                what = f" lacks the counts of {shown(one)} and {shown(two)}"
                raise InputError(Name("systems"), what, remedy=remedy)

    def rows_of(self, one: str, two: str) -> Rows:
        """Return the rows of two systems, in either order."""
        if (one, two) in self._rows:
            return self._rows[one, two]
        rows = self._rows[two, one]
        return rows.having(rows1=rows.rows2, rows2=rows.rows1).distinct()


def _named(counts: Mapping[Any, Any]) -> Iterator[tuple[Names, PairedCounts]]:
    """Yield the counts with the two names, in which white space is one space."""
    seen: set[frozenset[str]] = set()
    for key, given in counts.items():
        are_texts = isinstance(key, tuple) and all(isinstance(x, str) and x.strip() for x in key)
        names = [" ".join(x.split()) for x in key] if are_texts else []
        if len(set(names)) != 2 or len(names) != 2:
            raise InputError(
                Name("systems"),
                must="have pairs of two names, such as ('large', 'small'), if it holds counts",
                got=describe(key),
            )
        if (both := frozenset(names)) in seen:
            what = f" holds {shown(names[0])} and {shown(names[1])} twice"
            raise InputError(Name("systems"), what, remedy="give each pair once, in either order")
        seen.add(both)
        if not isinstance(given, PairedCounts):
            must, got = "be a PairedCounts", describe(given)
            raise InputError(_entry((names[0], names[1])), must=must, got=got)
        yield (names[0], names[1]), given


def _entry(names: Names) -> Words:
    """Return the words for the counts of two systems: `systems`['a', 'b']."""
    one, two = map(shown, names)
    return Parts(Name("systems"), f"[{one}, {two}]")


def _check_alike(read: Mapping[Names, Rows]) -> None:
    """Raise InputError if metrics differ, if only some have groups, or classes have no names."""
    (first, one), *others = read.items()
    for names, other in others:
        both = _entry(first), _entry(names)
        facts = one.provenance, other.provenance
        metrics = [(x.metric, x.metric_options) for x in facts]
        if metrics[0] != metrics[1]:
            raise InputError(
                *(both[0], " is of ", facts[0].call, ", and ", both[1], " of ", facts[1].call),
                remedy="count all pairs under the same metric, with the same options",
            )
        if (one.sizes is None) != (other.sizes is None):
            grouped, single = both if other.sizes is None else both[::-1]
            raise InputError(
                *(grouped, " is of groups, and ", single, " of single examples"),
                remedy="give the groups of all pairs, or of none",
            )
        if not all(x.is_labelled for x in facts):
            raise InputError(
                *(both[0], " or ", both[1], " has numbered classes, which cannot be matched"),
                remedy="give counts with labels, as `to_json()` writes them",
            )


def _check_systems(rows_of: Mapping[Names, Rows]) -> None:
    """Raise InputError if a system has other counts in one pair than in another."""
    seen: dict[str, tuple[Names, list[NDArray[Any]]]] = {}
    for names, rows in rows_of.items():
        for name, own in zip(names, (rows.rows1, rows.rows2), strict=True):
            alone = rows.having(rows1=own, rows2=own).distinct()
            columns = alone.rows1, alone.how_often, alone.sizes
            counted = [x for x in columns if x is not None]
            pair, expected = seen.setdefault(name, (names, counted))
            if not all(map(np.array_equal, counted, expected)):
                raise InputError(
                    *(f"{shown(name)} has other counts in ", _entry(pair), " than in "),
                    _entry(names),
                    remedy="count all pairs on the same examples",
                )
