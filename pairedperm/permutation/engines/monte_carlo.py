"""The method "monte_carlo", Algorithm 1: random swaps, drawn from the distinct differences."""

from __future__ import annotations

import math

from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.integers import n_sums
from pairedperm.convolution.sampling import swapping_cost
from pairedperm.errors import BudgetError
from pairedperm.options import Options
from pairedperm.permutation.problem import Problem
from pairedperm.results.sampled import check_sampling, most_samples, sampled_pvalue

CALL = 1e-5  # tuned: seconds that a caller's function may take for each row


class MonteCarlo(Engine[Problem, Options]):
    """The engine that draws random swaps, and counts those as extreme as observed.

    It draws `n_resamples` swaps, 9,999 by default. "auto" draws more if few of these are extreme.
    """

    name = "monte_carlo"

    def cost(self, problem: Problem, limits: Options) -> Cost:
        """See `Engine`; the seconds are those of the samples that are always drawn.

        Its work is the largest number of samples, and the seconds for each.
        """
        max_bytes = limits.budget.max_bytes
        cost = swapping_cost(problem.vectors, problem.multiplicities, max_bytes)
        rank, n = min(problem.vectors.shape), n_sums(problem.multiplicities)  # no lattice is sought
        size = rank, "p is sampled", None, n, int(cost.n_bytes)
        try:
            seconds = check_sampling(limits, cost)
        except BudgetError as error:
            return Cost(*size, excess=error.message)
        each = seconds / limits.n_first
        most = most_samples(limits, each + (CALL if problem.calls_function else 0.0))
        return Cost(*size, seconds, work=(most, each))

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
        found = sampled_pvalue(blocks, first, most, each, seed)
        if found.low > 0.0:
            return Answer(found)
        low = min(math.ldexp(1.0, -n), found.value)  # the observed assignment is one of 2^n
        log_low = min(-n * math.log(2.0), found.log)
        return Answer(found._replace(low=low, log_low=log_low))


MONTE_CARLO = MonteCarlo()
