"""The method "fft", Algorithm 4: halves of the examples, convolved by Fourier transform."""

from __future__ import annotations

import math

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer
from pairedperm.convolution.grid.whole_law import WholeLaw
from pairedperm.permutation.engines.grid import probability_of
from pairedperm.permutation.engines.whole import Whole, extreme_points
from pairedperm.permutation.problem import Problem

_NOISE = 2.0**-50  # proof: Algorithm 4 cannot tell less from 0


def _answer(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses, or the noise if that is more.

    Zmigrod, Vieira & Cotterell 2022.
    """
    part, n = law.masses("fft"), problem.n_differing
    p = probability_of(part, extreme_points(problem, part), n, is_upper_end=False)
    if p.value < _NOISE:
        value = min(_NOISE, p.high)
        p = CertifiedProbability(value, p.low, p.high, math.log(value), p.log_low, p.log_high)
    return Answer(p)


_HOW = "all sums, halves of the examples convolved by Fourier transform (Algorithm 4)"
FFT = Whole("fft", _HOW, _answer)
