"""Algorithm 1: random swaps, drawn from the distinct differences and not from the examples."""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.sampling import sampled_sums, swapping_cost
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Answer, Engine, Problem
from pairedperm.results.sampled import check_sampling, most_samples, sampled_pvalue

_CALL = 1e-5  # tuned: seconds of a caller's function, which may score one row at a time


class MonteCarlo(Engine):
    """The share of random swaps that are at least as extreme as observed.

    As many as asked for; 9,999 if not, from which "auto" goes on where few of them are extreme.
    """

    name = "monte_carlo"

    def cost(self, problem: Problem, budget: Budget) -> None:
        """What a sample takes is for the caller to say."""
        return

    def check_samples(self, problem: Problem, options: Options) -> float:
        """Seconds of those that are drawn in any case.

        Raises
        ------
        BudgetError
            If they would take more than an hour, or too much memory.
        """
        max_bytes = options.budget.max_bytes
        cost = swapping_cost(problem.vectors, problem.multiplicities, max_bytes)
        return check_sampling(options, cost)

    def how_many(self, problem: Problem, options: Options) -> tuple[int, float]:
        """Up to how many are drawn, and the seconds of each; for errors `check_samples`."""
        each = self.check_samples(problem, options) / options.n_first
        most = most_samples(options, each + (_CALL if problem.calls_function else 0.0))
        return most, each

    def run(self, problem: Problem, options: Options) -> Answer:
        """The p-value (k + 1) / (m + 1), k of m random swaps being at least as extreme as observed.

        Counting the observed assignment keeps the test valid: P(p ≤ α) ≤ α (Phipson & Smyth 2010,
        equation 2). The interval is Clopper and Pearson's for k of m; for k = 0 its lower end is
        2^-n, for the observed assignment is one of 2^n, or p if that is less. See
        `sampled_pvalue` where m is left to chance.

        Raises
        ------
        BudgetError
            If it would take more than an hour, before anything is drawn.
        """
        first, n, total = options.n_first, problem.n_differing, problem.total
        most, each = self.how_many(problem, options)
        seed = options.drawn_seed()
        rng, max_bytes = np.random.default_rng(seed), options.budget.max_bytes
        drawn = problem.vectors, problem.multiplicities
        sums = sampled_sums(*drawn, most, rng, max_bytes, pause=first)
        blocks = (problem.extreme(total - 2 * block) for block in sums)
        found = sampled_pvalue(blocks, first, most, each, seed)
        if found.low > 0.0:
            return Answer(found)
        low = min(math.ldexp(1.0, -n), found.value)  # the observed assignment is one of 2^n
        log_low = min(-n * math.log(2.0), found.log)
        return Answer(found._replace(low=low, log_low=log_low))


MONTE_CARLO = MonteCarlo()
