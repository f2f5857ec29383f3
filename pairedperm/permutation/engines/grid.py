"""All points of the sums' lattice, and their masses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.grid.parts import Part, total_mass
from pairedperm.errors import BudgetError
from pairedperm.options import Budget, Options
from pairedperm.permutation.problem import Answer, Cost, Engine, Problem

__all__ = ["GRID", "probability_of"]

_DYADIC = 52  # examples whose probabilities, multiples of 2^-n, are floats and add up exactly
_WIDE = 1e-10  # relative width of an interval from which on another law may be worth its cost


class Grid(Engine):
    """The sum of the masses of what is extreme, one point of the law after the other."""

    name = "exact"
    form = "grid"

    def cost(self, problem: Problem, budget: Budget) -> Cost | None:
        """See `Engine`."""
        if problem.grid is None:
            return None
        law, excess = problem.grid.differences.law, None
        try:
            law.check(budget)
        except BudgetError as error:
            excess = str(error)
        return Cost(law.rank, law.grid, law.n_points, law.n_bytes, law.how, excess)

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`.

        Where the law within a window, or by a Fourier transform, knows p badly, for it is small,
        it is computed again from positive terms on the whole support, if that is affordable.
        """
        sums, budget = problem.grid, options.budget
        law = sums.differences.law
        part = law.computed(budget)
        p = probability_of(part, sums.extremes.among(part), sums.n_differing)
        if p.high - p.low > _WIDE * p.low and not law.is_whole:
            try:
                part = law.as_whole().computed(budget)
            except BudgetError:
                return Answer(p)
            p = probability_of(part, sums.extremes.among(part), sums.n_differing)
        return Answer(p)


GRID = Grid()


def probability_of(
    law: Part, flags: NDArray[np.bool_], n: int, is_upper_end: bool = True
) -> CertifiedProbability:
    """Of the points with a flag, one of which is observed; those that are lost may have one too.

    n variables have 2^n assignments. With `is_upper_end`, p is the upper end of its interval
    where that is far above the lower one.
    """
    value = total_mass(law.masses[flags])
    if n <= _DYADIC and not law.error and not law.lost and value:
        return CertifiedProbability.exactly(value)
    p = CertifiedProbability.within(value, law.relative_error, law.error, law.lost, n)
    if is_upper_end and p.low < p.high / 2.0:  # not to understate it
        return replace(p, value=p.high, log=p.log_high)
    return p
