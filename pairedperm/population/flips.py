"""Wins, losses and ties: the exact power of a test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.root import find_root, least_integer
from pairedperm.population.paired_shares import MOST_NEEDED, likeliest

_ROUNDED = 1e-12  # proof: relative to α; the rounding error of a binomial tail is smaller
NORMAL = NormalDist()
_DEVIATIONS, _AROUND = 9.0, 40  # proof: less than 1e-15 of a binomial lies farther out


class Power(NamedTuple):
    """The probability of a rejection, and of a rejection that names the worse system.

    A power that is not exact has about an error.
    """

    power: float
    wrong: float
    approximation_error: float | None = None


class Moments(NamedTuple):
    """The difference, √n times its deviations over samples and over swaps, and its skewness."""

    difference: float
    deviation: float
    of_swaps: float
    skewness: float

    def quantile(self, n: int, edge: float, sign: float = 1.0) -> float:
        """Return the normal quantile of the probability to reject on the side of `sign`."""
        distance = sign * abs(self.difference) * math.sqrt(n) - edge * self.of_swaps
        return distance / self.deviation if self.deviation else math.copysign(40.0, distance)

    def power(self, n: int, edge: float, share_differing: float) -> Power:
        """Return the normal approximation of the power, and about its error.

        That is the term of its Edgeworth series with the skewness of the influences, and one share
        of the examples that differ.
        """
        right, wrong = (self.quantile(n, edge, sign) for sign in (1.0, -1.0))
        share = NORMAL.cdf(wrong)
        size = abs(self.skewness) / (6.0 * math.sqrt(n))
        error = size * (2.0 * right**2 + 1.0) * NORMAL.pdf(right)
        error = min(error + 1.0 / max(n * share_differing, 1.0), 1.0)
        return Power(min(NORMAL.cdf(right) + share, 1.0), share, approximation_error=error)


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

    @property
    def moments(self) -> Moments:
        """The moments that the normal approximation needs."""
        mean, square = self.better - self.worse, self.share_differing
        variance = square - mean**2
        third = mean * (1.0 - 3.0 * square + 2.0 * mean**2)
        skewness = third / variance**1.5 if variance > 0.0 else 0.0
        one, two = (self.size * math.sqrt(max(x, 0.0)) for x in (variance, square))
        return Moments(self.difference, one, two, skewness)

    def at(self, difference: float) -> FlipsLaw | None:
        """Return the likeliest shares with this difference."""
        delta = difference / self.size
        if self.seen is None or not -1.0 <= delta <= 1.0:
            return None
        better, worse = likeliest(*self.seen, delta)
        return FlipsLaw(better, worse, self.size)

    def power(self, n: int, alpha: float) -> Power:
        """Return the power of the two-sided test of n examples.

        M examples differ, M ~ Bin(n, p₊ + p₋). W of these speak for the better system,
        W ~ Bin(M, p₊ / (p₊ + p₋)). The test rejects if 2 P(Bin(M, ½) ≥ max(W, M - W)) ≤ α.
        """
        m = likely_counts(n, self.share_differing)
        rejected = _rejected(m, self._sides, alpha)
        weights = count_masses(n, self.share_differing, m)
        right, wrong = float(weights @ rejected.right), float(weights @ rejected.wrong)
        return Power(min(right + wrong, 1.0), wrong)

    def n_needed(self, power: float, alpha: float) -> int | None:
        """Return the least n such that n to 1.1 n examples have this power; None if there is none.

        The power of the test may fall as n grows. The randomised test of size α is unbiased and
        uniformly most powerful, so its power never falls. The search starts where that power
        suffices. It ends where that power, less two binomial masses, suffices: the power of the
        test is no smaller. Numbers above `MOST_NEEDED` are not searched for.
        """
        share, sides = self.share_differing, self._sides

        def with_coin(n: int) -> float:
            m = likely_counts(n, share)
            rejected = _rejected(m, sides, alpha)
            return float(count_masses(n, share, m) @ sum(rejected))

        def least(n: int) -> float:
            fewest = int(likely_counts(n, share)[0])
            return with_coin(n) - 2.0 * float(count_masses(fewest, sides[0]).max())

        first = least_integer(lambda n: with_coin(n) >= power, MOST_NEEDED)
        if first is None:
            return None
        last = least_integer(lambda n: least(n) >= power, 2 * MOST_NEEDED) or 2 * MOST_NEEDED
        n = needed = first
        while n <= (end := min(last, 11 * needed // 10)):
            m = np.arange(likely_counts(n, share)[0], likely_counts(end, share)[-1] + 1)
            rejected = _rejected(m, sides, alpha)
            totals = rejected.right + rejected.wrong
            for size in range(n, end + 1):
                some = likely_counts(size, share)
                here = totals[some[0] - m[0] : some[-1] - m[0] + 1]
                if float(count_masses(size, share, some) @ here) < power:
                    needed = size + 1
            n = end + 1
        return needed

    def detectable(self, n: int, power: float, alpha: float) -> FlipsLaw | None:
        """Return the least difference with this power if as many examples differ; None if none.

        The power grows with the share of these that speak for one system.
        """
        share = self.share_differing
        m = likely_counts(n, share)
        weights, critical = count_masses(n, share, m), _critical(m, alpha)

        def excess(lead: float) -> float:
            tails = (upper_tails(m, critical, (1.0 + x) / 2.0) for x in (lead, -lead))
            return float(weights @ sum(tails)) - power

        if excess(1.0) < 0.0:
            return None
        lead = find_root(excess, 0.0, 1.0, xtol=1e-12)  # excess(0) < 0, as power > α
        return self.led(lead)

    def led(self, lead: float) -> FlipsLaw:
        """Return as many differing examples, of which (1 + lead) / 2 speak for system 1."""
        share = self.share_differing
        return FlipsLaw(share * (1.0 + lead) / 2.0, share * (1.0 - lead) / 2.0, self.size)


def likely_counts(n: int, share: float) -> IntArray:
    """Return the likely numbers of differing examples among n."""
    around = _DEVIATIONS * math.sqrt(n * share * (1.0 - share)) + _AROUND
    low, high = math.floor(n * share - around), math.ceil(n * share + around)
    return np.arange(n if share == 1.0 else max(low, 0), min(high, n) + 1)


def count_masses(n: int, share: float, m: IntArray | None = None) -> FloatArray:
    """Compute P(Bin(n, share) = m) from the ratios of neighbours."""
    m = likely_counts(n, share) if m is None else m
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


def upper_tails(m: IntArray, c: IntArray, share: float) -> FloatArray:
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
    right, wrong = (upper_tails(m, c, side) for side in sides)
    fair, fair_and_next = (2.0 * upper_tails(m, x, 0.5) for x in (c, c - 1))
    is_middle = 2 * (c - 1) <= m  # then c - 1 lies in both tails: all is rejected
    total = np.where(is_middle, 1.0, sum(upper_tails(m, c - 1, side) for side in sides))
    more = np.where(is_middle, 1.0, fair_and_next) - fair
    coin = np.clip((alpha - fair) / np.where(more > 0.0, more, 1.0), 0.0, 1.0)
    return _Rejected(right, wrong, coin * (total - right - wrong))
