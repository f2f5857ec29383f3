"""The method "bracket": a proven interval for p, for means of any real numbers."""

from __future__ import annotations

from dataclasses import replace

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.integers import SUM_BYTES
from pairedperm.convolution.reals.bracket import LISTED, bracket_lower_tail
from pairedperm.convolution.reals.rounded import QUICK_TAILS
from pairedperm.errors import BudgetError, InputError
from pairedperm.errors.wording import Parts, Setting
from pairedperm.options import Options
from pairedperm.permutation.problem import Problem

_LISTED = 150.0  # tuned: ns of a sum of a half
_LEAST_FREQUENCIES = 2**10  # tuned: least frequencies of a bracket
_BRACKET_BYTES = 2**25  # tuned: memory for it
_SIZE = 4e3  # tuned: ns of a distinct size
_PATIENCE = 1e7  # tuned: ns in which "auto" proves more than three digits
_TOO_WIDE, _SAMPLED_WELL = 0.1, 1e-3  # tuned: relative width, and p, for which samples tell more


class Bracket(Engine[Problem, Options]):
    """An engine for sums of scores, on a lattice or not; p is the upper end of the interval."""

    name = "bracket"

    def cost(self, problem: Problem, limits: Options) -> Cost | None:
        additive, method = problem.additive, Setting("method", "'bracket'")
        if additive is None:
            if limits.method == "auto":
                return None
            raise InputError(
                method,
                " is for means, sums over the examples: this score is another function of sums",
                remedy=Parts("Use ", Setting("method", "'auto'"), ", or 'monte_carlo'"),
            )
        if additive.sides == "all" or not problem.n_differing:
            return Cost(min(problem.n_differing, 1))
        if problem.n_differing <= LISTED:
            n_points = 1 << (problem.n_differing + 1) // 2
            grid, n_bytes, excess = (n_points,), SUM_BYTES * n_points, None
            how, nanoseconds = "all swaps are counted in two halves", _LISTED * n_points
        else:
            grid, n_points, n_bytes = None, _LEAST_FREQUENCIES, _BRACKET_BYTES
            how = "a proven interval from the characteristic function"
            nanoseconds = _patience(limits) + _SIZE * additive.split.counts.size
            what = Parts(method, f" needs at least {_LEAST_FREQUENCIES:,} frequencies")
            excess = limits.budget.excess(what, n_points=n_points)
        what = Parts(method, f" needs {n_bytes:.3g} bytes")
        excess = excess or limits.budget.excess(what, n_bytes=n_bytes)
        return Cost(1, how, grid, n_points, n_bytes, 1e-9 * nanoseconds, excess)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        additive = problem.additive
        if additive is None or additive.sides == "all" or not additive.split.counts.size:
            return Answer(CertifiedProbability.exactly(1.0))
        is_strict = additive.sides == "but one"
        p = bracket_lower_tail(additive.split, is_strict, limits.budget, _patience(limits))
        if additive.sides == "both" or not additive.split.slack:  # rounding may hide a tie
            p = p.at_most_half()
        p = p.on_sides(additive.sides)
        is_wide = p.relative_width > _TOO_WIDE and p.high > _SAMPLED_WELL
        if limits.method == "auto" and is_wide:
            raise BudgetError(f"the proven interval of p is {p.relative_width:.2g} of p wide")
        return Answer(replace(p, value=p.high, log=p.log_high))


def _patience(limits: Options) -> float:
    """Return the nanoseconds in which more than three digits are wanted."""
    return _PATIENCE if limits.method == "auto" else QUICK_TAILS


BRACKET = Bracket()
