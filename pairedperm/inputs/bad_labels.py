"""What is wrong with a label, and where it stands."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, describe
from pairedperm.inputs.columns import INTEGERS, is_missing

IntArray = NDArray[np.int64]
DROP = "Drop the example from all columns, or give it a label of its own."
_LABELS = "Labels are integers, bools or strings."


def bad_label(name: str, labels: list[Any], lengths: IntArray | None, start: int) -> InputError:
    """The error for a missing label, or the first that is none or not of the first one's type."""

    def where(position: int) -> str:
        return f"`{name}`{place(position, lengths, start)}"

    missing = next((i for i, label in enumerate(labels) if is_missing(label)), None)
    if missing is not None:  # it also turns integers into floats: the cause comes first
        return InputError(f"{where(missing)} is missing ({labels[missing]!r}). {DROP}")
    for position, label in enumerate(labels):
        if isinstance(label, (float, np.floating)):
            return InputError(
                f"{where(position)} is a float, {describe(label)}. {_LABELS} For numeric scores "
                "use paired_permutation_test, compare_dataset(..., references=None) or "
                "evaluate.load(…, 'scores'); for class ids convert with astype(int)."
            )
        if isinstance(label, Set):
            return InputError(
                f"{where(position)} is a set, {describe(label)}: metrics that take sets of labels "
                "need multilabel=True."
            )
        if not isinstance(label, (str, *INTEGERS)):
            return InputError(f"{where(position)} is no label: {describe(label)}. {_LABELS}")
    is_text = isinstance(labels[0], str)
    other = next(i for i, label in enumerate(labels) if isinstance(label, str) is not is_text)
    return InputError(
        f"`{name}` mixes strings and integers: {describe(labels[0])} and, at "
        f"{place(other, lengths, start)}, {describe(labels[other])}. Convert all to one type."
    )


def place(position: int, lengths: IntArray | None, start: int) -> str:
    """Where a label stands: "[row]", or "[row][label]" in sequences of these lengths."""
    if lengths is None:
        return f"[{start + position}]"
    ends = np.cumsum(lengths)
    row = int(np.searchsorted(ends, position, side="right"))
    return f"[{start + row}][{position - int(ends[row] - lengths[row])}]"
