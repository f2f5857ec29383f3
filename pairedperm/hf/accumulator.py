"""Keep examples that arrive in batches as counts, so that memory does not grow with them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.comparison.compare import TESTS
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts
from pairedperm.inputs.lattice import LARGEST_DENOMINATOR, are_apart, largest_size, n_decimals
from pairedperm.options import Options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.arguments import columns_in_order
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import NOTHING, merged, narrow_type, sum_of_parts, why_floats
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score

HELD = 2**12  # tuned: distinct rows held before they are merged
BATCHES = 2**12  # tuned: batches held before they are counted


class Fineness(NamedTuple):
    """What decides whether a column has a unit; batches are `joined` to the whole column."""

    unit: int  # least common denominator of floats
    largest: float  # largest |score| of floats
    limit: float  # how many units of the last decimal it may be
    whole: float  # largest |score| of integers

    @classmethod
    def of(cls, numbers: NDArray[np.int64], unit: int, limit: float) -> Fineness:
        """Return the fineness of a column that is written as integers of a unit.

        `limit` is the `float_limit` of the numbers.
        """
        least = 1 if unit == 1 else unit // math.gcd(int(np.gcd.reduce(numbers, axis=None)), unit)
        largest = largest_size(numbers) / unit
        whole = largest if least == 1 else 0.0
        if limit in (0.0, math.inf):  # exact numbers
            return cls(1, 0.0, 0.0, whole)
        return cls(least, largest, limit, whole)

    def joined(self, other: Fineness) -> Fineness:
        """Return the fineness of both batches together."""
        unit = math.lcm(self.unit, other.unit)
        return Fineness(unit, *map(max, self[1:], other[1:]))

    @property
    def is_lattice(self) -> bool:
        """True if the floats have a unit as one column."""
        n_digits = n_decimals(self.unit)
        are_decimals = n_digits is not None and self.largest * 10.0**n_digits <= self.limit
        are_shares = self.unit <= LARGEST_DENOMINATOR and are_apart(
            self.largest, narrow_type(self.limit)
        )
        return self.unit == 1 or are_decimals or are_shares


_COARSE = Fineness(1, 0.0, 0.0, 0.0)
_DEFAULTS = Options()


class Accumulator:
    """The examples of several batches under a metric of texts or numbers, or of scores.

    Numbers on a lattice are counted, others are kept. If batches have units by themselves, but not
    as one column, all are read as floats, as if they had come in one batch.

    Parameters
    ----------
    metric : Metric or None
        The metric that reads the columns. None: they are scores, without references.
    """

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._parts: list[Rows] = []
        self._others: list[Rows] = []  # floats on no lattice
        self._fineness: Sequence[Fineness] = (_COARSE, _COARSE)  # of single numbers, by column
        self._unit = 1  # of the counted parts together
        self._n_rows = 0  # distinct rows added since parts were merged

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        both = "predictions1", "predictions2"
        return both if self._metric is None else (*both, "references")

    def __len__(self) -> int:
        """Number of examples added."""
        return sum(part.n for part in (*self._parts, *self._others))

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before, and add it.

        `start` is the number of its first example in error messages.
        """
        self._append([self._rows_of(columns, start)])
        largest = len(self._parts[0].rows1) if len(self._parts) > 1 else 0
        if self._n_rows >= max(HELD, largest) or len(self._parts) > BATCHES:
            self._parts, self._n_rows = _merged_alike(self._parts), 0

    def check(self, metric: Metric | None) -> None:
        """Raise InputError if the examples added were read otherwise than the metric does."""

    def test(
        self,
        columns: Mapping[str, Any],
        metric: Metric | None = None,
        options: Options = _DEFAULTS,
        groups: Any = None,
    ) -> PairedResult:
        """Test all examples added and those in `columns`, which are not added.

        `metric` is one for the same columns; None is that of the start.
        """
        spec = metric or self._metric
        if groups is not None and len(self):
            what = " needs all columns in one call of compute"
            why = "the examples added before have been counted, so that their groups are lost"
            raise InputError(Name("groups"), what, remedy=why)
        rows = self.rows(columns, spec) if groups is None else self.alone(columns, spec, groups)
        return _tested(rows, spec, options)

    def alone(self, columns: Mapping[str, Any], spec: Metric | None, groups: Any) -> Rows:
        """Return the rows of `columns` alone, with the examples' groups if there are any."""
        given = [columns.get(name) for name in self.columns]
        if spec is not None:
            return spec.rows_of(spec.read(given), groups)
        return grouped(columns_in_order(given[0], given[1], None, self.columns), groups)

    def rows(self, columns: Mapping[str, Any], spec: Metric | None) -> Rows:
        """Return the rows of all examples added and those in `columns`, which are not added."""
        whole = copy(self)
        whole._parts, whole._others = [*self._parts], [*self._others]
        if columns:
            whole._append([self._rows_of(columns)])
        return whole._together()

    def state(self, metric: Metric | None = None) -> dict[str, Any]:
        """Return all examples added, ready for JSON: counted if on a lattice, or kept."""
        parts = *_merged_alike(self._parts), *self._others
        limits = [part.provenance.float_limit for part in parts]
        return {"counts": [PairedCounts.of(x).to_dict() for x in parts], "limits": limits}

    def test_states(
        self,
        states: Sequence[Mapping[str, Any]],
        metric: Metric | None = None,
        options: Options = _DEFAULTS,
    ) -> PairedResult:
        """Test the examples of several processes' states together."""
        return _tested(self.joined(states), metric or self._metric, options)

    def joined(self, states: Sequence[Mapping[str, Any]]) -> Rows:
        """Add the rows of several processes' states."""
        whole = type(self)(self._metric)
        for state in states:
            pairs = zip(state["counts"], state["limits"], strict=True)
            whole._append([PairedCounts.from_dict(x).noting(float_limit=y) for x, y in pairs])
        return whole._together()

    def _rows_of(self, columns: Mapping[str, Any], start: int = 0) -> Rows:
        """Return the rows of a batch, counted if they lie on a lattice."""
        given = [columns.get(name) for name in self.columns]
        if self._metric is not None:
            return self._metric.rows(*self._metric.read(given, start)).counted()
        for name, column in zip(self.columns, given, strict=True):
            if column is None:
                raise InputError(Name(name), " is missing", remedy="pass one score per example")
        return columns_in_order(given[0], given[1], None, self.columns, start).counted()

    def _append(self, parts: Sequence[Rows]) -> None:
        """Add parts; raise InputError if integers would become floats that cannot hold them."""
        joined = self._fineness
        for part in parts:
            if part.rows1.ndim == 1 and not part.no_lattice:
                limit, tables = part.provenance.float_limit, (part.rows1, part.rows2)
                found = [Fineness.of(x, part.unit, limit) for x in tables]
                joined = [one.joined(x) for one, x in zip(joined, found, strict=True)]
        others = [part for part in parts if part.no_lattice]
        unit = math.lcm(self._unit, *(part.unit for part in parts))
        is_lattice = all(x.is_lattice for x in joined) and not (others or self._others)
        for name, column in zip(self.columns, joined, strict=False):
            if column.whole >= 2.0**53 and not (is_lattice and column.whole * unit < 2.0**63):
                one, two = map(Name, self.columns[:2])
                raise InputError(
                    *(one, " and ", two, " do not fit those added before: ", Name(name)),
                    f" has integers up to {column.whole:.3g}, and a float is an exact integer only "
                    "below 2^53",
                    remedy="Divide by a common unit, or round the floats",
                )
        self._fineness, self._unit = joined, unit
        self._others += others
        self._parts += [part for part in parts if not part.no_lattice]
        self._n_rows += sum(len(part.rows1) for part in parts)

    def _together(self) -> Rows:
        """Return the rows of all parts: counted, or floats if they have no unit as one column."""
        fact = why_floats(self._others)
        for name, column in zip(self.columns, self._fineness, strict=False):
            if not fact and not column.is_lattice:
                largest, digits = f"{column.largest:.6g}", n_decimals(column.unit)
                kind = f"the denominator {column.unit}" if digits is None else f"{digits} decimals"
                fact = Parts(Name(name), f" has scores up to {largest} and of {kind}")
        return merged([NOTHING, *self._parts, *self._others], fact)


def _tested(rows: Rows, spec: Metric | None, options: Options) -> PairedResult:
    score: Score = Mean() if spec is None else spec.checked_score(rows)
    return TESTS[options.test](rows, score, spec, options)


def _merged_alike(parts: Sequence[Rows]) -> list[Rows]:
    """Merge the parts that have the same unit; in a common one they may not fit into int64."""
    unit = attrgetter("unit")
    groups = groupby(sorted(parts, key=unit), unit)
    together = [sum_of_parts([*group]) for _, group in groups]
    return sorted(together, key=lambda part: -len(part.rows1))
