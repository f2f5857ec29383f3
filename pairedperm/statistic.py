"""A user's function of the column sums: called on many sums at once, and held to its contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.columns import describe
from pairedperm.errors import InputError

__all__ = ["Statistic"]

FloatArray = NDArray[np.float64]
_CELLS = 2**17  # of the sums that are passed together: they stay in the cache
_FOR_ONE = "np.vectorize(f, signature='(m)->()')"


class Statistic:
    """A function from sums, shape (n, m), to their scores, shape (n,), checked.

    Parameters
    ----------
    name : str
        Of the argument, for messages.
    function : callable
        From (…, m) to (…); of a single column from (…).
    unit : int
        What the integers of the sums are divided by: decimals are passed as they came.
    observed : float64 array, shape (k, m)
        Sums for which the function is tried.
    is_column : bool
        Whether there is a single column, without an axis of its own.

    Raises
    ------
    InputError
        If it cannot be called with many sums at once, returns another shape, or what is no finite
        number.
    """

    exact: None = None  # floats are all that is known

    def __init__(
        self,
        name: str,
        function: Callable[[FloatArray], Any],
        unit: int,
        observed: FloatArray,
        is_column: bool,
    ) -> None:
        self._name, self._function, self._unit = name, function, unit
        self._drops_axis = is_column
        m = observed.shape[1]
        # another number of rows than of columns, so that no axis is taken for another
        rows = np.concatenate([observed] * (m + 2))[: m + 2]
        try:
            values = self(rows)
        except InputError:
            if not is_column:
                raise
            self._drops_axis = False  # it may want (…, 1)
            try:
                values = self(rows)
            except InputError:
                self._drops_axis = True
                self(rows)
        single = np.concatenate([self(row[None]) for row in rows])
        scale = 1e-9 * np.maximum(np.abs(values), np.abs(single))
        if (np.abs(values - single) > scale).any():
            index = int((np.abs(values - single) > scale).argmax())
            raise InputError(
                f"`{name}` must score each row of sums by itself, but scored "
                f"{rows[index].tolist()} {single[index]} alone and {values[index]} among others: "
                "sum over the last axis, sums[..., 0] is the first column. Or wrap a function of "
                f"one row: {_FOR_ONE}."
            )

    def __call__(self, sums: FloatArray) -> FloatArray:
        """The scores of integer sums, shape (n, m)."""
        n_rows = max(_CELLS // sums.shape[1], 1)
        if len(sums) <= n_rows:
            return self._called(sums)
        blocks = (sums[start : start + n_rows] for start in range(0, len(sums), n_rows))
        return np.concatenate([self._called(block) for block in blocks])

    def _called(self, sums: FloatArray) -> FloatArray:
        # each column in one piece, and a copy, for the function may write to it
        given = np.array(sums.T, order="C") / float(self._unit)
        given = given[0] if self._drops_axis else given.T
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(self._function(given))
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputError(
                f"`{self._name}` failed on {len(sums)} sums at once, float64 of shape "
                f"{given.shape}: {type(error).__name__}: {error}. It must be vectorised, (…, m) → "
                f"(…), with sums[..., 0] the first column. Or wrap a function of one row: "
                f"{_FOR_ONE}."
            ) from error
        if result.shape != (len(sums),):
            raise InputError(
                f"`{self._name}` must return a score for each row of sums, (…, m) → (…): of shape "
                f"{given.shape} it returned {_shape_of(result)}, not ({len(sums)},). "
                f"sums[..., 0] is the first column. Or wrap a function of one row: {_FOR_ONE}."
            )
        if result.dtype.kind not in "biuf":
            raise InputError(
                f"`{self._name}` must return numbers, got {describe(result.tolist()[0])} of dtype "
                f"{result.dtype}."
            )
        values = result.astype(np.float64)
        if not np.isfinite(values).all():
            index = int((~np.isfinite(values)).argmax())
            raise InputError(
                f"`{self._name}` must return finite numbers, got {values[index]} for the sums "
                f"{(sums[index] / self._unit).tolist()}, which some swaps give. Say what the score "
                "is where a denominator is 0, for instance with np.where."
            )
        return values


def _shape_of(result: NDArray[Any]) -> str:
    return f"shape {result.shape}" if result.ndim else f"one value, {describe(result.item())}"
