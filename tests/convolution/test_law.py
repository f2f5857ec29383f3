"""The normalising constant of a tilted law, against balls of 256 bits."""

import flint
import numpy as np
import pytest

from pairedperm.convolution.law import TiltedLaw


@pytest.mark.parametrize("tau", [1e-12, 1e-9, 3e-3, 0.4, 2.0, 40.0])
@pytest.mark.parametrize("sign", [-1, 1])
def test_log_scale_is_relatively_accurate(tau, sign):
    """Also where the terms would vanish beside log 2: the window's bounds depend on it."""
    values, counts = np.array([1, 3, 1000]), np.array([10**17, 5, 10**3])
    law = TiltedLaw(values, counts, sign * tau)
    exact = flint.arb(sign * tau)
    truth = sum(
        int(c) * ((1 + (-exact * int(v)).exp()) / 2).log()
        for v, c in zip(values, counts, strict=True)
    )
    assert abs(flint.arb(law.log_scale) / truth - 1) < 2.0**-46
