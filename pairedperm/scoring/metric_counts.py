"""Counts that know their metric, from the rows of a corpus or from its distinct examples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import summed
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import LARGEST_SUM, Mean, MeanOfRatios, Null, Score, SumScore

ON_A_LATTICE = (
    "Give shares as Fractions, or times their common denominator: rounding breaks their ties. "
    "Round other numbers to the digits that they mean."
)
_ALTERED = (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError)


def counts_of(rows: Rows, metric: Metric | None) -> PairedCounts:
    """Count the rows of a corpus, or of a part of it; rows of groups are summed.

    Raises
    ------
    InputError
        If the rows lie on no lattice, or the metric does not add up over groups.
    """
    _check_lattice(rows)
    if rows.groups is not None:
        if metric is not None:
            check_adds_up(metric, rows)
        rows = summed(rows)
    if rows.sizes is not None:
        rows = rows.in_least_unit()
    return PairedCounts.of(of_metric(rows, metric))


def of_metric(rows: Rows, metric: Metric | None) -> Rows:
    """Return rows that name their metric."""
    if metric is None:
        return rows
    return rows.noting(metric=metric.name, metric_options=metric.options)


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
    _check_lattice(rows)
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
    check_sums_of(most, max(largest_entry(rows.rows1), largest_entry(rows.rows2)))
    each = how_often.reshape(-1, *[1] * (rows.rows1.ndim - 1))
    sizes = how_often if rows.sizes is None else how_often * rows.sizes
    one, two = rows.rows1 * each, rows.rows2 * each
    of_groups = summed(rows.having(rows1=one, rows2=two, groups=groups, sizes=None))
    n_each = np.zeros(int(groups.max()) + 1, dtype=np.int64)
    np.add.at(n_each, groups, sizes)
    return of_groups.having(sizes=n_each)


def check_sums_of(n: int, largest: int) -> None:
    """Raise InputError if sums of n numbers up to this size may exceed int64."""
    if n * largest >= LARGEST_SUM:
        raise InputError(
            f"there may be groups of {n:,} examples with numbers up to {largest:.3g}, whose sums "
            "exceed int64",
            remedy="Divide by a common unit",
        )


def read_counts(name: str, counts: PairedCounts) -> tuple[Rows, Score, Metric | None]:
    """Return rows, score and metric of counts; the score of bare numbers is their mean.

    Raises
    ------
    InputError
        If the metric is unknown, or cannot have such rows. If labels cannot be meant.
    """
    rows: Rows = counts
    if counts.metric is None:
        return rows, Mean(), None
    try:
        metric = read_metric(counts.metric, **(counts.metric_options or {}))
    except TypeError as error:  # an option that there is not
        raise InputError(Name(name), " is of ", counts.provenance.call, f": {error}") from error
    score: Score = Mean()
    try:
        score = metric.checked_score(rows)
    except _ALTERED as error:
        if isinstance(error, InputError):
            raise
        raise _altered(name, counts, error) from error
    try:
        _check_fit(metric, rows, score)
    except _ALTERED as error:
        raise _altered(name, counts, error) from error
    return rows, score, metric


def _altered(name: str, counts: PairedCounts, error: Exception) -> InputError:
    why = error.message.clause() if isinstance(error, InputError) else str(error)
    return InputError(
        *(Name(name), " is of ", counts.provenance.call),
        *(f", which has other rows than {counts!r} (", why, ")"),
        remedy=("Was it altered?", "Count the predictions anew"),
    )


def _check_fit(metric: Metric, rows: Rows, score: Score) -> None:
    """Raise an error of `_ALTERED` unless the metric can have such rows."""
    if metric.is_of_labels and rows.no_lattice:
        raise ValueError("numbers that cannot count labels")
    if isinstance(score, Mean):
        if rows.rows1.ndim != 1:
            raise ValueError("rows in place of numbers")
        if metric.is_of_labels:
            most = 1 if rows.sizes is None else rows.sizes
            are_labels = all(((x >= 0) & (x <= most)).all() for x in (rows.rows1, rows.rows2))
            if rows.unit > 1 or not are_labels:
                raise ValueError("numbers that cannot count labels")
    elif metric.is_of_labels:
        _check_numbers(rows)
    nulls: tuple[Null, ...] = ("swaps", "draws")
    for null in nulls:
        simple_rows, simple = score.simplify(rows, null)
        if isinstance(simple, SumScore):
            with np.errstate(all="ignore"):
                simple(np.array(simple_rows.sums, dtype=np.float64))


def _check_lattice(rows: Rows) -> None:
    """Raise InputError for scores that cannot be counted."""
    if rows.no_lattice:
        what = "these scores cannot be counted: "
        raise InputError(what, rows.no_lattice, remedy=ON_A_LATTICE)


def check_adds_up(metric: Metric, rows: Rows) -> None:
    """Raise InputError for a mean of ratios: the counts of a group's examples do not add up."""
    score = None
    with suppress(InputError):  # a part of a corpus may have no score
        score = metric.score(rows)
    if isinstance(score, MeanOfRatios):
        others = "Compare the examples themselves with `compare`, or count their scores, "
        raise InputError(
            Name("groups"),
            f": {metric.in_words} is a mean of ratios of single examples, whose counts do not add "
            "up over groups",
            remedy=Parts(others, Setting("metric", "'mean_score'")),
        )


def _check_numbers(rows: Rows) -> None:
    """Raise ValueError if numbers of labels are negative, or more are correct than there are."""
    for table in rows.tables:
        least = int(table.min(initial=0))
        if rows.classes:
            correct, predicted, right = np.hsplit(table, 3)
            least = min(least, int((np.minimum(predicted, right) - correct).min(initial=0)))
        if least < 0:
            raise ValueError("numbers that cannot count labels")
