"""The engine of a tail in the plane."""

from __future__ import annotations

from typing import NamedTuple

from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.tail import TILTED, Plane
from pairedperm.options import Options
from pairedperm.permutation.problem import Sides


class PlaneTail(NamedTuple):
    """The tail P(B ∈ region), at most one half; `sides` tells how p follows.

    `row_nanoseconds` is the time to find a row of the region.
    """

    plane: Plane
    region: PlanarRegion
    sides: Sides
    row_nanoseconds: float = 0.0


class OnPlane(Engine[PlaneTail, Options]):
    """The engine that computes such a tail, accurate relatively."""

    name = "plane"

    def cost(self, problem: PlaneTail, limits: Options) -> Cost:
        """See `Engine`."""
        plane, region, sides, each = problem
        cost = plane.cost(region, sides == "but one", limits.budget)
        n_rows = plane.law.shape[1] if cost.work.engine is TILTED else 0
        return cost._replace(seconds=cost.seconds + 1e-9 * each * n_rows)

    def run(self, problem: PlaneTail, limits: Options, cost: Cost) -> Answer:
        """See `Engine`."""
        plane, region, sides, _ = problem
        answer = plane.tail(region, sides == "but one", limits.budget, cost)
        return answer._replace(p=answer.p.on_sides(sides))


ON_PLANE = OnPlane()
