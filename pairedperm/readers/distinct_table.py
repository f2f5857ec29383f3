"""A table of distinct examples and how often each occurs, the answer of a `GROUP BY`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import called, describe, shown
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.labels import COLUMNS
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import read_groups
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metric_counts import (
    counts_of,
    repeated_in_groups,
    rows_of_distinct,
)
from pairedperm.scoring.pairs import read_multiplicities
from pairedperm.scoring.rows import Rows

COUNT = "n"  # the column of how often each row occurs


class DistinctTable:
    """Distinct examples, and how often each occurs.

    Parameters
    ----------
    columns : mapping from str to a column
        The columns by the names of arguments: predictions1, predictions2, and optionally references
        and groups.
    how_often : column of int
        How often each row occurs, >= 0.
    names : mapping from str to str
        The caller's names of these columns, for messages.

    Raises
    ------
    InputError
        If a column is no list of entries, or differs in length; if there are no examples; if
        entries are missing.
    """

    def __init__(
        self, columns: Mapping[str, Any], how_often: Any, names: Mapping[str, str]
    ) -> None:
        self._names = {name: f"column {shown(other)}" for name, other in names.items()}
        counted = _listed(f"column {shown(COUNT)}", how_often)
        found = {name: _listed(self._names[name], column) for name, column in columns.items()}
        for name, column in found.items():
            if len(column) != len(counted):
                raise InputError(
                    f"{self._names[name]} has {len(column):,} rows, but column {shown(COUNT)} has "
                    f"{len(counted):,}",
                    remedy="Run the query again",
                )
        if any(map(is_missing, counted)):
            what = f"column {shown(COUNT)} has missing entries"
            raise InputError(what, remedy="It must say how often each row occurs")
        with called({"multiplicities": f"column {shown(COUNT)}"}):
            how_often = read_multiplicities(counted, len(counted))
        occurs = how_often > 0
        kept = np.flatnonzero(occurs).tolist()
        if len(kept) < len(counted):
            found = {name: _some(column, kept) for name, column in found.items()}
        self.columns, self.how_often = found, how_often[occurs]
        self.n = int(self.how_often.sum())
        if not self.n:
            raise InputError("there are no rows to count", remedy="the table is empty")
        lacking = {name: self._n_missing(name) for name in self.columns}
        if any(lacking.values()):
            listed = (f"{self._names[name]} in {n:,}" for name, n in lacking.items() if n)
            raise InputError(
                f"entries are missing, NULL or NaN: {', '.join(listed)} of {self.n:,} rows",
                remedy="Leave these rows out of all columns, or give them a label or a score of "
                "their own",
            )

    def rows(self, metric: Metric) -> Rows:
        """Return a row for each distinct example, in the order of the table.

        Raises
        ------
        InputError
            If the columns do not fit each other or the metric.
        """
        given = [self.columns.get(name) for name in COLUMNS]
        with called({name: f"{self._names[name]} (distinct rows)" for name in self.columns}):
            return rows_of_distinct(metric, given, self.how_often)

    def counts(self, metric: Metric) -> PairedCounts:
        """Return the counts of all examples, or of their groups.

        Raises
        ------
        InputError
            For the reasons of `rows`; if the id of a group is invalid, or a group's sum exceeds
            int64.
        """
        rows = self.rows(metric)
        if "groups" not in self.columns:
            return counts_of(rows.having(multiplicities=self.how_often).distinct(), metric)
        with called({"groups": self._names["groups"]}):
            groups = read_groups(self.columns["groups"])
            return counts_of(repeated_in_groups(metric, rows, self.how_often, groups), metric)

    def _n_missing(self, name: str) -> int:
        """Count the examples whose entry, or a part of it, is missing."""
        column = self.columns[name]
        if isinstance(column, np.ndarray):
            return int(self.how_often[column != column].sum())
        lacks = np.fromiter(map(_lacks, column), dtype=np.bool_, count=len(column))
        return int(self.how_often[lacks].sum())


def _lacks(entry: Any) -> bool:
    if isinstance(entry, (list, tuple)):
        return any(map(_lacks, entry))
    return is_missing(entry)


def _some(column: Any, places: list[int]) -> Any:
    """Return the entries at these places."""
    return column[places] if isinstance(column, np.ndarray) else [column[k] for k in places]


def _is_whole(entry: Any) -> bool:
    return isinstance(entry, Decimal) and entry.is_finite() and entry == entry.to_integral_value()


def _listed(name: str, column: Any) -> Any:
    """Return a column as a list, or as an array if its floats are narrower than 64 bits.

    Raises
    ------
    InputError
        If it is no column.
    """
    kind = str(getattr(column, "type", getattr(column, "dtype", "")))
    if kind in ("float", "halffloat", "float32", "float16"):
        return np.asarray(column)
    for to_list in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, to_list):
            column = getattr(column, to_list)()
            break
    if not isinstance(column, (list, tuple)):
        accepted = "be a column with one entry per row"
        raise InputError(name, must=accepted, got=describe(column))
    if column and all(map(_is_whole, column)):
        return [*map(int, column)]  # some warehouses return integers as decimals
    return [*column]
