"""The paired-permutation test on per-example counts."""

from __future__ import annotations

from typing import Any

from pairedperm import options
from pairedperm.permutation.run import run
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.arguments import ScoreArgument, read_arguments


def paired_permutation_test(
    counts1: Any,
    counts2: Any = None,
    *,
    score: ScoreArgument | None = None,
    groups: Any = None,
    alternative: options.Alternative = "two-sided",
    method: options.Method = "auto",
    n_resamples: int | None = None,
    rng: options.Seed = None,
    budget: options.BudgetLike = None,
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
        digits (float32: 5); a column that has more is taken for the numbers that they are.
        Decimals and Fractions are read exactly, of a common denominator up to 2^40.
        Alternatively `counts1` is a `PairedCounts` and `counts2` is left out.
    score : Ratio, callable or None
        What the score is of sums of rows. A `Ratio`: F1, precision, word error rate. A function
        of the sums: BLEU, a macro-average, a metric of yours; from float64 arrays (…, m) to (…),
        called with many rows of sums at once, only with such as some swaps give (of counts of
        shape (n,) from (…)). It must say what the score is where a denominator is 0; of warnings
        NumPy gives none. If it has a method ``ratio_for(rows1, rows2)``, arrays (n, m) each, that
        returns the `Ratio` that it is of these rows, then that is tested; or None. None: the mean.
    groups : sequence of int or str, length n, or None
        An id for each example, such as its document, user or conversation: the examples of a group
        are swapped together, for what belongs together is not independent. `counts1` is no
        `PairedCounts` then. None: each example is swapped by itself.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher, P(D ≥ d). "less": P(D ≤ d). "two-sided":
        P(\|D\| ≥ \|d\|), which is twice the smaller of these for d ≠ 0 (D is symmetric), 1 for
        d = 0.
    method : str
        "auto": the first that takes some 3 s at most, within the budget: "exact", unless scores of
        more digits lie on no lattice; "enumeration" of few examples; of more "bracket" if the score
        is a mean; or else "monte_carlo". `plan` says which beforehand, the result's `method`
        afterwards. The seconds are estimated by counts of work: the same input goes the same way.
        "exact": the p-value of all 2^n swaps, to 1e-11 relatively.
        "dp", "fft": the same by Algorithms 3 and 4 of [1]_, the whole null distribution.
        "rational": the same as a fraction, `result.fraction`. Needs python-flint
        (``pip install ".[rational]"``).
        "enumeration": the same by listing all swaps, of any real scores: of a mean in two halves,
        up to 44 distinct differences, of other scores all, some 22; in some seconds.
        "bracket": a proven interval for the p-value of a mean of any real scores; `pvalue` is its
        upper end.
        "monte_carlo": an estimate from `n_resamples` swaps.
    n_resamples : int or None
        How many swaps are sampled; below 10^9, and what takes an hour, about. None: 9,999, from
        which "auto" goes on where fewer than 100 are as extreme as observed, until 100 are, or to
        10^6, or what takes some 3 s. A progress bar shows what takes seconds;
        ``datasets.disable_progress_bars()`` hides it.
    rng : int, numpy.random.Generator or None
        Seed of the samples, or what draws one; None draws another each time. It is in the
        result, as `seed`.
    budget : Budget, dict or None
        ``Budget(max_points=2**25, max_bytes=2**30)`` unless given. Points are frequencies of a
        Fourier transform, single ones and intervals, that are looked at: some 10,000 for a thousand
        scores of many digits; all of them take a few seconds up to a minute. With a `Ratio`, in two
        dimensions, each stands for 0.6 µs of work: 20 s. With a function, it is a point of the
        sums' grid, where that is evaluated. Bytes matter for up to 1000 differing examples with
        scores of many digits, and with a function, 40 a point; otherwise 70 MB will do, with a
        `Ratio` 100 MB. What takes more than 3 s shows a progress bar, as sampling does.

    Returns
    -------
    PairedPermutationResult
        p = 1 if no example differs (1 also for one-sided alternatives). 2^(1 - n_differing)
        is the smallest two-sided p-value that a corpus can give.

    Raises
    ------
    InputError
        If a column is empty, no sequence, not of shape (n,), with `score` (n, m), or not of
        finite numbers within int64; if the lengths differ; if an id of `groups` is missing; if a
        `Ratio` has not m weights, or a row's denominator is negative; if a function is not
        vectorised, or returns another shape, NaN, an infinite value or what is no number; if an
        option is unknown; if the method asked for needs a lattice and the scores lie on none, or
        decimals have too many digits for the budget, or "bracket" no mean.
    BudgetError
        If the method asked for would exceed the budget: "exact", because integers span so fine
        a lattice that the transform is too long, a function's sums have too many points, or with
        a `Ratio` 10^9 examples are too many to certify p to 1e-9. If so many samples would take
        more than an hour.
    ImportError
        If `method` is "rational" and python-flint is not installed.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled, for it would exceed the budget.

    Notes
    -----
    Only the multiset of absolute differences matters. Its random signed sum is tilted to the
    observed value and inverted by a Fourier sum of 9 √(Σ d²) terms, d in units of the last digit.
    Whole intervals of them are dropped at once, by proven bounds: after O(n) counting mostly some
    hundred have to be evaluated, however fine the lattice is. The relative error of the p-value is
    below 1e-12, below 1e-11 where p < 1e-100 (of log p below 1e-300), and `pvalue_interval`
    contains the true value. The same input gives the same bits, if p is sampled with the same
    seed.

    A ratio's swaps move two sums, numerator and denominator: the law is one in the plane, and
    takes some thousand terms, 10 ms for ten thousand and 30 ms for a million examples with
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

    Scores that lie on no lattice are floats, and their p-value is that of these numbers. By
    enumeration ties are decided in exact integers; the upper end of the interval counts as ties
    also what the rounding of the floats may have moved apart. The bracket lies between the exact
    tails of two sums of rounded scores, or takes some thousand values of the characteristic
    function: 0.1 s for ten thousand differing examples, some seconds for a million, and where
    many scores are nearly alike. It is 0.1 % of p wide at most, or what the sums have that
    cannot be told from the observed one, if that is more; up to 36 examples are listed. Both are
    proven. Sampled sums tie if they differ by less than 1e-15 of all differences.
    A `Ratio` of real rows is such a mean where both systems' denominators are the same in each
    example, as of losses for each token.

    Real rows are added exactly, and their sums rounded once, to within an ulp: swaps with the same
    sums have the same score to the last bit, so that the observed assignment always counts. Ties
    of a `Ratio` are decided in exact integers. Of a function all that is within 1e-12 of the
    largest score ties, and the interval reaches down to p without these, for only the function
    could tell. Up to some 2^22 sums are listed by "auto": some seconds if the function is
    vectorised.

    "dp" costs O(n · points of the null distribution), "rational" as many digits. Below 1e-290
    "dp" knows p within its interval only. "fft" costs O(points log² points). Its absolute error was
    below 1e-15 in 95 %, below 3e-15 in 99 % of 9,410 random corpora of up to 2,000 examples, and
    at most 2e-14; so p below 1e-14 may be mostly error, and below 1e-15 are reported as that.
    Its certified interval, of the worst case, is wider.

    Sampling costs O(n_resamples · distinct differences), whatever n is; p is (k + 1) /
    (n_resamples + 1), which is valid, but not below 1 / (n_resamples + 1) [2]_. Where "auto" went
    on to the 100th swap as extreme, it is 100 / n_resamples, which is valid too [3]_. How far it
    may go depends on the size of the problem, not on a clock: the same seed gives the same p.

    References
    ----------
    .. [1] R. Zmigrod, T. Vieira, R. Cotterell, "Exact Paired-Permutation Testing for
       Structured Test Statistics", NAACL 2022. Equation (2) defines the p-value; Algorithm 1
       samples, 3 and 4 convolve; Appendix B treats F1.
    .. [2] B. Phipson, G. K. Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9, 2010. Equation (2).
    .. [3] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991.

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

    The true value, and real scores:

    >>> paired_permutation_test([3, 1, 2], [1, 2, 0], method="enumeration").fraction
    Fraction(1, 2)
    >>> result = paired_permutation_test([2**0.5, 3**0.5, 0], [0, 0, 0.5**0.5])
    >>> result.pvalue, result.method
    (0.5, 'enumeration')

    The mean of the precisions of two groups, a function of four sums:

    >>> def mean_precision(sums):
    ...     return (sums[..., 0] / sums[..., 1] + sums[..., 2] / sums[..., 3]) / 2
    >>> paired_permutation_test(
    ...     [[2, 2, 1, 1], [1, 1, 2, 3]], [[1, 2, 0, 1], [1, 2, 1, 3]], score=mean_precision
    ... ).pvalue
    0.5
    """
    chosen = options.read_options(
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
    )
    rows, found, metric = read_arguments(counts1, counts2, score, groups)
    return run(rows.owned(), found, metric, chosen)
