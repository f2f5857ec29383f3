"""The method "monte_carlo", Algorithm 1: random swaps, drawn from the distinct differences."""

from __future__ import annotations

import math

from pairedperm.convolution.sampling import swapping_cost
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Answer, Engine, Problem
from pairedperm.results.sampled import check_sampling, most_samples, sampled_pvalue

CALL = 1e-5  # tuned: seconds that a caller's function may take for each row


class MonteCarlo(Engine):
    """The engine that draws random swaps, and counts those as extreme as observed.

    It draws `n_resamples` swaps, 9,999 by default. "auto" draws more if few of these are extreme.
    """

    name = "monte_carlo"

    def cost(self, problem: Problem, budget: Budget) -> None:
        """Return None: the caller decides by the number of samples."""
        return

    def check_samples(self, problem: Problem, options: Options) -> float:
        """Estimate the seconds for the samples that are always drawn.

        Raises
        ------
        BudgetError
            If they would take more than an hour, or more memory than the budget allows.
        """
        max_bytes = options.budget.max_bytes
        cost = swapping_cost(problem.vectors, problem.multiplicities, max_bytes)
        return check_sampling(options, cost)

    def how_many(self, problem: Problem, options: Options) -> tuple[int, float]:
        """Return the largest number of samples, and the seconds for each; see `check_samples`."""
        each = self.check_samples(problem, options) / options.n_first
        most = most_samples(options, each + (CALL if problem.calls_function else 0.0))
        return most, each

    def run(self, problem: Problem, options: Options) -> Answer:
        """Return p = (k + 1) / (m + 1) if k of m random swaps are at least as extreme as observed.

        The observed assignment counts, which keeps the test valid: P(p ≤ α) ≤ α (Phipson & Smyth
        2010, equation 2). The interval is Clopper and Pearson's for k of m. If k = 0, its lower
        end is 2^-n, or p if that is less. See `sampled_pvalue` for an m that is left to chance.

        Raises
        ------
        BudgetError
            If the samples would take more than an hour; nothing is drawn then.
        """
        first, n = options.n_first, problem.n_differing
        most, each = self.how_many(problem, options)
        seed = options.drawn_seed(problem.vectors, problem.multiplicities)
        sums = problem.swaps(most, seed, options.budget.max_bytes, pause=first)
        blocks = map(problem.extreme, sums)
        found = sampled_pvalue(blocks, first, most, each, seed)
        if found.low > 0.0:
            return Answer(found)
        low = min(math.ldexp(1.0, -n), found.value)  # the observed assignment is one of 2^n
        log_low = min(-n * math.log(2.0), found.log)
        return Answer(found._replace(low=low, log_low=log_low))


MONTE_CARLO = MonteCarlo()
