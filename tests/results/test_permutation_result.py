"""The interval of the difference, in the result and under the keys of its dict."""

import copy
import json
import math
import pickle

import numpy as np
import pytest

from pairedperm import (
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.model_card import significance_section
from properties import one_in

F1 = Ratio([2, 0, 0], [0, 1, 1])
WINS = [1] * 5, [0] * 5, [1] * 5
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
    result = compare(*WINS)
    percentile = compare(*WINS, test="bootstrap").confidence_interval()
    assert (*percentile, percentile.method) == (1.0, 1.0, "percentile")
    low, high = exact = result.confidence_interval()
    assert (low < 0.0, high, exact.method) == (True, 1.0, "exact")
    assert result.confidence_interval(0.9).low > 0.0
    assert result.confidence_interval(0.9375).low == 0.0  # α is p, and excluded


@one_in(4)
@pytest.mark.parametrize("seed", range(4))
def test_an_interval_without_0_needs_a_small_p(seed):
    rng = np.random.default_rng(seed)
    for n in (2, 4, 8, 30):
        columns = rng.integers(0, 2, (2, n))
        for result in (
            compare(*columns, np.ones(n, dtype=int)),
            paired_permutation_test(rng.normal(0.4, 1.0, n).round(2), np.zeros(n)),
            paired_permutation_test(*f1_rows(n, seed), score=F1),
        ):
            for level in LEVELS:
                low, high = found = result.confidence_interval(level)
                assert low <= result.statistic <= high
                assert low <= 0.0 <= high or result.pvalue <= 1.0 - level
                excludes = low >= 0.0 < high or low < 0.0 >= high
                assert found.method != "exact" or excludes == (result.pvalue <= 1.0 - level)


def test_it_is_extended_and_never_cut():
    """To 0, and only where p is too large."""
    rng = np.random.default_rng(3)
    n_extended = 0
    for _ in range(40):
        one, two = rng.integers(0, 5, (2, 12))
        result = paired_permutation_test(one, two)
        found = result.confidence_interval(0.9)
        plain = result.evidence_for("interval").interval(0.9)
        assert found.is_extended == (found != plain)
        if found.is_extended:
            n_extended += 1
            assert 0.0 in (found.low, found.high)
            assert result.pvalue > 1.0 - 0.9
        assert found.low <= plain.low
        assert found.high >= plain.high
    assert n_extended


def test_the_guaranteed_interval_never_contradicts_a_large_p():
    """Neither for few examples nor for any level; right and wrong have it by name."""
    rng = np.random.default_rng(6)
    for _ in range(60):
        n = int(rng.integers(2, 40))
        one, two = (rng.random((2, n)) < [[0.9], [0.6]]).astype(int)
        scores = rng.beta(0.3, 0.1, (2, n)).round(2)
        for columns in ((one, two), scores):
            result = compare(*columns, None, "mean_score", score_range=(0, 1))
            for level in LEVELS:
                low, high = result.confidence_interval(level, kind="guaranteed")
                assert -1.0 <= low <= result.statistic <= high <= 1.0
                assert low <= 0.0 <= high or result.pvalue <= 1.0 - level


def test_seeds():
    """The result's own where there is one, and always the same without."""
    rows = f1_rows()
    exact = paired_permutation_test(*rows, score=F1)
    again = paired_permutation_test(*rows, score=F1)
    assert exact.confidence_interval() == again.confidence_interval()
    options = {"score": F1, "method": "monte_carlo"}
    one, two, other = (paired_permutation_test(*rows, rng=x, **options) for x in (7, 7, 8))
    assert one.confidence_interval() == two.confidence_interval() != other.confidence_interval()


def test_it_is_found_once(monkeypatch):
    result = paired_permutation_test(*f1_rows(), score=F1)
    first = result.confidence_interval(0.9)
    monkeypatch.setattr("pairedperm.population.evidence.Sample", None)
    assert result.confidence_interval(0.9) is first


def test_arrays_that_change_afterwards():
    one, two = np.array([1, 1, 1, 0, 1]), np.array([0, 1, 0, 0, 0])
    expected = paired_permutation_test(one.copy(), two.copy())
    result = paired_permutation_test(one, two)
    one[:] = 0
    assert result.confidence_interval() == expected.confidence_interval()
    assert result.to_dict() == expected.to_dict()


def test_pickled():
    for result in (compare(*WINS), paired_permutation_test(*f1_rows(), score=F1)):
        copied = pickle.loads(pickle.dumps(result))
        assert copied == result
        assert copied.confidence_interval() == result.confidence_interval()
        assert copied.to_dict() == result.to_dict()
    without = paired_permutation_test([1, 2, 3], [0, 4, 1], score=lambda sums: sums**2)
    copied = pickle.loads(pickle.dumps(without))
    assert "interval" not in str(copied)
    assert without.confidence_interval().high == math.inf


@pytest.mark.parametrize(
    "result",
    [
        compare(*WINS, alternative="greater"),
        compare([1], [0], [1]),
        structured_permutation_test([1, 2], [0, 3], np.square),
    ],
    ids=["one-sided", "one example", "no scores"],
)
def test_there_is_none(result):
    assert "interval" not in str(result)
    assert "interval" not in result.summary()


def test_dict():
    plain, asked = compare(*WINS).to_dict(), compare(*WINS, confidence_level=0.9).to_dict()
    more = {"confidence_level": 0.9, "stat_interval": "exact"}
    low, high = compare(*WINS).confidence_interval(0.9)
    assert asked == plain | more | {"stat_low": low, "stat_high": high}
    assert plain["confidence_level"] is None
    assert json.loads(json.dumps(asked, allow_nan=False)) == asked


def test_infinite_ends_are_none_in_dicts():
    """Two examples, one of which differs by far: half of the resamples have no error."""
    result = paired_permutation_test([9.5, 0.25], [0.0, 0.0])
    object.__setattr__(result, "confidence_level", 0.9)
    low, high = result.confidence_interval(0.9)
    found = result.to_dict()
    assert (math.isinf(low), math.isinf(high)) == (True, True)
    assert found["stat_low"] is found["stat_high"] is None
    assert "interval" not in f"{result} {result.summary()} {significance_section(found)}"
    json.dumps(found, allow_nan=False)


def test_an_interval_of_all_differences_is_not_printed():
    """Two wins on four examples: half of the resamples have no error, and F1 is a share."""
    result = compare([1, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 1], "f1", confidence_level=0.95)
    assert result.confidence_interval()[:2] == (-1.0, 1.0)
    found = result.to_dict()
    assert (found["stat_low"], found["stat_high"]) == (-1.0, 1.0)
    assert "interval" not in f"{result} {result.summary()} {significance_section(found)}"


def test_a_score_that_jumps():
    """Nobody predicts the label but system 2, once and wrongly."""
    columns = [["b"], []], [["c"], ["a", "c"]], [["b"], ["b", "c"]]
    options = {"multilabel": True, "pos_label": "a", "zero_division": 1.0}
    result = compare(*columns, "precision", **options)
    low, high = result.confidence_interval()
    assert (low, result.statistic, high) == (-1.0, 1.0, 1.0)


@pytest.mark.parametrize("metric", ["accuracy", "matthews_correlation", "balanced_accuracy"])
def test_ends_stay_in_the_range_of_the_score(metric):
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 12)
    columns = [np.where(rng.random(12) < share, gold, 1 - gold) for share in (0.95, 0.3)]
    most = 2.0 if metric == "matthews_correlation" else 1.0
    low, high = compare(*columns, gold, metric).confidence_interval(0.999)
    assert -most <= low < high <= most


