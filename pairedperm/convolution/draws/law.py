"""A sum of independent draws from one lattice law, and its exponential tilts.

S = X_1 + … + X_n, and each X is one of the n numbers that were observed. The k-th value occurs
counts[k] times among these, and is drawn with the probability counts[k] / n. Under the tilt
e^{-tau S} this becomes counts[k] e^{-y_k} / Z, y_k = tau (values[k] - peak), for a most likely
value, the peak.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import (
    ELEMENTARY,
    FACTOR_SLACK,
    folded,
    in_blocks,
    summation,
)
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.waves import PAIR, WAVE_ROUNDING, Waves

_SMALL = 0.5  # proof: |y| up to which e^{-y} - 1 + y is a power series
_TERMS = 15  # proof: of that series: 0.5^16 / 16! is 2^-57 of its first term
_NEAR_ZERO = 0.1  # proof: |a| up to which log(1 + a) - a is a power series
_TILT_STEPS = 200  # tuned: most steps of the search for a tilt


@dataclass(frozen=True)
class ResampledLaw:
    """The law of S under the tilt e^{-tau S}.

    `values` are ascending and distinct, the first is 0, their greatest common divisor 1;
    `counts` are positive, and n is their sum.
    """

    values: IntArray
    counts: IntArray
    tau: float

    @cached_property
    def n(self) -> int:
        """The number of draws."""
        return int(self.counts.sum())

    @cached_property
    def peak(self) -> int:
        """A most likely value."""
        return int(self.values[int((np.log(self.counts) - self.tau * self.values).argmax())])

    @cached_property
    def y(self) -> FloatArray:
        """The exponents tau (value - peak)."""
        return np.asarray(self.tau * (self.values - self.peak))

    @cached_property
    def _weights(self) -> FloatArray:
        return np.asarray(self.counts * np.exp(-self.y))

    @cached_property
    def _log_share(self) -> float:
        """The logarithm of E e^{-tau (X - peak)}, the expectation taken without tilt."""
        return math.log(float(self._weights.sum()) / self.n)

    @cached_property
    def chance(self) -> FloatArray:
        """The probability of each value in a draw."""
        return np.asarray(self._weights / self._weights.sum())

    @cached_property
    def mean_of_one(self) -> float:
        """The mean of X."""
        return float((self.chance * self.values).sum())

    @property
    def mean(self) -> float:
        """The mean of S."""
        return self.n * self.mean_of_one

    @cached_property
    def variance(self) -> float:
        """The variance of S."""
        return self.n * float((self.chance * (self.values - self.mean_of_one) ** 2).sum())

    @property
    def log_scale(self) -> float:
        """The logarithm of E e^{-tau S}, the expectation taken without tilt."""
        return self.n * (self._log_share - self.tau * self.peak)

    @property
    def squares(self) -> float:
        """The square of the largest value, times n, for Hoeffding's bound."""
        return self.n * float(self.values[-1]) ** 2

    def log_end(self, side: int, total: float) -> float:
        """Return the logarithm of the mass of S = 0 (side +1), or of its largest value (-1)."""
        k = 0 if side > 0 else -1
        return self.n * (math.log(self.counts[k] / self.n) - float(self.y[k]) - self._log_share)

    def at(self, tau: float) -> ResampledLaw:
        """Return the law of the same sum under another tilt."""
        return ResampledLaw(self.values, self.counts, tau)

    def exponent(self, bound: int) -> tuple[float, float]:
        """Return E = log E e^{-tau (S - bound)} without tilt, and a bound on its error.

        With t = Σ counts values, n times the mean of X, and g(y) = e^{-y} - 1 + y ≥ 0,

            E = G - tau (t - b) + n h(A / n),    G = Σ counts g(y),  A = G - tau (t - n c),

        where y is tau (value - c), h(a) = log(1 + a) - a, and c is the integer nearest to b / n. By
        convexity, no counts e^{-y} / n exceeds e^{tau / 2} then. The part that is linear in y is
        summed in integers, and each part is of the size of E.

        If A / n < -1/2, hardly any draw is likely. If G > n, one value is far from the others. In
        both cases E is taken as n log(Σ counts e^{-y} / n) + tau (b - n c).

        Errors in u: y is within 1, so that e^{-y} is within 8 + |y|. g is within 48 + |y| as it
        stands (nothing cancels by more than a factor 5 from |y| = 1/2 on), and within 16 as a
        series.
        """
        n, c = self.n, round(bound / self.n)
        y: FloatArray = np.asarray(self.tau * (self.values - c))
        weighted: FloatArray = np.asarray(self.counts * np.exp(-y))
        z = float(weighted.sum())
        # Σ counts g(y): near 0 the linear part of e^{-y} is left out, not cancelled
        small = np.abs(y) <= _SMALL
        g = np.where(small, _series(np.where(small, y, 0.0)), np.expm1(-y) + y)
        parts = self.counts * g
        big_g, total = math.fsum(parts.tolist()), exact_dot(self.counts, self.values)
        # far from the mean nothing cancels: the logarithm itself is as exact
        if z < n / 2.0 or big_g > n:
            linear = self.tau * float(bound - n * c)
            # of the sum: each term is within 10 + |y| and its additions
            of_z = float((weighted * (10.0 + summation(y.size) + np.abs(y))).sum() / weighted.sum())
            error = n * (of_z + ELEMENTARY * abs(math.log(z / n)) + 2.0)
            return n * math.log(z / n) + linear, UNIT * (error + 2.0 * abs(linear))
        linear = self.tau * float(total - bound)
        shift = self.tau * float(total - n * c)
        # otherwise log(1 + a), whose linear part has been added in integers
        a = (big_g - shift) / n
        curved = n * _log1p_minus(a)
        error_of_g = float((parts * (52.0 + np.abs(y))).sum())
        error_of_a = error_of_g + 4.0 * abs(shift) + 4.0 * big_g
        error = error_of_g + 3.0 * linear + 200.0 * abs(curved)
        error += error_of_a * abs(a) / (1.0 + a)
        return math.fsum([big_g, -linear, curved]), UNIT * error


