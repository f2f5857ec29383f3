"""The form of a tail on a line."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.tail import Engine, tail_engine
from pairedperm.convolution.line.window import hoeffding_length
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from pairedperm.permutation.problem import Answer, Cost, Prepared, Sides, known, refused

_HOW = {
    "counting": "all swaps are counted in one big integer",
    "enumeration": "all swaps are counted in two halves",
    "halves": "the laws of two halves of the examples are added",
    "tilted": "a tilted sum on a line",
}


class Line(NamedTuple):
    """A form with the tail P(B ≤ bound), B = Σ values · Binomial(counts, 1/2), at most `total`.

    `n_ends` more assignments (fewer, if negative) are extreme, at the ends of the line. `sides`
    tells how the p-value follows. `p` is the tail, if it is known.
    """

    values: IntArray
    counts: IntArray
    total: int
    bound: int
    sides: Sides = "one"
    n_ends: int = 0
    p: CertifiedProbability | None = None

    def prepared(self, budget: Budget) -> Prepared:
        """See `Form`; p is accurate relatively."""
        rank = min(self.values.size, 1)
        if self.p is not None:
            return Prepared(known(rank), partial(self._answer, self.p))
        try:
            engine = tail_engine(self.values, self.counts, self.bound, self.total, budget)
        except BudgetError as error:
            length = hoeffding_length(self.values, self.counts)
            return refused(Cost(1, (length,), length, 0, "", error.message))
        if engine.name == "known":
            cost = known(rank)
        else:
            n, how, seconds = engine.n_points, _HOW[engine.name], 1e-9 * engine.nanoseconds
            cost = Cost(rank, (n,), n, engine.n_bytes, how, None, seconds)
        return Prepared(cost, partial(self._computed, engine))

    def _computed(self, engine: Engine) -> Answer:
        p = engine.run()
        if self.n_ends:
            p = p.with_powers_of_half(self.n_ends, int(self.counts.sum()))
        return Answer(p.on_sides(self.sides))

    def _answer(self, p: CertifiedProbability) -> Answer:
        return Answer(p.on_sides(self.sides))


def ascending(values: IntArray, counts: IntArray) -> tuple[IntArray, IntArray, int]:
    """Sort the values of a line; return them, how often each occurs, and the sum of all."""
    order = np.argsort(values)
    return values[order], counts[order], exact_dot(counts, values)
