"""The bootstrap problem that two columns of counts, or of scores, pose."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.problem import (
    BootstrapProblem,
    check_several,
    of_function,
    of_means,
    of_ratios,
    of_real_means,
    quotients,
)
from pairedperm.convolution.draws.multinomial import resampled_sums
from pairedperm.errors import InputError, NoLatticeError
from pairedperm.inputs.decimals import on_one_lattice
from pairedperm.inputs.numbers import float_column
from pairedperm.inputs.pairs import read_pair
from pairedperm.inputs.rationals import on_rational_lattice
from pairedperm.permutation.counts_problem import (
    NEEDS_SCORE,
    Score,
    check_counts,
    check_has_rows,
    check_score,
    simplest,
)
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.function import Statistic
from pairedperm.scoring.ratio import Ratio, read_zero_division

__all__ = ["of_reals", "read_resampled"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_SOME = 64  # random resamples for which a function is tried


def read_resampled(counts1: Any, counts2: Any, score: Score | None) -> BootstrapProblem:
    """The problem that the arguments of `paired_bootstrap_test` pose.

    Raises
    ------
    InputError
        For arguments that it refuses.
    """
    check_score(score)
    if check_counts(counts1, counts2):
        return _of_counts(counts1, score)
    remedy = NEEDS_SCORE if score is None else ""
    rows1, rows2 = read_pair(
        "counts1", counts1, "counts2", counts2, rows=score is not None, remedy=remedy
    )
    try:
        whole1, whole2, decimals = on_one_lattice("counts1", rows1, "counts2", rows2)
        return _of_counts(of_units(whole1, whole2, None, decimals), score)
    except NoLatticeError as error:
        if rows1.dtype.kind != "f" and rows2.dtype.kind != "f":
            raise
        fact = error.fact
    check_several("counts1", len(rows1))
    real1, real2 = float_column("counts1", rows1), float_column("counts2", rows2)
    if score is None:
        return of_reals(real1, real2, fact)
    return _of_rows(real1, real2, np.ones(len(rows1), dtype=np.int64), score, 1, fact)


def of_reals(scores1: FloatArray, scores2: FloatArray, fact: str) -> BootstrapProblem:
    """Of the means of floats that are no decimals, shape (n,): fractions, or on no lattice."""
    check_several("counts1", len(scores1))
    multiplicities = np.ones(len(scores1), dtype=np.int64)
    fractions = on_rational_lattice((scores1, scores2))
    if fractions is not None:
        (first, second), unit = fractions
        return of_means(first, second, multiplicities, unit)
    _check_sums(scores1, scores2, multiplicities)
    columns = scores1 - scores2, scores1, scores2
    means = _exact_mean(scores1), _exact_mean(scores2)
    return of_real_means(columns, multiplicities, means, f"the scores lie on no lattice: {fact}")


def _exact_mean(column: FloatArray) -> Fraction:
    """Σ x / n without rounding: what a rounded sum leaves is summed again, until nothing is."""
    total, rest = Fraction(0), column.tolist()
    while rounded := math.fsum(rest):
        total += Fraction(rounded)
        rest.append(-rounded)
    return total / column.size


def _of_counts(counts: PairedCounts, score: Score | None) -> BootstrapProblem:
    """Of integers in units of 10^-decimals."""
    check_several("counts1", counts.n)
    rows1, rows2, multiplicities = counts.rows1, counts.rows2, counts.multiplicities
    if score is not None:
        return _of_rows(rows1, rows2, multiplicities, score, 10**counts.decimals, "")
    if rows1.ndim != 1:
        raise InputError(
            f"`counts1` must count one number per example, shape (n,), got {counts!r}.{NEEDS_SCORE}"
        )
    return of_means(rows1, rows2, multiplicities, 10**counts.decimals)


def _of_rows(
    rows1: NDArray[Any],
    rows2: NDArray[Any],
    multiplicities: IntArray,
    score: Score,
    unit: int,
    fact: str,
) -> BootstrapProblem:
    """Of a ratio, or another function, of the sums of rows in units of 1 / unit."""
    is_column = rows1.ndim == 1
    if is_column:
        rows1, rows2 = rows1[:, None], rows2[:, None]
    score = simplest(score, rows1, rows2)
    if not isinstance(score, Ratio):
        _check_sums(rows1, rows2, multiplicities)
        some = _some(rows1, rows2, multiplicities)
        called = Statistic("score", score, unit, some, is_column, of="resamples")
        return of_function(rows1, rows2, multiplicities, called)
    check_has_rows(is_column, f"({len(rows1)},)")
    zero_division = read_zero_division(score.zero_division)
    if not fact:
        pairs1, pairs2 = score.applied("counts1", rows1), score.applied("counts2", rows2)
        return of_ratios(pairs1, pairs2, multiplicities, zero_division)
    real1 = np.stack(score.applied_to_reals("counts1", rows1), axis=1)
    real2 = np.stack(score.applied_to_reals("counts2", rows2), axis=1)
    _check_sums(real1, real2, multiplicities)
    ratio = partial(quotients, if_none=score.zero_division)
    return of_function(real1, real2, multiplicities, ratio, f"the rows lie on no lattice: {fact}")


def _check_sums(rows1: NDArray[Any], rows2: NDArray[Any], multiplicities: IntArray) -> None:
    """Raise InputError if a sum of a resample, or a difference of two, may exceed float64."""
    largest = float(np.abs(np.hstack((rows1, rows2), dtype=np.float64)).max())
    if not math.isfinite(2.0 * int(multiplicities.sum()) * largest):
        raise InputError(
            f"there are numbers up to {largest:.3g}: their sums must be floats. Divide by a common "
            "unit."
        )


def _some(rows1: NDArray[Any], rows2: NDArray[Any], multiplicities: IntArray) -> FloatArray:
    """Sums of the data, and of some resamples."""
    rng = np.random.default_rng(0)
    tables = [rows.astype(np.float64) for rows in (rows1, rows2)]
    found = [
        block for table in tables for block in resampled_sums(table, multiplicities, _SOME, rng)
    ]
    return np.concatenate([*((multiplicities @ table)[None] for table in tables), *found])
