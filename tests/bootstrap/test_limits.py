"""The bootstrap of numbers that are very large, very small, very many, or almost all 0."""

import json
import math
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from extras import needs
from pairedperm import (
    InputError,
    PairedCounts,
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
)

ACCURACY = Ratio([1, 0], [0, 1])
M = 2**61


def all_resamples(scores1, scores2, alternative):
    """P in integers, all n^n resamples."""
    differences = [int(a) - int(b) for a, b in zip(scores1, scores2, strict=True)]
    observed = sum(differences)
    found = [sum(x) for x in product(differences, repeat=len(differences))]
    extreme = {
        "greater": lambda s: s >= 2 * observed,
        "less": lambda s: s <= 2 * observed,
        "two-sided": lambda s: abs(s - observed) >= abs(observed),
    }[alternative]
    return Fraction(sum(map(extreme, found)), len(found))


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize(
    ("scores1", "scores2"),
    [
        ([6 * 10**18, 1, 2], [-6 * 10**18, 0, 0]),
        ([3 * M, 0, 3], [-3 * M, 1, 2]),
        pytest.param([M, -M, M - 1, 5], [-M, M, 3 - M, 2], marks=pytest.mark.thorough),
        ([2**62, -(2**62)], [0, 1]),
        ([2**62, -(2**62)], [-(2**62), 2**62]),
    ],
)
def test_differences_beyond_int64(scores1, scores2, alternative):
    """P is sampled, and near ties that floats cannot tell count as ties."""
    truth = float(all_resamples(scores1, scores2, alternative))
    options = {"alternative": alternative, "rng": 1}
    with pytest.warns(UserWarning, match="p is estimated"):
        found = paired_bootstrap_test(scores1, scores2, **options)
    assert found.interval == "confidence"
    assert found.pvalue > truth - 0.02
    assert found.confidence_interval().low <= found.statistic <= found.confidence_interval().high


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_large_scores_of_small_differences(alternative):
    """The p-value and the intervals are exact, unless a score's law has too many points."""
    base = [2**60, 2**60 + 5, 2**60 - 9, 2**60 + 2]
    differences = [3, -1, 2, 2]
    scores1 = [x + d for x, d in zip(base, differences, strict=True)]
    found = paired_bootstrap_test(scores1, base, alternative=alternative)
    plain = paired_bootstrap_test(differences, [0] * 4, alternative=alternative)
    truth = all_resamples(differences, [0] * 4, alternative)
    assert (found.method, found.pvalue, found.statistic) == ("exact", float(truth), 1.5)
    assert found.confidence_interval() == plain.confidence_interval()
    assert found.score1_interval.low <= found.score1 <= found.score1_interval.high
    far = [[*x[:3], -x[3]] for x in (scores1, base)]
    with pytest.warns(UserWarning, match="p is estimated .*, because the exact p-value needs a F"):
        assert paired_bootstrap_test(*far, alternative=alternative).interval == "confidence"


def test_ties_of_large_scores():
    """The differences decide ties, also when p is sampled."""
    scores1 = np.array([1e12 + k for k in (3, 1, 4, 1, 5, 9, 2, 6)])
    scores2 = np.array([1e12 + k for k in (2, 1, 3, 0, 4, 9, 2, 5)])
    options = {"alternative": "greater", "rng": 0}
    exact = paired_bootstrap_test(scores1, scores2, **options)
    sampled = paired_bootstrap_test(scores1, scores2, method="monte_carlo", **options)
    assert (exact.pvalue, sampled.pvalue) == (0.0, 1e-4)
    assert exact.confidence_interval() == (0.25, 0.875)
    assert sampled.confidence_interval() == pytest.approx((0.25, 0.875), abs=0.13)


@pytest.mark.parametrize("scale", [1e160, 1e300, 1e-310])
def test_extreme_floats(scale):
    columns = np.array([1.2345678901234567, -3.3, 2.0]), np.array([0.0, 1.2, 1.0])
    plain = paired_bootstrap_test(*columns, rng=0, method="monte_carlo")
    found = paired_bootstrap_test(*(x * scale for x in columns), rng=0, method="monte_carlo")
    assert found.pvalue == plain.pvalue
    assert found.statistic == pytest.approx(plain.statistic * scale, rel=1e-6)


