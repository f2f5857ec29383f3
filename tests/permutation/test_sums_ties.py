"""Differences of scores of column sums that tie up to their rounding, or do not."""

import numpy as np
import pytest

from corpora.sum_scores import precision
from oracles.vectors import ALTERNATIVES
from pairedperm import paired_permutation_test


def of_table(*values):
    """The score of a single column whose sum is 0, 1, …"""
    return lambda sums: np.array(values)[sums.astype(int)]


@pytest.mark.parametrize(
    ("lower", "gap", "p"),
    [
        (0.0, 0.0, 1.0),
        (0.0, 0.9e-12, 1.0),
        (0.0, 1.1e-12, 0.5),
        # of the largest of the four scores, 1001, and not of their difference
        (1000.0, 0.9e-9, 1.0),
        (1000.0, 1.1e-9, 0.5),
    ],
)
def test_what_ties(lower, gap, p):
    """Sums 3 against 0, as observed, or 2 against 1, whose scores differ by as much, or less."""
    score = of_table(lower, lower, lower + 1.0 - gap, lower + 1.0)
    assert paired_permutation_test([1, 2], [0, 0], score=score).pvalue == p
    result = paired_permutation_test([1, 2], [0, 0], score=score, alternative="greater")
    assert result.pvalue == p / 2


@pytest.mark.parametrize(("gap", "p"), [(0.9e-9, 1.0), (1.1e-9, 0.5)])
@pytest.mark.parametrize("is_observed", [True, False])
def test_the_largest_score_may_be_of_either_swap(is_observed, gap, p):
    """1001 against 1000 is observed, and 1 - gap against 0 the other pair; or larger by gap."""
    if is_observed:
        score = of_table(1000.0, 0.0, 1.0 - gap, 1001.0)
    else:
        score = of_table(0.0, 1000.0, 1001.0 - gap, 1.0)
    assert paired_permutation_test([1, 2], [0, 0], score=score).pvalue == p


def test_a_difference_above_the_observed_one_is_no_tie():
    """Observed 2 against 1; 3 against 0 is above by more than the rounding."""
    score = of_table(0.0, 0.0, 1.0 - 1.1e-12, 1.0)
    assert paired_permutation_test([0, 2], [1, 0], score=score).pvalue == 1.0
    for gap, p in ((0.9e-12, 1.0), (1.1e-12, 0.75)):  # one of four is above
        score = of_table(0.0, 0.0, 1.0 - gap, 1.0)
        result = paired_permutation_test([0, 2], [1, 0], score=score, alternative="less")
        assert result.pvalue == p


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_that_are_the_same(alternative):
    """Up to the rounding: 0.1 + 0.2 against 0.3."""
    score = of_table(0.5, 0.3, 0.1 + 0.2, 0.9)
    result = paired_permutation_test([0, 2], [1, 0], score=score, alternative=alternative)
    # D is 0.4, 0, 0 and -0.4
    assert result.pvalue == {"two-sided": 1.0, "greater": 0.75, "less": 0.75}[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems(alternative):
    rows = [[1, 2], [0, 3]]
    result = paired_permutation_test(rows, rows, score=precision, alternative=alternative)
    assert (result.pvalue, result.statistic, result.n_differing) == (1.0, 0.0, 0)
    assert result.pvalue_interval == (1.0, 1.0)
    constant = paired_permutation_test(
        rows, rows[::-1], score=lambda sums: np.ones(sums.shape[:-1]), alternative=alternative
    )
    assert (constant.pvalue, constant.n_differing) == (1.0, 2)
