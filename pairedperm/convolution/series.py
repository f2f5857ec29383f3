"""The geometric series at each frequency that a tilted tail is a sum of."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.characteristic import residues, sines
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.window import Window

__all__ = ["SERIES", "geometric_series", "one_minus_exp", "pruned_weight"]

SERIES = 80.0  # u: of (1 - z^n) / (1 - z)


def pruned_weight(tau: float, window: Window) -> float:
    """How much of the tolerance the dropped frequencies add up to, by step 2 of `tilted`."""
    by_decay = -1.0 / math.expm1(-tau)
    by_frequency = math.exp(tau / 2.0) * (1.0 + math.log(window.length))
    return 2.0 * min(by_decay, by_frequency)


def geometric_series(tau: float, frequencies: IntArray, window: Window) -> NDArray[np.complex128]:
    """(1 - z^n) / (1 - z) for z = e^{-tau + iω}."""
    length = window.length
    last = residues(frequencies, window.n_tail % length, length)
    return one_minus_exp(tau * window.n_tail, last, length) / one_minus_exp(
        tau, frequencies, length
    )


def one_minus_exp(decay: float, remainder: IntArray, length: int) -> NDArray[np.complex128]:
    """1 - e^{-decay + 2πi r / length} for |r| ≤ length / 2, where nothing cancels."""
    sine, cosine = sines(remainder, length)
    scale = 2.0 * math.exp(-decay) * sine
    return -math.expm1(-decay) + scale * sine - 1j * scale * cosine
