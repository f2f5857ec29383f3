"""The tail of a sum of independent two-point variables, relatively accurate at any size.

B = Σ_k values[k] · Binomial(counts[k], 1/2), and P(B ≤ bound) is wanted. Under the law Q
tilted by e^{-tau B} (the saddlepoint method's change of measure)

    P(B ≤ bound) = e^E · T,   E = Σ_k counts[k] log((1 + e^{-tau values[k]}) / 2) + tau bound,
                              T = Σ_{x ≥ 0} e^{-tau x} Q(B = bound - x),

whatever tau ≥ 0 is. With the tau that moves the mean of B to the bound, T is of the order of
one over the standard deviation at least, and no digit is lost however small the product is.
A discrete Fourier transform of M points, just long enough to hold Q (`window`), turns T into

    T = 1/M Σ_f φ(f) e^{-iω bound} (1 - z^n) / (1 - z),   ω = 2π f / M,  z = e^{-tau + iω},

a geometric series of n terms at each frequency, to which only the few f contribute where the
characteristic function φ of Q has not died away (`frequencies`).

The certificate, in units u = 2^-53. Assumed: the elementary functions of numpy and of the
C library are within 4 ulp, that is 8 u (both claim less), and numpy sums the last axis of
an array pairwise.

1. Wrap-around: the mass that the transform folds onto the sum or that lies below it is at
   most `Window.leak`.
2. Pruning: |φ| ≤ tolerance at a dropped frequency, which has the weight
   |1 - z^n| / |1 - z| ≤ 2 min(1 / (1 - e^{-tau}), M e^{tau/2} / 4f), for
   |1 - re^{iω}|² = (1 - r)² + 4r sin²(ω/2). Summed over f = 1 … M/2, each for itself and
   its mirror image: at most tolerance · 2 min(1 / (1 - e^{-tau}), e^{tau/2} (1 + log M)).
3. Rounding of T: the angles come from exact integer residues, and each factor's log-modulus
   and phase are formed without cancellation. An error of y = tau · value by u changes
   `chance` and `tanh` by (y + 8) u at most, and through at most ten more operations a
   log-modulus or a phase by less than (96 + 2y) u, relatively. The sums of these over the
   factors bound the relative error of a frequency's term, where the geometric series, the
   cosine, and sums over up to 10^6 factors add 96 u.
4. Rounding of E: each term is within (32 + y) u; their sum is exact up to one rounding.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.frequencies import (
    CELLS,
    log_modulus,
    residues,
    sines,
    surviving_frequencies,
)
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw, tilted_to
from pairedperm.convolution.window import Window, fit

__all__ = ["tilted_lower_tail"]

_PROMISED = 5e-11  # relative error of T, at most


def tilted_lower_tail(
    values: IntArray, counts: IntArray, bound: int, total: int
) -> CertifiedProbability:
    """P(B ≤ bound) for values ascending, distinct and positive, values[0] ≤ bound < total / 2.

    `total` is Σ counts · values. Cost: O(M) at worst, M about 9 √(Σ counts · values²) or
    shorter, times the number of factors; mostly a few hundred frequencies suffice.
    """
    law, window, tolerance = fit(tilted_to(values, counts, bound, total), bound, total)
    exponent, exponent_error = _exponent(law, bound)
    tail, tail_error = _tail(law, bound, window, tolerance / _pruned_weight(law, window))
    tail_error += 1.001 * (window.leak + tolerance)
    if tail_error > _PROMISED * tail:
        raise ArithmeticError(
            f"the tilted sum lost its digits: {tail} ± {tail_error}. This is a bug in pairedperm; "
            "please report it with the input."
        )
    log_error = exponent_error - math.log1p(-tail_error / tail)
    return CertifiedProbability.from_product(exponent, tail, log_error)


def _pruned_weight(law: TiltedLaw, window: Window) -> float:
    """How much of the tolerance the dropped frequencies add up to, by step 2 above."""
    by_decay = -1.0 / math.expm1(-law.tau)
    by_frequency = math.exp(law.tau / 2.0) * (1.0 + math.log(window.length))
    return 2.0 * min(by_decay, by_frequency)


def _exponent(law: TiltedLaw, bound: int) -> tuple[float, float]:
    """E and a bound on its error.

    log((1 + e^{-y}) / 2) = -y/2 + log cosh(y/2), log cosh h = log(1 + 2 sinh²(h/2)). Values
    with y ≤ 1 are taken in this form, and their -y/2 go exactly into the linear term.
    """
    n_centred = law.n_centred
    centred = law.counts[:n_centred] * np.log1p(2.0 * np.sinh(law.y[:n_centred] / 4.0) ** 2)
    rare = law.counts[n_centred:] * np.log1p(np.exp(-law.y[n_centred:]))
    n_rare = int(law.counts[n_centred:].sum())
    centre = exact_dot(law.counts[:n_centred], law.values[:n_centred])
    linear = [law.tau * ((2 * bound - centre) / 2), -n_rare * math.log(2.0)]
    error = 32.0 * float(centred.sum()) + float((rare * (32.0 + law.y[n_centred:])).sum())
    error += 8.0 * (abs(linear[0]) + abs(linear[1]))
    return math.fsum([*centred.tolist(), *rare.tolist(), *linear]), UNIT * error


def _tail(law: TiltedLaw, bound: int, window: Window, tolerance: float) -> tuple[float, float]:
    """T and a bound on its rounding error."""
    length = window.length
    zero = math.expm1(-law.tau * window.n_tail) / math.expm1(-law.tau)  # frequency 0
    sums, error = [zero], 96.0 * zero
    rows = max(CELLS // law.values.size, 1)
    for block in surviving_frequencies(law, length, math.log(tolerance)):
        for start in range(0, block.size, rows):
            frequencies = block[start : start + rows]
            log_phi, phase, uncertainty = _characteristic(law, frequencies, bound, length)
            series = _geometric_series(law.tau, frequencies, window)
            modulus = np.exp(log_phi)
            mirrored = np.where(2 * frequencies == length, 1.0, 2.0)
            term = mirrored * modulus * (np.cos(phase) * series.real - np.sin(phase) * series.imag)
            sums.append(math.fsum(term.tolist()))
            error += float((mirrored * modulus * np.abs(series) * (96.0 + uncertainty)).sum())
    return math.fsum(sums) / length, 1.001 * UNIT * error / length


def _characteristic(
    law: TiltedLaw, frequencies: IntArray, bound: int, length: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """log-modulus and phase of φ(f) e^{-iω bound}, and their error in units of u.

    With α = ω value / 2, reduced to π r / M, a factor is
        1 - chance + chance e^{2iα} = e^{iα} (cos α - i tanh sin α).
    Its phase is taken as α - atan2(tanh sin α, cos α) where y is small, all the α together
    in exact integers, and as atan2(2 chance sin α cos α, 1 - 2 chance sin² α) where the value
    is unlikely to be part of B. Phases stay small beside their sum that way.
    """
    n_centred = law.n_centred
    remainder = residues(frequencies[:, None], law.values % length, length)
    sine, cosine = sines(remainder, length)
    log_factors = law.counts * log_modulus(sine, cosine, law.sech2, law.tanh)
    phases = np.empty_like(sine)
    centred, rare = np.s_[:, :n_centred], np.s_[:, n_centred:]
    phases[centred] = -np.arctan2(law.tanh[:n_centred] * sine[centred], cosine[centred])
    twice = 2.0 * law.chance[n_centred:] * sine[rare]
    phases[rare] = np.arctan2(twice * cosine[rare], 1.0 - twice * sine[rare])
    phases *= law.counts
    half_turns = (remainder[centred] * law.counts[:n_centred]).sum(axis=1)
    half_turns = (half_turns - frequencies * (2 * bound % (2 * length))) % (2 * length)
    phase = phases.sum(axis=1) + (math.pi / length) * half_turns
    uncertainty = ((96.0 + 2.0 * law.y) * (np.abs(log_factors) + np.abs(phases))).sum(axis=1)
    return log_factors.sum(axis=1), phase, uncertainty


def _geometric_series(tau: float, frequencies: IntArray, window: Window) -> NDArray[np.complex128]:
    """(1 - z^n) / (1 - z) for z = e^{-tau + iω}."""
    length = window.length
    last = residues(frequencies, window.n_tail % length, length)
    return _one_minus_exp(tau * window.n_tail, last, length) / _one_minus_exp(
        tau, frequencies, length
    )


def _one_minus_exp(decay: float, remainder: IntArray, length: int) -> NDArray[np.complex128]:
    """1 - e^{-decay + 2πi r / length} for |r| ≤ length / 2, where nothing cancels."""
    sine, cosine = sines(remainder, length)
    scale = 2.0 * math.exp(-decay) * sine
    return -math.expm1(-decay) + scale * sine - 1j * scale * cosine
