"""Weights of a ratio of sums, and its largest sums."""

import numpy as np

from pairedperm import Ratio, paired_permutation_test

RATIO = Ratio([1, 0], [0, 1])


def test_weights_may_be_numpy_integers():
    assert Ratio(np.array([1, 0]), (np.int64(0), 1)) == RATIO


def test_sums_beyond_int64():
    """Of the same denominators in both systems: then it is a mean, of any numbers."""
    huge, less = [[2**60, 2**60]] * 4, [[2**60 - 1, 2**60]] * 4
    assert paired_permutation_test(huge, less, score=RATIO).pvalue == 0.125
