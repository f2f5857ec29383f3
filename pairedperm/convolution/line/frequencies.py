"""The frequencies at which a characteristic function has not died away, and the masses they give.

In a short transform, all frequencies are looked at that the sharpest factor leaves. In a long one,
intervals of frequencies are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import (
    BLOCK_TERMS,
    FACTOR_SLACK,
    LONGEST_TRANSFORM,
    TwoPointWaves,
    characteristic,
    folded,
)
from pairedperm.convolution.grid.span import binomial_masses
from pairedperm.convolution.integers import attainable_sums
from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw
from pairedperm.convolution.line.intervals import (
    COARSER,
    Survivors,
    check_length,
    check_looked_at,
    is_long,
    search,
)
from pairedperm.errors import raised
from pairedperm.options import Budget

FEW_FACTORS = 2**12  # tuned: frequencies times factors for which dropping some would not pay
SIEVE_BLOCK = 2**15  # tuned: frequencies whose arrays stay in the processor's cache
_SIEVED_NS, _MOSTLY = 2.5, 64  # tuned: ns of a factor at a frequency, and factors it mostly takes
_WORTH_SAMPLING = 10_000  # tuned: frequencies times factors, below which a sample takes as long
_SAMPLED_FREQUENCIES = 64  # tuned: frequencies from which the surviving share is estimated


@dataclass(frozen=True, slots=True)
class SharpPeaks:
    """Frequencies at which a factor may exceed a tolerance: near multiples of length / step.

    A frequency is near if its product with `step` is within `reach` of a multiple of `length`. Only
    frequencies from 0 to length / 2 count, for a characteristic function is symmetric.
    """

    step: int
    reach: int
    n: int  # an upper bound


def sharp_peaks(law: TiltedLaw, length: int, log_tolerance: float) -> tuple[SharpPeaks, IntArray]:
    """Return the sharp_peaks of the sharpest factor, and all factors' positions by sharpness."""
    steps = folded(law.values, length)
    enough = -np.expm1(2.0 * log_tolerance / law.counts)  # sech² sin² must not exceed it
    with np.errstate(divide="ignore"):
        widths = np.arcsin(np.sqrt(np.minimum(enough / law.sech2, 1.0))) / math.pi
    widths[steps == 0] = 0.5
    order = np.argsort(widths, kind="stable")
    step, width = int(steps[order[0]]), float(widths[order[0]])
    reach, last = math.ceil(width * length * (1.0 + 1e-12)), length // 2
    if 2 * reach >= length or step // 2 + 1 >= last:
        return SharpPeaks(1, last, last + 1), order
    n = (step // 2 + 1) * (2 * reach // step + 1)
    return SharpPeaks(step, reach, min(n, last + 1)), order


def expected_survivors(law: TiltedLaw, length: int, log_tolerance: float) -> Survivors:
    """Estimate from a sample how many frequencies will survive and what that takes."""
    if length > LONGEST_TRANSFORM:
        return Survivors(n=math.inf, n_looked_at=math.inf, nanoseconds=math.inf, is_all=False)
    if is_long(length):
        return search(TwoPointWaves(law, length), length, log_tolerance)
    near, _ = sharp_peaks(law, length, log_tolerance)
    n_surviving, nanoseconds = float(near.n), 0.0
    if near.n * law.values.size >= _WORTH_SAMPLING:
        n_surviving *= _surviving_share(near, law, length, log_tolerance)
        nanoseconds = _SIEVED_NS * near.n * min(law.values.size, _MOSTLY)
    return Survivors(n=n_surviving, n_looked_at=near.n, nanoseconds=nanoseconds, is_all=False)


def surviving_frequencies(
    law: TiltedLaw, length: int, log_tolerance: float, budget: Budget
) -> Iterator[IntArray]:
    """Yield blocks of the frequencies 0 … length / 2 at which |φ| may exceed e^log_tolerance.

    Raises
    ------
    BudgetError
        If more frequencies have to be looked at than the budget allows.
    """
    if is_long(length):
        check_length(length, int(law.counts.sum()))
        searched = search(TwoPointWaves(law, length), length, log_tolerance, budget)
        yield from frequency_blocks(searched.frequencies, law)
    else:
        for survivors in _sieved(law, length, log_tolerance, budget):
            yield from frequency_blocks(survivors, law)


def frequency_blocks(frequencies: IntArray, law: TiltedLaw) -> Iterator[IntArray]:
    """Yield the frequencies in blocks, small enough for an array of frequencies times factors."""
    n_rows = max(BLOCK_TERMS // law.values.size, 1)
    for start in range(0, frequencies.size, n_rows):
        yield frequencies[start : start + n_rows]


def _sieved(
    law: TiltedLaw, length: int, log_tolerance: float, budget: Budget
) -> Iterator[IntArray]:
    """Yield the surviving frequencies of a short transform, in frequency_blocks of any size.

    Every factor of φ has modulus at most 1. So a frequency is dropped for good as soon as some
    factors together are below the tolerance. The sharpest factor exceeds the tolerance only at its
    `sharp_peaks`, so that no other frequency is looked at.
    """
    near, order = sharp_peaks(law, length, log_tolerance)
    check_looked_at(near.n, budget)
    steps = folded(law.values, length)
    # the powers of the factors may be off by so much, in nats: no frequency is dropped for that
    log_limit = log_tolerance - 4.0 * UNIT * float(law.counts.sum())
    limit = math.exp(2.0 * log_limit)
    for block in _enumerated(near, length):
        # the sharpest factors first: after a few of them, hardly any frequency is left
        frequencies, square = block.astype(np.float64), np.ones(block.size)
        for position, k in enumerate(order):
            if frequencies.size * law.values.size <= FEW_FACTORS:  # all the others at once
                alive = _log_bound(law, frequencies, length) > log_limit
                break
            kept = _kept(frequencies, steps[k], length, law.sech2[k])
            square *= _power(kept, int(law.counts[k]))
            if position % 4 == 3:  # choosing costs as much as a factor
                alive = square > limit
                frequencies, square = frequencies[alive], square[alive]
        else:
            alive = square > limit
        yield frequencies[alive].astype(np.int64)


def _surviving_share(near: SharpPeaks, law: TiltedLaw, length: int, log_tolerance: float) -> float:
    """Estimate the share of the sharp_peaks that survives, from an even sample."""
    width = 2 * near.reach // near.step + 1  # frequencies of a peak
    position = np.linspace(0, near.n - 1, min(near.n, _SAMPLED_FREQUENCIES)).astype(np.int64)
    if near.reach < length // 2:
        position = (position // width * length - near.reach) // near.step + position % width
    frequencies = np.clip(position, 0, length // 2).astype(np.float64)
    return float((_log_bound(law, frequencies, length) > log_tolerance).mean())


def _log_bound(law: TiltedLaw, frequencies: FloatArray, length: int) -> FloatArray:
    """Return an upper bound of log |φ|, from all factors at once."""
    kept = _kept(frequencies[:, None], folded(law.values, length), length, law.sech2)
    return np.asarray(0.5 * (law.counts * np.log(kept)).sum(axis=1))


def _kept(
    frequencies: FloatArray, step: IntArray | np.int64, length: int, sech2: FloatArray | np.float64
) -> FloatArray:
    """Return an upper bound of a squared factor, 1 - sech² sin² πx, x = f step / length.

    Let x be reduced to |x| ≤ 1/2. Then cos πx ≤ 1 - 4x²: their difference is 0 at 0 and 1/2.
    Between these it is first convex, with slope 0 at 0, then concave. So sin² πx ≥ 8 s (1 - 2s) for
    s ≤ x². The reduced x is off by at most length · u / 2, for f step / length ≤ length / 4.
    """
    s = frequencies * (step / length)  # in place from here: new arrays cost more than sums
    s -= np.rint(s)
    s *= s
    s -= UNIT * length
    scale = 8.0 * (1.0 - FACTOR_SLACK) * sech2
    result = s * (2.0 * scale)
    result -= scale
    result *= s
    result += 1.0
    return np.asarray(result)


def _power(base: FloatArray, exponent: int) -> FloatArray:
    """Return base^exponent, by multiplication if that is faster; bounds above 1 may be cut to 1."""
    if exponent > 32:
        return np.asarray(np.minimum(base, 1.0) ** float(exponent))
    power = None
    while exponent:
        if exponent & 1:
            power = base if power is None else power * base
        exponent >>= 1
        if exponent:
            base = base * base
    return np.asarray(power)


def _enumerated(near: SharpPeaks, length: int) -> Iterator[IntArray]:
    """Yield the sharp_peaks in frequency_blocks, ascending."""
    step, reach, last = near.step, near.reach, length // 2
    n_peaks = step // 2 + 1
    previous_end = -1
    for first_peak in range(0, n_peaks, SIEVE_BLOCK):
        after = min(first_peak + SIEVE_BLOCK, n_peaks)
        peaks = np.arange(first_peak, after, dtype=np.int64) * length
        ends = np.minimum((peaks + reach) // step, last)
        starts = -((reach - peaks) // step)
        starts = np.maximum(starts, np.concatenate(([previous_end], ends[:-1])) + 1)
        sizes = np.maximum(ends - starts + 1, 0)
        stops = np.cumsum(sizes)
        for offset in range(0, int(stops[-1]), SIEVE_BLOCK):
            index = np.arange(offset, min(offset + SIEVE_BLOCK, int(stops[-1])), dtype=np.int64)
            peak = np.searchsorted(stops, index, side="right")
            yield starts[peak] + (index - (stops - sizes)[peak])
        previous_end = max(previous_end, int(ends[-1]))


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
    sums: NDArray[Any] = np.zeros(1, dtype=np.int64 if total < 2**62 else object)
    pmf: FloatArray = np.ones(1)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        steps = value * np.arange(count + 1).astype(sums.dtype)
        sums, place = np.unique((sums[:, None] + steps).reshape(-1), return_inverse=True)
        weights = np.multiply.outer(pmf, binomial_masses(count)).reshape(-1)
        pmf = np.bincount(place.reshape(-1), weights=weights).astype(np.float64)
    return sums, pmf


def convolved_pmf(values: IntArray, counts: IntArray) -> FloatArray:
    """Return the law on all points by convolving the values' binomial laws one after the other."""
    pmf = np.ones(1)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        binomial = np.zeros(value * count + 1)
        binomial[::value] = binomial_masses(count)
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
    spectrum = np.zeros(length // 2 + 1, dtype=np.complex128)
    for frequencies in surviving_frequencies(law, length, math.log(_DROPPED_MASS), budget):
        log_phi, phase, _ = characteristic(law, frequencies, middle, length)
        spectrum[frequencies] = np.exp(log_phi) * np.exp(-1j * phase)
    # the middle was the origin: the masses below it are at the end of the period
    around = fft.irfft(spectrum, n=length)
    pmf = np.zeros(total + 1)
    pmf[middle - n_side : middle] = around[length - n_side :]
    n_right = min(n_side + 2, total + 1 - middle)
    pmf[middle : middle + n_right] = around[:n_right]
    return pmf
