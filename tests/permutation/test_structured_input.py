"""The rows and options that the structured test takes."""

from fractions import Fraction

import numpy as np

from corpora.equation_16 import f1_difference
from oracles import swaps as oracle
from oracles.statistics import brute_force
from pairedperm import structured_permutation_test


def test_one_sum():
    rng = np.random.default_rng(5)
    stay, swap = rng.integers(0, 5, (2, 8))
    expected = structured_permutation_test(stay[:, None], swap[:, None], lambda s: s[..., 0] ** 2)
    truth = brute_force(stay[:, None], swap[:, None], lambda row: Fraction(row[0] ** 2))
    assert oracle.is_certified(expected, truth)
    shapes = set()

    def of_numbers(sums):
        shapes.add(sums.ndim)
        return sums**2

    assert structured_permutation_test(stay, swap, of_numbers) == expected
    assert shapes == {1}
    # a function that was written for rows of one entry
    assert structured_permutation_test(stay, swap, lambda s: s[..., 0] ** 2) == expected
    assert structured_permutation_test(stay, swap, lambda s: s[:, 0] ** 2) == expected
    assert structured_permutation_test(stay, swap, lambda s: (s**2).sum(axis=-1)) == expected


def test_lists_and_arrays():
    expected = structured_permutation_test([[1, 2], [3, 0]], [[0, 2], [1, 1]], f1_difference)
    for kind in (np.array, tuple, lambda rows: np.array(rows, dtype=np.float32)):
        result = structured_permutation_test(
            kind([[1, 2], [3, 0]]), kind([[0, 2], [1, 1]]), f1_difference
        )
        assert result == expected
    assert (
        structured_permutation_test(
            stay=[[1, 2], [3, 0]], swap=[[0, 2], [1, 1]], statistic=f1_difference
        )
        == expected
    )
