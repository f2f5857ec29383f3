"""Power, numbers of examples and detectable differences: exact and simulated."""

import json
import math
from functools import cache

import numpy as np
import pytest

from corpora.pilots import FEW, PILOT, f1_pilot, labels, real_pilot
from oracles import flips as oracle
from pairedperm import (
    PairedCounts,
    compare,
    examples_needed,
    minimum_detectable_difference,
    paired_bootstrap_test,
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
        assert (found.method, found.standard_error, found.seed) == ("exact", None, None)
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


@pytest.mark.thorough
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
def test_simulated(pilot):
    pilot = pilot()
    found = power(pilot, 30, **FEW)
    assert (found.method, found.n_simulations, found.seed) == ("simulation", 200, 0)
    assert found.in_groups == (pilot.n_groups is not None)
    assert found.n_pilot == (pilot.n_groups or pilot.n)
    assert found.difference == pytest.approx(pilot.statistic)
    assert found.shares is None
    assert found == power(pilot, 30, **FEW)
    assert found.standard_error == pytest.approx(math.sqrt(found.power * (1 - found.power) / 200))
    assert power(pilot, 10, **FEW).power < found.power
    assert power(pilot, 30, alpha=0.001, **FEW).power < found.power


@pytest.mark.thorough
@pytest.mark.parametrize(
    "n", [pytest.param(200, marks=pytest.mark.thorough), 40], ids="{} simulations".format
)
def test_needed_by_simulation(n):
    few = {"n_simulations": n, "rng": 0}
    found = examples_needed(real_pilot(), **few)
    assert found.power >= 0.8
    assert power(real_pilot(), found.n_examples, **few).power == found.power
    assert power(real_pilot(), found.n_examples // 2, **few).power < 0.75
    near, far = found.n_at_ends
    assert far < found.n_examples < near


@pytest.mark.thorough
def test_detectable_by_simulation():
    pilot = real_pilot()
    found = minimum_detectable_difference(pilot, 60, **FEW)
    assert found.power == pytest.approx(0.8, abs=0.05)
    more = minimum_detectable_difference(pilot, 240, **FEW)
    assert more.difference == pytest.approx(found.difference / 2, rel=0.15)
    assert minimum_detectable_difference(pilot, 4, **FEW).difference is None


def test_groups_of_one_are_examples():
    pilot = compare(*labels(20, 8, 100), groups=[f"id {k}" for k in range(100)])
    assert power(pilot, 300).power == power(PILOT, 300).power


@pytest.mark.thorough
def test_a_score_without_derivatives():
    pilot = paired_permutation_test(
        [[1, 2], [1, 3], [2, 2]] * 3,
        [[1, 2], [0, 3], [1, 1]] * 3,
        score=lambda sums: np.floor(sums[..., 0] / 4.0 + 0.3),
    )
    assert power(pilot, 20, **FEW).method == "simulation"


@pytest.mark.thorough
def test_more_than_a_million_by_simulation():
    score = np.linspace(-10.0, 10.0, 100)
    pilot = paired_permutation_test(score + 0.001, np.zeros(100))
    found = examples_needed(pilot, n_simulations=20, rng=0)
    assert (found.n_examples, found.standard_error) == (None, None)
    assert (found.method, found.n_simulations, found.seed) == ("normal approximation", None, None)
    assert "interval, " in found.summary()
    assert found.summary().endswith("Found by the normal approximation.")
    assert found.summary().startswith("For a power of 80% a two-sided paired-permutation test at")


@pytest.mark.thorough
def test_searches_of_very_many_take_the_normal_approximation():
    """Of 20,000 examples it is within the error of the simulation that then says the power."""
    pilot = real_pilot()
    few = {"n_simulations": 50, "rng": 0}
    found = minimum_detectable_difference(pilot, 20_000, **few)
    assert found.power == pytest.approx(0.8, abs=0.17)
    assert found.summary().endswith("(seed 0). Found by the normal approximation.")
    again = minimum_detectable_difference(pilot, 5_000, **few)
    assert again.difference == pytest.approx(2.0 * found.difference, rel=0.1)


@pytest.mark.thorough
def test_levels_below_a_thousandth():
    """Sampled p of 999 swaps were never below it."""
    pilot = f1_pilot()
    exact = power(pilot, 100, alpha=5e-4, **FEW)
    sampled = power(pilot, 3_000, alpha=5e-4, n_simulations=20, rng=0)
    assert 0.0 < exact.power < 1.0 == sampled.power


@pytest.mark.thorough
def test_ends_of_a_correlation():
    """Where all examples are of one kind it is 0: not so far off an end is looked for."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 60)
    one, two = (np.where(rng.random(60) < x, gold, 1 - gold) for x in (0.95, 0.7))
    pilot = compare(one, two, gold, "matthews_correlation")
    near, far = examples_needed(pilot, n_simulations=20, rng=0).n_at_ends
    assert 0 < far < near < 10_000
