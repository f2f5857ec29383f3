"""Equivalence: the verdicts, the interval, the size by enumeration, and what is said."""

import json
import pickle
from contextlib import nullcontext
from functools import cache

import numpy as np
import pytest

from corpora.pilots import labels
from oracles.paired_trinomial import masses
from pairedperm import (
    PairedCounts,
    Ratio,
    compare,
    equivalence_test,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.errors import NoIntervalError
from pairedperm.population.guaranteed import guaranteed_interval
from pairedperm.population.paired_shares import exact_interval
from properties import one_in

VERDICTS = {  # by wins, losses, n and margin
    (40, 10, 1000, 0.01): ("better", "better noninferior"),
    (40, 10, 1000, 0.05): ("better", "better noninferior equivalent"),
    (10, 40, 1000, 0.01): ("worse", "worse"),
    (10, 40, 1000, 0.05): ("worse", "worse noninferior equivalent"),
    (45, 40, 1000, 0.03): ("equivalent", "noninferior equivalent"),
    (45, 40, 1000, 0.015): ("not worse", "noninferior"),
    (40, 45, 1000, 0.015): ("inconclusive", ""),
    (0, 0, 1000, 0.01): ("equivalent", "noninferior equivalent"),
    (0, 0, 100, 0.01): ("inconclusive", ""),
}


@pytest.mark.parametrize(("case", "expected"), VERDICTS.items(), ids=str)
def test_verdicts(case, expected):
    wins, losses, n, margin = case
    found = equivalence_test(*labels(wins, losses, n), margin=margin)
    names = ("better", "worse", "noninferior", "equivalent")
    assert {name for name in names if getattr(found, name)} == set(expected[1].split())
    assert found.verdict == expected[0]
    assert found.interval_method == "exact"
    p = compare(*labels(wins, losses, n)).pvalue
    assert (found.better or found.worse) == (p <= 0.05)


def test_where_less_is_better():
    """Errors: 40 fewer."""
    one, two, right = ([[x] for x in column] for column in labels(50, 10, 1000))
    found = equivalence_test(one, two, right, "hamming_loss", margin=0.01)
    assert found.test.statistic < 0.0
    assert (found.better, found.noninferior, found.equivalent) == (True, True, False)
    found = equivalence_test(two, one, right, "hamming_loss", margin=0.01)
    assert (found.worse, found.noninferior) == (True, False)
    assert found.verdict == "worse"


def test_every_way_in():
    one, two, right = labels(45, 40, 1000)
    expected = equivalence_test(one, two, right, margin=0.03)
    for other in (
        equivalence_test(compare(one, two, right), margin=0.03),
        equivalence_test(one, two, right, "exact_match", margin=0.03),
        equivalence_test(one, two, None, "mean_score", score_range=(0, 1), margin=0.03),
        equivalence_test(paired_counts(one, two, right), margin=0.03),
    ):
        assert other.interval == expected.interval
        assert other.verdict == expected.verdict == "equivalent"
    for other in (
        equivalence_test(one, two, margin=0.03),
        equivalence_test(paired_permutation_test(one, two), margin=0.03),
        equivalence_test(PairedCounts.from_rows(one, two), margin=0.03),
    ):
        assert other.interval == expected.interval


def test_the_bootstrap_of_other_scores_and_of_groups():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 600)
    one, two = (np.where(rng.random(600) < x, gold, 1 - gold) for x in (0.8, 0.78))
    groups = np.arange(600) // 4
    for options in (
        {"metric": "f1", "pos_label": 1},
        {"metric": "f1", "groups": groups},
        {"groups": groups},
    ):
        found = equivalence_test(one, two, gold, margin=0.1, rng=3, **options)
        assert found.interval_method == "studentised bootstrap"
        result = compare(one, two, gold, **options)
        low, high = result.confidence_interval(0.9)
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)
    reals = equivalence_test(rng.normal(0, 1, 400), rng.normal(0, 1, 400), margin=0.3)
    assert reals.interval_method == "studentised bootstrap"
    assert reals.noninferior
    f1 = Ratio([2, 0, 0], [0, 1, 1])
    rows = rng.integers(1, 5, (2, 200, 3))
    assert equivalence_test(*rows, score=f1, margin=0.5).equivalent


def test_few_that_differ_have_the_guaranteed_interval():
    """If the range is known; otherwise there is none for a margin."""
    one, two = np.full(400, 0.5), np.full(400, 0.5)
    one[-1] = two[-1] = 0.4
    one[:29] += 0.1
    found = equivalence_test(one, two, None, "mean_score", score_range=(0, 1), margin=0.2)
    assert (found.interval_method, found.verdict) == ("guaranteed", "better")
    assert found.noninferior
    with pytest.raises(NoIntervalError, match="only 29 of 400 examples differ"):
        equivalence_test(one, two, None, "mean_score", margin=0.2)
    one[29] += 0.1
    found = equivalence_test(one, two, None, "mean_score", score_range=(0, 1), margin=0.2)
    assert found.interval_method == "studentised bootstrap"


