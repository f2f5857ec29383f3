"""The frequencies at which a characteristic function has not died away.

In a short transform, all frequencies are looked at that the sharpest factor leaves. In a long one,
intervals of frequencies are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import (
    HALF_WORD,
    LONGEST,
    MOST_LONG,
    TwoPointWaves,
    folded,
)
from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw
from pairedperm.convolution.line.intervals import Found, check_looked_at, search
from pairedperm.errors import BudgetError
from pairedperm.errors.wording import NO_BUDGET
from pairedperm.options import Budget

LONG = 2**12  # tuned: points from which on intervals are faster than single frequencies
CELLS = 2**17  # tuned: frequencies times factors in a block that is handed out
FEW = 2**12  # tuned: frequencies times factors for which dropping some would not pay
BLOCK = 2**15  # tuned: frequencies whose arrays stay in the processor's cache
_TERM, _MOSTLY = 2.5, 64  # tuned: ns of a factor at a frequency, and factors it mostly takes
_MANY = 10_000  # tuned: frequencies times factors, below which a sample would take as long
_SAMPLE = 64  # tuned: frequencies from which the surviving share is estimated
_SLACK = 1e-9  # proof: much more than the rounding of a factor


@dataclass(frozen=True, slots=True)
class Candidates:
    """Frequencies at which a factor may exceed a tolerance: near multiples of length / step.

    A frequency is near if its product with `step` is within `reach` of a multiple of `length`. Only
    frequencies from 0 to length / 2 count, for a characteristic function is symmetric.
    """

    step: int
    reach: int
    n: int  # an upper bound


def candidates(law: TiltedLaw, length: int, log_tolerance: float) -> tuple[Candidates, IntArray]:
    """Return the candidates of the sharpest factor, and all factors' positions by sharpness."""
    steps = folded(law.values, length)
    enough = -np.expm1(2.0 * log_tolerance / law.counts)  # sech² sin² must not exceed it
    with np.errstate(divide="ignore"):
        widths = np.arcsin(np.sqrt(np.minimum(enough / law.sech2, 1.0))) / math.pi
    widths[steps == 0] = 0.5
    order = np.argsort(widths, kind="stable")
    step, width = int(steps[order[0]]), float(widths[order[0]])
    reach, last = math.ceil(width * length * (1.0 + 1e-12)), length // 2
    if 2 * reach >= length or step // 2 + 1 >= last:
        return Candidates(1, last, last + 1), order
    n = (step // 2 + 1) * (2 * reach // step + 1)
    return Candidates(step, reach, min(n, last + 1)), order


def is_long(length: int) -> bool:
    """Tell whether the transform is so long that intervals are looked at."""
    return length > LONG


def expected(law: TiltedLaw, length: int, log_tolerance: float) -> Found:
    """Estimate from a sample how many frequencies will survive and what that takes."""
    if length > LONGEST:
        return Found(np.zeros(0, dtype=np.int64), math.inf, math.inf, math.inf, False)
    if is_long(length):
        return search(TwoPointWaves(law, length), length, log_tolerance)
    near, _ = candidates(law, length, log_tolerance)
    n_surviving, nanoseconds = float(near.n), 0.0
    if near.n * law.values.size >= _MANY:
        n_surviving *= _surviving_share(near, law, length, log_tolerance)
        nanoseconds = _TERM * near.n * min(law.values.size, _MOSTLY)
    return Found(np.zeros(0, dtype=np.int64), n_surviving, near.n, nanoseconds, False)


def check_length(length: int, n: int) -> None:
    """Raise BudgetError if a transform of this length for n variables is too long."""
    longest = LONGEST if n <= MOST_LONG else HALF_WORD
    if length > longest:
        raise BudgetError(
            f"the exact p-value needs a Fourier transform of {length:.3g} points, more than ",
            *(f"2^{longest.bit_length() - 1}, ", NO_BUDGET),
            remedy=(
                "The scores of single examples differ by too many units for a lattice",
                "Give them in coarser units (fewer digits)",
            ),
        )


def surviving_frequencies(
    law: TiltedLaw, length: int, log_tolerance: float, budget: Budget
) -> Iterator[IntArray]:
    """Yield `blocks` of the frequencies 0 … length / 2 at which |φ| may exceed e^log_tolerance.

    Raises
    ------
    BudgetError
        If more frequencies have to be looked at than the budget allows.
    """
    if is_long(length):
        check_length(length, int(law.counts.sum()))
        found = search(TwoPointWaves(law, length), length, log_tolerance, budget)
        yield from blocks(found.frequencies, law)
    else:
        for survivors in _sieved(law, length, log_tolerance, budget):
            yield from blocks(survivors, law)


def blocks(frequencies: IntArray, law: TiltedLaw) -> Iterator[IntArray]:
    """Yield the frequencies in blocks, small enough for an array of frequencies times factors."""
    n_rows = max(CELLS // law.values.size, 1)
    for start in range(0, frequencies.size, n_rows):
        yield frequencies[start : start + n_rows]


def _sieved(
    law: TiltedLaw, length: int, log_tolerance: float, budget: Budget
) -> Iterator[IntArray]:
    """Yield the surviving frequencies of a short transform, in blocks of any size.

    Every factor of φ has modulus at most 1. So a frequency is dropped for good as soon as some
    factors together are below the tolerance. The sharpest factor exceeds the tolerance only at its
    `candidates`, so that no other frequency is looked at.
    """
    near, order = candidates(law, length, log_tolerance)
    check_looked_at(near.n, budget)
    steps = folded(law.values, length)
    # the powers of the factors may be off by so much, in nats
    log_limit = log_tolerance - 4.0 * UNIT * float(law.counts.sum())
    limit = math.exp(2.0 * log_limit)
    for block in _enumerated(near, length):
        frequencies, square = block.astype(np.float64), np.ones(block.size)
        for position, k in enumerate(order):
            if frequencies.size * law.values.size <= FEW:
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


def _surviving_share(near: Candidates, law: TiltedLaw, length: int, log_tolerance: float) -> float:
    """Estimate the share of the candidates that survives, from an even sample."""
    width = 2 * near.reach // near.step + 1  # frequencies of a peak
    position = np.linspace(0, near.n - 1, min(near.n, _SAMPLE)).astype(np.int64)
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
    scale = 8.0 * (1.0 - _SLACK) * sech2
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


def _enumerated(near: Candidates, length: int) -> Iterator[IntArray]:
    """Yield the candidates in blocks, ascending."""
    step, reach, last = near.step, near.reach, length // 2
    n_peaks = step // 2 + 1
    previous_end = -1
    for first_peak in range(0, n_peaks, BLOCK):
        peaks = np.arange(first_peak, min(first_peak + BLOCK, n_peaks), dtype=np.int64) * length
        ends = np.minimum((peaks + reach) // step, last)
        starts = -((reach - peaks) // step)
        starts = np.maximum(starts, np.concatenate(([previous_end], ends[:-1])) + 1)
        sizes = np.maximum(ends - starts + 1, 0)
        stops = np.cumsum(sizes)
        for offset in range(0, int(stops[-1]), BLOCK):
            index = np.arange(offset, min(offset + BLOCK, int(stops[-1])), dtype=np.int64)
            peak = np.searchsorted(stops, index, side="right")
            yield starts[peak] + (index - (stops - sizes)[peak])
        previous_end = max(previous_end, int(ends[-1]))
