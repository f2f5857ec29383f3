"""Number labels alike in all columns, and count the labels of each class in each example."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray, distinct_rows
from pairedperm.errors import InputError, Name, Parts, Setting
from pairedperm.inputs.columns import OF_MATRICES, place
from pairedperm.inputs.label_numbers import numbers_of
from pairedperm.inputs.labels import Columns, Labels
from pairedperm.scoring.pairs import LEAST, few_rows
from pairedperm.scoring.rows import Rows

MAX_CELLS = 3 * 2**25  # tuned: in all tables, 0.1 GiB of bytes and their differences in int64
_REMEDIES = {
    "labels": Parts("name fewer, ", Setting("labels", "[...]")),
    "average": Parts("use ", Setting("average", "'micro'")),
}
LEAST_ROWS = 32  # tuned: so many rows take as much memory as the names of all classes


def count_classes(
    columns: Columns,
    selected: Sequence[Hashable] | None = None,
    *,
    sets: bool = False,
    options: Collection[str] = (),
) -> Rows:
    """Return rows (correct, predicted, right) of all classes that occur, or of the selected ones.

    In indicator matrices every column is a class, even if it never occurs, as in scikit-learn.
    `options` are those of the metric that messages may name.

    If each example has one label, the distinct triples (prediction, prediction, reference) are
    counted, since they are few. Otherwise each example has its own row at first.

    Raises
    ------
    InputError
        If there are too many classes.
    """
    references = columns[2]
    codes, _, labels = coded(columns)
    codes, how_often = counted_early(references, codes, is_named=labels is not None)
    right = right_labels(columns, codes, sets=sets)
    # the place of each label among the classes that count; all others share the place behind them
    present, numbers = compact(codes)
    there = present.tolist() if labels is None else [labels[k] for k in present.tolist()]
    classes = (references.every or sorted(there)) if selected is None else selected
    place_of = dict(zip(classes, range(len(classes)), strict=True))
    n_classes = max(len(classes), 1)  # other parts of the corpus may have classes
    where = np.array([place_of.get(label, n_classes) for label in there], dtype=np.int64)
    places = [where[column] for column in numbers]
    if references.lengths is None:
        if not references.in_order:  # examples that differ in other classes only are alike now
            first, how_often = distinct_rows(places, how_often)
            places, right = [x[first] for x in places], [x[first] for x in right]
        n, examples = len(places[0]), [np.arange(len(places[0]))] * 3
    else:
        n = references.n
        examples = [np.repeat(np.arange(n), np.asarray(x.lengths)) for x in columns]
    # the smallest type keeps rows of many classes small
    most = max(int(np.bincount(example).max(initial=0)) for example in examples)
    dtype = np.min_scalar_type(-2 * most - 1)  # holds differences, and differences of differences
    _check_cells(n, n_classes, dtype.itemsize, options)
    rows, labelled = [], [*zip(examples, places, strict=True)]
    for k in (0, 1):
        correct = examples[k][right[k]], places[k][right[k]]
        rows.append(_table((correct, labelled[k], labelled[2]), n, n_classes, dtype))
    counted = Rows(rows[0], rows[1], how_often).noting(classes=tuple(classes))
    return counted if references.in_order else counted.distinct()


def counted_early(
    references: Labels, codes: list[IntArray], *, is_named: bool = False
) -> tuple[list[IntArray], IntArray | None]:
    """Return the distinct triples of labels, as `coded`, and how often each occurs.

    Few examples, and many triples, are left as they are, unless labels have names to look up.
    Sequences of labels, and labels that must stay in their order, always are.
    """
    if references.lengths is not None or references.in_order:
        return codes, None
    few = few_rows(codes) if len(codes[2]) >= LEAST else None
    if few is None and is_named:
        first, how_often = distinct_rows(codes, None)
        few = [code[first] for code in codes], how_often
    return few or (codes, None)


def _check_cells(n: int, n_classes: int, itemsize: int, options: Collection[str]) -> None:
    """Raise InputError if the tables of both systems take too much memory."""
    allowed = MAX_CELLS // max(itemsize // 2, 1)
    needed = 6 * max(n, LEAST_ROWS) * n_classes
    if needed > allowed:
        ways = [x for name, way in _REMEDIES.items() if name in options for x in (", or ", way)]
        raise InputError(
            f"{n_classes:,} classes in {n:,} distinct examples are too many to average over",
            remedy=(
                f"that takes {needed:.3g} counts, and {allowed:.3g} are allowed",
                Parts(*ways[1:]) if ways else "give rare ones one name in all columns",
            ),
        )


def _table(
    parts: Sequence[tuple[IntArray, IntArray]], n: int, n_classes: int, dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Count each class in each example, for three parts: shape (n, 3 K).

    A part has an example and a class for each of its labels; the last class does not count.
    """
    width = n_classes + 1
    table = np.zeros(3 * n * width, dtype=dtype)
    for k, (examples, places) in enumerate(parts):
        np.add.at(table, (3 * examples + k) * width + places, 1)
    return table.reshape(n, 3, width)[:, :, :n_classes].reshape(n, 3 * n_classes)


