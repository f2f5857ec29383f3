"""How many labels of each example are predicted, right, and correct."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.columns import INTEGERS, describe
from pairedperm.inputs.labels import Labels, place, renumbered
from pairedperm.scoring.matching import check_comparable, check_lengths, row_sums
from pairedperm.scoring.metric import MetricSpec

__all__ = ["LabelCounts", "check_columns", "coded", "count_labels", "right_labels"]

IntArray = NDArray[np.int64]


class LabelCounts(NamedTuple):
    """Numbers of the selected labels in each example, shape (n,) each.

    `seen` are the selected labels that occur, in predictions or references.
    """

    correct1: IntArray
    predicted1: IntArray
    correct2: IntArray
    predicted2: IntArray
    gold: IntArray
    seen: frozenset[Hashable]


def count_labels(
    predictions1: Labels, predictions2: Labels, references: Labels, spec: MetricSpec
) -> LabelCounts:
    """Of the labels that the metric selects; each example's are a label, a sequence or a set.

    Raises
    ------
    InputError
        If the columns do not fit each other, or the labels not the metric.
    """
    columns = (predictions1, predictions2, references)
    check_columns(columns, spec)
    codes, number_of, _ = coded(columns)
    selected = spec.selected
    if spec.is_binary and selected is None:
        for column in columns:
            _check_binary(column)
        selected = (1,)
    chosen = [np.ones(len(code), dtype=np.bool_) for code in codes]
    seen: set[Hashable] = set()
    if selected is not None:
        wanted = {label: number_of(label) for label in selected}
        values = np.array([number for number in wanted.values() if number is not None], np.int64)
        chosen = [np.isin(code, values) for code in codes]
        there = np.unique(np.concatenate([c[x] for c, x in zip(codes, chosen, strict=True)]))
        present = set(there.tolist())
        seen = {label for label, number in wanted.items() if number in present}
    correct = []
    for column, code, counts in zip(columns[:2], codes[:2], chosen[:2], strict=True):
        right = right_labels(column, code, references, codes[2], spec)
        correct.append(_sums(right & counts, column))
    predicted1, predicted2, gold = (
        _sums(counts, column) for counts, column in zip(chosen, columns, strict=True)
    )
    return LabelCounts(correct[0], predicted1, correct[1], predicted2, gold, frozenset(seen))


def check_columns(columns: tuple[Labels, Labels, Labels], spec: MetricSpec) -> None:
    """Raise InputError if predictions, predictions and references do not fit each other."""
    references = columns[2]
    for predictions in columns[:2]:
        (check_comparable if spec.multilabel else check_lengths)(predictions, references)
    if spec.multilabel and references.lengths is None:
        raise InputError(
            f"`{references.name}` must hold a set of labels per example with multilabel=True, got "
            f"single labels ({references.first!r}). Give sets or lists, also of one label."
        )


def right_labels(
    predictions: Labels, predicted: IntArray, references: Labels, gold: IntArray, spec: MetricSpec
) -> NDArray[np.bool_]:
    """Which predicted labels are right, of labels as integers."""
    if spec.multilabel:
        return _in_sets(predictions, predicted, references, gold)
    return np.asarray(predicted == gold)


def _sums(flags: NDArray[np.bool_], labels: Labels) -> IntArray:
    return row_sums(flags.astype(np.int64), labels.lengths)


def coded(
    columns: Sequence[Labels],
) -> tuple[list[IntArray], Callable[[Any], int | None], Callable[[IntArray], list[Any]]]:
    """The labels as integers, alike in all columns; from a label to its integer, and back."""
    names = columns[0].names
    if names is not None and all(column.names is names for column in columns):
        table = {label: number for number, label in enumerate(names)}
        named = list(names)
        codes = [np.asarray(column.flat) for column in columns]
        return codes, table.get, lambda found: [named[k] for k in found.tolist()]
    if all(isinstance(column.flat, np.ndarray) and column.names is None for column in columns):
        codes = [np.asarray(column.flat) for column in columns]
        return codes, _as_int64, lambda found: list(found.tolist())
    numbers: dict[Any, int] = {}
    codes = [renumbered(column, numbers) for column in columns]
    labels = list(numbers)
    return codes, numbers.get, lambda found: [labels[k] for k in found.tolist()]


def _as_int64(label: Hashable) -> int | None:
    return int(label) if isinstance(label, INTEGERS) and -(2**63) <= int(label) < 2**63 else None


def _check_binary(column: Labels) -> None:
    """Raise InputError unless all labels are 0 or 1, or False or True."""
    distinct: Sequence[Any]
    if column.names is not None:
        distinct = [column.names[k] for k in np.unique(np.asarray(column.flat)).tolist()]
    elif isinstance(column.flat, np.ndarray):
        distinct = np.unique(column.flat).tolist()
    else:
        distinct = column.flat[:1]  # strings
    other = next((label for label in distinct if label not in (0, 1)), None)
    if other is not None:
        raise InputError(
            f"`pos_label` is missing: with average='binary' it is 1 where all labels are 0 or 1, "
            f"but `{column.name}` holds {describe(other)}. Say which label counts, pos_label=..., "
            "or count all, average='micro' or 'macro'."
        )


def _in_sets(
    predictions: Labels, predicted: IntArray, references: Labels, gold: IntArray
) -> NDArray[np.bool_]:
    """Which predicted labels are in the set of their example's references."""
    _, both = np.unique(np.concatenate((predicted, gold)), return_inverse=True)
    n_codes = int(both.max(initial=0)) + 1
    keys = []
    for column, codes in (
        (predictions, both[: predicted.size]),
        (references, both[predicted.size :]),
    ):
        lengths = np.asarray(column.lengths)
        key = np.repeat(np.arange(lengths.size), lengths) * n_codes + codes
        ordered = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[ordered]) == 0)
        if twice.size:
            position = int(ordered[twice[0] + 1])
            raise InputError(
                f"`{column.name}`{place(position, column.lengths, column.start)} is in its set "
                "twice: with multilabel=True give each label once. Of an indicator matrix: "
                "[np.flatnonzero(row) for row in matrix]."
            )
        keys.append(key)
    return np.isin(keys[0], keys[1])
