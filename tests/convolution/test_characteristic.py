"""Characteristic functions and normalising constants, against balls of 256 bits."""

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.convolution import characteristic as characteristic_module
from pairedperm.convolution.characteristic import product_modulo, residues
from pairedperm.convolution.law import TiltedLaw


@pytest.mark.parametrize(
    "tau", [s * t for t in (1e-12, 1e-9, 3e-3, 0.4, 2.0, 40.0) for s in (-1, 1)]
)
def test_log_scale_is_relatively_accurate(tau):
    """Also where the terms would vanish beside log 2: the window's bounds depend on it."""
    values, counts = np.array([1, 3, 1000]), np.array([10**17, 5, 10**3])
    terms = [((1 + (-flint.arb(tau) * v).exp()) / 2).log() for v in values.tolist()]
    truth = sum(n * x for n, x in zip(counts.tolist(), terms, strict=True))
    found = TiltedLaw(values, counts, tau).log_scale
    assert abs(flint.arb(found) / truth - 1) < 2.0**-46


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
