"""Masses of a sum of vectors on a grid of any dimension, without tilt."""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.characteristic import phi_at
from pairedperm.convolution.grid.dp import convolved
from pairedperm.convolution.grid.frequencies import (
    Meter,
    search_cost,
    surviving_grid_frequencies,
)
from pairedperm.convolution.grid.law import GridLaw, GridMasses, Ranges, attainable, grid_shape
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.pmf import check_points, denoise, normalised
from pairedperm.options import Budget

CONVOLVED = 2**27  # tuned: points times variables up to which those are added one by one
DROPPED = 2.0**-64  # tuned: |φ| at a frequency that is dropped
_PASS = 16.0  # proof: u of a term in a pass of the Fourier transform, generously
_BEGUN = 1e6  # tuned: ns of a transform, however short
_MULTIPLIED = 45  # tuned: ns of a point of a transform


def transformed_cost(law: GridLaw, box: Ranges) -> float:
    """Estimate the nanoseconds of `transformed`."""
    lengths = _lengths(grid_shape(box))
    search = search_cost(law, lengths, math.log(DROPPED))
    return _BEGUN + _MULTIPLIED * math.prod(lengths) + search.nanoseconds


def _lengths(shape: tuple[int, ...]) -> tuple[int, ...]:
    from scipy import fft

    return tuple(fft.next_fast_len(n, real=True) for n in shape)


def transformed(law: GridLaw, box: Ranges, leak: float, budget: Budget) -> GridMasses:
    """Return the masses in a box that all but `leak` of the mass is in, by a Fourier transform.

    The periods M hold the box. φ at the frequencies f is transformed back, and the mass beyond the
    box is folded into it. An output of the transform is a sum of the |φ|, each of which goes
    through its passes. So no mass is off by more than (error of φ + passes) u Σ |φ| / Π M. By
    Parseval's identity, the errors' squares add up to those of the |φ| over Π M.
    """
    from scipy import fft

    shape = grid_shape(box)
    lengths = _lengths(shape)
    meter = Meter(budget)
    n_points = math.prod(lengths)
    meter.spend(_MULTIPLIED * n_points)
    frequencies = surviving_grid_frequencies(law, lengths, math.log(DROPPED), meter)
    first = tuple(low for low, _ in box)
    phi, phi_error = phi_at(law, frequencies, first, lengths)
    spectrum = np.zeros((*lengths[:0:-1], lengths[0] // 2 + 1), dtype=np.complex128)
    spectrum[tuple(frequencies[:, k] for k in range(len(lengths)))[::-1]] = phi.conj()
    pmf = fft.irfftn(spectrum, s=lengths[::-1]).T[tuple(slice(n) for n in shape)]
    pmf = (pmf + pmf[(slice(None, None, -1),) * pmf.ndim]) / 2.0
    size = np.abs(phi) * np.where(2 * frequencies[:, 0] % lengths[0] == 0, 1.0, 2.0)
    passes = _PASS * (math.log2(n_points) + 4.0 * len(lengths)) + 4.0
    errors = np.where(size > 0.0, phi_error + passes, 0.0) * UNIT
    point_error = float((size * errors).sum()) / n_points + DROPPED
    squares = float((size * np.abs(phi) * errors**2).sum())
    error = math.sqrt(pmf.size) * (math.sqrt(squares / n_points) + DROPPED) + leak
    return GridMasses(pmf, first, 2.0 * UNIT, point_error + leak, error, leak)


def grid_pmf(law: GridLaw, budget: Budget) -> tuple[IntArray, FloatArray]:
    """Return the attainable points b of B, shape (n, r), and P(B = b).

    If that is quick, one variable is added after the other, which is relatively accurate. Otherwise
    a Fourier transform over the whole support gives masses within 1e-15 absolutely. The masses sum
    to 1.

    Raises
    ------
    BudgetError
        If the arrays, 64 bytes for each point of the box around the support, would not fit.
    """
    n_points = math.prod(law.shape)
    check_points(n_points, budget)
    is_attainable = attainable(law)
    if n_points * int(law.counts.sum()) <= CONVOLVED:
        pmf = convolved(law).masses
    else:
        pmf = np.where(is_attainable, transformed(law, law.support, 0.0, budget).masses, 0.0)
        denoise(pmf)
    points = np.argwhere(is_attainable) + np.array(law.corner)
    return points, normalised(pmf[is_attainable])
