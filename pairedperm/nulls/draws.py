"""The paired bootstrap test: its problems, its engines, the choice among them, and its run.

The method "exact" is the ideal bootstrap, all n^n resamples at once. It applies to a mean, and to a
ratio whose denominator both systems share. "monte_carlo" draws random resamples from the distinct
rows.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm import options
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.convolution.draws.tail import power_of_share, resampled_lower_tail
from pairedperm.convolution.engine import Answer, Choice, Cost, Engine
from pairedperm.convolution.integers import exact_dot, largest_entry
from pairedperm.convolution.law import FloatArray, IntArray, distinct_rows
from pairedperm.convolution.sampling import drawing_cost, resampled_sums
from pairedperm.errors import BudgetError, InputError, message, other_ways
from pairedperm.inputs.lattice import on_fractions
from pairedperm.nulls.solve import (
    SAMPLE,
    NullModel,
    Sampler,
    fields_of,
    sampled_share,
    sampling_bar,
    sampling_cost,
    solve,
)
from pairedperm.options import Budget, Options
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import PERCENTILE, ConfidenceInterval
from pairedperm.results.result import PairedResult
from pairedperm.scoring.arguments import ScoreArgument, read_arguments
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.merging import drawn
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Quotient, Score, SumScore, check_sums, finite_difference

DrawnScores = tuple[FloatArray, FloatArray, FloatArray]
_SOME_RESAMPLES = 64  # tuned: random resamples on which a function is tried


class Draws(ABC):
    """Two systems' scores of sums over examples that are drawn with replacement.

    Attributes
    ----------
    score1, score2, statistic : float
        Both scores and their difference, on the data.
    table : float64 array, shape (k, m), or one of small integers
        The rows of the distinct examples, which are summed.
    multiplicities : int64 array, shape (k,)
        How often each distinct example occurs.
    n, n_differing : int
        The number of examples, and of those whose rows differ.
    why_not_exact : str or Part
        Why the ideal bootstrap does not apply; empty if it does.
    sums_differences : bool
        Whether the difference is a sum itself, or is taken of two rounded scores.
    n_points : int
        The points of the law of the difference, for the ideal bootstrap.
    slack : float
        How far rounding of the data may have moved a difference from its threshold.
    """

    score1: float
    score2: float
    statistic: float
    table: NDArray[Any]
    why_not_exact: str = ""
    sums_differences: bool = False
    n_points: int = 0
    slack: float = 0.0

    def __init__(self, rows: Rows) -> None:
        self.multiplicities = rows.how_often
        self.n, self.n_differing = rows.n, rows.n_differing

    def order(self) -> None:
        """Put the rows into one order, so that the samples do not depend on how they came."""
        order = np.lexsort(self.table.T)
        self.table, self.multiplicities = self.table[order], self.multiplicities[order]

    @abstractmethod
    def scores(self, sums: FloatArray) -> DrawnScores:
        """Return the difference and both scores, shape (b,) each, for sums of shape (b, m)."""


class RealMeans(Draws):
    """Means of numbers that lie on no lattice, computed in floats."""

    sums_differences = True

    def __init__(self, rows: Rows, score: Mean) -> None:
        super().__init__(rows)
        one, two = rows.rows1, rows.rows2
        check_sums(np.stack((one, two)), self.n)
        sizes = np.ones(one.size) if score.sizes is None else score.sizes
        mean1, mean2 = score.scores or (_exact_sum(x) / int(sizes.sum()) for x in (one, two))
        self.score1, self.score2 = float(mean1), float(mean2)
        self.statistic = float(mean1 - mean2)
        self.table = np.stack((one - two, one, two, sizes), axis=1)
        largest = max(float(np.abs(x / np.maximum(sizes, 1.0)).max()) for x in (one, two))
        # of two scores of a resample, and of the data
        self.slack = 4.0 * rows.provenance.rounding * largest
        self.why_not_exact = rows.no_lattice
        self.order()

    def scores(self, sums: FloatArray) -> DrawnScores:
        difference, score1, score2 = sums.T[:3] / sums.T[3]
        return difference, score1, score2


class Functions(Draws):
    """Any scores of the sums of each system's rows."""

    def __init__(self, rows: Rows, score: SumScore | Function) -> None:
        is_exact = isinstance(score, Quotient) and not rows.no_lattice
        if is_exact:
            rows = Rows(rows.rows1, rows.rows2, rows.multiplicities).distinct()
        super().__init__(rows)
        self._width = rows.tables[0].shape[1]
        self.table = rows.side_by_side
        check_sums(self.table, self.n)
        self._score: Any = score
        self.why_not_exact = "the score is a function of several sums"
        if isinstance(score, Function):
            self._score = Checked(score, rows, self._some(), "resamples", rows.unit)
        elif isinstance(score, Quotient):
            self.why_not_exact = "the two systems' denominators differ"
        if rows.no_lattice:
            self.why_not_exact = f"the rows lie on no lattice: {rows.no_lattice}"
            self.order()
        if is_exact:
            exact1, exact2 = map(self._score.exact, rows.sums)
            self.score1, self.score2 = float(exact1), float(exact2)
            self.statistic = float(exact1 - exact2)
        else:
            sums = [math.fsum((self.multiplicities * column).tolist()) for column in self.table.T]
            _, one, two = self.scores(np.array([sums]))
            self.score1, self.score2 = float(one[0]), float(two[0])
            self.statistic = self.score1 - self.score2

    def scores(self, sums: FloatArray) -> DrawnScores:
        one, two = self._score(sums[:, : self._width]), self._score(sums[:, self._width :])
        return finite_difference(one, two, "resamples have"), one, two

    def _some(self) -> FloatArray:
        """Return the sums of the data and of some resamples."""
        rng = np.random.default_rng(0)
        tables = np.hsplit(self.table, [self._width])
        blocks = [(self.multiplicities @ table)[None] for table in tables]
        for table in tables:
            blocks += resampled_sums(table, self.multiplicities, _SOME_RESAMPLES, rng)
        return np.concatenate(blocks)


