"""An interval for the tail of a sum of real two-point variables, from two tails of rounded values.

Let B = Σ_k values[k] · Binomial(counts[k], 1/2), g a power of two, n_k = round(values[k] / g) and
e_k = values[k] - g n_k, which floats hold exactly. With B' = Σ n_k · Binomial(counts[k], 1/2)

    B - E B = g (B' - E B') + R,    R = ½ Σ ± e,    |R| ≤ ½ Σ |e|,
    P(R ≥ r), P(R ≤ -r) ≤ ε  for  r = √(½ Σ e² log(1 / ε))                 (Hoeffding 1963),

So P(B' ≤ t - r / g) - ε ≤ P(B ≤ b) ≤ P(B' ≤ t + r / g) + ε with t = E B' + (b - E B) / g. If r is
the sum ½ Σ |e|, ε is 0. Both ends are exact tails on a lattice (`line.tail`). So the width is the
mass of B within r of b. A lattice with a transform of M points leaves some 80 √n / M of p.

Values and b are within a relative 2u of the true numbers, and their sum is rounded once. r is made
larger by these errors, and by the slack of b. The fraction t is calculated exactly from values and
b.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.engine import Cost
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray, sum_of_squares, tilted_to
from pairedperm.convolution.line.tail import Line
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

_TRANSFORM_POINTS = tuple(
    2.0**k for k in range(44, 14, -4)
)  # tuned: points of the transform; the first that is quick is taken
QUICK_TAILS, _VALUE = 3e8, 1e4  # tuned: ns at which both tails are quick, and ns of a value
_TOO_SLOW = 3e9  # tuned: too many ns
_STANDARD = 9.2  # tuned: points for √(Σ values²), nearly
_SHARE = 1e-9  # tuned: ε as a share of p, about
_REACH_UP = 1.0 + 1e-9  # proof: covers the rounding of r
_NEVER = CertifiedProbability.from_ratio(0, 1)


def rounded_tails(
    values: FloatArray, counts: IntArray, bound: float, budget: Budget, slack: float = 0.0
) -> CertifiedProbability | None:
    """Return an interval for P(B ≤ b) and for P(B < b), 0 ≤ b ≤ the middle; None if it is slow.

    Values are positive and ascending. The finest lattice is taken whose tails are quick.
    """
    if _VALUE * values.size > _TOO_SLOW:
        return None
    for points in _TRANSFORM_POINTS:
        interval = _Lattice(values, counts, bound, points, slack).tails(budget)
        if interval is not None:
            return interval
    return None


class _Lattice:
    """The values rounded to multiples of g, so that a transform has about `points` points."""

    def __init__(
        self, values: FloatArray, counts: IntArray, bound: float, points: float, slack: float
    ) -> None:
        reach = _STANDARD * math.sqrt(sum_of_squares(values, counts))
        exponent = math.ceil(math.log2(reach / points))
        # round to multiples of g; what is left over is known exactly
        rounded = np.rint(np.ldexp(values, -exponent))
        rest = np.abs(values - np.ldexp(rounded, exponent))
        total = math.fsum((counts * values).tolist())
        error = 8.0 * UNIT * (bound + total) + slack
        self._most = math.fsum((counts * rest).tolist()) / 2.0 * _REACH_UP + error
        self._squares, self._error = math.fsum((counts * rest**2).tolist()), error
        # equal multiples are one value of the lattice
        is_there = rounded > 0.0
        whole, place = np.unique(rounded[is_there].astype(np.int64), return_inverse=True)
        self._unit = max(int(np.gcd.reduce(whole)), 1)
        whole //= self._unit
        how_often = np.bincount(place, counts[is_there]).astype(np.int64)
        self._line = Line(whole, how_often, exact_dot(how_often, whole))
        self._scale = Fraction(2) ** exponent * self._unit
        # t = E B' + (b - E B) / g, exactly
        middle = Fraction(total) / 2
        self._threshold = Fraction(self._line.total, 2) + (Fraction(bound) - middle) / self._scale
        self._log_share = self._log_tail()

    def _log_tail(self) -> float:
        """Estimate log P(B' ≤ t) by the saddlepoint, with Mills' ratio of a normal law."""
        bound = math.floor(self._threshold)
        if not 0 < 2 * bound < self._line.total:
            return -math.inf if bound <= 0 else 0.0
        law = tilted_to(*self._line[:2], bound, self._line.total)
        width = 1.0 + law.tau * math.sqrt(2.0 * math.pi * law.variance)
        return law.log_scale + law.tau * bound - math.log(width)

    def tails(self, budget: Budget) -> CertifiedProbability | None:
        """Return the interval if both tails are quick, else None."""
        log_lost, reach = -math.inf, self._most
        if self._log_share > -math.inf:
            log_share = math.log(_SHARE) + self._log_share
            likely = math.sqrt(-0.5 * self._squares * log_share) * _REACH_UP + self._error
            if likely < reach:
                log_lost, reach = log_share, likely
        # tails at either end of what rounding may have moved
        shift = Fraction(reach) / self._scale
        tails, seconds = [], 0.0
        for threshold in (self._threshold - shift, self._threshold + shift):
            bound = min(math.floor(threshold), self._line.total)
            cost = self._line.cost(bound, budget) if bound >= 0 else Cost(1)
            if cost.excess is not None:
                return None
            seconds += cost.seconds
            tails.append((bound, cost))
        if 1e9 * seconds > QUICK_TAILS + _VALUE * self._line.values.size:
            return None
        try:
            low, high = (
                self._line.tail(bound, budget, cost).p if bound >= 0 else _NEVER
                for bound, cost in tails
            )
        except BudgetError:
            return None
        return _widened(low, high, log_lost)


def _widened(
    low: CertifiedProbability, high: CertifiedProbability, log_lost: float
) -> CertifiedProbability:
    """Return the interval low - e^log_lost … high + e^log_lost; its value is the upper end."""
    if log_lost > -math.inf:
        high = high.plus(CertifiedProbability.from_product(log_lost, 1.0, 0.0))
        share = -math.expm1(min(log_lost - low.log_low, 0.0))
        low = CertifiedProbability.from_product(low.log_low, share, 0.0) if share > 0.0 else _NEVER
    return CertifiedProbability.spanning(low, high)
