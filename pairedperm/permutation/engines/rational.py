"""The method "rational": all sums, counted in big integers."""

from __future__ import annotations

from fractions import Fraction

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer
from pairedperm.convolution.grid.whole_law import WholeLaw
from pairedperm.permutation.engines.whole import Whole, extreme_points
from pairedperm.permutation.problem import Problem


def _answer(problem: Problem, law: WholeLaw) -> Answer:
    """Return the exact share of extreme swaps; needs python-flint."""
    points = law.points()
    n_extreme = law.n_assignments(points.numbers[extreme_points(problem, points)])
    power = 1 << problem.n_differing
    return Answer(CertifiedProbability.from_ratio(n_extreme, power), Fraction(n_extreme, power))


RATIONAL = Whole("rational", "all sums, in big integers", _answer, is_rational=True)
