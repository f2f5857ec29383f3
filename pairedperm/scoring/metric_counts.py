"""Counts that know their metric: of the rows of a corpus, or of its distinct examples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.groups import rows_in_order, summed
from pairedperm.scoring.mean_of_ratios import MeanOfRatios
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.waist import Mean, Rows, Score

_ALTERED = (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError)


def counts_of(rows: Rows, metric: Metric | None) -> PairedCounts:
    """The rows of a corpus, or of a part of it, as counts; those of groups are summed.

    Raises
    ------
    InputError
        If they lie on no lattice, or do not say what a group contributes.
    """
    if rows.no_lattice:
        raise InputError(
            f"these scores cannot be counted: {rows.no_lattice}. Round them to up to 13 digits."
        )
    if rows.groups is not None:
        if metric is not None:
            _check_adds_up(metric, rows)
        rows = summed(rows)
    counts = rows.counts
    if metric is None:
        return counts
    origin = replace(counts.origin, metric=metric.name, metric_options=metric.options)
    pairs = counts.rows1, counts.rows2, counts.multiplicities, counts.decimals
    return PairedCounts.__new__(PairedCounts)._set(*pairs, counts.sizes, origin)


def rows_of_distinct(metric: Metric, columns: Sequence[Any], how_often: IntArray) -> Rows:
    """A row for each distinct example, in their order; a row of runs is their sum.

    Raises
    ------
    InputError
        If the columns do not fit each other, or the metric.
    """
    read = metric.read(columns)
    rows = rows_in_order(metric, read)
    if rows.groups is not None:  # an item's runs
        _check_adds_up(metric, rows)
        rows = summed(rows)
    references = read[2]
    if rows.n_ignored and isinstance(references, Labels):
        ignored = references.ignored(metric.ignored)
        if ignored is not None:
            rows = replace(rows, n_ignored=int(references.sums(ignored) @ how_often))
    return rows


def counts_of_distinct(metric: Metric, columns: Sequence[Any], how_often: IntArray) -> PairedCounts:
    """Counts of distinct examples, each of which occurs so often.

    Raises
    ------
    InputError
        As `rows_of_distinct`; if scores lie on no lattice.
    """
    rows = rows_of_distinct(metric, columns, how_often)
    if rows.no_lattice:
        return counts_of(rows, metric)
    origin = rows.counts.origin
    counts = of_units(rows.rows1, rows.rows2, how_often, rows.decimals, rows.sizes, origin)
    return counts_of(Rows.of(counts), metric)


def read_counts(name: str, counts: PairedCounts) -> tuple[Rows, Score, Metric | None]:
    """Rows, score and metric of counts that know it; the mean of bare numbers.

    Raises
    ------
    InputError
        If the metric is unknown, or its rows are others; if labels cannot be meant.
    """
    rows = Rows.of(counts)
    if counts.metric is None:
        return rows, Mean(), None
    metric = read_metric(counts.metric, **(counts.metric_options or {}))
    try:
        score = metric.checked_score(rows)
        if isinstance(score, Mean) and rows.rows1.ndim != 1:
            raise ValueError("rows in place of numbers")
        score.simplify(rows, "draws")
    except InputError:
        raise
    except _ALTERED as error:
        raise InputError(
            f"`{name}` is of {counts.origin.call}, which has other rows than {counts!r} ({error}). "
            "Was it altered? Count the predictions anew."
        ) from error
    return rows, score, metric


def _check_adds_up(metric: Metric, rows: Rows) -> None:
    """Raise InputError for a mean of ratios: the counts of a group's examples do not add up."""
    score = None
    with suppress(InputError):  # a part of a corpus may have no score
        score = metric.score(rows)
    if isinstance(score, MeanOfRatios):
        raise InputError(
            f"`groups`: {metric.in_words} is a mean of ratios of single examples, whose counts do "
            "not add up over groups. Compare the examples themselves with `compare`, or count "
            "their scores, metric='mean_score'."
        )
