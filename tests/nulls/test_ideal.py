"""The bootstrap of all resamples: known answers, hard cases, percentiles, and what "auto" spends.

Means and ratios in general are asked by the campaign on exactness, and all resamples of few
examples by each contract.
"""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles import draws as boot
from pairedperm import Budget, PairedCounts, Ratio, paired_bootstrap_test
from pairedperm.nulls import draws
from properties import cases, generators

SHARE = Ratio([1, 0], [0, 1])
STRICT = {"ties": "exclude"}
GREATER, LESS = {"alternative": "greater"}, {"alternative": "less"}


def sentences(rng, n):
    """Correct labels and labels of n sentences, some empty: a column for each system."""
    size = rng.integers(0, 6, n)
    size[0] += not size.any()
    return [np.stack((rng.binomial(size, share), size), axis=1) for share in (0.7, 0.6)]


def all_or_nothing(n, n_empty):
    """System 1 is always right, 2 never: they tie only in resamples of empty examples alone."""
    size = (np.arange(n) >= n_empty).astype(int)
    return [np.stack((x, size), axis=1) for x in (size, 0 * size)]


ROWS = sentences(np.random.default_rng(4), 25)
SAME = [np.stack((x[:, 0], np.full(25, 5)), axis=1) for x in ROWS]
SHIFTED = [np.stack((x[:, 0] + 1, 0 * x[:, 0] + 1, x[:, 1]), axis=1) for x in ROWS]
EMPTY = np.array([[[2, 2], [0, 0], [0, 0], [1, 3]], [[1, 2], [0, 0], [0, 0], [3, 3]]])
ASKED = [x | y for x in ({}, GREATER, LESS) for y in ({}, STRICT)]
LARGE = [2**60, 2**60 + 5, 2**60 - 9, 2**60 + 2]


def of_rows(one, two, **options):
    return boot.common_pvalue(one[:, 0], two[:, 0], one[:, 1], **options)


@pytest.mark.parametrize(
    ("p", "one", "two", "options"),
    [
        # sums 0, 1, 2 in 1, 2, 1 of 4 resamples; the observed one is 1
        (Fraction(1, 2), [1, 0], [0, 0], {}),
        (0, [1, 0], [0, 0], STRICT),
        (Fraction(1, 4), [1, 0], [0, 0], GREATER),
        # the mean of three is 0 if neither is drawn, 1 of 27, or each once, 6 of 27
        (Fraction(20, 27), [1, -1, 0], [0] * 3, STRICT),
        # decimals tie as decimals
        (Fraction(21, 27), [0.1, 0.2, -0.3], [0] * 3, STRICT),
        (1, [0.7, 0.1], [0.5, 0.3], {}),
        # all wins: no resample has a mean of 0, or twice the mean
        (0, [3, 4, 5] * 30, [0] * 90, {}),
        (1, [3, 4, 5] * 30, [0] * 90, LESS),
        (1, [-0.3, -0.4], [0, 0], GREATER | STRICT),
        # all differences are the same, and so are all resamples
        (0, [1 / 3] * 9, [0] * 9, {}),
        (0, [3] * 30_000, [1] * 30_000, GREATER),
        # one that is not won: drawn always
        (Fraction(1, 10**10), [1] * 9 + [0], [0] * 10, {}),
        (
            boot.mean_pvalue([101] + [50] * 199, [0] * 200, "greater"),
            [101] + [50] * 199,
            [0] * 200,
            GREATER,
        ),
        # no difference
        (0, [0, 1, 1], [0, 1, 1], STRICT),
        # only empty examples tie
        (Fraction(1, 256), *all_or_nothing(4, 1), {"score": SHARE}),
        (0, *all_or_nothing(50, 25), {"score": SHARE} | STRICT),
        (Fraction(1, 2**50), *all_or_nothing(50, 25)[::-1], {"score": SHARE}),
        (1, *all_or_nothing(50, 25), {"score": SHARE} | LESS | STRICT),
        # resamples of empty examples alone have no difference, which is on either side of 2δ
        *((of_rows(*EMPTY, **x), *EMPTY, {"score": SHARE} | x) for x in ASKED),
        # differences are small, and scores are not
        (boot.mean_pvalue([3, -1, 2, 2], [0] * 4), np.add(LARGE, [3, -1, 2, 2]), LARGE, {}),
        # whatever the unit and the weights are, and if all sizes are one
        (of_rows(*ROWS), *ROWS, {"score": Ratio([2, 0], [0, 3])}),
        (of_rows(*ROWS), *(x / 10 for x in ROWS), {"score": SHARE}),
        (of_rows(*ROWS), *SHIFTED, {"score": Ratio([1, -1, 0], [0, 0, 1])}),
        (of_rows(*SAME), *SAME, {"score": SHARE}),
    ],
)
def test_known_answers(p, one, two, options):
    result = paired_bootstrap_test(one, two, method="exact", **options)
    boot.assert_is(result, Fraction(p))
    if p in (0, 1):
        assert result.pvalue_interval == (p, p)


