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
from pairedperm.scoring.occurring import Occurring
from pairedperm.scoring.origin import Origin
from pairedperm.scoring.pairs import few_pairs, spread_rows

Null = Literal["swaps", "draws"]
_SAID = ("classes", "n_ignored", "occurring", "paired_by", "unit")
_TWICE = 2.00001  # proof: two sums, and what rounding adds to those of up to 2^36 numbers


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What every metric gives and every test takes, beside the score of the rows' sums.

    Attributes
    ----------
    rows1, rows2 : array, shape (k,) or (k, m)
        Integers, in units of 10^-decimals, or floats, where the numbers lie on no lattice.
    multiplicities : int64 array, shape (k,), or None
        How often each pair occurs; None: once each, in the order of the examples.
    decimals : int
    unit : int
        Of scores without a function: what the integers are divided by, beside their decimals.
    classes : tuple
        Of rows (correct, predicted, right) of some classes: which.
    no_lattice : str
        Why the numbers are floats, if they are.
    rounding : float
        By how much of its size a float may have been rounded.
    is_float : bool
        Whether the numbers came as floats, on a lattice or not.
    n_ignored : int
        Labels of references that stand for none, and were left out.
    occurring : Occurring or None
        Which labels occur, if something suggests that they are not those that are meant.
    paired_by : str
        "position" or "id": which predictions and reference belong together.
    groups : int64 array, shape (k,), or None
        The number of the group that each row is of, if groups are swapped and drawn: then there is
        a row for each example.
    sizes : int64 array, shape (k,), or None
        Of rows that are sums over groups: how many examples each has.
    """

    rows1: NDArray[Any]
    rows2: NDArray[Any]
    multiplicities: IntArray | None = None
    decimals: int = 0
    classes: tuple[Hashable, ...] = ()
    no_lattice: str = ""
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
        """Counted pairs as they are, and what else there is to say."""
        said = {name: getattr(counts.origin, name) for name in _SAID} | others
        pairs = counts.rows1, counts.rows2, counts.multiplicities, counts.decimals
        return cls(*pairs, sizes=counts.sizes, **said)

    @classmethod
    def repeated(
        cls, rows1: IntArray, rows2: IntArray, how_often: IntArray | None, **others: Any
    ) -> Rows:
        """Pairs, some of which may be alike, each so often; None: once, in their order."""
        if how_often is None:
            return cls(rows1, rows2, **others)
        return cls.of(of_units(rows1, rows2, how_often, 0), **others)

    @property
    def n(self) -> int:
        """Number of examples."""
        if self.sizes is not None:
            return int(self.how_often @ self.sizes)
        if self.multiplicities is None:
            return len(self.rows1)
        return int(self.multiplicities.sum())

    @property
    def n_groups(self) -> int | None:
        """Number of groups, if these are swapped and drawn."""
        if self.sizes is not None:
            return int(self.how_often.sum())
        return None if self.groups is None else int(self.groups.max()) + 1

    @property
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Both as rows, shape (k, m)."""
        if self.rows1.ndim == 1:
            return self.rows1[:, None], self.rows2[:, None]
        return self.rows1, self.rows2

    @property
    def origin(self) -> Origin:
        """What there is to say beside the numbers, as counts have it."""
        return Origin(**{name: getattr(self, name) for name in _SAID})

    @property
    def counts(self) -> PairedCounts:
        """The same as counts of distinct pairs."""
        others = self.decimals, self.sizes, self.origin
        if self.multiplicities is None:
            return of_units(self.rows1, self.rows2, None, *others)
        return in_one_form(self.rows1, self.rows2, self.multiplicities, *others)

    @property
    def how_often(self) -> IntArray:
        """The multiplicities, also where each pair occurs once."""
        if self.multiplicities is None:
            return np.ones(len(self.rows1), dtype=np.int64)
        return self.multiplicities

    @property
    def n_differing(self) -> int:
        """Examples on which the two systems' rows differ."""
        rows1, rows2 = self.tables
        return int(self.how_often[(rows1 != rows2).any(axis=1)].sum())

    @property
    def side_by_side(self) -> NDArray[Any]:
        """The columns of system 1 and those of system 2: floats, but for small integers."""
        is_small = self.tables[0].dtype.itemsize < 8  # numbers of labels, many of them
        return np.concatenate(self.tables, axis=1, dtype=None if is_small else np.float64)

    @property
    def _stays(self) -> bool:
        """Whether it is counted already, or cannot be."""
        return bool(self.multiplicities is not None or self.no_lattice or self.groups is not None)

    def counted(self) -> Rows:
        """Distinct pairs and how often each occurs; floats on no lattice stay, and groups."""
        return self if self._stays else Rows.of(self.counts)

    def counted_if_few(self) -> Rows:
        """The same where many have few distinct pairs, which takes no longer than a copy."""
        if self._stays or len(self.rows1) < LEAST:
            return self
        few = few_pairs(self.rows1, self.rows2)
        if few is None:
            return self
        return replace(self, rows1=few[0], rows2=few[1], multiplicities=few[2])

    def owned(self) -> Rows:
        """With arrays of its own: the caller may change his."""
        if self.multiplicities is not None:
            return self
        return replace(self, rows1=self.rows1.copy(), rows2=self.rows2.copy())

    @property
    def sums(self) -> tuple[list[int], list[int]]:
        """Of both systems' columns, over all examples."""
        rows1, rows2 = self.tables
        return column_sums(rows1, self.multiplicities), column_sums(rows2, self.multiplicities)

    def sum_of(self, column: IntArray) -> int:
        """Of a column with an integer for each of the pairs, over all examples."""
        if self.multiplicities is None:
            return exact_sum(column)
        return exact_dot(self.multiplicities, column)

    def spread_to(self, classes: tuple[Hashable, ...]) -> Rows:
        """The same, counted, with columns for all of these classes."""
        one, two = (spread_rows(x, self.classes, classes) for x in (self.rows1, self.rows2))
        return replace(self, rows1=one, rows2=two, classes=classes)


