"""Laws of examples like a pilot's: their difference, and the power of tests of n of them.

Wins, losses and ties have an exact power. Examples whose differences have several sizes are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import count
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.root import find_root, least_integer
from pairedperm.errors import InputError
from pairedperm.population.difference import SummedRows, effects, influences, weighted_sums
from pairedperm.population.shares import MOST_NEEDED, fewest_wins, likeliest
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

_ROUNDED = 1e-12  # proof: relative to α; the rounding error of a binomial tail is smaller
_DEVIATIONS, _AROUND = 9.0, 40  # proof: less than 1e-15 of a binomial lies farther out
_LEFT_OUT = 1e-10  # tuned: numbers of differing examples that are less likely are left out
_MOST_COUNTS = 1000  # tuned: with more, the normal approximation is right to four digits
_MOST_COUNTED = 100  # tuned: so many numbers of counted examples take some seconds
_SPREAD = 13.0  # tuned: so many deviations are about as likely as that
_SECANTS = 4  # tuned: steps until a search halves
_FURTHER = 1.01  # tuned: a search goes on by 1 % of the difference at least
_TILTS = 0.1 * 2.0 ** np.arange(12)  # tuned: exponents to try, from 0.1 to 205
_MOST_KINDS = 512  # tuned: so many kinds of examples are drawn in 0.1 s
_EFFECTIVE = 4.0  # tuned: with fewer examples that decide, z is too large
_OFF, _FEW_DECIDE = 0.05, 0.3  # tuned: the largest errors of 500 pilots, beside whole tests
_LEAST_FLOAT = 5e-324  # proof: the least float above 0
NORMAL = NormalDist()
N_DRAWS = 4000  # tuned: a standard error of 0.8 % at most
SHARES = "pilot=(0.06, 0.03)"  # an example


class EstimatedPower(NamedTuple):
    """The probability of a rejection, and of a rejection that names the worse system.

    A power that is not exact has about an error.
    """

    power: float
    wrong: float
    approximation_error: float | None = None


class Moments(NamedTuple):
    """√n times the deviations of a difference over samples and over swaps, and its skewness."""

    deviation: float
    of_swaps: float
    skewness: float


@dataclass(frozen=True, slots=True)
class OutcomesLaw:
    """Examples that are wins, losses or ties.

    Attributes
    ----------
    better, worse : float
        The shares of examples that speak for system 1, and for system 2.
    size : float
        The absolute difference of the scores on each of these examples.
    seen : tuple of int or None
        The numbers of wins, losses and examples of a pilot.
    share_counted : float
        The share of examples that the score counts, such as those with the label of a recall.
    """

    better: float
    worse: float
    size: float = 1.0
    seen: tuple[int, int, int] | None = None
    share_counted: float = 1.0

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

    def _sides(self, side: int) -> list[float]:
        """Return the shares of the leading system and the other among the examples that differ.

        Of one side it is the share of system 1, if the side is 1, or else of system 2.
        """
        if side:
            return [self.shares[side < 0] / (self.better + self.worse)]
        return sorted((x / (self.better + self.worse) for x in self.shares), reverse=True)

    @property
    def moments(self) -> Moments:
        """The moments that the normal approximation needs."""
        mean, square = self.better - self.worse, self.share_differing
        variance = max(square - mean**2, 0.0)
        third = mean * (1.0 - 3.0 * square + 2.0 * mean**2)
        skewness = third / variance**1.5 if variance > 0.0 else 0.0
        return Moments(self.size * math.sqrt(variance), self.size * math.sqrt(square), skewness)

    def at(self, difference: float) -> OutcomesLaw | None:
        """Return the likeliest shares with this difference."""
        delta = difference / self.size
        if self.seen is None or not -1.0 <= delta <= 1.0:
            return None
        better, worse = likeliest(*self.seen, delta)
        return replace(self, better=better, worse=worse)

    def power(self, n: int, alpha: float, side: int = 0) -> EstimatedPower:
        """Return the power of the test of n examples: of one side, 1 or -1, or of both.

        M examples differ, M ~ Bin(n, p₊ + p₋). W of these speak for the better system,
        W ~ Bin(M, p₊ / (p₊ + p₋)). The test rejects if 2 P(Bin(M, ½) ≥ max(W, M - W)) ≤ α. That of
        one side rejects if P(Bin(M, ½) ≥ W) ≤ α.
        """
        m, weights = likely_counts(n, self.share_differing)
        found = [float(weights @ x) for x in _rejected(m, self._sides(side), alpha)[0]]
        return EstimatedPower(min(sum(found), 1.0), 0.0 if side else found[1])

    def n_needed(self, power: float, alpha: float, side: int = 0) -> int | None:
        """Return the least n such that n to 1.1 n examples have this power; None if there is none.

        The power of the test may fall as n grows. The randomised test of size α is unbiased and
        uniformly most powerful, so its power never falls. The search starts where that power
        suffices. It ends where that power, less two binomial masses, suffices: the power of the
        test is no smaller. Numbers above `MOST_NEEDED` are not searched for.
        """
        share, sides = self.share_differing, self._sides(side)

        def with_coin(n: int) -> float:
            m, masses = likely_counts(n, share)
            found, coin = _rejected(m, sides, alpha)
            return float(masses @ (sum(found) + coin))

        def least(n: int) -> float:
            fewest = int(likely_counts(n, share)[0][0])
            return with_coin(n) - 2.0 * float(likely_counts(fewest, sides[0])[1].max())

        needed = least_integer(lambda n: with_coin(n) >= power, MOST_NEEDED)
        if needed is None:
            return None
        size = needed
        while size <= 11 * needed // 10 and least(size) < power:
            end = min(size + math.isqrt(size), 11 * needed // 10)
            m = np.arange(likely_counts(size, share)[0][0], likely_counts(end, share)[0][-1] + 1)
            totals = np.sum(_rejected(m, sides, alpha)[0], axis=0)
            for n in range(size, end + 1):
                some, masses = likely_counts(n, share)
                if float(masses @ totals[some[0] - m[0] : some[-1] - m[0] + 1]) < power:
                    needed = n + 1
            size = end + 1
        return needed

    def shown(self, n: int, nothing: float, alpha: float) -> float | None:
        """Return how often the exact interval lies on one side of `nothing`, a loss.

        None if the numbers of counted or of differing examples are too many to be enumerated.
        """
        counted, masses = _likely(n, self.share_counted)
        sides = self.shares[::-1] if nothing > 0.0 else self.shares
        better, worse = (x / self.share_counted for x in sides)
        differing = min(better + worse, 1.0)
        spread = _SPREAD * math.sqrt(counted[-1] * differing * (1.0 - differing))
        if spread > _MOST_COUNTS or counted.size > _MOST_COUNTED:
            return None
        margin, numbers = abs(nothing) / (self.size * self.share_counted), counted.tolist()
        chances = [x and _chance_shown(better, worse, x, margin, alpha) for x in numbers]
        return float(masses @ chances)

    def detectable(self, n: int, power: float, alpha: float, side: int = 0) -> OutcomesLaw | None:
        """Return the least difference with this power if as many examples differ; None if none.

        The power grows with the share of these that speak for one system.
        """
        share = self.share_differing
        m, weights = likely_counts(n, share)
        critical = _critical(m, 2.0 * alpha if side else alpha)

        def excess(lead: float) -> float:
            leads = (lead,) if side else (lead, -lead)
            tails = (upper_tails(m, critical, (1.0 + x) / 2.0) for x in leads)
            return float(weights @ sum(tails)) - power

        if excess(1.0) < 0.0:
            return None
        lead = find_root(excess, 0.0, 1.0, xtol=1e-12)  # excess(0) < 0, as power > α
        return self.led(-lead if side < 0 else lead)

    def led(self, lead: float) -> OutcomesLaw:
        """Return as many differing examples, of which (1 + lead) / 2 speak for system 1."""
        share = self.share_differing
        return OutcomesLaw(share * (1.0 + lead) / 2.0, share * (1.0 - lead) / 2.0, self.size)


def likely_counts(n: int, share: float) -> tuple[IntArray, FloatArray]:
    """Return the likely m, and P(Bin(n, share) = m) from the ratios of neighbours."""
    if share == 1.0:
        return np.array([n]), np.ones(1)
    around = _DEVIATIONS * math.sqrt(n * share * (1.0 - share)) + _AROUND
    low, high = math.floor(n * share - around), math.ceil(n * share + around)
    m = np.arange(max(low, 0), min(high, n) + 1)
    ratios = np.log((n - m[:-1]) / (m[:-1] + 1.0)) + math.log(share) - math.log1p(-share)
    logs = np.concatenate(([0.0], np.cumsum(ratios)))
    masses = np.exp(logs - logs.max())
    return m, np.asarray(masses / masses.sum())


def _likely(n: int, share: float) -> tuple[IntArray, FloatArray]:
    """Return the numbers among n that are likely, of examples with this share, and their masses."""
    m, masses = likely_counts(n, share)
    return m[masses > _LEFT_OUT], masses[masses > _LEFT_OUT]


@lru_cache(maxsize=4096)
def _chance_shown(better: float, worse: float, n: int, margin: float, alpha: float) -> float:
    """Return how often the exact lower limit is above -margin, with these shares of both sides."""
    share = min(better + worse, 1.0)
    m, masses = _likely(n, share)
    enough = np.array(fewest_wins(m.tolist(), n, margin, alpha))
    return min(float(masses @ upper_tails(m, enough, min(better / share, 1.0))), 1.0)


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


def _rejected(
    m: IntArray, sides: Sequence[float], alpha: float
) -> tuple[list[FloatArray], FloatArray]:
    """Return P(rejected | m examples differ) in favour of each system with these shares of them.

    The last is the probability that only a randomised test of size α rejects.
    """
    c = _critical(m, alpha * 2.0 / len(sides))
    found = [upper_tails(m, c, side) for side in sides]
    fair, fair_and_next = (len(sides) * upper_tails(m, x, 0.5) for x in (c, c - 1))
    # then c - 1 lies in both tails: all is rejected
    is_middle = (2 * (c - 1) <= m) & (len(sides) == 2)
    total = np.where(is_middle, 1.0, sum(upper_tails(m, c - 1, side) for side in sides))
    more = np.where(is_middle, 1.0, fair_and_next) - fair
    coin = np.clip((alpha - fair) / np.where(more > 0.0, more, 1.0), 0.0, 1.0)
    return found, coin * (total - sum(found))


@dataclass(frozen=True, eq=False)
class ScoresLaw:
    """Examples whose differences have several sizes, and about the power of tests of them.

    Attributes
    ----------
    rows : Rows
        Of the pilot's units, which are examples, or groups of them.
    score : Score
        In its form for draws.
    weights : float64 array, shape (2, number of distinct units)
        The probabilities of each as it is, and with the two systems exchanged.
    """

    rows: Rows
    score: Score
    weights: FloatArray

    @classmethod
    def of(cls, rows: Rows, score: Score) -> ScoresLaw:
        """Return the units of a pilot, as often as it has them."""
        counts = rows.how_often
        return cls(rows, score, np.stack((counts / counts.sum(), np.zeros(counts.size))))

    @cached_property
    def difference(self) -> float:
        """The difference of the scores."""
        summed = SummedRows.of(self.rows, self.score)
        as_is, turned = (weighted_sums(x, summed.table) for x in self.weights * self.rows.n)
        return summed.at(as_is + summed.exchanged(turned))

    @property
    def share_differing(self) -> float:
        """The share of examples, or groups, on which the systems' rows differ."""
        return 1.0 - float(self.weights.sum(axis=0) @ ~self._differs)

    def at(self, difference: float) -> ScoresLaw | None:
        """Return the examples with this difference: the weights are multiplied by exp(λ v).

        v is the influence of an example on the difference. None if no λ gives this difference.
        """
        moves = self.influences / np.abs(self.influences).max()

        def tilt(factor: float) -> ScoresLaw:
            weights = self.weights * np.exp(factor * moves)
            return replace(self, weights=weights / weights.sum())

        def excess(factor: float) -> float:
            return tilt(factor).difference - difference

        sign = -math.copysign(1.0, excess(0.0))
        beyond = next((x for x in sign * _TILTS if sign * excess(x) >= 0.0), None)
        return None if beyond is None else tilt(find_root(excess, 0.0, beyond))

    def led(self, lead: float) -> ScoresLaw:
        """Return each example as it is and exchanged: (1 + lead) / 2 of it leads for system 1."""
        turned = np.array([[1.0], [-1.0]])
        shares = (1.0 + lead * np.sign(self.effects) * turned) / 2.0
        return replace(self, weights=self.weights.sum(axis=0) * shares)

    def power(self, n: int, alpha: float, side: int = 0) -> EstimatedPower:
        """Return the power of the test of n such examples, or groups: of one side or both."""
        moves = np.concatenate((self.effects, -self.effects))
        shares = self.weights.ravel()
        some = np.tile(self._differs, 2) & (shares > 0.0)
        return drawn_power(moves[some], shares[some], n, alpha, self.difference, side)

    def detectable(self, n: int, power: float, alpha: float, side: int = 0) -> ScoresLaw | None:
        """Return the examples with the least lead that n of them detect; None if none is enough.

        The search starts at that of the normal approximation: with s = Σ d² and the mean m of
        led d, m √n = z₁ √s + z₂ √(s - m²).
        """
        edge, z, weights = (
            edge_of(2.0 * alpha if side else alpha),
            NORMAL.inv_cdf(power),
            self.weights.sum(axis=0),
        )
        moves = np.abs(self.effects)
        root = edge * math.sqrt(n) + z * math.sqrt(max(n + z**2 - edge**2, 0.0))
        lead = root / (n + z**2) * math.sqrt(weights @ moves**2) / float(weights @ moves)

        def growth(x: int) -> float:
            led = self.led((side or 1) * x / MOST_NEEDED)
            return growth_needed(led.power(n, alpha, side).power, power, edge)

        # leads are searched for as integers
        least = least_sufficient(growth, math.ceil(min(lead, 1.0) * MOST_NEEDED), 1, 1)
        return None if least is None else self.led((side or 1) * least / MOST_NEEDED)

    @cached_property
    def moments(self) -> Moments:
        """The moments that the normal approximation needs, by influences."""
        weights, moves = self.weights[0], self.influences
        mean = float(weights @ moves)
        variance = max(float(weights @ moves**2) - mean**2, 0.0)
        third = float(weights @ (moves - mean) ** 3)
        skewness = third / variance**1.5 if variance > 0.0 else 0.0
        of_swaps = math.sqrt(float(weights @ self.effects**2))
        return Moments(math.sqrt(variance), of_swaps, skewness)

    @cached_property
    def influences(self) -> FloatArray:
        """The influence of each unit, times their number, on the difference of scores."""
        return _derived(influences(self.rows, self.score), self.rows.n)

    @cached_property
    def effects(self) -> FloatArray:
        """The lead that each unit gives system 1, times their number: a swap turns its sign."""
        return _derived(effects(self.rows, self.score), self.rows.n)

    @property
    def _differs(self) -> NDArray[np.bool_]:
        """The units on which the systems' rows differ."""
        one, two = self.rows.tables
        return np.asarray((one != two).any(axis=1))


