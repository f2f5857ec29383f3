"""The characteristic function φ of a tilted law, with its rounding errors, and waves that bound it.

Errors are counted in units of u = 2^-53 (`UNIT`). Two things are assumed. The elementary functions
of numpy and of the C library are within 4 ulp, 8 u (both claim less). And numpy sums the last axis
of an array pairwise, in runs of at most 128 numbers by eight accumulators. Integers beyond 2^53
count as one more rounding, which the counts below include.

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

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.law import (
    ComplexArray,
    FloatArray,
    IntArray,
    TiltedFactors,
    TiltedLaw,
    TiltedVectors,
)

ELEMENTARY = 8.0  # proof: u of an elementary function
PASS = 16.0  # proof: u of a term in a pass of a Fourier transform, generously
_FACTOR = 84.0  # proof: u of a factor's log-modulus or phase, apart from y (`phi_about`)
BLOCK_TERMS = 2**17  # tuned: frequencies times factors in a block that stays in the cache
_ANGLE = 14.0  # proof: u of angles up to π from exact integers, and of their last addition
LONGEST_TRANSFORM = 2**50  # proof: a limb for twice this has 10 bits; angles take few roundings
_WORD_BITS = 62  # proof: a sum of two numbers below 2^62 stays within int64
HALF_WORD = 2**31  # proof: a product of two numbers up to 2^31 stays within int64
MOST_LONG = 2**36  # proof: variables, if a transform has more than `HALF_WORD` points
_LOW_BITS = 25  # proof: about half of the bits of a remainder


def residues(frequencies: IntArray, step: IntArray | int, length: int) -> IntArray:
    """Return frequency · step modulo length, in (-length / 2, length / 2], exactly.

    Frequencies are from 0 to length / 2, steps from 0 to length - 1, and length is at most 2^51.
    """
    return nearest(product_modulo(frequencies, step, length), length)


def nearest(remainder: IntArray, length: int) -> IntArray:
    """Subtract length from those remainders (0 to length - 1) that are above length / 2."""
    return np.where(2 * remainder > length, remainder - length, remainder)


def folded(values: IntArray, length: int) -> IntArray:
    """Return the values modulo length, up to sign: |φ| is even in them."""
    steps = values % length
    return np.minimum(steps, length - steps)


def product_modulo(frequencies: IntArray, step: IntArray | int, length: int) -> IntArray:
    """Return frequency · step modulo length, from 0 to length - 1, by Horner's rule on limbs."""
    if length <= HALF_WORD:
        return frequencies * step % length
    bits = _WORD_BITS - length.bit_length()
    shift = (length.bit_length() - 1) // bits * bits
    result = (frequencies >> shift) * step % length
    while shift:
        shift -= bits
        limb = (frequencies >> shift) & ((1 << bits) - 1)
        result = ((result << bits) + limb * step) % length
    return result


def sines(remainder: IntArray, length: int) -> tuple[FloatArray, FloatArray]:
    """Return sine and cosine of π r / length for |r| ≤ length / 2, each within 11 u relatively.

    The cosine is the sine of π (length - 2|r|) / (2 length), whose integers are exact again. Each
    argument is within 3 u. A sine is no more sensitive than its argument up to π / 2.
    """
    sine = np.sin((math.pi / length) * remainder)
    cosine = np.sin((math.pi / (2 * length)) * (length - 2 * np.abs(remainder)))
    return sine, cosine


