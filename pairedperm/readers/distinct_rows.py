"""Distinct examples, each as often as it occurs: their columns, their rows, and their counts."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import called, describe, shown
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.labels import COLUMNS, Labels
from pairedperm.scoring.arguments import check_adds_up, check_on_lattice, counts_of
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import read_groups, summed
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.pairs import read_multiplicities
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import check_sums_of_groups

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
        of_counts = f"column {shown(COUNT)}"
        counts = _listed_entries(of_counts, how_often)
        entries = {
            name: _listed_entries(self._names[name], column) for name, column in columns.items()
        }
        for name, column in entries.items():
            if len(column) != len(counts):
                raise InputError(
                    f"{self._names[name]} has {len(column):,} rows, but {of_counts} has "
                    f"{len(counts):,}",
                    remedy="Run the query again",
                )
        if any(map(is_missing, counts)):
            what = f"{of_counts} has missing entries"
            raise InputError(what, remedy="It must say how often each row occurs")
        with called({"multiplicities": of_counts}):
            multiplicities = read_multiplicities(counts, len(counts))
        occurs = multiplicities > 0
        if not occurs.all():
            kept = np.flatnonzero(occurs).tolist()
            entries = {name: _entries_at(column, kept) for name, column in entries.items()}
        self.columns, self.how_often = entries, multiplicities[occurs]
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
        """Return a row for each distinct example, in order; the runs of an item are summed to one.

        Raises
        ------
        InputError
            If the columns do not fit each other, or the metric. If scores lie on no lattice.
        """
        given = [self.columns.get(name) for name in COLUMNS]
        with called({name: f"{self._names[name]} (distinct rows)" for name in self.columns}):
            read = metric.read(given)
            rows = metric.rows_in_order(read)
            check_on_lattice(rows)
            if rows.groups is not None:  # an item's runs
                check_adds_up(metric, rows)
                rows = summed(rows)
        references, label = read[2], metric.ignored
        if rows.provenance.n_ignored and isinstance(references, Labels) and label is not None:
            n_ignored = references.sums(references.are(label)) @ self.how_often
            rows = rows.noting(n_ignored=int(n_ignored))
        return rows

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
            check_adds_up(metric, rows)
            return counts_of(self._repeated(rows, groups), metric)

    def _repeated(self, rows: Rows, groups: IntArray) -> Rows:
        """Return the sums of rows over groups, each row as often as it occurs in its group."""
        how_often, most = self.how_often, int(self.how_often.max())
        largest = max(largest_entry(rows.rows1), largest_entry(rows.rows2))
        check_sums_of_groups("there may be", most, largest)
        each = how_often.reshape(-1, *[1] * (rows.rows1.ndim - 1))
        sizes = how_often if rows.sizes is None else how_often * rows.sizes
        one, two = rows.rows1 * each, rows.rows2 * each
        of_groups = summed(rows.having(rows1=one, rows2=two, groups=groups, sizes=None))
        n_each = np.zeros(int(groups.max()) + 1, dtype=np.int64)
        np.add.at(n_each, groups, sizes)
        return of_groups.having(sizes=n_each)

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


def _entries_at(column: Any, places: list[int]) -> Any:
    return column[places] if isinstance(column, np.ndarray) else [column[k] for k in places]


def _is_whole(entry: Any) -> bool:
    return isinstance(entry, Decimal) and entry.is_finite() and entry == entry.to_integral_value()


def _listed_entries(name: str, column: Any) -> Any:
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
