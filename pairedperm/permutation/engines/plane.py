"""A tail in the plane."""

from __future__ import annotations

from typing import NamedTuple

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import planar_size, planar_tail
from pairedperm.options import Budget
from pairedperm.permutation.problem import Cost, Sides


class Plane(NamedTuple):
    """p by P(B ∈ region), at most one half, by these `sides`.

    `is_quick` says whether a region knows its corners without a search.
    """

    law: PlanarLaw
    region: PlanarRegion
    sides: Sides
    is_quick: bool

    def cost(self, budget: Budget) -> Cost:
        """See `Form`; how many frequencies it takes, only its computation tells."""
        region = self.region if self.is_quick else None
        grid, n_bytes, is_counted = planar_size(self.law, budget, region)
        how = "all swaps are counted" if is_counted else "tilted sums in the plane"
        what = f"the exact p-value needs {n_bytes:.3g} bytes for sums in two dimensions"
        excess = budget.excess(what, n_bytes=n_bytes)
        return Cost(2, grid, grid[0] * grid[1], n_bytes, how, excess)

    def pvalue(self, budget: Budget) -> CertifiedProbability:
        """See `Form`: relatively accurate."""
        is_complement = self.sides == "but one"
        p = planar_tail(self.law, self.region, is_complement=is_complement, budget=budget)
        return p.on_sides(self.sides)
