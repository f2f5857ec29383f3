"""A proven interval from the characteristic function."""

from __future__ import annotations

from pairedperm.convolution.reals.bracket import BRACKET_BYTES, LEAST_FREQUENCIES, LISTED
from pairedperm.errors import BudgetError, InputError
from pairedperm.options import Budget, Options
from pairedperm.permutation.additive import bracketed
from pairedperm.permutation.listing import SUM_BYTES
from pairedperm.permutation.problem import Answer, Cost, Engine, Problem, known

__all__ = ["BRACKET"]


class Bracket(Engine):
    """An interval for p of a sum of scores, on a lattice or not; p is its upper end."""

    name = "bracket"
    form = "additive"

    def cost(self, problem: Problem, budget: Budget) -> Cost:
        """See `Engine`."""
        additive = problem.additive
        if additive is None:
            raise InputError(
                "method='bracket' is for means, sums over the examples: this score is another "
                "function of sums. Use method='auto', or 'monte_carlo'."
            )
        if additive.sides == "all" or not problem.n_differing:
            return known(min(problem.n_differing, 1))
        if problem.n_differing <= LISTED:
            n_points = 1 << (problem.n_differing + 1) // 2
            grid, n_bytes, excess = (n_points,), SUM_BYTES * n_points, None
            how = "all swaps are counted in two halves"
        else:
            grid, n_points, n_bytes = None, LEAST_FREQUENCIES, BRACKET_BYTES
            how = "a proven interval from the characteristic function"
            what = f"method='bracket' needs at least {LEAST_FREQUENCIES:,} frequencies"
            excess = budget.excess(what, n_points=n_points)
        what = f"method='bracket' needs {n_bytes:.3g} bytes"
        excess = excess or budget.excess(what, n_bytes=n_bytes)
        return Cost(1, grid, n_points, n_bytes, how, excess)

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`."""
        excess = self.cost(problem, options.budget).excess
        if excess:
            raise BudgetError(excess)
        assert problem.additive is not None
        return Answer(bracketed(problem.additive, options.budget))


BRACKET = Bracket()
