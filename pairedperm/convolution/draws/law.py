"""A sum of independent draws from one lattice law, and its exponential tilts.

S = X_1 + … + X_n, each X one of the n numbers that were observed: the k-th value occurs counts[k]
times among them, and is drawn with the probability counts[k] / n. Under the tilt e^{-tau S} that
is counts[k] e^{-y_k} / Z, y_k = tau (values[k] - peak), peak being a most likely value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import ELEMENTARY, summation
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray

_SMALL = 0.5  # proof: |y| up to which e^{-y} - 1 + y is a power series
_TERMS = 15  # proof: of it: 0.5^16 / 16! is 2^-57 of its first one
_NEAR_ZERO = 0.1  # proof: |a| up to which log(1 + a) - a is a power series
_ROUNDS = 200  # tuned: of the search for a tilt, at most


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
        """Number of draws."""
        return int(self.counts.sum())

    @cached_property
    def peak(self) -> int:
        """A most likely value."""
        return int(self.values[int((np.log(self.counts) - self.tau * self.values).argmax())])

    @cached_property
    def y(self) -> FloatArray:
        """Tau (value - peak)."""
        return np.asarray(self.tau * (self.values - self.peak))

    @cached_property
    def _weights(self) -> FloatArray:
        return np.asarray(self.counts * np.exp(-self.y))

    @cached_property
    def _log_share(self) -> float:
        """Log E e^{-tau (X - peak)} without tilt."""
        return math.log(float(self._weights.sum()) / self.n)

    @cached_property
    def chance(self) -> FloatArray:
        """Of each value in a draw."""
        return np.asarray(self._weights / self._weights.sum())

    @cached_property
    def mean_of_one(self) -> float:
        """Of X."""
        return float((self.chance * self.values).sum())

    @property
    def mean(self) -> float:
        """Of S."""
        return self.n * self.mean_of_one

    @cached_property
    def variance(self) -> float:
        """Of S."""
        return self.n * float((self.chance * (self.values - self.mean_of_one) ** 2).sum())

    @property
    def log_scale(self) -> float:
        """Log E e^{-tau S} without tilt."""
        return self.n * (self._log_share - self.tau * self.peak)

    @property
    def squares(self) -> float:
        """N times the square of the largest value: for Hoeffding's bound."""
        return self.n * float(self.values[-1]) ** 2

    def log_end(self, side: int, total: float) -> float:
        """The logarithm of the mass of S = 0 (side +1), or of its largest value (-1)."""
        k = 0 if side > 0 else -1
        return self.n * (math.log(self.counts[k] / self.n) - float(self.y[k]) - self._log_share)

    def at(self, tau: float) -> ResampledLaw:
        """The same sum under another tilt."""
        return ResampledLaw(self.values, self.counts, tau)

    def exponent(self, bound: int) -> tuple[float, float]:
        """E = log E e^{-tau (S - bound)} without tilt, and a bound on its error.

        With t = Σ counts values, n times the mean of X, and g(y) = e^{-y} - 1 + y ≥ 0

            E = G - tau (t - b) + n h(A / n),    G = Σ counts g(y),  A = G - tau (t - n c),

        where y is tau (value - c), c the integer nearest to b / n (by convexity no
        counts e^{-y} / n exceeds e^{tau / 2} then), and
        h(a) = log(1 + a) - a: what is linear in y is summed in integers, and each part is of the
        size of E. Where A / n < -1/2, hardly a draw is likely at all, and where G > n, one value is
        far from the others: then E is taken as n log(Σ counts e^{-y} / n) + tau (b - n c).
        Errors in u: y is within 1, so that e^{-y} is within 8 + |y|; g within 48 + |y| as it stands
        (nothing cancels by more than a factor 5 from |y| = 1/2 on), 16 as a series.
        """
        n, c = self.n, round(bound / self.n)
        y: FloatArray = np.asarray(self.tau * (self.values - c))
        weighted: FloatArray = np.asarray(self.counts * np.exp(-y))
        z = float(weighted.sum())
        small = np.abs(y) <= _SMALL
        g = np.where(small, _series(np.where(small, y, 0.0)), np.expm1(-y) + y)
        parts = self.counts * g
        big_g, total = math.fsum(parts.tolist()), exact_dot(self.counts, self.values)
        if z < n / 2.0 or big_g > n:
            linear = self.tau * float(bound - n * c)
            error = n * (_log_error(y, weighted) + ELEMENTARY * abs(math.log(z / n)) + 2.0)
            return n * math.log(z / n) + linear, UNIT * (error + 2.0 * abs(linear))
        linear = self.tau * float(total - bound)
        shift = self.tau * float(total - n * c)
        a = (big_g - shift) / n
        curved = n * _log1p_minus(a)
        error_of_g = float((parts * (52.0 + np.abs(y))).sum())
        error_of_a = error_of_g + 4.0 * abs(shift) + 4.0 * big_g
        error = error_of_g + 3.0 * linear + 200.0 * abs(curved)
        error += error_of_a * abs(a) / (1.0 + a)
        return math.fsum([big_g, -linear, curved]), UNIT * error


def resampled_to(values: IntArray, counts: IntArray, bound: int) -> ResampledLaw:
    """The tilt under which the mean of S is `bound`, from 1 to below its mean, nearly enough.

    Every tilt gives the same tail; this one gives short sums. Newton's method between two
    bounds, until the mean is near beside its deviation and the step short beside the tilt.
    """
    law = ResampledLaw(values, counts, 0.0)
    low, high = 0.0, math.inf
    for _ in range(_ROUNDS):  # pragma: no branch: it ends before, being Newton's method
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


def _log_error(y: FloatArray, weighted: FloatArray) -> float:
    """Of log Σ weighted, in u: the sum of positive terms, each within 10 + |y| and an addition."""
    return float((weighted * (10.0 + summation(y.size) + np.abs(y))).sum() / weighted.sum())


def _series(y: FloatArray) -> FloatArray:
    """e^{-y} - 1 + y for |y| ≤ 1/2."""
    result = np.zeros_like(y)
    for k in range(_TERMS, 2, -1):
        result = (1.0 + result) * (-y / k)
    return np.asarray((1.0 + result) * (y * y / 2.0))


def _log1p_minus(a: float) -> float:
    """log(1 + a) - a, for a > -1/2."""
    if abs(a) > _NEAR_ZERO:
        return math.log1p(a) - a
    result = 0.0
    for k in range(19, 1, -1):  # a²/2 - a³/3 + …
        result = 1.0 / k - a * result
    return -a * a * result
