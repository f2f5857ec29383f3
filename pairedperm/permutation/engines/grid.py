"""The form of a function of sums: p from all points of the sums' lattice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.grid.parts import Part, total_mass
from pairedperm.convolution.grid.product_law import ProductLaw
from pairedperm.errors import BudgetError
from pairedperm.options import Budget
from pairedperm.permutation.extremes import ScoreExtremes, point_nanoseconds
from pairedperm.permutation.problem import Answer, Cost, Prepared, refused

_DYADIC = 52  # proof: up to so many examples n, multiples of 2^-n add up exactly in floats
AGAIN = 3.0  # tuned: seconds for both laws; if the first takes more, the other may take as long
_WIDE = 1e-10  # tuned: relative width; for a wider interval the law may be computed again


class Grid(NamedTuple):
    """A form that adds up the masses of all extreme points of the law of n swaps."""

    law: ProductLaw
    extremes: ScoreExtremes
    n: int

    def prepared(self, budget: Budget) -> Prepared:
        """See `Form`.

        A small p may be lost in the errors of a law within a window, or by a Fourier transform.
        Then the law is computed again from positive terms on the whole support, if that is
        affordable.
        """
        law, seconds, whole, excess = self.law, 0.0, None, None
        try:
            law.check(budget)
            seconds, whole = self._seconds(law), None if law.is_relative else self._whole(budget)
            seconds += 0.0 if whole is None else self._seconds(whole)
        except BudgetError as error:
            excess = error.message
        cost = Cost(law.rank, law.grid, law.n_points, law.n_bytes, law.how, excess, seconds)
        return refused(cost) if excess else Prepared(cost, partial(self._answer, whole, budget))

    def _whole(self, budget: Budget) -> ProductLaw | None:
        """Return the law on its whole support, if it takes only seconds and fits the budget."""
        whole = self.law.as_whole()
        try:
            whole.check(budget)
        except BudgetError:
            return None
        first, second = self._seconds(self.law), self._seconds(whole)
        return whole if second <= max(AGAIN - first, first if first > AGAIN else 0.0) else None

    def _seconds(self, law: ProductLaw) -> float:
        """Return the time for the masses and for the score at each point."""
        each = point_nanoseconds(len(law.grid or ()), law.vectors.shape[1])
        return float(1e-9 * (law.nanoseconds + each * law.n_attained))

    def _answer(self, whole: ProductLaw | None, budget: Budget) -> Answer:
        part = self.law.computed(budget)
        p = probability_of(part, self.extremes.among(part), self.n)
        if whole is not None and p.high - p.low > _WIDE * p.low:
            part = whole.computed(budget)
            p = probability_of(part, self.extremes.among(part), self.n)
        return Answer(p)


def probability_of(
    law: Part, flags: NDArray[np.bool_], n: int, is_upper_end: bool = True
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
