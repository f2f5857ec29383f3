"""Changes that leave p of a score of sums as it is, and scores that other tests know."""

import numpy as np
import pytest
from hypothesis import given

from corpora.ratio_rows import RATIO, sentences
from corpora.sum_scores import SCORES, brevity, macro, precision, ratio_as_function
from oracles.vectors import ALTERNATIVES
from pairedperm import paired_permutation_test
from properties import cases, generators, one_in


@one_in(5)
@pytest.mark.parametrize("name", SCORES)
@cases(0.1)
@given(rng=generators)
def test_laws(name, rng):
    _, score = SCORES[name]
    rows1, rows2 = rng.integers(0, 5, (2, 25, 3))
    result = paired_permutation_test(rows1, rows2, score=score)
    swapped = paired_permutation_test(rows2, rows1, score=score)
    assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-13)
    assert (swapped.statistic, swapped.score1) == (-result.statistic, result.score2)
    greater = paired_permutation_test(rows1, rows2, score=score, alternative="greater").pvalue
    less = paired_permutation_test(rows2, rows1, score=score, alternative="less").pvalue
    assert greater == pytest.approx(less, rel=1e-13)
    order = rng.permutation(25)
    assert paired_permutation_test(rows1[order], rows2[order], score=score) == result


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ties_change_no_score_that_ignores_them(alternative):
    """A tie adds to both systems' sums: it matters, unless it adds nothing, or the score is linear.

    `macro` of (a + 1, b) is another score; of rows of zeros it is the same.
    """
    rows1, rows2 = np.random.default_rng(2).integers(0, 5, (2, 20, 3))
    zeros = np.zeros((4, 3), dtype=int)
    expected = paired_permutation_test(rows1, rows2, score=macro, alternative=alternative)
    result = paired_permutation_test(
        np.vstack((rows1, zeros)), np.vstack((rows2, zeros)), score=macro, alternative=alternative
    )
    assert result.log_pvalue_interval == expected.log_pvalue_interval
    assert (result.n, result.n_differing) == (expected.n + 4, expected.n_differing)
    ties = np.full((4, 3), 2)
    columns = np.vstack((rows1, ties)), np.vstack((rows2, ties))
    linear = paired_permutation_test(
        rows1, rows2, score=lambda sums: sums @ np.array([2.0, -1.0, 3.0]), alternative=alternative
    )
    with_ties = paired_permutation_test(
        *columns, score=lambda sums: sums @ np.array([2.0, -1.0, 3.0]), alternative=alternative
    )
    assert with_ties.pvalue == linear.pvalue


@pytest.mark.parametrize("factor", [7, 1000, 0.1])
@pytest.mark.parametrize("score", [precision, brevity])
def test_units_do_not_matter_to_scores_without_one(score, factor):
    rows1, rows2 = np.random.default_rng(3).integers(0, 5, (2, 25, 3))
    result = paired_permutation_test(rows1, rows2, score=score)
    other = paired_permutation_test(
        (factor * rows1).round(1), (factor * rows2).round(1), score=score
    )
    assert 1e-6 < result.pvalue < 1.0
    assert other.pvalue == result.pvalue
    assert other.statistic == pytest.approx(result.statistic, rel=1e-12)


@cases(0.25)
@given(rng=generators)
def test_columns_may_be_permuted_and_split(rng):
    rows1, rows2 = rng.integers(0, 4, (2, 12, 3))
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(rows1, rows2, score=macro, alternative=alternative)
        order = rng.permutation(3)
        back = np.argsort(order)
        permuted = paired_permutation_test(
            rows1[:, order],
            rows2[:, order],
            score=lambda sums, back=back: macro(sums[..., back]),
            alternative=alternative,
        )
        assert permuted.pvalue == pytest.approx(result.pvalue, rel=1e-12)
        # the first column as the sum of two, which moves in one dimension more
        parts = [rng.binomial(rows[:, 0], 0.5) for rows in (rows1, rows2)]
        split = [
            np.column_stack((rows[:, 0] - part, rows[:, 1:], part))
            for rows, part in zip((rows1, rows2), parts, strict=True)
        ]

        def of_split(sums):
            return macro(
                np.stack((sums[..., 0] + sums[..., 3], sums[..., 1], sums[..., 2]), axis=-1)
            )

        found = paired_permutation_test(*split, score=of_split, alternative=alternative)
        assert found.pvalue == pytest.approx(result.pvalue, rel=1e-12)
        assert found.statistic == result.statistic


def test_a_linear_score_is_the_mean():
    rng = np.random.default_rng(4)
    rows1, rows2 = rng.integers(0, 5, (2, 60, 3))
    weights = np.array([3, 1, -2])
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(
            rows1, rows2, score=lambda sums: sums @ weights / 60, alternative=alternative
        )
        mean = paired_permutation_test(rows1 @ weights, rows2 @ weights, alternative=alternative)
        assert result.pvalue == pytest.approx(mean.pvalue, rel=1e-11)
        assert result.statistic == pytest.approx(mean.statistic, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("advantage", [0.0, 0.15])
def test_a_ratio_written_as_a_function(alternative, advantage):
    rows = sentences(np.random.default_rng(5), 200, advantage)
    columns = rows[:, :2], rows[:, 2:]
    expected = paired_permutation_test(*columns, score=RATIO, alternative=alternative)
    result = paired_permutation_test(*columns, score=ratio_as_function, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert result.n_differing == expected.n_differing
    low, high = result.pvalue_interval
    assert low <= expected.pvalue_interval[1]
    assert high >= expected.pvalue_interval[0]
    assert high - low <= 1e-10 * result.pvalue
