"""Products of matrices in parts."""

import numpy as np
import pytest

from pairedperm.convolution.plane.series import product
from properties import one_in


@one_in(3)
@pytest.mark.parametrize("n_rows", [1, 16, 47, 48, 500])
@pytest.mark.parametrize("n_columns", [1, 86, 256, 257, 5000])
def test_a_product_in_parts_is_that_of_the_whole(n_rows, n_columns):
    rng = np.random.default_rng(n_rows * n_columns)
    shapes = (n_rows, 64), (64, n_columns)
    one, other = (rng.standard_normal(s) for s in shapes)
    bound = 2.0 * 64 * 2.0**-53 * (np.abs(one) @ np.abs(other))
    assert (np.abs(product(one, other) - one @ other) <= bound).all()
