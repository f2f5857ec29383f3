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


@one_in(3)
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("accuracy", {}),
        ("f1", {"average": "macro"}),
        ("f1", {"pos_label": 2}),
        ("jaccard", {"average": "macro", "labels": [0, 1]}),
        ("matthews_correlation", {}),
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
        (paired_permutation_test([-MOST, 1], [1, 1]), (0, 1)),
        (compare([0.5, 1], [1, 1.5], None, "mean_score", lower_is_better=True), (2, 0)),
        (paired_permutation_test(*RATES, score=Ratio([1, 0], [0, 1])), None),
    ],
    ids=["squares", "beyond int64", "negative", "losses", "reals"],
)
def test_other_scores(found, wins_and_losses):
    """Fewer errors win."""
    assert found.n_wins + found.n_losses + found.n_ties == found.n
    assert wins_and_losses in (None, (found.n_wins, found.n_losses))


@pytest.mark.parametrize("is_grouped", [False, True])
@pytest.mark.parametrize(
    "score",
    [None, Ratio([1, 0], [0, 1]), lambda sums: sums[..., 0] * sums[..., 1]],
    ids=["mean", "ratio", "function"],
)
def test_the_same_bits_in_another_order(score, is_grouped):
    """Of real numbers, whose sums are rounded, and of groups."""
    rng = np.random.default_rng(1)
    shape = (30,) if score is None else (30, 2)
    numbers = rng.integers(1, 9, shape) if is_grouped else rng.random(shape) + 0.1
    one, two = numbers, np.where(rng.random(shape) < 0.7, rng.permutation(numbers), numbers)
    groups = rng.integers(0, 6, 30)
    options = {"score": score, "method": "monte_carlo", "n_resamples": 9, "rng": 0}
    found, other = (
        paired_permutation_test(
            one[some], two[some], groups=groups[some] if is_grouped else None, **options
        )
        for some in (slice(None), rng.permutation(30))
    )
    for name in ("standard_error", "n_wins", "n_losses"):
        assert getattr(found, name) == getattr(other, name)
