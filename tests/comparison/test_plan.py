"""A plan is a plain value, made without computing what it plans; which test, its arguments say."""

import copy
import pickle

import numpy as np
import pytest

from corpora.planned import labels, largest, rows, scores
from corpora.ratio_rows import RATIO, sentences
from pairedperm import (
    PairedCounts,
    compare,
    paired_permutation_test,
    plan,
    structured_permutation_test,
)
from pairedperm.convolution.grid.product_law import ProductLaw


def test_a_plan_is_made_of_plain_values():
    for arguments, options in (
        (scores(3000, 60), {}),
        (rows(60, 6), {"score": RATIO}),
        (rows(60, 6), {"score": largest}),
        (rows(300, 30, m=8), {"score": largest}),
        (labels(60, 3), {"metric": "f1", "average": "macro"}),
        (scores(200, 2**50), {}),
        (([1], [1]), {}),
    ):
        found = plan(*arguments, **options)
        assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found
        assert hash(found) == hash(plan(*arguments, **options))
        assert (type(found.method), type(found.reason)) == (str, str)
        assert {type(found.rank), type(found.n_points), type(found.n_bytes)} == {int}
        assert found.grid is None or {type(length) for length in found.grid} == {int}
        assert repr(found).startswith(f"Plan(method={found.method!r}, rank={found.rank}, grid=")


@pytest.fixture
def nothing_runs(monkeypatch):
    """Whatever computes a tail or a law, or samples swaps, fails."""

    def fails(*arguments, **options):
        raise AssertionError("something was computed")

    monkeypatch.setattr(ProductLaw, "masses", fails)
    for name in ("count", "enumerate", "halved", "tilted"):
        monkeypatch.setattr(f"pairedperm.convolution.line.tail.{name}_lower_tail", fails)
    for name in ("tail_by_bands", "enumerate_planar_tail", "count_planar_tail"):
        monkeypatch.setattr(f"pairedperm.convolution.plane.tail.{name}", fails)
    monkeypatch.setattr("pairedperm.permutation.problem.sampled_sums", fails)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (scores(60, 6), {}),
        (scores(30, 2**40), {}),
        (scores(500, 300), {}),
        (scores(3000, 60), {}),
        (rows(15, 6), {"score": RATIO}),
        (rows(100, 9), {"score": RATIO}),
        (rows(60, 6), {"score": largest}),
        ((*rows(60, 6), largest), {}),
        (labels(200), {}),
        (labels(200), {"metric": "f1"}),
        (labels(200), {"metric": "f1", "average": "macro"}),
        (labels(30, 3), {"metric": "f1", "average": "macro"}),
        (scores(20, 6), {"method": "monte_carlo"}),
    ],
)
def test_nothing_is_computed(arguments, options, nothing_runs):
    plan(*arguments, **options)
    if len(arguments) == 2:
        test = paired_permutation_test
    else:
        test = structured_permutation_test if callable(arguments[2]) else compare
    with pytest.raises(AssertionError, match="something was computed"):
        test(*arguments, **options)


def test_a_function_is_only_tried():
    """On 66 sums, and not on all points of the grid."""
    n_rows = 0

    def statistic(sums):
        nonlocal n_rows
        n_rows += len(sums)
        return sums[..., 0] * sums[..., 1]

    found = plan(*rows(60, 30), statistic)
    assert found.n_points > 10**5
    assert 0 < n_rows < 1000
    n_rows = 0
    plan(*rows(60, 30), score=statistic)
    assert 0 < n_rows < 1000


def test_a_corpus_of_a_million_examples():
    """What a ratio of it takes is said without the test."""
    counted = sentences(np.random.default_rng(0), 2000)
    counts = PairedCounts(counted[:, :2], counted[:, 2:], [500] * 2000)
    found = plan(counts, score=RATIO)
    assert (found.method, found.rank) == ("exact", 2)
    assert found.n_bytes < 2**30


def test_the_seconds_are_those_of_all_samples_that_may_be_needed():
    """By "auto" some seconds' worth, for a small p; as many as asked for otherwise."""
    small = {"metric": "f1", "average": "macro", "budget": {"max_bytes": 2}}
    auto, few, many = (
        plan(*labels(200), **small, **x)
        for x in ({}, {"n_resamples": 9999}, {"n_resamples": 10**6})
    )
    assert {x.method for x in (auto, few, many)} == {"monte_carlo"}
    assert auto.seconds == pytest.approx(min(3.0, many.seconds), rel=0.05)
    assert few.seconds == pytest.approx(many.seconds / 100.0, rel=0.05)


def test_the_arguments_say_which_test_is_meant():
    one, two = rows(30, 6)
    structured = plan(one, two, largest)
    assert structured == plan(one, two, statistic=largest)
    assert structured == plan(one, swap=two, statistic=largest)
    assert structured == plan(stay=one, swap=two, statistic=largest)
    assert structured == plan(statistic=largest, swap=two, stay=one)
    of_score = plan(one, two, score=RATIO)
    assert of_score == plan(counts1=one, counts2=two, score=RATIO)
    assert of_score == plan(score=RATIO, counts2=two, counts1=one)
    assert of_score == plan(PairedCounts.from_rows(one, two), score=RATIO)
    assert of_score == plan(counts1=PairedCounts.from_rows(one, two), score=RATIO)
    assert of_score.reason != structured.reason
    first, second, gold = labels(30)
    accuracy = plan(first, second, gold)
    assert accuracy == plan(first, second, gold, "accuracy")
    assert accuracy == plan(first, second, references=gold)
    assert accuracy == plan(predictions1=first, predictions2=second, references=gold)
    f1 = plan(first, second, gold, "f1")
    assert f1 == plan(first, second, gold, metric="f1")
    assert f1 == plan(first, second, gold, "f1", pos_label=1)
    assert f1 == plan(predictions1=first, predictions2=second, references=gold, metric="f1")
    assert f1.rank == 2 != accuracy.rank
    assert plan(*labels(60, 3), "f1", average="macro").rank > 2
    means = plan(first, second)  # of scores, not labels
    assert means == plan(counts1=first, counts2=second)
    assert means.n_points != accuracy.n_points


def test_the_options_of_the_tests():
    """All are accepted, and those that matter do."""
    options = {
        "method": "auto",
        "budget": {"max_points": 100, "max_bytes": 10**6},
        "n_resamples": 10,
        "rng": 3,
    }
    one, two = rows(30, 6)
    assert plan(one, two, largest, **options).method == "monte_carlo"
    assert plan(one, two, score=largest, alternative="less", **options).method == "monte_carlo"
    assert plan(*labels(30), alternative="less", **options).method == "exact"
    wins = [1] * 20 + [0], [0] * 20 + [1]
    assert plan(*wins, alternative="greater").reason != "p is known without a sum"
    equal = [1, 0] * 9, [0, 1] * 9
    assert plan(*equal).n_points == 1 < plan(*equal, alternative="greater").n_points
