"""Count scores that arrive in batches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import groupby
from operator import attrgetter
from typing import Any

from pairedperm.errors import InputError
from pairedperm.hf.streaming import BATCHES, Stream
from pairedperm.inputs.indexes import warn_of_indexes
from pairedperm.inputs.lattice import Fineness, n_decimals
from pairedperm.inputs.numbers import read_scores
from pairedperm.options import Options, read_options
from pairedperm.scoring.arguments import columns_in_order, rows_of_scores
from pairedperm.scoring.call_options import split_options
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import NOTHING, merged
from pairedperm.scoring.rows import Rows, added
from pairedperm.wording import Name, Parts, Words, describe

HELD = 2**12  # tuned: distinct rows held before they are merged
_COARSE = Fineness(1, 0.0, 0.0, 0.0)


class ScoreStream(Stream):
    """A stream of numbers per example, without references.

    Numbers on a lattice are counted, others are kept. If batches are decimals by themselves, but
    not as one column, all are read as floats, as if they had come in one batch.
    """

    columns: tuple[str, str] = ("predictions1", "predictions2")

    def __init__(self, **options: Any) -> None:
        self.read_options(None, **options)
        self._parts: list[Rows] = []
        self._others: list[Rows] = []  # floats on no lattice, and fractions in their own units
        self._fineness: Sequence[Fineness] = (_COARSE, _COARSE)  # of the counted parts, by column
        self._unit = 1  # of the counted parts together
        self._n_rows = 0  # distinct rows added since parts were merged

    def __len__(self) -> int:
        """Number of examples added."""
        return sum(part.n for part in self._parts) + sum(x.n for x in self._others)

    def read_options(self, metric: str | None, **options: Any) -> tuple[None, Options]:
        """Return None, for the metric, and the options of the test; refuse a metric's options."""
        of_metric, others = split_options(options)
        for name, value in (("metric", metric), *of_metric.items()):
            if value is not None:
                raise InputError(
                    Name(name),
                    must="be left out with the configuration 'scores', and without references",
                    got=describe(value),
                    remedy="the means of the scores are compared",
                )
        return None, read_options(**others)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch, and add it."""
        self._append(*self._read(columns, start))
        largest = len(self._parts[0].rows1) if len(self._parts) > 1 else 0
        if self._n_rows >= max(HELD, largest) or len(self._parts) > BATCHES:
            self._parts, self._n_rows = _merged_alike(self._parts), 0

    def rows(self, columns: Mapping[str, Any], spec: None) -> Rows:
        """Return the rows of all examples added and those in `columns`; floats if on no lattice."""
        whole = copy(self)
        whole._parts, whole._others = [*self._parts], [*self._others]
        if columns:
            whole._append(*self._read(columns))
        return whole._together()

    def alone(self, columns: Mapping[str, Any], spec: None, groups: Any) -> Rows:
        """See `Stream`."""
        first, second = (columns.get(name) for name in self.columns)
        return grouped(columns_in_order(first, second, None, self.columns), groups)

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """Return all examples added, ready for JSON: counted if on a lattice, or kept."""
        parts = *_merged_alike(self._parts), *self._others
        return {
            "rows": [x.to_dict() for x in map(PairedCounts.of, parts)],
            "fineness": self._fineness,
        }

    def joined(self, states: Sequence[Mapping[str, Any]]) -> Rows:
        """Add the rows of several streams' states."""
        whole = ScoreStream()
        for state in states:
            found = [Fineness(*column) for column in state["fineness"]]
            whole._append([*map(PairedCounts.from_dict, state["rows"])], found)
        return whole._together()

    def _read(
        self, columns: Mapping[str, Any], start: int = 0
    ) -> tuple[list[Rows], Sequence[Fineness]]:
        for name in self.columns:
            if columns.get(name) is None:
                raise InputError(Name(name), " is missing", remedy="pass one score per example")
        first, second = self.columns
        warn_of_indexes({name: columns[name] for name in self.columns})
        scores1, scores2 = (
            read_scores(name, columns[name], start=start, exact=True) for name in self.columns
        )
        rows = rows_of_scores(first, scores1, second, scores2)
        if rows.n == 0:
            raise InputError(Name(first), " is empty", remedy="at least one example is needed")
        if rows.no_lattice:
            return [rows], (_COARSE, _COARSE)
        part = rows.distinct()
        pairs = (scores1, part.rows1), (scores2, part.rows2)
        return [part], [Fineness.of(scores, x, part.unit) for scores, x in pairs]

    def _append(self, some: Sequence[Rows], found: Sequence[Fineness]) -> None:
        """Add parts; raise InputError if integers would become floats that cannot hold them."""
        others = [rows for rows in some if rows.no_lattice]
        pairs = zip(self._fineness, found, strict=True)
        first, second = joined = [one.joined(other) for one, other in pairs]
        unit = math.lcm(self._unit, *(rows.unit for rows in some))
        is_lattice = first.is_lattice and second.is_lattice and not (others or self._others)
        for name, column in zip(self.columns, joined, strict=True):
            fits = is_lattice and column.whole * unit < 2.0**63
            if column.whole >= 2.0**53 and not fits:
                one, two = map(Name, self.columns)
                raise InputError(
                    *(one, " and ", two, " do not fit those added before: ", Name(name)),
                    f" has integers up to {column.whole:.3g}, and a float is an exact integer only "
                    "below 2^53",
                    remedy="Divide by a common unit, or round the floats",
                )
        parts = [rows for rows in some if not rows.no_lattice]
        self._fineness, self._unit = joined, unit
        self._others += others
        self._parts += parts
        self._n_rows += sum(len(part.rows1) for part in parts)

    def _together(self) -> Rows:
        """Return the rows of all parts: counted, or floats if they lie on no lattice."""
        fact: Words = next((x.no_lattice for x in self._others if x.no_lattice), "")
        for name, column in zip(self.columns, self._fineness, strict=True):
            if not fact and not column.is_lattice:
                largest, digits = f"{column.largest:.6g}", n_decimals(column.unit)
                fine = (
                    f"of the denominator {column.unit}"
                    if digits is None
                    else f"of {digits} decimals"
                )
                fact = Parts(Name(name), f" has scores up to {largest} and {fine}")
        return merged([NOTHING, *self._parts, *self._others], fact)


def _merged_alike(parts: Sequence[Rows]) -> list[Rows]:
    """Merge the parts that have the same unit; in a common one they may not fit into int64."""
    unit = attrgetter("unit")
    groups = groupby(sorted(parts, key=unit), unit)
    together = [added([*group]) for _, group in groups]
    return sorted(together, key=lambda part: -len(part.rows1))
