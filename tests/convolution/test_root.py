"""The root of a function, with scipy's bits but not its import; where a rising one crosses 0."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from pairedperm.convolution.root import crossing, find_root
from properties import cases

FUNCTIONS = {
    "line": lambda c: lambda x: 3.0 * x - c,
    "cube": lambda c: lambda x: (x - c) ** 3,
    "steep": lambda c: lambda x: math.tanh(50.0 * (x - c)),
    "flat": lambda c: lambda x: math.expm1(x - c) + (x - c) ** 5,
    "step": lambda c: lambda x: 1.0 if x > c else -1.0,
    "infinite": lambda c: lambda x: -math.inf if x < c else 1e300 if x > c else 0.0,
}


@cases(2)
@given(
    name=st.sampled_from([*FUNCTIONS][:-1]),
    root=st.floats(-0.99, 0.99),
    ends=st.tuples(st.floats(-9, -1), st.floats(1, 9)),
    rtol=st.sampled_from([4.0 * np.finfo(float).eps, 1e-3]),
)
def test_scipy(name, root, ends, rtol):
    function = FUNCTIONS[name](root)
    asked = {"xtol": 1e-12, "rtol": rtol}
    try:
        wanted = brentq(function, *ends, **asked)
    except RuntimeError:
        with pytest.raises(RuntimeError, match="in 100 steps"):
            find_root(function, *ends, **asked)
    else:
        assert find_root(function, *ends, **asked) == wanted


def test_ends():
    assert find_root(lambda x: x, 0.0, 1.0) == find_root(lambda x: x, -1.0, 0.0) == 0.0
    with pytest.raises(ValueError, match="same sign at both ends"):
        find_root(lambda x: x * x + 1.0, -1.0, 1.0)
    with pytest.raises(RuntimeError, match="in 3 steps"):
        find_root(lambda x: x**3 - 0.3, -5.0, 6.0, most_steps=3)


@pytest.mark.parametrize("name", FUNCTIONS)
@cases(1.0)
@given(root=st.floats(-1.0, 1.0), start=st.floats(-3.0, 3.0), slope=st.floats(1e-3, 1e3))
def test_a_crossing_is_not_above_and_close(name, root, start, slope):
    """Close below it, or the last float before it."""
    function, asked = FUNCTIONS[name](root), []

    def rising(x):
        asked.append(x)
        assert -2.0 < x < 2.0
        return function(x)

    found = crossing(rising, -2.0, 2.0, start, slope)
    assert function(found) <= 0.0
    assert function(found) >= -1e-9 or function(math.nextafter(found, 3.0)) > 0.0
    assert len(asked) <= 24 + 1100  # halvings of floats


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_without_a_crossing(sign):
    """The limit that is not asked, or the last float before the other."""
    found = crossing(lambda _: sign, -1.0, 1.0, 0.0, 1.0)
    assert found == (-1.0 if sign > 0.0 else math.nextafter(1.0, 0.0))
