"""The paired-permutation test on per-example counts."""

from __future__ import annotations

from typing import Any

from pairedperm.convolution import Budget, CertifiedProbability, lower_tail
from pairedperm.counts import PairedCounts
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import BudgetError, InputError
from pairedperm.options import MAX_BYTES, MAX_FREQUENCIES, Alternative, Method, read_options
from pairedperm.result import PairedPermutationResult
from pairedperm.scores import COMING, on_one_lattice, read_scores

__all__ = ["paired_permutation_test", "sign_flip_test"]


def paired_permutation_test(
    counts1: Any,
    counts2: Any = None,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    max_frequencies: int = MAX_FREQUENCIES,
    max_bytes: int = MAX_BYTES,
) -> PairedPermutationResult:
    r"""Exact paired-permutation test on scores per example, integers or decimals.

    Null hypothesis: on every example the two systems' scores are exchangeable, independently
    of the other examples. Statistic: the difference of the mean scores. The p-value is the
    share of all 2^n ways of swapping the two systems' scores, example by example, in which
    the statistic is at least as extreme as observed; ties count.

    Parameters
    ----------
    counts1, counts2 : array_like of int or decimal float, shape (n,)
        The score of system 1 and of system 2 on each example, in the same order, for instance
        the number of correct answers. Lists, arrays, tensors, Series, dataset columns. Floats
        stand for the decimals that they are nearest to, of up to 13 digits (float32: 5).
        Alternatively `counts1` is a `PairedCounts` and `counts2` is left out.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher, P(D ≥ d). "less": P(D ≤ d). "two-sided":
        P(\|D\| ≥ \|d\|), which is twice the smaller of these for d ≠ 0 (D is symmetric), 1 for
        d = 0.
    method : {"auto", "exact"}
        "exact" computes the p-value of all 2^n swaps; "auto" is the same for now.
    max_frequencies : int
        How many frequencies of a Fourier transform may be looked at, 2^25 unless given. They
        take a few seconds up to a minute; there are at most 4.6 √(Σ d²), d in units of
        the scores' last digit.
    max_bytes : int
        Memory for arrays, 2^30 unless given. It matters for up to 1000 differing examples
        with scores of many digits; otherwise 10 MB will do.

    Returns
    -------
    PairedPermutationResult
        p = 1 if no example differs (1 also for one-sided alternatives). 2^(1 - n_differing)
        is the smallest two-sided p-value that a corpus can give.

    Raises
    ------
    InputError
        If a column is empty, no sequence, not of shape (n,), or not of finite numbers within
        int64; if a float is no decimal, or there are too many digits for the budget; if the
        lengths differ; if an option is unknown.
    BudgetError
        If integers span so fine a lattice that the transform exceeds the budget.

    Notes
    -----
    Only the multiset of absolute differences matters. Its random signed sum is tilted to the
    observed value and inverted by a Fourier sum of O(√(Σ d²)) terms, of which mostly a few
    hundred have to be evaluated, after O(n) counting. The relative error of the p-value is
    below 1e-12, below 1e-11 where p < 1e-100 (of log p below 1e-300), and `pvalue_interval`
    contains the true value. The same input gives the same bits.

    References
    ----------
    .. [1] R. Zmigrod, T. Vieira, R. Cotterell, "Exact Paired-Permutation Testing for
       Structured Test Statistics", NAACL 2022. Equation (2) defines the p-value.

    Examples
    --------
    Five examples improved, none became worse: 2 of 2^5 swaps are as extreme.

    >>> from pairedperm import paired_permutation_test
    >>> result = paired_permutation_test([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0])
    >>> result.pvalue
    0.0625
    >>> result.n_differing
    5

    Decimals tie as decimals: of the 8 sums of ±0.6 ± 0.3 ± 0.9, 5 are at least 0.

    >>> paired_permutation_test([-0.6, -0.3, 0.9], [0, 0, 0], alternative="greater").pvalue
    0.625
    """
    checked_alternative, budget = read_options(alternative, method, max_frequencies, max_bytes)
    differences, decimals = _read_differences(counts1, counts2)
    denominator = differences.n * 10**decimals
    try:
        return sign_flip_test(differences, denominator, None, checked_alternative, budget)
    except BudgetError as error:
        if decimals == 0:
            raise
        raise InputError(
            f"the scores have {decimals} decimals, too many for a lattice within the budget: "
            f"{error} {COMING}"
        ) from error


def _read_differences(counts1: Any, counts2: Any) -> tuple[DifferenceCounts, int]:
    """The differences in units of 10^-decimals, and the decimals."""
    if isinstance(counts1, PairedCounts):
        if counts2 is not None:
            raise InputError(
                "`counts2` must be left out where `counts1` is a PairedCounts: it holds both "
                "systems' counts."
            )
        if counts1.n == 0:
            raise InputError("`counts1` is an empty PairedCounts: at least one example is needed.")
        if counts1.rows1.ndim != 1:
            raise InputError(
                f"`counts1` must count one number per example, shape (n,), got {counts1!r}: "
                "rows have no score of their own. Count the column that is compared."
            )
        return DifferenceCounts.from_counts(counts1), counts1.decimals
    if counts2 is None:
        raise InputError(
            "`counts2` is missing: pass the scores of both systems, or one PairedCounts."
        )
    scores1, scores2 = read_scores("counts1", counts1), read_scores("counts2", counts2)
    for name, scores in (("counts1", scores1), ("counts2", scores2)):
        if scores.size == 0:
            raise InputError(f"`{name}` is empty: at least one example is needed.")
    if scores1.size != scores2.size:
        raise InputError(
            f"`counts1` and `counts2` must have the same length, got {scores1.size} and "
            f"{scores2.size}. Pair the examples by id first."
        )
    scores1, scores2, decimals = on_one_lattice("counts1", scores1, "counts2", scores2)
    return DifferenceCounts.from_scores(scores1, scores2), decimals


def sign_flip_test(
    differences: DifferenceCounts,
    denominator: int,
    metric: str | None,
    alternative: str,
    budget: Budget,
) -> PairedPermutationResult:
    """Test the difference of Σ scores / denominator, a denominator that no swap changes."""
    p = _sign_flip_pvalue(differences, alternative, budget)
    return PairedPermutationResult(
        statistic=(differences.sum1 - differences.sum2) / denominator,
        pvalue=p.value,
        log_pvalue=p.log,
        pvalue_interval=(p.low, p.high),
        log_pvalue_interval=(p.log_low, p.log_high),
        interval="certified",
        score1=differences.sum1 / denominator,
        score2=differences.sum2 / denominator,
        metric=metric,
        alternative=alternative,
        method="exact",
        n=differences.n,
        n_differing=differences.n_differing,
        _differences=differences,
        _denominator=denominator,
    )


def _sign_flip_pvalue(
    differences: DifferenceCounts, alternative: str, budget: Budget
) -> CertifiedProbability:
    """P(S ≥ t) for S = Σ ±d with fair signs: S = W - 2B, W = Σ d, so P(B ≤ (W - t) / 2)."""
    threshold = differences.observed
    if alternative == "two-sided":
        if threshold == 0:
            return CertifiedProbability.exactly(1.0)
        threshold = abs(threshold)
    elif alternative == "less":
        threshold = -threshold  # S is symmetric
    bound = (differences.total - threshold) // 2
    tail = lower_tail(
        differences.values, differences.multiplicities, bound, differences.total, budget
    )
    return tail.doubled() if alternative == "two-sided" else tail