def coded(
    columns: Columns, wanted: Sequence[Hashable] = ()
) -> tuple[list[IntArray], list[int | None], list[Any] | None]:
    """Return the labels as integers alike in all columns, and the integers of `wanted` labels.

    An integer is None if its label cannot occur. The third item lists the labels by their
    integers; None if they are integers themselves.
    """
    one, two, three = columns
    names = one.names
    if names is two.names is three.names:  # one list for all, or None for all
        codes: list[Any] = [one.flat, two.flat, three.flat]
        if names is not None:
            numbers: dict[Any, int] = {label: number for number, label in enumerate(names)}
            return codes, [*map(numbers.get, wanted)], [*names]
        if not {type(one.flat), type(two.flat), type(three.flat)} & {list}:
            fitting = [x if isinstance(x, int) and -(2**63) <= x < 2**63 else None for x in wanted]
            return codes, fitting, None
    numbers = {}
    codes = [renumbered(column, numbers) for column in columns]
    return codes, [*map(numbers.get, wanted)], list(numbers)


def numbered(columns: Sequence[Labels]) -> list[Labels]:
    """Return the same columns with labels as numbers in one common list of names."""
    numbers: dict[Any, int] = {}
    flat = [renumbered(column, numbers) for column in columns]
    names = list(numbers)
    return [replace(x, flat=codes, names=names) for x, codes in zip(columns, flat, strict=True)]


def renumbered(labels: Labels, numbers: dict[Any, int]) -> IntArray:
    """Return each label's number in `numbers`, to which new labels are added."""
    if labels.names is not None and not isinstance(labels.flat, list):
        number = np.zeros(len(labels.names), dtype=np.int64)
        for k in np.flatnonzero(np.bincount(labels.flat, minlength=number.size)).tolist():
            number[k] = numbers.setdefault(labels.names[k], len(numbers))
        return number[labels.flat]
    return numbers_of(labels.spelled, numbers)


def compact(codes: Sequence[IntArray]) -> tuple[IntArray, list[IntArray]]:
    """Return the distinct codes of all columns, ascending, and each column's numbers in them."""
    together = np.concatenate(codes)
    low, high = int(together.min(initial=0)), int(together.max(initial=0))
    if high - low <= together.size:
        there = np.bincount(together - low) > 0
        distinct, numbers = np.flatnonzero(there) + low, (np.cumsum(there) - 1)[together - low]
    else:
        distinct, numbers = np.unique(together, return_inverse=True)
    first, second, _ = codes
    return distinct, np.split(numbers, [first.size, first.size + second.size])


def right_labels(
    columns: Columns, codes: Sequence[IntArray], *, sets: bool
) -> list[NDArray[np.bool_]]:
    """Mark each system's right predictions: those equal to references, or in their sets.

    Raises
    ------
    InputError
        If a set holds a label twice.
    """
    if not sets:
        return [codes[0] == codes[2], codes[1] == codes[2]]
    distinct, parts = compact(codes)
    keys = []
    for column, part in zip(columns, parts, strict=True):
        lengths = np.asarray(column.lengths)
        key = np.repeat(np.arange(lengths.size), lengths) * distinct.size + part
        ordered = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[ordered]) == 0)
        if twice.size:
            position = int(ordered[twice[0] + 1])
            raise InputError(
                Name(column.name, place(position, column.lengths, column.start)),
                " is in its set twice",
                remedy=("give each label once", OF_MATRICES),
            )
        keys.append(key)
    return [np.isin(keys[0], keys[2]), np.isin(keys[1], keys[2])]


def without_ignored(columns: Columns, ignored: NDArray[np.bool_]) -> Columns:
    """Return the columns of sequences without the places where references are ignored.

    A prediction that differs in length from its reference stays as it is.
    """
    references, systems = columns[2], []
    for column in columns[:2]:
        same = np.asarray(column.lengths == references.lengths)
        kept = np.ones(len(column.flat), dtype=np.bool_)
        kept[column.spread(same)] = ~ignored[references.spread(same)]
        systems.append(column.where(kept))
    n_ignored = references.n_ignored + int(ignored.sum())
    return systems[0], systems[1], replace(references.where(~ignored), n_ignored=n_ignored)
