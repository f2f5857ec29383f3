"""Any statistic of sums: its one side, the sums that it is called with, and what the result says.

P of statistics is asked by the campaign on exactness, and what ties by `test_ties.py`.
"""

import numpy as np
import pytest

from pairedperm import structured_permutation_test

ROWS = np.random.default_rng(5).integers(0, 5, (2, 8, 1))


def parabola(sums):
    """4, 5, 4 and 1 for the sums 0 … 3."""
    return 4 - 2 * sums - sums * (sums - 4)


@pytest.mark.parametrize(
    ("stay", "swap", "statistic", "p"),
    [
        # one of 2^5 sums is 5, and one is -5: never doubled
        ([1] * 5, [-1] * 5, lambda s: s, 1 / 32),
        ([1] * 5, [-1] * 5, lambda s: -s, 1.0),
        ([1] * 5, [-1] * 5, np.abs, 2 / 32),
        ([-1] * 5, [1] * 5, lambda s: s, 1.0),
        ([0.1] * 5, [-0.1] * 5, np.square, 2 / 32),
        # it need not be symmetric: the least is observed, then the largest
        ([1, 1, 1], [0, 0, 0], parabola, 1.0),
        ([1, 0, 0], [0, 1, 1], parabola, 3 / 8),
        # no swap changes anything
        ([1, 2], [0, 0], lambda s: np.zeros(s.shape), 1.0),
        ([3, 2], [3, 2], lambda s: s, 1.0),
        ([[3, 2]], [[3, 2]], lambda s: s[..., 0], 1.0),
    ],
)
def test_one_side(stay, swap, statistic, p):
    result = structured_permutation_test(stay, swap, statistic)
    assert (result.pvalue, result.alternative) == (p, "greater")
    assert (result.score1, result.score2, result.metric) == (None, None, None)
    null = result.null_distribution()
    assert null.pmf[null.support >= result.statistic - 1e-12].sum() == pytest.approx(p, abs=1e-15)
    sampled = structured_permutation_test(stay, swap, statistic, method="monte_carlo", rng=0)
    assert abs(sampled.pvalue - p) < 0.02


@pytest.mark.parametrize(
    "statistic",
    [
        lambda s: s**2 if s.ndim == 1 else None,
        # functions that were written for rows of one entry
        lambda s: s[..., 0] ** 2,
        lambda s: s[:, 0] ** 2,
        lambda s: (s**2).sum(axis=-1),
    ],
)
def test_one_sum(statistic):
    """Numbers for rows of numbers."""
    expected = structured_permutation_test(*ROWS, lambda s: s[..., 0] ** 2)
    assert structured_permutation_test(*ROWS[..., 0], statistic) == expected