def log_modulus(
    sine: FloatArray, cosine: FloatArray, sech2: FloatArray, tanh: FloatArray
) -> FloatArray:
    """Return the log-modulus of cos α - i tanh sin α: ½ log(1 - sech² sin² α), within (78 + 3y) u.

    Near a zero of the factor, the logarithm is that of cos² + tanh² sin², where nothing cancels.

    y is within 2 u. So `chance` is within (8 + 2y) u, `sech2` within (19 + 2y) u and `tanh` within
    10 u, all relatively. Then sech² sin² is within (43 + 2y) u. If it is up to 1/2, the logarithm
    is at most 1/log 2 times as sensitive: (71 + 3y) u with its own 8. Otherwise cos² + tanh² sin²
    is within 46 u, and its logarithm within (46 / log 2 + 8) u.
    """
    lost = sech2 * sine**2
    # lost may be 1 plus a rounding; tanh and cosine may both be below 1e-160
    with np.errstate(divide="ignore", invalid="ignore"):
        result = np.log1p(-lost)
        deep = np.nonzero(lost > 0.5)
        if deep[0].size:
            tanh = np.broadcast_to(tanh, lost.shape)[deep]
            result[deep] = np.log(cosine[deep] ** 2 + (tanh * sine[deep]) ** 2)
    return np.asarray(0.5 * result)


