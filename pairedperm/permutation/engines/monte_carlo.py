"""Algorithm 1: random swaps, drawn from the distinct differences and not from the examples."""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.sampling import sampled_sums, swapping_cost
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Answer, Engine, Problem
from pairedperm.results.sampled import check_sampling, sampled_share, sampling_bar


class MonteCarlo(Engine):
    """The share of random swaps that are at least as extreme as observed."""

    name = "monte_carlo"

    def cost(self, problem: Problem, budget: Budget) -> None:
        """What a sample takes is for the caller to say."""
        return

    def check_samples(self, problem: Problem, options: Options) -> float:
        """Seconds; BudgetError if so many samples would take an hour, or too much memory."""
        max_bytes = options.budget.max_bytes
        cost = swapping_cost(problem.vectors, problem.multiplicities, max_bytes)
        return check_sampling(options, cost)

    def run(self, problem: Problem, options: Options) -> Answer:
        """The p-value (k + 1) / (m + 1), k of m random swaps being at least as extreme as observed.

        Counting the observed assignment keeps the test valid: P(p ≤ α) ≤ α (Phipson & Smyth 2010,
        equation 2). The interval is Clopper and Pearson's for k of m; for k = 0 its lower end is
        2^-n, for the observed assignment is one of 2^n, or p if that is less.

        Raises
        ------
        BudgetError
            If it would take more than an hour, before anything is drawn.
        """
        seconds, seed = self.check_samples(problem, options), options.drawn_seed()
        m, n, k, total = options.n_resamples, problem.n_differing, 0, problem.total
        rng, max_bytes = np.random.default_rng(seed), options.budget.max_bytes
        with sampling_bar(m, seconds) as bar:
            for sums in sampled_sums(problem.vectors, problem.multiplicities, m, rng, max_bytes):
                k += int(problem.extreme(total - 2 * sums).sum())
                bar.update(len(sums))
        found = sampled_share(k, m, seed)
        if k:
            return Answer(found)
        low = min(math.ldexp(1.0, -n), found.value)  # the observed assignment is one of 2^n
        log_low = min(-n * math.log(2.0), found.log)
        return Answer(found._replace(low=low, log_low=log_low))


MONTE_CARLO = MonteCarlo()
