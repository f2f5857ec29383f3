"""What is wrong with columns of labels: no labels, one-hot rows, forms that do not fit."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from pairedperm.errors import (
    PYTHON,
    InputError,
    Name,
    Parts,
    Python,
    Setting,
    Words,
    describe,
    first_of,
    joined,
    shown,
)
from pairedperm.inputs.columns import IntArray, is_integer, is_missing, place
from pairedperm.inputs.label_numbers import RENAME_COLUMNS

if TYPE_CHECKING:
    from pairedperm.inputs.labels import Labels

_DROP = "Drop the example from all columns, or give it a label of its own."
_LABELS = "Labels are integers, bools or strings."
_LARGEST = "write the label of the largest one"
_LOGITS = Parts(
    "For logits or probabilities, ", Python("pass the labels, argmax(-1)", _LARGEST), "."
)
IN_ROWS = Parts(  # where Python flattens columns
    "write each number in a row with an id of its own, and name a column of groups, ",
    Setting("groups", "…"),
)
_FEW_ROWS = 5  # tuned: fewer rows of two numbers may have a single 1 each by chance


def bad_label(name: str, labels: list[Any], lengths: IntArray | None, start: int) -> InputError:
    """Make the error for a missing label, or the first that is no label or of another type."""

    def where(position: int) -> Name:
        return Name(name, place(position, lengths, start))

    missing = next((i for i, label in enumerate(labels) if is_missing(label)), None)
    if missing is not None:  # comes first: it is the cause if integers have become floats
        return InputError(where(missing), f" is missing ({labels[missing]!r})", remedy=_DROP)
    for position, label in enumerate(labels):
        if isinstance(label, (float, np.floating)):
            remedies = _LABELS, *_instead_of_floats(labels, lengths)
            return InputError(where(position), " is a float, ", describe(label), remedy=remedies)
        if isinstance(label, Set):
            need = Parts("metrics that take sets of labels need ", Setting("multilabel", "True"))
            return InputError(where(position), " is a set, ", describe(label), remedy=need)
        if not isinstance(label, str) and not is_integer(label):
            row = label if isinstance(label, (list, tuple)) else []
            remedy = _LOGITS if any(isinstance(x, (float, np.floating)) for x in row) else ""
            what = describe(label)
            return InputError(where(position), " is no label: ", what, remedy=(_LABELS, remedy))
    is_text = isinstance(labels[0], str)
    other = next(i for i, label in enumerate(labels) if isinstance(label, str) is not is_text)
    return InputError(
        *(Name(name), " mixes strings and integers: ", describe(labels[0])),
        f" and, at {PYTHON.entry('', place(other, lengths, start))}, ",
        describe(labels[other]),
        remedy="Convert all to one type",
    )


def other_rank(name: str, shape: tuple[int, ...]) -> InputError:
    """Make the error for an array of three or more dimensions."""
    must = "be of shape (n,), or (n, length) for label sequences"
    return InputError(Name(name), must=must, got=f"shape {shape}", remedy=_LOGITS)


def _instead_of_floats(labels: list[Any], lengths: IntArray | None) -> tuple[Words, ...]:
    """Return the remedies for floats in place of labels."""
    floats = [float(x) for x in labels if isinstance(x, (float, np.floating))]
    if all(x.is_integer() for x in floats):
        ids = Python("Convert class ids with astype(int)", "Write class ids as integers")
        return (ids,) if lengths is None else (ids, _LOGITS)
    if lengths is not None:
        return (_LOGITS,)
    doors = "use paired_permutation_test, compare_dataset(..., references=None) or evaluate.load"
    column = Parts("name their column, ", Setting("score", "…"))
    return (
        Parts("For numeric scores ", Python(f"{doors}(…, 'scores')", column)),
        Parts(
            "For logits or probabilities, ",
            Python("pass the labels, argmax(-1) of rows", _LARGEST),
            ", or p > 0.5 if each example has one",
        ),
    )


def one_hot(columns: Sequence[Labels]) -> int:
    """Return the length of the rows if they look one-hot; otherwise 0.

    Rows look one-hot if all hold 0 and 1, equally many, two or more, and one of these holds:

    - each row of the references has a single 1 among three or more numbers;
    - the references are single integers, some of which are neither 0 nor 1;
    - each row of all columns has a single 1.

    `check_not_one_hot` lets rows of two pass if there are fewer than five. Sequences of which
    labels were left out do not look one-hot, and neither do runs as a log tells them.
    """
    rows = [x for x in columns if x.lengths is not None]
    lengths = [x.lengths for x in rows if x.lengths is not None]
    length = int(lengths[0].max(initial=0)) if rows else 0
    if length < 2 or any((x != length).any() for x in lengths):
        return 0
    if any(isinstance(x.flat, list) or x.n_ignored or x.are_runs for x in rows):
        return 0
    if not all((x.are(0) | x.are(1)).all() for x in rows):
        return 0
    are_hot = [(x.are(1).reshape(-1, length).sum(axis=1) == 1).all() for x in rows]
    right = columns[-1]
    if right.lengths is None:
        is_told = right.kind == "integers" and not (right.are(0) | right.are(1)).all()
    else:
        is_told = length > 2 and are_hot[-1]
    return length if is_told or all(are_hot) else 0


def check_not_one_hot(names: Sequence[str], length: int, n: int, others: Words) -> None:
    """Raise InputError for `n` rows that look one-hot; `others` are other meanings, and remedies.

    `length` is what `one_hot` found.
    """
    if not length or (length == 2 and n < _FEW_ROWS):
        return
    labels = Python(
        "Pass the labels: np.argmax(rows, -1), or np.argmax(probabilities, -1) if these are "
        "thresholded",
        "Write the label of each example instead",
    )
    raise InputError(
        *(*joined([*map(Name, names[:-1])]).parts, " and ", Name(names[-1])),
        f" look one-hot: rows of {length} numbers, all 0 or 1",
        remedy=(labels, others),
    )


def other_columns(one: Labels, other: Labels) -> InputError:
    """Make the error for a matrix beside another form, or beside one with other columns."""
    if one.every is None or other.every is None or len(one.every) != len(other.every):
        return InputError(
            *(Name(one.name), f" is {_form(one)} and ", Name(other.name), f" is {_form(other)}"),
            remedy="Give all columns and batches as matrices with a column for each of the same "
            "labels, or none",
        )
    differing = [
        shown(x) for x in (*one.every, *other.every) if (x in one.every) != (x in other.every)
    ]
    return InputError(
        *(Name(one.name), " and ", Name(other.name)),
        f" are tables with columns of different names: {first_of(differing)} in one of them only",
        remedy=("These are the labels of the sets", RENAME_COLUMNS),
    )


def other_kinds(one: Labels, other: Labels) -> InputError:
    """Make the error for integers beside strings."""
    int2str = Python(", for instance with ClassLabel's int2str")
    return InputError(
        *(Name(one.name), f" holds {one.kind} ({shown(one.first)}) and "),
        *(Name(other.name), f" holds {other.kind} ({shown(other.first)})"),
        remedy=(
            "no label could match",
            Parts("Convert all columns and batches to one type", int2str),
        ),
    )


def other_forms(many: Labels, single: Labels) -> InputError:
    """Make the error for a column of sequences beside one of single labels."""
    remedies: tuple[Words, ...] = ("Give all columns and batches in the same form",)
    if one_hot([many]):
        largest = Python("pass the labels, np.argmax(rows, -1)", _LARGEST)
        remedies = (Parts("It looks one-hot: ", largest),)
    elif many.n and many.lengths is not None and (many.lengths == 1).all():
        alone = Python("pass np.ravel of it", "write it without a list")
        remedies = (Parts("Each sequence holds one label: ", alone),)
    elif many.name != "references":
        calls = Python(", and all columns in one call")
        remedies += (Parts("For runs, give both systems lists of them", calls),)
    return InputError(
        *(Name(many.name), " has a sequence of labels per example, "),
        *(Name(single.name), " has single labels"),
        remedy=remedies,
    )


def other_lengths(predictions: Labels, references: Labels, index: int) -> InputError:
    """Make the error for a prediction with another number of labels than its reference."""
    n, n_right = (x.lengths[index] for x in (predictions, references) if x.lengths is not None)
    return InputError(
        *(Name(predictions.name, (predictions.start + index,)), f" has {n} labels and "),
        *(Name(references.name, (references.start + index,)), f" has {n_right}"),
        remedy=Parts(
            "give a prediction as many labels as its reference (",
            Setting("metric", "'exact_match'"),
            " takes any number)",
        ),
    )


def stands_for_none(references: Labels, label: int, index: int) -> InputError:
    """Make the error for single labels, one of which stands for no label."""
    return InputError(
        Name(references.name, (references.start + index,)),
        f" is {label}, which stands for no label and is left out of sequences only",
        remedy=Parts(
            "Leave such examples out of all columns, or count it as a label, ",
            Setting("ignore_label", "None"),
        ),
    )


def _form(column: Labels) -> str:
    """Return what a column holds, in words."""
    if column.every is not None:
        return f"an indicator matrix of shape {(column.n, len(column.every))}"
    return "a column of labels" if column.lengths is None else "a column of sets"
