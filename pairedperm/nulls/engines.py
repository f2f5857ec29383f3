"""The engines of problems under swaps that serve several scores.

"enumeration" lists all swaps: for a sum in two halves, otherwise one by one. "bracket" proves an
interval for p, for means of any real numbers. "monte_carlo", Algorithm 1, draws random swaps from
the distinct differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine, advance
from pairedperm.convolution.integers import (
    BLOCK_LISTED,
    SUM_BYTES,
    TOO_MANY,
    are_int64,
    enumerate_lower_tail,
    enumeration_bytes,
    enumeration_size,
    listed_sums,
    n_sums,
)
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.tail import LISTED_NS
from pairedperm.convolution.reals.bracket import LISTED, bracket_lower_tail
from pairedperm.convolution.reals.rounded import QUICK_TAILS
from pairedperm.convolution.sampling import swapping_cost
from pairedperm.errors import NO_BUDGET, BudgetError, InputError, message
from pairedperm.nulls.problem import Additive, Problem
from pairedperm.nulls.solve import Sampler, most_samples, sampled_pvalue, sampling_cost
from pairedperm.options import Budget, Options, raised
from pairedperm.results.result import NullDistribution, law_of

_SUM, _SUM_COLUMN = 60.0, 20.0  # tuned: ns of a sum, and of each column
_OF_REALS = 400.0  # tuned: further ns of real rows, so that "auto" lists up to 22 examples
_BEYOND_INT64_NS = 600.0  # tuned: ns of a listed sum of Python's integers
_TOO_MANY = 2**40  # tuned: more sums fit into no memory


class Enumeration(Engine[Problem, Options]):
    """The engine that counts all extreme swaps, whatever numbers the scores are."""

    name = "enumeration"

    def cost(self, problem: Problem, limits: Options) -> Cost:
        if not problem.n_differing:
            return Cost(0)
        (n, n_bytes, nanoseconds), budget = self._size(problem), limits.budget
        if problem.additive is not None:
            rank, how = 1, "all swaps are counted in two halves"
            what = f"up to {n:,} sums of half of the examples"
        else:
            rank, how, what = problem.rank, "all swaps are listed", f"{n:.3g} sums"
        needs = "method='enumeration' needs "
        if n >= TOO_MANY:
            what = f"the sums of all swaps of {problem.n_differing} differing examples"
            refused = message(f"{needs}{what}, {NO_BUDGET}")
            return Cost(rank, how, None, n, n_bytes, excess=refused)
        needs = f"{needs}{what}"
        seconds = 1e-9 * nanoseconds * n
        excess = budget.excess(needs, n_points=n, remedy=raised(seconds, n_bytes))
        needs = f"{needs}, {n_bytes:.3g} bytes"
        excess = excess or budget.excess(needs, n_bytes=n_bytes, remedy=raised(seconds, n_bytes))
        return Cost(rank, how, (n,), n, n_bytes, seconds, excess)

    def _size(self, problem: Problem) -> tuple[int, int, float]:
        """Return how many sums are listed (all, or of a half), their bytes, and ns for each."""
        if problem.additive is None:
            n, (k, width) = n_sums(problem.multiplicities), problem.vectors.shape
            return n, (SUM_BYTES + 8 * (k + width)) * min(n, BLOCK_LISTED), _nanoseconds(problem)
        n = enumeration_size(problem.additive.split.counts.tolist())
        if n > _TOO_MANY:
            return n, SUM_BYTES * n, _BEYOND_INT64_NS
        split, _ = problem.additive.in_integers()
        counts, total = split.counts.tolist(), split.total()
        nanoseconds = LISTED_NS if are_int64(total) else _BEYOND_INT64_NS
        return enumeration_size(counts), enumeration_bytes(counts, total), nanoseconds

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        if not problem.n_differing:
            return Answer(CertifiedProbability.exactly(1.0), Fraction(1))
        if problem.additive is not None:
            return _in_halves(problem.additive)
        return swap_by_swap(problem)


def _nanoseconds(problem: Problem) -> float:
    """Return the time that one listed sum and its score take."""
    of_reals = _OF_REALS if problem.no_lattice else 0.0
    return _SUM + _SUM_COLUMN * float(problem.vectors.shape[1]) + of_reals


def _in_halves(additive: Additive) -> Answer:
    """Count the extreme swaps among all 2^n by meeting in the middle.

    Exact integers decide ties. Scores that were rounded may tie without it; p is the upper end of
    the interval, which counts all swaps that may tie.
    """
    split, slack = additive.in_integers()
    values, counts = [int(value) for value in split.values], split.counts.tolist()
    n, least, most = sum(counts), split.taken - slack, split.taken + slack
    if additive.sides == "all" or not n:
        return Answer(CertifiedProbability.exactly(1.0), Fraction(1))
    if additive.sides == "but one":
        bounds = [most if slack else most - 1, least - 1]
        low, high = (2**n - k for k in enumerate_lower_tail(values, counts, bounds))
        low += 1 if slack else 0  # the observed assignment is extreme
    else:
        low, high = enumerate_lower_tail(values, counts, [least, most])
    power = 2 ** (n - 1 if additive.sides == "both" else n)
    p, bottom = (CertifiedProbability.from_ratio(min(k, power), power) for k in (high, max(low, 1)))
    return Answer(
        replace(p, low=bottom.low, log_low=bottom.log_low), Fraction(min(high, power), power)
    )


def swap_by_swap(problem: Problem) -> Answer:
    """Count extreme swaps one by one."""
    total, n_extreme = np.asarray(problem.total, dtype=np.int64), 0
    each = _nanoseconds(problem)
    for sums, ways in listed_sums(problem.vectors, problem.multiplicities):
        advance(each * len(sums))
        n_extreme += int(ways[problem.extreme(total - 2 * sums)].sum())
    power = 1 << problem.n_differing
    p = CertifiedProbability.from_ratio(n_extreme, power)
    return Answer(p, Fraction(n_extreme, power))


def listed_law(
    problem: Problem, valued: Callable[[IntArray], tuple[FloatArray, float]], budget: Budget
) -> NullDistribution:
    """Return the law for real rows, from a list of all swaps.

    `valued` returns the statistic for sums S, and the size of the largest score.
    """
    n = n_sums(problem.multiplicities)
    what = (
        "the null distribution of scores that lie on no lattice needs "
        f"{'at least ' if n == TOO_MANY else ''}{n:.3g} sums"
    )
    round_ = "Round the rows to the digits that they mean"
    remedy = f"{round_}, for instance np.round(rows, 4)"
    budget.check(what, n_points=n, remedy=remedy)
    n_bytes = SUM_BYTES * n
    budget.check(f"{what}, {n_bytes:.3g} bytes", n_bytes=n_bytes, remedy=remedy)
    total = np.asarray(problem.total, dtype=np.int64)
    values, masses, size = [], [], 0.0
    for sums, ways in listed_sums(problem.vectors, problem.multiplicities):
        block, largest = valued(total - 2 * sums)
        values.append(block)
        size = max(size, largest)
        masses.append((ways / 2**problem.n_differing).astype(np.float64))
    return law_of(np.concatenate(values), np.concatenate(masses), size)


ENUMERATION = Enumeration()


_LISTED = 150.0  # tuned: ns of a sum of a half
_LEAST_FREQUENCIES = 2**10  # tuned: least frequencies of a bracket
_BRACKET_BYTES = 2**25  # tuned: memory for it
_SIZE = 4e3  # tuned: ns of a distinct size
_PATIENCE = 1e7  # tuned: ns in which "auto" proves more than three digits
_TOO_WIDE, _SAMPLED_WELL = 0.1, 1e-3  # tuned: relative width, and p, for which samples tell more


class Bracket(Engine[Problem, Options]):
    """An engine for sums of scores, on a lattice or not; p is the upper end of the interval."""

    name = "bracket"

    def cost(self, problem: Problem, limits: Options) -> Cost | None:
        additive, method = problem.additive, "method='bracket'"
        if additive is None:
            if limits.method == "auto":
                return None
            raise InputError(
                f"{method} is for means, sums over the examples: this score is another function "
                "of sums",
                remedy="Use method='auto', or 'monte_carlo'",
            )
        if additive.sides == "all" or not problem.n_differing:
            return Cost(min(problem.n_differing, 1))
        if problem.n_differing <= LISTED:
            n_points = 1 << (problem.n_differing + 1) // 2
            grid, n_bytes, excess = (n_points,), SUM_BYTES * n_points, None
            how, nanoseconds = "all swaps are counted in two halves", _LISTED * n_points
        else:
            grid, n_points, n_bytes = None, _LEAST_FREQUENCIES, _BRACKET_BYTES
            how = "a proven interval from the characteristic function"
            nanoseconds = _patience(limits) + _SIZE * additive.split.counts.size
            what = f"{method} needs at least {_LEAST_FREQUENCIES:,} frequencies"
            excess = limits.budget.excess(what, n_points=n_points)
        what = f"{method} needs {n_bytes:.3g} bytes"
        excess = excess or limits.budget.excess(what, n_bytes=n_bytes)
        return Cost(1, how, grid, n_points, n_bytes, 1e-9 * nanoseconds, excess)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        additive = problem.additive
        if additive is None or additive.sides == "all" or not additive.split.counts.size:
            return Answer(CertifiedProbability.exactly(1.0))
        is_strict = additive.sides == "but one"
        p = bracket_lower_tail(additive.split, is_strict, limits.budget, _patience(limits))
        if additive.sides == "both" or not additive.split.slack:  # rounding may hide a tie
            p = p.at_most_half()
        p = p.on_sides(additive.sides)
        is_wide = p.relative_width > _TOO_WIDE and p.high > _SAMPLED_WELL
        if limits.method == "auto" and is_wide:
            raise BudgetError(f"the proven interval of p is {p.relative_width:.2g} of p wide")
        return Answer(replace(p, value=p.high, log=p.log_high))


def _patience(limits: Options) -> float:
    """Return the nanoseconds in which more than three digits are wanted."""
    return _PATIENCE if limits.method == "auto" else QUICK_TAILS


BRACKET = Bracket()


CALL = 1e-5  # tuned: seconds that a caller's function may take for each row


class MonteCarlo(Sampler[Problem]):
    """The engine that draws random swaps, and counts those as extreme as observed.

    It draws `n_resamples` swaps, 9,999 by default. "auto" draws more if few of these are extreme.
    """

    def cost(self, problem: Problem, limits: Options) -> Cost:
        """The seconds are those of the samples that are always drawn.

        Its work is the largest number of samples, and the seconds for each.
        """
        vectors, counts = problem.vectors, problem.multiplicities
        one_swap = swapping_cost(vectors, counts, limits.budget.max_bytes)
        rank = min(vectors.shape)  # no lattice is sought
        cost = sampling_cost(rank, n_sums(counts), limits, one_swap)
        each = 1e-9 * one_swap.nanoseconds
        most = most_samples(limits, each + (CALL if problem.calls_function else 0.0))
        return cost._replace(work=(most, each))

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        """Return p = (k + 1) / (m + 1) if k of m random swaps are at least as extreme as observed.

        The observed assignment counts, which keeps the test valid: P(p ≤ α) ≤ α (Phipson & Smyth
        2010, equation 2). The interval is Clopper and Pearson's for k of m. If k = 0, its lower
        end is 2^-n, or p if that is less. See `sampled_pvalue` for an m that is left to chance.
        """
        first, n, (most, each) = limits.n_first, problem.n_differing, cost.work
        seed = limits.drawn_seed(problem.vectors, problem.multiplicities)
        sums = problem.swaps(most, seed, limits.budget.max_bytes, pause=first)
        blocks = map(problem.extreme, sums)
        p = sampled_pvalue(blocks, first, most, each, seed)
        if p.low > 0.0:
            return Answer(p)
        low = min(math.ldexp(1.0, -n), p.value)  # the observed assignment is one of 2^n
        log_low = min(-n * math.log(2.0), p.log)
        return Answer(replace(p, low=low, log_low=log_low))


MONTE_CARLO = MonteCarlo()
