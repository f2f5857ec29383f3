"""A lower bound on -log |φ|², φ the characteristic function of a sum of draws, as a sum of waves.

φ = φ_1^n, φ_1 = Σ p_k e^{iω x_k}. Let each unit of mass have a partner, at a distance d. A pair has
|e^{ia} + e^{ib}| = 2 |cos((a - b) / 2)|. So, with the waves s(d) of `line.waves`,

    |φ_1| ≤ 1 - Σ 2m (1 - √(1 - s(d))) ≤ 1 - Σ 2m (s(d) / 2 + 0.2962 s(d)³)

for pairs of masses m. Since -log(1 - z) ≥ z, -log |φ|² is at least 2n times the sum.

The mass is ordered by value and divided into runs of twice some share of it. Partners are this
share apart, in the two halves of a run: the smaller the share, the nearer they are. Cumulated
masses are within a few u.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.draws.law import ResampledLaw
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.waves import CELLS, PAIR, ROUNDING, SLACK, Waves

_SHARES = 20  # tuned: most shares 2^-1, 2^-2, … that are tried
_SEEN = 64  # tuned: partners from which distances are estimated
_MOST = 0.6  # tuned: share of them that must be within a limit


class DrawWaves:
    """The waves of n draws, on a lattice of `length` points."""

    def __init__(self, law: ResampledLaw, length: int) -> None:
        self._law, self._length = law, length
        self.n_factors = law.values.size
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
        slack = 2.0 * math.pi * ROUNDING * (float(frequencies.max()) * float(rates[-1]) + 1.0)
        most = math.exp(-goal / (2.0 * self._law.n)) - slack - SLACK
        alive = []
        for block in np.array_split(frequencies, -(-frequencies.size * rates.size // CELLS)):
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
        share = 0.5**power
        runs = np.arange(2 ** (power - 1)) * (2.0 * share)
        starts = np.concatenate((self._ends, self._ends - share, runs, runs + share))
        is_first = (starts >= 0.0) & (starts < 1.0) & (starts % (2.0 * share) < share)  # of a pair
        first = np.unique(starts[is_first])
        in_run = first // (2.0 * share) * (2.0 * share) + share
        last = np.minimum(np.append(first[1:], 1.0), in_run)
        middle = (first + last) / 2.0
        distances = (self._at(middle + share) - self._at(middle)) % self._length
        distances = np.minimum(distances, self._length - distances)
        masses = np.maximum(last - first - 8.0 * UNIT, 0.0)
        pairs = 2.0 * self._law.n * masses * np.where(distances > 0, 1.0, 0.0)
        order = np.argsort(distances, kind="stable")
        weights: FloatArray = pairs[order]
        return Waves(distances[order], weights, 2.0 * PAIR * weights)
