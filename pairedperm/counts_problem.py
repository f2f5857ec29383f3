"""The problem that two columns of counts, or of scores, pose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.columns import describe
from pairedperm.counts import PairedCounts
from pairedperm.decimals import on_one_lattice
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import InputError, NoLatticeError
from pairedperm.mean_problem import mean_problem
from pairedperm.problem import Problem
from pairedperm.ratio import Ratio, read_zero_division
from pairedperm.ratio_differences import RatioDifferences
from pairedperm.ratio_problem import ratio_problem
from pairedperm.real_differences import RealScores
from pairedperm.real_problem import real_problem
from pairedperm.rows import read_columns, read_pair
from pairedperm.statistic import Statistic
from pairedperm.sum_differences import SumDifferences
from pairedperm.sum_problem import score_problem

__all__ = ["Score", "read_counts"]

IntArray = NDArray[np.int64]
Score = Ratio | Callable[[NDArray[np.float64]], Any]
_ROWS = (
    " Of rows of counts say what the score is: score=Ratio(numerator, denominator), or a function "
    "of their sums."
)


def read_counts(counts1: Any, counts2: Any, score: Score | None, alternative: str) -> Problem:
    """The problem that the arguments of `paired_permutation_test` pose.

    Raises
    ------
    InputError
        For arguments that it refuses.
    """
    if isinstance(score, Ratio):
        return ratio_problem(_read_ratio(counts1, counts2, score), alternative)
    if score is not None:
        differences, called, decimals = _read_sums(counts1, counts2, score)
        return score_problem(differences, called, alternative, decimals)
    if _check_counts(counts1, counts2):
        single, decimals = _counted_differences(counts1), counts1.decimals
        return mean_problem(single, single.n * 10**decimals, alternative, decimals)
    scores1, scores2 = read_pair("counts1", counts1, "counts2", counts2, remedy=_ROWS)
    return _means_problem(scores1, scores2, alternative)


def _means_problem(scores1: NDArray[Any], scores2: NDArray[Any], alternative: str) -> Problem:
    """Of two columns of numbers, on a lattice or not."""
    names = "counts1", "counts2"
    try:
        whole1, whole2, decimals = on_one_lattice(names[0], scores1, names[1], scores2)
    except NoLatticeError as error:
        real = RealScores.of_columns(names[0], scores1, names[1], scores2, error.fact)
        return real_problem(real, alternative)
    single = DifferenceCounts.from_scores(whole1, whole2)
    return mean_problem(single, single.n * 10**decimals, alternative, decimals)


def _check_counts(counts1: Any, counts2: Any) -> bool:
    """Whether they are one PairedCounts and not two columns."""
    if not isinstance(counts1, PairedCounts):
        if counts2 is None:
            raise InputError(
                "`counts2` is missing: pass the scores of both systems, or one PairedCounts."
            )
        return False
    if counts2 is not None:
        raise InputError(
            "`counts2` must be left out where `counts1` is a PairedCounts: it holds both "
            "systems' counts."
        )
    if counts1.n == 0:
        raise InputError("`counts1` is an empty PairedCounts: at least one example is needed.")
    return True


def _counted_differences(counts1: PairedCounts) -> DifferenceCounts:
    """The differences in units of 10^-decimals."""
    if counts1.rows1.ndim != 1:
        raise InputError(
            f"`counts1` must count one number per example, shape (n,), got {counts1!r}: "
            "rows have no score of their own. Say what it is, score=Ratio(numerator, "
            "denominator) or a function of their sums, or count the column that is compared."
        )
    return DifferenceCounts.from_counts(counts1)


def _read_ratio(counts1: Any, counts2: Any, score: Ratio) -> RatioDifferences:
    """The differences under a ratio of sums, in which units cancel."""
    rows1, rows2, multiplicities, _ = _read_rows(counts1, counts2)
    if rows1.ndim != 2:
        shape = f"{rows1.shape}" if multiplicities is None else counts1.shape
        raise InputError(
            "`counts1` must have a row of counts for each example, shape (n, m), for `score`, got "
            f"shape {shape}."
        )
    pairs = (*score.applied("counts1", rows1), *score.applied("counts2", rows2))
    zero_division = read_zero_division(score.zero_division)
    return RatioDifferences.from_pairs(pairs, multiplicities, zero_division=zero_division)


def _read_sums(counts1: Any, counts2: Any, score: Any) -> tuple[SumDifferences, Statistic, int]:
    """The differences of rows, a function of their sums, and the decimals."""
    if not callable(score):
        raise InputError(
            "`score` must be a pairedperm.Ratio, a function of column sums (…, m) → (…), or None "
            f"for the mean, got {describe(score)}."
        )
    rows1, rows2, multiplicities, decimals = _read_rows(counts1, counts2)
    is_column = rows1.ndim == 1
    if is_column:
        rows1, rows2 = rows1[:, None], rows2[:, None]
    differences = SumDifferences.from_rows(rows1, rows2, multiplicities)
    called = Statistic("score", score, 10**decimals, differences.some, is_column)
    return differences, called, decimals


def _read_rows(counts1: Any, counts2: Any) -> tuple[IntArray, IntArray, IntArray | None, int]:
    """Both columns of rows, how often each pair occurs (None: once), and their decimals."""
    if _check_counts(counts1, counts2):
        return counts1.rows1, counts1.rows2, counts1.multiplicities, counts1.decimals
    rows1, rows2, decimals = read_columns("counts1", counts1, "counts2", counts2, rows=True)
    return rows1, rows2, None, decimals
