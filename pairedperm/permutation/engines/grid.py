"""The engine of a function of sums: p from all points of the sums' lattice."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.grid.product_law import ProductLaw
from pairedperm.convolution.grid.span import PointMasses, total_mass
from pairedperm.errors import BudgetError
from pairedperm.options import Budget, Options
from pairedperm.permutation.extremes import ScoreExtremes, point_nanoseconds

_DYADIC = 52  # proof: up to so many examples n, multiples of 2^-n add up exactly in floats
AGAIN = 3.0  # tuned: seconds for both laws; if the first takes more, the other may take as long
_WIDE = 1e-10  # tuned: relative width; for a wider interval the law may be computed again


class GridTail(NamedTuple):
    """The extreme points of the law of n swaps."""

    law: ProductLaw
    extremes: ScoreExtremes
    n: int

    def of(self, law: ProductLaw, budget: Budget) -> CertifiedProbability:
        """Return the mass of the extreme points; the law is this one, or the same on a support."""
        part = law.masses(budget)
        return probability_of(part, self.extremes.among(part), self.n)


class OnGrid(Engine[GridTail, Options]):
    """The engine that adds up the masses of all extreme points.

    A small p may be lost in the errors of a law within a window, or by a Fourier transform. Then
    the law is computed again from positive terms on the whole support, if that is affordable. The
    work of the cost is this law, or None.
    """

    name = "grid"

    def cost(self, problem: GridTail, limits: Options) -> Cost:
        """See `Engine`."""
        law = problem.law
        size = law.rank, law.how, law.grid, law.n_points, law.n_bytes
        try:
            law.check(limits.budget)
        except BudgetError as error:
            return Cost(*size, excess=error.message)
        whole = None if law.is_relative else _whole(law, limits.budget)
        seconds = _seconds(law) + (0.0 if whole is None else _seconds(whole))
        return Cost(*size, seconds, work=whole)

    def run(self, problem: GridTail, limits: Options, cost: Cost) -> Answer:
        """See `Engine`."""
        p, whole = problem.of(problem.law, limits.budget), cost.work
        if whole is not None and p.high - p.low > _WIDE * p.low:
            p = problem.of(whole, limits.budget)
        return Answer(p)


ON_GRID = OnGrid()


def _whole(law: ProductLaw, budget: Budget) -> ProductLaw | None:
    """Return the law on its whole support, if it takes only seconds and fits the budget."""
    whole = law.as_whole()
    try:
        whole.check(budget)
    except BudgetError:
        return None
    first, second = _seconds(law), _seconds(whole)
    return whole if second <= max(AGAIN - first, first if first > AGAIN else 0.0) else None


def _seconds(law: ProductLaw) -> float:
    """Return the time for the masses and for the score at each point."""
    each = point_nanoseconds(len(law.grid or ()), law.vectors.shape[1])
    return float(1e-9 * (law.nanoseconds + each * law.n_attained))


def probability_of(
    law: PointMasses, flags: NDArray[np.bool_], n: int, is_upper_end: bool = True
) -> CertifiedProbability:
    """Return the mass of the flagged points; one of them is the observed point.

    The law is of n swaps. Mass that the law has lost may belong to flagged points, and widens
    the interval. With `is_upper_end`, p is the upper end of its interval if the lower end is
    below half of it.
    """
    value = total_mass(law.masses[flags])
    if n <= _DYADIC and not law.error and not law.lost and value:
        return CertifiedProbability.exactly(value)
    p = CertifiedProbability.within(value, law.relative_error, law.error, law.lost, n)
    if is_upper_end and p.low < p.high / 2.0:  # p is not understated
        return replace(p, value=p.high, log=p.log_high)
    return p
