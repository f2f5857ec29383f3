"""The waist: two systems' rows of numbers, and the score of their sums.

Every metric gives both, and every test takes both.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.counting import LEAST
from pairedperm.convolution.integers import column_sums, exact_dot, exact_sum
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.scoring.counts import PairedCounts, in_one_form, of_units
from pairedperm.scoring.origin import Origin
from pairedperm.scoring.pairs import few_pairs, spread_rows
from pairedperm.scoring.vocabulary import Occurring
from pairedperm.wording import Words

Null = Literal["swaps", "draws"]
_SAID = ("classes", "n_ignored", "occurring", "paired_by", "unit")
_TWICE = 2.00001  # proof: two sums of up to 2^36 numbers each, with their rounding errors


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of two systems: every metric gives rows and a score, and every test takes both.

    Attributes
    ----------
    rows1, rows2 : array, shape (k,) or (k, m)
        Integers in units of 10^-decimals, or floats if the numbers lie on no lattice.
    multiplicities : int64 array, shape (k,), or None
        How often each pair occurs; None: once each, in the order of the examples.
    decimals : int
        Digits after the point.
    unit : int
        The common denominator of scores that are fractions, beside their decimals; else 1.
    classes : tuple
        The classes of rows (correct, predicted, right); empty for other rows.
    no_lattice : str or Part
        Why the numbers are floats; "" for integers.
    rounding : float
        The relative error that rounding may have left in a float: two units of its last bit.
    is_float : bool
        Whether the numbers came as floats, on a lattice or not.
    n_ignored : int
        The number of labels in references that stand for none, and were left out.
    occurring : Occurring or None
        The labels that occur, if something suggests that others are meant.
    paired_by : str
        "position" or "id": what pairs predictions with references.
    groups : int64 array, shape (k,), or None
        The group number of each row, if groups are swapped or drawn. There is then one row for each
        example.
    sizes : int64 array, shape (k,), or None
        The number of examples in each row, if rows are sums over groups.
    """

    rows1: NDArray[Any]
    rows2: NDArray[Any]
    multiplicities: IntArray | None = None
    decimals: int = 0
    classes: tuple[Hashable, ...] = ()
    no_lattice: Words = ""
    rounding: float = 0.0
    is_float: bool = False
    n_ignored: int = 0
    occurring: Occurring | None = None
    paired_by: str = "position"
    unit: int = 1
    groups: IntArray | None = None
    sizes: IntArray | None = None

    @classmethod
    def of(cls, counts: PairedCounts, **others: Any) -> Rows:
        """Make rows of counted pairs as they are; `others` are further attributes."""
        said = {name: getattr(counts.origin, name) for name in _SAID} | others
        pairs = counts.rows1, counts.rows2, counts.multiplicities, counts.decimals
        return cls(*pairs, sizes=counts.sizes, **said)

    @classmethod
    def repeated(
        cls, rows1: IntArray, rows2: IntArray, how_often: IntArray | None, **others: Any
    ) -> Rows:
        """Make rows of pairs, some of which may be alike; without `how_often` each occurs once."""
        if how_often is None:
            return cls(rows1, rows2, **others)
        return cls.of(of_units(rows1, rows2, how_often, 0), **others)

    @property
    def n(self) -> int:
        """The number of examples."""
        if self.sizes is not None:
            return int(self.how_often @ self.sizes)
        if self.multiplicities is None:
            return len(self.rows1)
        return int(self.multiplicities.sum())

    @property
    def n_groups(self) -> int | None:
        """The number of groups; None if single examples are swapped or drawn."""
        if self.sizes is not None:
            return int(self.how_often.sum())
        return None if self.groups is None else int(self.groups.max()) + 1

    @property
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The rows of both systems, shape (k, m) each."""
        if self.rows1.ndim == 1:
            return self.rows1[:, None], self.rows2[:, None]
        return self.rows1, self.rows2

    @property
    def origin(self) -> Origin:
        """The facts about the rows that counts keep beside the numbers."""
        return Origin(**{name: getattr(self, name) for name in _SAID})

    @property
    def counts(self) -> PairedCounts:
        """The same rows as counts of distinct pairs."""
        others = self.decimals, self.sizes, self.origin
        if self.multiplicities is None:
            return of_units(self.rows1, self.rows2, None, *others)
        return in_one_form(self.rows1, self.rows2, self.multiplicities, *others)

    @property
    def how_often(self) -> IntArray:
        """The multiplicities, also if each pair occurs once."""
        if self.multiplicities is None:
            return np.ones(len(self.rows1), dtype=np.int64)
        return self.multiplicities

    @property
    def n_differing(self) -> int:
        """The number of examples on which the two systems' rows differ."""
        rows1, rows2 = self.tables
        return int(self.how_often[(rows1 != rows2).any(axis=1)].sum())

    @property
    def side_by_side(self) -> NDArray[Any]:
        """The columns of system 1, then those of system 2: floats, or small integers."""
        is_small = self.tables[0].dtype.itemsize < 8  # rows of many classes stay small
        return np.concatenate(self.tables, axis=1, dtype=None if is_small else np.float64)

    @property
    def _stays(self) -> bool:
        """True if the rows are counted already, or cannot be counted."""
        return bool(self.multiplicities is not None or self.no_lattice or self.groups is not None)

    def counted(self) -> Rows:
        """Return the distinct pairs and how often each occurs.

        Rows with groups, and floats on no lattice, stay as they are.
        """
        return self if self._stays else Rows.of(self.counts)

    def counted_if_few(self) -> Rows:
        """Return counted rows if many have few distinct pairs; that takes no longer than a copy."""
        if self._stays or len(self.rows1) < LEAST:
            return self
        few = few_pairs(self.rows1, self.rows2)
        if few is None:
            return self
        return replace(self, rows1=few[0], rows2=few[1], multiplicities=few[2])

    def owned(self) -> Rows:
        """Return rows with arrays of their own, since the caller may change his."""
        if self.multiplicities is not None:
            return self
        return replace(self, rows1=self.rows1.copy(), rows2=self.rows2.copy())

    @property
    def sums(self) -> tuple[list[int], list[int]]:
        """The sums of both systems' columns over all examples."""
        rows1, rows2 = self.tables
        return column_sums(rows1, self.multiplicities), column_sums(rows2, self.multiplicities)

    def sum_of(self, column: IntArray) -> int:
        """Return the sum over all examples of a column with an integer for each pair."""
        if self.multiplicities is None:
            return exact_sum(column)
        return exact_dot(self.multiplicities, column)

    def spread_to(self, classes: tuple[Hashable, ...]) -> Rows:
        """Return the rows with columns for all of these classes."""
        one, two = (spread_rows(x, self.classes, classes) for x in (self.rows1, self.rows2))
        return replace(self, rows1=one, rows2=two, classes=classes)


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
        The divisor of the integers, beside their decimals.
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