def resampled_to(values: IntArray, counts: IntArray, bound: int) -> ResampledLaw:
    """Return the tilt under which the mean of S is nearly `bound`, from 1 to below its mean.

    Every tilt gives the same tail; this one keeps the sums short. Newton's method runs between two
    bounds. It stops when the mean is near the bound beside the deviation, and the step is short
    beside the tilt.
    """
    law = ResampledLaw(values, counts, 0.0)
    low, high = 0.0, math.inf
    for _ in range(_TILT_STEPS):  # pragma: no branch: it ends before, being Newton's method
        excess = law.mean - bound
        low, high = (law.tau, high) if excess > 0.0 else (low, law.tau)
        step = excess / law.variance if law.variance > 0.0 else math.inf
        if abs(step) <= 0.01 * law.tau and abs(excess) <= 0.1 * math.sqrt(law.variance):
            break
        tau = law.tau + step
        if not low < tau < high or tau > 4.0 * low > 0.0:
            tau = 2.0 * low if high == math.inf else (low + high) / 2.0
        law = law.at(tau)
    return law


def _series(y: FloatArray) -> FloatArray:
    """Return e^{-y} - 1 + y for |y| ≤ 1/2, as a power series."""
    result = np.zeros_like(y)
    for k in range(_TERMS, 2, -1):
        result = (1.0 + result) * (-y / k)
    return np.asarray((1.0 + result) * (y * y / 2.0))


def _log1p_minus(a: float) -> float:
    """Return log(1 + a) - a, for a > -1/2."""
    if abs(a) > _NEAR_ZERO:
        return math.log1p(a) - a
    result = 0.0
    for k in range(19, 1, -1):  # a²/2 - a³/3 + …
        result = 1.0 / k - a * result
    return -a * a * result


