"""The mean of ratios: what is said of shares without a common denominator."""

import numpy as np
import pytest

from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios


@pytest.mark.parametrize(
    ("n", "digits"), [(50, 22), (10_000, 4349)], ids=["few", "more than Python prints"]
)
def test_how_many_digits_a_common_denominator_has(n, digits):
    """The least common multiple of 1 to n, by the prime number theorem about e^n."""
    sizes = np.arange(1, n + 1)
    rows = (np.stack([hits, sizes], axis=1) for hits in (np.ones_like(sizes), 0 * sizes))
    pairs, _ = MeanOfRatios().simplify(Rows(*rows), "draws")
    assert pairs.no_lattice.endswith(f"shares has {digits} digits")
