"""The method "enumeration": all swaps, for a sum in two halves, otherwise one by one."""

from __future__ import annotations

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
from pairedperm.errors import raised
from pairedperm.errors.message import Message
from pairedperm.errors.wording import NO_BUDGET, Parts, Python, Setting
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Additive, Problem
from pairedperm.results.null_distribution import NullDistribution, law_of

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
        needs = Parts(Setting("method", "'enumeration'"), " needs ")
        if n >= TOO_MANY:
            what = f"the sums of all swaps of {problem.n_differing} differing examples"
            refused = Message(needs, what, ", ", NO_BUDGET)
            return Cost(rank, how, None, n, n_bytes, excess=refused)
        needs = Parts(needs, what)
        seconds = 1e-9 * nanoseconds * n
        excess = budget.excess(needs, n_points=n, remedy=raised(seconds, n_bytes))
        needs = Parts(needs, f", {n_bytes:.3g} bytes")
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
    remedy = Parts(round_, Python(", for instance np.round(rows, 4)"))
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
