"""All sums, counted in big integers."""

from __future__ import annotations

from fractions import Fraction

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.grid.whole_law import WholeEngine, WholeLaw
from pairedperm.permutation.engines.whole import Whole, extreme_points
from pairedperm.permutation.problem import Answer, Problem

__all__ = ["RATIONAL"]


class Rational(Whole):
    """How many swaps are extreme, exactly; needs python-flint."""

    name: WholeEngine = "rational"
    how: str = "all sums, in big integers"
    fraction_of_one: Fraction | None = Fraction(1)

    def answer(self, problem: Problem, law: WholeLaw) -> Answer:
        """The number of extreme swaps over that of all."""
        points = law.points()
        n_extreme = law.n_assignments(points.numbers[extreme_points(problem, points)])
        power = 1 << problem.n_differing
        return Answer(CertifiedProbability.from_ratio(n_extreme, power), Fraction(n_extreme, power))


RATIONAL = Rational()
