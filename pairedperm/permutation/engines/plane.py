"""The form of a tail in the plane."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import PlanarEngine, planar_engine
from pairedperm.options import Budget
from pairedperm.permutation.problem import Answer, Cost, Prepared, Sides, refused

_HOW = {"counting": "all swaps are counted", "tilted": "tilted sums in the plane"}


class Plane(NamedTuple):
    """A form with the tail P(B ∈ region), at most one half; `sides` tells how p follows.

    `row_nanoseconds` is the time to find a row of the region.
    """

    law: PlanarLaw
    region: PlanarRegion
    sides: Sides
    row_nanoseconds: float = 0.0

    def prepared(self, budget: Budget) -> Prepared:
        """See `Form`; p is accurate relatively."""
        is_complement = self.sides == "but one"
        engine = planar_engine(self.law, self.region, is_complement, budget)
        grid, n_bytes, how = engine.box, engine.n_bytes, _HOW[engine.name]
        seconds = 1e-9 * engine.nanoseconds
        if engine.name == "tilted":
            seconds += 1e-9 * self.row_nanoseconds * self.law.shape[1]
        cost = Cost(2, grid, grid[0] * grid[1], n_bytes, how, engine.excess, seconds)
        return refused(cost) if cost.excess else Prepared(cost, partial(self._answer, engine))

    def _answer(self, engine: PlanarEngine) -> Answer:
        return Answer(engine.run().on_sides(self.sides))
