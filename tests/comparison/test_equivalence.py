"""Equivalence: the verdicts, the interval, the size by enumeration, what is said and refused."""

import json
import math
import re
from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest

from corpora.pilots import labels
from oracles.paired_trinomial import masses, score_ends
from pairedperm import (
    InputError,
    PairedCounts,
    Ratio,
    compare,
    equivalence_test,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.results.score_interval import score_interval
from properties import one_in, some

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
    assert found.interval_method == "Tango score"
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
        equivalence_test(one, two, margin=0.03),
        equivalence_test(paired_permutation_test(one, two), margin=0.03),
        equivalence_test(PairedCounts.from_rows(one, two), margin=0.03),
    ):
        assert (other.low, other.high) == (expected.low, expected.high)
        assert other.verdict == expected.verdict == "equivalent"


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
        low, high, _ = result.confidence_interval(0.9)
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)
    reals = equivalence_test(rng.normal(0, 1, 400), rng.normal(0, 1, 400), margin=0.3)
    assert reals.interval_method == "studentised bootstrap"
    assert reals.noninferior
    f1 = Ratio([2, 0, 0], [0, 1, 1])
    rows = rng.integers(1, 5, (2, 200, 3))
    assert equivalence_test(*rows, score=f1, margin=0.5).equivalent


@one_in(2)
@pytest.mark.parametrize("case", some([*VERDICTS], every=3), ids=str)
def test_the_interval_is_tangos(case):
    wins, losses, n, margin = case
    found = equivalence_test(*labels(wins, losses, n), margin=margin)
    assert (found.low, found.high) == pytest.approx(score_ends(wins, losses, n, 0.9), abs=1e-12)


@one_in(2)
@pytest.mark.parametrize(
    ("margin", "n"), some([*product((0.02, 0.05, 0.1), (30, 100, 300))], every=2)
)
def test_size_at_the_margin(n, margin):
    """Of all outcomes of a system that is worse by the margin, those that are called not worse."""
    for share in (margin, 0.15, 0.3, 0.7):
        wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        wins, losses = wins[wins + losses <= n], losses[wins + losses <= n]
        mass = masses(wins, losses, n, (share - margin) / 2, (share + margin) / 2)
        likely = mass > 1e-5
        size = sum(
            m
            for w, k, m in zip(wins[likely], losses[likely], mass[likely], strict=True)
            if score_interval(int(w), int(k), n, 0.9)[0] > -margin
        )
        assert size <= 0.07
        assert size >= 0.01 or share == margin


def test_what_is_said():
    found = equivalence_test(*labels(10, 40, 1000), margin=0.05)
    assert found.summary("small", "large", dataset="dev") == (
        "On dev, the accuracy of small is significantly worse than that of large, yet within 5 "
        "percentage points: 96.00% against 99.00%. The difference is -3.00 percentage points (90% "
        "asymptotic confidence interval -4.24 to -1.89). The exact two-sided paired-permutation "
        "test gives p = 2.39e-5 (n = 1,000, α = 0.05)."
    )
    assert max(map(len, str(found).splitlines())) <= 80
    as_dict = found.to_dict()
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    assert as_dict["verdict"] == "worse"
    assert (as_dict["confidence_level"], as_dict["margin"], as_dict["alpha"]) == (0.9, 0.05, 0.05)


SENTENCES = {
    (40, 10, 1000, 0.01): "is significantly better than that of system 2: ",
    (10, 40, 1000, 0.05): "is significantly worse than that of system 2, yet within 5 perc",
    (45, 40, 1000, 0.03): "is equivalent to that of system 2 within 3 percentage points: ",
    (45, 40, 1000, 0.015): "is not worse than that of system 2 by 1.5 percentage points or more",
    (40, 45, 1000, 0.015): "Nor are the two shown to be equivalent within 1.5 percentage points.",
}


@pytest.mark.parametrize(("case", "text"), SENTENCES.items(), ids=str)
def test_every_statement_is_in_the_sentence(case, text):
    wins, losses, n, margin = case
    assert text in equivalence_test(*labels(wins, losses, n), margin=margin).summary()


