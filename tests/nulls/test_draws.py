"""The bootstrap that is sampled where all resamples cannot be counted: hard cases, and limits."""

import copy
import json
import pickle
import sys
import warnings

import numpy as np
import pytest

from oracles import draws as boot
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, PairedCounts, Ratio, paired_bootstrap_test

SHARE = Ratio([1, 0], [0, 1])


def log_ratio(sums):
    return np.log(sums[..., 0] / sums[..., 1])


N_RESAMPLES = 20_000
WARNED = {  # why p is sampled, although all that is needed are exact numbers
    "beyond int64": ([6 * 10**18, 1, 2], [-6 * 10**18, 0, 0], {}),
    "ties beyond int64": ([2**62, -(2**62)], [-(2**62), 2**62], {}),
    "a score's law is too long": (
        [2**60 + 3, 2**60 + 4, 2**60 - 7, -(2**60) - 4],
        [2**60, 2**60 + 5, 2**60 - 9, -(2**60) - 2],
        {},
    ),
    "a fine lattice of few examples": (
        *np.round(np.random.default_rng(6).normal(size=(2, 6)) * 1000, 3).tolist(),
        {},
    ),
    "sizes too far apart": (
        [[10**10, 2], [2, 3 * 10**9]],
        [[10**10, 2], [5, 3 * 10**9]],
        {"score": SHARE, "budget": {"max_points": 1}},
    ),
}
SAMPLED = WARNED | {
    "sums that lose digits": ([2.0**60, 2**0.5, -(2.0**60), 0.1], [0.0, 2**0.5, 0, 0], {}),
    "insertions where nothing is to be read": (
        [[1, 0], [2, 3], [0, 4], [1, 2]],
        [[0, 0], [2, 3], [1, 4], [3, 2]],
        {"score": SHARE},
    ),
}


@pytest.mark.parametrize("name", SAMPLED)
def test_hard_cases(name):
    """Sampled p, scores and intervals are those of all resamples; near ties are ties."""
    one, two, options = SAMPLED[name]
    n, rng = len(one), {"rng": 0, "n_resamples": N_RESAMPLES}
    of_rows = boot.ratio_scores(one, two, [1, 0], [0, 1])
    every = boot.Enumeration(of_rows if options else boot.mean_scores(one, two), n)
    every.tolerance = 1e-12 * float(max(abs(x) for x, _ in every.law))
    for alternative in ALTERNATIVES:
        for ties in ("include", "exclude"):
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                found = paired_bootstrap_test(
                    one, two, alternative=alternative, ties=ties, **rng, **options
                )
            assert [str(x.message)[:14] for x in warned] == ["p is estimated"] * (name in WARNED)
            assert (found.pvalue_kind, found.n_resamples) == ("confidence", N_RESAMPLES)
            p = float(every.pvalue(alternative, ties))
            assert abs(found.pvalue - p) <= 5 * (p * (1 - p) / N_RESAMPLES) ** 0.5 + 1e-4
    assert found.statistic == float(every.statistic)
    expected = float(every.score1), float(every.score2)
    assert (found.score1, found.score2) == pytest.approx(expected, rel=1e-14)
    ends = boot.sampled_percentiles(every.law, 0.95, N_RESAMPLES)
    for end, (least, greatest) in zip(found.confidence_interval(), ends, strict=True):
        assert float(least) - every.tolerance <= end <= float(greatest) + every.tolerance


def test_percentiles_are_ranks_of_the_sample():
    """The least of 40 resamples is a share of 1/40, and of two they are both."""

    def of(n, level):
        options = {"n_resamples": n, "confidence_level": level, "method": "monte_carlo", "rng": 0}
        scores = np.random.default_rng(1).normal(size=(2, 30))
        return paired_bootstrap_test(*scores, **options).confidence_interval()

    assert of(40, 0.95) == of(40, 0.96) != of(40, 0.94)
    assert of(2, 0.95).low < of(2, 0.95).high


@pytest.mark.parametrize("is_function", [False, True])
def test_another_level_is_of_the_same_resamples(is_function):
    """It lies in the law of all resamples where that of a test of this level does, bit for bit."""
    one, two = np.random.default_rng(2).integers(1, 9, (2, 5, 2))
    options = {"score": log_ratio if is_function else SHARE, "n_resamples": N_RESAMPLES}
    found = paired_bootstrap_test(one, two, rng=np.random.default_rng(3), **options)
    every = boot.Enumeration(boot.ratio_scores(one, two, [1, 0], [0, 1]), 5)
    law = [(float(x), weight) for x, weight in every.law]
    for level in (0.5, 0.9, 0.99):
        again = paired_bootstrap_test(
            one, two, rng=found.seed, confidence_level=level, **options
        ).confidence_interval()
        for copied in (found, copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            assert copied.confidence_interval(level) == again
        if not is_function:
            ends = boot.sampled_percentiles(law, level, N_RESAMPLES)
            for end, (least, greatest) in zip(again, ends, strict=True):
                assert least - 1e-12 <= end <= greatest + 1e-12


@pytest.mark.parametrize("scale", [1e300, 1e-310])
def test_extreme_floats(scale):
    columns = np.array([[1.2345678901234567, -3.3, 2.0], [0.0, 1.2, 1.0]])
    options = {"rng": 0, "method": "monte_carlo", "n_resamples": 999}
    plain, found = (paired_bootstrap_test(*columns * x, **options) for x in (1.0, scale))
    assert found.pvalue == plain.pvalue
    assert found.statistic == pytest.approx(plain.statistic * scale, rel=1e-6)


def test_the_largest_sums_that_are_floats():
    largest = sys.float_info.max / (2.0001 * 7)
    one, two = [0.3, *[largest] * 6], [-largest] * 7
    json.dumps(paired_bootstrap_test(one, two, n_resamples=99).to_dict(), allow_nan=False)
    with pytest.raises(InputError, match="their sums must be floats"):
        paired_bootstrap_test([1.001 * x for x in one], two)


def test_differences_decide_ties_of_large_scores():
    one, two = 1e12 + np.array([[3, 1, 4, 1, 5, 9, 2, 6], [2, 1, 3, 0, 4, 9, 2, 5]])
    options = {"alternative": "greater", "rng": 0}
    exact = paired_bootstrap_test(one, two, **options)
    sampled = paired_bootstrap_test(one, two, method="monte_carlo", **options)
    assert (exact.pvalue, sampled.pvalue) == (0.0, 1e-4)
    assert sampled.confidence_interval() == pytest.approx(exact.confidence_interval(), abs=0.13)


def test_two_billion_examples():
    counts = PairedCounts([[1, 1], [0, 2]], [[0, 1], [1, 2]], [10**9, 10**9])
    with pytest.warns(UserWarning, match="p is estimated .*, because the percentiles of a ratio"):
        found = paired_bootstrap_test(counts, score=SHARE, n_resamples=9999)
    assert (found.pvalue, found.statistic) == (1.0, 0.0)
    half = 1.96 * 2 / 3 / (2e9) ** 0.5
    assert found.confidence_interval() == pytest.approx((-half, half), rel=0.1)
