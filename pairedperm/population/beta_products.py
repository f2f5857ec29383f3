"""The tail of a product τ (2θ - 1) of independent beta variables, by one integral.

At c > 0 it is over τ or over θ. The outer variable is the one with the smaller deviation where the
product is c. So the inner probability is smooth on the outer one's scale. All parameters are whole,
so the integrand is analytic, ends included. A share is sin² φ: the deviation of φ is about the same
everywhere, and φ tells shares apart that are next to 1. Gauss's rule in φ converges geometrically.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.root import find_root

Shares = float | FloatArray
Inner = Callable[[FloatArray, FloatArray], FloatArray]  # of shares, and what they are above another

_NODES = 32  # tuned: of Gauss's rule, in each panel
_SUMMED = 2**9  # tuned: a + b of a beta distribution whose binomial masses are summed
_WINDOW = 1e-3  # tuned: relative, of the ends of a window
_LOG_OF_ZERO = -1e300  # proof: finite, so that 0 times it is 0, and e to the power of it is 0
_LEAST = 1e-300  # proof: less than any probability that is left outside of a window


def product_tail(
    theta: Beta, tau: Beta, outside: float, *, is_above: bool
) -> Callable[[float, int], float]:
    """Return P(τ (2θ - 1) ≥ c), or ≤ c, of c > 0 and the number of panels.

    Up to `outside` of the outer variable's probability is left out on each side.
    """
    if theta.b == 0:
        return lambda c, _: float(tau.tail(c, 1.0 - c, is_above=is_above))
    if tau.b == 0:
        return lambda c, _: float(theta.tail((1.0 + c) / 2.0, (1.0 - c) / 2.0, is_above=is_above))
    window = cache(lambda law: _Outer.of(law, outside))

    def tail(c: float, n_panels: int) -> float:
        def tau_tail(_: FloatArray, more: FloatArray) -> FloatArray:
            width = c + 2.0 * more  # 2θ - 1
            return tau.tail(c / width, 2.0 * more / width, is_above=is_above)

        def theta_tail(share: FloatArray, more: FloatArray) -> FloatArray:
            return theta.tail((share + c) / (2.0 * share), more / (2.0 * share), is_above=is_above)

        law, start, rest = tau, c, 1.0 - c
        inner: Inner = theta_tail
        if 2.0 * theta.deviation * tau.mean**2 <= c * tau.deviation:
            law, start, rest = theta, (1.0 + c) / 2.0, (1.0 - c) / 2.0
            inner = tau_tail
        whole = 0.0 if is_above else float(law.tail(start, rest, is_above=False))
        return whole + window(law).mean_beyond(start, rest, inner, n_panels)

    return tail


class Beta(NamedTuple):
    """The parameters of a beta distribution; if b is 0, it is the point 1."""

    a: int
    b: int
    most_summed: int = _SUMMED  # up to this a + b, binomial masses are summed

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        a, b, _ = self
        return math.sqrt(a * b / (a + b + 1)) / (a + b)

    def tail(self, share: Shares, rest: Shares, *, is_above: bool) -> FloatArray:
        """Return P(≥ share) or P(≤ share), where rest = 1 - share has digits if share is near 1.

        P(θ ≥ x) is P(Bin(a + b - 1, x) < a). Few masses are summed sooner than scipy is imported.
        """
        if self.a + self.b <= self.most_summed:
            k, others, log_ways = _terms(self.a, self.a + self.b - 1, is_above)
            with np.errstate(divide="ignore"):
                log_share, log_rest = (
                    np.maximum(np.log(x), _LOG_OF_ZERO)[..., None] for x in (share, rest)
                )
            logs = log_ways + k * log_share + others * log_rest
            return np.asarray(np.exp(logs).sum(axis=-1))
        from scipy.special import betainc, betaincc

        if self.a < self.b:
            return np.asarray((betaincc if is_above else betainc)(self.a, self.b, share))
        return np.asarray((betainc if is_above else betaincc)(self.b, self.a, rest))

    def angle(self, probability: float) -> float:
        """Return about the φ with P(θ ≤ sin² φ) = probability, which is small."""
        if self.a + self.b > self.most_summed:
            from scipy.special import betaincinv

            return math.asin(math.sqrt(float(betaincinv(self.a, self.b, probability))))

        def excess(angle: float) -> float:
            below = self.tail(math.sin(angle) ** 2, math.cos(angle) ** 2, is_above=False)
            return math.log(float(below) or _LEAST) - log_probability

        log_probability = math.log(probability)
        middle = math.atan2(math.sqrt(self.a), math.sqrt(self.b))
        return find_root(excess, 0.0, middle, xtol=_LEAST, rtol=_WINDOW)


class _Outer(NamedTuple):
    """A beta distribution within a window, over which Gauss's rule integrates."""

    law: Beta
    low: float  # both ends as angles φ, share = sin² φ
    high: float

    @classmethod
    def of(cls, law: Beta, outside: float) -> _Outer:
        """Leave about `outside` on each side of the window."""
        return cls(
            law, law.angle(outside), math.pi / 2.0 - law._replace(a=law.b, b=law.a).angle(outside)
        )

    def mean_beyond(self, start: float, rest: float, inner: Inner, n_panels: int) -> float:
        """Return the mean of `inner` at shares above `start` = 1 - `rest`, and of 0 below it."""
        first = math.atan2(math.sqrt(start), math.sqrt(rest))
        low = max(self.low, first)
        if not low < self.high:
            return 0.0
        angles, masses = self._masses(low, n_panels)
        values = masses * inner(np.sin(angles) ** 2, _above(angles, first))
        whole = masses if low == self.low else self._masses(self.low, n_panels)[1]
        return math.fsum(values.tolist()) / math.fsum(whole.tolist())

    @lru_cache(maxsize=4)  # noqa: B019, few laws are kept, and by their values
    def _masses(self, low: float, n_panels: int) -> tuple[FloatArray, FloatArray]:
        """Return angles from `low` on, and their masses in units of the density at the mean."""
        a, b, n = self.law.a, self.law.b, self.law.a + self.law.b
        nodes, weights = _gauss(n_panels)
        angles = low + (self.high - low) * nodes
        moved = _above(angles, math.atan2(math.sqrt(a), math.sqrt(b)))
        log = (a - 1) * _log_ratio(np.sin(angles) ** 2, moved, a / n)
        log += (b - 1) * _log_ratio(np.cos(angles) ** 2, -moved, b / n)
        return angles, (self.high - low) * weights * np.exp(log) * np.sin(2.0 * angles)


