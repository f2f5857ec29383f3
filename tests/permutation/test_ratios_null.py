"""The null distribution of a difference of ratios agrees with the p-value."""

import numpy as np
import pytest
from hypothesis import given

from corpora.ratio_rows import run, sentences, small_corpus
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
