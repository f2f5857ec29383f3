"""A tail on a line."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.tail import Engine, tail_engine
from pairedperm.convolution.line.window import hoeffding_length
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from pairedperm.permutation.problem import Cost, Sides, known

_HOW = {  # how the tail is found
    "counting": "all swaps are counted in one big integer",
    "enumeration": "all swaps are counted in two halves",
    "halves": "the laws of two halves of the examples are added",
    "tilted": "a tilted sum on a line",
}


@dataclass(eq=False)
class Line:
    """p by the tail P(B ≤ bound), B = Σ values · Binomial(counts, 1/2), `total` at most.

    `n_ends` assignments more, or less, are extreme, which are at the ends of the line; p follows
    by these `sides`. `p` is that tail, where it is known.
    """

    values: IntArray
    counts: IntArray
    total: int
    bound: int
    sides: Sides = "one"
    n_ends: int = 0
    p: CertifiedProbability | None = None
    _engines: dict[Budget, Engine] = field(default_factory=dict)

    def _engine(self, budget: Budget) -> Engine:
        if budget not in self._engines:
            line = self.values, self.counts, self.bound, self.total
            self._engines[budget] = tail_engine(*line, budget)
        return self._engines[budget]

    def cost(self, budget: Budget) -> Cost:
        """See `Form`."""
        rank = min(self.values.size, 1)
        if self.p is not None:
            return known(rank)
        try:
            found = self._engine(budget)
        except BudgetError as error:
            length = hoeffding_length(self.values, self.counts)
            return Cost(1, (length,), length, 0, "", str(error))
        if found.name == "known":
            return known(rank)
        n, how, seconds = found.n_points, _HOW[found.name], 1e-9 * found.nanoseconds
        return Cost(rank, (n,), n, found.n_bytes, how, None, seconds)

    def pvalue(self, budget: Budget) -> CertifiedProbability:
        """See `Form`: relatively accurate."""
        p = self.p
        if p is None:
            p = self._engine(budget).run()
            if self.n_ends:
                p = p.with_powers_of_half(self.n_ends, int(self.counts.sum()))
        return p.on_sides(self.sides)


def ascending(values: IntArray, counts: IntArray) -> tuple[IntArray, IntArray, int]:
    """The values of a line in their order, how often each occurs, and the sum of all."""
    order = np.argsort(values)
    return values[order], counts[order], exact_dot(counts, values)
