"""Power, numbers of examples and detectable differences: exact, by draws, and with a margin."""

import math
from fractions import Fraction

import numpy as np
import pytest

from corpora.pilots import PILOT, f1_pilot, labels, real_pilot
from corpora.results import result
from oracles import flips as oracle
from oracles import whole_tests as oracle_of_tests
from oracles.paired_shares import chance
from pairedperm import (
    PairedCounts,
    compare,
    equivalence_test,
    examples_needed,
    gate,
    minimum_detectable_difference,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
    power,
)

FLIPS = labels(20, 8, 100)


@pytest.mark.parametrize(
    "pilot",
    [
        PILOT,
        compare(*FLIPS, alternative="greater"),
        compare(*FLIPS, groups=[f"id {k}" for k in range(100)]),  # which are examples
        PairedCounts.from_rows(*FLIPS[:2]),
        [np.float64(0.2), 0.08],
    ],
)
def test_a_pilot_is_its_shares(pilot):
    found = power(pilot, 300)
    assert found.power == power((0.2, 0.08), 300).power
    assert found.shares == pytest.approx((0.2, 0.08))
    assert found.difference == pytest.approx(0.12)
    assert (found.method, found.approximation_error) == ("exact", None)
    assert power(pilot, 12).power == pytest.approx(float(oracle.power(0.2, 0.08, 12, 0.05)[0]))


def test_units_of_scores():
    """Two points each, of half of the examples: recall counts those of its label only."""
    found = power(paired_permutation_test([2, 0, 2, 0], [0, 0, 0, 2]), 50)
    assert (found.shares, found.difference) == ((0.5, 0.25), 0.5)
    recall = compare([1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0], "recall", pos_label=1)
    found = power(recall, 50)
    assert found.difference == pytest.approx(recall.statistic)
    assert found.shares == (0.25, 0.0)


def test_the_worse_system_first():
    found, mirrored = power((0.1, 0.2), 100), power((0.2, 0.1), 100)
    assert (found.power, found.wrong_sign) == (mirrored.power, mirrored.wrong_sign)
    assert found.difference == -mirrored.difference
    assert examples_needed((0.1, 0.2)).n == examples_needed((0.2, 0.1)).n
    assert power((0.1, 0.1), 100).wrong_sign is None


def test_ends_of_the_interval():
    """Also of pilots that have none of their own."""
    columns = labels(30, 6, 100)
    pilot = compare(*columns)
    found = examples_needed(pilot)
    assert found.pilot_interval == tuple(pilot.confidence_interval())
    near, far = found.n_at_ends
    assert far < found.n < near
    assert examples_needed(paired_bootstrap_test(*columns[:2])).n_at_ends == found.n_at_ends


def test_detectable():
    found = minimum_detectable_difference(PILOT, 400, power=0.9)
    assert found.power == pytest.approx(0.9, abs=1e-9)
    assert sum(found.shares) == pytest.approx(0.28)
    assert found.difference == pytest.approx(found.shares[0] - found.shares[1])


