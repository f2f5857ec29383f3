"""Sums of coins that need more than the budget allows, or than any does."""

import math

import numpy as np

from convolution.tails import plane_tail
from corpora.planar_laws import Parabola, tail_cases
from pairedperm import BudgetError, paired_permutation_test
from pairedperm.convolution.draws.tail import resampled_lower_tail
from pairedperm.convolution.grid.frequencies import grid_pmf
from pairedperm.convolution.grid.product_law import product_law
from pairedperm.convolution.law import GridLaw
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.options import Budget
from refusals import asks, refusal

LARGE = Budget(max_points=2**60, max_bytes=2**60)
REALS = np.random.default_rng(0).normal(size=(2, 60))


def law_of(vectors, counts=1):
    vectors = np.asarray(vectors, dtype=np.int64)
    return product_law(vectors, np.full(len(vectors), counts))


def bracketed(one, two, **budget):
    return paired_permutation_test(one, two, method="bracket", budget=budget)


def resampled(n):
    values, counts = np.array([0, 1]), np.array([n // 2, n // 2])
    return resampled_lower_tail(
        values, counts, n // 2 - 3 * math.isqrt(n), Budget(max_points=2**40)
    )


def of_large_counts():
    vectors = np.random.default_rng(0).integers(0, 2**40, (200, 2))
    vectors[:2] = [[1, 0], [0, 1]]
    law = PlanarLaw(vectors, np.ones(200, dtype=np.int64))
    return law, Parabola(law.support[1][1], float(law.support[0][1] // 4), 0.0, 0.0, 0.0)


def large_tail():
    return plane_tail(*of_large_counts())


def small_pmf(**budget):
    law = tail_cases()[0][0]
    return grid_pmf(GridLaw(law.vectors, law.counts), Budget(**budget))


def beyond(call, argument, *named):
    """A budget."""
    return refusal(call, argument, *named, kind=BudgetError)


ON_A_GRID = "the exact p-value needs the null distribution of the sums on a grid of "
NO_TRANSFORM = (
    "the exact p-value needs a Fourier transform of 7.34e+13 x 7.73e+13 points, more than"
)

test_refusals = asks(
    beyond(
        lambda: resampled(10**12),
        "",
        "1e+12 examples are too many to certify the exact p-value to 1e-09.",
    ),
    beyond(
        lambda: law_of(np.eye(50)).masses(LARGE),
        "",
        ON_A_GRID + "at least 2.2e+12 points, which no budget allows.",
    ),
    beyond(
        lambda: law_of(np.random.default_rng(0).integers(0, 10**14, (60, 1))).check(LARGE),
        "",
        ON_A_GRID + "3.03e+15 points (3,031,902,628,523,418), which no budget allows.",
    ),
    beyond(
        lambda: law_of([[1], [2], [3]], 300).check(Budget(max_points=1800)),
        "max_points",
        ON_A_GRID + "1.8e+03 points (1,801); `max_points` of `budget` allows 1.8e+03. Raise it",
    ),
    beyond(
        lambda: law_of([[1], [2], [3]], 300).check(Budget(max_bytes=10**4)),
        "max_bytes",
        "points (1,801), 7.2e+04 bytes; `max_bytes` of `budget` allows 1e+04. Raise it (it takes "
        "about a second).",
    ),
    beyond(
        lambda: law_of([[1], [2], [3]], 300).as_whole().masses(Budget(max_points=4000)),
        "",
        "too many masses to add.",
    ),
    beyond(
        lambda: law_of(np.eye(8)).check(Budget(max_points=100)),
        "max_points",
        "256 points (2 x 2 x 2 x 2 x 2 x 2 x 2 x 2);",
    ),
    beyond(
        lambda: law_of(np.eye(9)).check(Budget(max_points=100)),
        "max_points",
        "512 points (2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x ...);",
    ),
    beyond(
        lambda: large_tail(),
        "",
        NO_TRANSFORM,
    ),
    beyond(
        lambda: tail_by_bands(*of_large_counts(), is_absolute=False, budget=Budget()),
        "",
        NO_TRANSFORM,
    ),
    beyond(
        lambda: small_pmf(max_bytes=10),
        "max_bytes",
        "the null distribution has up to ",
        " points, ",
        " bytes; `max_bytes` of `budget` allows 10. Raise it, or give the scores in coarser units",
    ),
    beyond(
        lambda: bracketed(*REALS, max_points=1000),
        "max_points",
        "method='bracket' needs at least 1,024 frequencies; `max_points` of `budget` allows 1e+03. "
        "Raise it. Or sample: method='monte_carlo'.",
    ),
    beyond(
        lambda: bracketed(*REALS, max_bytes=10**6),
        "max_bytes",
        "method='bracket' needs 3.36e+07 bytes; `max_bytes` of `budget` allows 1e+06. Raise it. Or",
    ),
)
