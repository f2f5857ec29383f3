"""Characteristic functions, against balls of 256 bits."""

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.convolution import characteristic as characteristic_module
from pairedperm.convolution.characteristic import log_modulus, product_modulo, residues, sines
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


@given(st.integers(1, 51), st.data())
def test_products_and_sums_of_long_transforms(bits, data):
    """Residues of product_modulo up to 2^101, and of their sums, as of Python's integers."""
    length = data.draw(st.integers(2 ** (bits - 1), 2**bits))
    draw = st.lists(st.integers(0, length - 1), min_size=1, max_size=5)
    frequencies, steps = data.draw(draw), data.draw(draw)
    counts = data.draw(st.lists(st.integers(1, 2**30), min_size=len(steps), max_size=len(steps)))
    column = np.array(frequencies)[:, None]
    found = product_modulo(column, np.array(steps), length)
    assert found.tolist() == [[f * s % length for s in steps] for f in frequencies]
    near = residues(column, np.array(steps), length)
    assert np.all((near - found) % length == 0)
    assert np.all((-length < 2 * near) & (2 * near <= length))
    dot = characteristic_module._dot(near, np.array(counts), 2 * length)
    exact = [sum(r * n for r, n in zip(row, counts, strict=True)) for row in near.tolist()]
    assert dot.tolist() == [total % (2 * length) for total in exact]
