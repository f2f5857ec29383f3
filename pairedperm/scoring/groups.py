"""Groups of examples, such as runs of an item: a group is swapped or drawn as a whole."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Advice, Name, Python, Words
from pairedperm.inputs.ids import read_ids
from pairedperm.inputs.label_errors import IN_ROWS, check_not_one_hot, one_hot
from pairedperm.inputs.label_numbers import numbers_of
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows, distinct_pairs
from pairedperm.scoring.waist import Mean, Null, Score, SumScore

LARGEST = 2**62  # proof: sums up to it fit int64


def read_groups(groups: Any) -> IntArray:
    """Return the group number of each example, in the order in which groups first occur."""
    return numbers_of(read_group_ids(groups), {})


def read_group_ids(groups: Any) -> list[int | str]:
    """Return the group id of each example; examples of one group have the same id.

    Raises
    ------
    InputError
        If an id is missing, or is not an integer or a string.
    """
    return read_ids("groups", groups, "Give an example that is alone an id of its own.")


def in_order(
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


def simplified(rows: Rows, score: Score, null: Null) -> tuple[Rows, Score]:
    """Return the simplest form of the score, with its rows: of examples, or sums over groups."""
    found, simple = score.simplify(rows, null)
    if rows.groups is not None:
        if null == "swaps" and rows.no_lattice and isinstance(simple, Mean):
            found = _by_sign(found)
        return _summed(found, simple, rows.groups)
    if rows.sizes is not None:
        found = found.having(sizes=None)
        if isinstance(simple, Mean) and simple.sizes is None:
            simple = replace(simple, sizes=rows.sizes)
    return found, simple


def _by_sign(rows: Rows) -> Rows:
    """Put scores above and below 0 into columns of their own: rounding of sums of either is known.

    Sums of both may cancel, and then have a relative error that is not.
    """
    both = (rows.rows1, rows.rows2)
    if rows.rows1.ndim > 1 or min(x.min() for x in both) >= 0.0:
        return rows
    one, two = (np.stack((np.maximum(x, 0.0), np.minimum(x, 0.0)), axis=1) for x in both)
    return rows.having(rows1=one, rows2=two)


def drawn(rows: Rows, score: Score) -> tuple[Rows, Score]:
    """Return the counted form for draws: the order of examples and groups does not matter."""
    if rows.groups is not None and isinstance(score, Ratio) and not rows.no_lattice:
        rows = summed(rows)  # the systems' denominators may be the same only then
    found, simple = simplified(rows.counted(), score, "draws")
    return (found, simple) if rows.groups is None else _in_one_order(found, simple)


def _in_one_order(rows: Rows, simple: Score) -> tuple[Rows, Score]:
    """Count the groups' sums, so that the order of the examples does not matter."""
    if rows.multiplicities is not None or rows.no_lattice:
        return rows, simple
    sizes = simple.sizes if isinstance(simple, Mean) else None
    one, two, how_often, sizes = distinct_pairs(rows.rows1, rows.rows2, None, sizes)
    if isinstance(simple, Mean):
        simple = replace(simple, sizes=sizes)
    return rows.having(rows1=one, rows2=two, multiplicities=how_often), simple


def summed(rows: Rows) -> Rows:
    """Return the sums of integer rows over each group, and the number of its examples.

    Raises
    ------
    InputError
        If the sums exceed int64.
    """
    assert rows.groups is not None
    one, two = (_sums(x, rows.groups) for x in (rows.rows1, rows.rows2))
    return rows.having(rows1=one, rows2=two, groups=None, sizes=np.bincount(rows.groups))


def _summed(rows: Rows, score: Score, groups: IntArray) -> tuple[Rows, Score]:
    """Return the sums over groups and their score; for a mean, sizes are summed too."""
    one, two = (_sums(x, groups, rows.no_lattice) for x in (rows.rows1, rows.rows2))
    rows = rows.having(rows1=one, rows2=two, groups=None)
    if isinstance(score, Mean):
        sizes = np.ones(groups.size, dtype=np.int64) if score.sizes is None else score.sizes
        others: Any = score.otherwise and _summed(*score.otherwise, groups)
        return rows, replace(score, sizes=_sums(sizes, groups), otherwise=others)
    if isinstance(score, SumScore) and score.whole is not None:
        whole = [0] * (int(groups.max()) + 1)
        for group, value in zip(groups.tolist(), score.whole, strict=True):
            whole[group] += value
        score = copy.copy(score)
        score.whole = whole
    return rows, score


def _sums(rows: NDArray[Any], groups: IntArray, no_lattice: Words = "") -> NDArray[Any]:
    """Return the sums over each group; sums of floats are rounded once.

    Raises
    ------
    InputError
        If sums of integers exceed int64, or sums of floats the largest float.
    """
    n = int(groups.max()) + 1
    shape = (n, *rows.shape[1:])
    if no_lattice:
        return _sums_of_floats(rows, groups, shape)
    largest = int(np.bincount(groups).max())
    if largest * largest_entry(rows) >= LARGEST:
        raise InputError(
            f"there are groups of {largest:,} examples with numbers up to "
            f"{largest_entry(rows):.3g}, whose sums exceed int64",
            remedy="Divide by a common unit",
        )
    found = np.zeros(shape, dtype=np.int64)
    np.add.at(found, groups, rows)
    return found


def _sums_of_floats(
    rows: NDArray[Any], groups: IntArray, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    found = np.empty(shape)
    ends = np.cumsum(np.bincount(groups))[:-1]
    parts = np.split(rows[np.argsort(groups, kind="stable")], ends)
    for group, part in enumerate(parts):
        columns = part.reshape(len(part), -1).T.tolist()
        try:
            sums = [*map(math.fsum, columns)]
        except OverflowError:
            largest = np.abs(rows).max()
            raise InputError(
                f"there are groups of numbers up to {largest:.3g}, whose sums must be floats",
                remedy="Divide by a common unit",
            ) from None
        found[group] = np.reshape(sums, shape[1:])
    return found
