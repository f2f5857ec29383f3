"""Power, numbers of examples and detectable differences: exact, and by draws."""

import json
from functools import cache

import numpy as np
import pytest

from corpora.pilots import PILOT, f1_pilot, labels, real_pilot
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


def test_a_pilot_is_its_shares():
    for pilot in (
        PILOT,
        compare(*labels(20, 8, 100), test="bootstrap"),
        PairedCounts.from_rows(*labels(20, 8, 100)[:2]),
        paired_permutation_test(*labels(20, 8, 100)[:2]),
        (0.2, 0.08),
        [np.float64(0.2), 0.08],
    ):
        found = power(pilot, 300)
        assert found.power == power((0.2, 0.08), 300).power
        assert found.shares == pytest.approx((0.2, 0.08))
        assert found.difference == pytest.approx(0.12)
        assert (found.method, found.approximation_error) == ("exact", None)
    assert power(PILOT, 12).power == pytest.approx(float(oracle.power(0.2, 0.08, 12, 0.05)[0]))


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
    assert found.power == mirrored.power
    assert found.wrong_sign == mirrored.wrong_sign
    assert found.difference == -mirrored.difference
    assert examples_needed((0.1, 0.2)).n_examples == examples_needed((0.2, 0.1)).n_examples
    assert power((0.1, 0.1), 100).wrong_sign is None


@cache
def needed_of_the_pilot():
    return examples_needed(PILOT)


@pytest.mark.thorough
def test_ends_of_the_interval():
    found = needed_of_the_pilot()
    low, high = PILOT.confidence_interval()
    assert found.pilot_interval == (low, high)
    near, far = found.n_at_ends
    assert far < found.n_examples < near
    turned = examples_needed(compare(*(labels(20, 8, 100)[k] for k in (1, 0, 2))))
    assert turned.n_at_ends == found.n_at_ends
    unclear = examples_needed(compare(*labels(20, 14, 106)))
    assert unclear.pilot_interval[0] < 0.0
    assert unclear.n_at_ends[0] is None
    assert unclear.n_at_ends[1] < unclear.n_examples


@pytest.mark.thorough
def test_one_sided_pilots_and_bootstraps_have_an_interval_too():
    one_sided = compare(*labels(20, 8, 100), alternative="greater")
    boot = paired_bootstrap_test(*labels(20, 8, 100)[:2])
    for pilot in (one_sided, boot):
        assert examples_needed(pilot).n_at_ends == needed_of_the_pilot().n_at_ends


def test_more_than_a_million():
    found = examples_needed((0.5, 0.499))
    assert (found.n_examples, found.power, found.wrong_sign) == (None, None, None)
    assert "needs more than 1,000,000 examples" in found.summary()
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["n_examples"] is None


def test_none_is_detectable():
    found = minimum_detectable_difference((0.05, 0.05), 30)
    assert found.difference is None
    assert found.power == power((0.1, 0.0), 30).power < 0.8
    assert "finds no difference with a power of 80" in found.summary()


def test_detectable():
    found = minimum_detectable_difference(PILOT, 400, power=0.9)
    assert found.power == pytest.approx(0.9, abs=1e-9)
    assert sum(found.shares) == pytest.approx(0.28)
    assert found.difference == pytest.approx(found.shares[0] - found.shares[1])


@pytest.mark.parametrize(
    "pilot",
    [
        real_pilot,
        f1_pilot,
        lambda: f1_pilot(np.arange(120) // 4),
        lambda: compare(*labels(20, 8, 100), groups=np.arange(100) // 7),
        lambda: paired_permutation_test(
            [[2, 3], [1, 3], [3, 3], [1, 1], [0, 2], [3, 3]] * 5,
            [[1, 3], [1, 4], [2, 3], [1, 2], [2, 2], [2, 2]] * 5,
            score=lambda sums: sums[..., 0] / sums[..., 1],
        ),
    ],
    ids=["scores", "f1", "f1 of groups", "accuracy of groups", "function"],
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
    gold, groups = rng.integers(0, 2, 120), np.arange(120) // 4
    columns = [np.where(rng.random(120) < x, gold, 1 - gold) for x in (0.9, 0.8)]
    found = power(test(*columns, gold, "f1", pos_label=1, groups=groups), 40)
    rows = [
        np.add.reduceat(np.stack([x & gold, x, gold], axis=1), np.arange(0, 120, 4)).astype(float)
        for x in columns
    ]
    true = oracle_of_tests.power(
        *rows, lambda s: 2.0 * s[:, 0] / np.maximum(s[:, 1] + s[:, 2], 1.0), 40, 0.05, rng, 800
    )
    assert found.power == pytest.approx(true, abs=0.06)
    assert found.in_groups


def test_needed_by_draws():
    found = examples_needed(real_pilot())
    assert found.power >= 0.8 > power(real_pilot(), found.n_examples - 1).power
    near, far = found.n_at_ends
    assert far < found.n_examples < near


def test_detectable_by_draws():
    pilot = real_pilot()
    found = minimum_detectable_difference(pilot, 60)
    assert found.power == pytest.approx(0.8, abs=0.01)
    more = minimum_detectable_difference(pilot, 240)
    assert more.difference == pytest.approx(found.difference / 2, rel=0.1)
    assert minimum_detectable_difference(pilot, 4).difference is None


def test_groups_of_one_are_examples():
    pilot = compare(*labels(20, 8, 100), groups=[f"id {k}" for k in range(100)])
    assert power(pilot, 300).power == power(PILOT, 300).power


def test_more_than_a_million_by_draws():
    score = np.linspace(-10.0, 10.0, 100)
    pilot = paired_permutation_test(score + 0.001, np.zeros(100))
    found = examples_needed(pilot)
    assert (found.n_examples, found.approximation_error) == (None, None)
    assert found.method == "multinomial draws"
    assert "interval, " in found.summary()
    assert found.summary().endswith("Found by 4,000 draws of the pilot's examples.")
    assert found.summary().startswith("For a power of 80% a two-sided paired-permutation test at")


def test_ends_of_a_correlation():
    """Where all examples are of one kind it is 0: not so far off an end is looked for."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 60)
    one, two = (np.where(rng.random(60) < x, gold, 1 - gold) for x in (0.95, 0.7))
    pilot = compare(one, two, gold, "matthews_correlation")
    near, far = examples_needed(pilot).n_at_ends
    assert 0 < far < near < 10_000
