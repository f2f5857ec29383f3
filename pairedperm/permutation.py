"""The paired-permutation test on per-example counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.columns import describe
from pairedperm.counts import PairedCounts
from pairedperm.decision import run
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import InputError
from pairedperm.mean_problem import mean_problem
from pairedperm.options import (
    CONFIDENCE_LEVEL,
    MAX_BYTES,
    MAX_FREQUENCIES,
    N_RESAMPLES,
    Alternative,
    Method,
    Seed,
    read_options,
)
from pairedperm.problem import Problem
from pairedperm.ratio import Ratio, read_zero_division
from pairedperm.ratio_differences import RatioDifferences
from pairedperm.ratio_problem import ratio_problem
from pairedperm.result import PairedPermutationResult
from pairedperm.rows import read_columns
from pairedperm.statistic import Statistic
from pairedperm.sum_differences import SumDifferences
from pairedperm.sum_problem import score_problem

__all__ = ["Score", "paired_permutation_test", "read_counts"]

IntArray = NDArray[np.int64]
Score = Ratio | Callable[[NDArray[np.float64]], Any]
_ROWS = (
    " Of rows of counts say what the score is: score=Ratio(numerator, denominator), or a function "
    "of their sums."
)


def paired_permutation_test(
    counts1: Any,
    counts2: Any = None,
    *,
    score: Score | None = None,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    max_frequencies: int = MAX_FREQUENCIES,
    max_bytes: int = MAX_BYTES,
    n_resamples: int = N_RESAMPLES,
    rng: Seed = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    progress: bool = True,
) -> PairedPermutationResult:
    r"""Exact paired-permutation test on scores, or rows of counts, per example.

    Null hypothesis: on every example the two systems' scores are exchangeable, independently
    of the other examples. Statistic: the difference of the mean scores, or of the `score` of the
    summed counts. The p-value is the share of all 2^n ways of swapping the two systems'
    scores, example by example, in which the statistic is at least as extreme as observed; ties
    count.

    Parameters
    ----------
    counts1, counts2 : array_like of int or decimal float, shape (n,), or (n, m) with `score`
        The score, or the row of counts, of system 1 and of system 2 on each example, in the
        same order, for instance the number of correct answers. Lists, arrays, tensors, Series,
        dataset columns. Floats stand for the decimals that they are nearest to, of up to 13
        digits (float32: 5). Alternatively `counts1` is a `PairedCounts` and `counts2` is left out.
    score : Ratio, callable or None
        What the score is of sums of rows. A `Ratio`: F1, precision, word error rate. A function
        of the sums: BLEU, a macro-average, a metric of yours; from float64 arrays (…, m) to (…),
        called with many rows of sums at once, only with such as some swaps give (of counts of
        shape (n,) from (…)). It must say what the score is where a denominator is 0; of warnings
        NumPy gives none. None: the mean.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher, P(D ≥ d). "less": P(D ≤ d). "two-sided":
        P(\|D\| ≥ \|d\|), which is twice the smaller of these for d ≠ 0 (D is symmetric), 1 for
        d = 0.
    method : {"auto", "exact", "monte_carlo", "importance_sampling"}
        "exact" computes the p-value of all 2^n swaps; "monte_carlo" estimates it from
        `n_resamples` of them; "auto" is "exact" unless that would exceed the budget (`plan` says
        beforehand). "importance_sampling" estimates a p-value below 1e-4 from swaps that are
        drawn towards extreme ones and weighted. The result's `method` says what ran.
    max_frequencies : int
        How many frequencies of a Fourier transform may be looked at, 2^25 unless given. They
        take a few seconds up to a minute; there are at most 4.6 √(Σ d²), d in units of
        the scores' last digit. With a `Ratio`, in two dimensions, each stands for 0.6 µs of work:
        20 s. With a function, it is a point of the sums' grid, where that is evaluated.
    max_bytes : int
        Memory for arrays, 2^30 unless given. It matters for up to 1000 differing examples
        with scores of many digits, and with a function as `score`, 40 bytes a point; otherwise
        10 MB will do, with a `Ratio` 100 MB.
    n_resamples : int
        How many swaps are sampled.
    rng : int, numpy.random.Generator or None
        Seed or source of the samples; None draws others each time.
    confidence_level : float
        Of the interval around a sampled p-value, between 0 and 1.
    progress : bool
        Whether sampling that takes more than a second shows a progress bar.

    Returns
    -------
    PairedPermutationResult
        p = 1 if no example differs (1 also for one-sided alternatives). 2^(1 - n_differing)
        is the smallest two-sided p-value that a corpus can give.

    Raises
    ------
    InputError
        If a column is empty, no sequence, not of shape (n,), with `score` (n, m), or not of
        finite numbers within int64; if a float is no decimal, or there are too many digits for
        the budget; if the lengths differ; if a `Ratio` has not m weights, or a row's denominator
        is negative; if a function is not vectorised, or returns another shape, NaN, an infinite
        value or what is no number; if an option is unknown.
    BudgetError
        If `method` is "exact" and integers span so fine a lattice that the transform exceeds
        the budget, a function's sums have too many points, or with a `Ratio` 10^9 examples are too
        many to certify p to 1e-9.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled, for it would exceed the budget; if hardly a sample
        was extreme.

    Notes
    -----
    Only the multiset of absolute differences matters. Its random signed sum is tilted to the
    observed value and inverted by a Fourier sum of O(√(Σ d²)) terms, of which mostly a few
    hundred have to be evaluated, after O(n) counting. The relative error of the p-value is
    below 1e-12, below 1e-11 where p < 1e-100 (of log p below 1e-300), and `pvalue_interval`
    contains the true value. The same input gives the same bits, if p is sampled with the same
    seed.

    A ratio's swaps move two sums, numerator and denominator: the law is one in the plane, and
    takes some thousand terms, 10 ms for ten thousand and 40 ms for a million examples with
    counts up to a handful; more where counts are large, or p is near the least there is. The
    relative error is below 1e-11, certified to 1e-9 at least. Where the differences lie on a
    line (a denominator that is the same for both systems, as of recall), it is one-dimensional.

    A function is evaluated at all points of the sums' lattice, whose rank is found; groups of
    differences that share no linear relation are independent, and their law is a product. Cost:
    O(points), about a second for a million. p is within 1e-12 absolutely, and relatively
    where the law is summed from positive terms, up to some million points; where it is too small
    to be told from 0 so, it is the upper end of its interval. Two differences tie if they are
    apart by at most 1e-12 of the largest of the four scores; round the scores, if yours are
    coarser. `pvalue_interval` is certified apart from rounding within the function.

    Sampling costs O(n_resamples · distinct differences), whatever n is; p is (k + 1) /
    (n_resamples + 1), which is valid, but not below 1 / (n_resamples + 1) [2]_. Importance
    sampling looks for the tilts of the signs under which extreme swaps are common, by some
    thousand samples more; p is unbiased, and the interval that of a normal law of its logarithm.
    Its relative standard error is about 1 % with 10^5 samples. Of a statistic that is large in
    many separate places it may miss one.

    References
    ----------
    .. [1] R. Zmigrod, T. Vieira, R. Cotterell, "Exact Paired-Permutation Testing for
       Structured Test Statistics", NAACL 2022. Equation (2) defines the p-value; Appendix B
       treats F1.
    .. [2] B. Phipson, G. K. Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9, 2010. Equation (2).

    Examples
    --------
    Five examples improved, none became worse: 2 of 2^5 swaps are as extreme.

    >>> from pairedperm import Ratio, paired_permutation_test
    >>> result = paired_permutation_test([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0])
    >>> result.pvalue
    0.0625
    >>> result.n_differing
    5

    Decimals tie as decimals: of the 8 sums of ±0.6 ± 0.3 ± 0.9, 5 are at least 0.

    >>> paired_permutation_test([-0.6, -0.3, 0.9], [0, 0, 0], alternative="greater").pvalue
    0.625

    Precision, from the true positives and the predictions of each example:

    >>> precision = Ratio([1, 0], [0, 1])
    >>> result = paired_permutation_test(
    ...     [[2, 2], [1, 1], [3, 4]], [[1, 2], [1, 2], [2, 4]], score=precision
    ... )
    >>> result.score1, result.score2, result.pvalue
    (0.8571428571428571, 0.5, 0.25)

    The mean of the precisions of two groups, a function of four sums:

    >>> def mean_precision(sums):
    ...     return (sums[..., 0] / sums[..., 1] + sums[..., 2] / sums[..., 3]) / 2
    >>> paired_permutation_test(
    ...     [[2, 2, 1, 1], [1, 1, 2, 3]], [[1, 2, 0, 1], [1, 2, 1, 3]], score=mean_precision
    ... ).pvalue
    0.5
    """
    options = read_options(
        alternative=alternative,
        method=method,
        max_frequencies=max_frequencies,
        max_bytes=max_bytes,
        n_resamples=n_resamples,
        rng=rng,
        confidence_level=confidence_level,
        progress=progress,
    )
    return run(read_counts(counts1, counts2, score, options.alternative), None, options)


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
    single, decimals = _read_differences(counts1, counts2)
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


def _read_differences(counts1: Any, counts2: Any) -> tuple[DifferenceCounts, int]:
    """The differences in units of 10^-decimals, and the decimals."""
    if _check_counts(counts1, counts2):
        if counts1.rows1.ndim != 1:
            raise InputError(
                f"`counts1` must count one number per example, shape (n,), got {counts1!r}: "
                "rows have no score of their own. Say what it is, score=Ratio(numerator, "
                "denominator) or a function of their sums, or count the column that is compared."
            )
        return DifferenceCounts.from_counts(counts1), counts1.decimals
    scores1, scores2, decimals = read_columns("counts1", counts1, "counts2", counts2, remedy=_ROWS)
    return DifferenceCounts.from_scores(scores1, scores2), decimals


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
