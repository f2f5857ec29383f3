"""The paired bootstrap test of two systems' counts on the same examples."""

from __future__ import annotations

from typing import Any

from pairedperm import options
from pairedperm.bootstrap.choose import run
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
    r"""Does one system really score higher? Paired bootstrap test, exact where possible.

    Null hypothesis: both systems score the same on the population of the examples. Statistic: the
    difference δ of the two mean scores, or of the two values of `score`. A resample draws n of
    the n examples with replacement, each with both systems' scores; its difference is δ*. The
    p-value is the share of all n^n resamples in which δ* lies at least as far beyond δ as δ lies
    beyond 0. So the law of δ* - δ stands for the law of δ under the null hypothesis [1]_.

    Parameters
    ----------
    counts1, counts2 : array_like of int or float, shape (n,), or (n, m) with `score`
        The score, or the row of counts, of system 1 and of system 2 on each example, in the same
        order; at least two examples. Floats are read as decimals of up to 13 significant digits,
        or else as fractions with denominators up to 1000. Other floats are real numbers: they
        lie on no lattice, and p is sampled. Decimals and Fractions are read exactly. If `counts1`
        is a `PairedCounts`, leave out `counts2`.
    score : Ratio, callable or None
        The score of a system, given the sums of its rows, as in `paired_permutation_test`. A
        function must return a number where a denominator is 0: some resamples may have one. None:
        the mean.
    groups : sequence of int or str, length n, or None
        An id for each example. All examples of a group are drawn together, and there are as many
        draws as groups. The mean is then Σ scores / Σ examples of the groups that are drawn. Not
        with a `PairedCounts`. None: each example is drawn by itself.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher, P(δ* ≥ 2δ). "less": system 1 scores lower, P(δ* ≤ 2δ).
        "two-sided": P(\|δ* - δ\| ≥ \|δ\|). This is not twice the smaller of the other two, for
        the law of δ* is not symmetric. If δ = 0 it is 1, with ``ties="include"``.
    method : {"auto", "exact", "monte_carlo"}
        "auto": "exact" where it applies and fits the budget, otherwise "monte_carlo".
        "exact": the ideal bootstrap, p over all n^n resamples. It applies to means of integers,
        decimals or small fractions. It also applies to ratios whose denominator is the same for
        both systems on every example: recall, word error rate, token accuracy. The law of both
        sums may then have up to 2^20 points.
        "monte_carlo": an estimate of p from `n_resamples` random resamples.
    n_resamples : int or None
        How many random resamples "monte_carlo" draws: below 10^9, and no more than fit into about
        an hour. None: 9,999.
    rng : int, numpy.random.Generator or None
        The seed of the resamples, or a generator that draws a seed. None: a seed that follows
        from the data, so that the same data have the same p. The result keeps it as `seed`.
    budget : Budget, dict or None
        Upper limits of work and memory. "exact" raises BudgetError if it exceeds one; "auto" then
        samples. A point is 0.6 µs of work, for each of up to five sums. None: 2^25 points, which
        are 20 s, and 2^30 bytes; "auto" allows only 2^20 points, some 3 s. A Fourier transform
        takes 40 bytes a point, and has up to 2^25 points. Each random resample keeps 24 bytes; for
        resamples the limit is never below 2^24 bytes.
    confidence_level : float
        The level of the percentile intervals, between 0 and 1.
    ties : {"include", "exclude"}
        Whether resamples right at the threshold count. "exclude" takes > for ≥, as [1]_ prints it.
        Two identical systems have p = 1 with "include"; with "exclude" p = 0, if it is exact.

    Returns
    -------
    PairedBootstrapResult
        With percentile intervals of the difference and of both scores. p may be 0: with 5 wins
        and no loss δ* cannot reach 2δ. Then no resample of these data reaches the threshold;
        other data might. For few examples, or without losses, `paired_permutation_test` is the
        better test.

    Raises
    ------
    InputError
        For the same input as in `paired_permutation_test`.
        If `confidence_level` is not between 0 and 1.
        If there is only one example, or one group.
        If `method` is "exact" and the score is none of those that it needs.
    BudgetError
        If `method` is "exact" and would exceed the budget.
        If the resamples would take more than an hour, or more memory than the budget allows.
        If there are more than 2^50 examples.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled because "exact" would exceed the budget.
        If the pandas indexes of the columns differ, or repeat ids without `groups`.

    Notes
    -----
    - "exact": the relative error of p is below 1e-11, and `pvalue_interval` contains the true p.
      Cost: O(n) to count, then O(M log M), M ≈ 13 √(Σ (d - mean)²) in units of the differences'
      last digit. About ten milliseconds for a million examples. Examples of different sizes, such
      as sentences of several words, need a finer lattice: some hundred of these fit the budget,
      or a thousand.
    - "monte_carlo": p = (k + 1) / (n_resamples + 1) if k resamples are as extreme [2]_, with a 99 %
      confidence interval. Two differences tie if they are within 1e-12 of the larger one; for
      ratios and functions, within 1e-12 of the largest score. Cost: O(n_resamples · distinct
      rows), or O(n_resamples · n) if that is less. A progress bar shows what takes seconds, unless
      ``datasets.disable_progress_bars()`` hides it.
    - The percentile interval: with α = (1 - `confidence_level`) / 2, its lower end is the least x
      with P(δ* ≤ x) ≥ α, its upper end the greatest x with P(δ* ≥ x) ≥ α. By "exact" it is exact
      for means on a lattice, and for up to some hundred examples of different sizes. For more of
      these it is within some thousandths of the standard error.

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
    >>> result.statistic, tuple(result.confidence_interval())
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
    rows, read_score, metric = read_arguments(counts1, counts2, score, groups)
    return run(rows.owned(), read_score, metric, chosen)
