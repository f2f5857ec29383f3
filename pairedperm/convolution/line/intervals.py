"""The frequencies at which a characteristic function has not died away, by branch and bound.

At the frequencies within h of a centre c, slow waves (`Waves`) are nearly what they are at c. So
slow waves alone prove for most intervals that |φ| is below the tolerance on the whole interval.
The other intervals are divided and meet faster waves. In the end single frequencies are looked at;
in a short transform, from the beginning.

1. The first intervals are all alike: c = i M / N for i = 0 … N/2, h = M / 2N. With θ = 2π f d / M,
       sin²(θ/2) = (1 - cos θ) / 2,   sin⁶(θ/2) = (10 - 15 cos θ + 6 cos 2θ - cos 3θ) / 32.
   So the sum of the waves is A - C(f), C(f) = Σ a cos(2π f d / M) over some distances d. And
       C(c + t) ≤ C(c) + |h C'(c)| + Σ |a| τ² / 2,   τ = 2π h d / M = π d / N,  |t| ≤ h
   by Taylor's theorem. All C(c) - i h C'(c) are the Fourier transform of N points that are
   a (1 - τ) / 2 at d, a (1 + τ) / 2 at N - d. It is off by less than 8 log2(N) √N u Σ |a|
   (`FACTOR_SLACK`). If N is large, a transform of P points gives the i = b mod N / P, for each b.
2. Later, let x be the distance of c d / M from the nearest whole number. On the interval, the wave
   of distance d is at least sin² π max(x - r, 0), with r = h d / M + 2^-46 (c d / M + 1): the
   centre has few roundings. Up to 1/2, sin² πx is at least a polynomial of x² (`_SINE`).

The waves have positive terms, relatively accurate to much less than `FACTOR_SLACK`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pairedperm.convolution.characteristic import BLOCK_TERMS, COARSER, FACTOR_SLACK
from pairedperm.convolution.engine import advance
from pairedperm.convolution.law import ComplexArray, FloatArray, IntArray
from pairedperm.convolution.waves import WAVE_ROUNDING, Waves, WaveSource
from pairedperm.options import NANOSECONDS, Budget, raised

LONG_TRANSFORM = 2**12  # tuned: points from which on intervals are faster than frequencies
FIRST_POINTS = 2**12  # tuned: points of the first transform
CACHED_POINTS = 2**20  # tuned: points of a transform that fits the cache
_PER_PERIOD = 4  # tuned: points of the first transform for a period of its fastest wave
_LIKELY = 3.0  # tuned: standard deviations by which waves of random phases shall suffice
_BRANCHES = 8  # tuned: parts of an interval
SINGLE = 16.0  # tuned: half width below which frequencies are looked at one by one
_SINE = (9.7987, -30.8373, 30.5656)  # proof: sin² πx ≥ Σ _SINE[k] x^(2k + 2) up to 1/2, by 1e-4 x²
_CUBE = 5.0 / 16.0  # proof: the mean of sin^6
SAMPLE_INTERVALS = 2**11  # tuned: intervals of each width in a sample
NEAREST = 2**5  # tuned: first intervals, which belong to every sample
POINTS = 16  # tuned: points of the first transform that count as one frequency
SAMPLE_POINTS = 2**14  # tuned: points of the first transform in a sample
BLOCK_INTERVALS = 2**15  # tuned: intervals that are divided at once
_FINEST = 8  # tuned: frequencies in an interval of the first transform
_WORTH_SHARPENING = 2**8  # tuned: if more frequencies are left, a sharper look at them pays
_WAVE_POINT_NS, _WAVE_NS = 30.0, 6.0  # tuned: ns of a point, and of a wave
_FACTOR_NS = 25.0  # tuned: ns of a factor in the last look


@dataclass(slots=True)
class Survivors:
    """Frequencies that may not have died away, ascending, and what it takes to find them.

    There are about `n`; unless `is_all`, the `frequencies` are those of a sample. About
    `n_looked_at` points of the first transform, intervals and frequencies are looked at. That
    takes about so many `nanoseconds`, estimated from counts.
    """

    frequencies: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    n: float = 0.0
    n_looked_at: float = 0.0
    nanoseconds: float = 0.0
    is_all: bool = True


def search(
    source: WaveSource, length: int, log_tolerance: float, budget: Budget | None = None
) -> Survivors:
    """Find the frequencies 0 … length / 2 at which |φ| may exceed e^log_tolerance.

    Parameters
    ----------
    source : WaveSource
        The waves of φ.
    length : int
        M.
    log_tolerance : float
    budget : Budget, optional
        How many intervals and frequencies may be looked at. Without a budget, only a sample is
        looked at: at most `SAMPLE_INTERVALS` intervals of each width, evenly spread.

    Raises
    ------
    BudgetError
        If the budget allows fewer intervals and frequencies than the search takes.
    """
    goal = -2.0 * log_tolerance
    under_way = _IntervalSearch(source, length, goal, budget)
    parts = under_way.follow_intervals() if is_long(length) else under_way.follow_all()
    under_way.result.frequencies = np.concatenate([*parts]).astype(np.int64)
    return under_way.result


@dataclass(slots=True)
class _IntervalSearch:
    """A search under way; see `Survivors` and `search`."""

    source: WaveSource
    length: int
    goal: float
    budget: Budget | None
    result: Survivors = field(default_factory=Survivors)
    last: float = -1.0  # the last frequency that was looked at; they ascend

    def look_at(self, n: float, nanoseconds: float = 0.0) -> None:
        """Count what is looked at; raise BudgetError if it is too much."""
        self.result.n_looked_at += n
        self.result.nanoseconds += nanoseconds
        if self.budget is not None:
            check_looked_at(self.result.n_looked_at, self.budget)
            advance(nanoseconds)

    def follow_all(self) -> Iterator[FloatArray]:
        """Yield the surviving frequencies, of all that there are."""
        frequencies = np.arange(self.length // 2 + 1, dtype=np.float64)
        return self.follow(self.source.all(), frequencies, 0.0, 1.0)

    def follow_intervals(self) -> Iterator[FloatArray]:
        """Yield the surviving frequencies, of those intervals that may hold any."""
        # one transform tells which of many equal intervals do
        n, waves, cosines = _first_cosines(self.source, self.length, self.goal)
        self.look_at(n / POINTS, _WAVE_POINT_NS * n)
        numbers, weight = _surviving_numbers(cosines, n, self.goal, is_sample=self.budget is None)
        self.result.is_all = weight == 1.0
        # those that do are divided, and meet ever faster waves
        width = self.length / n
        if weight > 1.0:  # hardly any of these are near 0
            nearest = np.arange(NEAREST) * width
            yield from self.follow(waves, np.asarray(nearest), width / 2.0, 1.0)
            numbers = numbers[numbers >= NEAREST]
        yield from self.follow(waves, np.asarray(numbers * width), width / 2.0, weight)

    def follow(
        self, waves: Waves, centres: FloatArray, half_width: float, weight: float
    ) -> Iterator[FloatArray]:
        """Yield the surviving frequencies of these intervals, each of which stands for `weight`."""
        if self.budget is None and centres.size > SAMPLE_INTERVALS:
            step = -(-centres.size // SAMPLE_INTERVALS)
            centres, weight, self.result.is_all = centres[step // 2 :: step], weight * step, False
        self.look_at(weight * centres.size)
        centres, n_terms = _surviving_intervals(waves, centres, half_width, self.length, self.goal)
        self.look_at(0.0, weight * _WAVE_NS * n_terms)
        if half_width == 0.0 and centres.size > _WORTH_SHARPENING:
            self.look_at(0.0, weight * _FACTOR_NS * centres.size * self.source.n_factors)
            centres = self.source.surviving(centres, self.goal)
        if half_width == 0.0 or not centres.size:
            self.result.n += weight * centres.size
            yield centres
        elif half_width <= SINGLE:
            for block in self._blocks(centres):
                numbers = _frequencies(block, half_width, self.length)
                numbers = numbers[numbers > self.last]  # neighbours share some
                self.last = float(numbers.max(initial=self.last))
                yield from self.follow(self.source.all(), numbers, 0.0, weight)
        else:
            half_width /= _BRANCHES
            waves = self.source.slow(int(self.length / (2 * _PER_PERIOD * half_width)))
            parts = half_width * np.arange(1 - _BRANCHES, _BRANCHES, 2)
            for block in self._blocks(centres):
                yield from self.follow(waves, (block[:, None] + parts).ravel(), half_width, weight)

    def _blocks(self, centres: FloatArray) -> list[FloatArray]:
        """Split the intervals into blocks; a sample stays one, or each block would become one."""
        n = 1 if self.budget is None else -(-centres.size // BLOCK_INTERVALS)
        return np.array_split(centres, n)


def is_long(length: int) -> bool:
    """Tell whether the transform is so long that intervals are looked at."""
    return length > LONG_TRANSFORM


def check_looked_at(n: float, budget: Budget) -> None:
    """Raise BudgetError if so many intervals and frequencies exceed the budget."""
    budget.check(
        f"the exact p-value needs {n:.3g} frequencies of a Fourier transform, or more",
        n_points=n,
        remedy=(
            raised(1e-9 * NANOSECONDS * n, otherwise=COARSER),
            "The scores of single examples differ by many units",
        ),
    )


class _Cosines(NamedTuple):
    """The bound `most` - Σ amplitudes · cos on -log |φ|²; `phases` are the τ of the first step."""

    distances: IntArray
    amplitudes: FloatArray
    phases: FloatArray
    most: float

    @classmethod
    def of(cls, waves: Waves, n: int) -> _Cosines:
        """Expand the waves up to n / _PER_PERIOD, and their cubes if these are slow enough."""
        distances, linear, cubic = waves
        cubic = np.where(3 * _PER_PERIOD * distances <= n, cubic, 0.0) / 32.0
        amplitudes = np.concatenate((linear / 2.0 + 15.0 * cubic, -6.0 * cubic, cubic))
        distances = np.concatenate((distances, 2 * distances, 3 * distances))
        is_there = amplitudes != 0.0
        distances, amplitudes = distances[is_there], amplitudes[is_there]
        phases, sizes = distances * (math.pi / n), np.abs(amplitudes)
        most = float(linear.sum()) / 2.0 + 10.0 * float(cubic.sum())
        lost = FACTOR_SLACK * float(sizes.sum()) + 0.5 * float((sizes * phases**2).sum())
        return cls(distances, amplitudes, phases, (1.0 - FACTOR_SLACK) * most - lost)

    def suffice(self, goal: float) -> bool:
        """Tell whether the bound reaches the goal at most frequencies, if phases are random."""
        return self.most - _LIKELY * math.sqrt((self.amplitudes**2).sum() / 2.0) >= goal


def _first_cosines(source: WaveSource, length: int, goal: float) -> tuple[int, Waves, _Cosines]:
    """Return the points of the first transform, and its waves: enough to drop most intervals."""
    n = FIRST_POINTS
    while True:
        waves = source.slow(n // _PER_PERIOD)
        cosines = _Cosines.of(waves, n)
        if n >= _PER_PERIOD * source.longest or _FINEST * n >= length or cosines.suffice(goal):
            return n, waves, cosines
        n *= 2


def _surviving_numbers(
    cosines: _Cosines, n: int, goal: float, is_sample: bool
) -> tuple[IntArray, float]:
    """Return the i from 0 to n / 2 that survive step 1, and how many i each of them stands for."""
    distances, amplitudes, phases, most = cosines
    # C(c) - i h C'(c) at all centres is one transform, or some of a part of it each
    places = np.concatenate((distances, n - distances))
    masses = np.concatenate((amplitudes * (1.0 - phases), amplitudes * (1.0 + phases))) / 2.0
    is_all = not is_sample or n <= 4 * SAMPLE_POINTS
    period = min(n, CACHED_POINTS) if is_all else SAMPLE_POINTS
    n_parts, surviving = n // period, []
    parts = range(n_parts // 2 + 1) if is_all else [n_parts // 3 | 1]
    for part in parts:
        turn = np.exp((-2j * math.pi / n) * (places * part % n)) if part else 1.0
        sums = _transform(places % period, masses * turn, period)
        i = np.flatnonzero(sums.real + np.abs(sums.imag) > most - goal) * n_parts + part
        surviving.append(np.minimum(i, n - i))  # φ is even
    return np.unique(np.concatenate(surviving)), 1.0 if is_all else n_parts / 2.0


def _transform(places: IntArray, masses: Any, period: int) -> ComplexArray:
    """Return Σ masses e^{-2πi j places / period} for all j, or up to the middle for real masses."""
    if np.isrealobj(masses):
        return np.asarray(np.fft.rfft(np.bincount(places, masses, minlength=period)))
    real, imaginary = (np.bincount(places, x, minlength=period) for x in (masses.real, masses.imag))
    return np.asarray(np.fft.fft(real + 1j * imaginary))


def _surviving_intervals(
    waves: Waves, centres: FloatArray, half_width: float, length: int, goal: float
) -> tuple[FloatArray, float]:
    """Return the centres whose intervals survive step 2, and how many waves were looked at.

    The strongest waves come first. Only the intervals that they leave alive meet the others.
    """
    distances, linear, cubic = waves
    fastest = float(distances.max(initial=1))
    strength = (0.5 * linear + _CUBE * cubic) * np.minimum(4.0 * distances / fastest, 1.0) ** 2
    # the strongest waves that may suffice to drop an interval, and then ever more
    order = np.argsort(-strength, kind="stable")
    n_first = int(np.searchsorted(np.cumsum(strength[order]), 1.2 * goal)) + 8
    rates = distances[order] / length
    linear, cubic = (1.0 - FACTOR_SLACK) * linear[order], (1.0 - FACTOR_SLACK) * cubic[order]
    reaches = np.asarray(half_width * (1.0 + FACTOR_SLACK) * rates)
    reaches += WAVE_ROUNDING * (float(centres.max(initial=0.0)) * rates + 1.0)
    alive: list[FloatArray] = []
    n_terms = 0
    for block in np.array_split(centres, max(centres.size * n_first // BLOCK_TERMS, 1)):
        shown, first, last = np.zeros(block.size), 0, n_first
        while first < rates.size and block.size:
            part = slice(first, last)
            s = np.multiply.outer(block, rates[part])  # in place: new arrays cost more than sums
            s -= np.rint(s)
            np.abs(s, out=s)
            s -= reaches[part]
            np.maximum(s, 0.0, out=s)
            s *= s
            below = _SINE[2] * s
            below += _SINE[1]
            below *= s
            below += _SINE[0]
            s *= below
            shown += s @ linear[part]
            s *= s * s
            shown += s @ cubic[part]
            is_alive = shown < goal
            block, shown = block[is_alive], shown[is_alive]
            n_terms += s.size
            more = max(min(2 * (last - first), BLOCK_TERMS // (block.size + 1)), 16)
            first, last = last, last + more
        alive.append(block)
    return np.concatenate(alive), n_terms


def _frequencies(centres: FloatArray, half_width: float, length: int) -> FloatArray:
    """Return the frequencies within the intervals, each once; the centres ascend."""
    first = np.floor(centres - half_width).astype(np.int64)
    numbers = first[:, None] + np.arange(int(2.0 * half_width) + 3)
    is_new = numbers > np.append(-1, numbers[:-1, -1])[:, None]
    return numbers[is_new & (2 * numbers <= length)].astype(np.float64)
