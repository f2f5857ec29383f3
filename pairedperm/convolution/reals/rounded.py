"""An interval for the tail of a sum of real two-point variables, from two tails of rounded values.

Let B = Σ_k values[k] · Binomial(counts[k], 1/2), g a power of two, n_k = round(values[k] / g) and
e_k = values[k] - g n_k, which floats hold exactly. With B' = Σ n_k · Binomial(counts[k], 1/2)

    B - E B = g (B' - E B') + R,    R = ½ Σ ± e,    |R| ≤ ½ Σ |e|,
    P(R ≥ r), P(R ≤ -r) ≤ ε  for  r = √(½ Σ e² log(1 / ε))                 (Hoeffding 1963),

So P(B' ≤ t - r / g) - ε ≤ P(B ≤ b) ≤ P(B' ≤ t + r / g) + ε with t = E B' + (b - E B) / g. If r is
the sum ½ Σ |e|, ε is 0. Both ends are tails on a lattice: one tilted law serves both
(`between_tilted_tails`), or the laws of two halves of the values count each. So the width is the
mass of B within r of b, and what the tilted law drops.

A tilt to a bound between the two ends serves both. So does its window: if bound, n_tail and n_guard
(`Window`) become bound + s, n_tail + s and n_guard - s, the period and both ends of the window stay
where they were, and so does the leak. A frequency is dropped by |φ| and the period alone. So the
frequencies that survive are the same for both tails. The errors of `tilted` are not asked to be
small here: they widen the interval. A law that is fitted with a larger share to be dropped has a
shorter window, and far fewer frequencies have to be looked at.

How fine a lattice is needed follows from the width that is wanted. A share h of p lies within 1 of
b, h = tau + 1 / √(2π variance) by Mills' ratio, and Σ e² is about n g² / 12. So 2 r h shall be the
width. All of this is an estimate: the interval says how wide it is.

Values and b are within a relative 2u of the true numbers, and their sum is rounded once. r is made
larger by these errors, and by the slack of b. The fraction t is calculated exactly from values and
b.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from pairedperm.convolution.certified import UNIT, UP, CertifiedProbability
from pairedperm.convolution.integers import exact_dot, halved_lower_tail, halves_bytes, halves_cost
from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw, sum_of_squares, tilted_to
from pairedperm.convolution.line.tail import Line
from pairedperm.convolution.line.tilted import Fit, Window, exponent_at, fit, tilted_sum
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

_WIDTHS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)  # tuned: of the interval as a share of p
_THREE_DIGITS = 1e-3  # tuned: a width that may take longer
QUICK_TAILS, _VALUE = 3e8, 1e4  # tuned: ns that three digits may take, and ns of a value
_STANDARD = 9.2  # tuned: points for √(Σ values²), nearly
_MOST_POINTS = 2.0**44  # tuned: points of the longest transform
_ROUNDED, _LOST = 0.5, 0.02  # tuned: shares of the width, for rounding and for what is dropped
_REACH_UP = 1.0 + 1e-9  # proof: covers the rounding of r
_NEVER, _ALWAYS = CertifiedProbability.from_ratio(0, 1), CertifiedProbability.exactly(1.0)


def rounded_tails(
    values: FloatArray,
    counts: IntArray,
    bound: float,
    budget: Budget,
    slack: float = 0.0,
    patience: float = QUICK_TAILS,
) -> CertifiedProbability:
    """Return an interval for P(B ≤ b) and for P(B < b), 0 ≤ b ≤ the middle.

    Values are positive and ascending. The width is 1e-6 of p, or the least that `patience`
    nanoseconds allow. A width of 1e-3 may take 0.3 s, and one of 1e-2 what the budget allows.

    Raises
    ------
    BudgetError
        If the budget does not allow that.
    """
    start, at = _Start(values, counts, bound), 0
    while True:
        width, is_last = _WIDTHS[at], at == len(_WIDTHS) - 1
        lattice = _Lattice(start, width, slack)
        cost = lattice.nanoseconds(budget)
        limit = patience if width < _THREE_DIGITS else max(patience, QUICK_TAILS)
        limit += _VALUE * values.size
        if cost <= limit or is_last:
            try:
                return lattice.tails(budget)
            except BudgetError:
                if is_last:
                    raise
        # time grows about as fast as the width falls
        n_skipped = int(math.log10(min(max(cost / limit, 1.0), 1e3)))
        at = min(at + max(n_skipped, 1), len(_WIDTHS) - 1)


class _Start:
    """The values and b, and what an estimate of p says: log p, and its share near b."""

    def __init__(self, values: FloatArray, counts: IntArray, bound: float) -> None:
        self.values, self.counts, self.bound = values, counts, bound
        self.total = math.fsum((counts * values).tolist())
        law = TiltedLaw(values, counts, 0.0)
        if 0.0 < 2.0 * bound < self.total:
            law = tilted_to(values, counts, bound, self.total)
        normal = math.sqrt(2.0 * math.pi * law.variance)
        self.log_p = law.log_scale + law.tau * bound - math.log(1.0 + law.tau * normal)
        self.near = law.tau + 1.0 / normal


class _Lattice:
    """The values rounded to multiples of g, for an interval of about a wanted width."""

    def __init__(self, start: _Start, width: float, slack: float) -> None:
        values, counts, bound, total = start.values, start.counts, start.bound, start.total
        self._share = _LOST * width
        log_lost = math.log(self._share) + start.log_p
        n = float(counts.sum())
        step = _ROUNDED * width / start.near / math.sqrt(-n * log_lost / 6.0)
        least = _STANDARD * math.sqrt(sum_of_squares(values, counts)) / _MOST_POINTS
        exponent = math.floor(math.log2(max(step, least)))
        # round to multiples of g; what is left over is known exactly
        rounded = np.rint(np.ldexp(values, -exponent))
        rest = np.abs(values - np.ldexp(rounded, exponent))
        # equal multiples are one value of the lattice
        is_there = rounded > 0.0
        whole, place = np.unique(rounded[is_there].astype(np.int64), return_inverse=True)
        unit = max(int(np.gcd.reduce(whole)), 1)
        whole //= unit
        how_often = np.bincount(place, counts[is_there]).astype(np.int64)
        self._line = Line(whole, how_often, exact_dot(how_often, whole))
        scale = Fraction(2) ** exponent * unit
        # t = E B' + (b - E B) / g, exactly
        threshold = Fraction(self._line.total, 2) + (Fraction(bound) - Fraction(total) / 2) / scale
        # what rounding may have moved, at most or but for a share ε
        error = 8.0 * UNIT * (bound + total) + slack
        self._log_lost = -math.inf
        reach = math.fsum((counts * rest).tolist()) / 2.0 * _REACH_UP + error
        squares = math.fsum((counts * rest**2).tolist())
        likely = math.sqrt(-0.5 * squares * log_lost) * _REACH_UP + error
        if likely < reach:
            self._log_lost, reach = log_lost, likely
        shift = Fraction(reach) / scale
        self._low, self._high = (math.floor(threshold + x) for x in (-shift, shift))
        # g is below 1 % of the largest value, so the total is some hundred units
        self._middle = min(max(math.floor(threshold), 1), (self._line.total - 1) // 2)

    def nanoseconds(self, budget: Budget) -> float:
        """Return the nanoseconds of both tails; infinite if they exceed the budget."""
        line, high = self._line, min(self._high, self._line.total)
        self._halves = math.inf
        if halves_bytes(high) <= budget.max_bytes:
            self._halves = 2.0 * halves_cost(line.n, high)
        self._fit = fit(*line[:2], self._middle, line.total, self._halves, self._share)
        try:
            self._fit.check(budget)
        except BudgetError:
            return self._halves
        return min(self._fit.cost, self._halves)

    def tails(self, budget: Budget) -> CertifiedProbability:
        """Return the interval, by the quicker way.

        Raises
        ------
        BudgetError
            If it exceeds the budget.
        """
        low, high = self._low, self._high
        if self._halves < self._fit.cost:
            p = CertifiedProbability.spanning(*(self._counted(x) for x in (low, high)))
        else:
            self._fit.check(budget)
            p = between_tilted_tails(self._fit, self._middle, low, high, budget)
        return _widened(p, self._log_lost)

    def _counted(self, bound: int) -> CertifiedProbability:
        """Return P(B' ≤ bound) by the laws of two halves."""
        if bound < 0:
            return _NEVER
        if bound >= self._line.total:
            return _ALWAYS
        return halved_lower_tail(*self._line[:2], bound)


def _widened(p: CertifiedProbability, log_lost: float) -> CertifiedProbability:
    """Return the interval low - e^log_lost … high + e^log_lost; its value is the upper end."""
    if log_lost == -math.inf:
        return p
    lost = CertifiedProbability.from_product(log_lost, 1.0, 0.0)
    share = -math.expm1(min(log_lost - p.log_low, 0.0))
    low = CertifiedProbability.from_product(p.log_low, share, 0.0) if share > 0.0 else _NEVER
    return CertifiedProbability.spanning(low, p.plus(lost))


def between_tilted_tails(
    fitted: Fit, bound: int, low: int, high: int, budget: Budget
) -> CertifiedProbability:
    """Return an interval from P(B ≤ low) to P(B ≤ high), by a law that `fit` tilted to `bound`.

    Raises
    ------
    BudgetError
        If more frequencies have to be looked at than the budget allows.
    """
    blocks = [*fitted.frequencies(budget)]
    return CertifiedProbability.spanning(
        _moved(fitted, bound, low - bound, blocks) or _NEVER,
        _moved(fitted, bound, high - bound, blocks) or _ALWAYS,
    )


def _moved(
    fitted: Fit, bound: int, step: int, blocks: list[IntArray]
) -> CertifiedProbability | None:
    """Return P(B ≤ bound + step); None if the window does not reach so far, or no digit is left."""
    n_tail, n_guard = fitted.window.n_tail + step, fitted.window.n_guard - step
    if min(n_tail, n_guard) < 1:
        return None
    window = Window(n_tail, n_guard, fitted.window.leak)
    log_scale, log_scale_error = exponent_at(fitted.law, bound + step)
    tail, rounding = tilted_sum(fitted, bound + step, window, blocks)
    tail_error = UP * (window.leak + fitted.tolerance + rounding)
    if tail_error >= tail:
        return None
    return CertifiedProbability.from_tilted(log_scale, log_scale_error, tail, tail_error)
