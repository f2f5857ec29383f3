"""Power, numbers of examples and detectable differences: exact, and by draws."""

import numpy as np
import pytest

from corpora.pilots import PILOT, f1_pilot, labels, real_pilot
from corpora.results import result
from oracles import flips as oracle
from oracles import whole_tests as oracle_of_tests
from pairedperm import (
    PairedCounts,
    compare,
    examples_needed,
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
        compare(*FLIPS, test="bootstrap"),
        compare(*FLIPS, alternative="greater"),
        compare(*FLIPS, groups=[f"id {k}" for k in range(100)]),  # which are examples
        PairedCounts.from_rows(*FLIPS[:2]),
        paired_permutation_test(*FLIPS[:2]),
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
    assert examples_needed((0.1, 0.2)).n_examples == examples_needed((0.2, 0.1)).n_examples
    assert power((0.1, 0.1), 100).wrong_sign is None


@pytest.mark.thorough
def test_ends_of_the_interval():
    """Also of pilots that have none of their own."""
    found = result("examples by a pilot")
    assert found.pilot_interval == tuple(PILOT.confidence_interval())
    near, far = found.n_at_ends
    assert far < found.n_examples < near
    boot = paired_bootstrap_test(*FLIPS[:2])
    for pilot in (compare(*FLIPS[1::-1], FLIPS[2]), compare(*FLIPS, alternative="greater"), boot):
        assert examples_needed(pilot).n_at_ends == found.n_at_ends
    unclear = result("an unclear pilot")
    assert unclear.pilot_interval[0] < 0.0
    assert unclear.n_at_ends[0] is None
    assert unclear.n_at_ends[1] < unclear.n_examples


def test_there_is_none():
    """No number up to a million, no difference, by draws and exactly."""
    for name in ("too many examples", "too many examples by draws"):
        found = result(name)
        assert (found.n_examples, found.power, found.wrong_sign) == (None, None, None)
        assert found.approximation_error is None
    found = result("nothing is detectable")
    assert found.difference is None
    assert found.power == power((0.1, 0.0), 30).power < 0.8
    assert minimum_detectable_difference(real_pilot(), 4).difference is None


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
        lambda: paired_permutation_test(
            [[2, 3], [1, 3], [3, 3], [1, 1], [0, 2], [3, 3]] * 5,
            [[1, 3], [1, 4], [2, 3], [1, 2], [2, 2], [2, 2]] * 5,
            score=lambda sums: sums[..., 0] / sums[..., 1],
        ),
    ],
    ids=["scores", "f1 of groups", "accuracy of groups", "function"],
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
    rows = [
        np.add.reduceat(np.stack([x & gold, x, gold], axis=1), np.arange(0, 80, 4)).astype(float)
        for x in columns
    ]
    true = oracle_of_tests.power(
        *rows, lambda s: 2.0 * s[:, 0] / np.maximum(s[:, 1] + s[:, 2], 1.0), 30, 0.05, rng, 500
    )
    assert found.power == pytest.approx(true, abs=0.07)
    assert found.in_groups


@pytest.mark.thorough
def test_needed_by_draws():
    found = examples_needed(real_pilot())
    assert found.power >= 0.8 > power(real_pilot(), found.n_examples - 1).power
    near, far = found.n_at_ends
    assert far < found.n_examples < near


def test_detectable_by_draws():
    found = result("detectable by draws")
    assert found.power == pytest.approx(0.8, abs=0.01)
    more = minimum_detectable_difference(real_pilot(), 240)
    assert more.difference == pytest.approx(found.difference / 2, rel=0.1)


def test_ends_of_a_correlation():
    """Where all examples are of one kind it is 0: not so far off an end is looked for."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 60)
    one, two = (np.where(rng.random(60) < x, gold, 1 - gold) for x in (0.95, 0.7))
    pilot = compare(one, two, gold, "matthews_correlation")
    near, far = examples_needed(pilot).n_at_ends
    assert 0 < far < near < 10_000
