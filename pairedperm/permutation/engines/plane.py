"""A tail in the plane."""

from __future__ import annotations

from pairedperm.convolution.plane.tail import planar_size, planar_tail
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Answer, Cost, Engine, Problem

__all__ = ["PLANE"]


class PlaneEngine(Engine):
    """The tail of a sum of independent vectors in the plane, relatively accurate."""

    name = "exact"
    form = "plane"

    def cost(self, problem: Problem, budget: Budget) -> Cost | None:
        """See `Engine`; how many frequencies it takes, only its computation tells."""
        plane = problem.plane
        if plane is None:
            return None
        region = plane.region if plane.is_quick else None
        grid, n_bytes, is_counted = planar_size(plane.law, budget, region)
        how = "all swaps are counted" if is_counted else "tilted sums in the plane"
        what = f"the exact p-value needs {n_bytes:.3g} bytes for sums in two dimensions"
        excess = budget.excess(what, n_bytes=n_bytes)
        return Cost(2, grid, grid[0] * grid[1], n_bytes, how, excess)

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`."""
        plane = problem.plane
        assert plane is not None
        is_complement, budget = plane.is_complement, options.budget
        tail = planar_tail(plane.law, plane.region, is_complement=is_complement, budget=budget)
        if plane.sides == 2:
            return Answer(tail.doubled())
        return Answer(tail.complement() if is_complement else tail)


PLANE = PlaneEngine()
