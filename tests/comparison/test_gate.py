"""The gate: its verdicts, its size by enumeration."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.pilots import labels
from oracles import flips as oracle
from oracles.paired_trinomial import masses
from pairedperm import (
    adjust,
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    paired_permutation_test,
    power,
)
from pairedperm.population.paired_shares import exact_interval
from properties import cases, generators

VERDICTS = {  # by wins, losses, n and options
    (2, 8, 100, ""): ("pass", "not shown worse"),
    (10, 1, 100, ""): ("pass", "better"),
    (1, 10, 100, ""): ("fail", "worse"),
    (0, 6, 6, ""): ("fail", "worse"),
    (0, 5, 5, ""): ("pass", "not shown worse"),
    (0, 0, 100, ""): ("pass", "not shown worse"),
    (10, 1, 100, "better"): ("pass", "better"),
    (8, 2, 100, "better"): ("fail", "not shown better"),
    (1, 10, 100, "better"): ("fail", "not shown better"),
    (0, 0, 100, "better"): ("fail", "not shown better"),
    (40, 10, 1000, 0.01): ("pass", "better"),
    (45, 40, 1000, 0.015): ("pass", "within the margin"),
    (10, 40, 1000, 0.05): ("pass", "worse within the margin"),
    (10, 40, 1000, 0.01): ("fail", "worse, perhaps beyond the margin"),
    (0, 0, 1000, 0.01): ("pass", "within the margin"),
}
OPEN = ((40, 45, 1000, 0.015), (2, 8, 100, 0.03), (0, 0, 100, 0.01), (5, 2, 20, 0.02))


def options_of(asked):
    if not asked:
        return {}
    return {"require": asked} if asked == "better" else {"margin": asked}


@pytest.mark.parametrize(("case", "expected"), VERDICTS.items(), ids=str)
def test_verdicts(case, expected):
    *flips, asked = case
    found = gate(compare(*labels(*flips)), **options_of(asked))
    assert (found.verdict, found.reason) == expected
    assert found.passed == (expected[0] == "pass")
    assert found.exit_code == {"pass": 0, "fail": 1}[expected[0]]
    assert (found.margin is None) == (asked in ("", "better"))
    assert (found.equivalence is None) == (found.margin is None)


@pytest.mark.parametrize("case", OPEN, ids=str)
def test_inconclusive(case):
    *flips, margin = case
    found = gate(compare(*labels(*flips)), margin=margin)
    assert (found.verdict, found.exit_code, found.passed) == ("inconclusive", 3, False)
    assert found.reason == "perhaps beyond the margin"
    assert not found.equivalence.noninferior
    assert found.equivalence.low <= -margin


@st.composite
def situations(draw):
    wins, losses = draw(st.integers(0, 14)), draw(st.integers(0, 14))
    asked = draw(st.sampled_from(["", "better", 0.02, 0.1, 0.3]))
    n = wins + losses + draw(st.integers(2, 40))
    return wins, losses, n, asked, draw(st.sampled_from([0.01, 0.05, 0.2]))


def columns_of_errors(one, two, right):
    """Of a score that is lower where the labels are right."""
    return (
        [int(x != y) for x, y in zip(one, right, strict=True)],
        [int(x != y) for x, y in zip(two, right, strict=True)],
    )


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:`margin` is")  # above both scores, which is as it may be
@cases(0.25)
@given(situations())
def test_it_follows_from_p_the_lead_and_the_interval(situation):
    wins, losses, n, asked, alpha = situation
    one, two, right = labels(wins, losses, n)
    is_significant = oracle.pvalue(wins, losses) <= alpha
    expected = "fail" if is_significant and losses > wins else "pass"
    if asked == "better":
        expected = "pass" if is_significant and wins > losses else "fail"
    elif asked:
        low, _ = exact_interval(wins, losses, n, 1.0 - 2.0 * alpha)
        expected = expected if expected == "fail" else "inconclusive"
        expected = "pass" if low > -asked else expected
    errors = columns_of_errors(one, two, right)
    loss = {"metric": "mean_score", "lower_is_better": True, "score_range": (0, 1)}
    results = [compare(one, two, right), compare(*errors, None, **loss)]
    if not isinstance(asked, float):  # others have another interval of a margin
        sets = [[[x] for x in column] for column in (one, two, right)]
        results += [paired_permutation_test(one, two), compare(*sets, "hamming_loss")]
    for result in results:
        found = gate(result, alpha=alpha, **options_of(asked))
        assert found.verdict == expected
        assert found.exit_code == {"pass": 0, "fail": 1, "inconclusive": 3}[expected]


@cases(0.2)
@given(situations())
def test_never_significant_both_ways(situation):
    wins, losses, n, _, alpha = situation
    one, two, right = labels(wins, losses, n)
    there, back = (gate(compare(*x, right), alpha=alpha) for x in ((one, two), (two, one)))
    assert there.passed or back.passed
    assert (there.passed and back.passed) or there.test.pvalue <= alpha
    better = gate(compare(two, one, right), alpha=alpha, require="better")
    assert better.passed == (not there.passed)


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_either_direction(lower_is_better):
    """The first is lower: better only where less is."""
    low, high = [0.1, 0.2, 0.3] * 10, [0.2, 0.25, 0.5] * 10
    options = {"metric": "mean_score", "lower_is_better": lower_is_better}
    found = gate(compare(low, high, None, **options))
    assert found.verdict == ("pass" if lower_is_better else "fail")
    assert gate(compare(high, low, None, **options)).verdict == (
        "fail" if lower_is_better else "pass"
    )
    margin = gate(compare(low, high, None, **options), margin=0.05)
    assert margin.verdict == ("pass" if lower_is_better else "fail")


# Its size


@pytest.mark.thorough
@pytest.mark.parametrize(("share", "alpha"), [(0.2, 0.2), (0.9, 0.05)])
def test_equal_systems_fail_at_most_half_of_alpha(share, alpha):
    """Of all outcomes of nine examples on which neither system is better."""
    n = 9
    failed = passed = 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            result = compare(*labels(wins, losses, n))
            mass = float(masses(np.array([wins]), np.array([losses]), n, share / 2, share / 2)[0])
            failed += mass * (gate(result, alpha=alpha).verdict == "fail")
            passed += mass * gate(result, alpha=alpha, require="better").passed
    assert failed == pytest.approx(passed)
    assert failed <= alpha / 2.0
    assert failed > 0.0


@cases(0.5)
@given(generators)
def test_real_scores_follow_from_the_test_and_the_margin(rng):
    one, two = rng.normal(rng.normal(0, 0.3), 1, 40).round(2), rng.normal(0, 1, 40).round(2)
    result = paired_permutation_test(one, two)
    margin = float(rng.uniform(0.05, 0.8))
    found, equivalence = gate(result, margin=margin), equivalence_test(result, margin=margin)
    is_worse = result.pvalue <= 0.05 and result.statistic < 0.0
    assert found.passed == (equivalence.low > -margin)
    assert (found.verdict == "fail") == (is_worse and not found.passed)
    assert gate(result).verdict == ("fail" if is_worse else "pass")


@pytest.mark.thorough
def test_equal_systems_of_real_scores_seldom_fail():
    """Of 1,000 draws, which 25 are expected of, and 45 are four deviations above."""
    rng = np.random.default_rng(7)
    failed = sum(
        gate(paired_permutation_test(*rng.normal(0, 1, (2, 15)).round(2))).verdict == "fail"
        for _ in range(1000)
    )
    assert 5 < failed < 45


@pytest.mark.thorough
def test_systems_that_are_worse_by_the_margin_seldom_pass():
    n, share, margin, passed = 40, 0.3, 0.1, 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            pair = np.array([wins]), np.array([losses])
            mass = float(masses(*pair, n, (share - margin) / 2, (share + margin) / 2)[0])
            if mass > 1e-5:
                passed += mass * gate(compare(*labels(wins, losses, n)), margin=margin).passed
    assert 0.01 < passed < 0.07


@pytest.mark.parametrize(
    ("flips", "options", "fewest"),
    [
        ((0, 0, 100), {"margin": 0.01}, 299),
        ((0, 1, 100), {"margin": 0.01}, 299),
        ((0, 0, 100), {"margin": 0.02, "alpha": 0.01}, 228),  # log 0.01 / log 0.98 is 227.9
        ((0, 0, 299), {"margin": 0.01}, None),  # passes
        ((5, 9, 300), {"margin": 0.01}, None),  # as many
        ((30, 2, 100), {"margin": 0.01}, None),  # passes, being better
        ((0, 0, 100), {}, None),
    ],
    ids=str,
)
def test_fewest_that_can_pass(flips, options, fewest):
    """Without a loss the interval ends at 1 - α^(1/n)."""
    found = gate(compare(*labels(*flips)), **options)
    assert found.fewest_to_pass == found.to_dict()["fewest_to_pass"] == fewest
    assert (f"takes at least {fewest} examples" in " ".join(str(found).split())) == bool(fewest)


def test_fewest_of_groups_and_of_other_scores():
    """Only the exact interval of wins and losses tells. Recall counts examples of the label."""
    right, said = [1] * 50 + [0] * 950, [1] * 40 + [0] * 960
    assert gate(compare(said, said, right, "recall"), margin=0.01).fewest_to_pass == 5980
    scores = {"metric": "mean_score", "score_range": (0, 5)}
    found = gate(compare([0.25] * 40, [0.25] * 40, None, **scores), margin=0.1)
    assert (found.verdict, found.fewest_to_pass) == ("inconclusive", None)


def skewed(n, n_large, small=0.05, large=0.95):
    """Scores of which a few differ by much, on the other side than all others."""
    one = [1.0] * (n - n_large) + [1.0 - large] * n_large
    return one, [1.0 - small] * (n - n_large) + [1.0] * n_large


@pytest.mark.parametrize("n", [8, 40])
def test_with_a_margin_the_interval_decides(n):
    """Gains of 0.05 on 90 %, losses of 0.95 on 10 %: the loss, 0.05, is above the margin.

    p is at most 0.05 in 43 % of all samples of 8, and the outputs differ; it decides nothing.
    """
    options = {"metric": "mean_score", "score_range": (0, 1), "constant": "system"}
    passed = 0.0
    for k in range(n + 1):
        result = compare(*skewed(n, k), None, **options)
        found = gate(result, margin=0.04)
        assert found.verdict != "fail" or not found.equivalence.interval.includes_0
        passed += math.comb(n, k) * 0.1**k * 0.9 ** (n - k) * found.passed
    assert passed <= 0.05
    result = compare(*skewed(8, 0), None, **options)
    found = gate(result, margin=0.04)
    assert (found.verdict, found.test.pvalue) == ("inconclusive", 2.0**-7)
    assert "The outputs differ; the interval of the difference includes 0." in str(found)
    assert "The outputs differ; the interval of the difference includes 0." in str(result)
    assert "The outputs differ; the interval of the difference includes 0." in result.summary()
    worse = gate(compare(*skewed(8, 0)[::-1], None, **options), margin=0.04)
    assert (worse.verdict, worse.reason) == ("inconclusive", "perhaps beyond the margin")
    assert gate(worse.test).verdict == "fail"  # p alone


def test_p_of_exactly_alpha_is_small_enough():
    """Of 5 wins, 2 / 2^5 = 1/16: everywhere."""
    columns, alpha = ([1] * 5, [0] * 5, [1] * 5), 1 / 16
    result, turned = compare(*columns), compare(*columns[1::-1], columns[2])
    assert result.pvalue == alpha
    assert "significantly higher" in result.summary(alpha=alpha)
    assert gate(result, require="better", alpha=alpha).passed
    assert gate(turned, alpha=alpha).reason == "worse"
    assert equivalence_test(result, margin=0.5, alpha=alpha).verdict == "better"
    intervals = [x.confidence_interval(1.0 - alpha) for x in (result, turned)]
    assert (intervals[0].low, intervals[1].high) == (0.0, 0.0)
    suite = compare_suite({"a": columns}, alpha=alpha)
    assert suite.p_adjusted == {"a": alpha}
    assert "a significant difference at α = 0.0625" in str(suite)
    worse = gate_suite(compare_suite({"a": (*columns[1::-1], columns[2])}), alpha=alpha)
    assert worse.reasons == ("worse on average", "worse on tasks")
    board = compare_many({"a": columns[0], "b": columns[1]}, columns[2], alpha=alpha)
    assert board.tiers == {"a": 1, "b": 2}
    assert power((1.0, 0.0), 5, alpha).power == 1.0
    assert examples_needed((1.0, 0.0), 0.8, alpha).n_examples == 5
    assert adjust([result, result]) == [2 * alpha] * 2
