"""Rows of real numbers: of fractions, exactly and as floats, and of numbers and their squares."""

from fractions import Fraction

import numpy as np


def fractional(rng, n, m, unit=21):
    """Two columns of rows of k / unit, of few k, so that there are ties, and the same as floats."""
    integers = rng.integers(0, rng.choice([3, 6, 40]), (2, n, m))
    integers[1][rng.random(n) < 0.2] = 0
    integers[:, 0, 0] |= 1  # no decimal
    exact = [[[x / Fraction(unit) for x in row] for row in rows] for rows in integers.tolist()]
    return exact, integers / unit


def squared(values):
    """Rows of x and x², as floats."""
    return np.stack((values, values**2), axis=-1)
