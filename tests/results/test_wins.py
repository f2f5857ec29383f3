"""Wins, losses and ties of a result, the same in any order."""

import numpy as np
import pytest

from pairedperm import Ratio, compare, paired_permutation_test, structured_permutation_test
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


@one_in(2)
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("accuracy", {}),
        ("f1", {"average": "macro"}),
        ("jaccard", {"average": "macro", "labels": [0, 1]}),
    ],
)
def test_wins_and_losses(metric, options):
    def score(predictions, gold):
        asked = {"method": "monte_carlo", "n_resamples": 1, "rng": 0}
        return compare(predictions, predictions, gold, metric, **asked, **options).score1

    expected = won(score, (GOOD, BAD, GOLD))
    for test in ("permutation", "bootstrap"):
        options |= {"test": test, "rng": 0}
        found, mirrored = (compare(*x, GOLD, metric, **options) for x in ((GOOD, BAD), (BAD, GOOD)))
        assert (found.n_wins, found.n_losses) == (mirrored.n_losses, mirrored.n_wins) == expected
        assert found.n_wins + found.n_losses + found.n_ties == found.n == 30


MOST = 2**62
SQUARES = structured_permutation_test([1, 2, 3], [0, 1, 5], np.square)
RATES = RNG.random((2, 10, 2)) + 1.0


@pytest.mark.parametrize(
    ("found", "wins_and_losses"),
    [
        (SQUARES, (2, 1)),
        (paired_permutation_test([MOST, 5], [1, MOST]), (1, 1)),
        (compare([0.5, 1], [1, 1.5], None, "mean_score", lower_is_better=True), (2, 0)),
        (paired_permutation_test(*RATES, score=Ratio([1, 0], [0, 1])), None),
    ],
    ids=["squares", "beyond int64", "losses", "reals"],
)
def test_other_scores(found, wins_and_losses):
    """Fewer errors win."""
    assert found.n_wins + found.n_losses + found.n_ties == found.n
    assert wins_and_losses in (None, (found.n_wins, found.n_losses))
