"""Which frequencies of a characteristic function have not died away."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray, TiltedLaw
from pairedperm.errors import BudgetError

__all__ = ["CELLS", "log_modulus", "residues", "sines", "surviving_frequencies"]

MAX_LENGTH = 2**31  # products of two residues stay within int64
MAX_CANDIDATES = 2**25  # a minute or so
CELLS = 2**17  # frequencies times factors that are held at once


def residues(frequencies: IntArray, step: IntArray | int, length: int) -> IntArray:
    """Frequency · step modulo length, in (-length / 2, length / 2]; exact."""
    remainder = frequencies * step % length
    return np.where(2 * remainder > length, remainder - length, remainder)


def sines(remainder: IntArray, length: int) -> tuple[FloatArray, FloatArray]:
    """Sine and cosine of π r / length for |r| ≤ length / 2, each relatively accurate.

    The cosine is the sine of π (length - 2|r|) / (2 length), an exact integer again.
    """
    sine = np.sin((math.pi / length) * remainder)
    cosine = np.sin((math.pi / (2 * length)) * (length - 2 * np.abs(remainder)))
    return sine, cosine


def log_modulus(
    sine: FloatArray, cosine: FloatArray, sech2: FloatArray, tanh: FloatArray
) -> FloatArray:
    """Log-modulus of cos α - i tanh sin α: ½ log(1 - sech² sin² α), relatively accurate.

    Near its zeros the argument is taken as cos² + tanh² sin², where nothing cancels.
    """
    lost = sech2 * sine**2
    with np.errstate(divide="ignore"):  # tanh and cosine may both be below 1e-160
        result = np.log1p(-lost)
        deep = np.nonzero(lost > 0.5)
        if deep[0].size:
            tanh = np.broadcast_to(tanh, lost.shape)[deep]
            result[deep] = np.log(cosine[deep] ** 2 + (tanh * sine[deep]) ** 2)
    return np.asarray(0.5 * result)


def surviving_frequencies(law: TiltedLaw, length: int, log_tolerance: float) -> Iterator[IntArray]:
    """Blocks of the frequencies 1 … length / 2 at which |φ| may exceed e^log_tolerance.

    Every factor of φ has modulus at most 1, so a frequency is dropped for good as soon as
    some factors together are below the tolerance. The sharpest factor is not evaluated at
    all frequencies: it exceeds the tolerance only near the multiples of length / step.
    """
    if length > MAX_LENGTH:
        raise _budget_error(length, length / 2)
    steps = law.values % length
    enough = -np.expm1(2.0 * log_tolerance / law.counts)  # what sech² sin² must not exceed
    with np.errstate(divide="ignore"):
        widths = np.arcsin(np.sqrt(np.minimum(enough / law.sech2, 1.0))) / math.pi
    widths[steps == 0] = 0.5
    order = np.argsort(widths, kind="stable")
    sharpest = order[0]
    for block in _near_peaks(length, int(steps[sharpest]), float(widths[sharpest])):
        frequencies, log_phi = block, np.zeros(block.size)
        for k in order:
            if frequencies.size * law.values.size <= CELLS:
                break
            sine, cosine = sines(residues(frequencies, int(steps[k]), length), length)
            log_phi += law.counts[k] * log_modulus(sine, cosine, law.sech2[k], law.tanh[k])
            alive = log_phi > log_tolerance
            frequencies, log_phi = frequencies[alive], log_phi[alive]
        yield frequencies


def _near_peaks(length: int, step: int, width: float) -> Iterator[IntArray]:
    """Frequencies 1 … length / 2 whose multiple by `step` is near a multiple of `length`.

    Near means within width · length; the other frequencies need not be visited at all.
    """
    step = min(step, length - step)  # the modulus is even in the step
    reach = math.ceil(width * length * (1.0 + 1e-12))
    last = length // 2
    n_peaks = step // 2 + 1
    if 2 * reach >= length or n_peaks >= last:
        step, n_peaks, reach = 1, 1, last
    n_candidates = min(n_peaks * (2 * reach // step + 1), last)
    if n_candidates > MAX_CANDIDATES:
        raise _budget_error(length, n_candidates)
    previous_end = 0
    for first_peak in range(0, n_peaks, CELLS):
        peaks = np.arange(first_peak, min(first_peak + CELLS, n_peaks), dtype=np.int64) * length
        ends = np.minimum((peaks + reach) // step, last)
        starts = -((reach - peaks) // step)
        starts = np.maximum(starts, np.concatenate(([previous_end], ends[:-1])) + 1)
        sizes = np.maximum(ends - starts + 1, 0)
        stops = np.cumsum(sizes)
        for offset in range(0, int(stops[-1]), CELLS):
            index = np.arange(offset, min(offset + CELLS, int(stops[-1])), dtype=np.int64)
            peak = np.searchsorted(stops, index, side="right")
            yield starts[peak] + (index - (stops - sizes)[peak])
        previous_end = max(previous_end, int(ends[-1]))


def _budget_error(length: int, n_candidates: float) -> BudgetError:
    return BudgetError(
        f"the exact p-value needs about {n_candidates:.3g} frequencies of a transform of "
        f"{length:.3g} points; {MAX_CANDIDATES:.3g} of {MAX_LENGTH:.3g} are allowed. The scores "
        "of single examples differ by too many units: give them in coarser units (fewer digits)."
    )
