"""Groups of examples, such as runs of an item: a group is swapped or drawn as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import Advice, InputError, Name, Python
from pairedperm.inputs.columns import check_one_type, read_ids, same_text_in_two_forms
from pairedperm.inputs.label_numbers import numbers_of
from pairedperm.inputs.labels import IN_ROWS, Labels, check_not_one_hot, one_hot
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Ratio, Score, group_sums, simplified


def read_groups(groups: Any) -> IntArray:
    """Return the group number of each example, in the order in which groups first occur."""
    return numbers_of(read_group_ids(groups), {})


def read_group_ids(groups: Any) -> list[int | str]:
    """Return the group id of each example; examples of one group have the same id.

    Raises
    ------
    InputError
        If an id is missing, or is not an integer or a string. If some are integers and others
        strings, or one text occurs in two Unicode forms: such groups would count as two.
    """
    ids = read_ids("groups", groups, "Give an example that is alone an id of its own.")
    check_one_type([Name("groups")], [ids])
    if in_two_forms := same_text_in_two_forms([ids]):
        raise InputError(Name("groups"), " has ids of which ", in_two_forms)
    return ids


def kept_in_order(
    columns: Sequence[Any], groups: Any, *, are_runs: bool
) -> tuple[list[Any], IntArray | None]:
    """Return columns whose examples stay in their order, and the group number of each example.

    Runs of an item become examples, and the item is their group.
    """
    numbers = None if groups is None else read_groups(groups)
    if are_runs:
        columns, numbers = _flat(columns, numbers)
    return [replace(x, in_order=True) if isinstance(x, Labels) else x for x in columns], numbers


def grouped(rows: Rows, groups: Any) -> Rows:
    """Return rows in the order of the examples, with the group of each.

    Raises
    ------
    InputError
        If there is not one group id for each example.
    """
    return with_groups(rows, read_groups(groups))


def with_groups(rows: Rows, numbers: IntArray | None) -> Rows:
    """Return rows in the order of the examples, with the group number of each, if there are any."""
    assert rows.multiplicities is None
    _check_groups(numbers, rows.n)
    return rows.having(groups=numbers)


def _check_groups(numbers: IntArray | None, n: int) -> None:
    """Raise InputError if there are groups, but not one for each example."""
    if numbers is not None and numbers.size != n:
        has = f"it has {numbers.size:,} for {n:,} examples"
        raise InputError(Name("groups"), must="have an id for each example", remedy=has)


def _flat(columns: Sequence[Any], groups: IntArray | None) -> tuple[Sequence[Any], IntArray]:
    """Return columns with one example per run, and each run's group: its item, or its item's group.

    Raises
    ------
    InputError
        If the systems differ in their numbers of runs, or an item has no run. If the number of
        items does not fit the references or the groups. If the rows are one-hot.
    """
    one, two, references = columns
    for predictions in (one, two):
        if predictions.n != references.n:
            raise InputError(
                *(Name(predictions.name), f" has runs of {predictions.n} items and "),
                *(Name("references"), f" has {references.n} labels"),
                remedy="each item needs one label",
            )
    check_runs(one.lengths, two.lengths, one.start)
    _check_groups(groups, references.n)
    runs = np.asarray(one.lengths)
    if not runs.all():
        index = one.start + int((runs == 0).argmax())
        where = Name("predictions1", (index,))
        raise InputError(where, " is empty", remedy="an item needs at least one run")
    k = one_hot(columns)
    flatten = (
        f"flatten them, np.ravel(...), beside np.repeat(references, {k}) and "
        f"groups=np.repeat(np.arange(n), {k}), all in one call"
    )
    as_runs = Advice(f"If they are {k} runs of each item, ", Python(flatten, IN_ROWS))
    check_not_one_hot([one.name, two.name], k, references.n, as_runs)
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


def check_runs(runs1: Any, runs2: Any, start: int = 0) -> None:
    """Raise InputError unless both systems have the same number of runs of each item."""
    if np.array_equal(runs1, runs2):
        return
    index = int((np.asarray(runs1) != np.asarray(runs2)).argmax())
    raise InputError(
        *(Name("predictions1", (start + index,)), f" has {runs1[index]} runs and "),
        *(Name("predictions2", (start + index,)), f" has {runs2[index]}"),
        remedy="give both systems the same number of runs of an item. The runs of an item are "
        "swapped together",
    )


def drawn(rows: Rows, score: Score) -> tuple[Rows, Score]:
    """Return the counted form for draws: the order of examples and groups does not matter."""
    if rows.groups is not None and isinstance(score, Ratio) and not rows.no_lattice:
        rows = summed(rows)  # the systems' denominators may be the same only then
    simple_rows, simple = simplified(rows.counted(), score, "draws")
    return (simple_rows, simple) if rows.groups is None else _in_one_order(simple_rows, simple)


def _in_one_order(rows: Rows, simple: Score) -> tuple[Rows, Score]:
    """Count the groups' sums, so that the order of the examples does not matter."""
    if rows.multiplicities is not None or rows.no_lattice:
        return rows, simple
    sizes = simple.sizes if isinstance(simple, Mean) else None
    counted = rows.having(sizes=sizes).distinct()
    if isinstance(simple, Mean):
        simple = replace(simple, sizes=counted.sizes)
    return counted.having(sizes=None), simple


def summed(rows: Rows) -> Rows:
    """Return the sums of integer rows over each group, and the number of its examples.

    Raises
    ------
    InputError
        If the sums exceed int64.
    """
    assert rows.groups is not None
    one, two = (group_sums(x, rows.groups) for x in (rows.rows1, rows.rows2))
    return rows.having(rows1=one, rows2=two, groups=None, sizes=np.bincount(rows.groups))