@lru_cache(maxsize=8)
def _terms(a: int, n: int, is_above: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the k < a, or the k from a to n, with n - k and log C(n, k)."""
    i = np.arange(n)
    log_ways = np.concatenate(([0.0], np.cumsum(np.log((n - i) / (i + 1.0)))))
    kept = slice(a) if is_above else slice(a, n + 1)
    k = np.arange(n + 1.0)[kept]
    return k, n - k, log_ways[kept]


def _above(angles: FloatArray, angle: float) -> FloatArray:
    """Return sin² φ - sin² φ₀ with its digits, also of angles next to each other."""
    return np.asarray(np.sin(angles - angle) * np.sin(angles + angle))


def _log_ratio(share: FloatArray, moved: FloatArray, mean: float) -> FloatArray:
    """Return log(share / mean) of share = mean + moved, by the one that has more digits."""
    near = np.maximum(moved, -mean / 2.0)
    return np.where(near == moved, np.log1p(near / mean), np.log(share / mean))


@cache
def _gauss(n_panels: int) -> tuple[FloatArray, FloatArray]:
    """Return the nodes from 0 to 1 in as many panels, and the weights."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    inside, panels = (1.0 + nodes) / 2.0, np.arange(n_panels)[:, np.newaxis]
    return ((panels + inside) / n_panels).ravel(), np.tile(weights, n_panels) / n_panels