FEW = labels(5, 2, 50)


def sum_of(sums):
    return sums


def flat(sums):
    return np.floor(sums[..., 0] / 1e9)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (FEW, {"margin": 0}, "`margin` must be a positive number in units of the score"),
        (FEW, {"margin": -0.1}, "`margin` must be a positive number"),
        (FEW, {"margin": math.nan}, "`margin` must be a positive number"),
        (FEW, {"margin": math.inf}, "`margin` must be a positive number"),
        (FEW, {"margin": 10**400}, "`margin` must be a positive number"),
        (FEW, {"margin": np.float16(2)}, "`margin` must be below 1"),
        (FEW, {"margin": "1%"}, "`margin` must be a positive number"),
        (FEW, {"margin": 2}, "`margin` must be below 1, which no difference of accuracy exceeds"),
        (FEW, {"margin": 0.1, "alpha": 0.5}, "`alpha` must be from 1e-12 to below 0.5"),
        (FEW, {"margin": 0.1, "alpha": 1e-17}, "`alpha` must be from 1e-12 to below 0.5"),
        ((compare(*FEW),), {"margin": 0.1, "average": "macro"}, "give a result alone"),
        ((compare(*FEW),), {"margin": 0.1, "rng": 0}, "give a result alone"),
        ((compare(*FEW),), {"margin": 0.1, "method": "exact"}, "give a result alone"),
        ((compare(*FEW),), {"margin": 0.1, "ignore_label": 0}, "give a result alone"),
        ((["a"], ["b"], [["a"]]), {"margin": 101.0, "metric": "bleu"}, "`margin` must be below"),
        (
            ([0.5] * 40 + [0.25, 1.5] * 20, [0.25] * 40 + [0.0, 1.25] * 20),
            {"margin": 0.1, "score": flat},
            "the difference has no standard error",
        ),
        (FEW, {"margin": 0.1, "alpha": 0}, "`alpha` must be between 0 and 1"),
        (FEW, {"margin": 0.1, "groups": [1, 2] * 25}, "only 2 of 2 groups differ, too few"),
        (([0.5, 1, 2], [1, 2, 4.5]), {"margin": 0.1}, "only 3 of 3 examples differ, too few"),
        (
            ([1, 2], [1, 2], [1, 2]),
            {"margin": 0.1, "metric": "f1", "average": "macro"},
            "only 0 of",
        ),
        (([1, 2], None), {"margin": 0.1}, "`predictions2` is missing"),
        (([1, math.nan], [1, 2]), {"margin": 0.1}, "`predictions1`"),
        ((compare(*FEW), [1]), {"margin": 0.1}, "give a result alone"),
        ((paired_bootstrap_test([1, 0], [0, 0]),), {"margin": 0.1}, "a two-sided permutation test"),
        ((compare(*FEW, alternative="less"),), {"margin": 0.1}, "a two-sided permutation test"),
        (
            (structured_permutation_test([1, 2], [2, 1], sum_of),),
            {"margin": 0.1},
            "has no scores to compare",
        ),
    ],
    ids=lambda x: "" if isinstance(x, tuple) else str(x).split(" at 0x")[0],
)
def test_refused(arguments, options, message):
    with pytest.raises(InputError, match=re.escape(message)):
        equivalence_test(*arguments, **options)


@pytest.mark.parametrize("name", ["alternative", "confidence_level", "test"])
def test_it_has_two_sides(name):
    with pytest.raises(TypeError, match=f"unexpected option '{name}': `compare` has it, and this"):
        equivalence_test(*FEW, margin=0.1, **{name: "less"})


@pytest.mark.parametrize(
    ("scores", "margin", "warns"),
    [
        (([0.25, 0.5] * 10, [0.5, 0.75] * 10), 0.5, True),
        (([0.25, 0.5] * 10, [0.5, 0.75] * 10), 0.49, False),
        (([0.5] * 20, [0.5] * 20), 3.0, False),
        (([10, 90] * 10, [20, 80] * 10), 80, True),
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
