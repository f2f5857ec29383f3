"""The paired bootstrap test on per-example counts."""

from __future__ import annotations

from typing import Any

from pairedperm import options
from pairedperm.bootstrap.run import run
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.scoring.arguments import ScoreArgument, read_arguments


def paired_bootstrap_test(
    counts1: Any,
    counts2: Any = None,
    *,
    score: ScoreArgument | None = None,
    groups: Any = None,
    alternative: options.Alternative = "two-sided",
    method: options.BootstrapMethod = "auto",
    n_resamples: int | None = None,
    rng: options.Seed = None,
    budget: options.BudgetLike = None,
    confidence_level: float = options.CONFIDENCE_LEVEL,
    ties: options.Ties = "include",
) -> PairedBootstrapResult:
    r"""Paired bootstrap test on scores, or rows of counts, per example; without resampling noise.

    The n examples, each with what both systems made of it, are drawn n times with replacement.
    With δ the difference of the scores on the data and δ* on a resample, the p-value is the
    share of all n^n resamples in which δ* lies as far beyond δ as δ lies beyond 0: this takes
    the law of δ* - δ for that of the difference if neither system were better [1]_.

    Parameters
    ----------
    counts1, counts2 : array_like of int or float, shape (n,), or (n, m) with `score`
        The score, or the row of counts, of system 1 and of system 2 on each example, in the
        same order; n is 2 at least. Floats are read as decimals of up to 13 digits, or else as
        small fractions; others lie on no lattice, and are sampled. Decimals and Fractions are read
        exactly. Alternatively `counts1` is a `PairedCounts` and `counts2` is left out.
    score : Ratio, callable or None
        What the score is of sums of rows, as of `paired_permutation_test`; of a function, what it
        is where a denominator is 0, for some resamples may give that. None: the mean.
    groups : sequence of int or str, length n, or None
        An id for each example: the examples of a group are drawn together, and there are as many
        draws as groups; a mean is Σ scores / Σ examples of what is drawn.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher, P(δ* ≥ 2δ). "less": P(δ* ≤ 2δ). "two-sided":
        P(\|δ* - δ\| ≥ \|δ\|), which is not twice the smaller of these; 1 for δ = 0.
    method : {"auto", "exact", "monte_carlo"}
        "exact": the ideal bootstrap, of all n^n resamples. For means of integers, decimals and
        small fractions, and for ratios whose denominator is the same for both systems on every
        example: accuracy of sentences, recall, word error rate. "monte_carlo": of `n_resamples`
        random resamples. "auto": "exact" for these within the budget, or without one in some 3 s,
        by counts of work; otherwise "monte_carlo".
    n_resamples : int or None
        How many resamples are drawn; below 10^9, and what takes an hour, about. None: 9,999. A
        progress bar shows what takes seconds; ``datasets.disable_progress_bars()`` hides it.
    rng : int, numpy.random.Generator or None
        Seed of the resamples, or what draws one; None draws another each time. It is in the
        result, as `seed`.
    budget : Budget, dict or None
        Of points, for each of up to five sums: 0.6 µs of work each, 2^25 unless given, 20 s; with
        "auto" 2^20. Of bytes, memory for a Fourier transform, 2^30 unless given; 40 for a point of
        it, of which there are 2^25 at most. For resamples too, but 2^24 at least: each keeps 24.
    confidence_level : float
        Of the percentile intervals.
    ties : {"include", "exclude"}
        Whether resamples with a difference right at the threshold count: "exclude" takes
        > for ≥, as [1]_ prints it. Two systems that are the same have p = 1 or 0 then.

    Returns
    -------
    PairedBootstrapResult
        With percentile intervals for the difference and for both scores. p may be 0: where
        every resample is within the threshold, as of 5 wins and no loss, where δ* cannot
        reach 2δ. It says then that the data hold no resample of the kind, not that no other data
        do; for few examples, or without losses, `paired_permutation_test` is the better test.

    Raises
    ------
    InputError
        As `paired_permutation_test`; if there is one example only; if `method` is "exact" and
        the score is none of those.
    BudgetError
        If `method` is "exact" and that would exceed the budget; if so many resamples would take
        more than an hour, or more memory than there is.

    Warns
    -----
    UserWarning
        If `method` is "auto" and "exact" would exceed the budget, so that p is sampled.

    Notes
    -----
    The sum of n draws with replacement has the n-th power of one draw's characteristic function.
    Tilted to the threshold, it is inverted by a Fourier sum as for `paired_permutation_test`: the
    relative error of p is below 1e-11, at any size, and `pvalue_interval` contains the true value.
    Cost: O(n) for counting, then O(M log M), M ≈ 13 √(Σ (d - mean)²) in units of the differences'
    last digit; ten milliseconds for a million examples. If the
    examples have different sizes (sentences of several words), δ* ≥ q means Σ (d - q size) ≥ 0, a
    sum again, with a finer lattice: exact up to some hundred sentences, or a thousand.

    A percentile interval, from the least x with P(δ* ≤ x) ≥ (1 - level) / 2 to the greatest with
    P(δ* ≥ x) ≥ the same, is exact for means on a lattice, and for up to some hundred examples of
    different sizes; of others it is right to some thousandths of the standard error.

    Sampling draws a multinomial number of each distinct row: O(n_resamples · distinct rows), or
    O(n_resamples · n) if that is less. p is (k + 1) / (n_resamples + 1) [2]_. Two differences
    tie if apart by 1e-12 of the larger one, of ratios and functions by that of the scores.

    References
    ----------
    .. [1] T. Berg-Kirkpatrick, D. Burkett, D. Klein, "An Empirical Investigation of Statistical
       Significance in NLP", EMNLP 2012. Figure 1. B. Efron, R. J. Tibshirani, "An Introduction
       to the Bootstrap", 1993, chapters 13 (percentile intervals) and 16.
    .. [2] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997,
       section 4.2.

    Examples
    --------
    >>> from pairedperm import paired_bootstrap_test
    >>> result = paired_bootstrap_test([2, 1, 1, 0], [0, 0, 0, 1], alternative="greater")
    >>> result.pvalue  # of 4^4 resamples those with Σ d* ≥ 6
    0.12890625
    >>> result.statistic, tuple(result.confidence_interval)
    (0.75, (-0.5, 1.75))

    F1 from the true positives, predictions and right answers of each example:

    >>> from pairedperm import Ratio
    >>> f1 = Ratio(numerator=[2, 0, 0], denominator=[0, 1, 1])
    >>> large = [[2, 2, 2], [1, 1, 1], [1, 2, 2], [3, 3, 3]]
    >>> small = [[1, 2, 2], [1, 1, 1], [1, 3, 2], [2, 4, 3]]
    >>> result = paired_bootstrap_test(large, small, score=f1, rng=0)
    >>> result.method, result.n_resamples
    ('monte_carlo', 9999)
    """
    chosen = options.read_options(
        test="bootstrap",
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
        confidence_level=confidence_level,
        ties=ties,
    )
    rows, found, metric = read_arguments(counts1, counts2, score, groups)
    return run(rows.owned(), found, metric, chosen)