class Score:
    """A function of the sums of both systems' rows."""

    __slots__ = ()

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """The same score in the simplest form that it has on these rows, and the rows it is of.

        Under swaps the sum of both systems' columns is constant, under draws only the number of
        examples is. Many scores stay as they are.
        """
        return rows, self


@dataclass(frozen=True, eq=False)
class Mean(Score):
    """The score Σ numbers / (unit Σ sizes), the sizes being the same for both systems.

    Attributes
    ----------
    unit : int
        What the integers are divided by, beside their decimals.
    sizes : int64 array, shape (k,), or None
        Of the rows; None: 1 each.
    total : int, float or None
        Σ sizes, which no swap changes; a float of real sizes.
    zero_division : float
        The score where all that is drawn has size 0.
    scores : pair of Fraction or None
        Of both systems, where the rows hold their difference only, or these are functions of the
        means that grow with them.
    is_of_mean : bool
        Whether the score is such a function of the mean, and not the mean.
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
        """With the total of the sizes, and the unit of the rows."""
        total = rows.n if self.sizes is None else rows.sum_of(self.sizes)
        return rows, replace(self, total=total, unit=self.unit * rows.unit)


class SumScore(Score, ABC):
    """A score that is known by its values at sums alone."""

    whole: Sequence[int] | None = None
    """What each row adds to the difference, in a common unit, where that is a sum."""

    is_exact: bool = False
    """Whether `exact` is known; otherwise only floats are."""

    @abstractmethod
    def __call__(self, sums: FloatArray) -> FloatArray:
        """The scores of sums, from shape (n, m) to (n,)."""

    def near(self, sums: FloatArray) -> FloatArray:
        """The same of sums next to some that may be, to differentiate; NaN where there is none."""
        return self(sums)

    def exact(self, sums: list[int]) -> Any:
        """The score of one row of sums, as an exact number."""
        raise NotImplementedError


class TwoSums(SumScore):
    """A score of two sums (y, x) that does not decrease in x."""


def finite_difference(scores1: FloatArray, scores2: FloatArray, who: str) -> FloatArray:
    """Of scores of some sums, which `who` have or give, for messages.

    Raises
    ------
    InputError
        If one is beyond floats.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.asarray(scores1 - scores2)
    if not np.isfinite(found).all():
        raise InputError(
            f"some {who} scores beyond floats: give the numerators in a larger unit, or the "
            "denominators in a smaller one."
        )
    return found


def check_sums(table: NDArray[Any], n: int) -> None:
    """Raise InputError if sums of n rows, or the difference of two sums, may exceed float64."""
    largest = float(np.abs(table).max())
    if not math.isfinite(_TWICE * n * largest):
        raise InputError(
            f"there are numbers up to {largest:.3g}: their sums must be floats. Divide by a common "
            "unit."
        )
