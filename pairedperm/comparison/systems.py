"""The columns of many systems on the same examples, read once each, and the rows of any two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from pairedperm.errors import InputError, NoLatticeError
from pairedperm.errors.wording import Name, Parts, called
from pairedperm.scoring.arguments import ScoreArgument, columns_in_order
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import all_classes, as_floats, in_common_unit, why_floats
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows


class Systems:
    """The rows of each system in the order of the examples, in the same unit and classes."""

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
        self.two_by_two = two_by_two([*named])
        pairs = [
            _read_two({x: named[x] for x in two}, references, metric, score, groups)
            for two in self.two_by_two
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
        for names, pair in zip(self.two_by_two, pairs, strict=True):
            self._tables |= zip(names, (pair.rows1, pair.rows2), strict=True)
        self._first = pairs[0]

    @property
    def n(self) -> int:
        """The number of examples."""
        return self._first.n

    @property
    def has_groups(self) -> bool:
        """Whether examples are swapped in groups."""
        return self._first.groups is not None

    def in_order(self, one: str, two: str) -> Rows:
        """Return the rows of two systems, one for each example."""
        return self._first.having(rows1=self._tables[one], rows2=self._tables[two])

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
