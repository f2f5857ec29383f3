"""The masses of a sum of two-point variables on a line: listed, convolved, or transformed."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from pairedperm.convolution.characteristic import COARSER, characteristic, check_length, in_blocks
from pairedperm.convolution.integers import are_int64, every_sum
from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw
from pairedperm.convolution.line.intervals import search
from pairedperm.convolution.polynomials import attainable_sums
from pairedperm.convolution.waves import TwoPointWaves
from pairedperm.options import Budget, raised

LISTED_EXAMPLES = 20  # tuned: examples whose sums are listed, if they are fewer than the points
CONVOLVED_POINTS = 2**12  # tuned: points up to which factors are convolved one by one
_DROPPED_MASS = 2.0**-60  # proof: mass beyond the window, and |φ| at dropped frequencies
_MASS_BYTES = 64  # tuned: bytes of a point
_TRANSFORM_NOISE = 2.0**-53  # proof: what a transform returns in place of smaller masses


def central_pmf(
    values: IntArray, counts: IntArray, total: int, budget: Budget
) -> tuple[IntArray, FloatArray]:
    """Return the attainable values b of B = Σ_k values[k] · Binomial(counts[k], 1/2), and P(B = b).

    Up to 20 examples, the sums may be listed one by one. Up to 4,096 points, positive terms are
    convolved. Both are relatively accurate at every point. Otherwise a Fourier transform gives
    masses within 1e-15 absolutely. The masses sum to 1. Cost: O(total · factors) bit operations,
    O(√(Σ counts values²)) others.

    Raises
    ------
    BudgetError
        If the arrays would not fit: 64 bytes for each point, and at most `total` + 1 points.
    """
    n = int(counts.sum())
    is_listed = n <= LISTED_EXAMPLES and 1 << n < total
    check_points(math.prod((counts + 1).tolist()) if is_listed else total + 1, budget)
    if is_listed:
        return listed_pmf(values, counts, total)
    is_attainable = attainable_sums(values.tolist(), counts.tolist())
    support = np.flatnonzero(is_attainable)
    if total < CONVOLVED_POINTS:
        return support, convolved_pmf(values, counts)[support]
    pmf = np.where(is_attainable, transformed_pmf(values, counts, total, budget), 0.0)
    pmf = (pmf + pmf[::-1]) / 2.0  # B and total - B have the same law
    denoise(pmf)
    return support, normalised(pmf[support])


def check_points(n_points: int, budget: Budget, otherwise: str = COARSER) -> None:
    """Raise BudgetError if the arrays of so many points would not fit."""
    n_bytes = _MASS_BYTES * n_points
    budget.check(
        f"the null distribution has up to {n_points:.3g} points, {n_bytes:.3g} bytes",
        n_bytes=n_bytes,
        remedy=raised(n_bytes=n_bytes, otherwise=otherwise),
    )


def normalised(pmf: FloatArray) -> FloatArray:
    """Return the masses divided by their sum; it is taken in parts, since lists take memory."""
    parts = np.array_split(pmf, pmf.size // 2**16 + 1)
    return np.asarray(pmf / math.fsum(math.fsum(part.tolist()) for part in parts))


def denoise(pmf: FloatArray) -> None:
    """Set negative masses to 0, and scale all below the noise to keep their sum, in place."""
    small = pmf < _TRANSFORM_NOISE
    positive = np.maximum(pmf[small], 0.0)
    share = pmf[small].sum() / max(positive.sum(), _TRANSFORM_NOISE**2)
    pmf[small] = positive * min(max(share, 0.0), 1.0)


def listed_pmf(values: IntArray, counts: IntArray, total: int) -> tuple[IntArray, FloatArray]:
    """Return all sums b of subsets of the values, and P(B = b), by listing the sums.

    `total` is the sum of all values. Cost: O(sums log sums) for up to Π (counts + 1) sums.
    """
    column = values if are_int64(total) else values.astype(object)
    masses = [_binomial_masses(count) for count in counts.tolist()]
    (sums,), weights = every_sum(column[None], masses)
    support, place = np.unique(sums, return_inverse=True)
    return support, np.bincount(place.reshape(-1), weights).astype(np.float64)


def convolved_pmf(values: IntArray, counts: IntArray) -> FloatArray:
    """Return the law on all points by convolving the values' binomial laws one after the other."""
    pmf = np.ones(1)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        binomial = np.zeros(value * count + 1)
        binomial[::value] = _binomial_masses(count)
        pmf = np.convolve(pmf, binomial)
    return np.asarray((pmf + pmf[::-1]) / 2.0)


def transformed_pmf(values: IntArray, counts: IntArray, total: int, budget: Budget) -> FloatArray:
    """Return the law on all points by a Fourier transform, within about 1e-16.

    All masses beyond Hoeffding's window are 0.
    """
    from scipy import fft

    law = TiltedLaw(values, counts, 0.0)
    middle = total // 2
    reach = math.sqrt(law.squares * -math.log(_DROPPED_MASS / 2.0) / 2.0)
    n_side = min(math.ceil(reach) + 1, middle)
    length = fft.next_fast_len(2 * n_side + 2, real=True)
    check_length(length, int(counts.sum()))
    source, spectrum = TwoPointWaves(law, length), np.zeros(length // 2 + 1, dtype=np.complex128)
    surviving = search(source, length, math.log(_DROPPED_MASS), budget).frequencies
    for frequencies in in_blocks(surviving, values.size):
        log_phi, phase, _ = characteristic(law, frequencies, middle, length)
        spectrum[frequencies] = np.exp(log_phi) * np.exp(-1j * phase)
    # the middle was the origin: the masses below it are at the end of the period
    around = fft.irfft(spectrum, n=length)
    pmf = np.zeros(total + 1)
    pmf[middle - n_side : middle] = around[length - n_side :]
    n_right = min(n_side + 2, total + 1 - middle)
    pmf[middle : middle + n_right] = around[:n_right]
    return pmf


def _binomial_masses(count: int) -> FloatArray:
    """Return P(Binomial(count, 1/2) = k) for all k: quotients of integers, correctly rounded."""
    ways = accumulate(range(count), lambda n, k: n * (count - k) // (k + 1), initial=1)
    return np.array([n / (1 << count) for n in ways])