@pytest.mark.parametrize("n", [3, 12])
@cases(0.02)
@given(rng=generators)
def test_percentiles_of_ratios(n, rng):
    """They are within a part of the standard error."""
    one, two = sentences(rng, n)
    for level, otherwise in ((0.8, 0.0), (0.99, 0.5)):
        options = {
            "score": Ratio([1, 0], [0, 1], zero_division=otherwise),
            "confidence_level": level,
        }
        result = paired_bootstrap_test(one, two, **options)
        intervals = result.confidence_interval(), result.score1_interval, result.score2_interval
        columns = one[:, 0] - two[:, 0], one[:, 0], two[:, 0]
        for found, column, if_none in zip(
            intervals, columns, (0, otherwise, otherwise), strict=True
        ):
            law = boot.common_law(column, one[:, 1], if_none)
            ends = [float(x) for x in boot.percentiles(law, level)]
            assert found == pytest.approx(ends, abs=0.05 * boot.spread(law))


@pytest.mark.parametrize(
    ("level", "interval"),
    [(0.5, (0.0, 1.0)), (0.49, (0.5, 0.5)), (0.999999999999, (0.0, 1.0))],
)
def test_a_percentile_may_be_reached_exactly(level, interval):
    """P(0) = P(1) = 1/4, which is α/2."""
    result = paired_bootstrap_test([1, 0], [0, 0], confidence_level=level)
    assert result.confidence_interval() == interval


@cases(0.02)
@given(rng=generators)
def test_the_interval_of_any_level(rng):
    """It is that of all resamples, whatever the level of the test was; a pickle has it too."""
    one, two = rng.integers(0, 4, (2, 9)).tolist()
    found = pickle.loads(pickle.dumps(paired_bootstrap_test(one, two, confidence_level=0.9)))
    law = boot.mean_law(boot.differences(one, two))
    for level in (0.5, 0.9, 0.95, 0.999):
        ends = boot.percentiles(law, level)
        assert found.confidence_interval(level) == tuple(map(float, ends))
        assert found.confidence_interval(level).method == "percentile"
    assert found.confidence_interval() == found.confidence_interval(0.9)
    assert found.confidence_level == 0.9


def test_a_billion_examples():
    counts = PairedCounts([1, 0], [0, 1], [10**9, 10**9 - 10**4])
    result = paired_bootstrap_test(counts)
    assert result.pvalue_kind == "certified"
    assert result.pvalue == pytest.approx(0.8231, rel=1e-3)  # erfc(10^4 / √(4·10^9))


def test_auto_spends_less_than_exact(monkeypatch):
    """Without a budget, "auto" samples where "exact" would still compute."""
    counts = np.random.default_rng(0).integers(0, 3000, (2, 200))
    exact = paired_bootstrap_test(*counts, method="exact")
    monkeypatch.setattr(draws, "_QUICK", Budget(max_points=1))
    with pytest.warns(UserWarning, match="p is estimated .*`max_points` of `budget` allows 1[.]"):
        assert paired_bootstrap_test(*counts).method == "monte_carlo"
    assert paired_bootstrap_test(*counts, budget={"max_points": 2**24}).pvalue == exact.pvalue
