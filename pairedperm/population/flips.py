"""Wins, losses and ties: Tango's interval of their difference, and the exact power of a test."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.root import find_root

MOST_NEEDED = 10**6  # tuned: the largest number of examples that is searched for
SECONDS = 10.0  # tuned: the simulated tests of an answer take about as long, estimated
_MOST_HALVINGS = 2000  # proof: enough to get from 1 to the least float
_ROUNDED = 1e-12  # proof: relative to α; the rounding error of a binomial tail is smaller
_DEVIATIONS, _AROUND = 9.0, 40  # proof: less than 1e-15 of a binomial lies farther out


def score_interval(wins: int, losses: int, n: int, confidence_level: float) -> tuple[float, float]:
    """Return the ends of the differences δ that a score test at 1 - confidence_level accepts.

    Of n examples, `wins` have the difference 1 and `losses` have -1. The observed difference is
    d = (wins - losses) / n. The interval holds all δ with

        |d - δ| ≤ z √(v(δ) / n),  v(δ) = p + q - δ²,

    where p and q are the likeliest probabilities of a win and a loss with p - q = δ [1]_,
    equations (24) to (26). The ends solve this equation within rounding. The interval is
    asymptotic. At 0.95 and for 10 to 100 examples it covers true differences of up to 0.2 with a
    probability of 0.95 to 0.975 on average over p and q. At the worst p and q it is 0.91 to 0.94.
    If all examples differ and δ is near 1 or -1, it is down to 0.835, however many there are.

    Parameters
    ----------
    wins, losses, n : int
        Not negative; n is positive, and at least wins + losses.
    confidence_level : float
        Between 0 and 1.

    Returns
    -------
    tuple of float, length 2
        Both ends, from -1 to 1. They are ± z² / (n + z²) without wins and losses, and
        (n - z²) / (n + z²) and 1 with n wins.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions
       for the paired-sample design", Statistics in Medicine 17, 1998.
    """
    z = -NormalDist().inv_cdf((1.0 - confidence_level) / 2.0)
    low, high = _low(wins, losses, n, z), -_low(losses, wins, n, z)
    return low + 0.0, high + 0.0  # no -0.0


def _low(wins: int, losses: int, n: int, z: float) -> float:
    """Return the lower end: the δ with d - δ = z √(v(δ) / n)."""
    if wins == losses == 0:
        return -z * z / (n + z * z)
    if wins == n:
        return (n - z * z) / (n + z * z)
    if losses == n:
        return -1.0

    def excess(delta: float) -> float:
        distance = (wins - losses) - n * delta
        return distance - z * math.sqrt(n * _variance(wins, losses, n, delta))

    difference = (wins - losses) / n
    if excess(difference) >= 0.0:  # rounding, as z is next to 0
        return difference
    return find_root(excess, -1.0, difference, xtol=1e-20, rtol=1e-15, most_steps=_MOST_HALVINGS)


def _variance(wins: int, losses: int, n: int, delta: float) -> float:
    """Return v(δ) = p + q - δ²; for δ ≥ 0 as 2 q + δ (1 - δ), which loses no digits."""
    if delta < 0.0:
        return _variance(losses, wins, n, -delta)
    return 2.0 * likeliest(wins, losses, n, delta)[1] + delta * (1.0 - delta)


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


class Planned(NamedTuple):
    """The level of a planned test, the number and seed of its simulations, and their seconds."""

    alpha: float
    n_simulations: int
    seed: int
    seconds: float = SECONDS


class Power(NamedTuple):
    """The probability of a rejection, and of a rejection that names the worse system.

    A simulated power has a standard error, and the normal approximation about an error.
    """

    power: float
    wrong: float
    standard_error: float | None = None
    n_simulations: int | None = None
    approximation_error: float | None = None


@dataclass(frozen=True, slots=True)
class FlipsLaw:
    """Examples that are wins, losses or ties.

    Attributes
    ----------
    better, worse : float
        The shares of examples that speak for system 1, and for system 2.
    size : float
        The absolute difference of the scores on each of these examples.
    seen : tuple of int or None
        The numbers of wins, losses and examples of a pilot.
    """

    better: float
    worse: float
    size: float = 1.0
    seen: tuple[int, int, int] | None = None

    @property
    def share_differing(self) -> float:
        """The share of examples that speak for one of the systems."""
        return min(self.better + self.worse, 1.0)

    @property
    def difference(self) -> float:
        """The difference of the scores."""
        return self.size * (self.better - self.worse)

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of wins and losses."""
        return self.better, self.worse

    @property
    def _sides(self) -> tuple[float, float]:
        """The shares of the better and the worse system among the examples that differ."""
        differing = self.better + self.worse
        return max(self.shares) / differing, min(self.shares) / differing

    def at(self, difference: float) -> FlipsLaw | None:
        """Return the likeliest shares with this difference, as in Tango's interval."""
        delta = difference / self.size
        if self.seen is None or not -1.0 <= delta <= 1.0:
            return None
        better, worse = likeliest(*self.seen, delta)
        return FlipsLaw(better, worse, self.size)

    def power(self, n: int, test: Planned) -> Power:
        """Return the power of the two-sided test of n examples.

        M examples differ, M ~ Bin(n, p₊ + p₋). W of these speak for the better system,
        W ~ Bin(M, p₊ / (p₊ + p₋)). The test rejects if 2 P(Bin(M, ½) ≥ max(W, M - W)) ≤ α.
        """
        m = _window(n, self.share_differing)
        rejected = _rejected(m, self._sides, test.alpha)
        weights = _masses(n, self.share_differing, m)
        right, wrong = float(weights @ rejected.right), float(weights @ rejected.wrong)
        return Power(min(right + wrong, 1.0), wrong)

    def n_needed(self, power: float, test: Planned) -> int | None:
        """Return the least n such that n to 1.1 n examples have this power; None if there is none.

        The power of the test may fall as n grows. The randomised test of size α is unbiased and
        uniformly most powerful, so its power never falls. The search starts where that power
        suffices. It ends where that power, less two binomial masses, suffices: the power of the
        test is no smaller. Numbers above `MOST_NEEDED` are not searched for.
        """
        share, sides, alpha = self.share_differing, self._sides, test.alpha

        def with_coin(n: int) -> float:
            m = _window(n, share)
            rejected = _rejected(m, sides, alpha)
            return float(_masses(n, share, m) @ sum(rejected))

        def least(n: int) -> float:
            fewest = int(_window(n, share)[0])
            return with_coin(n) - 2.0 * float(_masses(fewest, sides[0]).max())

        first = least_integer(lambda n: with_coin(n) >= power, MOST_NEEDED)
        if first is None:
            return None
        last = least_integer(lambda n: least(n) >= power, 2 * MOST_NEEDED) or 2 * MOST_NEEDED
        n = needed = first
        while n <= (end := min(last, 11 * needed // 10)):
            m = np.arange(_window(n, share)[0], _window(end, share)[-1] + 1)
            rejected = _rejected(m, sides, alpha)
            totals = rejected.right + rejected.wrong
            for size in range(n, end + 1):
                some = _window(size, share)
                here = totals[some[0] - m[0] : some[-1] - m[0] + 1]
                if float(_masses(size, share, some) @ here) < power:
                    needed = size + 1
            n = end + 1
        return needed

    def detectable(self, n: int, power: float, test: Planned) -> FlipsLaw | None:
        """Return the least difference with this power if as many examples differ; None if none.

        The power grows with the share of these that speak for one system.
        """
        share = self.share_differing
        m = _window(n, share)
        weights, critical = _masses(n, share, m), _critical(m, test.alpha)

        def excess(lead: float) -> float:
            tails = (_tail(m, critical, (1.0 + x) / 2.0) for x in (lead, -lead))
            return float(weights @ sum(tails)) - power

        if excess(1.0) < 0.0:
            return None
        lead = find_root(excess, 0.0, 1.0, xtol=1e-12)  # excess(0) < 0, as power > α
        return self.led(lead)

    def led(self, lead: float) -> FlipsLaw:
        """Return as many differing examples, of which (1 + lead) / 2 speak for system 1."""
        share = self.share_differing
        return FlipsLaw(share * (1.0 + lead) / 2.0, share * (1.0 - lead) / 2.0, self.size)


def least_integer(holds: Callable[[int], bool], most: int) -> int | None:
    """Return the least integer from 1 to `most` for which a monotone `holds` is true, or None.

    The search doubles first, because large integers take longer.
    """
    low, high = 0, 1
    while not holds(high):
        if high == most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _window(n: int, share: float) -> IntArray:
    """Return the likely numbers of differing examples among n."""
    around = _DEVIATIONS * math.sqrt(n * share * (1.0 - share)) + _AROUND
    low, high = math.floor(n * share - around), math.ceil(n * share + around)
    return np.arange(n if share == 1.0 else max(low, 0), min(high, n) + 1)


def _masses(n: int, share: float, m: IntArray | None = None) -> FloatArray:
    """Compute P(Bin(n, share) = m) from the ratios of neighbours."""
    m = _window(n, share) if m is None else m
    if share == 1.0:
        return np.ones(1)
    ratios = np.log((n - m[:-1]) / (m[:-1] + 1.0)) + math.log(share) - math.log1p(-share)
    logs = np.concatenate(([0.0], np.cumsum(ratios)))
    masses = np.exp(logs - logs.max())
    return np.asarray(masses / masses.sum())


def _critical(m: IntArray, alpha: float) -> IntArray:
    """Return the least w with 2 P(Bin(m, ½) ≥ w) ≤ α, from m / 2 to m + 1."""
    from scipy.special import bdtrc

    low, high = m // 2, m + 1  # p is 1 at low, 0 at high
    while (high - low > 1).any():
        w = np.maximum((low + high) // 2, 1)
        is_rejected = 2.0 * bdtrc(w - 1, m, 0.5) <= alpha * (1.0 + _ROUNDED)
        low, high = np.where(is_rejected, low, w), np.where(is_rejected, w, high)
    return high


def _tail(m: IntArray, c: IntArray, share: float) -> FloatArray:
    """Compute P(Bin(m, share) ≥ c); 0 if c exceeds m."""
    from scipy.special import bdtrc

    least = np.minimum(c, m)
    tail = np.where(least > 0, bdtrc(np.maximum(least - 1, 0), m, share), 1.0)
    return np.where(c <= m, tail, 0.0)


class _Rejected(NamedTuple):
    """P(rejected | m examples differ) for some m, in favour of the better and the worse system.

    `slack` is the probability that only a randomised test of size α rejects.
    """

    right: FloatArray
    wrong: FloatArray
    slack: FloatArray


def _rejected(m: IntArray, sides: tuple[float, float], alpha: float) -> _Rejected:
    c = _critical(m, alpha)
    right, wrong = (_tail(m, c, side) for side in sides)
    fair, fair_and_next = (2.0 * _tail(m, x, 0.5) for x in (c, c - 1))
    is_middle = 2 * (c - 1) <= m  # then c - 1 lies in both tails: all is rejected
    total = np.where(is_middle, 1.0, sum(_tail(m, c - 1, side) for side in sides))
    more = np.where(is_middle, 1.0, fair_and_next) - fair
    coin = np.clip((alpha - fair) / np.where(more > 0.0, more, 1.0), 0.0, 1.0)
    return _Rejected(right, wrong, coin * (total - right - wrong))