_SHARES = 20  # tuned: most shares 2^-1, 2^-2, … that are tried
_SEEN = 64  # tuned: partners from which distances are estimated
_MOST = 0.6  # tuned: share of them that must be within a limit


class DrawWaves:
    """The waves of n draws, on a lattice of `length` points."""

    def __init__(self, law: ResampledLaw, length: int) -> None:
        self._law, self._length = law, length
        self.n_factors = law.values.size
        # values are laid out side by side on [0, 1], each as long as its chance
        ends = np.cumsum(law.chance)
        self._ends = ends / ends[-1]
        self.longest = int(law.values[-1])
        self._waves = cache(self._apart)

    def slow(self, limit: int) -> Waves:
        """Return waves of partners as far apart as the limit allows for most of them."""
        power, last = 1, min(_SHARES, self.n_factors.bit_length())
        while power < last and self._share_within(limit, power) < _MOST:
            power += 1
        waves = self._waves(power)
        n = int(np.searchsorted(waves.distances, limit, side="right"))
        return Waves(waves.distances[:n], waves.linear[:n], waves.cubic[:n]).merged()

    def all(self) -> Waves:
        """Return the waves of partners that half of all mass is between."""
        return self._waves(1)

    def surviving(self, frequencies: FloatArray, goal: float) -> FloatArray:
        """Return the frequencies that may matter, by φ_1 itself."""
        rates = self._law.values / self._length
        slack = 2.0 * math.pi * WAVE_ROUNDING * (float(frequencies.max()) * float(rates[-1]) + 1.0)
        most = math.exp(-goal / (2.0 * self._law.n)) - slack - FACTOR_SLACK
        alive = []
        for block in in_blocks(frequencies, rates.size):
            x = np.multiply.outer(block, rates)
            x -= np.rint(x)
            x *= 2.0 * math.pi
            modulus = np.hypot(np.cos(x) @ self._law.chance, np.sin(x) @ self._law.chance)
            alive.append(block[modulus > most])
        return np.concatenate(alive)

    def _share_within(self, limit: int, power: int) -> float:
        """Return the share of partners within the limit, from some that are evenly spread."""
        share = 0.5**power
        places = (np.arange(_SEEN) + 0.5) / _SEEN * (1.0 - share)
        return float((self._at(places + share) - self._at(places) <= limit).mean())

    def _at(self, places: FloatArray) -> IntArray:
        """Return the value at each place in the cumulated mass."""
        index = np.searchsorted(self._ends, places, side="right")
        return np.asarray(self._law.values[np.minimum(index, self.n_factors - 1)])

    def _apart(self, power: int) -> Waves:
        """Return the waves of partners that are 2^-power of all mass apart."""
        # pieces of [0, 1] on which neither partner changes, in alternate runs
        share = 0.5**power
        runs = np.arange(2 ** (power - 1)) * (2.0 * share)
        starts = np.concatenate((self._ends, self._ends - share, runs, runs + share))
        is_first = (starts >= 0.0) & (starts < 1.0) & (starts % (2.0 * share) < share)  # of a pair
        first = np.unique(starts[is_first])
        in_run = first // (2.0 * share) * (2.0 * share) + share
        last = np.minimum(np.append(first[1:], 1.0), in_run)
        middle = (first + last) / 2.0
        # all draws of a piece make one wave with their partners
        distances = folded(self._at(middle + share) - self._at(middle), self._length)
        masses = np.maximum(last - first - 8.0 * UNIT, 0.0)
        pairs = 2.0 * self._law.n * masses * np.where(distances > 0, 1.0, 0.0)
        order = np.argsort(distances, kind="stable")
        weights: FloatArray = pairs[order]
        return Waves(distances[order], weights, 2.0 * PAIR * weights)
