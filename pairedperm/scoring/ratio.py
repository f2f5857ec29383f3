"""Scores that are a ratio of two sums over the examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Name, Parts, describe
from pairedperm.options import Interval, is_whole, printed_fraction, read_fields
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore

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
                *(Name("numerator"), " and ", Name("denominator")),
                must="have a weight for each column of the counts",
                got=f"{len(self.numerator)} and {len(self.denominator)}",
            )
        if not any(self.denominator):
            raise InputError(Name("denominator"), must="have a weight that is not 0")
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
            raise InputError(Name("counts1"), must=Parts(must, Name("score")), got=f"shape {shape}")
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
                *(Name("score"), f" has {len(self.numerator)} weights and the rows of "),
                *(Name(name), f" have {rows.shape[1]} entries"),
                remedy="give the ratio a weight for each column",
            )
        if rows.min() < 0:
            index = int((rows < 0).any(axis=1).argmax())
            raise InputError(
                *(Name(name), f" has a negative count: row {index}, {rows[index].tolist()}"),
                remedy="Give what may be negative as two columns, one of which has a negative "
                "weight",
            )
        found = self._of_floats(rows) if is_real else self._of_integers(name, rows)
        numerators, denominators = found
        if denominators.min() < 0:
            index = int(denominators.argmin())
            raise InputError(
                Name(name),
                f" has a negative denominator: row {index}, {rows[index].tolist()}, with the "
                f"weights {list(self.denominator)}",
                remedy="Denominators count something; check the counts and the weights",
            )
        return numerators, denominators

    def _of_integers(self, name: str, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return both sums of weights · columns, without rounding."""
        largest = max(int(rows.max()), 1)
        for weights in (self.numerator, self.denominator):
            if largest * sum(map(abs, weights)) >= 2**62:
                raise InputError(
                    Name(name),
                    f" holds {largest:.3g}, which with the weights {weights} exceeds int64",
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
        raise InputError(Name(name), must=must, got=describe(weights))
    for weight in weights:
        is_one = type(weight) is int or is_whole(weight)  # metrics give plain ones
        if not is_one or abs(int(weight)) >= 2**31:
            raise InputError(
                Name(name),
                must="hold integers below 2^31",
                got=describe(weight),
                remedy="Multiply or divide all weights of the numerator and the denominator by a "
                "common factor",
            )
    return tuple(map(int, weights))
