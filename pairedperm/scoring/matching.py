"""Which labels of a prediction and its reference agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from operator import eq

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.labels import Labels, check_alike

__all__ = [
    "check_comparable",
    "check_lengths",
    "check_same_length",
    "exact_matches",
    "matches",
    "row_sums",
]

IntArray = NDArray[np.int64]


def check_comparable(predictions: Labels, references: Labels) -> None:
    """Alike, and of as many examples.

    Raises
    ------
    InputError
        If not.
    """
    check_same_length(predictions.name, predictions.n, references.name, references.n)
    check_alike(predictions, references)


def check_same_length(name: str, n: int, other: str, n_other: int) -> None:
    """Raise InputError unless two columns have as many examples."""
    if n != n_other:
        raise InputError(
            f"`{name}` has {n} examples and `{other}` has {n_other}: all columns must have the "
            "same length. Pair the examples by id first."
        )


def check_lengths(predictions: Labels, references: Labels) -> None:
    """Comparable, and each prediction with as many labels as its reference.

    Raises
    ------
    InputError
        If not.
    """
    check_comparable(predictions, references)
    if predictions.lengths is None or references.lengths is None:
        return
    unequal = predictions.lengths != references.lengths
    if unequal.any():
        index = int(unequal.argmax())
        raise InputError(
            f"{predictions.place(index)} has {predictions.lengths[index]} labels and "
            f"{references.place(index)} has {references.lengths[index]}: give a prediction as "
            "many labels as its reference (metric='exact_match' takes any number)."
        )


def matches(predictions: Labels, references: Labels) -> IntArray:
    """How many labels of each example agree, shape (n,).

    Raises
    ------
    InputError
        If the columns, or a prediction and its reference, differ in length or in kind.
    """
    check_lengths(predictions, references)
    return row_sums(_equal(predictions, references), references.lengths)


def exact_matches(predictions: Labels, references: Labels) -> IntArray:
    """1 for each example that is right as a whole, 0 for the others, shape (n,).

    A sequence of another length than its reference is not right.
    """
    check_comparable(predictions, references)
    if predictions.lengths is None or references.lengths is None:
        return _equal(predictions, references)
    same_length = predictions.lengths == references.lengths
    rows = np.repeat(same_length, predictions.lengths), np.repeat(same_length, references.lengths)
    lengths = references.lengths[same_length]
    agree = _equal(_chosen(predictions, rows[0]), _chosen(references, rows[1]))
    result = np.zeros(references.n, dtype=np.int64)
    result[same_length] = row_sums(agree, lengths) == lengths
    return result


def _equal(one: Labels, other: Labels) -> IntArray:
    if one.names is other.names and not (
        isinstance(one.flat, list) or isinstance(other.flat, list)
    ):
        return np.asarray(one.flat == other.flat, dtype=np.int64)
    # Strings one by one: an array of them would be as wide as the longest.
    return np.fromiter(map(eq, one.spelled, other.spelled), dtype=np.int64, count=len(one.flat))


def row_sums(flat: IntArray, lengths: IntArray | None) -> IntArray:
    """The sums of the sequences of these lengths, or, without sequences, the numbers."""
    if lengths is None:
        return flat
    sums = np.concatenate(([0], np.cumsum(flat)))
    ends = np.cumsum(lengths)
    return np.asarray(sums[ends] - sums[ends - lengths])


def _chosen(labels: Labels, mask: NDArray[np.bool_]) -> Labels:
    flat = labels.flat
    return replace(
        labels, flat=list(compress(flat, mask)) if isinstance(flat, list) else flat[mask]
    )
