"""The tail of a sum of independent two-point variables, relatively accurate at any size.

P(B ≤ bound) is wanted for B = Σ_k values[k] · Binomial(counts[k], 1/2). Let Q be the law of B
tilted by e^{-tau B} (the saddlepoint method's change of measure). Then, for any tau ≥ 0,

    P(B ≤ bound) = e^E · T,   E = Σ_k counts[k] log((1 + e^{-tau values[k]}) / 2) + tau bound,
                              T = Σ_{x ≥ 0} e^{-tau x} Q(B = bound - x),

If tau moves the mean of B to the bound, T is at least of the order of one over the standard
deviation. So no digit is lost, however small the product is. A discrete Fourier transform of M
points, just long enough to hold Q (`window`), turns T into

    T = 1/M Σ_f φ(f) e^{-iω bound} (1 - z^n) / (1 - z),   ω = 2π f / M,  z = e^{-tau + iω},

with a geometric series of n terms at each frequency. Only those few f contribute at which the
characteristic function φ of Q has not died away (`frequencies`).

The certificate. tau is a float and exact; every other number below is compared with its
true value at this tau. Units are u = 2^-53. `characteristic` says what is assumed of the
mathematical library.

1. Wrap-around. The transform folds points of the support that are M apart onto each other.
   So it misses the b ≤ bound - n, and adds those b > bound + M - n that fall on the n points of
   the tail. No weight e^{-tau x} exceeds 1. So T is off by at most the mass of Q beyond the
   window's ends: `Window.leak`, by Hoeffding's or Chernoff's bound.
2. Pruning. At a dropped frequency, |φ| ≤ tolerance, and its weight is
   |1 - z^n| / |1 - z| ≤ 2 min(1 / (1 - e^{-tau}), M e^{tau/2} / 4f), because
   |1 - re^{iω}|² = (1 - r)² + 4r sin²(ω/2). The sum over f = 1 … M/2 and their mirror images
   is at most tolerance · 2 min(1 / (1 - e^{-tau}), e^{tau/2} (1 + log M)).
3. Rounding of T. The term of a frequency is |φ| |series| cos(their phases). Relative to
   |φ| |series|, it is off by the joint error of φ (`characteristic`), 8 for the exponential,
   8 for cosine and sine, 8 for products and sums, and 80 for the series. In the series,
   1 - e^{-d + iω} has a real part of two positive terms, within 34 (e^{-d} 8 + d, two sines
   11 each, 4 products and sums; d e^{-d} ≤ 1 - e^{-d}). Its imaginary part is within 35 of the
   whole, and the quotient adds 10.
4. Rounding of E. With y within 2, a centred term is within 20 + 1 (sinh²) + 8 + 3 = 32
   relatively, a rare one within 8 + 2y + 8 + 2. The linear terms are within 2 and 8 + 2. Their
   sum is rounded once.

The interval holds the sum of these errors, rounded outward (`CertifiedProbability.from_product`).
"""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.certified import UNIT, UP, CertifiedProbability
from pairedperm.convolution.characteristic import ELEMENTARY, characteristic
from pairedperm.convolution.engine import advance
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray, TiltedFactors, TiltedLaw
from pairedperm.convolution.line.frequencies import check_length
from pairedperm.convolution.line.intervals import check_looked_at
from pairedperm.convolution.line.window import SERIES, Fit, Window
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

TERM = 2.0 * ELEMENTARY + 8.0 + SERIES  # proof: u of a term, with its products and sums
PROMISED = 5e-11  # tuned: largest relative error, of log p if p is far below 1e-300


def tilted_lower_tail(fitted: Fit, bound: int, budget: Budget) -> CertifiedProbability:
    """Return P(B ≤ bound), by a law that `fit` has tilted to this bound, at least the least value.

    Cost: O(M) at worst, M about 9 √(Σ counts · values²) or shorter, times the number of factors.
    Mostly some hundred frequencies suffice (`Fit.cost`).
    """
    exponent, exponent_error = _exponent(fitted.law, bound)
    tail, rounding = _tail(fitted, bound, budget)
    tail_error = UP * (fitted.window.leak + fitted.tolerance + rounding)
    if tail_error > PROMISED * tail * max(1.0, -exponent / 700.0):
        raise ArithmeticError(
            f"the tilted sum lost its digits: {tail} ± {tail_error}. This is a bug in pairedperm; "
            "please report it with the input."
        )
    if tail_error >= tail:
        raise BudgetError(
            f"log p is about {exponent:.3g} for {int(fitted.law.counts.sum()):.3g} differing "
            "examples: so many are too many to certify p."
        )
    log_error = UP * exponent_error - math.log1p(-tail_error / tail)
    return CertifiedProbability.from_product(exponent, tail, log_error)


def check_tilted(fitted: Fit, budget: Budget) -> None:
    """Raise BudgetError if `tilted_lower_tail` is expected to exceed the budget."""
    check_length(fitted.window.length, int(fitted.law.counts.sum()))
    check_looked_at(fitted.expected.n_looked_at, budget)


def _exponent(law: TiltedLaw, bound: int) -> tuple[float, float]:
    """Return E = κ(tau) + tau bound, and a bound on its error."""
    centre = exact_dot(law.counts[: law.n_centred], law.values[: law.n_centred])
    return exponent(law, law.tau * ((2 * bound - centre) / 2))


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


def _tail(fitted: Fit, bound: int, budget: Budget) -> tuple[float, float]:
    """Return T and a bound on its rounding error."""
    law, window, sums, error = fitted.law, fitted.window, [], 0.0
    for frequencies in fitted.frequencies(budget):
        terms, errors = _terms(law, frequencies, bound, window)
        sums.append(math.fsum(terms.tolist()))
        error += float(errors.sum())
        advance(fitted.nanoseconds(frequencies.size))
    return math.fsum(sums) / window.length, UNIT * error / window.length


def _terms(
    law: TiltedLaw, frequencies: IntArray, bound: int, window: Window
) -> tuple[FloatArray, FloatArray]:
    """Return what each frequency and its mirror image add to M · T, and the errors in u."""
    log_phi, phase, phi_error = characteristic(law, frequencies, bound, window.length)
    modulus = np.exp(log_phi)
    terms, weight = mirrored(window, law.tau, frequencies, modulus, phase)
    return terms, modulus * weight * (TERM + phi_error)


def mirrored(
    window: Window, tau: float, frequencies: IntArray, modulus: FloatArray, phase: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what φ(f) e^{-iω bound} adds to M · T, and the weight of |φ(f)| in it.

    `modulus` and `phase` are those of φ(f) e^{-iω bound}. Both results include the mirror image -f.
    """
    series = window.series(tau, frequencies)
    is_own_mirror = (frequencies == 0) | (2 * frequencies == window.length)
    weight = np.where(is_own_mirror, 1.0, 2.0)
    summed = np.cos(phase) * series.real - np.sin(phase) * series.imag
    return weight * modulus * summed, weight * np.abs(series)
