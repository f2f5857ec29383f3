"""The method "monte_carlo", Algorithm 1: random swaps, drawn from the distinct differences."""

from __future__ import annotations

import math

from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.integers import n_sums
from pairedperm.convolution.sampling import swapping_cost
from pairedperm.options import Options
from pairedperm.permutation.problem import Problem
from pairedperm.results.sampled import most_samples, sampled_pvalue, sampling_cost

CALL = 1e-5  # tuned: seconds that a caller's function may take for each row


class MonteCarlo(Engine[Problem, Options]):
    """The engine that draws random swaps, and counts those as extreme as observed.

    It draws `n_resamples` swaps, 9,999 by default. "auto" draws more if few of these are extreme.
    """

    name = "monte_carlo"

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
        return Answer(p._replace(low=low, log_low=log_low))


MONTE_CARLO = MonteCarlo()
