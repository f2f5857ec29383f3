"""The power of the test where an example is a win, a loss or a tie: exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.results.power_result import MOST
from pairedperm.results.score_interval import likeliest

_TIE = 1e-12  # proof: of α, by which the rounding of a tail of a binomial may exceed it
_DEVIATIONS, _AROUND = 9.0, 40  # proof: of a binomial, beyond which there is less than 1e-15


class Planned(NamedTuple):
    """A test that is planned, and how often it is simulated where that is needed."""

    alpha: float
    n_simulations: int
    seed: int


class Power(NamedTuple):
    """The probability of a rejection, and of one that names the worse system."""

    power: float
    wrong: float
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class Flips:
    """Examples that are wins, losses or ties.

    Attributes
    ----------
    better, worse : float
        The shares of examples that speak for system 1, and for system 2.
    size : float
        By how much the scores of these differ.
    seen : tuple of int or None
        The numbers of wins, of losses, and of all examples of a pilot.
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
        """Of wins and losses."""
        return self.better, self.worse

    @property
    def _sides(self) -> tuple[float, float]:
        """Of those that differ, the shares that speak for the better system, and the other."""
        differing = self.better + self.worse
        return max(self.shares) / differing, min(self.shares) / differing

    def at(self, difference: float) -> Flips | None:
        """The likeliest shares with this difference, as in Tango's interval."""
        delta = difference / self.size
        if self.seen is None or not -1.0 <= delta <= 1.0:
            return None
        better, worse = likeliest(*self.seen, delta)
        return Flips(better, worse, self.size)

    def power(self, n: int, test: Planned) -> Power:
        """Of the two-sided test of n examples.

        M of them differ, M ~ Bin(n, p₊ + p₋), and W of those speak for the better system,
        W ~ Bin(M, p₊ / (p₊ + p₋)). It is rejected if 2 P(Bin(M, ½) ≥ max(W, M - W)) ≤ α.
        """
        m = _window(n, self.share_differing)
        rejected = _rejected(m, self._sides, test.alpha)
        weights = _masses(n, self.share_differing, m)
        right, wrong = float(weights @ rejected.right), float(weights @ rejected.wrong)
        return Power(min(right + wrong, 1.0), wrong)

    def n_needed(self, power: float, test: Planned) -> int | None:
        """The least n with this power, from n to 1.1 n examples; None if that is beyond `MOST`.

        The power of the test has teeth. A test that throws a coin to have the size α is unbiased
        and uniformly the most powerful, so that its power does not fall as n grows, and is no less:
        it says where to begin. It is at most two masses of a binomial more: that says where to end.
        """
        share, sides, alpha = self.share_differing, self._sides, test.alpha

        def with_coin(n: int) -> float:
            m = _window(n, share)
            found = _rejected(m, sides, alpha)
            return float(_masses(n, share, m) @ (found.right + found.wrong + found.slack))

        def least(n: int) -> float:
            fewest = int(_window(n, share)[0])
            return with_coin(n) - 2.0 * float(_masses(fewest, sides[0]).max())

        first = _least(lambda n: with_coin(n) >= power, MOST)
        if first is None:
            return None
        last = _least(lambda n: least(n) >= power, 2 * MOST) or 2 * MOST
        n = found = first
        while n <= (end := min(last, 11 * found // 10)):
            m = np.arange(_window(n, share)[0], _window(end, share)[-1] + 1)
            rejected = _rejected(m, sides, alpha)
            totals = rejected.right + rejected.wrong
            for size in range(n, end + 1):
                some = _window(size, share)
                here = totals[some[0] - m[0] : some[-1] - m[0] + 1]
                if float(_masses(size, share, some) @ here) < power:
                    found = size + 1
            n = end + 1
        return found

    def detectable(self, n: int, power: float, test: Planned) -> Flips | None:
        """The least difference with this power, if as many examples differ; None if none has.

        The power grows as more of these speak for one system.
        """
        from scipy.optimize import brentq

        share = self.share_differing
        m = _window(n, share)
        weights, critical = _masses(n, share, m), _critical(m, test.alpha)

        def excess(lead: float) -> float:
            tails = (_tail(m, critical, (1.0 + x) / 2.0) for x in (lead, -lead))
            return float(weights @ sum(tails)) - power

        if excess(1.0) < 0.0:
            return None
        lead = float(brentq(excess, 0.0, 1.0, xtol=1e-12))  # power exceeds α, and so that of 0
        return self.led(lead)

    def led(self, lead: float) -> Flips:
        """As many differ, of which (1 + lead) / 2 speak for system 1."""
        share = self.share_differing
        return Flips(share * (1.0 + lead) / 2.0, share * (1.0 - lead) / 2.0, self.size)


def _least(holds: Callable[[int], bool], most: int) -> int | None:
    """The least integer from 1 to `most` from which on it holds; None if there is none."""
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
    """How many of n examples may differ."""
    around = _DEVIATIONS * math.sqrt(n * share * (1.0 - share)) + _AROUND
    low, high = math.floor(n * share - around), math.ceil(n * share + around)
    return np.arange(n if share == 1.0 else max(low, 0), min(high, n) + 1)


def _masses(n: int, share: float, m: IntArray | None = None) -> FloatArray:
    """P(Bin(n, share) = m), by the ratios of one to the next."""
    m = _window(n, share) if m is None else m
    if share == 1.0:
        return np.ones(1)
    ratios = np.log((n - m[:-1]) / (m[:-1] + 1.0)) + math.log(share) - math.log1p(-share)
    logs = np.concatenate(([0.0], np.cumsum(ratios)))
    masses = np.exp(logs - logs.max())
    return np.asarray(masses / masses.sum())


def _critical(m: IntArray, alpha: float) -> IntArray:
    """The least w with 2 P(Bin(m, ½) ≥ w) ≤ α, from m / 2 to m + 1."""
    from scipy.special import bdtrc

    low, high = m // 2, m + 1  # p is 1 there, and 0
    while (high - low > 1).any():
        w = np.maximum((low + high) // 2, 1)
        is_rejected = 2.0 * bdtrc(w - 1, m, 0.5) <= alpha * (1.0 + _TIE)
        low, high = np.where(is_rejected, low, w), np.where(is_rejected, w, high)
    return high


def _tail(m: IntArray, c: IntArray, share: float) -> FloatArray:
    """P(Bin(m, share) ≥ c); 0 where c exceeds m."""
    from scipy.special import bdtrc

    least = np.minimum(c, m)
    tail = np.where(least > 0, bdtrc(np.maximum(least - 1, 0), m, share), 1.0)
    return np.where(c <= m, tail, 0.0)


class _Rejected(NamedTuple):
    """P(rejected | m examples differ) for some m: for the better and for the worse system.

    `slack` is what a test would reject beside, that throws a coin to have the size α.
    """

    right: FloatArray
    wrong: FloatArray
    slack: FloatArray


def _rejected(m: IntArray, sides: tuple[float, float], alpha: float) -> _Rejected:
    c = _critical(m, alpha)
    right, wrong = (_tail(m, c, side) for side in sides)
    fair, fair_and_next = (2.0 * _tail(m, x, 0.5) for x in (c, c - 1))
    is_middle = 2 * (c - 1) <= m  # then the next value is in both tails: all is rejected
    total = np.where(is_middle, 1.0, sum(_tail(m, c - 1, side) for side in sides))
    more = np.where(is_middle, 1.0, fair_and_next) - fair
    coin = np.clip((alpha - fair) / np.where(more > 0.0, more, 1.0), 0.0, 1.0)
    return _Rejected(right, wrong, coin * (total - right - wrong))
