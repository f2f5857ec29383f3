"""Wins, losses and ties: the interval of the share of wins less that of losses.

The exact interval is of one mind with p [1]_.

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
(`tests/population/test_proven_intervals.py`), not proven; nor do Fay and Lumbard prove it.

Numbers. A negative limit is -c, where P(τ_up (2θ' - 1) ≥ c) is α / 2 with θ' = 1 - θ_low. So F is
one of the tails of a product τ (2θ - 1) at c > 0; see below. Outside the window that is
integrated lies less than 1e-12 α of the outer variable. At each limit F is asked once more with
twice as many nodes. Until both agree within 1e-10 of F, nodes are doubled. Rounding is measured:
with scipy 1.12 or later F is wrong by less than 3e-10 in 10^4 tables of up to 10^7, against 50
digits. A relative error of 1e-9 is allowed for: F as computed is below α / 2 by once to twice as
much.

The tail of a product τ (2θ - 1) of independent beta variables, by one integral. At c > 0 it is over
τ or over θ. The outer variable is the one with the smaller deviation where the product is c. So the
inner probability is smooth on the outer one's scale. All parameters are whole, so the integrand is
analytic, ends included. A share is sin² φ: the deviation of φ is about the same everywhere, and φ
tells shares apart that are next to 1. Gauss's rule in φ converges geometrically.

References
----------
.. [1] M. P. Fay, K. Lumbard, "Confidence intervals for difference in proportions for matched pairs
   compatible with exact McNemar's or sign tests", Statistics in Medicine 40, 2021.
"""

from __future__ import annotations

import decimal
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.root import crossing, find_root, least_integer
from pairedperm.options import printed_fraction

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


MOST_NEEDED = 10**6  # tuned: the largest number of examples that is searched for
_TAIL_ERROR = 1e-9  # proof: relative, of F and of a binomial tail in floats
_AGREE = 1e-10  # proof: relative, of F by some nodes and by twice as many
_OUTSIDE = 1e-12  # proof: relative to α / 2, what is not integrated on each side
_INSIDE = 0.1  # tuned: in deviations, how far from the ends the first guess is
_MOST_EXACT = 2**12  # tuned: differing examples of which integers hold all binary digits
_PI = "3.141592653589793238462643383279502884197169399375105820974944592"  # proof: 64 digits
_STIRLING = (12, -360, 1260, -1680, 1188)  # proof: the denominators of its first terms


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
    m = wins + losses
    if _is_tail_at_most(wins, m, half):
        theta, tau = Beta(wins, losses + 1), Beta(m, n - m + 1)
        return _limit(theta, tau, float(half), is_above=False)
    if wins == 0 and m == n:
        return -1.0
    theta, tau = Beta(losses + 1, wins), Beta(m + 1, n - m)
    return _limit(theta, tau, float(half), is_above=True)


def fewest_wins(m: Sequence[int], n: int, margin: float, alpha: float) -> list[int]:
    """Return how many of m differing examples must be wins to show a loss below the margin.

    With so many wins the lower limit at the level 1 - 2 α is above -margin; m + 1 if none are
    enough. The limit rises if a tie becomes a win, and falls if it becomes a loss. So one more
    differing example takes as many wins, or one more.

    Parameters
    ----------
    m : sequence of int
        Numbers of differing examples, each one more than the one before; at most n.
    n : int
        The number of examples.
    margin : float
        Between 0 and 1.
    alpha : float
        Between 0 and ½. It is read as the decimal that it prints as.

    Returns
    -------
    list of int
    """
    half = float(printed_fraction(alpha))
    first = partial(_is_loss_below, margin, m=m[0], n=n, half=half)
    thresholds = [enough := bisect_left(range(m[0] + 1), True, key=first)]
    for k in m[1:]:
        enough += not _is_loss_below(margin, enough, k, n, half)
        thresholds.append(enough)
    return thresholds


def fewest_without_loss(margin: float, alpha: float) -> int | None:
    """Return the least n so that n ties show a loss below the margin; None above a million.

    Their lower limit is α^(1/n) - 1, rounded down.
    """
    return least_integer(lambda n: fewest_wins([0], n, margin, alpha) == [0], MOST_NEEDED)


def _is_loss_below(margin: float, wins: int, m: int, n: int, half: float) -> bool:
    """Return whether the lower limit is above -margin: P(τ_up (2θ' - 1) ≥ margin) is below half."""
    if wins == 0 and m == n:
        return False
    theta, tau = Beta(m - wins + 1, wins, 0), Beta(m + 1, n - m, 0)  # nothing summed: many follow
    tail = product_tail(theta, tau, _OUTSIDE * half, is_above=True)
    n_panels, some, more = 2, tail(margin, 1), tail(margin, 2)
    while abs(more - some) > _AGREE * some:
        n_panels *= 2
        some, more = more, tail(margin, n_panels)
    return more < half * (1.0 - _TAIL_ERROR)


