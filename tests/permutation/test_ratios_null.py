"""The null distribution of a difference of ratios agrees with the p-value."""

import numpy as np
import pytest
from hypothesis import given

from corpora.ratio_rows import run, sentences, small_corpus
from pairedperm import Ratio, paired_permutation_test
from properties import cases, generators


@cases(0.5)
@given(rng=generators)
def test_null_distribution(rng):
    for rows in (small_corpus(rng), sentences(rng, 60).tolist()):
        result = run(rows, "greater")
        null = result.null_distribution()
        assert null.pmf.sum() == pytest.approx(1.0, abs=1e-14)
        assert np.array_equal(null.support, -null.support[::-1])
        upper = null.pmf[null.support >= result.statistic].sum()
        assert upper == pytest.approx(result.pvalue, abs=1e-13)


def test_null_distribution_by_a_transform():
    rows = sentences(np.random.default_rng(7), 3000)
    result = run(rows, "greater")
    null = result.null_distribution()
    upper = null.pmf[null.support >= result.statistic].sum()
    assert upper == pytest.approx(result.pvalue, abs=1e-12)


@pytest.mark.parametrize("transposed", [False, True])
def test_null_distribution_of_sizes_far_apart(transposed):
    """Few points of a lattice whose basis exceeds int64: all four swaps of two examples."""
    one, two = [[1.0, 0.0], [1e14, 323.0]], [[96.9, 735.0], [0.667, 1.0]]
    if transposed:
        one, two = [[21.6, 6.0], [100.0, 0.001]], [[0.0, 3.0], [1e14, 0.0]]
    result = paired_permutation_test(one, two, score=Ratio([1, 0], [0, 1]), alternative="greater")
    null = result.null_distribution()
    assert null.pmf.tolist() == [0.25] * 4
    assert result.statistic in null.support
    assert null.pmf[null.support >= result.statistic].sum() == result.pvalue
