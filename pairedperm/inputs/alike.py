"""Whether columns of labels fit each other."""

from __future__ import annotations

from pairedperm.errors import InputError, shown
from pairedperm.inputs.columns import unequal
from pairedperm.inputs.indicators import other_columns
from pairedperm.inputs.labels import Columns, Labels


def check_columns(columns: Columns, *, sets: bool, aligned: bool) -> None:
    """Raise InputError if predictions, predictions and references do not fit each other.

    Sets may be of any sizes, and what is not aligned of any lengths.
    """
    references = columns[2]
    check = check_lengths if aligned and not sets else check_comparable
    check(columns[0], references)
    check(columns[1], references)
    if sets and references.lengths is None:
        raise InputError(
            f"`{references.name}` must hold a set of labels per example, got single labels "
            f"({shown(references.first)}). Give sets or lists, also of one label."
        )


def check_alike(one: Labels, other: Labels) -> None:
    """Raise InputError unless both are of sequences or neither, both of integers or of strings."""
    if one.every != other.every:
        raise other_columns(one, other)
    if (one.lengths is None) != (other.lengths is None):
        many, single = (one, other) if other.lengths is None else (other, one)
        raise InputError(
            f"`{many.name}` has a sequence of labels per example, `{single.name}` has single "
            "labels. Give all columns and batches in the same form."
        )
    if one.kind and other.kind and one.kind != other.kind:
        raise InputError(
            f"`{one.name}` holds {one.kind} ({shown(one.first)}) and `{other.name}` holds "
            f"{other.kind} ({shown(other.first)}): no label could match. Convert all columns and "
            "batches to one type, for instance with ClassLabel's int2str."
        )


def check_comparable(predictions: Labels, references: Labels) -> None:
    """Raise InputError unless the columns are alike, and of as many examples."""
    if predictions.n != references.n:
        raise unequal(predictions.name, predictions.n, references.name, references.n)
    check_alike(predictions, references)


def check_lengths(predictions: Labels, references: Labels) -> None:
    """Raise InputError unless each prediction has as many labels as its reference."""
    check_comparable(predictions, references)
    if predictions.lengths is None or references.lengths is None:
        return
    unequal = predictions.lengths != references.lengths
    if unequal.any():
        index = int(unequal.argmax())
        raise InputError(
            f"`{predictions.name}`[{predictions.start + index}] has {predictions.lengths[index]} "
            f"labels and `{references.name}`[{references.start + index}] has "
            f"{references.lengths[index]}: give a prediction as many labels as its reference "
            "(metric='exact_match' takes any number)."
        )
