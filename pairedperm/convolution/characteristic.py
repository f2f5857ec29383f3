"""The characteristic function φ of a tilted law, with its rounding errors.

Errors are counted in units of u = 2^-53 (`UNIT`). Two things are assumed. The elementary functions
of numpy and of the C library are within 4 ulp, 8 u (both claim less). And numpy sums the last axis
of an array pairwise, in runs of at most 128 numbers by eight accumulators. Integers beyond 2^53
count as one more rounding, which the counts below include.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.law import (
    ComplexArray,
    FloatArray,
    IntArray,
    TiltedFactors,
    TiltedLaw,
    TiltedVectors,
)
from pairedperm.errors import NO_BUDGET, BudgetError

ELEMENTARY = 8.0  # proof: u of an elementary function
PASS = 16.0  # proof: u of a term in a pass of a Fourier transform, generously
_FACTOR = 84.0  # proof: u of a factor's log-modulus or phase, apart from y (`phi_about`)
FACTOR_SLACK = 1e-9  # proof: much more than the rounding of a factor or of a sum of waves
BLOCK_TERMS = 2**17  # tuned: frequencies times factors in a block that stays in the cache
_ANGLE = 14.0  # proof: u of angles up to π from exact integers, and of their last addition
LONGEST_TRANSFORM = 2**50  # proof: a limb for twice this has 10 bits; angles take few roundings
_WORD_BITS = 62  # proof: a sum of two numbers below 2^62 stays within int64
HALF_WORD = 2**31  # proof: a product of two numbers up to 2^31 stays within int64
MOST_LONG = 2**36  # proof: variables, if a transform has more than `HALF_WORD` points
COARSER = "give the scores in coarser units (fewer digits)"
_LOW_BITS = 25  # proof: about half of the bits of a remainder


def in_blocks(frequencies: NDArray[Any], n_factors: int) -> list[NDArray[Any]]:
    """Divide frequencies, so that arrays of frequencies times factors stay in the cache."""
    n_rows = max(BLOCK_TERMS // n_factors, 1)
    return [frequencies[k : k + n_rows] for k in range(0, frequencies.size, n_rows)]


def check_length(length: int, n: int) -> None:
    """Raise BudgetError if a transform of this length for n variables is too long."""
    longest = LONGEST_TRANSFORM if n <= MOST_LONG else HALF_WORD
    if length > longest:
        raise BudgetError(
            f"the exact p-value needs a Fourier transform of {length:.3g} points, more than "
            f"2^{longest.bit_length() - 1}, {NO_BUDGET}",
            remedy=(
                "The scores of single examples differ by too many units for a lattice",
                "Give them in coarser units (fewer digits)",
            ),
        )


def residues(frequencies: IntArray, step: IntArray | int, length: int) -> IntArray:
    """Return frequency · step modulo length, in (-length / 2, length / 2], exactly.

    Frequencies are from 0 to length / 2, steps from 0 to length - 1, and length is at most 2^51.
    """
    return nearest(product_modulo(frequencies, step, length), length)


def nearest(remainder: IntArray, length: IntArray | int) -> IntArray:
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
    if turn * int(counts.sum()) < 2**63:
        return np.asarray((remainder * counts).sum(axis=1) % turn)
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
            distinct, place = np.unique(frequencies[rows, k], return_inverse=True)
            own = distinct[:, None] * (points[:, k] % period) % period
            r += (own * (length // period))[place]
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