def test_references_without_a_word():
    """Insertions count where nothing is to be read; quantiles go beyond the others' rates."""
    needs("rapidfuzz", "wer")
    rng = np.random.default_rng(0)
    right = [" ".join(["a"] * k) for k in np.where(np.arange(60) % 3, rng.integers(5, 40, 60), 0)]
    noise = [" b" * k for k in rng.integers(0, 4, 60)]
    one = [text + more for text, more in zip(right, noise, strict=True)]
    two = [text.replace("a", "b", 1) + more for text, more in zip(right, noise, strict=True)]
    found = compare(one, two, right, "word_error_rate", test="bootstrap")
    sampled = compare(
        one, two, right, "word_error_rate", test="bootstrap", method="monte_carlo", rng=0
    )
    intervals = (
        (x.score1_interval, x.score2_interval, x.confidence_interval()) for x in (found, sampled)
    )
    for (low, high), other in zip(*intervals, strict=True):
        assert low < high
        assert (low, high) == pytest.approx(other, abs=0.1 * (high - low))


def test_a_billion_examples():
    counts = PairedCounts([[1, 1], [0, 2]], [[0, 1], [1, 2]], [10**9, 10**9])
    with pytest.warns(UserWarning, match="p is estimated .*, because the percentiles of a ratio"):
        found = paired_bootstrap_test(counts, score=ACCURACY, n_resamples=9999)
    assert (found.pvalue, found.statistic) == (1.0, 0.0)
    deviation = 1.96 * 2.0 / 3.0 / math.sqrt(2e9)
    assert found.confidence_interval() == pytest.approx((-deviation, deviation), rel=0.1)
    means = paired_bootstrap_test(PairedCounts([1, 0], [0, 1], [10**9, 10**9 - 10**4]))
    assert means.interval == "certified"
    assert means.pvalue == pytest.approx(math.erfc(10**4 / math.sqrt(4e9)), rel=1e-3)


def test_a_level_near_one():
    found = paired_bootstrap_test([1.5, 2, 3, 1], [1, 2, 2, 2], confidence_level=0.999999999999)
    assert found.confidence_interval() == (-1.0, 1.0)


def test_fine_lattices_of_few_examples():
    """Characteristic functions hardly die away here, so p is sampled with a warning."""
    rng = np.random.default_rng(6)
    scores1, scores2 = np.round(rng.normal(size=(2, 6)) * 1000, 3)
    with pytest.warns(UserWarning, match="p is estimated .*, because the exact p-value needs"):
        found = paired_bootstrap_test(scores1, scores2, alternative="greater", rng=0)
    truth = all_resamples(np.rint(scores1 * 1000), np.rint(scores2 * 1000), "greater")
    assert found.pvalue_interval[0] <= float(truth) <= found.pvalue_interval[1]


def test_the_largest_sums_that_are_floats():
    for n in (2, 3, 7, 100):
        largest = sys.float_info.max / (2.0001 * n)
        scores1, scores2 = [0.3, *[largest] * (n - 1)], [-largest] * n
        found = paired_bootstrap_test(scores1, scores2, rng=0, n_resamples=999)
        json.dumps(found.to_dict(), allow_nan=False)
        with pytest.raises(InputError, match="their sums must be floats"):
            paired_bootstrap_test([1.001 * x for x in scores1], scores2)


def test_a_null_distribution_beyond_floats():
    """P is known by exact comparisons, though floats cannot hold the law."""
    one, two = [[1e12, 0.0], [1e-3, 40.9]], [[0.1, 1000.0], [7.9e280, 2.7e-119]]
    result = paired_permutation_test(one, two, score=ACCURACY)
    assert result.fraction == 1


@pytest.mark.parametrize(
    ("one", "two", "alternative"),
    [
        ([[2, 2], [10**10, 7], [7, 3 * 10**9]], [[2, 2], [10**10, 7], [7, 3 * 10**9]], "less"),
        ([[10**10, 2], [2, 3 * 10**9]], [[10**10, 2], [5, 3 * 10**9]], "two-sided"),
    ],
)
def test_sizes_too_different_to_be_laid_out_are_sampled(one, two, alternative):
    options = {
        "score": Ratio([1, 0], [0, 1]),
        "alternative": alternative,
        "budget": {"max_points": 1},
    }
    with pytest.warns(UserWarning, match="p is estimated .*, because the percentiles of a ratio"):
        found = paired_bootstrap_test(one, two, rng=0, **options)
    assert found.method == "monte_carlo"
