"""A proven interval for the tail of a sum of draws that lie on no lattice, or on too fine a one.

S = X_1 + … + X_n, each X drawn from n observed integers of any size, and P(S ≥ 0) is wanted. They
are taken in units of h: X = h G + R with whole G and |R| ≤ h / 2. The draws' rests R add up to
ρ = Σ counts R on average, exactly known, and for any e by Chernoff's bound, whatever s > 0 is,

    P(Σ R - ρ > e) ≤ η,    log η = n log E e^{s (R - ρ/n)} - s e,    likewise P(Σ R - ρ < -e),

so that P(h Σ G ≥ e - ρ) - η ≤ P(S ≥ 0) ≤ P(h Σ G ≥ -ρ - e) + η: two tails on a lattice, which
`resampled` knows. With η a ten-thousandth of p, e is some deviations of Σ R, h √(n / 12), and the
interval some h / σ of p wide, σ the deviation of one draw.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.draws.tail import resampled_lower_tail
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import BudgetError

__all__ = ["resampled_bracket"]

_POINTS = 2**19  # of a transform, at first, about
_POINT_BYTES = 64  # of a transform
_REACH = 14.0  # standard deviations that a transform holds, about
_SHARE = math.log(1e-4)  # of p, that the rests may have
_NARROW = 0.01  # relative width that is aimed at
_WIDE = 0.1  # and that is too much
_USELESS = 0.8  # of a width, that more points leave if they do not help
_TILTS = 80  # that are tried for Chernoff's bound
_SLACK = 1e-9  # much more than the rounding of a bound


def resampled_bracket(
    values: NDArray[Any], counts: IntArray, strict: bool, budget: Budget
) -> CertifiedProbability:
    """An interval for P(S ≥ 0), or with `strict` for P(S > 0); its upper end as the value.

    Parameters
    ----------
    values : array of int64 or of Python integers, shape (k,)
    counts : int64 array, shape (k,)
        How often each was observed; positive.
    strict : bool
    budget : Budget

    Raises
    ------
    BudgetError
        If the budget leaves it wider than a tenth.
    """
    whole = values.astype(object)
    n, largest, smallest = int(counts.sum()), max(whole), min(whole)
    if largest < 0 or (strict and largest == 0):
        return CertifiedProbability.near(0.0)
    if smallest > 0 or (not strict and smallest == 0):
        return CertifiedProbability.exactly(1.0)
    # a transform may be longer than meant, where few values are far from the others
    divisor = math.gcd(*whole.tolist())
    whole //= divisor
    limit = max(min(budget.max_frequencies // 2, budget.max_bytes // (2 * _POINT_BYTES)), 2)
    points = min(_POINTS, limit)
    p, width = _between(whole, counts, strict, _unit(whole, counts, n, points), budget)
    while width > _NARROW and points < limit:
        last, points = width, min(math.ceil(points * max(1.1 * width / _NARROW, 2.0)), limit)
        p, width = _between(whole, counts, strict, _unit(whole, counts, n, points), budget)
        if width > _USELESS * last:
            break
    if width > _WIDE:
        raise BudgetError(
            f"the bracket of p is {width:.2g} of p wide with {points:.3g} points of a Fourier "
            f"transform, of {budget.max_frequencies:.3g} that `max_frequencies` allows: many sums "
            "are near the threshold, or there are too many examples."
        )
    return p


def _between(
    whole: NDArray[Any], counts: IntArray, strict: bool, h: int, budget: Budget
) -> tuple[CertifiedProbability, float]:
    """The interval in units of h, and its relative width."""
    n = int(counts.sum())
    grid = (2 * whole + h) // (2 * h)
    rests = whole - h * grid
    expected = sum((counts.astype(object) * rests).tolist())  # ρ
    distinct, place = np.unique(grid.astype(np.int64), return_inverse=True)
    how_often = np.zeros(distinct.size, dtype=np.int64)
    np.add.at(how_often, place, counts)

    def tail(threshold: int) -> CertifiedProbability:
        """P(h Σ G ≥ threshold)."""
        first = -(-threshold // h)
        return resampled_lower_tail(-distinct[::-1], how_often[::-1], -first, budget)

    if not rests.any():
        return tail(int(strict)), 0.0
    log_p = max(tail(-expected).log, -n * math.log(n))
    log_eta = log_p + _SHARE
    e = math.ceil(h * _allowed((rests / h).astype(np.float64), counts, log_eta))
    eta = CertifiedProbability.from_product(log_eta, 1.0, _SLACK * (1.0 + abs(log_eta)))
    high, low = tail(-expected - e).plus(eta), tail(e - expected + strict).minus(eta)
    # draws of zeros only have S = 0, whatever the rests of others are
    n_zero = int(counts[whole == 0].sum())
    if n_zero and -expected - e <= 0 < e - expected + strict:
        zero = resampled_lower_tail(np.array([0, 1]), np.array([n_zero, n - n_zero]), 0, budget)
        high, low = (high.minus(zero), low) if strict else (high, low.plus(zero))
    width = -math.expm1(min(low.log_low - high.log_high, 0.0))
    p = replace(
        high, value=high.high, low=min(low.low, high.high), log=high.log_high, log_low=low.log_low
    )
    return p, width


def _unit(whole: NDArray[Any], counts: IntArray, n: int, points: int) -> int:
    """h, so that a transform has about the number of points."""
    share = counts / n
    scale = max(abs(max(whole)), abs(min(whole)))
    floats = np.array([x / scale for x in whole.tolist()])
    deviation = math.sqrt(float((share * (floats - (share * floats).sum()) ** 2).sum()))
    return max(math.ceil(float(_REACH * math.sqrt(n) * deviation / points * scale)), 1)


def _allowed(rests: FloatArray, counts: IntArray, log_eta: float) -> float:
    """An e beyond which the sum of the rests, centred, goes with the chance η at most each way."""
    n, share = int(counts.sum()), counts / counts.sum()
    centred = rests - float((share * rests).sum())
    variance = n * float((share * centred**2).sum())
    if variance == 0.0:
        return 0.0
    worst = 0.0
    for sign in (1.0, -1.0):
        s, best, top = math.sqrt(-2.0 * log_eta / variance), math.inf, float((sign * centred).max())
        for _ in range(_TILTS):
            log_mean = math.log(float((share * np.exp(s * (sign * centred - top))).sum())) + s * top
            slack = _SLACK * (1.0 + abs(log_eta) + s * abs(top)) + n * 2.0**-48
            best = min(best, (n * log_mean - log_eta + slack) / s)
            s /= 1.1
        worst = max(worst, best)
    return worst * (1.0 + _SLACK) + n * 2.0**-48