def _derived(moves: FloatArray | None, n: int) -> FloatArray:
    """Return n times what a derivative of the score gave; raise InputError if there is none."""
    if moves is None:
        why = "it does not say by how much an example moves it"
        shares = f"Say which shares of examples you expect to differ, such as {SHARES}"
        raise InputError("`pilot` has a score without derivatives there", remedy=(why, shares))
    return n * moves


def drawn_power(
    moves: FloatArray,
    shares: FloatArray,
    n: int,
    alpha: float,
    difference: float,
    side: int = 0,
) -> EstimatedPower:
    """Return the power of a test of n examples, from 4,000 multinomial draws of them.

    Swaps turn the signs of the examples' moves d. So a draw is significant if
    |Σ d| - u / 2 > z √Σ d², and if so many differ that p can reach α. The u / 2 stands for ties of
    the swaps: if all d are multiples of u, Σ d goes in steps of 2 u. u is the smallest |d|, which
    is almost 0 where moves are real.

    The power is within 5 percentage points of that of whole tests where n (E d²)² / E d⁴ ≥ 4. Below
    that a few examples decide. It was then up to 31 points too small.

    Parameters
    ----------
    moves : float array, shape (k,)
        By how much each kind of example that differs speaks for system 1.
    shares : float array, shape (k,)
        The shares of these among all examples.
    difference : float
        The mean of d that is supposed; Σ d moves with it.
    side : {0, 1, -1}
        The side of a one-sided test, which finds as much as a two-sided one of 2 α; 0 for both.
    """
    unit = float(np.abs(moves).max())  # no square overflows
    moves, mean = moves / unit, difference / unit
    if moves.size > _MOST_KINDS:
        moves, shares = _alike(moves, shares)
    squares = moves**2
    rng = np.random.default_rng(0)
    some = rng.multinomial(n, np.append(shares, max(1.0 - shares.sum(), 0.0)), N_DRAWS)[:, :-1]
    sums = some @ moves + n * (mean - shares @ moves)
    alpha = 2.0 * alpha if side else alpha
    far = np.abs(sums) - np.abs(moves).min() / 2.0 > edge_of(alpha) * np.sqrt(some @ squares)
    is_found = far & (some.sum(axis=1) >= fewest_differing(alpha)) & (sums * side >= 0.0)
    is_wrong = is_found & (sums * mean < 0.0) & (side == 0)
    few = n * float(shares @ squares) ** 2 < _EFFECTIVE * float(shares @ squares**2)
    error = _FEW_DECIDE if few else _OFF
    return EstimatedPower(float(is_found.mean()), float(is_wrong.mean()), approximation_error=error)


