"""Read the arguments of the tests: columns of numbers, or counts that know their metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, clause, describe
from pairedperm.inputs.columns import warn_of_repeats
from pairedperm.inputs.lattice import on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.function import Function, Statistic
from pairedperm.scoring.merging import grouped, rows_of_scores, summed
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, MeanOfRatios, Null, Ratio, Score, SumScore

ON_A_LATTICE = (
    "Give shares as Fractions, or times their common denominator: rounding breaks their ties. "
    "Round other numbers to the digits that they mean."
)
_ALTERED = (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError)
ScoreArgument = Ratio | Callable[[NDArray[np.float64]], Any]
_LONG = 2**15  # tuned: scores; it takes less time to copy fewer than to count them
_NEEDS_SCORE = (
    "For rows of counts say what the score is: score=Ratio(numerator, denominator), "
    "or a function of their sums. For several runs of an item give each run a score, and the "
    "item as group: groups=np.repeat(np.arange(n), runs)."
)


def read_arguments(
    counts1: Any, counts2: Any, score: ScoreArgument | None, groups: Any = None
) -> tuple[Rows, Score, Metric | None]:
    """Return rows, score and metric from the arguments of `paired_permutation_test`.

    The metric is None unless `counts1` is a PairedCounts that knows its metric.

    Raises
    ------
    InputError
        If `paired_permutation_test` refuses the arguments.
    """
    meant = read_score(score)
    if isinstance(counts1, PairedCounts):
        _check_alone(counts1, counts2, score, groups)
        rows, own, metric = read_counts("counts1", counts1)
        return rows, own if score is None else meant, metric
    if groups is None:
        warn_of_repeats("counts1", counts1)
    rows = columns_in_order(counts1, counts2, score)
    rows = _counted_if_few(rows, score) if groups is None else grouped(rows, groups)
    return rows, meant, None


def read_score(score: Any) -> Score:
    """Return the score that the argument `score` means.

    Raises
    ------
    InputError
        If it is no Ratio, function or None.
    """
    if score is None:
        return Mean()
    if isinstance(score, Ratio):
        return score
    if callable(score):
        return Function(score)
    raise InputError(
        "score",
        must="be a pairedperm.Ratio, a function of column sums (…, m) → (…), or None for the mean",
        got=describe(score),
    )


def _check_alone(
    counts: PairedCounts, counts2: Any, score: ScoreArgument | None, groups: Any
) -> None:
    """Raise InputError for arguments that counts do not need, and for rows without a score."""
    if counts2 is not None:
        raise InputError(
            "counts2",
            must="be left out where `counts1` is a PairedCounts",
            remedy="it holds both systems' counts",
        )
    if groups is not None:
        which = " is a PairedCounts, which does not tell its examples apart"
        raise InputError(
            "groups",
            must=f"be left out where `counts1`{which}",
            remedy="Count a row for each group: the sums of its examples",
        )
    if counts.n == 0:
        raise InputError(
            "counts1", "is an empty PairedCounts", remedy="at least one example is needed"
        )
    if counts.metric is not None and score is not None:
        known = f"`counts1` knows its metric, {counts.provenance.call}"
        raise InputError("score", must=f"be left out where {known}")
    if counts.rows1.ndim != 1 and score is None and counts.metric is None:
        ratio = "score=Ratio(numerator, denominator)"
        others = " or a function of their sums, or count only the column that is compared"
        raise InputError(
            "counts1",
            must="count one number per example, shape (n,)",
            got=repr(counts),
            remedy=("rows have no score of their own", f"Pass one, {ratio}{others}"),
        )


def columns_in_order(
    counts1: Any,
    counts2: Any,
    score: ScoreArgument | None,
    names: Sequence[str] = ("counts1", "counts2"),
    start: int = 0,
) -> Rows:
    """Return the rows of two columns with these names, one row for each example.

    Raises
    ------
    InputError
        If `paired_permutation_test` refuses the columns.
    """
    name1, name2 = names
    if counts2 is None:
        remedy = "pass the scores of both systems, or one PairedCounts"
        raise InputError(f"`{name2}` is missing", remedy=remedy)
    needs = _NEEDS_SCORE if score is None else ""
    options: Any = {"rows": score is not None, "remedy": needs, "start": start}
    one, two = read_pair(name1, counts1, name2, counts2, **options)
    return rows_of_scores(name1, one, name2, two, start)


def _counted_if_few(rows: Rows, score: ScoreArgument | None) -> Rows:
    """Count rows with few distinct pairs, unless an error or a function may need the rows."""
    if rows.no_lattice:
        return rows
    if score is None:
        return rows.counted_if_few() if rows.n >= _LONG else rows
    if not isinstance(score, Ratio) or rows.rows1.ndim == 1 or min(score.denominator) < 0:
        return rows
    few = rows.counted_if_few()
    return few if min(few.rows1.min(), few.rows2.min()) >= 0 else rows


def read_statistic(
    stay: Any, swap: Any, statistic: Any, groups: Any = None
) -> tuple[Rows, Statistic]:
    """Return rows and statistic from the arguments of `structured_permutation_test`.

    Raises
    ------
    InputError
        If `structured_permutation_test` refuses the arguments, or the rows lie on no lattice.
    """
    for name, rows in (("stay", stay), ("swap", swap)):
        if isinstance(rows, PairedCounts):
            raise InputError(name, must="be a column of rows", got=repr(rows))
    if not callable(statistic):
        what = "be a function of the sums, (…, m) → (…)"
        raise InputError("statistic", must=what, got=describe(statistic))
    pair = read_pair("stay", stay, "swap", swap, rows=True)
    rows1, rows2, unit = on_lattice("stay", pair[0], "swap", pair[1])
    rows = Rows(rows1, rows2, unit=unit)
    return rows if groups is None else grouped(rows, groups), Statistic(statistic)


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
        raise InputError(f"`{name}` is of {counts.provenance.call}: {error}") from error
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
    why = clause(str(error)) if isinstance(error, InputError) else str(error)
    return InputError(
        f"`{name}` is of {counts.provenance.call}, which has other rows than {counts!r} ({why})",
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


def _check_numbers(rows: Rows) -> None:
    """Raise ValueError if numbers of labels are negative, or more are correct than there are."""
    for table in rows.tables:
        least = int(table.min(initial=0))
        if rows.classes:
            correct, predicted, right = np.hsplit(table, 3)
            least = min(least, int((np.minimum(predicted, right) - correct).min(initial=0)))
        if least < 0:
            raise ValueError("numbers that cannot count labels")


def counts_of(rows: Rows, metric: Metric) -> PairedCounts:
    """Count the rows of a corpus, or of a part of it; rows of groups are summed.

    Raises
    ------
    InputError
        If the rows lie on no lattice, or the metric does not add up over groups.
    """
    check_on_lattice(rows)
    if rows.groups is not None:
        check_adds_up(metric, rows)
        rows = summed(rows)
    if rows.sizes is not None:
        rows = rows.in_least_unit()
    return PairedCounts.of(rows.noting(metric=metric.name, metric_options=metric.options))


def check_on_lattice(rows: Rows) -> None:
    """Raise InputError for scores that cannot be counted."""
    if rows.no_lattice:
        what = "these scores cannot be counted: "
        raise InputError(f"{what}{rows.no_lattice}", remedy=ON_A_LATTICE)


def check_adds_up(metric: Metric, rows: Rows) -> None:
    """Raise InputError for a mean of ratios: the counts of a group's examples do not add up."""
    score = None
    with suppress(InputError):  # a part of a corpus may have no score
        score = metric.score(rows)
    if isinstance(score, MeanOfRatios):
        others = "Compare the examples themselves with `compare`, or count their scores, "
        raise InputError(
            "groups",
            f": {metric.in_words} is a mean of ratios of single examples, whose counts do not add "
            "up over groups",
            remedy=f"{others}metric='mean_score'",
        )