def _exact_sum(column: FloatArray) -> Fraction:
    """Return Σ x without rounding: the rest after a rounded sum is summed again, until it is 0."""
    total, rest = Fraction(0), column.tolist()
    while rounded := math.fsum(rest):
        total += Fraction(rounded)
        rest.append(-rounded)
    return total


_LARGEST = 2**61  # proof: differences of smaller numbers are int64


class SharedRatio(Draws):
    """The scores Σ numerators / (unit Σ sizes), over n examples drawn with replacement.

    Both systems share the sizes, which are not negative; some are positive. With d = numerators1 -
    numerators2, the resampled difference is δ* = Σ d / (unit Σ sizes). So δ* ≥ q means
    Σ (d - q unit sizes) ≥ 0, the tail of a sum of independent draws. If all sizes in a resample are
    0, both scores are `zero_division`, and the difference is 0.
    """

    sums_differences = True

    def __init__(self, rows: Rows, score: Mean) -> None:
        super().__init__(rows)
        one, two, sizes = rows.rows1, rows.rows2, score.sizes
        if sizes is None:
            sizes = np.ones(len(one), dtype=np.int64)
        else:  # some rows may be equal now, without the columns that do not matter
            pair1, pair2 = (np.stack((x, sizes), axis=1) for x in (one, two))
            rows = Rows(pair1, pair2, rows.multiplicities).distinct()
            (one, sizes), two = rows.rows1.T, rows.rows2[:, 0]
            self.multiplicities = rows.how_often
        self._numerators, self._sizes, self._zero_division = (one, two), sizes, score.zero_division
        first = int(sizes[0])
        self._size = first if (sizes == first).all() else None  # the one size, if all are equal
        is_large = max(largest_entry(one), largest_entry(two)) >= _LARGEST
        self._difference = (one.astype(object) if is_large else one) - two
        self._unit = score.unit
        self._total = self._unit * exact_dot(self.multiplicities, sizes)
        exact1, exact2 = (
            Fraction(exact_dot(self.multiplicities, x), self._total) for x in (one, two)
        )
        self.score1, self.score2 = float(exact1), float(exact2)
        self._exact_difference = exact1 - exact2
        self.statistic = float(self._exact_difference)
        self.n_points = self.n * int(self._difference.max() - self._difference.min()) + 1
        columns = self._difference, one, two, sizes
        self.table = np.stack([column.astype(np.float64) for column in columns], axis=1)
        if (one != two)[sizes == 0].any():
            self.why_not_exact = "examples of size 0 count for the systems' difference"

    def scores(self, sums: FloatArray) -> DrawnScores:
        sizes = sums[:, 3:] * float(self._unit)
        is_none = sizes == 0.0
        if_none = [0.0, self._zero_division, self._zero_division]
        shares = np.where(is_none, if_none, sums[:, :3] / np.where(is_none, 1.0, sizes))
        difference, score1, score2 = shares.T
        return difference, score1, score2

    def pvalue(self, alternative: str, ties: str, budget: Budget) -> CertifiedProbability:
        """Compute P(δ* ≥ 2δ), P(δ* ≤ 2δ) or P(|δ* - δ| ≥ |δ|); with `ties` "exclude" strictly.

        For δ > 0, the last one is P(δ* ≥ 2δ) + P(δ* ≤ 0).

        Raises
        ------
        BudgetError
            If a transform would be too long.
        """
        difference, strict = self._exact_difference, ties == "exclude"
        double = 2 * difference
        if alternative != "two-sided":
            return self._tail(double, 1 if alternative == "greater" else -1, strict, budget)
        if difference == 0 and not strict:
            return CertifiedProbability.exactly(1.0)
        zero, side = Fraction(0), -1 if difference < 0 else 1
        far = self._tail(double, side, strict, budget)
        return far.plus(self._tail(zero, -side, strict, budget))

    def _tail(
        self, threshold: Fraction, side: int, strict: bool, budget: Budget
    ) -> CertifiedProbability:
        """Compute P(δ* ≥ threshold), or with side -1 P(δ* ≤ threshold); `strict` means > and <."""
        q = threshold * self._unit
        if self._size is not None:
            bound = -side * q * self._size * self.n  # every resample has the same total size
            last = math.ceil(bound) - 1 if strict else math.floor(bound)
            against = self._difference
        else:
            difference, sizes = self._difference.astype(object), self._sizes.astype(object)
            against = difference * q.denominator - q.numerator * sizes
            last = -1 if strict else 0
        signed = -side * against
        # A resample of empty examples alone has the sum 0, and the difference 0. The tail of the
        # sum may count it, and the threshold may mean it.
        is_counted, is_meant = not strict, side * threshold < 0 or (threshold == 0 and not strict)
        is_there = self._sizes > 0
        n_empty = int(self.multiplicities[~is_there].sum())
        if not n_empty or is_counted == is_meant:
            return resampled_lower_tail(*self._distinct(signed), last, budget)
        empty, others = power_of_share(n_empty, self.n), signed[is_there]
        if others.min() > last:  # no other resample reaches the threshold
            return empty if is_meant else CertifiedProbability.from_ratio(0, 1)
        if others.max() <= last:
            return CertifiedProbability.exactly(1.0) if is_meant else empty.complement()
        p = resampled_lower_tail(*self._distinct(signed), last, budget)
        return p.plus(empty) if is_meant else p.minus(empty)

    def intervals(self, level: float, budget: Budget) -> list[tuple[float, float]]:
        """Return the percentile intervals of the difference and of both scores.

        The ends are the least x with P(X ≤ x) ≥ level, and the greatest with P(X ≥ x) ≥ level.

        Raises
        ------
        BudgetError
            If differences may exceed int64, or a law has too many points.
        """
        difference = self._interval(_in_int64(self._difference), 0.0, level, budget)
        scores = (self._interval(x, self._zero_division, level, budget) for x in self._numerators)
        return [difference, *scores]

    def _interval(
        self, column: IntArray, if_none: float, level: float, budget: Budget
    ) -> tuple[float, float]:
        if self._size is not None:
            low, high = sum_quantiles(*self._distinct(column), level, budget)
            return low / self._total, high / self._total
        first, counts = distinct_rows([column, self._sizes], self.multiplicities)
        rows = column[first], self._sizes[first]
        low_ratio, high_ratio = ratio_quantiles(rows, counts, level, if_none, budget)
        return low_ratio / self._unit, high_ratio / self._unit

    def _distinct(self, column: NDArray[Any]) -> tuple[IntArray, IntArray]:
        column = _in_int64(column)
        first, counts = distinct_rows([column], self.multiplicities)
        return column[first], counts


