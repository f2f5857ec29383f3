"""The paired-permutation test: the choice of its engine, its run, and that of many tests."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm import options
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Choice, Cost, Engine, choose
from pairedperm.convolution.integers import n_sums
from pairedperm.errors import BudgetError, InputError, message, other_ways, warn
from pairedperm.nulls.engines import BRACKET, ENUMERATION, MONTE_CARLO
from pairedperm.nulls.functions import DP, FFT, Sums, SumsOfTwo
from pairedperm.nulls.means import Means, RealMeans
from pairedperm.nulls.problem import Problem
from pairedperm.nulls.ratios import Ratios
from pairedperm.nulls.solve import (
    ALLOWANCE,
    QUICK,
    SAMPLE,
    NullModel,
    chosen,
    fields_of,
    likely_seconds,
    solve,
)
from pairedperm.options import Budget, Options
from pairedperm.population.evidence import Evidence
from pairedperm.results.result import PairedResult, about_constant
from pairedperm.scoring.arguments import ScoreArgument, read_arguments, read_statistic
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Quotient, Score, TwoSums, simplified


class Exact(Engine[Problem, Options]):
    """The engine of "exact": the first of a problem's tails that is quick, or else the quickest."""

    name = "exact"

    def cost(self, problem: Problem, limits: Options) -> Cost:
        if problem.is_known:
            return Cost(problem.rank)
        if problem.no_lattice:
            n = n_sums(problem.multiplicities)
            return Cost(problem.rank, "", None, n, excess=message(problem.why_not_exact))
        choice = self._tail(problem, limits.budget)
        assert choice is not None  # every problem on a lattice has a tail
        return choice.cost._replace(settles=False, work=choice)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        if problem.is_known:
            return Answer(CertifiedProbability.exactly(1.0))
        tail: Choice = cost.work
        return tail.run(limits.budget, partial(self._tail, problem, limits.budget))

    def _tail(self, problem: Problem, budget: Budget, *failed: Engine[Any, Any]) -> Choice | None:
        return choose(problem.tails(), budget, lambda tail: tail.cost.seconds <= QUICK, failed)


EXACT = Exact()
_PROMPT = 0.03  # tuned: seconds that nobody notices
_FEW = 44  # tuned: examples whose swaps are counted in seconds: p is exact


def _is_quick(options: Options, failed: Collection[Engine[Any, Any]], choice: Choice) -> bool:
    """Tell whether an engine is not slower than sampling, or takes seconds only.

    One of many tests may take its share of these, or the time of the samples that it needs. If
    "auto" may take a bracket, the exact p may take no longer than that, or `_PROMPT` seconds. So
    few examples that enumeration counts all swaps are always exact.
    """
    engine, problem, cost, _ = choice
    seconds = cost.seconds
    is_optional = engine is EXACT and options.method == "auto" and BRACKET not in failed
    if is_optional and seconds > _PROMPT and problem.n_differing > _FEW:
        bracket = BRACKET.cost(problem, options)
        if bracket is not None and bracket.excess is None and bracket.seconds < seconds:
            return False
    if seconds <= min(QUICK, ALLOWANCE.get().seconds):
        return True
    sampling = MONTE_CARLO.cost(problem, options)
    if sampling.excess is not None:
        return True
    each: float = sampling.work[1]
    return seconds <= max(sampling.seconds, ALLOWANCE.get().n_samples * each)


def _refusal(choice: Choice, why: str) -> BudgetError | InputError:
    """Return the error for an engine over the budget; InputError if fewer decimals would help."""
    engine, problem = choice.engine, choice.problem
    others = ["'auto'"] * (engine not in (EXACT, BRACKET))
    others += ["'bracket'"] * (problem.additive is not None and engine is not BRACKET)
    ways = [SAMPLE]
    if others:
        ways.insert(0, f"use method={' or '.join(others)}")
    advised = other_ways(why, *ways)
    if problem.no_lattice and engine is EXACT:
        return problem.needs_lattice(engine.name)  # type: ignore[no-any-return]
    if engine is not EXACT or not problem.decimals:
        return BudgetError(advised)
    return InputError(
        f"the scores have {problem.decimals} decimals, too many for a lattice within the budget: "
        f"{advised}",
    )


