"""A tail on a line."""

from __future__ import annotations

from pairedperm.convolution.line.tail import tail_engine
from pairedperm.convolution.line.window import hoeffding_length
from pairedperm.errors import BudgetError
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Answer, Cost, Engine, Problem, known

__all__ = ["TILTED"]

_HOW = {  # how the tail is found
    "counting": "all swaps are counted in one big integer",
    "enumeration": "all swaps are counted in two halves",
    "halves": "the laws of two halves of the examples are added",
    "tilted": "a tilted sum on a line",
}


class Tilted(Engine):
    """The tail of a sum of independent integers, relatively accurate."""

    name = "exact"
    form = "line"

    def cost(self, problem: Problem, budget: Budget) -> Cost | None:
        """See `Engine`."""
        line = problem.line
        if line is None:
            return None
        rank = min(line.values.size, 1)
        if line.p is not None:
            return known(rank)
        try:
            found = tail_engine(line.values, line.counts, line.bound, line.total, budget)
        except BudgetError as error:
            length = hoeffding_length(line.values, line.counts)
            return Cost(1, (length,), length, 0, "", str(error))
        if found.name == "known":
            return known(rank)
        return Cost(rank, (found.n_points,), found.n_points, found.n_bytes, _HOW[found.name])

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`."""
        line = problem.line
        assert line is not None
        p = line.p
        if p is None:
            tail = tail_engine(line.values, line.counts, line.bound, line.total, options.budget)
            p = tail.run()
            if line.n_ends:
                p = p.with_powers_of_half(line.n_ends, problem.n_differing)
        if line.sides == 2:
            return Answer(p.doubled())
        return Answer(p.complement() if line.is_complement else p)


TILTED = Tilted()