def _in_int64(column: NDArray[Any]) -> IntArray:
    """Return the column as int64; raise BudgetError if differences may exceed it."""
    largest = largest_entry(column)
    if largest >= _LARGEST:
        raise BudgetError(
            f"the exact p-value needs sums of numbers up to {largest:.3g}, beyond int64. The "
            "scores are large in units of their last digit, or the examples have many sizes"
        )
    return column.astype(np.int64)


_QUICK = Budget(max_points=2**20)  # tuned: for each of up to five sums: some three seconds


class Ideal(Engine[Draws, Options]):
    """The engine of p over all n^n resamples, and of the percentile intervals."""

    name = "exact"

    def cost(self, problem: Draws, limits: Options) -> Cost | None:
        """What the transforms of up to five sums take is found while they run."""
        if not problem.why_not_exact:
            return Cost(1, "all resamples at once", None, problem.n_points)
        if limits.method == "auto":
            return None
        raise InputError(
            "method",
            "'exact', the ideal bootstrap, is for means of integers, decimals or small fractions. "
            "It is also for ratios of such sums whose denominator is the same for both systems on "
            "every example",
            remedy=(f"Here {problem.why_not_exact}", "Use method='auto' or 'monte_carlo'"),
        )

    def run(self, problem: Draws, limits: Options, cost: Cost) -> Answer:
        """See `Engine`; "auto" has a lower budget, if the caller gave none."""
        assert isinstance(problem, SharedRatio)
        is_default = limits.method == "auto" and limits.budget == Budget()
        budget = _QUICK if is_default else limits.budget
        p = problem.pvalue(limits.alternative, limits.ties, budget)
        return Answer(p, intervals=problem.intervals((1.0 - limits.level) / 2.0, budget))


