"""The scores of sums of rows: means, ratios of two sums, and what other scores share."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import largest_entry
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, describe
from pairedperm.options import Interval, is_whole, printed_fraction, read_fields
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
        if self.total is not None:  # it is simple already
            return rows, self
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


def group_sums(rows: NDArray[Any], groups: IntArray, no_lattice: str = "") -> NDArray[Any]:
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


_ROUNDING_OF_SUMS = 1e-13  # proof: of a sum of a few terms, relative to the sum of their sizes
_LARGEST_SUM = 1e300  # proof: the largest sum in floats

ZeroDivision = Annotated[
    float | Fraction,
    Interval(
        0.0,
        1.0,
        is_exact=True,
        remedy="What scikit-learn calls 'warn' is 0; a score must be a number.",
    ),
]


@dataclass(frozen=True, eq=False)
class Quotient(SumScore):
    """The first of two sums divided by the second, which is never negative."""

    without: Fraction  # the score where the second is 0
    is_exact = True

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the quotients of sums of shape (n, 2)."""
        is_none = sums[:, 1] == 0.0
        with np.errstate(over="ignore"):  # quotients beyond floats are compared exactly
            quotients = sums[:, 0] / np.where(is_none, 1.0, sums[:, 1])
        return np.asarray(np.where(is_none, float(self.without), quotients))

    def exact(self, sums: list[Any]) -> Fraction:
        """Return the exact quotient of one row of sums."""
        return Fraction(sums[0], sums[1]) if sums[1] else self.without