UNDER_SWAPS = NullModel(
    engines={x.name: x for x in (EXACT, DP, FFT, ENUMERATION, BRACKET, MONTE_CARLO)},
    auto=(EXACT, ENUMERATION, BRACKET, MONTE_CARLO),
    is_quick=_is_quick,
    refusal=_refusal,
    samples="swaps",
)


def problem_of(rows: Rows, score: Score, alternative: str) -> Problem:
    """Simplify the score, and return the problem of a difference in it on these rows."""
    rows, simple = simplified(rows, score, "swaps")
    kind: Any = Sums
    if isinstance(simple, Mean):
        kind = RealMeans if rows.no_lattice else Means
    elif isinstance(simple, Quotient) and not rows.no_lattice:
        kind = Ratios
    elif isinstance(simple, TwoSums):
        kind = SumsOfTwo
    return kind(rows, simple, alternative)  # type: ignore[no-any-return]


def run(rows: Rows, score: Score, metric: Metric | None, options: Options) -> PairedResult:
    """Run the test; see `solve`."""
    evidence = Evidence(rows, score, metric, options.largest_group)
    evidence.check_largest_group()
    problem = problem_of(rows, score, options.alternative)
    _, answer, of_test = solve(problem, UNDER_SWAPS, options, fields_of(evidence))
    result = PairedResult(
        "permutation",
        **of_test,
        fraction=answer.fraction,
        constant=None if options.constant else evidence.constant,
        law=problem,
    )
    if about := about_constant(result):
        warn(about)
    return result if options.confidence_level is None else result.at(options.confidence_level)


