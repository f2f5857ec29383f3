"""Characteristic functions, against balls of 256 bits."""

import flint
import numpy as np
import pytest

from pairedperm.convolution.characteristic import log_modulus, sines
from pairedperm.convolution.law import TiltedLaw


def test_sines_and_moduli_are_relatively_accurate():
    length = 10**7
    remainder = np.array([1, 2, 12345, 2_499_999, 4_999_998, 4_999_999, 5_000_000])
    sine, cosine = sines(remainder, length)
    for y in (2e-9, 0.02, 1.0, 14.0, 20.0, 40.0, 300.0):
        law = TiltedLaw(np.array([1]), np.array([1]), y)
        log_factor = log_modulus(sine, cosine, law.sech2, law.tanh)
        for r, log_f in zip(remainder.tolist(), log_factor, strict=True):
            alpha = flint.arb.pi() * r / length
            lost = (alpha.sin() / (flint.arb(y) / 2).cosh()) ** 2
            truth = float((-lost).log1p() / 2)
            assert log_f == pytest.approx(truth, rel=(40 + y) * 2.0**-53)
