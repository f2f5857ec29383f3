"""The rows of distinct examples, each as often as it occurs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.arguments import check_adds_up, check_on_lattice
from pairedperm.scoring.groups import summed
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import check_sums_of_groups


def rows_of_distinct(metric: Metric, columns: Sequence[Any], how_often: IntArray) -> Rows:
    """Return a row for each distinct example; the runs of an item are summed to one row.

    `how_often` says how often each distinct example occurs.

    Raises
    ------
    InputError
        If the columns do not fit each other, or the metric. If scores lie on no lattice.
    """
    read = metric.read(columns)
    rows = metric.rows_in_order(read)
    check_on_lattice(rows)
    if rows.groups is not None:  # an item's runs
        check_adds_up(metric, rows)
        rows = summed(rows)
    references, label = read[2], metric.ignored
    if rows.provenance.n_ignored and isinstance(references, Labels) and label is not None:
        n_ignored = references.sums(references.are(label)) @ how_often
        rows = rows.noting(n_ignored=int(n_ignored))
    return rows


def repeated_in_groups(metric: Metric, rows: Rows, how_often: IntArray, groups: IntArray) -> Rows:
    """Return the sums of rows over groups, each row as often as it occurs in its group.

    Raises
    ------
    InputError
        If the sums exceed int64, or the metric does not add up over groups.
    """
    check_adds_up(metric, rows)
    most = int(how_often.max())
    check_sums_of_groups(
        "there may be", most, max(largest_entry(rows.rows1), largest_entry(rows.rows2))
    )
    each = how_often.reshape(-1, *[1] * (rows.rows1.ndim - 1))
    sizes = how_often if rows.sizes is None else how_often * rows.sizes
    one, two = rows.rows1 * each, rows.rows2 * each
    of_groups = summed(rows.having(rows1=one, rows2=two, groups=groups, sizes=None))
    n_each = np.zeros(int(groups.max()) + 1, dtype=np.int64)
    np.add.at(n_each, groups, sizes)
    return of_groups.having(sizes=n_each)
