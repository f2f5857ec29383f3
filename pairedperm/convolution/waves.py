"""Waves, which bound the modulus of a characteristic function φ from above.

A lower bound on -log |φ|² is a sum of few waves. Let f be a frequency of a transform of M points,
and s(d) = sin²(π f d / M) the wave of a distance d. Then, over some distances d,

    -log |φ(f)|² ≥ Σ linear s(d) + cubic s(d)³.

Short distances make slow waves, which are nearly the same at many frequencies.

A variable of a tilted law has |φ_k|² = 1 - q s(x), q = sech²(y / 2), x its value, and for t ≤ 1

    -log(1 - t) ≥ t + 1.4557 t³                            (the quotient has its minimum at 0.645).

Two variables of distance d = x_1 - x_2 make a slower wave: with c = y / 2 and a = π f x / M,

    φ_1 φ_2 = Π cosh(c + ia) / cosh c = (cosh(c_1 + c_2 + i(a_1 + a_2)) + cosh(u + iv))
                                      / (cosh(c_1 + c_2)       + cosh u),
    |φ_1 φ_2| ≤ 1 - w (1 - √(1 - q s(d))),  w = cosh u / (cosh(c_1 + c_2) + cosh u),  q = sech² u,

for u = c_1 - c_2 and v = a_1 - a_2, since |cosh(u + iv)|² = cosh² u - sin² v. The same holds for
-x in place of x, since |φ| is even. Further, 1 - √(1 - t) ≥ t/2 + 0.2962 t³ (minimum at 3/4),
-log(1 - t) ≥ t + t²/2, and s² ≥ s³. So the pair has at least w q s + (0.5924 w q³ + w² q² / 4) s³.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np

from pairedperm.convolution.characteristic import FACTOR_SLACK, folded, in_blocks
from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw

WAVE_ROUNDING = 2.0**-46  # proof: of a frequency times a distance, in units of the product plus 1
_SINGLE, PAIR = 1.4557, 0.2962  # proof: see above
_DENSE_DISTANCES = 4  # tuned: distances up to so many times their number are counted in an array


class Waves(NamedTuple):
    """The bound -log |φ|² ≥ Σ linear s + cubic s³ for the waves s of these distances."""

    distances: IntArray
    linear: FloatArray
    cubic: FloatArray

    def merged(self) -> Waves:
        """Add the waves of equal distances, if the distances are dense."""
        if not self.distances.size or self.distances.max() > _DENSE_DISTANCES * self.distances.size:
            return self
        linear = np.bincount(self.distances, self.linear)
        cubic = np.bincount(self.distances, self.cubic)
        distances = np.flatnonzero(linear)
        return Waves(distances, np.asarray(linear[distances]), np.asarray(cubic[distances]))


class WaveSource(Protocol):
    """A law of `n_factors` factors that makes waves, of distances up to `longest`."""

    longest: int
    n_factors: int

    def slow(self, limit: int) -> Waves:
        """Return waves of distances up to `limit`, with no variable in two of them."""

    def all(self) -> Waves:
        """Return the fastest waves that there are."""

    def surviving(self, frequencies: FloatArray, goal: float) -> FloatArray:
        """Return the frequencies at which -log |φ|² may be below `goal`, by a sharper bound."""


class TwoPointWaves:
    """The waves of a tilted sum of two-point variables: of its values and of neighbours."""

    def __init__(self, law: TiltedLaw, length: int) -> None:
        steps = folded(law.values, length)
        order = np.argsort(steps, kind="stable")
        steps, counts, q = steps[order], law.counts[order].astype(np.float64), law.sech2[order]
        self._singles = Waves(steps, counts * q, np.asarray(_SINGLE * counts * q**3))
        self.longest, self.n_factors, self._length = int(steps[-1]), steps.size, length
        self._counts, self._q = counts, q
        # neighbours make pairs: their distance is short, so their wave is slow
        first, second = slice(0, steps.size - 1, 2), slice(1, None, 2)
        half = law.y[order] / 2.0
        u, both = np.abs(half[second] - half[first]), half[first] + half[second]
        share = np.exp(u - both) * (1.0 + np.exp(-2.0 * u))  # 2 cosh u / e^both
        w = share / (1.0 + np.exp(-2.0 * both) + share)
        q_u = (2.0 * np.exp(-u) / (1.0 + np.exp(-2.0 * u))) ** 2
        n = np.minimum(counts[first], counts[second])
        cubic = n * (2.0 * PAIR * w * q_u**3 + (w * q_u) ** 2 / 4.0)
        self._pairs = Waves(steps[second] - steps[first], n * w * q_u, cubic)

    def slow(self, limit: int) -> Waves:
        """Return the waves of values up to the limit, and of pairs of neighbours above it."""
        n = int(np.searchsorted(self._singles.distances, limit, side="right"))
        first = (n + 1) // 2  # the first pair with both values above the limit
        near = np.flatnonzero(self._pairs.distances[first:] <= limit) + first
        columns: Any = zip(self._singles, self._pairs, strict=True)
        return Waves(*(np.concatenate((x[:n], y[near])) for x, y in columns)).merged()

    def all(self) -> Waves:
        """Return the waves of all values."""
        return self._singles

    def surviving(self, frequencies: FloatArray, goal: float) -> FloatArray:
        """Return the frequencies that may matter, by the logarithms of 1 - q s themselves."""
        rates = self._singles.distances / self._length
        slack = WAVE_ROUNDING * (float(frequencies.max()) * rates + 1.0)
        alive = []
        for block in in_blocks(frequencies, rates.size):
            x = np.multiply.outer(block, rates)
            x = np.maximum(np.abs(x - np.rint(x)) - slack, 0.0)
            lost = self._q * np.sin(math.pi * x) ** 2 * (1.0 - FACTOR_SLACK)
            alive.append(block[-np.log1p(-lost) @ self._counts < goal])
        return np.concatenate(alive)
