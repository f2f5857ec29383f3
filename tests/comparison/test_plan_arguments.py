"""A plan takes the arguments of a test, which say which test is meant."""

from corpora.planned import labels, largest, rows
from corpora.ratio_rows import RATIO
from pairedperm import PairedCounts, plan


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
