"""The scores of sums of rows: what two systems' rows of numbers mean."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.scoring.rows import Rows

Null = Literal["swaps", "draws"]
_TWICE = 2.00001  # proof: two sums of up to 2^36 numbers each, with their rounding errors


class Score:
    """A function of the sums of both systems' rows."""

    __slots__ = ()

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the simplest form of the score on these rows, and the rows of this form.

        Under swaps the sum of both systems' columns is constant; under draws only the number of
        examples is. Many scores stay as they are.
        """
        return rows, self


@dataclass(frozen=True, eq=False)
class Mean(Score):
    """The score Σ numbers / (unit Σ sizes); both systems have the same sizes.

    Attributes
    ----------
    unit : int
        The divisor of the integers, once simplified with the unit of the rows.
    sizes : int64 array, shape (k,), or None
        The size of each row; None: 1 each.
    total : int, float or None
        Σ sizes, which no swap changes; a float for real sizes.
    zero_division : float
        The score of a resample in which all sizes are 0.
    scores : pair of Fraction or None
        The scores of both systems, if the rows hold only the difference, or the scores are
        increasing functions of the means.
    is_of_mean : bool
        Whether the score is an increasing function of the mean, not the mean itself.
    otherwise : (Rows, SumScore) or None
        The same as a function of sums, for a lattice that is too fine.
    """

    unit: int = 1
    sizes: IntArray | None = None
    total: int | float | None = None
    zero_division: float = 0.0
    scores: tuple[Fraction, Fraction] | None = None
    otherwise: tuple[Rows, SumScore] | None = None
    is_of_mean: bool = False

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the mean with the total of the sizes and the unit of the rows."""
        total = rows.n if self.sizes is None else rows.sum_of(self.sizes)
        return rows, replace(self, total=total, unit=self.unit * rows.unit)


class SumScore(Score, ABC):
    """A score that is known only by its values at sums."""

    whole: Sequence[int] | None = None
    """The integer that each row adds to the difference, in a common unit, if that is a sum."""

    is_exact: bool = False
    """Whether `exact` is known; otherwise scores are floats only."""

    @abstractmethod
    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores of sums, from shape (n, m) to (n,)."""

    def near(self, sums: FloatArray) -> FloatArray:
        """Return the scores of sums next to possible ones, for slopes; NaN if there is none."""
        return self(sums)

    def exact(self, sums: list[int]) -> Any:
        """Return the score of one row of sums as an exact number."""
        raise NotImplementedError


class TwoSums(SumScore):
    """A score of two sums (y, x) that does not decrease in x."""


def finite_difference(scores1: FloatArray, scores2: FloatArray, who: str) -> FloatArray:
    """Return scores1 - scores2; `who` names in messages what gives these scores.

    Raises
    ------
    InputError
        If a difference is beyond floats.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.asarray(scores1 - scores2)
    if not np.isfinite(found).all():
        raise InputError(
            f"some {who} scores beyond floats",
            remedy="give the numerators in a larger unit, or the denominators in a smaller one",
        )
    return found


def check_sums(table: NDArray[Any], n: int) -> None:
    """Raise InputError if sums of n rows, or the difference of two sums, may exceed float64."""
    largest = float(np.abs(table).max())
    if not math.isfinite(_TWICE * n * largest):
        raise InputError(
            f"there are numbers up to {largest:.3g}: their sums must be floats",
            remedy="Divide by a common unit",
        )