def seconds_of_test(rows: Rows, score: Score, options: Options) -> float:
    """Return about how long a test will take."""
    return likely_seconds(
        chosen(problem_of(rows, score, options.alternative), UNDER_SWAPS, options)
    )


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
    constant: options.Constant | None = None,
) -> PairedResult:
    r"""Does one system really score higher? Exact paired-permutation test of two systems.

    Null hypothesis: on every example the two systems' scores are exchangeable, independently
    of the other examples. Statistic: the difference D of the two mean scores, or of the two
    values of `score`. The p-value is the share of all 2^n swaps in which D is at least as
    extreme as the observed difference d. Each of these swaps exchanges the systems' scores on
    another set of examples. Ties count.

    Parameters
    ----------
    counts1, counts2 : array_like of int or float, shape (n,), or (n, m) with `score`
        The score, or the row of counts, of system 1 and of system 2 on each example, in the same
        order. For instance the number of correct answers. Lists, arrays, tensors, Series and
        dataset columns are accepted. Floats are read as decimals of up to 13 significant digits
        (float32: 5). A column with longer numbers is read as real numbers. These lie on no
        lattice: they have no common unit. Decimals and Fractions are read exactly, up to a common
        denominator of 2^40. If `counts1` is a `PairedCounts`, leave out `counts2`.
    score : Ratio, callable or None
        The score of a system, given the sums of its rows. None: the mean of numbers of shape
        (n,). A `Ratio` of two sums: F1, precision, word error rate. A function of the sums: BLEU,
        a macro-average, a metric of your own. It gets many rows of sums at once, a float64 array
        of shape (…, m), and returns shape (…). With counts of shape (n,) it gets shape (…).
        It is called only with sums that some swaps give. Where a denominator is 0 it must still
        return a number; NumPy's warnings are off inside. The function may have a method
        ``ratio_for(rows1, rows2)``, called with arrays of shape (n, m). If this method returns a
        `Ratio`, the ratio is tested instead.
    groups : sequence of int or str, length n, or None
        An id for each example, such as its document, user or conversation. All examples of a
        group are swapped together, because they are not independent. Not with a `PairedCounts`.
        None: each example is swapped by itself.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher, P(D ≥ d). "less": system 1 scores lower, P(D ≤ d).
        "two-sided": P(\|D\| ≥ \|d\|). If d ≠ 0 this is twice the smaller of the other two, for
        the law of D is symmetric. If d = 0 it is 1.
    method : {"auto", "exact", "dp", "fft", "enumeration", "bracket", "monte_carlo"}
        "auto": the first of "exact", "enumeration", "bracket" (means only) and "monte_carlo" that
        suits the scores and the budget and takes about 3 s at most. For a mean of more than 44
        differing scores, "exact" may take 0.03 s, or no longer than "bracket". The seconds are
        estimated from counts of work, so the same input always gets the same method. The
        result's `method` and `reason` tell which ran, and why.
        "exact": p over all 2^n swaps; not for real numbers.
        "dp", "fft": the same p by Algorithms 3 and 4 of [1]_, from the whole null distribution.
        "enumeration": p from a list of all swaps, of any real numbers, also as a fraction in
        `result.fraction`. Up to about 44 distinct differences for a mean, about 22 for other
        scores; takes some seconds.
        "bracket": a proven interval for p, for a mean of any real numbers. `pvalue` is the upper
        end of the interval. It is up to 1e-6 of p wide, or 1e-3 where that takes too long: more
        than 0.3 s, or more than 0.01 s in "auto".
        "monte_carlo": an estimate of p from `n_resamples` random swaps.
    n_resamples : int or None
        How many random swaps "monte_carlo" draws: below 10^9, and no more than fit into about an
        hour. None: 9,999. If fewer than 100 of these are as extreme as observed, "auto" continues
        until 100 are, but not beyond 10^6 swaps or about 3 s.
    rng : int, numpy.random.Generator or None
        The seed of the random swaps, or a generator that draws a seed. None: a seed that follows
        from the data, so that the same data have the same p. The result keeps it as `seed`.
    budget : Budget, dict or None
        Upper limits of work and memory. An explicit `method` that exceeds one raises BudgetError;
        "auto" tries the next method. None: ``Budget(max_points=2**25, max_bytes=2**30)``, which
        allows some seconds up to a minute. `Budget` tells what a point is.
    constant : {"system"} or None
        "system": a column that holds one number throughout has the scores of a system. None: it may
        be a number that the other scores are compared with, see Warns.

    Returns
    -------
    PairedResult
        p = 1 if no example differs, also for a one-sided alternative. No exact two-sided p is
        below 2^(1 - n_differing).

    Raises
    ------
    InputError
        If a column is empty, is no sequence, or has not shape (n,), or (n, m) with `score`.
        If it holds anything but finite numbers within int64.
        If the lengths of the columns differ, or an id of `groups` is missing.
        If `counts1` is a `PairedCounts`, and `counts2` or `groups` is given, or `score` although
        the counts know their metric.
        If a `Ratio` has not m weights, or a row has a negative count or denominator.
        If the function `score` is not vectorised, or returns another shape, NaN, an infinite
        value or something that is no number.
        If an option is unknown.
        If `method` needs a lattice, and the scores lie on none or have too many digits for the
        budget.
        If `method` is "bracket" and the score is no mean.
    BudgetError
        If `method` would exceed the budget. For "exact": large integers need too long a
        transform, or the sums of a function have too many points. Or a `Ratio` has too many
        examples (10^9) to certify p to 1e-9.
        If the samples would take more than an hour.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled.
        If a column of scores is one number c throughout, and p can be at most 0.05. A system does
        not have the same score everywhere, and p then tests whether the other scores lie
        symmetrically about c. It is no test of their mean: where 95 % of all answers are right,
        20 answers against 0.95 have p ≤ 0.05 in 36 % of all cases. No warning for c = 0, for an
        end of a metric's `score_range`, if all scores are 0 or 1, nor for c = ½ against 0, ½, 1.
        If the pandas indexes of the columns differ, or repeat ids without `groups`.

    Notes
    -----
    Accuracy: `pvalue_interval` contains the true p, with all rounding included. A sampled p has a
    99 % confidence interval instead. The same input gives the same bits, for a sampled p with the
    same seed. What takes seconds shows a progress bar, unless
    ``datasets.disable_progress_bars()`` hides it.

    - A mean of integers or decimals: relative error below 1e-12, or 1e-11 if p < 1e-100. If
      p < 1e-300, this bound holds for log p. Cost: O(n) to count, then mostly some hundred of
      9 √(Σ d²) Fourier terms, d in units of the last digit.
    - A `Ratio`: relative error below 1e-11, certified to at least 1e-9. About 10 ms for ten
      thousand examples and 30 ms for a million, longer if counts are large. If the systems'
      denominators are the same on every example, as for recall, the ratio is a mean.
    - A function: absolute error below 1e-12. Up to some million points of the sums' grid, the
      relative error is as small. If p is below this error, the upper end of the interval is
      returned. The interval does not include rounding within the function. Cost: O(points),
      about a second for a million.
    - A mean of real numbers: exact up to 44 differing examples, but for what rounding of the
      scores leaves open. Beyond, p is bounded to 1e-6 of it if some 400 examples differ or more,
      to 1e-3 if fewer do; sums that nearly tie can widen the interval. About 10 ms, 0.05 s for
      ten thousand differing examples, some seconds for a million.
    - Samples: p = (k + 1) / (n_resamples + 1) if k swaps are as extreme [2]_. If "auto" continued
      to the 100th of these, p = 100 / n_resamples [3]_. Both are valid: P(p ≤ α) ≤ α. Cost:
      O(n_resamples · distinct differences), whatever n is.
    - "dp" costs O(n · points of the null distribution), "fft" O(points log² points). The absolute
      error of "fft" is mostly below 1e-15 and was at most 2e-14 on 9,410 random corpora. A p below
      1e-14 may be mostly error, and a p below about 1e-15 is reported as that.

    Ties: for means, and for ratios of decimals, exact integers decide. The differences of a
    function, or of a ratio of real numbers, tie if they are within 1e-12 of the largest of the four
    scores; round the scores, if yours are coarser. Real rows are rounded to 2^-50 of the sum of
    their column's sizes, so the observed assignment always counts. A float that is no decimal, such
    as 2/3, may be off by two units of its last bit, so that 2/3 and 1/3 + 1/3 tie.

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
    Five examples improved, none became worse: 2 of the 2^5 swaps are as extreme.

    >>> from pairedperm import Ratio, paired_permutation_test
    >>> result = paired_permutation_test([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0])
    >>> result.pvalue
    0.0625
    >>> result.n_differing
    5

    Decimals tie as decimals. Of the 8 sums ±0.6 ± 0.3 ± 0.9, 5 are at least 0:

    >>> paired_permutation_test([-0.6, -0.3, 0.9], [0, 0, 0], alternative="greater").pvalue
    0.625

    Precision, from the true positives and the predictions of each example:

    >>> precision = Ratio([1, 0], [0, 1])
    >>> result = paired_permutation_test(
    ...     [[2, 2], [1, 1], [3, 4]], [[1, 2], [1, 2], [2, 4]], score=precision
    ... )
    >>> result.score1, result.score2, result.pvalue
    (0.8571428571428571, 0.5, 0.25)

    The true p as a fraction, and a p of real numbers:

    >>> paired_permutation_test([3, 1, 2], [1, 2, 0], method="enumeration").fraction
    Fraction(1, 2)
    >>> result = paired_permutation_test([2**0.5, 3**0.5, 0], [0, 0, 0.5**0.5])
    >>> result.pvalue, result.method
    (0.5, 'enumeration')

    The mean precision of two groups, a function of four sums:

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
        constant=constant,
    )
    rows, read_score, metric = read_arguments(counts1, counts2, score, groups)
    return run(rows.owned(), read_score, metric, chosen)


def structured_permutation_test(
    stay: Any,
    swap: Any,
    statistic: Callable[[NDArray[np.float64]], Any],
    *,
    groups: Any = None,
    method: options.Method = "auto",
    n_resamples: int | None = None,
    rng: options.Seed = None,
    budget: options.BudgetLike = None,
) -> PairedResult:
    """Exact paired-permutation test of any statistic of sums over the examples.

    Null hypothesis: on every example the two systems' outputs are exchangeable, independently
    of the other examples. An example adds its row of `stay` to the sum S if the outputs stay
    with their systems. It adds its row of `swap` if they are swapped. The observed sum is Σ stay.
    The p-value is the share of all 2^n swaps in which statistic(S) ≥ statistic(Σ stay). It is
    one-sided and never doubled: for both sides, take the statistic's absolute value.

    Parameters
    ----------
    stay, swap : array_like of int or float, shape (n,) or (n, m)
        What each example adds to the m sums, or to the one sum. Lists, arrays and dataset columns
        are accepted. Floats must be decimals of up to 13 significant digits.
    statistic : callable
        A function from sums, a float64 array of shape (…, m), to values of shape (…). If `stay`
        and `swap` have shape (n,), it gets shape (…). It is called with many rows of sums at
        once, and only with sums that some swaps give. Where a denominator is 0 it must still
        return a number; NumPy's warnings are off inside.
    groups, method, n_resamples, rng, budget
        As in `paired_permutation_test`. A point of the budget is a point of the sums' grid.

    Returns
    -------
    PairedResult
        `statistic` is the observed one, `score1` and `score2` are None, and `alternative` is
        "greater". p = 1 if no example's rows differ.

    Raises
    ------
    InputError
        If a column is empty, is no sequence, or holds anything but finite numbers within int64.
        If a float is no decimal.
        If `stay` and `swap` differ in shape.
        If the statistic is not vectorised, or returns another shape, NaN, an infinite value or
        something that is no number.
        If an option is unknown, or `method` is "bracket".
    BudgetError
        If `method` would exceed the budget: for "exact", if the sums have too many points.
        If the samples would take more than an hour.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled because "exact" would exceed the budget.

    Notes
    -----
    Accuracy: p is within 1e-12 absolutely. Up to some million points of the sums' grid, the
    relative error is as small. If p is below this error, the upper end of the interval is
    returned. `pvalue_interval` contains the true p, apart from rounding within the statistic.

    Cost: O(points), about a second for a million. The grid has as many dimensions as swaps move
    sums independently, however many columns there are.

    Ties: two values tie if they differ by at most 1e-12 of the larger one, or by 1e-14 of the
    largest of some random swaps. Round the values, if yours are coarser.

    References
    ----------
    .. [1] R. Zmigrod, T. Vieira, R. Cotterell, "Exact Paired-Permutation Testing for
       Structured Test Statistics", NAACL 2022. Appendix B, equations (12) and (16), Algorithm 5.

    Examples
    --------
    The difference of two F1 scores by the paper's equation (16). The sums tp1, in1, tp2, in2 are
    the true positives and the incorrect predictions of both systems.

    >>> import numpy as np
    >>> from pairedperm import structured_permutation_test
    >>> large, small = np.array([[2, 0], [1, 0], [1, 1]]), np.array([[1, 1], [0, 2], [1, 3]])
    >>> stay, swap = np.hstack((large, small)), np.hstack((small, large))
    >>> def difference(sums):
    ...     tp1, in1, tp2, in2 = np.moveaxis(sums, -1, 0)
    ...     return tp1 / (tp1 + in1 / 2) - tp2 / (tp2 + in2 / 2)
    >>> result = structured_permutation_test(stay, swap, difference)
    >>> result.statistic, result.pvalue
    (0.4888888888888888, 0.125)
    >>> structured_permutation_test(stay, swap, lambda sums: abs(difference(sums))).pvalue
    0.25
    """
    chosen = options.read_options(
        alternative="greater",
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
    )
    rows, read_score = read_statistic(stay, swap, statistic, groups)
    return run(rows.owned(), read_score, None, chosen)
