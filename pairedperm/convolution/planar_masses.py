"""The whole probability mass function of a sum of vectors in the plane, without tilt."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.budget import Budget, Meter
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.planar_band import phi_at
from pairedperm.convolution.planar_frequencies import surviving_planar_frequencies
from pairedperm.convolution.planar_law import PlanarLaw, Tilt
from pairedperm.convolution.pmf import check_points, denoise, normalised

__all__ = ["planar_pmf"]

_CONVOLVED = 2**27  # points times variables up to which those are added one by one
_DROPPED = 2.0**-60  # |φ| at a frequency that is dropped


def planar_pmf(law: PlanarLaw, budget: Budget) -> tuple[IntArray, FloatArray]:
    """The attainable points b of B, shape (k, 2), and P(B = b).

    By adding one variable after the other, relatively accurate, where that is quick; otherwise
    by a Fourier transform over the whole support, within 1e-15 absolutely. The masses sum to 1.

    Raises
    ------
    BudgetError
        If the arrays, 64 bytes for each point of the rectangle around the support, would not fit.
    """
    (left, right), (bottom, top) = law.support
    shape = (right - left + 1, top - bottom + 1)
    n_points = shape[0] * shape[1]
    check_points(n_points, budget)
    is_attainable = _attainable(law, shape)
    if n_points * int(law.counts.sum()) <= _CONVOLVED:
        pmf = _convolved(law, shape)
    else:
        pmf = np.where(is_attainable, _transformed(law, shape, budget), 0.0)
        pmf = (pmf + pmf[::-1, ::-1]) / 2.0  # B and its mirror image have the same law
        denoise(pmf)
    points = np.argwhere(is_attainable)
    return points + np.array([left, bottom]), normalised(pmf[is_attainable])


def _attainable(law: PlanarLaw, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which points are sums of the vectors."""
    reached = np.zeros(shape, dtype=np.bool_)
    reached[_origin(law)] = True
    for vector, count in zip(law.vectors.tolist(), law.counts.tolist(), strict=True):
        step = 1
        while count:
            step = min(step, count)
            to, origin = _moved(vector, step, shape)
            reached[to] |= reached[origin].copy()
            count -= step
            step *= 2
    return reached


def _convolved(law: PlanarLaw, shape: tuple[int, int]) -> FloatArray:
    pmf = np.zeros(shape)
    pmf[_origin(law)] = 1.0
    for vector, count in zip(law.vectors.tolist(), law.counts.tolist(), strict=True):
        to, origin = _moved(vector, 1, shape)
        for _ in range(count):
            half = pmf / 2.0
            pmf = half.copy()
            pmf[to] += half[origin]
    return pmf


def _origin(law: PlanarLaw) -> tuple[int, int]:
    (left, _), (bottom, _) = law.support
    return -left, -bottom


def _moved(
    vector: list[int], times: int, shape: tuple[int, int]
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Slices of a grid: where its points come to, and where they come from."""
    steps = [times * x for x in vector]
    to = tuple(slice(max(s, 0), length + min(s, 0)) for s, length in zip(steps, shape, strict=True))
    origin = tuple(
        slice(max(-s, 0), length + min(-s, 0)) for s, length in zip(steps, shape, strict=True)
    )
    return to, origin


def _transformed(law: PlanarLaw, shape: tuple[int, int], budget: Budget) -> FloatArray:
    from scipy import fft

    tilted = law.tilted(Tilt(0, 0, 0))
    (left, _), (bottom, _) = law.support
    frequencies = surviving_planar_frequencies(tilted, shape, math.log(_DROPPED), Meter(budget))
    phi, _ = phi_at(tilted, frequencies, (left, bottom), shape)
    spectrum = np.zeros((shape[1], shape[0] // 2 + 1), dtype=np.complex128)
    spectrum[frequencies[:, 1], frequencies[:, 0]] = phi.conj()
    return np.asarray(fft.irfft2(spectrum, s=(shape[1], shape[0])).T)
