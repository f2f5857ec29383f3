"""The scores of sums of rows: what two systems' rows of numbers mean."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Words
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
        differences = np.asarray(scores1 - scores2)
    if not np.isfinite(differences).all():
        raise InputError(
            f"some {who} scores beyond floats",
            remedy="give the numerators in a larger unit, or the denominators in a smaller one",
        )
    return differences


def check_sums(table: NDArray[Any], n: int) -> None:
    """Raise InputError if sums of n rows, or the difference of two sums, may exceed float64."""
    largest = float(np.abs(table).max())
    if not math.isfinite(_TWICE * n * largest):
        raise InputError(
            f"there are numbers up to {largest:.3g}: their sums must be floats",
            remedy="Divide by a common unit",
        )


FINEST = 2**40  # tuned: the largest common denominator of a lattice that is tried
_INT32 = 2**31  # proof: numerators of shares up to 1 with such denominators add up in int64


@dataclass(frozen=True, eq=False)
class MeanOfRatios(Score):
    """The mean of the shares that rows of two integers have.

    If the common denominator of all shares is not too large, the numbers lie on its lattice.
    Otherwise the score under swaps is a function of the sums of numerators over each denominator.
    Under draws it is then a mean of floats.

    Attributes
    ----------
    share : callable
        The function that makes an exact share of a row: numerator / denominator, or another.
    """

    share: Callable[[int, int], Fraction] = Fraction

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the mean on a lattice if it is not too fine.

        Under swaps only the differences need a common denominator.
        """
        rows = rows.counted()
        one, two = ([self.share(*row) for row in x.tolist()] for x in rows.tables)
        scores, counted = (_mean(rows, one), _mean(rows, two)), (one, two)
        if null == "swaps":
            counted = [a - b for a, b in zip(one, two, strict=True)], [Fraction(0)] * len(one)
        unit = math.lcm(*(share.denominator for share in (*counted[0], *counted[1])))
        if unit > FINEST and null == "draws":
            n_digits = math.floor(math.log10(unit)) + 1  # Python may refuse to print the number
            fact = f"the common denominator of the examples' shares has {n_digits} digits"
            first, second = (np.array([float(x) for x in y]) for y in counted)
            floats = Rows(first, second, rows.multiplicities).noting(no_lattice=fact)
            return floats, Mean(scores=scores)
        of_sums = _OfDenominators(rows, one, two)
        if unit > FINEST:
            of_sums.whole = [int(x * unit) for x in counted[0]]
            return of_sums.rows, of_sums
        first, second = (np.array([int(x * unit) for x in y], np.int64) for y in counted)
        mean = Mean(unit, None, rows.n, scores=scores, otherwise=(of_sums.rows, of_sums))
        return Rows(first, second, rows.multiplicities), mean


