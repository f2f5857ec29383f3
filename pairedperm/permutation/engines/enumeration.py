"""All swaps, listed: of a sum in two halves, of another score one after the other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from pairedperm.convolution.assignments import SUM_BYTES, TOGETHER, listed_sums, n_sums
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.line.enumeration import (
    TOO_MANY,
    enumerate_lower_tail,
    enumeration_bytes,
    enumeration_size,
)
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Additive, Answer, Cost, Engine, Problem, known

_TOO_MANY = 2**40  # tuned: sums that fit into no memory


class Enumeration(Engine):
    """How many swaps are extreme, whatever numbers the scores are."""

    name = "enumeration"

    def cost(self, problem: Problem, budget: Budget) -> Cost:
        """See `Engine`."""
        if not problem.n_differing:
            return known(0)
        n, n_bytes = self.size(problem)
        if problem.additive is not None:
            rank, how = 1, "all swaps are counted in two halves"
            what = f"up to {n:,} sums of half of the examples"
        else:
            rank, how, what = problem.rank, "all swaps are listed", f"{n:.3g} sums"
        if n >= TOO_MANY:
            what = f"the sums of all swaps of {problem.n_differing} differing examples"
            refused = f"method='enumeration' needs {what}, which no budget allows."
            return Cost(rank, None, n, n_bytes, how, refused)
        needs = f"method='enumeration' needs {what}"
        excess = budget.excess(needs, n_points=n)
        excess = excess or budget.excess(f"{needs}, {n_bytes:.3g} bytes", n_bytes=n_bytes)
        return Cost(rank, (n,), n, n_bytes, how, excess)

    def size(self, problem: Problem) -> tuple[int, int]:
        """How many sums are listed, of a sum those of a half, and the memory for them."""
        if problem.additive is not None:
            return _size_of_half(problem.additive)
        n = n_sums(problem.multiplicities)
        return n, (SUM_BYTES + 8 * sum(problem.vectors.shape)) * min(n, TOGETHER)

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`."""
        self.check(problem, options.budget)
        if not problem.n_differing:
            return Answer(CertifiedProbability.exactly(1.0), Fraction(1))
        if problem.additive is not None:
            return _in_halves(problem.additive)
        return swap_by_swap(problem)


def _size_of_half(additive: Additive) -> tuple[int, int]:
    """How many sums are listed of each half, and the memory for them."""
    n = enumeration_size(additive.split.counts.tolist())
    if n > _TOO_MANY:
        return n, SUM_BYTES * n
    split, _ = additive.in_integers()
    counts = split.counts.tolist()
    return enumeration_size(counts), enumeration_bytes(counts, split.total())


def _in_halves(additive: Additive) -> Answer:
    """Of all 2^n assignments, by meeting in the middle.

    Ties are decided in exact integers. The interval reaches up to the p of assignments that tie
    with the observed one up to the rounding of the scores.
    """
    split, slack = additive.in_integers()
    values, counts = [int(value) for value in split.values], split.counts.tolist()
    n, lesser = sum(counts), split.taken
    if additive.sides == "all" or not n:
        return Answer(CertifiedProbability.exactly(1.0), Fraction(1))
    if additive.sides == "but one":
        bounds = [lesser - 1, lesser - slack - 1]
        exact, near = (2**n - k for k in enumerate_lower_tail(values, counts, bounds))
    else:
        exact, near = enumerate_lower_tail(values, counts, [lesser, lesser + slack])
    power = 2 ** (n - 1 if additive.sides == "both" else n)
    p = CertifiedProbability.from_ratio(min(exact, power), power)
    highest = CertifiedProbability.from_ratio(min(near, power), power)
    p = replace(p, high=highest.high, log_high=highest.log_high)
    return Answer(p, Fraction(exact, power))


def swap_by_swap(problem: Problem) -> Answer:
    """Near ties of a function of real rows, which its rounding decides, widen the interval."""
    total = np.asarray(problem.total, dtype=np.int64)
    n_extreme = n_surely = 0
    for sums, ways in listed_sums(problem.vectors, problem.multiplicities):
        signed: Any = total - 2 * sums
        n_extreme += int(ways[problem.extreme(signed)].sum())
        if problem.no_lattice:
            n_surely += int(ways[problem.surely_extreme(signed)].sum())
    power = 1 << problem.n_differing
    p = CertifiedProbability.from_ratio(n_extreme, power)
    if problem.no_lattice and n_surely < n_extreme:
        least = CertifiedProbability.from_ratio(n_surely, power)
        return Answer(replace(p, low=least.low, log_low=least.log_low))
    return Answer(p, Fraction(n_extreme, power))


ENUMERATION = Enumeration()
