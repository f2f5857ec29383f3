"""A tail in the plane."""

from __future__ import annotations

from dataclasses import dataclass, field

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import PlanarEngine, planar_engine
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from pairedperm.permutation.problem import Cost, Sides

_HOW = {"counting": "all swaps are counted", "tilted": "tilted sums in the plane"}


@dataclass(eq=False)
class Plane:
    """p by P(B ∈ region), at most one half, by these `sides`.

    `row_nanoseconds` is what a row of the region takes to be found.
    """

    law: PlanarLaw
    region: PlanarRegion
    sides: Sides
    row_nanoseconds: float = 0.0
    _engines: dict[Budget, PlanarEngine] = field(default_factory=dict)

    def _engine(self, budget: Budget) -> PlanarEngine:
        if budget not in self._engines:
            is_complement = self.sides == "but one"
            self._engines[budget] = planar_engine(self.law, self.region, is_complement, budget)
        return self._engines[budget]

    def cost(self, budget: Budget) -> Cost:
        """See `Form`."""
        engine = self._engine(budget)
        grid, n_bytes, how = engine.box, engine.n_bytes, _HOW[engine.name]
        seconds = 1e-9 * engine.nanoseconds
        if engine.name == "tilted":
            seconds += 1e-9 * self.row_nanoseconds * self.law.shape[1]
        return Cost(2, grid, grid[0] * grid[1], n_bytes, how, engine.excess, seconds)

    def pvalue(self, budget: Budget) -> CertifiedProbability:
        """See `Form`: relatively accurate."""
        engine = self._engine(budget)
        if engine.excess:
            raise BudgetError(engine.excess)
        return engine.run().on_sides(self.sides)
