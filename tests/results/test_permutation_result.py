"""The interval of the difference, in the result: never one that p contradicts."""

import pickle

import numpy as np
import pytest
from hypothesis import given

from corpora.results import WINS
from pairedperm import Ratio, compare, paired_permutation_test
from properties import cases, generators

F1 = Ratio([2, 0, 0], [0, 1, 1])
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)


def f1_rows(n=40, seed=0):
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 4, n)
    return [
        np.stack((np.minimum(gold, predicted) // k, predicted, gold), axis=1)
        for k, predicted in ((1, rng.integers(1, 4, n)), (2, rng.integers(1, 4, n)))
    ]


def test_five_wins_and_no_loss():
    """The percentile bootstrap says that the difference is 1 without a doubt; p is 0.0625."""
    found = compare(*WINS)
    percentile = compare(*WINS, test="bootstrap").confidence_interval()
    assert (*percentile, percentile.method) == (1.0, 1.0, "percentile")
    low, high = exact = found.confidence_interval()
    assert (low < 0.0, high, exact.method) == (True, 1.0, "exact")
    assert found.confidence_interval(0.9).low > 0.0
    assert found.confidence_interval(0.9375).low == 0.0  # α is p, and excluded


@pytest.mark.parametrize("kind", ["right or wrong", "decimals", "F1", "guaranteed"])
@given(generators)
@cases(0.03)
def test_an_interval_without_0_needs_a_small_p(kind, rng):
    """At every level; exact ones exclude 0 just where p is small. Others are extended to it."""
    n = int(rng.choice([2, 4, 8, 30]))
    asked, one_or_zero = {}, (rng.random((2, n)) < [[0.9], [0.6]]).astype(int)
    if kind == "right or wrong":
        found = compare(*one_or_zero, np.ones(n, dtype=int))
    elif kind == "decimals":
        found = paired_permutation_test(rng.normal(0.4, 1.0, n).round(2), np.zeros(n))
    elif kind == "F1":
        found = paired_permutation_test(*f1_rows(n, int(rng.integers(9))), score=F1)
    else:
        columns = rng.beta(0.3, 0.1, (2, n)).round(2) if n > 4 else one_or_zero
        found = compare(*columns, None, "mean_score", score_range=(0, 1))
        asked = {"kind": "guaranteed"}
    for level in LEVELS:
        low, high = interval = found.confidence_interval(level, **asked)
        assert low <= found.statistic <= high
        is_small = found.pvalue <= 1.0 - level
        assert low <= 0.0 <= high or is_small
        if interval.method == "exact":
            assert (low >= 0.0 < high or low < 0.0 >= high) == is_small
        if interval.is_extended:
            plain = found.evidence_for("interval").interval(level)
            assert not is_small
            assert 0.0 in (low, high)
            assert (low, high) == (min(plain.low, 0.0), max(plain.high, 0.0))


def test_seeds():
    """The result's own where there is one, and always the same without; found once."""
    rows = f1_rows()
    exact, again = (paired_permutation_test(*rows, score=F1) for _ in range(2))
    assert exact.confidence_interval() == again.confidence_interval()
    sample = exact.evidence_for("an interval")
    assert sample.interval(0.9) is sample.interval(0.9)
    options = {"score": F1, "method": "monte_carlo"}
    one, two, other = (paired_permutation_test(*rows, rng=x, **options) for x in (7, 7, 8))
    assert one.confidence_interval() == two.confidence_interval() != other.confidence_interval()
    copied = pickle.loads(pickle.dumps(paired_permutation_test(*rows, score=F1)))
    assert copied.confidence_interval() == exact.confidence_interval()


def test_a_score_that_jumps():
    """Nobody predicts the label but system 2, once and wrongly."""
    columns = [["b"], []], [["c"], ["a", "c"]], [["b"], ["b", "c"]]
    options = {"multilabel": True, "pos_label": "a", "zero_division": 1.0}
    found = compare(*columns, "precision", **options)
    assert (*found.confidence_interval(), found.statistic) == (-1.0, 1.0, 1.0)