def test_examples_that_all_differ_alike_have_the_guaranteed_interval():
    """Each loses 0.01 on a range of 1: 29, 30 and 1,000 of them show a loss below 0.3."""
    for n in (29, 30, 1000):
        found = equivalence_test(
            *([0.5] * n, [0.51] * n, None, "mean_score"),
            score_range=(0, 1),
            margin=0.3,
            constant="system",
        )
        assert (found.interval_method, found.noninferior) == ("guaranteed", True)
    assert [round(x, 4) for x in found.interval] == [-0.0144, -0.0055]


def test_the_largest_group():
    """Groups of several sizes have a guaranteed interval with the largest size they may have."""
    columns = [1] * 6 + [0] * 3, [1] * 7 + [0] * 2, [1] * 9
    ids = [0, 0, 1, 1, 2, 2, 3, 4, 5]  # of three groups one differs
    with pytest.raises(NoIntervalError, match=r"too few .* largest size .* largest_group=N"):
        equivalence_test(*columns, groups=ids, margin=0.5)
    result = compare(*columns, groups=ids, largest_group=4)
    sums, sizes = np.array([0.0, -1.0, 0.0]), np.array([2, 1, 1])
    expected = guaranteed_interval(sums, np.array([3, 1, 2]), 1.0, 0.95, sizes, 4)
    assert result.confidence_interval() == pytest.approx(expected, rel=1e-12)
    assert result.confidence_interval().method == "guaranteed"
    assert "(guaranteed)" in str(result)
    found = equivalence_test(result, margin=0.9)
    assert found.interval_method == "guaranteed"
    assert found.interval == result.confidence_interval(0.9)
    assert pickle.loads(pickle.dumps(result)).confidence_interval() == pytest.approx(expected)
    alone = compare(*columns, largest_group=1).confidence_interval()
    assert alone == compare(*columns).confidence_interval()
    assert alone.method == "exact"


def test_what_is_said():
    found = equivalence_test(*labels(10, 40, 1000), margin=0.05)
    assert found.summary("small", "large", dataset="dev") == (
        "On dev, the accuracy of small is significantly worse than that of large, yet within 5 "
        "percentage points: 96.00% against 99.00%. The difference is -3.00 percentage points (90% "
        "exact confidence interval -4.29 to -1.73). The exact two-sided paired-permutation "
        "test gives p = 2.39e-5 (n = 1,000, α = 0.05)."
    )
    assert max(map(len, str(found).splitlines())) <= 80
    as_dict = found.to_dict()
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    assert as_dict["verdict"] == "worse"
    assert (as_dict["confidence_level"], as_dict["margin"], as_dict["alpha"]) == (0.9, 0.05, 0.05)


SENTENCES = {
    (40, 10, 1000, 0.01): "better than that of system 2, by 1 percentage point or more: ",
    (40, 10, 1000, 0.02): "better than that of system 2, perhaps by 2 percentage points or more: ",
    (10, 40, 1000, 0.01): "worse than that of system 2, by 1 percentage point or more: ",
    (10, 40, 1000, 0.04): "worse than that of system 2, perhaps by 4 percentage points or more: ",
    (10, 40, 1000, 0.05): "is significantly worse than that of system 2, yet within 5 perc",
    (45, 40, 1000, 0.03): "is equivalent to that of system 2 within 3 percentage points: ",
    (45, 40, 1000, 0.015): "is not worse than that of system 2 by 1.5 percentage points or more",
    (40, 45, 1000, 0.015): "Nor are the two shown to be equivalent within 1.5 percentage points.",
}


@pytest.mark.parametrize(("case", "text"), SENTENCES.items(), ids=str)
def test_every_statement_is_in_the_sentence(case, text):
    wins, losses, n, margin = case
    assert text in equivalence_test(*labels(wins, losses, n), margin=margin).summary()


@pytest.mark.parametrize(
    ("scores", "margin", "warns"),
    [
        (([0.25, 0.5] * 20, [0.5, 0.4] * 20), 0.25, True),
        (([0.25, 0.5] * 20, [0.5, 0.4] * 20), 0.24, False),
        (([10, 90] * 20, [20, 80] * 20), 80, True),
    ],
    ids=lambda x: "" if isinstance(x, tuple) else str(x),
)
def test_margins_beyond_all_scores(scores, margin, warns):
    """Of scores without a metric nobody knows the unit."""
    context = (
        pytest.warns(UserWarning, match="Is it in units of the score") if warns else nullcontext()
    )
    with context:
        assert equivalence_test(*scores, margin=margin).margin == margin


@one_in(5)
@pytest.mark.parametrize("n", [10, 25])
@pytest.mark.parametrize("margin", [0.05, 0.1, 0.3])
def test_size_at_the_margin(n, margin):
    """Of all outcomes of a system that is worse by the margin, those that are called not worse."""
    low = cache(lambda wins, losses: exact_interval(wins, losses, n, 0.9)[0])
    for share in (margin, 0.35, 0.7, 1.0):
        wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        wins, losses = wins[wins + losses <= n], losses[wins + losses <= n]
        mass = masses(wins, losses, n, (share - margin) / 2, (share + margin) / 2)
        likely = mass > 1e-7
        size = sum(
            m
            for w, k, m in zip(wins[likely], losses[likely], mass[likely], strict=True)
            if low(int(w), int(k)) > -margin
        )
        assert size <= 0.05
