"""Wins, losses and ties of a result, and the reason for its method."""

import numpy as np
import pytest

from extras import needs
from pairedperm import Ratio, compare, paired_permutation_test, structured_permutation_test
from pairedperm.scoring.call_options import METRICS
from properties import one_in

RNG = np.random.default_rng(0)
GOLD = RNG.integers(0, 3, 30)
GOOD, BAD = (np.where(RNG.random(30) < share, GOLD, RNG.integers(0, 3, 30)) for share in (0.8, 0.5))


def won(score, columns):
    """On which examples swapping takes from system 1, and on which it gives, by trying each."""
    wins = losses = 0
    one, two, gold = columns
    whole = score(one, gold) - score(two, gold)
    for k in range(len(gold)):
        first, second = list(one), list(two)
        first[k], second[k] = second[k], first[k]
        change = score(first, gold) - score(second, gold) - whole
        wins, losses = wins + (change < -1e-9), losses + (change > 1e-9)
    return wins, losses


@one_in(3)
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("accuracy", {}),
        ("f1", {"average": "macro"}),
        ("f1", {"pos_label": 2}),
        ("recall", {"average": "macro"}),
        ("jaccard", {"average": "macro", "labels": [0, 1]}),
        ("balanced_accuracy", {}),
        ("matthews_correlation", {}),
    ],
)
def test_wins_and_losses(metric, options):
    def score(predictions, gold):
        return compare(predictions, predictions, gold, metric, **options).score1

    expected = won(score, (GOOD, BAD, GOLD))
    for test in ("permutation", "bootstrap"):
        result = compare(GOOD, BAD, GOLD, metric, test=test, rng=0, **options)
        assert (result.n_wins, result.n_losses) == expected
        assert result.n_wins + result.n_losses + result.n_ties == result.n == 30
        mirrored = compare(BAD, GOOD, GOLD, metric, test=test, rng=0, **options)
        assert (mirrored.n_wins, mirrored.n_losses) == (result.n_losses, result.n_wins)


def test_functions_and_statistics():
    def best(sums):
        return sums.max(axis=-1)

    rows = RNG.integers(0, 5, (2, 8, 3))
    result = paired_permutation_test(*rows, score=best)
    sums = rows.sum(axis=1)
    moved = [
        best(sums[0] - one + two) - best(sums[1] - two + one)
        for one, two in zip(*rows, strict=True)
    ]
    changes = np.sign(np.array(moved) - (best(sums[0]) - best(sums[1])))
    assert (result.n_wins, result.n_losses) == ((changes < 0).sum(), (changes > 0).sum())
    result = structured_permutation_test([1, 2, 3], [0, 1, 5], np.square)
    assert (result.n_wins, result.n_losses, result.n_ties) == (2, 1, 0)


def test_fewer_errors_win():
    needs("rapidfuzz", "wer")
    assert METRICS["word_error_rate"].lower_is_better
    texts = ["a b", "c d", "e"], ["a b", "c x", "y"], ["a b", "c d", "e"]
    result = compare(*texts, "word_error_rate")
    assert (result.n_wins, result.n_losses, result.n_ties) == (2, 0, 1)


def test_numbers_beyond_int64():
    least, most = -(2**62), 2**62
    result = paired_permutation_test([most, 5], [1, most])
    assert (result.n_wins, result.n_losses) == (1, 1)
    assert paired_permutation_test([least, 1], [1, 1]).n_losses == 1


@pytest.mark.parametrize(
    ("options", "method", "reason"),
    [
        ({}, "exact", "all swaps are counted in one big integer"),
        ({"method": "dp"}, "dp", "all sums, one example after the other"),
        ({"method": "monte_carlo"}, "monte_carlo", "asked for with method='monte_carlo'"),
        ({"test": "bootstrap"}, "exact", "all resamples at once"),
        ({"test": "bootstrap", "method": "monte_carlo"}, "monte_carlo", "asked for with method"),
        (
            {"test": "bootstrap", "metric": "f1", "average": "macro"},
            "monte_carlo",
            "the score is a function",
        ),
    ],
)
def test_method_and_reason(options, method, reason):
    result = compare(GOOD, BAD, GOLD, **options)
    assert result.method == method
    assert result.reason.startswith(reason)


def test_reasons_beyond_the_budget():
    rows = RNG.integers(0, 1000, (2, 300, 6))
    with pytest.warns(UserWarning, match="p is estimated"):
        result = paired_permutation_test(*rows, score=lambda sums: sums.max(axis=-1), rng=0)
    assert "which no budget allows" in result.reason
    assert "no decimal" in paired_permutation_test(*RNG.random((2, 200))).reason
    assert compare(GOLD, GOLD, GOLD).reason == "p is known without a sum"


def test_ratio_of_real_rows():
    rows = RNG.random((2, 10, 2)) + 1.0
    result = paired_permutation_test(*rows, score=Ratio([1, 0], [0, 1]))
    assert result.n_wins + result.n_losses == 10