def _is_tail_at_most(wins: int, m: int, half: Fraction) -> bool:
    """Return whether P(Bin(m, ½) ≥ wins) ≤ half < ½, by integers where floats do not tell.

    Up to 4096 differing examples all is exact. Beyond, the first term of the sum is known to 35
    digits. The others are rounded down, each by less than m units of 2^-158 of it. So the sum is
    known to 30 digits. If even these do not tell, the tail counts as larger.
    """
    if 2 * wins <= m:
        return False  # the tail is above ½
    tail, limit = float(Beta(wins, m - wins + 1).tail(0.5, 0.5, is_above=False)), float(half)
    if abs(tail - limit) > _TAIL_ERROR * limit:
        return tail < limit
    term, bits = (math.comb(m, wins), m) if m <= _MOST_EXACT else _leading_bits(wins, m)
    total = 0
    for k in range(wins, m + 1):
        total += term
        term = term * (m - k) // (k + 1)
        if not term:
            break
    most = total + (total >> 100 if m > _MOST_EXACT else 0)
    return most * half.denominator <= half.numerator << bits


def _leading_bits(wins: int, m: int) -> tuple[int, int]:
    """Return integers i < 2^160 and b, so that i / 2^b is C(m, wins) / 2^m but for 1e-35 of it.

    From k = 1000 on, log k! is Stirling's series. Its error is less than the first term left out,
    691 / (360360 k^11), which is below 2e-36. Logarithms have 60 digits, of which 10 are whole.
    """
    with decimal.localcontext(decimal.Context(prec=60)):
        log_2, log_2pi = decimal.Decimal(2).ln(), (2 * decimal.Decimal(_PI)).ln()

        def log_factorial(k: int) -> decimal.Decimal:
            if k < 1000:
                return decimal.Decimal(math.factorial(k)).ln()
            x = decimal.Decimal(k)
            series = sum(1 / (c * x ** (2 * i + 1)) for i, c in enumerate(_STIRLING))
            return (x + 1 / decimal.Decimal(2)) * x.ln() - x + log_2pi / 2 + series

        log_ways = log_factorial(m) - log_factorial(wins) - log_factorial(m - wins)
        share = (log_ways - m * log_2).exp()
        bits = 159 - math.ceil(math.log2(share))
        return int(share * 2**bits), bits


def _limit(theta: Beta, tau: Beta, half: float, *, is_above: bool) -> float:
    """Return the c ≥ 0 with P(τ (2θ - 1) ≤ c) = half, or -c with P(τ (2θ - 1) ≥ c), rounded down.

    As a quantile of the normal law, F is nearly straight. Multiplied by the law's hazard, it
    differs from that of half as log F differs from log half.
    """
    target = half * (1.0 - _TAIL_ERROR)
    if not is_above and theta.tail(0.5, 0.5, is_above=False) >= target:
        return 0.0
    tail = product_tail(theta, tau, _OUTSIDE * half, is_above=is_above)
    deviate = _deviate(target)
    hazard = math.exp(-(deviate**2) / 2.0) / math.sqrt(2.0 * math.pi) / target

    def excess(x: float) -> float:
        return hazard * (_deviate(tail(abs(x), n_panels)) - deviate)

    ends = (-1.0, 0.0) if is_above else (0.0, 1.0)
    width = 2.0 * theta.mean - 1.0
    spread = math.hypot(2.0 * theta.deviation * tau.mean, width * tau.deviation)
    limit = (-1.0 if is_above else 1.0) * tau.mean * width + deviate * spread
    limit = min(max(limit, ends[0] + _INSIDE * spread), ends[1] - _INSIDE * spread)
    n_panels = 1
    while True:
        limit = crossing(excess, *ends, limit, hazard / spread)
        some = tail(abs(limit), n_panels)
        n_panels *= 2
        if not abs(tail(abs(limit), n_panels) - some) > _AGREE * some:  # ends with nan, too
            return limit


def _deviate(probability: float) -> float:
    """Return a quantile of the standard normal distribution, infinite at 0 and 1."""
    if not 0.0 < probability < 1.0:
        return -math.inf if probability <= 0.0 else math.inf
    return NormalDist().inv_cdf(probability)


def likeliest(wins: int, losses: int, n: int, delta: float) -> tuple[float, float]:
    """Return the likeliest probabilities of a win and of a loss whose difference is δ."""
    if delta < 0.0:
        q, p = likeliest(losses, wins, n, -delta)
        return p, q
    half = (2 * n - wins + losses) * delta - (wins + losses)  # 2 n q² + half q = rest
    rest = losses * delta * (1.0 - delta)
    root = math.sqrt(half * half + 8.0 * n * rest)
    q = 2.0 * rest / (root + half) if half > 0.0 else (root - half) / (4.0 * n)
    return q + delta, q
