"""Sums of coins that need more than the budget allows, or than any does."""

import math

import numpy as np

from convolution.tails import plane_tail
from corpora.planar_laws import Parabola, tail_cases
from pairedperm import paired_permutation_test
from pairedperm.convolution.draws.quantiles import ratio_quantiles
from pairedperm.convolution.draws.tail import resampled_lower_tail
from pairedperm.convolution.grid.frequencies import grid_pmf
from pairedperm.convolution.grid.product_law import product_law
from pairedperm.convolution.law import GridLaw
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.options import Budget
from refusals import refuses

LARGE = Budget(max_points=2**60, max_bytes=2**60)


def resampled(n):
    values, counts = np.array([0, 1]), np.array([n // 2, n // 2])
    bound = n // 2 - 3 * math.isqrt(n)
    return resampled_lower_tail(values, counts, bound, Budget(max_points=2**40))


def law_of(vectors, counts=1):
    vectors = np.asarray(vectors, dtype=np.int64)
    return product_law(vectors, np.full(len(vectors), counts))


def far_apart():
    return law_of(np.random.default_rng(0).integers(0, 10**14, (60, 1)))


def of_large_counts():
    vectors = np.random.default_rng(0).integers(0, 2**40, (200, 2))
    vectors[:2] = [[1, 0], [0, 1]]
    law = PlanarLaw(vectors, np.ones(200, dtype=np.int64))
    return law, Parabola(law.support[1][1], float(law.support[0][1] // 4), 0.0, 0.0, 0.0)


def percentiles(*column):
    columns = np.array(column), np.array([1, 2, 3])
    return ratio_quantiles(columns, np.array([300, 300, 300]), 0.025, 0.0, Budget())


def small_pmf(**budget):
    law = tail_cases()[0][0]
    return grid_pmf(GridLaw(law.vectors, law.counts), Budget(**budget))


def bracketed(**budget):
    reals = np.random.default_rng(0).normal(size=(2, 60))
    return paired_permutation_test(*reals, method="bracket", budget=budget)


@refuses
def test_refusals():
    resampled(10**12)
    # -> BudgetError: 1e+12 examples are too many to certify the exact p-value to 1e-09.
    law_of(np.eye(50)).masses(LARGE)
    # -> BudgetError: the exact p-value needs the null distribution of the sums on a grid of at
    #    least 2.2e+12 points, which no budget allows.
    far_apart().check(LARGE)
    # -> BudgetError: on a grid of 3.03e+15 points (3,031,902,628,523,418), which no budget allows.
    law_of([[1], [2], [3]], 300).check(Budget(max_points=1800))
    # -> BudgetError: on a grid of 1.8e+03 points (1,801); `max_points` of `budget` allows 1.8e+03.
    #    Raise it
    law_of([[1], [2], [3]], 300).check(Budget(max_bytes=10**4))
    # -> BudgetError: points (1,801), 7.2e+04 bytes; `max_bytes` of `budget` allows 1e+04. Raise it
    #    (it takes about a second).
    law_of([[1], [2], [3]], 300).as_whole().masses(Budget(max_points=4000))
    # -> BudgetError: too many masses to add.
    law_of(np.eye(9)).check(Budget(max_points=100))
    # -> BudgetError: 512 points (2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x ...); `max_points`
    plane_tail(*of_large_counts())
    # -> BudgetError: the exact p-value needs a Fourier transform of 7.34e+13 x 7.73e+13 points,
    #    more than
    tail_by_bands(*of_large_counts(), is_absolute=False, budget=Budget())
    # -> BudgetError: the exact p-value needs a Fourier transform of 7.34e+13 x 7.73e+13 points,
    #    more than
    small_pmf(max_bytes=10)
    # -> BudgetError: the null distribution has up to … points, … bytes; `max_bytes` of `budget`
    #    allows 10. Raise it, or give the scores in coarser units
    percentiles(10**6, 1, 0)
    # -> BudgetError: the percentiles of a ratio need … the law of two sums, of more than 1,048,576
    #    points
    percentiles(2**61, 1, 0)
    # -> BudgetError: the percentiles of a ratio need … int64
    bracketed(max_points=1000)
    # -> BudgetError: method='bracket' needs at least 1,024 frequencies; `max_points` of `budget`
    #    allows 1e+03. Raise it. Or sample: method='monte_carlo'.
    bracketed(max_bytes=10**6)
    # -> BudgetError: method='bracket' needs 3.36e+07 bytes; `max_bytes` of `budget` allows 1e+06.
    #    Raise it. Or