IDEAL = Ideal()


_KEPT = 24  # tuned: bytes that a resample keeps: three scores
_TIE_OF_DRAWS = 1e-12  # proof: differences tie within this share of the largest of four scores


class MonteCarlo(Sampler[Draws]):
    """The engine that estimates p, and the intervals, from `n_resamples` random resamples."""

    def cost(self, problem: Draws, limits: Options) -> Cost:
        max_bytes = limits.budget.max_bytes
        one_resample = drawing_cost(problem.table, problem.multiplicities, max_bytes)
        return sampling_cost(problem.table.shape[1], 0, limits, one_resample, kept=_KEPT)

    def run(self, problem: Draws, limits: Options, cost: Cost) -> Answer:
        """Return p = (k + 1) / (m + 1), as in Phipson & Smyth 2010, equation (2)."""
        m, k, done = limits.n_first, 0, 0
        drawn = problem.table, problem.multiplicities
        seed = limits.drawn_seed(*drawn)
        resampled = np.empty((3, m))
        with sampling_bar(m, cost.seconds) as bar:
            rng = np.random.default_rng(seed)
            for sums in resampled_sums(*drawn, m, rng, limits.budget.max_bytes):
                scores = problem.scores(sums)
                k += int(_extreme(problem, scores, limits).sum())
                resampled[:, done : done + len(sums)] = scores
                done += len(sums)
                bar.update(len(sums))
        level = (1.0 - limits.level) / 2.0
        return Answer(
            sampled_share(k, m, seed), intervals=[_percentiles(x, level) for x in resampled]
        )


MONTE_CARLO = MonteCarlo()


