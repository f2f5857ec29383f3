"""Say what stands in the place of a label, and what to give instead."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import PYTHON, Name, Parts, Python, Setting, Words, describe
from pairedperm.inputs.columns import IntArray, is_integer, is_missing, place

_DROP = "Drop the example from all columns, or give it a label of its own."
_LABELS = "Labels are integers, bools or strings."
_LARGEST = "write the label of the largest one"
LOGITS = Parts(
    "For logits or probabilities, ", Python("pass the labels, argmax(-1)", _LARGEST), "."
)


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
            remedy = LOGITS if any(isinstance(x, (float, np.floating)) for x in row) else ""
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


def _instead_of_floats(labels: list[Any], lengths: IntArray | None) -> tuple[Words, ...]:
    """Return the remedies for floats in place of labels."""
    floats = [float(x) for x in labels if isinstance(x, (float, np.floating))]
    if all(x.is_integer() for x in floats):
        ids = Python("Convert class ids with astype(int)", "Write class ids as integers")
        return (ids,) if lengths is None else (ids, LOGITS)
    if lengths is not None:
        return (LOGITS,)
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
