"""Standard deviations, functions of the sums of x and of x², whose digits cancel."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from corpora.real_rows import squared
from corpora.sum_scores import deviation
from oracles.deviations import deviations_by_brute_force, sign, sign_of_difference
from oracles.vectors import ALTERNATIVES
from pairedperm import paired_permutation_test
from properties import cases, generators, one_in, some


def test_signs_of_differences_of_roots():
    for a, b, c, d in itertools.product((0, 1, 2, 4, 8, 9), repeat=4):
        expected = math.sqrt(a) - math.sqrt(b) - (math.sqrt(c) - math.sqrt(d))
        found = sign_of_difference(*map(Fraction, (a, b, c, d)))
        assert found == (sign(expected) if abs(expected) > 1e-9 else 0)


def spread(rng):
    """Numbers about 100 of two systems, some examples twice, which tie."""
    values = rng.normal(100.0, 1.0, (2, int(rng.integers(3, 7))))
    return np.concatenate((values, values[::-1, : int(rng.integers(0, 3))]), axis=1)


@one_in(7)
@pytest.mark.parametrize("seed", some(range(45), every=3))
def test_standard_deviations(seed):
    values = spread(np.random.default_rng(seed))
    rows, n = squared(values), values.shape[1]
    truth = deviations_by_brute_force(*rows.tolist())
    for alternative in ALTERNATIVES:
        options = {"score": deviation(n), "alternative": alternative}
        result = paired_permutation_test(*rows, **options)
        assert (result.method, result.interval) == ("enumeration", "certified")
        low, high = map(Fraction, result.pvalue_interval)
        assert low <= truth[alternative] <= high
        assert result.pvalue == high


@pytest.mark.thorough
@cases(2)
@given(rng=generators)
def test_the_observed_assignment_counts(rng):
    """The observed assignment counts, and with two sides its mirror image, despite rounding."""
    n = int(rng.integers(1, 7))
    values = 100 + rng.integers(0, rng.choice([2, 5, 1000]), (2, n)) / rng.choice([3, 7, 900])
    differing = int((values[0] != values[1]).sum())
    for alternative in ALTERNATIVES:
        options = {"score": deviation(n), "alternative": alternative}
        result = paired_permutation_test(*squared(values), **options)
        least = 2.0**-differing * (1 + (alternative == "two-sided" and differing > 0))
        assert result.pvalue_interval[0] >= least