def _extreme(problem: Draws, scores: DrawnScores, options: Options) -> NDArray[np.bool_]:
    """Tell which resampled differences reach the threshold; those near it tie.

    "Near" is relative to the differences if they are sums themselves, otherwise to the scores.
    """
    difference, scores1, scores2 = scores
    largest, observed = np.abs(difference), abs(problem.statistic)
    if not problem.sums_differences:
        largest = np.maximum(np.abs(scores1), np.abs(scores2))
        observed = max(abs(problem.score1), abs(problem.score2))
    tie = _TIE_OF_DRAWS * np.maximum(largest, observed) + problem.slack
    shifted, size = difference - problem.statistic, problem.statistic
    if options.alternative == "two-sided":
        shifted, size = np.abs(shifted), abs(size)
    elif options.alternative == "less":
        shifted, size = -shifted, -size
    return np.asarray(shifted >= size - tie if options.ties == "include" else shifted > size + tie)


def _percentiles(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the least x with a share `level` of values ≤ x, and the greatest with ≥ x.

    The values are reordered in place.
    """
    rank = max(math.ceil(level * values.size * (1.0 - 1e-12)), 1) - 1
    values.partition((rank, values.size - 1 - rank))
    return float(values[rank]), float(values[values.size - 1 - rank])


UNDER_DRAWS = NullModel(
    engines={x.name: x for x in (IDEAL, MONTE_CARLO)},
    auto=(IDEAL, MONTE_CARLO),
    is_quick=lambda *_: True,
    refusal=lambda _, why: BudgetError(other_ways(why, SAMPLE)),
    samples="resamples",
)
_MOST_DRAWS = 2**50  # proof: draws; their numbers and shares are exact enough in floats


def problem_of(name: str, rows: Rows, score: Score) -> Draws:
    """Simplify the score, and return the problem of a difference in it on these rows.

    `name` is the column that messages name.

    Raises
    ------
    InputError
        If there is only one example, or one group.
    BudgetError
        If there are more than 2^50 examples.
    """
    if 1 in (rows.n, rows.n_groups):
        name, what = (name, "example") if rows.n_groups is None else ("groups", "group")
        raise InputError(
            f"`{name}` holds one {what}: a bootstrap draws {what}s with replacement, and all "
            "resamples of one are the same",
            remedy="At least two are needed, some dozens to be of use",
        )
    if rows.n > _MOST_DRAWS:
        raise BudgetError(
            message(
                f"a bootstrap draws up to 2^50 examples, and there are {rows.n:.3g}",
                remedy="Use the permutation test",
            )
        )
    rows, simple = drawn(rows, score)
    if not isinstance(simple, Mean):
        return Functions(rows, simple)  # type: ignore[arg-type]
    if not rows.no_lattice:
        return SharedRatio(rows, simple)
    fractions = None if simple.scores else on_fractions((rows.rows1, rows.rows2))
    if fractions is None:
        return RealMeans(rows, simple)
    (one, two), unit = fractions
    return SharedRatio(Rows(one, two), Mean(unit, simple.sizes))


def run(rows: Rows, score: Score, metric: Metric | None, options: Options) -> PairedResult:
    """Run the test; see `solve`."""
    name = "counts1"
    if metric is not None:
        name = "references" if metric.has_references else "predictions1"
    problem = problem_of(name, rows, score)
    evidence = Evidence(rows, score, metric, options.largest_group)
    choice, answer, of_test = solve(problem, UNDER_DRAWS, options, fields_of(evidence))
    difference, score1, score2 = _named(answer)
    return PairedResult(
        "bootstrap",
        **of_test,
        confidence_level=options.level,
        interval=difference,
        score1_interval=score1,
        score2_interval=score2,
        ties=options.ties,
        law=Redrawn(choice, replace(options, rng=of_test["seed"])),
    )


def _named(answer: Answer) -> tuple[ConfidenceInterval, ...]:
    """Return the intervals of the difference and of both scores with their method."""
    return tuple(ConfidenceInterval(*ends, PERCENTILE) for ends in answer.intervals)


@dataclass(frozen=True)
class Redrawn:
    """The resamples of a bootstrap that ran, which the same seed draws again."""

    choice: Choice
    options: Options

    def intervals(self, confidence_level: float) -> tuple[ConfidenceInterval, ...]:
        """Return the intervals of the difference and of both scores at another level."""
        at_level = replace(self.options, confidence_level=confidence_level)
        return _named(self.choice.engine.run(self.choice.problem, at_level, self.choice.cost))


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
) -> PairedResult:
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
    PairedResult
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
