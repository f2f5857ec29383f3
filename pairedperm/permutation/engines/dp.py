"""Algorithm 3: all sums, one example after the other."""

from __future__ import annotations

from pairedperm.convolution.grid.whole_law import WholeEngine, WholeLaw
from pairedperm.permutation.engines.grid import probability_of
from pairedperm.permutation.engines.whole import Whole, extreme_points
from pairedperm.permutation.problem import Answer, Problem

__all__ = ["DP"]


class DynamicProgram(Whole):
    """Zmigrod, Vieira & Cotterell 2022, Algorithm 3."""

    name: WholeEngine = "dp"
    how: str = "all sums, one example after the other (Algorithm 3)"

    def answer(self, problem: Problem, law: WholeLaw) -> Answer:
        """The sum of the masses of what is extreme."""
        part = law.masses("dp")
        return Answer(probability_of(part, extreme_points(problem, part), problem.n_differing))


DP = DynamicProgram()
