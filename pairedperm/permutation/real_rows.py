"""The test of a function of column sums of real rows, which lie on no lattice."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import TOO_MANY, Budget, CertifiedProbability
from pairedperm.errors import BudgetError, InputError, NoLatticeError
from pairedperm.permutation.extremes import ScoreExtremes
from pairedperm.permutation.listing import SUM_BYTES, listed_sums, n_sums
from pairedperm.permutation.points import law_of
from pairedperm.permutation.problem import Problem, Size, known
from pairedperm.permutation.sum_differences import SumDifferences
from pairedperm.results.null_distribution import NullDistribution, frozen
from pairedperm.scoring.function import Statistic
from pairedperm.scoring.ratio import Ratio

__all__ = ["real_ratio_problem", "real_sums_problem"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_LARGEST = 1e300  # sum
_SUM_BITS = 52  # of all rows of a column in whole units
_TIE = 1e-12  # of the largest of four scores
_ROUNDING = 2.0**-50  # of a sum, relatively, for each example that it is of


def real_ratio_problem(
    rows1: FloatArray, rows2: FloatArray, ratio: Ratio, fact: str, alternative: str
) -> Problem:
    """Test the difference of two ratios of sums of real rows, shape (n, m)."""
    pairs1 = np.stack(ratio.applied_to_reals("counts1", rows1), axis=1)
    pairs2 = np.stack(ratio.applied_to_reals("counts2", rows2), axis=1)
    quotient = _Quotient(ratio.zero_division)
    return real_sums_problem(pairs1, pairs2, quotient, fact, alternative, False)


def real_sums_problem(
    rows1: FloatArray,
    rows2: FloatArray,
    function: Callable[[FloatArray], Any],
    fact: str,
    alternative: str,
    is_column: bool,
) -> Problem:
    """Test the difference of a function's values of column sums of real rows, shape (n, m).

    The observed sums are correctly rounded. The others are of rows in units of a power of two,
    2^-52 or so of all that a column holds: differences tie if they are apart by 1e-12 of the
    largest score, or 2^-50 n of it if that is more. `fact` says why there is no lattice.
    """
    rows = _WholeRows.of_reals(rows1, rows2)
    differences = rows.differences
    some = np.ldexp(differences.some, rows.exponents)
    score = _Scaled(Statistic("score", function, 1, some, is_column), rows.exponents)
    tie = max(_TIE, _ROUNDING * differences.n)
    extremes = ScoreExtremes(differences, score, alternative, sums=rows.observed, tie=tie)
    is_none = extremes.sign == 0 and alternative == "two-sided"
    is_known = is_none or not differences.n_differing

    def rank() -> int:
        return _rank(differences.vectors.astype(np.float64))

    def size(budget: Budget) -> Size:
        if is_known:
            return known(rank())
        excess = f"the scores lie on no lattice: {fact}"
        return Size(rank(), None, n_sums(differences.multiplicities), 0, "", excess)

    def exact(budget: Budget) -> CertifiedProbability:
        if is_known:
            return CertifiedProbability.exactly(1.0)
        raise NoLatticeError(f"the scores lie on no lattice: {fact}.", fact)

    def extreme(signed: NDArray[Any]) -> NDArray[np.bool_]:
        return extremes.at(differences.counted_of_signed(signed))

    return Problem(
        statistic=extremes.observed,
        score1=extremes.score1,
        score2=extremes.score2,
        n=differences.n,
        n_differing=differences.n_differing,
        vectors=differences.vectors,
        multiplicities=differences.multiplicities,
        size=size,
        exact=exact,
        extreme=extreme,
        null=partial(_null_distribution, differences, extremes),
        no_lattice=fact,
    )


class _WholeRows(NamedTuple):
    """Rows of which column k is rounded to multiples of 2^exponents[k]."""

    differences: SumDifferences
    exponents: IntArray
    observed: FloatArray  # both sums, of the rows as they are, in these units

    @classmethod
    def of_reals(cls, rows1: FloatArray, rows2: FloatArray) -> _WholeRows:
        """Each column in units of its own: what its sums are made of is below 2^52 of them.

        Raises
        ------
        InputError
            If a sum exceeds float64.
        """
        sizes = _sums(np.abs(rows1)) + _sums(np.abs(rows2))
        if not sizes.max() < _LARGEST:
            raise InputError(
                f"there are rows with numbers up to {max(np.abs(rows1).max(), np.abs(rows2).max())}"
                ": their sums must be floats, below 1e300. Divide by a common unit."
            )
        exponents = np.frexp(sizes)[1].astype(np.int64) - _SUM_BITS
        whole2, changes = (
            np.rint(np.ldexp(rows, -exponents)).astype(np.int64) for rows in (rows2, rows1 - rows2)
        )
        whole1 = whole2 + changes  # so that the same differences stay the same, and 0 is 0
        sums = np.stack((whole1.sum(axis=0), whole2.sum(axis=0)))
        differences = SumDifferences.from_small_rows(whole1, whole2, None, sums, len(rows1))
        observed = np.ldexp(np.stack((_sums(rows1), _sums(rows2))), -exponents)
        return cls(differences, exponents, observed)


class _Scaled:
    """A score of sums in units of powers of two."""

    exact: None = None  # floats are all that is known

    def __init__(self, score: Statistic, exponents: IntArray) -> None:
        self._score, self._exponents = score, exponents

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums in these units, shape (n, m)."""
        return self._score(np.ldexp(sums, self._exponents))