def _mean(rows: Rows, shares: list[Fraction]) -> Fraction:
    """Return the exact mean over all examples."""
    unit = math.lcm(*(share.denominator for share in shares))
    pairs = zip(rows.how_often.tolist(), shares, strict=True)
    total = sum(n * x.numerator * (unit // x.denominator) for n, x in pairs)
    return Fraction(total, unit * rows.n)


class _OfDenominators(SumScore):
    """The mean as a function of the sums of the numerators over each denominator.

    `rows` have a column of numerators for each denominator. A share whose denominator is beyond
    int32 has a column of its own.
    """

    is_exact = True

    def __init__(self, rows: Rows, one: list[Fraction], two: list[Fraction]) -> None:
        units = [_unit(share) for share in (*one, *two)]
        self._units = sorted({*units}, reverse=True)
        place = {unit: k for k, unit in enumerate(self._units)}
        columns = np.zeros((len(units), len(place)), dtype=np.int64)
        for row, (unit, share) in enumerate(zip(units, (*one, *two), strict=True)):
            columns[row, place[unit]] = share / unit
        first, second = np.split(columns, 2)
        self.rows, self._n = Rows(first, second, rows.multiplicities), rows.n

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the means of sums of numerators, shape (n, m)."""
        denominators = np.array([float(1 / unit) for unit in self._units])
        return np.asarray((sums / denominators).sum(axis=1) / self._n)

    def exact(self, sums: list[int]) -> Fraction:
        """Return the exact mean of one row of sums."""
        pairs = zip(sums, self._units, strict=True)
        return sum((x * unit for x, unit in pairs), Fraction(0)) / self._n


def _unit(share: Fraction) -> Fraction:
    """Return the unit of a share: 1 / denominator, or the share itself if that is beyond int32."""
    return Fraction(1, share.denominator) if share.denominator < _INT32 else share


LARGEST_SUM = 2**62  # proof: sums up to it fit int64


def simplified(rows: Rows, score: Score, null: Null) -> tuple[Rows, Score]:
    """Return the simplest form of the score, with its rows: of examples, or sums over groups."""
    simple_rows, simple = score.simplify(rows, null)
    if rows.groups is not None:
        if null == "swaps" and rows.no_lattice and isinstance(simple, Mean):
            simple_rows = _by_sign(simple_rows)
        return _summed(simple_rows, simple, rows.groups)
    if rows.sizes is not None:
        simple_rows = simple_rows.having(sizes=None)
        if isinstance(simple, Mean) and simple.sizes is None:
            simple = replace(simple, sizes=rows.sizes)
    return simple_rows, simple


def _by_sign(rows: Rows) -> Rows:
    """Put scores above and below 0 into columns of their own: rounding of sums of either is known.

    Sums of both may cancel, and then have a relative error that is not.
    """
    both = (rows.rows1, rows.rows2)
    if rows.rows1.ndim > 1 or min(x.min() for x in both) >= 0.0:
        return rows
    one, two = (np.stack((np.maximum(x, 0.0), np.minimum(x, 0.0)), axis=1) for x in both)
    return rows.having(rows1=one, rows2=two)


def _summed(rows: Rows, score: Score, groups: IntArray) -> tuple[Rows, Score]:
    """Return the sums over groups and their score; for a mean, sizes are summed too."""
    one, two = (group_sums(x, groups, rows.no_lattice) for x in (rows.rows1, rows.rows2))
    rows = rows.having(rows1=one, rows2=two, groups=None)
    if isinstance(score, Mean):
        sizes = np.ones(groups.size, dtype=np.int64) if score.sizes is None else score.sizes
        others: Any = score.otherwise and _summed(*score.otherwise, groups)
        return rows, replace(score, sizes=group_sums(sizes, groups), otherwise=others)
    if isinstance(score, SumScore) and score.whole is not None:
        whole = [0] * (int(groups.max()) + 1)
        for group, value in zip(groups.tolist(), score.whole, strict=True):
            whole[group] += value
        score = copy.copy(score)
        score.whole = whole
    return rows, score


def group_sums(rows: NDArray[Any], groups: IntArray, no_lattice: Words = "") -> NDArray[Any]:
    """Return the sums over each group; sums of floats are rounded once.

    Raises
    ------
    InputError
        If sums of integers exceed int64, or sums of floats the largest float.
    """
    n = int(groups.max()) + 1
    shape = (n, *rows.shape[1:])
    if no_lattice:
        return _sums_of_floats(rows, groups, shape)
    check_sums_of_groups("there are", int(np.bincount(groups).max()), largest_entry(rows))
    totals = np.zeros(shape, dtype=np.int64)
    np.add.at(totals, groups, rows)
    return totals


def check_sums_of_groups(there: str, n: int, largest: int) -> None:
    """Raise InputError if sums of n integers up to this size may exceed int64.

    `there` begins the message: "there are" such groups, or "there may be".
    """
    if n * largest >= LARGEST_SUM:
        raise InputError(
            f"{there} groups of {n:,} examples with numbers up to {largest:.3g}, whose sums "
            "exceed int64",
            remedy="Divide by a common unit",
        )


def _sums_of_floats(
    rows: NDArray[Any], groups: IntArray, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    totals = np.empty(shape)
    ends = np.cumsum(np.bincount(groups))[:-1]
    parts = np.split(rows[np.argsort(groups, kind="stable")], ends)
    for group, part in enumerate(parts):
        columns = part.reshape(len(part), -1).T.tolist()
        try:
            sums = [*map(math.fsum, columns)]
        except OverflowError:
            largest = np.abs(rows).max()
            raise InputError(
                f"there are groups of numbers up to {largest:.3g}, whose sums must be floats",
                remedy="Divide by a common unit",
            ) from None
        totals[group] = np.reshape(sums, shape[1:])
    return totals
