"""Where a rising function crosses 0: close below it, or at the last float before it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.convolution.root import crossing
from properties import cases

CLOSE = 1e-9
RISING = {
    "line": lambda x: x,
    "steep": lambda x: 1e12 * x,
    "bent": lambda x: math.expm1(20.0 * x),
    "flat": lambda x: x**3,
    "jump": lambda x: -1.0 if x < 0.0 else 1.0,
    "infinite": lambda x: -math.inf if x < 0.0 else 1e300 if x > 0.0 else 0.0,
}
ends = st.floats(-3.0, 3.0)


@pytest.mark.parametrize("name", RISING)
def test_not_above_and_close(name):
    @cases(1.0)
    @given(st.floats(-1.0, 1.0), ends, st.floats(1e-3, 1e3))
    def holds(root, start, slope):
        n_asked = 0

        def rising(x):
            nonlocal n_asked
            n_asked += 1
            assert -2.0 < x < 2.0
            return RISING[name](x - root)

        found = crossing(rising, -2.0, 2.0, start, slope)
        value = rising(found)
        assert value <= 0.0
        assert value >= -CLOSE or rising(math.nextafter(found, 3.0)) > 0.0
        assert n_asked <= 24 + 1100  # halvings of floats, and both lines above

    holds()


def test_a_good_start_takes_few_steps():
    asked = []
    crossing(lambda x: asked.append(x) or math.sinh(x - 0.3), -1.0, 1.0, 0.4, 1.0)
    assert len(asked) <= 4


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_without_a_crossing(sign):
    """The limit that is not asked, or the last float before the other."""
    found = crossing(lambda _: sign, -1.0, 1.0, 0.0, 1.0)
    assert found == (-1.0 if sign > 0.0 else math.nextafter(1.0, 0.0))
