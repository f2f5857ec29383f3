"""What ties: scores that a caller computes in floats, correlations, and statistics, of any sums.

P of statistics is asked by the campaign on exactness.
"""

import numpy as np
import pytest

from pairedperm import compare, paired_permutation_test, structured_permutation_test

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


# What ties


def of_table(*values):
    """The score of a single column whose sum is 0, 1, …"""
    return lambda sums: np.array(values)[sums.astype(int)]


def near(gap, lower=0.0):
    """Sums 3 against 0 have a difference of 1, and 2 against 1 one that is less by the gap."""
    return of_table(lower, lower, lower + 1.0 - gap, lower + 1.0)


@pytest.mark.parametrize(
    ("score", "p"),
    [
        (near(0.0), 1.0),
        (near(0.9e-12), 1.0),
        (near(1.1e-12), 0.5),
        # a share of the largest of the four scores, 1001, and not of their difference
        (near(0.9e-9, 1000.0), 1.0),
        (near(1.1e-9, 1000.0), 0.5),
        # which may be that of either swap
        (of_table(1000.0, 0.0, 1.0 - 0.9e-9, 1001.0), 1.0),
        (of_table(1000.0, 0.0, 1.0 - 1.1e-9, 1001.0), 0.5),
        (of_table(0.0, 1000.0, 1001.0 - 0.9e-9, 1.0), 1.0),
        (of_table(0.0, 1000.0, 1001.0 - 1.1e-9, 1.0), 0.5),
    ],
)
def test_scores(score, p):
    """Sums 3 against 0 are observed; of four swaps two have 2 against 1."""
    for alternative, share in (("two-sided", p), ("greater", p / 2)):
        options = {"score": score, "alternative": alternative}
        assert paired_permutation_test([1, 2], [0, 0], **options).pvalue == share


@pytest.mark.parametrize(
    ("score", "alternative", "p"),
    [
        # 2 against 1 is observed, and 3 against 0 is above it by the gap
        (near(1.1e-12), "two-sided", 1.0),
        (near(0.9e-12), "less", 1.0),
        (near(1.1e-12), "less", 0.75),
        # the same up to rounding, 0.1 + 0.2 against 0.3; D is 0.4, 0, 0 and -0.4
        (of_table(0.5, 0.3, 0.1 + 0.2, 0.9), "two-sided", 1.0),
        (of_table(0.5, 0.3, 0.1 + 0.2, 0.9), "greater", 0.75),
        (of_table(0.5, 0.3, 0.1 + 0.2, 0.9), "less", 0.75),
        (of_table(1.0, 1.0, 1.0, 1.0), "greater", 1.0),
    ],
)
def test_scores_beside_more_extreme_ones(score, alternative, p):
    result = paired_permutation_test([0, 2], [1, 0], score=score, alternative=alternative)
    assert result.pvalue == p


@pytest.mark.parametrize(
    ("values", "p"),
    [
        # a share of the larger of both values
        ((0.0, 0.0, 1.0 - 0.9e-12, 1.0), 0.5),
        ((0.0, 0.0, 1.0 - 1.1e-12, 1.0), 0.25),
        ((-2e3, -2e3, -1e3 - 0.9e-9, -1e3), 0.5),
        ((-2e3, -2e3, -1e3 - 1.1e-9, -1e3), 0.25),
        # roundings of 0 tie, as shares of the largest value of some swaps
        ((-1.0, -1.0, -0.9e-14, 0.0), 0.5),
        ((-1.0, -1.0, -1.1e-14, 0.0), 0.25),
    ],
)
def test_statistics(values, p):
    """Sum 3 is observed, and 2 is below it by a little; a statistic has one side."""
    assert structured_permutation_test([1, 2], [0, 0], of_table(*values)).pvalue == p


def labels(n1, n0, tp, fp, gold, n, i, j):
    """Columns where the systems differ on n1 right and n0 wrong examples, and share the others.

    System 1 finds i of the n1 and is wrong in j of the n0.
    """
    rights = [1] * n1 + [0] * n0 + [1] * tp + [0] * fp + [1] * (gold - n1 - tp)
    rights += [0] * (n - len(rights))
    ones = [k < i for k in range(n1)] + [k < j for k in range(n0)]
    both = [1] * (tp + fp) + [0] * (n - n1 - n0 - tp - fp)
    return [int(x) for x in ones] + both, [int(not x) for x in ones] + both, rights


@pytest.mark.parametrize(
    ("counts", "points", "alternative", "p"),
    [
        ((6, 4, 0, 0, 6, 10), [(0, 1), (2, 3), (4, 4)], "greater", 948 / 2**10),
        ((6, 4, 0, 0, 6, 10), [(2, 0), (4, 1), (6, 3)], "greater", 155 / 2**10),
        ((6, 4, 0, 0, 6, 10), [(2, 0), (4, 4), (6, 3)], "two-sided", 310 / 2**10),
        ((6, 5, 1, 0, 10, 18), [(0, 2), (4, 5)], "greater", 1826 / 2**11),
        ((4, 2, 0, 1, 6, 12), [(1, 1), (2, 2)], "greater", 56 / 2**6),
        ((4, 2, 0, 1, 6, 12), [(2, 0), (3, 1)], "greater", 22 / 2**6),
        ((4, 6, 3, 3, 10, 20), [(2, 2), (4, 4)], "greater", 306 / 2**10),
        # another assignment is less than 1e-10 away, and does not tie
        ((128, 65, 3, 58, 140, 267), [(23, 4)], "less", 0.19177992030534302),
        ((93, 116, 14, 12, 184, 366), [(58, 110)], "less", 5.903620884173079e-10),
    ],
)
def test_correlations(counts, points, alternative, p):
    """They tie as sums of square roots, whichever is observed; their floats may differ.

    P is counted by the squarefree parts of the roots.
    """
    for point in points:
        columns = labels(*counts, *point)
        result = compare(*columns, "matthews_correlation", alternative=alternative, method="exact")
        assert result.pvalue == pytest.approx(p, rel=1e-12)
