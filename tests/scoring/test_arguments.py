"""Columns of numbers as they are read: what rounding left of them."""

import numpy as np
import pytest

from pairedperm.scoring.arguments import read_arguments

ROOTS = [2**-0.5, 3**-0.5, 0.0]
OF_FLOAT32 = np.float32(ROOTS).tolist()


@pytest.mark.parametrize(
    ("scores1", "scores2", "rounding"),
    [
        (OF_FLOAT32, ROOTS, 2.0**-22),
        (np.float16(ROOTS), OF_FLOAT32, 2.0**-9),
        (ROOTS, [0.5, 0.25, 1.0], 2.0**-51),  # decimals, though each is a float32
        (ROOTS, [1e300, 0.5, 1e-300], 2.0**-51),
        ([0.1, 0.2, 0.5], [0.5, 0.25, 1.0], 0.0),
    ],
)
def test_rounding_of_floats(scores1, scores2, rounding):
    """A column whose every float is a float32, but no decimal, was one."""
    assert read_arguments(scores1, scores2, None)[0].provenance.rounding == rounding
