"""The method "dp", Algorithm 3: all sums, one example after the other."""

from __future__ import annotations

from pairedperm.convolution.engine import Answer
from pairedperm.convolution.grid.whole_law import WholeLaw
from pairedperm.permutation.engines.grid import probability_of
from pairedperm.permutation.engines.whole import Whole, extreme_points
from pairedperm.permutation.problem import Problem


def _answer(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses (Zmigrod, Vieira & Cotterell 2022)."""
    part = law.masses("dp")
    return Answer(probability_of(part, extreme_points(problem, part), problem.n_differing))


DP = Whole("dp", "all sums, one example after the other (Algorithm 3)", _answer)
