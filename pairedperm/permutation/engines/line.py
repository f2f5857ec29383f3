"""The engine of a tail on a line."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.tail import Line
from pairedperm.options import Options
from pairedperm.permutation.problem import Sides


class LineTail(NamedTuple):
    """The tail P(B ≤ bound) on a line, accurate relatively.

    `n_ends` more assignments (fewer, if negative) are extreme, at the ends of the line. `sides`
    tells how the p-value follows. `p` is the tail, if it is known.
    """

    line: Line
    bound: int
    sides: Sides = "one"
    n_ends: int = 0
    p: CertifiedProbability | None = None


class OnLine(Engine[LineTail, Options]):
    """The engine that computes such a tail."""

    name = "line"

    def cost(self, problem: LineTail, limits: Options) -> Cost:
        """See `Engine`."""
        if problem.p is not None:
            return Cost(1, settles=True)
        return problem.line.cost(problem.bound, limits.budget)

    def run(self, problem: LineTail, limits: Options, cost: Cost) -> Answer:
        """See `Engine`."""
        if problem.p is not None:
            return Answer(problem.p.on_sides(problem.sides))
        answer = problem.line.tail(problem.bound, limits.budget, cost)
        p = answer.p
        if problem.n_ends:
            p = p.with_powers_of_half(problem.n_ends, problem.line.n)
        return answer._replace(p=p.on_sides(problem.sides))


ON_LINE = OnLine()


def ascending(values: IntArray, counts: IntArray) -> Line:
    """Return the law of these values of a line, sorted."""
    order = np.argsort(values)
    return Line(values[order], counts[order], exact_dot(counts, values))
