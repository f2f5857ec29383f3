"""Planning with a margin: by sums over all outcomes in fractions, and against the gate."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

from corpora.pilots import PILOT, real_pilot
from corpora.results import result
from oracles.paired_shares import chance
from pairedperm import (
    compare,
    equivalence_test,
    examples_needed,
    gate,
    paired_permutation_test,
    power,
)
from pairedperm.comparison import within_margin
from properties import one_in

ONE = {"pos_label": 1}


def shows(wins, losses, n, margin, alpha):
    """Whether P((2 θ_low - 1) τ_up ≤ -margin) is below alpha."""
    if wins:
        return chance(wins, losses, n, -margin, is_positive=False) < alpha
    ways = (math.comb(n, k) * margin**k * (1 - margin) ** (n - k) for k in range(losses + 1))
    return losses < n and sum(ways) < alpha


def summed(better, worse, n, margin, alpha):
    """The chance of all outcomes that show it."""
    total = Fraction(0)
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            if shows(wins, losses, n, margin, alpha):
                ways = math.comb(n, wins) * math.comb(n - wins, losses)
                ties = (1 - better - worse) ** (n - wins - losses)
                total += ways * better**wins * worse**losses * ties
    return float(total)


@pytest.mark.parametrize(
    ("shares", "n", "margin", "alpha"),
    [
        (("0.3", "0.3"), 9, "0.4", "0.05"),
        (("0.1", "0.2"), 12, "0.3", "0.1"),
        (("0", "0.1"), 10, "0.35", "0.05"),
        (("0.6", "0.4"), 8, "0.5", "0.2"),
        (("0.9", "0"), 7, "0.2", "0.01"),
    ],
    ids=str,
)
def test_all_outcomes_in_fractions(shares, n, margin, alpha):
    expected = summed(*map(Fraction, shares), n, Fraction(margin), Fraction(alpha))
    found = power(tuple(map(float, shares)), n, float(alpha), margin=float(margin))
    assert found.power == pytest.approx(expected, abs=1e-9)
    assert (found.method, found.wrong_sign, found.margin) == ("exact", None, float(margin))


@pytest.mark.parametrize(("margin", "n"), [(0.02, 149), (0.05, 59)])
def test_without_a_loss(margin, n):
    """The gate says the same number. With gains alone fewer suffice."""
    found = examples_needed((1e-5, 1e-5), margin=margin)
    assert (found.n_without_loss, found.n_examples) == (n, n)
    assert power((1e-5, 1e-5), n - 1, margin=margin).power < 0.01
    assert examples_needed((0.2, 0.0), margin=margin).n_examples < 30
    few = compare([1] * 20, [1] * 20, [1] * 20)
    assert gate(few, margin=margin).fewest_to_pass == n


@pytest.mark.parametrize("margin", [1e-6, 5e-324])
def test_a_tiny_margin(margin):
    found = examples_needed((0.05, 0.05), margin=margin)
    assert (found.n_examples, found.method) == (None, "exact")
    assert found.n_without_loss == pytest.approx(-math.log(0.05) / max(margin, 1e-300))


@one_in(2)
@pytest.mark.parametrize(
    ("shares", "margin", "target"),
    [((0.1, 0.1), 0.1, 0.8), ((0.001, 0.001), 0.02, 0.9), ((0.02, 0.03), 0.1, 0.5)],
)
def test_the_least_number(shares, margin, target):
    n = examples_needed(shares, target, margin=margin).n_examples
    found = [power(shares, x, margin=margin).power for x in range(n - 1, 11 * n // 10 + 1)]
    assert found[0] < target <= min(found[1:])


@pytest.mark.parametrize("n", [300, pytest.param(3000, marks=pytest.mark.thorough)])
def test_the_normal_approximation_of_right_and_wrong(n, monkeypatch):
    exact = power((0.1, 0.12), n, margin=0.05)
    monkeypatch.setattr(within_margin, "_MOST_COUNTS", 0)
    found = power((0.1, 0.12), n, margin=0.05)
    assert (exact.method, found.method) == ("exact", "normal approximation")
    assert found.power == pytest.approx(exact.power, abs=found.approximation_error)


def labels(metric, **options):
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 2, 60)
    one, two = (np.where(rng.random(60) < x, gold, 1 - gold) for x in (0.9, 0.85))
    return compare(one, two, gold, metric, **options)


def test_where_lower_is_better():
    """A loss is a higher score; all numbers are those of accuracy."""
    found, lower = (
        examples_needed(labels(metric), margin=0.15) for metric in ("accuracy", "hamming_loss")
    )
    assert lower.n_at_ends == found.n_at_ends
    assert (lower.n_examples, lower.power) == (found.n_examples, found.power)
    assert lower.difference == pytest.approx(-found.difference)


def test_a_score_that_counts_some_examples():
    """Their number is random: of 7 examples each has the label with the pilot's share."""
    right = [1] * 5 + [0] * 5
    pilot = compare([1, 1, 1, 1, 0] + [0] * 5, [1, 1, 1, 0, 1] + [0] * 5, right, "recall", **ONE)
    fifth, margin, alpha, n = Fraction(1, 5), Fraction(1, 2), Fraction(1, 10), 7
    expected = sum(
        math.comb(n, k) / 2**n * summed(fifth, fifth, k, margin, alpha) for k in range(1, n + 1)
    )
    found = power(pilot, n, 0.1, margin=0.5)
    assert found.power == pytest.approx(expected, abs=1e-9)
    assert (found.method, found.n_without_loss) == ("exact", 8)
    with mock.patch.object(within_margin, "_MOST_COUNTED", 5):
        assert power(pilot, n, 0.1, margin=0.5).method == "normal approximation"


@pytest.mark.thorough
def test_ends_of_the_pilot():
    found = examples_needed(PILOT, margin=0.02)
    near, far = found.n_at_ends
    assert far <= found.n_examples < near
    assert result("a margin and an unclear pilot").n_at_ends[0] is None


def test_one_example_shows_nothing():
    """It has no interval."""
    found = result("one example for a margin")
    assert (found.power, found.n_without_loss) == (0.0, 2)
    assert examples_needed((0.05, 0.05), margin=0.96).n_examples == 2


def test_other_scores():
    """Fewer than 30 differing examples show nothing."""
    pilot = real_pilot()
    margin = abs(pilot.statistic) + pilot.standard_error
    found = examples_needed(pilot, margin=margin)
    assert (found.method, found.n_without_loss) == ("normal approximation", None)
    assert found.power >= 0.8 > power(pilot, found.n_examples - 1, margin=margin).power
    assert power(pilot, 29, margin=margin).power == 0.0


@pytest.mark.thorough
def test_other_scores_by_simulation():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=200)
    pilot = paired_permutation_test(scores - scores.mean(), np.zeros(200))
    found = power(pilot, 80, margin=0.3)
    shown = 0
    for _ in range(100):
        drawn = rng.choice(scores - scores.mean(), 80)
        shown += equivalence_test(drawn, np.zeros(80), margin=0.3).noninferior
    assert shown / 100 == pytest.approx(found.power, abs=3.5 * math.sqrt(0.25 / 100))
