"""Several runs of each system on an item: each run is an example, the item their group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.metric import CountsLabels, Metric


def check_runs(runs1: Any, runs2: Any, start: int = 0) -> None:
    """Raise InputError unless both systems have the same numbers of runs of each item."""
    if np.array_equal(runs1, runs2):
        return
    index = int((np.asarray(runs1) != np.asarray(runs2)).argmax())
    raise InputError(
        f"`predictions1`[{start + index}] has {runs1[index]} runs and `predictions2`"
        f"[{start + index}] has {runs2[index]}: give both systems as many runs of an item, which "
        "are swapped together."
    )


def check_groups(numbers: IntArray | None, n: int) -> None:
    """Raise InputError unless there is one for each example, if there are any."""
    if numbers is not None and numbers.size != n:
        raise InputError(
            f"`groups` must have an id for each example: it has {numbers.size:,} for {n:,} "
            "examples."
        )


def with_runs(
    metric: Metric, columns: Sequence[Any], groups: IntArray | None
) -> tuple[Sequence[Any], IntArray | None]:
    """Columns with an example for each run, where predictions have several and references do not.

    With the group of each: that of its item, which is one by itself unless groups were given.

    Raises
    ------
    InputError
        If the systems differ in their numbers of runs, or an item has none; if the number of items
        does not fit that of references or groups.
    """
    if not _are_runs(metric, columns):
        return columns, groups
    one, two, references = columns
    for predictions in (one, two):
        if predictions.n != references.n:
            raise InputError(
                f"`{predictions.name}` has runs of {predictions.n} items and `references` has "
                f"{references.n} labels: each item needs one."
            )
    check_runs(one.lengths, two.lengths, one.start)
    check_groups(groups, references.n)
    runs = np.asarray(one.lengths)
    if not runs.all():
        index = one.start + int((runs == 0).argmax())
        raise InputError(f"`predictions1`[{index}] is empty: an item needs a run at least.")
    items = np.arange(runs.size) if groups is None else groups
    flat = np.repeat(np.arange(runs.size), runs)
    right = references.flat
    kept = [right[k] for k in flat.tolist()] if isinstance(right, list) else right[flat]
    columns = (
        replace(one, lengths=None),
        replace(two, lengths=None),
        replace(references, flat=kept),
    )
    return columns, items[flat]


def _are_runs(metric: Metric, columns: Sequence[Any]) -> bool:
    if not isinstance(metric, CountsLabels) or metric.has_sets or metric.is_of_spans:
        return False
    one, two, references = columns
    are_lists = one.lengths is not None and two.lengths is not None
    return are_lists and isinstance(references, Labels) and references.lengths is None
