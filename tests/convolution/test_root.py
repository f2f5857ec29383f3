"""The root of a function: the same bits as scipy's, whose import it saves."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from pairedperm.convolution.root import find_root
from properties import cases

FUNCTIONS = {
    "line": lambda c: lambda x: 3.0 * x - c,
    "cube": lambda c: lambda x: (x - c) ** 3,
    "steep": lambda c: lambda x: math.tanh(50.0 * (x - c)),
    "flat": lambda c: lambda x: math.expm1(x - c) + (x - c) ** 5,
    "step": lambda c: lambda x: 1.0 if x > c else -1.0,
}


@cases(2)
@given(
    name=st.sampled_from([*FUNCTIONS]),
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


def test_a_root_at_an_end():
    assert find_root(lambda x: x, 0.0, 1.0) == find_root(lambda x: x, -1.0, 0.0) == 0.0


def test_no_change_of_sign():
    with pytest.raises(ValueError, match="same sign at both ends"):
        find_root(lambda x: x * x + 1.0, -1.0, 1.0)


def test_too_few_steps():
    with pytest.raises(RuntimeError, match="in 3 steps"):
        find_root(lambda x: x**3 - 0.3, -5.0, 6.0, most_steps=3)