@pytest.mark.parametrize(
    "pilot",
    [
        real_pilot,
        lambda: f1_pilot(np.arange(120) // 4),
        lambda: compare(*FLIPS, groups=np.arange(100) // 7),
    ],
    ids=["scores", "f1 of groups", "accuracy of groups"],
)
def test_draws(pilot):
    pilot = pilot()
    found = power(pilot, 60)
    assert (found.method, found.approximation_error) == ("multinomial draws", 0.05)
    assert found.in_groups == (pilot.n_groups is not None)
    assert found.n_pilot == (pilot.n_groups or pilot.n)
    assert found.difference == pytest.approx(pilot.statistic)
    assert found.shares is None
    assert found == power(pilot, 60)
    assert power(pilot, 20).power < found.power
    assert power(pilot, 60, alpha=0.001).power < found.power
    assert power(pilot, 5).power == 0.0


@pytest.mark.parametrize("test", [compare, paired_counts], ids=["columns", "counts"])
def test_whole_tests_of_groups(test):
    """Of F1, whose groups are drawn with their examples; the same from counts of the groups."""
    rng = np.random.default_rng(3)
    gold, groups = rng.integers(0, 2, 80), np.arange(80) // 4
    columns = [np.where(rng.random(80) < x, gold, 1 - gold) for x in (0.9, 0.8)]
    found = power(test(*columns, gold, "f1", pos_label=1, groups=groups), 30)
    assert found.in_groups
    rows = [
        np.add.reduceat(np.stack([x & gold, x, gold], axis=1), np.arange(0, 80, 4)).astype(float)
        for x in columns
    ]
    true = oracle_of_tests.power(
        *rows, lambda s: 2.0 * s[:, 0] / np.maximum(s[:, 1] + s[:, 2], 1.0), 30, 0.05, rng, 500
    )
    assert found.power == pytest.approx(true, abs=0.07)


def test_detectable_by_draws():
    found = result("detectable by draws")
    assert found.power == pytest.approx(0.8, abs=0.01)
    more = minimum_detectable_difference(real_pilot(), 240)
    assert more.difference == pytest.approx(found.difference / 2, rel=0.1)
    assert minimum_detectable_difference(real_pilot(), 4).difference is None


def test_ends_of_a_correlation():
    """Where all examples are of one kind it is 0: not so far off an end is looked for."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 60)
    one, two = (np.where(rng.random(60) < x, gold, 1 - gold) for x in (0.95, 0.7))
    pilot = compare(one, two, gold, "matthews_correlation")
    near, far = examples_needed(pilot).n_at_ends
    assert 0 < far < near < 10_000


# With a margin


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
        (("0", "0.1"), 10, "0.35", "0.05"),
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
    assert (found.n_without_loss, found.n) == (n, n)
    assert power((1e-5, 1e-5), n - 1, margin=margin).power < 0.01
    assert examples_needed((0.2, 0.0), margin=margin).n < 30
    few = compare([1] * 20, [1] * 20, [1] * 20)
    assert gate(few, margin=margin).fewest_to_pass == n


def test_a_tiny_margin():
    found = examples_needed((0.05, 0.05), margin=5e-324)
    assert (found.n, found.method) == (None, "exact")
    assert found.n_without_loss == pytest.approx(-math.log(0.05) / 1e-300)


def test_the_least_number():
    n = examples_needed((0.02, 0.03), 0.5, margin=0.1).n
    found = [power((0.02, 0.03), x, margin=0.1).power for x in range(n - 1, 11 * n // 10 + 1)]
    assert found[0] < 0.5 <= min(found[1:])


def test_where_lower_is_better():
    """A loss is a higher score; all numbers are those of accuracy."""
    found, lower = (
        examples_needed(compare(*labels(3, 2, 20), metric), margin=0.4)
        for metric in ("accuracy", "hamming_loss")
    )
    assert lower.n_at_ends == found.n_at_ends
    assert (lower.n, lower.power) == (found.n, found.power)
    assert lower.difference == pytest.approx(-found.difference)


def test_a_score_that_counts_some_examples():
    """Their number is random: of 7 examples each has the label with the pilot's share."""
    right = [1] * 5 + [0] * 5
    pilot = compare(
        [1, 1, 1, 1, 0] + [0] * 5, [1, 1, 1, 0, 1] + [0] * 5, right, "recall", pos_label=1
    )
    fifth, margin, alpha, n = Fraction(1, 5), Fraction(1, 2), Fraction(1, 10), 7
    expected = sum(
        math.comb(n, k) / 2**n * summed(fifth, fifth, k, margin, alpha) for k in range(1, n + 1)
    )
    found = power(pilot, n, 0.1, margin=0.5)
    assert found.power == pytest.approx(expected, abs=1e-9)
    assert (found.method, found.n_without_loss) == ("exact", 8)


def test_other_scores():
    """Fewer than 30 differing examples show nothing."""
    pilot = real_pilot()
    margin = abs(pilot.statistic) + pilot.standard_error
    found = examples_needed(pilot, margin=margin)
    assert (found.method, found.n_without_loss) == ("normal approximation", None)
    assert found.power >= 0.8 > power(pilot, found.n - 1, margin=margin).power
    assert power(pilot, 29, margin=margin).power == 0.0


@pytest.mark.thorough
def test_other_scores_by_simulation():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=200)
    pilot = paired_permutation_test(scores - scores.mean(), np.zeros(200))
    found = power(pilot, 80, margin=0.3)
    shown = 0
    for _ in range(60):
        drawn = rng.choice(scores - scores.mean(), 80)
        result = paired_permutation_test(drawn, np.zeros(80))
        shown += equivalence_test(result, margin=0.3).noninferior
    assert shown / 60 == pytest.approx(found.power, abs=3.5 * math.sqrt(0.25 / 60))