@dataclass(frozen=True, slots=True)
class Ratio(Score):
    """The score Σ numerator · counts / Σ denominator · counts, both sums over all examples.

    Pass it as `score` to `paired_permutation_test`. Precision, recall, F-beta, Jaccard index, word
    error rate and weighted means are such ratios.

    Parameters
    ----------
    numerator, denominator : sequence of int, length m
        A weight for each of the m columns of the counts. The denominator of every example must not
        be negative.
    zero_division : float or Fraction
        The score of a system whose denominator is 0 on the whole corpus, observed or after a swap;
        from 0 to 1. A float is read as the decimal that it prints as.

    Raises
    ------
    InputError
        If a weight is not an integer below 2^31, or the numbers of weights differ. If all weights
        of the denominator are 0, or `zero_division` is not from 0 to 1.

    Examples
    --------
    F1 = 2 tp / (predicted + gold), from columns tp, predicted, gold:

    >>> from pairedperm import Ratio, paired_permutation_test
    >>> f1 = Ratio(numerator=[2, 0, 0], denominator=[0, 1, 1])
    >>> large = [[2, 2, 2], [1, 1, 1], [1, 2, 2], [3, 3, 3]]
    >>> small = [[1, 2, 2], [0, 1, 1], [1, 3, 2], [2, 4, 3]]
    >>> result = paired_permutation_test(large, small, score=f1)
    >>> result.score1, result.score2, result.pvalue
    (0.875, 0.4444444444444444, 0.125)
    """

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    _: KW_ONLY
    zero_division: ZeroDivision = 0.0
    without: Fraction = field(init=False, repr=False, compare=False)

    if TYPE_CHECKING:  # lists are taken too; the attributes are tuples or arrays

        def __init__(
            self,
            numerator: Sequence[int] | IntArray,
            denominator: Sequence[int] | IntArray,
            *,
            zero_division: float | Fraction = 0.0,
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            object.__setattr__(self, name, _read_weights(name, getattr(self, name)))
        if len(self.numerator) != len(self.denominator):
            raise InputError(
                "numerator",
                "and `denominator`",
                must="have a weight for each column of the counts",
                got=f"{len(self.numerator)} and {len(self.denominator)}",
            )
        if not any(self.denominator):
            raise InputError("denominator", must="have a weight that is not 0")
        read_fields(self)
        without = printed_fraction(self.zero_division)
        object.__setattr__(self, "zero_division", float(without))
        object.__setattr__(self, "without", without)

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return a mean if both systems have the same denominators, otherwise a quotient.

        Rows of real numbers become a mean under swaps only; their numerators are added exactly.

        Raises
        ------
        InputError
            If examples have single numbers in place of rows, or the weights do not fit the rows.
        """
        if rows.rows1.ndim == 1:
            shape = f"({len(rows.rows1)},)" if rows.multiplicities is None else "(n,)"
            must = "have a row of counts for each example, shape (n, m), for "
            raise InputError("counts1", must=f"{must}`score`", got=f"shape {shape}")
        is_real = rows.rows1.dtype.kind == "f"
        one = self.applied("counts1", rows.rows1, is_real)
        two = self.applied("counts2", rows.rows2, is_real)
        is_shared = np.array_equal(one[1], two[1]) and bool(one[1].any())
        if is_real and null == "swaps":
            total = self._shared_total(rows, one[1]) if is_shared else None
            if total is not None:
                terms1, terms2 = (_terms(x, self.numerator) for x in rows.tables)
                return rows.having(rows1=terms1, rows2=terms2), Mean(total=total)
        elif is_shared and not is_real:
            numerators = Rows(one[0], two[0], rows.multiplicities)
            mean = Mean(sizes=one[1], zero_division=float(self.without))
            return mean.simplify(numerators, null)
        rows1, rows2 = np.array(one).T, np.array(two).T  # columns in one piece
        pairs = rows.having(rows1=rows1, rows2=rows2, unit=1)
        return pairs, Quotient(self.without)

    def _shared_total(self, rows: Rows, denominators: FloatArray) -> float | None:
        """Return the sum of real denominators if both systems have the same, otherwise None."""
        one, two = (_terms(x, self.denominator) for x in rows.tables)
        if not max(np.abs(one).sum(), np.abs(two).sum()) < _LARGEST_SUM:  # refused later
            return None
        counts = denominators != 0.0
        apart = np.concatenate((one, -two), axis=1)[counts & (one != two).any(axis=1)]
        if any(map(math.fsum, apart.tolist())):
            return None
        return math.fsum(one[counts].ravel().tolist())

    def applied(self, name: str, rows: NDArray[Any], is_real: bool = False) -> tuple[Any, Any]:
        """Return numerator and denominator of each row, shape (n,) each.

        Raises
        ------
        InputError
            If the rows have another number of columns, a count or a denominator is negative, or a
            sum of integers exceeds int64.
        """
        if rows.shape[1] != len(self.numerator):
            raise InputError(
                "score",
                f"has {len(self.numerator)} weights and the rows of `{name}` have {rows.shape[1]} "
                "entries",
                remedy="give the ratio a weight for each column",
            )
        if rows.min() < 0:
            index = int((rows < 0).any(axis=1).argmax())
            raise InputError(
                f"`{name}` has a negative count: row {index}, {rows[index].tolist()}",
                remedy="Give what may be negative as two columns, one of which has a negative "
                "weight",
            )
        columns = self._of_floats(rows) if is_real else self._of_integers(name, rows)
        numerators, denominators = columns
        if denominators.min() < 0:
            index = int(denominators.argmin())
            raise InputError(
                f"`{name}` has a negative denominator: row {index}, {rows[index].tolist()}, with "
                f"the weights {list(self.denominator)}",
                remedy="Denominators count something; check the counts and the weights",
            )
        return numerators, denominators

    def _of_integers(self, name: str, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return both sums of weights · columns, without rounding."""
        largest = max(int(rows.max()), 1)
        for weights in (self.numerator, self.denominator):
            if largest * sum(map(abs, weights)) >= 2**62:
                raise InputError(
                    f"`{name}` holds {largest:.3g}, which with the weights {weights} exceeds int64",
                    remedy="Divide the counts by a common unit, or round them to fewer digits",
                )
        return _weighed(rows, self.numerator), _weighed(rows, self.denominator)

    def _of_floats(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return both sums in floats; a denominator within its rounding of 0 is 0."""
        weights = np.array(self.denominator, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # too large numbers are refused later
            numerators = rows @ np.array(self.numerator, dtype=np.float64)
            denominators, sizes = rows @ weights, rows @ np.abs(weights)
        is_none = np.abs(denominators) <= _ROUNDING_OF_SUMS * sizes
        denominators[is_none & np.isfinite(sizes)] = 0.0
        return numerators, denominators


def _weighed(rows: IntArray, weights: tuple[int, ...]) -> IntArray:
    """Return Σ weights · columns; most weights are 0 or 1."""
    total: Any = 0
    for weight, column in zip(weights, rows.T, strict=True):
        if weight:
            total = total + (column if weight == 1 else weight * column)
    return np.asarray(total) if any(weights) else np.zeros(len(rows), dtype=np.int64)


def _terms(rows: FloatArray, weights: tuple[int, ...]) -> FloatArray:
    """Return floats whose exact sum is Σ weights · columns of a row: products by powers of two."""
    terms = [] if any(weights) else [np.zeros(len(rows))]
    for weight, column in zip(weights, rows.T, strict=True):
        bits = [k for k in range(abs(weight).bit_length()) if abs(weight) >> k & 1]
        with np.errstate(over="ignore"):  # too large numbers are refused later
            terms += [math.copysign(2.0**k, weight) * column for k in bits]
    return np.stack(terms, axis=1)


def _read_weights(name: str, weights: Any) -> tuple[int, ...]:
    """Read the weights of the columns."""
    if isinstance(weights, np.ndarray):
        weights = weights.tolist()
    if not isinstance(weights, (list, tuple)) or not weights:
        must = "be a sequence of integers, a weight for each column of the counts"
        raise InputError(name, must=must, got=describe(weights))
    for weight in weights:
        is_one = type(weight) is int or is_whole(weight)  # metrics give plain ones
        if not is_one or abs(int(weight)) >= 2**31:
            raise InputError(
                name,
                must="hold integers below 2^31",
                got=describe(weight),
                remedy="Multiply or divide all weights of the numerator and the denominator by a "
                "common factor",
            )
    return tuple(map(int, weights))
