"""A plan takes the arguments of a test, which say which test is meant."""

import numpy as np
import pytest

from corpora.planned import labels, largest, rows
from corpora.ratio_rows import RATIO
from pairedperm import InputError, PairedCounts, compare, paired_permutation_test, plan


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


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("method", "fast"),
        ("n_resamples", 0),
        ("rng", "x"),
        ("budget", 1),
    ],
)
def test_bad_options(option, value):
    for arguments in (([1], [0]), ([1], [0], np.abs), ([1], [0], [1])):
        with pytest.raises(InputError, match=f"`{option}` must be "):
            plan(*arguments, **{option: value})
    with pytest.raises(InputError, match="`alternative` must be one of"):
        plan([1], [0], alternative="bigger")


def test_bad_input_is_refused_as_by_the_test():
    for arguments, options, message in (
        (([1], [1, 2]), {}, "must have the same length, got 1 and 2"),
        (([1],), {}, "`counts2` is missing"),
        (([], []), {}, "`counts1` is empty"),
        (([1], [0], "abs"), {"method": "exact"}, "`references` must be"),
        (([1], [0], [1], "f2"), {}, "`metric` must be one of"),
        (([1], [0], [1], "f1"), {"beta": 2}, "`beta` is no option of metric 'f1'"),
        (([1], [0]), {"score": "f1"}, "`score` must be a pairedperm.Ratio"),
        (([1], [0]), {"statistic": "f1"}, "`statistic` must be a function of the sums"),
    ):
        with pytest.raises(InputError, match=message):
            plan(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((paired_permutation_test, [1], [0]), {}, "takes the arguments of a test, not the test it"),
        ((compare,), {}, "takes the arguments of a test, not the test itself"),
        (([[1, 2]], [[0, 1]], RATIO), {}, r"give a Ratio by name: plan\(counts1, counts2, score="),
        (
            (),
            {},
            "of paired_permutation_test: missing a required argument: 'counts1'. It has count",
        ),
        (
            ([1], [0]),
            {"n_samples": 9},
            "of paired_permutation_test: got an unexpected keyword argu",
        ),
        (
            ([1], [0], np.abs),
            {"alternative": "less"},
            "of structured_permutation_test: .*'alternat",
        ),
        (
            ([1], [0], np.abs, "exact"),
            {},
            "of structured_permutation_test: too many positional arg",
        ),
        (
            ([1],),
            {"statistic": np.abs},
            "of structured_permutation_test: missing .*: 'swap'. It ha",
        ),
        (
            ([1], [0]),
            {"metric": "f1"},
            "of compare: missing a required argument: 'references'. It ",
        ),
        (([1], [0]), {"pos_label": 1}, "of compare: missing a required argument: 'references'"),
        (
            ([1], [0], [1]),
            {"score": RATIO},
            "unexpected option 'score'. Options of metric 'accuracy' and of",
        ),
        (([1], [0], [1], "f1", 2), {}, "of compare: too many positional arguments"),
        (
            ([1], [0]),
            {"counts1": [1]},
            "of paired_permutation_test: multiple values for .*'counts1'",
        ),
        (
            ([1], [0]),
            {"statistic": np.abs, "metric": "f1"},
            "of structured_permutation_test: got an",
        ),
    ],
)
def test_type_errors(arguments, options, message):
    with pytest.raises(TypeError, match=message):
        plan(*arguments, **options)
