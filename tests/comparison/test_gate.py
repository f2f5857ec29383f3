"""The gate: its verdicts follow from p, the lead and the interval; the loss it could see."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.pilots import f1_pilot, labels
from oracles import flips as oracle
from pairedperm import (
    adjust,
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    gate,
    gate_suite,
    paired_permutation_test,
    power,
)
from pairedperm.population.shares import exact_interval
from properties import cases, generators

SCORES = {"metric": "mean_score"}


@st.composite
def situations(draw):
    wins, losses = draw(st.integers(0, 14)), draw(st.integers(0, 14))
    asked = draw(st.sampled_from(["", "better", 0.02, 0.1, 0.3]))
    n = wins + losses + draw(st.integers(2, 40))
    return (wins, losses, n), asked, draw(st.sampled_from([0.01, 0.05, 0.2]))


@pytest.mark.filterwarnings("ignore:`margin` is")  # above both scores, which is as it may be
@cases(0.5)
@given(situations())
def test_it_follows_from_p_the_lead_and_the_interval(situation):
    """Of right answers, of scores and of errors; never is it significant both ways."""
    (wins, losses, n), asked, alpha = situation
    one, two, right = labels(wins, losses, n)
    is_significant = oracle.pvalue(wins, losses) <= alpha
    expected = "fail" if is_significant and losses > wins else "pass"
    if asked == "better":
        expected = "pass" if is_significant and wins > losses else "fail"
    elif asked:
        low, _ = exact_interval(wins, losses, n, 1.0 - 2.0 * alpha)
        expected = expected if expected == "fail" else "inconclusive"
        expected = "pass" if low > -asked else expected
    errors = [[1 - x for x in column] for column in (one, two)]
    loss = {"lower_is_better": True, "score_range": (0, 1)}
    results = [compare(one, two, right), compare(*errors, None, **SCORES, **loss)]
    if not isinstance(asked, float):  # others have another interval of a margin
        sets = [[[x] for x in column] for column in (one, two, right)]
        results += [paired_permutation_test(one, two), compare(*sets, "hamming_loss")]
    options = {"require": asked} if asked == "better" else {"margin": asked or None}
    for result in results:
        assert gate(result, alpha=alpha, **options).verdict == expected
    there, back = (gate(compare(*x, right), alpha=alpha) for x in ((one, two), (two, one)))
    assert there.passed or back.passed
    better = gate(compare(two, one, right), alpha=alpha, require="better")
    assert better.passed == (not there.passed)


@cases(0.5)
@given(generators)
def test_real_scores_follow_from_the_test_and_the_margin(rng):
    one, two = rng.normal(rng.normal(0, 0.3), 1, 40).round(2), rng.normal(0, 1, 40).round(2)
    result = paired_permutation_test(one, two)
    margin = float(rng.uniform(0.05, 0.8))
    found, equivalence = gate(result, margin=margin), equivalence_test(result, margin=margin)
    is_worse = result.pvalue <= 0.05 and result.statistic < 0.0
    assert found.passed == (equivalence.interval.low > -margin)
    assert (found.verdict == "fail") == (is_worse and not found.passed)
    assert gate(result).verdict == ("fail" if is_worse else "pass")


def test_with_a_margin_the_interval_decides():
    """All gain, or lose, 0.05: p is small and the outputs differ, but a few may lose by far."""
    columns = [1.0] * 8, [0.95] * 8
    for pair in (columns, columns[::-1]):
        result = compare(*pair, None, **SCORES, score_range=(0, 1), constant="system")
        found = gate(result, margin=0.04)
        assert (found.verdict, found.test.pvalue) == ("inconclusive", 2.0**-7)
        assert found.equivalence.interval.includes_0
    assert gate(result).verdict == "fail"  # p alone


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
    assert "is significantly higher than" in str(suite)
    worse = gate_suite(compare_suite({"a": (*columns[1::-1], columns[2])}), alpha=alpha)
    assert worse.reasons == ("worse on average", "worse on tasks")
    board = compare_many({"a": columns[0], "b": columns[1]}, columns[2], alpha=alpha)
    assert board.tiers == {"a": 1, "b": 2}
    assert power((1.0, 0.0), 5, alpha).power == 1.0
    assert adjust([result, result]) == [2 * alpha] * 2


# What it could see


@pytest.mark.parametrize(
    ("flips", "alpha"),
    [
        *(((2, 8, 40), 0.05), ((5, 5, 60), 0.05)),
        *(((1, 1, 9), 0.05), ((0, 3, 10_000), 0.05)),
    ],
)
def test_the_detectable_loss_of_labels(flips, alpha):
    """As many are gained as were: with that loss the power is enough, and with less it is not."""
    gained, n = flips[0] / flips[2], flips[2]
    found = gate(compare(*labels(*flips)), alpha=alpha).detectable
    if n == 10_000:  # six are significant, and about eight have the power
        assert found == pytest.approx(8e-4, rel=0.05)
        return

    def power_of(loss):
        return float(oracle.power(gained, gained + loss, n, alpha)[0])

    if found is None:
        assert power_of(1.0 - 2.0 * gained) < 0.8
    else:
        assert power_of(found) >= 0.8 > power_of(0.96 * found)


def test_the_detectable_loss_of_other_scores():
    """So many standard errors."""
    rng = np.random.default_rng(4)
    one, two = rng.normal(0.0, 1.0, (2, 50)).round(3)
    error, normal = np.std(one - two, ddof=1) / math.sqrt(50), NormalDist().inv_cdf
    for alpha in (0.05, 0.01):
        found = gate(paired_permutation_test(one, two), alpha=alpha)
        errors = normal(1.0 - alpha / 2.0) + normal(0.8)
        assert found.detectable == pytest.approx(errors * error)
    found = gate(f1_pilot(), margin=0.05)
    assert (found.verdict, found.equivalence.interval.method) == ("pass", "studentised bootstrap")
    errors = normal(0.975) + normal(0.8)
    assert found.detectable == pytest.approx(errors * found.test.standard_error)


@pytest.mark.parametrize("n_ties", [0, 20])
@pytest.mark.parametrize(("n", "alpha"), [(4, 0.05), (5, 0.07), (5, 0.06), (6, 0.05), (5, 2.0**-4)])
def test_a_loss_is_detected_where_p_may_be_so_small(n, alpha, n_ties):
    """Of n that differ p is at least 2 / 2^n, if the scores are no labels."""
    ties = np.zeros(n_ties)
    scores = np.append(0.25 + np.arange(n) ** 2, ties), np.append(np.ones(n), ties)
    found = gate(paired_permutation_test(*scores, constant="system"), alpha=alpha)
    assert found.test.n_differing == n
    assert (found.detectable is None) == (2.0 ** (1 - n) > alpha)


# Margins that so few examples, or ties, cannot show


@pytest.mark.parametrize(
    ("flips", "margin", "alpha", "fewest"),
    [
        ((0, 1, 100), 0.01, 0.05, 299),
        ((0, 0, 100), 0.02, 0.01, 228),  # log 0.01 / log 0.98 is 227.9
        ((0, 0, 299), 0.01, 0.05, None),  # passes
        ((5, 9, 300), 0.01, 0.05, None),  # as many
        ((30, 2, 100), 0.01, 0.05, None),  # passes, being better
        ((0, 0, 100), None, 0.05, None),
    ],
    ids=str,
)
def test_fewest_that_can_pass(flips, margin, alpha, fewest):
    """Without a loss the interval ends at 1 - α^(1/n): so many are enough, one fewer is not."""
    found, *others = (
        gate(compare(*labels(*x)), margin=margin, alpha=alpha)
        for x in (flips, *((0, 0, fewest - k) for k in range(2) if fewest))
    )
    assert found.fewest_to_pass == fewest
    assert [x.passed for x in others] == ([True, False] if fewest else [])


RIGHT, SAID = [1] * 50 + [0] * 950, [1] * 40 + [0] * 960
TIES, QUARTERS = [1] * 100, [0.25] * 40
FOURS, UNEVEN = np.arange(100) // 4, [min(k, 40) for k in range(100)]


@pytest.mark.parametrize(
    ("result", "margin", "method", "fewest"),
    [
        # recall counts examples of the label, of which there are as many among further ones
        (lambda: compare(SAID, SAID, RIGHT, "recall"), 0.01, "exact", 299 * 20),
        # how large a loss may be only a known range says, or scores that are all 0 or 1
        (lambda: compare(QUARTERS, QUARTERS, None, **SCORES), 0.1, None, None),
        (lambda: paired_permutation_test([0, 5] * 20, [0, 5] * 20), 0.005, None, None),
        (
            lambda: compare(QUARTERS, QUARTERS, None, **SCORES, score_range=(0, 5)),
            *(0.1, "guaranteed", None),
        ),
        # accuracy has a range; a corpus that is scored as one says nothing of examples
        (lambda: compare(TIES, TIES, TIES, groups=FOURS), 0.01, "guaranteed", None),
        (lambda: compare(TIES, TIES, TIES, "f1", groups=FOURS), 0.01, None, None),
        (lambda: compare(TIES, TIES, TIES, groups=UNEVEN), 0.05, None, None),
    ],
)
def test_ties_of_other_scores(result, margin, method, fewest):
    found = gate(result(), margin=margin)
    assert (found.verdict, found.fewest_to_pass) == ("inconclusive", fewest)
    assert (found.equivalence and found.equivalence.interval.method) == method


def test_too_few_scores_for_an_interval():
    """That nothing is known of the margin is a verdict, and no error, whatever p is."""
    scores = np.arange(9) + 0.25, np.zeros(9)
    for columns in (scores, scores[::-1]):
        found = gate(paired_permutation_test(*columns), margin=0.5)
        assert (found.test.pvalue, found.equivalence) == (2.0**-8, None)
        assert (found.verdict, found.reason) == ("inconclusive", "perhaps beyond the margin")
