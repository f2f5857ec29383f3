"""Rows of distinct examples, each of which stands for as many as it occurs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, Name, describe
from pairedperm.inputs.columns import entries_of, is_missing, materialise
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.arguments import check_adds_up, check_on_lattice
from pairedperm.scoring.groups import read_groups, summed, with_groups
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows, check_total, read_multiplicities
from pairedperm.scoring.scores import check_sums_of_groups

_HOW_OFTEN = (
    "They say how often each row occurs. Leave out rows that never occur, in pandas by "
    "groupby(..., observed=True)"
)


def rows_of_distinct(
    metric: Metric, columns: Sequence[Any], groups: Any, multiplicities: Any
) -> Rows:
    """Return the rows of columns that `metric.read` gave, as often as each example occurs.

    They are distinct, or with groups the sums of each group. The runs of an item are a group.

    Raises
    ------
    InputError
        If the columns do not fit each other, the multiplicities, the groups or the metric. If
        scores lie on no lattice, or the metric does not add up over groups.
    """
    rows = metric.rows_in_order(columns)
    check_on_lattice(rows)
    if rows.groups is not None:  # of an item's runs
        check_adds_up(metric, rows)
        rows = summed(rows)
    how_often = _read_how_often(multiplicities, len(rows.rows1))
    if rows.sizes is not None:
        check_total(
            [n * size for n, size in zip(how_often.tolist(), rows.sizes.tolist(), strict=True)]
        )
    references = columns[2]
    if rows.provenance.n_ignored and isinstance(references, Labels) and metric.ignored is not None:
        n_ignored = references.sums(references.are(metric.ignored)) @ how_often
        rows = rows.noting(n_ignored=int(n_ignored))
    if groups is None:
        return rows.having(multiplicities=how_often).distinct()
    check_adds_up(metric, rows)
    return _sums_of_groups(rows, how_often, groups)


def _read_how_often(column: Any, n_rows: int) -> IntArray:
    """Read how often each of `n_rows` distinct examples occurs, at least once."""
    column = materialise("multiplicities", column)
    entries = entries_of(column) if isinstance(column, np.ndarray) else column
    for index, entry in enumerate(entries):
        if isinstance(entry, (bool, np.bool_, str)) or is_missing(entry):
            raise InputError(
                Name("multiplicities"),
                must="be numbers of examples, integers from 1",
                at=Name("multiplicities", (index,)),
                got=describe(entry),
                remedy=_HOW_OFTEN,
            )
    return read_multiplicities(column, n_rows, least=1, remedy=_HOW_OFTEN)


def _sums_of_groups(rows: Rows, how_often: IntArray, groups: Any) -> Rows:
    """Return the sums of rows over groups, each row as often as it occurs in its group."""
    largest = max(largest_entry(rows.rows1), largest_entry(rows.rows2))
    check_sums_of_groups("there may be", int(how_often.max()), largest)
    each = how_often.reshape(-1, *[1] * (rows.rows1.ndim - 1))
    sizes = how_often if rows.sizes is None else how_often * rows.sizes
    one, two = rows.rows1 * each, rows.rows2 * each
    numbers = read_groups(groups)
    in_groups = with_groups(rows.having(rows1=one, rows2=two, sizes=None), numbers)
    n_each = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    np.add.at(n_each, numbers, sizes)
    return summed(in_groups).having(sizes=n_each)