class _Quotient:
    """The first of two sums over the second."""

    def __init__(self, zero_division: float) -> None:
        self._zero_division = zero_division

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums of shape (…, 2); a denominator is 0 only if no example has another one."""
        numerators, denominators = sums[..., 0], sums[..., 1]
        is_zero = denominators == 0.0
        quotients = numerators / np.where(is_zero, 1.0, denominators)
        return np.where(is_zero, self._zero_division, quotients)


def _sums(rows: FloatArray) -> FloatArray:
    """Of the columns, correctly rounded, or infinite."""
    try:
        return np.array([math.fsum(column.tolist()) for column in rows.T])
    except (OverflowError, ValueError):  # of finite numbers, or of infinite ones
        return np.full(rows.shape[1], math.inf)


def _rank(vectors: FloatArray) -> int:
    """Of vectors whose columns may be in units that are far apart."""
    if not len(vectors):
        return 0
    spread = np.abs(vectors).max(axis=0)
    return int(np.linalg.matrix_rank(vectors / np.where(spread > 0.0, spread, 1.0)))


def _null_distribution(
    differences: SumDifferences, extremes: ScoreExtremes, budget: Budget
) -> NullDistribution:
    """The law of the difference of scores, of all swaps listed."""
    if not differences.n_differing:
        return frozen(np.array([extremes.observed]), np.ones(1))
    n = n_sums(differences.multiplicities)
    what = f"{'at least ' if n == TOO_MANY else ''}{n:.3g} sums"
    excess = None
    if n > budget.max_frequencies:
        excess = f"{what}; `max_frequencies` allows {budget.max_frequencies:.3g}"
    elif SUM_BYTES * n > budget.max_bytes:
        excess = f"{what}, {SUM_BYTES * n:.3g} bytes; `max_bytes` allows {budget.max_bytes:.3g}"
    if excess:
        raise BudgetError(
            f"the null distribution of scores that lie on no lattice needs {excess}. Round the "
            "rows to the digits that they mean, for instance np.round(rows, 4)."
        )
    values, masses = [], []
    for sums, ways in listed_sums(differences.vectors, differences.multiplicities):
        values.append(extremes.values_at(differences.counted(sums.astype(np.float64))))
        masses.append((ways / 2**differences.n_differing).astype(np.float64))
    return law_of(np.concatenate(values), np.concatenate(masses))
