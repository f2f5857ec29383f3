"""Differences of very different sizes: a few huge ones among many small ones.

The oracle sums the small part by binomials for each of the few values of the huge part.
"""

import contextlib
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, reject

from oracles import swaps as oracle
from pairedperm import BudgetError, paired_permutation_test
from properties import cases, generators


def pvalue(huge, n_ones, observed):
    """P(|Σ ±huge + Σ ±1| ≥ observed), by the signs of the huge ones."""
    below = list(itertools.accumulate(math.comb(n_ones, k) for k in range(n_ones + 1)))
    both_tails = 0
    for signs in itertools.product((1, -1), repeat=len(huge)):
        part = sum(s * h for s, h in zip(signs, huge, strict=True))
        # part + ones ≤ -observed, ones = 2k - n_ones; the other tail has as many
        k = (n_ones - observed - part) // 2
        both_tails += 2 * (0 if k < 0 else below[min(k, n_ones)])
    return Fraction(both_tails, 2 ** (n_ones + len(huge)))


@pytest.mark.thorough
@cases(0.4)
@given(rng=generators)
def test_exact_or_refused(rng):
    size = int(10 ** rng.uniform(1, 15))
    huge = [
        size + int(rng.choice([0, 0, int(rng.integers(0, size))]))
        for _ in range(rng.integers(1, 5))
    ]
    n_ones = int(rng.choice([20, 300, 1000]))
    n_lost = int(rng.choice([0, 1, n_ones // 5, n_ones // 2, rng.integers(0, n_ones + 1)]))
    signs = [1, *rng.choice([1, 1, -1], len(huge) - 1)]
    differences = [int(s) * h for s, h in zip(signs, huge, strict=True)]
    differences += [1] * (n_ones - n_lost) + [-1] * n_lost
    observed = abs(sum(differences))
    assume(observed)
    truth = pvalue(huge, n_ones, observed)
    columns = [max(d, 0) for d in differences], [max(-d, 0) for d in differences]
    try:
        result = paired_permutation_test(*columns, method="exact")
    except BudgetError:
        reject()
    assert oracle.is_certified(result, min(truth, Fraction(1))), (huge, n_ones, n_lost)
    assert oracle.relative_error(result, truth) <= 1e-11, (huge, n_ones, n_lost)
    low, high = result.pvalue_interval
    assert high - low <= 1e-10 * result.pvalue or result.pvalue < 1e-300


@pytest.mark.parametrize(
    "differences",
    [
        [4516039] * 3 + [1] * 478 + [-1] * 302,
        [10**7] + [1] * 700 + [-1] * 300,
        [10**8] + [1] * 980 + [-1] * 20,
        [10**14] * 3 + [1] * 980 + [-1] * 20,
        [2**60 + 1, -(2**60 - 1)],
        [2**54 + 1, -(2**54 - 1)],
        [2**62, -(2**61), -(2**61), 7],
        [100000003, -10000001, 9999991, 1234567, -7654321],
        [10**18] + [1] * 30 + [-1] * 9,
    ],
    ids=lambda d: f"{d[0]:.3g} of {len(d)}",
)
def test_hard_corpora(differences):
    huge = [abs(d) for d in differences if abs(d) > 1]
    n_ones = sum(abs(d) == 1 for d in differences)
    truth = pvalue(huge, n_ones, abs(sum(differences)))
    columns = [max(d, 0) for d in differences], [max(-d, 0) for d in differences]
    result = paired_permutation_test(*columns)
    assert oracle.is_certified(result, truth)
    assert oracle.relative_error(result, truth) <= 1e-11


@cases(0.2)
@given(rng=generators)
def test_no_fine_lattice_crashes(rng):
    for differences in (
        rng.choice([-1, 1], 300) * int(2e17) + rng.integers(-9, 9, 300),
        rng.integers(-(2**61), 2**61, 100),
        np.concatenate(([10**16, -(10**14)], rng.integers(-(10**8), 10**8, 60))),
    ):
        columns = np.maximum(differences, 0), np.maximum(-differences, 0)
        with pytest.raises(BudgetError, match="coarser units"):
            paired_permutation_test(*columns, method="exact")
    extremes = [20] * 100 + [40352530300861033] * 2 + [1612489933624817665, -33052826343]
    with contextlib.suppress(BudgetError):
        paired_permutation_test(extremes, [0] * len(extremes), alternative="less", method="exact")
