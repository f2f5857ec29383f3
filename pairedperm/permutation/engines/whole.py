"""The papers' engines: the whole law of the sums, on the grid that the support spans."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.grid.span import PointMasses
from pairedperm.convolution.grid.whole_law import WholeEngine, WholeLaw
from pairedperm.errors import BudgetError
from pairedperm.options import Options
from pairedperm.permutation.engines.grid import probability_of
from pairedperm.permutation.problem import Problem

_COLUMN = 10.0  # tuned: ns of a point, for each column of its sum
CELLS = 2**18  # tuned: entries of points that are compared together


@dataclass(eq=False)
class Whole(Engine[Problem, Options]):
    """An engine that computes the mass, or the count, of every point of a lattice.

    `answer` computes p from the law, which must fit the budget. `is_rational` tells whether p is a
    fraction too.
    """

    name: WholeEngine
    how: str
    answer: Callable[[Problem, WholeLaw], Answer]
    is_rational: bool = False

    def cost(self, problem: Problem, limits: Options) -> Cost:
        """See `Engine`; its work is the law, not yet computed."""
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
        nanoseconds = law.nanoseconds(self.name) + law.n_points * _COLUMN * problem.vectors.shape[1]
        return Cost(*size, 1e-9 * nanoseconds, work=law)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        """See `Engine`."""
        if not problem.n_differing:
            one = CertifiedProbability.exactly(1.0)
            return Answer(one, Fraction(1) if self.is_rational else None)
        return self.answer(problem, cost.work)


def extreme_points(problem: Problem, part: PointMasses) -> NDArray[np.bool_]:
    """Tell which points of the law are at least as extreme as observed."""
    found = []
    total = np.asarray(problem.total, dtype=np.int64)
    step = max(CELLS // part.basis.shape[1], 1)
    for start in range(0, part.numbers.size, step):
        points = part.points(slice(start, start + step))
        found.append(problem.extreme(total - 2 * points.astype(np.int64)))
    return np.concatenate(found)


def _answer(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses (Zmigrod, Vieira & Cotterell 2022)."""
    part = law.masses("dp")
    return Answer(probability_of(part, extreme_points(problem, part), problem.n_differing))


DP = Whole("dp", "all sums, one example after the other (Algorithm 3)", _answer)


_NOISE = 2.0**-50  # proof: Algorithm 4 cannot tell less from 0


def _by_fft(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses, or the noise if that is more.

    Zmigrod, Vieira & Cotterell 2022.
    """
    part, n = law.masses("fft"), problem.n_differing
    p = probability_of(part, extreme_points(problem, part), n, is_upper_end=False)
    if p.value < _NOISE:
        value = min(_NOISE, p.high)
        p = CertifiedProbability(value, p.low, p.high, math.log(value), p.log_low, p.log_high)
    return Answer(p)


_FFT = "all sums, halves of the examples convolved by Fourier transform (Algorithm 4)"
FFT = Whole("fft", _FFT, _by_fft)


def _by_big_integers(problem: Problem, law: WholeLaw) -> Answer:
    """Return the exact share of extreme swaps; needs python-flint."""
    points = law.points()
    n_extreme = law.n_assignments(points.numbers[extreme_points(problem, points)])
    power = 1 << problem.n_differing
    return Answer(CertifiedProbability.from_ratio(n_extreme, power), Fraction(n_extreme, power))


RATIONAL = Whole("rational", "all sums, in big integers", _by_big_integers, is_rational=True)
