"""A user's function of the column sums: called on many sums at once, and checked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, describe
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Null, Ratio, Score, SumScore

BLOCK_CELLS = 2**17  # tuned: numbers in a block of sums; a block stays in the cache
_ALONE = 3  # tuned: rows of each block that are also scored alone
_CLOSE = 1e-9  # proof: the largest relative difference of both scores


@dataclass(frozen=True, eq=False)
class Function(Score):
    """The score that a function makes of the column sums; see `paired_permutation_test`."""

    function: Callable[[FloatArray], Any]
    name: ClassVar[str] = "score"

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the Ratio that the function's `ratio_for` makes of these rows, if any."""
        if not hasattr(self.function, "ratio_for"):
            return rows, self
        ratio = self.function.ratio_for(*rows.tables)
        return ratio.simplify(rows, null) if isinstance(ratio, Ratio) else (rows, self)


class Statistic(Function):
    """The paper's general form: a statistic of one sum of rows, which stay or are swapped."""

    name: ClassVar[str] = "statistic"

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return rows and statistic unchanged."""
        return rows, self


class Checked(SumScore):
    """A checked function that maps sums, shape (n, m), to their scores, shape (n,).

    Parameters
    ----------
    score : Function
        The user's function from (…, m) to (…); for a single column from (…) to (…).
    rows : Rows
        The rows that are summed; a single column may lack an axis of its own.
    some : float64 array, shape (k, m)
        Sums on which the function is tried.
    of : str
        The source of these sums, for messages: "swaps" or "resamples".
    unit : int
        The divisor of the integer sums: the function gets decimals as they came.

    Raises
    ------
    InputError
        If the function cannot be called with many sums at once, returns another shape, or returns
        something other than finite numbers.
    """

    def __init__(self, score: Function, rows: Rows, some: FloatArray, of: str, unit: int) -> None:
        self._name, self._function, self._unit, self._of = score.name, score.function, unit, of
        if isinstance(score.function, type):
            raise InputError(
                f"`{score.name}` is the class {score.function.__name__}",
                remedy="pass a function, or an instance that can be called",
            )
        self._drops_axis = is_column = rows.rows1.ndim == 1
        if len(some) == some.shape[1]:  # a square array would not show a wrong axis
            some = np.concatenate((some, some[:1]))
        try:
            self._scored(some, 1)
        except InputError:
            if is_column:  # it may want (…, 1)
                self._drops_axis = False
                with suppress(InputError):
                    self._scored(some, 1)
                    return
            raise

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores of integer sums, shape (n, m)."""
        n_rows = max(BLOCK_CELLS // sums.shape[1], 1)
        blocks = [sums[start : start + n_rows] for start in range(0, len(sums), n_rows)]
        scores = [self._scored(block, len(block) // _ALONE + 1) for block in blocks]
        return np.concatenate(scores) if scores else np.zeros(0)

    def near(self, sums: FloatArray) -> FloatArray:
        """Return the scores; all are NaN if the function fails on some sums."""
        try:
            return self._called(sums, must_be_finite=False)
        except InputError:
            return np.full(len(sums), np.nan)

    def _scored(self, sums: FloatArray, step: int) -> FloatArray:
        """Score all sums at once, and check that every `step`-th row has the same score alone."""
        values = self._called(sums)
        for row, value in zip(sums[::step], values[::step], strict=True):
            alone = float(self._called(row[None])[0])
            if abs(value - alone) > _CLOSE * max(abs(value), abs(alone)):
                raise InputError(
                    f"`{self._name}` must score each row of sums by itself, and always the same, "
                    f"but scored {self._spelled(row)} {alone:g} alone and {value:g} among others",
                    remedy=self._remedy(),
                )
        return values

    def _called(self, sums: FloatArray, *, must_be_finite: bool = True) -> FloatArray:
        # a copy with contiguous columns, for the function may write to it
        given = np.array(sums.T, order="C") / float(self._unit)
        given = given[0] if self._drops_axis else given.T
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(self._function(given))
        except Exception as error:  # a user's function may raise anything
            is_zero = isinstance(error, ZeroDivisionError)
            raise InputError(
                f"`{self._name}` failed on {len(sums)} sums at once, float64 of shape "
                f"{given.shape}: {type(error).__name__}: {error}",
                remedy=(_WHERE_ZERO if is_zero else "", "It must be vectorised", self._remedy()),
            ) from error
        if result.shape != (len(sums),):
            what = f"{_shape_of(result)}, not shape ({len(sums)},)"
            raise InputError(
                self._name,
                must="return a score for each row of sums",
                remedy=(f"for shape {given.shape} it returned {what}", self._remedy()),
            )
        if result.dtype == object:  # fractions, decimals
            with suppress(TypeError, ValueError):
                result = result.astype(np.float64)
        if result.dtype.kind not in "biuf":
            raise InputError(
                self._name,
                must="return real numbers",
                got=f"{describe(result.tolist()[0])} of dtype {result.dtype}",
            )
        values = result.astype(np.float64)
        if must_be_finite and not np.isfinite(values).all():
            index = int((~np.isfinite(values)).argmax())
            row = self._spelled(sums[index])
            got = f"{values[index]} for the sums {row}, which some {self._of} give"
            must = "return finite numbers"
            raise InputError(self._name, must=must, got=got, remedy=_WHERE_ZERO)
        return values

    def _spelled(self, row: FloatArray) -> str:
        numbers = [f"{x:.12g}" for x in (row / self._unit).tolist()]
        return numbers[0] if self._drops_axis else f"[{', '.join(numbers)}]"

    def _remedy(self) -> str:
        """Say how to write the function, or how to wrap a function of a single row."""
        if self._drops_axis:
            return (
                "It gets an array of sums, (…), and returns one of the same shape. Or wrap a "
                "function of one number: np.vectorize(f, otypes=[float])."
            )
        return (
            "It gets sums of shape (…, m) and returns (…): sums[..., 0] is the first column. Or "
            "wrap a function of one row: np.vectorize(f, otypes=[float], signature='(m)->()')."
        )


_WHERE_ZERO = "Say what the score is where a denominator is 0, for instance with np.where."


def _shape_of(result: NDArray[Any]) -> str:
    if result.ndim:
        return f"shape {result.shape}"
    value = result.item()
    if value is None:
        return "None (is a `return` missing?)"
    return f"one value, {describe(value)}"