def test_interval_near_the_ideal_percentiles():
    """Of many examples all intervals are alike."""
    rng = np.random.default_rng(9)
    one, two = rng.integers(0, 9, (2, 5000))
    studentised = paired_permutation_test(one, two).confidence_interval()
    percentile = paired_bootstrap_test(one, two).confidence_interval()
    assert studentised.method == "studentised bootstrap"
    assert studentised[:2] == pytest.approx(tuple(percentile), abs=0.01)


def _of_many(sums):
    """Of three examples: there is no score of a small second sum, which resamples may have."""
    return np.where(sums[..., 1] < 10, np.nan, sums[..., 0] / sums[..., 1])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_keep_the_function(copied):
    result = paired_permutation_test(*f1_rows(), score=lambda sums: sums[..., 0] / sums[..., 1])
    found = copied(result)
    assert found == result
    assert found.confidence_interval() == result.confidence_interval()
    options = compare(*WINS, metric="f1", average="macro")
    assert copied(options) == options


def test_what_has_no_interval_is_printed_without():
    rows = [[1, 2], [3, 4], [5, 6]], [[0, 2], [1, 4], [5, 9]]
    result = paired_permutation_test(*rows, score=_of_many)
    assert "interval" not in str(result)
    assert "interval" not in result.summary()
    assert "p = 0.25" in result.summary()
    assert result.n_differing == 3
