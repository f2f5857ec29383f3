"""Read real numbers of any shape: a single one, a list, an array."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, describe
from pairedperm.inputs.columns import is_scalar_array, is_sequence, materialise

_DEEPEST = 32  # proof: dimensions that any version of numpy allows


def read_shaped(name: str, values: Any, depth: int = 0) -> NDArray[np.float64]:
    """Return the numbers as float64, in the shape that they came in.

    Raises
    ------
    InputError
        If an entry is no real number, or beyond float64; if rows are ragged.
    """
    if is_scalar_array(values):
        values = values.item()
    if isinstance(values, np.generic):
        values = np.asarray(values)
    elif isinstance(values, (Real, Decimal)):
        try:
            return np.asarray(float(values))
        except (OverflowError, ValueError):  # Decimal("sNaN") is no float either
            raise _refusal(name, values) from None
    if not isinstance(values, np.ndarray) or values.ndim:
        if not is_sequence(values):
            raise _refusal(name, values)
        values = materialise(name, values)
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        with np.errstate(over="ignore"):  # long doubles may overflow
            return np.asarray(values).astype(np.float64)
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":  # texts, times
        raise _refusal(name, values)
    entries = values.tolist() if isinstance(values, np.ndarray) else values
    if not isinstance(entries, list) or depth == _DEEPEST:  # a single entry that is no number
        raise _refusal(name, values)
    if entries and set(map(type, entries)) == {float}:
        return np.array(entries)
    parts = [read_shaped(name, entry, depth + 1) for entry in entries]
    shapes = sorted({part.shape for part in parts})
    if len(shapes) > 1:
        raise InputError(
            Name(name),
            must="hold rows of one length",
            got=f"entries of the shapes {shapes[0]} and {shapes[1]}",
        )
    return np.stack(parts) if parts else np.zeros(0)


def _refusal(name: str, value: Any) -> InputError:
    must = "hold real numbers that are floats, one or an array of them"
    return InputError(Name(name), must=must, got=describe(value))
