"""The problem that two columns of counts, or of scores, pose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, NoLatticeError
from pairedperm.inputs.columns import describe
from pairedperm.inputs.decimals import on_one_lattice
from pairedperm.inputs.numbers import float_column
from pairedperm.inputs.pairs import read_pair
from pairedperm.permutation.mean_problem import mean_problem
from pairedperm.permutation.means import DifferenceCounts
from pairedperm.permutation.problem import Problem
from pairedperm.permutation.ratio_differences import RatioDifferences
from pairedperm.permutation.ratio_problem import ratio_problem
from pairedperm.permutation.real_differences import RealScores
from pairedperm.permutation.real_rows import real_ratio_problem, real_sums_problem
from pairedperm.permutation.reals import real_problem
from pairedperm.permutation.sum_differences import SumDifferences
from pairedperm.permutation.sums import score_problem
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.function import Statistic
from pairedperm.scoring.ratio import Ratio, read_zero_division

__all__ = [
    "NEEDS_SCORE",
    "Score",
    "check_counts",
    "check_has_rows",
    "check_score",
    "read_counts",
    "simplest",
]

IntArray = NDArray[np.int64]
Score = Ratio | Callable[[NDArray[np.float64]], Any]
_Rows = tuple[IntArray, IntArray, IntArray | None]  # and how often each pair occurs, None: once
NEEDS_SCORE = (
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
    if score is not None:
        check_score(score)
        return _sums_problem(counts1, counts2, score, alternative)
    if check_counts(counts1, counts2):
        single, decimals = _counted_differences(counts1), counts1.decimals
        return mean_problem(single, single.n * 10**decimals, alternative, decimals)
    scores1, scores2 = read_pair("counts1", counts1, "counts2", counts2, remedy=NEEDS_SCORE)
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


def check_score(score: Any) -> None:
    """Whether this is a score of sums, or None for the mean."""
    if score is not None and not isinstance(score, Ratio) and not callable(score):
        raise InputError(
            "`score` must be a pairedperm.Ratio, a function of column sums (…, m) → (…), or None "
            f"for the mean, got {describe(score)}."
        )


def check_counts(counts1: Any, counts2: Any) -> bool:
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


def _sums_problem(counts1: Any, counts2: Any, score: Score, alternative: str) -> Problem:
    """Of a function of sums of rows, on a lattice or not."""
    if check_counts(counts1, counts2):
        counted = counts1.rows1, counts1.rows2, counts1.multiplicities
        return _lattice_problem(counted, counts1.decimals, score, alternative)
    rows1, rows2 = read_pair("counts1", counts1, "counts2", counts2, rows=True)
    try:
        whole1, whole2, decimals = on_one_lattice("counts1", rows1, "counts2", rows2)
        return _lattice_problem((whole1, whole2, None), decimals, score, alternative)
    except NoLatticeError as error:
        if rows1.dtype.kind != "f" and rows2.dtype.kind != "f":
            raise
        fact = error.fact
    real1, real2 = float_column("counts1", rows1), float_column("counts2", rows2)
    is_column = real1.ndim == 1
    if is_column:
        real1, real2 = real1[:, None], real2[:, None]
    score = simplest(score, real1, real2)
    if isinstance(score, Ratio):
        check_has_rows(is_column, f"{rows1.shape}")
        return real_ratio_problem(real1, real2, score, fact, alternative)
    return real_sums_problem(real1, real2, score, fact, alternative, is_column)


def _lattice_problem(rows: _Rows, decimals: int, score: Score, alternative: str) -> Problem:
    """Of rows in units of 10^-decimals; NoLatticeError if their sums are no floats."""
    rows1, rows2, multiplicities = rows
    is_column = rows1.ndim == 1
    if is_column:
        rows1, rows2 = rows1[:, None], rows2[:, None]
    score = simplest(score, rows1, rows2)
    if isinstance(score, Ratio):  # in which units cancel
        check_has_rows(is_column, f"({len(rows1)},)" if multiplicities is None else "(n,)")
        pairs = (*score.applied("counts1", rows1), *score.applied("counts2", rows2))
        zero_division = read_zero_division(score.zero_division)
        ratios = RatioDifferences.from_pairs(pairs, multiplicities, zero_division=zero_division)
        return ratio_problem(ratios, alternative)
    differences = SumDifferences.from_rows(rows1, rows2, multiplicities)
    called = Statistic("score", score, 10**decimals, differences.some, is_column)
    return score_problem(differences, called, alternative, decimals)


def simplest(score: Score, rows1: NDArray[Any], rows2: NDArray[Any]) -> Score:
    """The score, or the Ratio that it says it is of these rows, shape (n, m)."""
    if isinstance(score, Ratio) or not hasattr(score, "ratio_for"):
        return score
    found = score.ratio_for(rows1, rows2)
    return found if isinstance(found, Ratio) else score


def check_has_rows(is_column: bool, shape: str) -> None:
    """Whether there is a row for each example, which a ratio needs."""
    """Whether there are rows, which a Ratio is of."""
    if is_column:
        raise InputError(
            "`counts1` must have a row of counts for each example, shape (n, m), for `score`, got "
            f"shape {shape}."
        )
