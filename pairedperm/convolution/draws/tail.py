"""The tail of a sum of independent draws from an empirical law, relatively accurate at any size.

P(S ≤ bound) is wanted for S = X_1 + … + X_n, each X drawn from n observed integers (the bootstrap).
As in `tilted`, for any tau ≥ 0

    P(S ≤ bound) = e^E · T,   T = 1/M Σ_f φ(f) e^{-iω bound} (1 - r^m) / (1 - r), r = e^{-tau + iω},

but here φ = φ_1^n is a power of the characteristic function of one draw, φ_1 = Σ_k p_k e^{iω x_k},
x_k = values[k]. One Fourier transform of the p_k, folded modulo M, gives all values of φ_1. They
are not accurate enough to be raised to a large power, but they tell the few frequencies at which φ
has not died away. In a long transform, intervals of frequencies tell them (`DrawWaves`). There

    log φ_1 = iω x + log(1 + z),   z = Σ_k p_k (e^{iω (x_k - x)} - 1),

with x one of the values, near the mean and likely: z is small if φ_1^n is not.

The certificate. Wrap-around, pruning and the series are those of `tilted`, with its constants.
1. Pruning. The transform is within 8 log2(M) √M u of φ_1 (backward errors in the norm; no p_k
   exceeds 1). This error is added to its modulus.
2. A p_k is within 10 + |y|, apart from a factor that all share. A sine or cosine is within 11.
   numpy's additions count too: the real part of z is within Σ (40 + |y| + additions) p 2 sin², the
   imaginary part within the same sum with p |2 sin cos|.
3. log |1 + z| = ½ log1p(2 Re z + |z|²) if this sum is above -3/4; otherwise it is taken from 1 + z
   itself. The phase is atan2(Im z, 1 + Re z). Both are multiplied by n, and n times a relative
   error of φ_1 is a relative error of φ.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import MOST_ERROR, UNIT, UP, CertifiedProbability
from pairedperm.convolution.characteristic import (
    COARSER,
    ELEMENTARY,
    check_length,
    in_blocks,
    residues,
    sines,
    summation,
)
from pairedperm.convolution.draws.law import DrawWaves, ResampledLaw, resampled_to
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.intervals import search
from pairedperm.convolution.line.tilted import (
    TERM,
    Window,
    chernoff,
    hoeffding,
    mirrored,
    tolerance_of,
)
from pairedperm.convolution.polynomials import count_resamples
from pairedperm.errors import BudgetError
from pairedperm.options import NANOSECONDS, Budget, raised

COUNTABLE_BITS = 2**18  # tuned: bits of the polynomial up to which resamples are counted
SHORT = 2**17  # tuned: points up to which all frequencies are looked at
TRANSFORMED = 2**25  # tuned: the same if intervals take longer
LONG_WINDOW = 2**14  # tuned: window from which a shorter one is looked for
FEW_VALUES = 64  # tuned: values whose terms are added by products of matrices
_OWN = 8  # tuned: values that cost as much as a frequency itself
_TRANSFORM_POINT_BYTES, _TRANSFORM_POINT_NS = 40, 50.0  # tuned: of a point of a transform
_DRAW_TERM_NS = 35.0  # tuned: ns of a value at a frequency


class Terms(NamedTuple):
    """The values of φ(f) e^{-iω bound} at some frequencies, with absolute errors in u."""

    frequencies: IntArray
    modulus: FloatArray
    phase: FloatArray
    error: FloatArray


def resampled_lower_tail(
    values: IntArray, counts: IntArray, bound: int, budget: Budget
) -> CertifiedProbability:
    """Return P(S ≤ bound) for the sum S of n = Σ counts draws; it may be 0 or 1.

    Parameters
    ----------
    values : int64 array, shape (k,)
        Ascending and distinct.
    counts : int64 array, shape (k,)
        How often each was observed; positive.
    bound : int
        The greatest sum that belongs to the tail; any integer.
    budget : Budget
        What the transforms may cost.

    Raises
    ------
    BudgetError
        If a transform would be too long, or take more than the budget allows; or if n is too large
        for the certificate.
    """
    n, least = int(counts.sum()), int(values[0])
    values, unit = on_unit_lattice(values)
    bound, largest = (bound - n * least) // unit, int(values[-1])
    if bound < 0:
        return CertifiedProbability.from_ratio(0, 1)
    if bound >= n * largest:
        return CertifiedProbability.exactly(1.0)
    if bound >= exact_dot(counts, values):  # n times the mean of X: the other tail is the lesser
        turned = largest - values[::-1]
        return _lesser(turned, counts[::-1], n * largest - bound - 1, budget).complement()
    return _lesser(values, counts, bound, budget)


def on_unit_lattice(values: IntArray) -> tuple[IntArray, int]:
    """Return the values less the first in units of their greatest common divisor, and this unit."""
    shifted = values - values[0]
    unit = max(int(np.gcd.reduce(shifted)), 1)
    return shifted // unit, unit


def _lesser(values: IntArray, counts: IntArray, bound: int, budget: Budget) -> CertifiedProbability:
    """Return P(S ≤ bound) for a bound from 0 to below the mean of S."""
    n = int(counts.sum())
    if bound < values[1]:  # every draw is the least value
        return power_of_share(int(counts[0]), n)
    width = n * n.bit_length() + 1  # bits of n^n, plus one
    if width * (n * int(values[-1]) + 1) <= COUNTABLE_BITS:
        return CertifiedProbability.from_ratio(count_resamples(values, counts, bound, width), n**n)
    # the tilted law, and a window of it that holds all but a negligible share
    law = resampled_to(values, counts, bound)
    total = n * int(values[-1])
    tolerance = tolerance_of(law)
    window = fast_window(law, bound, total, tolerance)
    # p = e^E T: T is a sum over the frequencies at which φ has not died away
    exponent, exponent_error = law.exponent(bound)
    pruned = tolerance / window.pruned_weight(law.tau)
    terms = surviving_terms(law, bound, window.length, math.log(pruned), budget)
    added, weight = mirrored(window, law.tau, *terms[:3])
    tail = math.fsum(added.tolist()) / window.length
    # what the window, the pruning and rounding may have done to T
    errors = weight * (terms.modulus * TERM + terms.error)
    rounding = UNIT * float(errors.sum()) / window.length
    tail_error = UP * (window.leak + tolerance + rounding)
    if tail_error > MOST_ERROR * tail * max(1.0, -exponent / 700.0):
        raise BudgetError(
            f"{n:.3g} examples are too many to certify the exact p-value to {MOST_ERROR:g}."
        )
    return CertifiedProbability.from_tilted(exponent, exponent_error, tail, tail_error)


def fast_window(law: ResampledLaw, bound: int, total: int, tolerance: float) -> Window:
    """Return a window whose transform is fast; raise BudgetError if the transform is too long."""
    from scipy.fft import next_fast_len

    window = hoeffding(law, bound, total, tolerance)
    if window.length > LONG_WINDOW:
        other = chernoff(law, bound, total, tolerance)
        window = other if other.length < window.length else window
    check_length(window.length, law.n)
    if window.length > TRANSFORMED:
        return window
    length = int(next_fast_len(window.length, real=True))
    return Window(window.n_tail, length - window.n_tail, window.leak)


def _survivors(law: ResampledLaw, length: int, log_tolerance: float, budget: Budget) -> IntArray:
    """Return the frequencies 0 … length / 2 at which |φ| may exceed e^log_tolerance.

    A long transform is searched by intervals if a sample of these shows that this takes less.
    """
    n_bytes, nanoseconds = _TRANSFORM_POINT_BYTES * length, _TRANSFORM_POINT_NS * length
    if length > SHORT:
        is_transformed = length <= TRANSFORMED and n_bytes <= budget.max_bytes
        waves = DrawWaves(law, length)
        likely = search(waves, length, log_tolerance)
        if likely.nanoseconds < nanoseconds or not is_transformed:
            _check(max(likely.nanoseconds, NANOSECONDS * likely.n_looked_at), budget)
            if not likely.is_all:
                likely = search(waves, length, log_tolerance, budget)
            return likely.frequencies
    what = f"the exact p-value needs {n_bytes:.3g} bytes for a Fourier transform"
    remedy = raised(1e-9 * nanoseconds, otherwise=COARSER)
    budget.check(what, n_bytes=n_bytes, remedy=remedy)
    _check(nanoseconds, budget)
    modulus = np.abs(np.fft.rfft(np.bincount(law.values % length, law.chance, minlength=length)))
    noise = 8.0 * math.log2(length + 1) * math.sqrt(length) * UNIT
    return np.flatnonzero(modulus + noise > math.exp(log_tolerance / law.n))


def _check(nanoseconds: float, budget: Budget) -> None:
    """Raise BudgetError if so many nanoseconds are too many."""
    n = nanoseconds / NANOSECONDS
    what = f"the exact p-value needs the time of {n:.3g} frequencies of a Fourier transform"
    budget.check(what, n_points=n, remedy=raised(1e-9 * nanoseconds, otherwise=COARSER))


def surviving_terms(
    law: ResampledLaw, bound: int, length: int, log_tolerance: float, budget: Budget
) -> Terms:
    """Return the terms at the frequencies 0 … length / 2 where |φ| may exceed e^log_tolerance."""
    frequencies = _survivors(law, length, log_tolerance, budget)
    _check(_DRAW_TERM_NS * frequencies.size * (law.values.size + _OWN), budget)
    # from a likely value near the mean, z is small and log(1 + z) exact
    likely = law.chance / (1.0 + np.abs(law.values - law.mean_of_one) ** 2 * law.n / law.variance)
    centre = int(law.values[int(likely.argmax())])
    parts = [
        _evaluated(law, block, centre, bound, length)
        for block in in_blocks(frequencies, law.values.size)
    ]
    return Terms(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _evaluated(
    law: ResampledLaw, frequencies: IntArray, centre: int, bound: int, length: int
) -> Terms:
    """Return φ(f) e^{-iω bound} at these frequencies."""
    n, p = law.n, law.chance
    # Re z and Im z from half angles, so that nothing cancels near frequency 0
    turns = residues(frequencies[:, None], (law.values - centre) % length, length)
    sine, cosine = sines(turns, length)
    squares, products = 2.0 * sine**2, 2.0 * sine * cosine
    is_few = p.size <= FEW_VALUES  # products of matrices add the terms one by one
    additions = p.size if is_few else summation(p.size)
    within = p * (40.0 + additions + np.abs(law.y))
    if is_few:
        below, across = squares @ p, products @ p
        error = squares @ within + np.abs(products) @ within
    else:
        below, across = (p * squares).sum(axis=1), (p * products).sum(axis=1)
        error = (within * squares).sum(axis=1) + (within * np.abs(products)).sum(axis=1)
    error += (12.0 + additions) * np.hypot(below, across)  # of z
    # log |1 + z| from |1 + z|² - 1, or from 1 + z itself where that is small
    excess = across**2 - below * (2.0 - below)  # |1 + z|² - 1
    is_near = excess > -0.75
    size = np.hypot(1.0 - below, across)
    near, far = 0.5 * np.log1p(np.where(is_near, excess, 0.0)), np.log(np.maximum(size, 1e-300))
    log_modulus = np.where(is_near, near, far)
    phase = np.arctan2(across, 1.0 - below)
    # the error of log φ_1, times |φ_1|; the two terms of the excess may cancel
    error += 4.0 * (2.0 * below + across**2) + 2.0 * ELEMENTARY * np.abs(phase) * size
    error += np.where(is_near, ELEMENTARY * np.abs(log_modulus), ELEMENTARY + 2.0)
    # n times the logarithm, and n times its error
    modulus = np.exp(n * log_modulus)
    slope = n * np.exp((n - 1) * log_modulus)
    origin = residues(frequencies, (n * centre - bound) % length, length)
    turned = n * phase + (2.0 * math.pi / length) * origin
    return Terms(frequencies, modulus, turned, 2.0 * slope * error + 30.0 * modulus)


def power_of_share(count: int, n: int) -> CertifiedProbability:
    """Return (count / n)^n."""
    if n * n.bit_length() <= COUNTABLE_BITS:
        return CertifiedProbability.from_ratio(count**n, n**n)
    log = n * math.log1p(-(n - count) / n) if 2 * count > n else n * math.log(count / n)
    return CertifiedProbability.from_product(log, 1.0, 20.0 * UNIT * (abs(log) + 1.0) + n * UNIT)
