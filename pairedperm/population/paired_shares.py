"""The exact interval of the share of wins minus the share of losses, of one mind with p [1]_.

Of n examples, W are wins, L are losses, and m = W + L differ. A win has the probability p, a loss
q, and Δ = p - q = τ (2θ - 1): a share τ of all examples differs, of which a share θ are wins. Each
share has an exact interval of its own, Clopper and Pearson's. Its limits are the quantiles of

    θ_low ~ Beta(W, L + 1),  θ_up ~ Beta(W + 1, L),
    τ_low ~ Beta(m, n - m + 1),  τ_up ~ Beta(m + 1, n - m).

A parameter of 0 means the point 0 or 1. The lower limit of Δ at the level 1 - α is the α / 2
quantile of (2 θ_low - 1) τ, with independent θ and τ. A small Δ goes with a small τ if it is
positive, and with a large one if it is negative. So τ is τ_low if 2 θ_low > 1, and τ_up otherwise.
The upper limit is minus the lower one with W and L exchanged.

Of one mind with p: P(2 θ_low ≤ 1) = P(Bin(m, ½) ≥ W) is the one-sided p of the sign test. The
quantile is negative exactly if this is above α / 2. Integers decide it, not the quadrature. If it
is α / 2, the limit is 0, and the interval is open there: it excludes 0.

At the edges the coverage is proven for all n: where every example differs (τ = 1) and where nothing
is lost or nothing won (τ = |Δ|) it is that of Clopper and Pearson. Between them it is enumerated
(`tests/population/test_paired_shares.py`), not proven; nor do Fay and Lumbard prove it.

Numbers. At x the distribution function is one integral, F(x) = E[P(θ ≤ (1 + x / τ) / 2)] over τ, or
E[P(τ (2θ - 1) ≤ x)] over θ. The outer variable is the one with the smaller deviation, relative to
τ and to 2θ - 1 = x / τ. So the inner probability is smooth on the outer one's scale. All
parameters are whole, so the integrand is analytic where the inner probability is neither 0 nor 1,
ends included. A share is sin² φ, since the deviation of φ is about the same everywhere. Gauss's
rule in φ converges fast. Outside the window that is integrated lies less than 1e-13 α of the outer
variable. The relative error of F is measured, not proven: below 1e-9 against fractions up to 24
examples, and below 1e-10 against three times as many nodes in thousands of random tables up to
10^7. 1e-9 is allowed for: the limit is the quantile of α / 2 less this, rounded outwards.

References
----------
.. [1] M. P. Fay, K. Lumbard, "Confidence intervals for difference in proportions for matched pairs
   compatible with exact McNemar's or sign tests", Statistics in Medicine 40, 2021.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.options.constraints import printed_fraction
from pairedperm.population.crossing import crossing

_TAIL_ERROR = 1e-9  # proof: relative, of F and of a binomial tail in floats
_OUTSIDE = 1e-13  # proof: relative to α / 2, what is not integrated
_NODES, _NODES_OF_FEW = 64, 160  # tuned: of Gauss's rule; laws of few are skewed
_FEW = 1000  # tuned: the smaller parameter of such a law is less
_BITS = 2**13  # proof: a tie of p and α / 2 among more differing examples needs more binary digits


def exact_interval(wins: int, losses: int, n: int, confidence_level: float) -> tuple[float, float]:
    """Return the exact limits of the share of wins minus the share of losses.

    Parameters
    ----------
    wins, losses, n : int
        Not negative; n is positive, and at least wins + losses.
    confidence_level : float
        Between 0 and 1. It is read as the decimal that it prints as.

    Returns
    -------
    tuple of float, length 2
        Both limits, from -1 to 1. The lower one is at least 0, or the upper one below 0 or 0,
        exactly where the two-sided p of the sign test is at most 1 - confidence_level. Without wins
        and losses they are ±(1 - (α/2)^(1/n)).
    """
    half = (1 - printed_fraction(confidence_level)) / 2
    low, high = _lower_limit(wins, losses, n, half), -_lower_limit(losses, wins, n, half)
    return low + 0.0, high + 0.0  # no -0.0


def _lower_limit(wins: int, losses: int, n: int, half: Fraction) -> float:
    """Return the `half` quantile of (2 θ_low - 1) τ, rounded down."""
    is_positive = _is_tail_at_most(wins, wins + losses, half)
    if wins == 0 and wins + losses == n:
        return -1.0
    chance = _chance(wins, losses, n, is_positive, float(half))
    target = math.log(float(half) * (1.0 - _TAIL_ERROR))

    def excess(x: float) -> float:
        share = chance(x)
        return math.log(share) - target if share > 0.0 else -math.inf

    return crossing(excess, *((0.0, 1.0) if is_positive else (-1.0, 0.0)))[0]


def _is_tail_at_most(wins: int, m: int, half: Fraction) -> bool:
    """Return whether P(Bin(m, ½) ≥ wins) ≤ half < ½, by integers where floats do not tell.

    The sum of C(m, k) from k = wins is taken in units of 2^-b of the whole. Up to 8192 differing
    examples, b = m and all is exact. Beyond, b = 8192; a term is rounded down and wrong by less
    than m units, the sum by less than m². If even this does not tell, the tail counts as larger.
    """
    from scipy.special import betainc

    if 2 * wins <= m:
        return False  # the tail is above ½
    tail, limit = float(betainc(wins, m - wins + 1, 0.5)), float(half)
    if abs(tail - limit) > _TAIL_ERROR * limit:
        return tail < limit
    bits = min(m, _BITS)
    term = math.comb(m, wins) >> (m - bits)
    total = 0
    for k in range(wins, m + 1):
        total += term
        term = term * (m - k) // (k + 1)
        if not term:
            break
    most = total + (m * m if m > bits else 0)
    return most * half.denominator <= half.numerator << bits


def _chance(
    wins: int, losses: int, n: int, is_positive: bool, half: float
) -> Callable[[float], float]:
    """Return F(x) = P((2 θ_low - 1) τ ≤ x), for positive or for negative x."""
    from scipy.special import betainc

    m = wins + losses
    theta = _Beta(wins, losses + 1)
    tau = _Beta(m, n - m + 1) if is_positive else _Beta(m + 1, n - m)
    if wins == 0:
        return lambda x: float(betainc(tau.b, tau.a, 1.0 + x))  # P(-τ ≤ x)
    if tau.b == 0:
        return lambda x: float(betainc(theta.a, theta.b, (1.0 + x) / 2.0))  # τ = 1
    shares_of_wins, shares_differing = (_Outer.of(x, _OUTSIDE * half) for x in (theta, tau))

    def over_theta(x: float) -> float:
        start, stop = ((1.0 + x) / 2.0, 1.0) if is_positive else (0.0, (1.0 + x) / 2.0)
        whole = float(betainc(theta.a, theta.b, start)) if is_positive else 0.0

        def inner(shares: FloatArray) -> FloatArray:
            ratio = np.clip(x / (2.0 * shares - 1.0), 0.0, 1.0)
            if is_positive:
                return np.asarray(betainc(tau.a, tau.b, ratio))
            return np.asarray(betainc(tau.b, tau.a, 1.0 - ratio))

        return whole + shares_of_wins.mean(inner, start, stop)

    def over_tau(x: float) -> float:
        whole = float(betainc(tau.a, tau.b, x)) if is_positive else 0.0

        def inner(shares: FloatArray) -> FloatArray:
            return np.asarray(betainc(theta.a, theta.b, np.clip((1.0 + x / shares) / 2.0, 0, 1)))

        return whole + shares_differing.mean(inner, abs(x), 1.0)

    def chance(x: float) -> float:
        is_narrow = 2.0 * theta.deviation * tau.mean**2 <= abs(x) * tau.deviation
        return over_theta(x) if is_narrow else over_tau(x)

    return chance


class _Beta(NamedTuple):
    """The parameters of a beta distribution."""

    a: int
    b: int

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        a, b = self
        return math.sqrt(a * b / (a + b + 1)) / (a + b)


class _Outer(NamedTuple):
    """A beta distribution within a window, over which Gauss's rule integrates."""

    law: _Beta
    low: float  # both ends as angles φ, share = sin² φ
    high: float
    total: float  # the integral of the density over the window, relative to that at the mean

    @classmethod
    def of(cls, law: _Beta, outside: float) -> _Outer:
        """Leave less than `outside` on each side of the window."""
        from scipy.special import betaincinv

        low = math.asin(math.sqrt(float(betaincinv(law.a, law.b, outside))))
        high = math.acos(math.sqrt(float(betaincinv(law.b, law.a, outside))))
        alone = cls(law, low, high, 1.0)
        return alone._replace(total=alone.mean(np.ones_like, 0.0, 1.0))

    def mean(self, inner: Callable[[FloatArray], FloatArray], start: float, stop: float) -> float:
        """Return the integral of inner · density over the shares from start to stop.

        As sin² φ - sin² φ₀ = sin(φ - φ₀) sin(φ + φ₀), the density keeps its digits near the mean.
        """
        low = max(self.low, math.asin(math.sqrt(start)))
        high = min(self.high, math.asin(math.sqrt(stop)))
        if not low < high:
            return 0.0
        (a, b), n = self.law, self.law.a + self.law.b
        nodes, weights = _gauss(_NODES_OF_FEW if min(a, b) < _FEW else _NODES)
        centre, angles = math.atan2(math.sqrt(a), math.sqrt(b)), low + (high - low) * nodes
        moved = np.sin(angles - centre) * np.sin(angles + centre)
        log = (a - 1) * np.log1p(moved / (a / n)) + (b - 1) * np.log1p(-moved / (b / n))
        values = weights * np.exp(log) * np.sin(2.0 * angles) * inner(np.sin(angles) ** 2)
        return (high - low) * math.fsum(values.tolist()) / self.total


@cache
def _gauss(n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Return the nodes from 0 to 1, and the weights."""
    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    return (1.0 + nodes) / 2.0, weights / 2.0