def _alike(moves: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return fewer kinds, each the mean of alike moves; large moves stay alone.

    Each kind has about the same part of Σ d².
    """
    order = np.argsort(moves)
    moves, shares = moves[order], shares[order]
    parts = np.cumsum(shares * moves**2)
    kind = np.ceil(parts / parts[-1] * _MOST_KINDS).astype(np.int64)
    both = (np.bincount(kind, x) for x in (shares, shares * moves))
    of_kind, sums = (x[np.unique(kind)] for x in both)
    return sums / of_kind, of_kind


def fewest_differing(alpha: float) -> int:
    """Return the fewest differing examples with which p can reach α: 2^(1 - m) ≤ α."""
    return math.ceil(1.0 - math.log2(alpha))


def edge_of(alpha: float) -> float:
    """Return the normal quantile at which a two-sided test of this level begins to reject."""
    return -NORMAL.inv_cdf(max(alpha / 2.0, _LEAST_FLOAT))


def growth_needed(power: float, wanted: float, edge: float) -> float:
    """Return the factor by which the difference must grow for the wanted power, never 1."""
    quantile = NORMAL.inv_cdf(min(max(power, 1e-9), 1.0 - 1e-9))
    factor = (NORMAL.inv_cdf(wanted) + edge) / max(quantile + edge, 0.3)
    return max(factor, _FURTHER) if power < wanted else min(factor, 1.0 / _FURTHER)


def least_sufficient(
    growth: Callable[[int], float], first: int, least: int, power: int
) -> int | None:
    """Return about the least integer up to `MOST_NEEDED` that is large enough, or None.

    `growth` is the factor by which the difference must grow there. It is above 1 where the integer
    is too small. An integer as large as factor^`power` times would do.
    """
    x, low, high = first, (least - 1, 0.0), (MOST_NEEDED + 1, 0.0)  # with their factors, less 1
    for step in count(1):
        factor = growth(x)
        low, high = ((x, factor - 1.0), high) if factor > 1.0 else (low, (x, factor - 1.0))
        if high[0] - low[0] == 1:
            break
        # Go where the factor leads. Between two sides follow the line through both, or halve.
        guess = x * min(max(factor**power, 0.5), 2.0)
        if low[1] and high[1]:
            share = low[1] / (low[1] - high[1]) if step <= _SECANTS else 0.5
            start, end = (side[0] ** (1.0 / power) for side in (low, high))
            guess = (start + (end - start) * share) ** power
        x = min(max(math.ceil(guess), low[0] + 1), high[0] - 1)
    return high[0] if high[1] else None