def characteristic(
    law: TiltedLaw, frequencies: IntArray, bound: int, length: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return log-modulus and phase of φ(f) e^{-iω bound}, ω = 2π f / length, and their error in u.

    The factors are those of `phi_about`, with α = ω value / 2 reduced to π r / length.
    """
    remainder = residues(frequencies[:, None], law.values % length, length)
    origin = product_modulo(frequencies, 2 * bound % (2 * length), 2 * length)
    return phi_about(law, remainder, origin, length)


def phi_about(
    law: TiltedFactors, remainder: IntArray, origin: IntArray, length: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return log-modulus and phase of φ(ω) e^{-iπ origin / length}, and their joint error in u.

    Let 2α be the angle ω · value. Then α = π r / length for the r in `remainder`, which has shape
    (frequencies, factors) and size at most length / 2. A factor of φ is

        1 - chance + chance e^{2iα} = e^{iα} (cos α - i tanh sin α).

    If y is small, the phase of a factor is α - atan2(tanh sin α, cos α), and all the α are added in
    exact integers. If the value is unlikely to be part of B, the phase is atan2(2 chance sin α cos
    α, 1 - 2 chance sin² α). So phases stay small beside their sum.

    The first atan2 has a ratio within 10 + 11 + 1 + 11 u and is no more sensitive than the ratio:
    42 u with the multiplication by the count. In the second, the numerator is within (32 + 2y) u.
    The denominator, at least 0.46, is within 41 u (y e^{-y} is small): (83 + 2y) u. The sums over
    the factors add `summation` u of what is summed.
    """
    n_centred = law.n_centred
    # the phase α of a centred factor is added below; the rest of it is small
    sine, cosine = sines(remainder, length)
    log_factors = law.counts * log_modulus(sine, cosine, law.sech2, law.tanh)
    phases = np.empty_like(sine)
    centred, rare = np.s_[:, :n_centred], np.s_[:, n_centred:]
    phases[centred] = -np.arctan2(law.tanh[:n_centred] * sine[centred], cosine[centred])
    twice = 2.0 * law.chance[n_centred:] * sine[rare]
    phases[rare] = np.arctan2(twice * cosine[rare], 1.0 - twice * sine[rare])
    phases *= law.counts
    # all these α add up in integers, however many turns they are
    turn = 2 * length  # a full turn of half angles, in units of π / length
    half_turns = _dot(remainder[centred], law.counts[:n_centred], turn)
    turned = nearest((half_turns - origin) % turn, turn)
    phase = phases.sum(axis=1) + (math.pi / length) * turned
    coefficients = _FACTOR + summation(law.counts.size) + 3.0 * law.y
    error = (coefficients * (np.abs(log_factors) + np.abs(phases))).sum(axis=1) + _ANGLE
    return log_factors.sum(axis=1), phase, error


def _dot(remainder: IntArray, counts: IntArray, turn: int) -> IntArray:
    """Return Σ remainder · counts over the factors modulo turn, for |remainder| ≤ turn / 4.

    In a long transform, a remainder is split into two halves. The sum of either half stays within
    int64 for up to 2^36 variables, `MOST_LONG`.
    """
    if turn <= 2 * HALF_WORD:
        return np.asarray((remainder * (counts % turn) % turn).sum(axis=1) % turn)
    high = remainder >> _LOW_BITS
    low = remainder - (high << _LOW_BITS)
    upper, lower = ((part * counts).sum(axis=1) % turn for part in (high, low))
    return np.asarray((product_modulo(upper, 1 << _LOW_BITS, turn) + lower) % turn)


def phi_at(
    law: TiltedVectors, frequencies: IntArray, centre: tuple[int, ...], lengths: tuple[int, ...]
) -> tuple[ComplexArray, FloatArray]:
    """Return φ e^{-iω · centre} at each frequency, and its relative error in u.

    With coordinates x and periods M, the half angles π Σ f x / M are π r / Π M, r an exact integer.
    """
    length = math.prod(lengths)

    def half_turns(points: IntArray) -> IntArray:
        r = np.zeros((len(frequencies[rows]), len(points)), dtype=np.int64)
        for k, period in enumerate(lengths):
            own = frequencies[rows, k, None] * (points[:, k] % period) % period
            r += own * (length // period)
        return r

    n_rows = max(BLOCK_TERMS // law.counts.size, 1)
    phi = np.empty(len(frequencies), dtype=np.complex128)
    error = np.empty(len(frequencies))
    for start in range(0, len(frequencies), n_rows):
        rows = slice(start, start + n_rows)
        remainder = nearest(half_turns(law.vectors) % length, length)
        origin = 2 * half_turns(np.array([centre]))[:, 0]
        log_phi, phase, error[rows] = phi_about(law, remainder, origin, length)
        phi[rows] = np.exp(log_phi) * (np.cos(phase) + 1j * np.sin(phase))
    return phi, error


def exponent(law: TiltedFactors, linear: float) -> tuple[float, float]:
    """Return κ(tau) + tau bound and a bound on its error, both in nats.

    log((1 + e^{-y}) / 2) = -y/2 + log cosh(y/2), log cosh h = log(1 + 2 sinh²(h/2)). Values with
    y ≤ 1 are taken in this form; `linear` holds their -y/2 and tau bound, within 2 u.
    """
    n_centred = law.n_centred
    centred = law.counts[:n_centred] * np.log1p(2.0 * np.sinh(law.y[:n_centred] / 4.0) ** 2)
    rare = law.counts[n_centred:] * np.log1p(np.exp(-law.y[n_centred:]))
    halved = -int(law.counts[n_centred:].sum()) * math.log(2.0)
    error = (4.0 * ELEMENTARY) * float(centred.sum())
    error += float((rare * (2.0 * ELEMENTARY + 2.0 + 2.0 * law.y[n_centred:])).sum())
    error += 2.0 * abs(linear) + (ELEMENTARY + 2.0) * abs(halved)
    return math.fsum([*centred.tolist(), *rare.tolist(), linear, halved]), UNIT * error


def one_minus_exp(decay: float, remainder: IntArray, length: int) -> ComplexArray:
    """Return 1 - e^{-decay + 2πi r / length} for |r| ≤ length / 2, without cancellation."""
    sine, cosine = sines(remainder, length)
    scale = 2.0 * math.exp(-decay) * sine
    return -math.expm1(-decay) + scale * sine - 1j * scale * cosine


def summation(size: int) -> int:
    """Return the most additions that a term goes through in numpy's pairwise sum of so many."""
    return min(size, 32 + size.bit_length())


FACTOR_SLACK = 1e-9  # proof: much more than the rounding of a factor or of a sum of waves
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
        for block in np.array_split(frequencies, -(-frequencies.size * rates.size // BLOCK_TERMS)):
            x = np.multiply.outer(block, rates)
            x = np.maximum(np.abs(x - np.rint(x)) - slack, 0.0)
            lost = self._q * np.sin(math.pi * x) ** 2 * (1.0 - FACTOR_SLACK)
            alive.append(block[-np.log1p(-lost) @ self._counts < goal])
        return np.concatenate(alive)
