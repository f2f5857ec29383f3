"""The engines that lay out all points of the sums' lattice: "exact" for functions, and the papers'.

The methods "dp" and "fft" are those of Zmigrod, Vieira & Cotterell 2022.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.grid.product_law import ProductLaw
from pairedperm.convolution.grid.span import PointMasses
from pairedperm.convolution.grid.whole_law import WholeEngine, WholeLaw
from pairedperm.errors import BudgetError
from pairedperm.options import Budget, Options
from pairedperm.permutation.extremes import ScoreExtremes
from pairedperm.permutation.problem import Problem

AGAIN = 3.0  # tuned: seconds for both laws; if the first takes more, the other may take as long
_NOISE = 2.0**-50  # proof: Algorithm 4 cannot tell less from 0
_WIDE = 1e-10  # tuned: relative width; for a wider interval the law may be computed again


class GridTail(NamedTuple):
    """The extreme points of the law of n swaps."""

    law: ProductLaw
    extremes: ScoreExtremes
    n: int

    def of(self, law: ProductLaw, budget: Budget) -> CertifiedProbability:
        """Return the mass of the extreme points; the law is this one, or the same on a support."""
        part = law.masses(budget)
        return part.probability(self.extremes.among(part), self.n)


class OnGrid(Engine[GridTail, Budget]):
    """The engine that adds up the masses of all extreme points.

    A small p may be lost in the errors of a law within a window, or by a Fourier transform. Then
    the law is computed again from positive terms on the whole support, if that is affordable. The
    work of the cost is this law, or None.
    """

    name = "grid"

    def cost(self, problem: GridTail, limits: Budget) -> Cost:
        law = problem.law
        size = law.rank, law.how, law.grid, law.n_points, law.n_bytes
        try:
            law.check(limits)
        except BudgetError as error:
            return Cost(*size, excess=error.message)
        whole = None if law.is_relative else _whole(law, limits)
        seconds = law.seconds + (0.0 if whole is None else whole.seconds)
        return Cost(*size, seconds, work=whole)

    def run(self, problem: GridTail, limits: Budget, cost: Cost) -> Answer:
        p, whole = problem.of(problem.law, limits), cost.work
        if whole is not None and p.high - p.low > _WIDE * p.low:
            p = problem.of(whole, limits)
        return Answer(p)


GRID = OnGrid()


def _whole(law: ProductLaw, budget: Budget) -> ProductLaw | None:
    """Return the law on its whole support, if it takes only seconds and fits the budget."""
    whole = law.as_whole()
    try:
        whole.check(budget)
    except BudgetError:
        return None
    first, second = law.seconds, whole.seconds
    return whole if second <= max(AGAIN - first, first if first > AGAIN else 0.0) else None


_POINT_COLUMN = 10.0  # tuned: ns of a point, for each column of its sum
POINT_CELLS = 2**18  # tuned: entries of points that are compared together


@dataclass(eq=False)
class WholeGrid(Engine[Problem, Options]):
    """An engine that computes the mass of every point of a lattice.

    `answer` computes p from the law, which must fit the budget.
    """

    name: WholeEngine
    how: str
    answer: Callable[[Problem, WholeLaw], Answer]

    def cost(self, problem: Problem, limits: Options) -> Cost:
        """Its work is the law, not yet computed."""
        if problem.no_lattice:
            raise problem.needs_lattice(self.name)
        if not problem.n_differing:
            return Cost(0)
        law = WholeLaw(problem.vectors, problem.multiplicities)
        size = law.rank, self.how, law.grid, law.n_points, law.n_bytes(self.name)
        try:
            law.check(self.name, limits.budget)
        except BudgetError as error:
            return Cost(*size, excess=error.message)
        nanoseconds = (
            law.nanoseconds(self.name) + law.n_points * _POINT_COLUMN * problem.vectors.shape[1]
        )
        return Cost(*size, 1e-9 * nanoseconds, work=law)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        if not problem.n_differing:
            return Answer(CertifiedProbability.exactly(1.0))
        return self.answer(problem, cost.work)


def extreme_points(problem: Problem, part: PointMasses) -> NDArray[np.bool_]:
    """Tell which points of the law are at least as extreme as observed."""
    flags = []
    total = np.asarray(problem.total, dtype=np.int64)
    step = max(POINT_CELLS // part.basis.shape[1], 1)
    for start in range(0, part.numbers.size, step):
        points = part.points(slice(start, start + step))
        flags.append(problem.extreme(total - 2 * points.astype(np.int64)))
    return np.concatenate(flags)


def _by_dynamic_programming(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses."""
    part = law.masses("dp")
    return Answer(part.probability(extreme_points(problem, part), problem.n_differing))


DP = WholeGrid("dp", "all sums, one example after the other (Algorithm 3)", _by_dynamic_programming)


def _by_fft(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses, or the noise if that is more."""
    part, n = law.masses("fft"), problem.n_differing
    p = part.probability(extreme_points(problem, part), n, is_upper_end=False)
    if p.value < _NOISE:
        value = min(_NOISE, p.high)
        p = CertifiedProbability(value, p.low, p.high, math.log(value), p.log_low, p.log_high)
    return Answer(p)


_FFT = "all sums, halves of the examples convolved by Fourier transform (Algorithm 4)"
FFT = WholeGrid("fft", _FFT, _by_fft)
