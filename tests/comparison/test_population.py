"""Examples like a pilot's: how they are drawn, weighed, and what simulated tests find."""

import math

import numpy as np
import pytest
from hypothesis import given

from pairedperm import Ratio, compare, paired_permutation_test
from pairedperm.comparison.flips import Flips, Planned
from pairedperm.comparison.pilot import read_pilot
from pairedperm.comparison.population import Population
from pairedperm.results.evidence import Evidence
from pairedperm.scoring.arguments import read_rows
from properties import cases, generators

TEST = Planned(0.05, 400, 0)
F1 = Ratio([2, 0, 0], [0, 1, 1])


def population(*arguments, **options):
    return Population.of(Evidence(*read_rows(*arguments, **{"score": None, **options})))


def flips():
    """Of labels: 20 % wins, 8 % losses."""
    one = [1] * 20 + [0] * 8 + [1] * 72
    two = [0] * 20 + [1] * 8 + [1] * 72
    return population(one, two)


def test_the_power_of_flips():
    """That of Flips is exact."""
    for n in (60, 150):
        found, exact = flips().power(n, TEST), Flips(0.2, 0.08).power(n, TEST)
        assert abs(found.power - exact.power) <= 3.0 * found.standard_error
        assert found.wrong <= found.power
    assert flips().share_differing == pytest.approx(0.28)
    assert flips().difference == pytest.approx(0.12)


@pytest.mark.thorough
def test_numbers_of_flips():
    test = Planned(0.05, 1000, 0)
    exact = Flips(0.2, 0.08)
    assert flips().n_needed(0.8, test) == pytest.approx(exact.n_needed(0.8, test), rel=0.08)
    found, true = flips().detectable(100, 0.8, test), exact.detectable(100, 0.8, test)
    assert found.difference == pytest.approx(true.difference, rel=0.05)


def test_as_many_groups_as_are_asked_for():
    rng = np.random.default_rng(0)
    groups = np.array([0, 1, 1, 2, 2, 2])
    drawn = population([0, 1, 1, 2, 2, 2], [0, 0, 0, 0, 1, 1], groups=groups).drawn(1000, rng)
    assert drawn.n_groups == 1000
    sizes = np.bincount(drawn.groups)
    assert set(sizes.tolist()) == {1, 2, 3}
    for group in range(50):  # whole groups
        here = drawn.groups == group
        assert (drawn.rows1[here] == sizes[group] - 1).all()
        assert drawn.rows2[here].tolist() == [[0], [0, 0], [0, 1, 1]][sizes[group] - 1]
    assert np.bincount(sizes)[1:] == pytest.approx(1000 / 3, abs=60)
    alone = population([3, 5], [1, 1]).drawn(10, rng)
    assert alone.groups is None
    assert alone.n == 10


@given(generators)
@cases(0.5)
def test_weights_of_a_difference(rng):
    """They are the data's at its own difference; every difference in reach is found."""
    n = int(rng.integers(5, 40))
    if rng.random() < 0.5:
        of = population(rng.normal(0.3, 1, n).round(2), rng.normal(0, 1, n).round(2))
    else:
        of = population(*(rng.integers(1, 5, (2, n, 3))), score=F1)
    same = of.at(of.difference)
    assert same.weights == pytest.approx(of.weights, rel=1e-6)
    wanted = of.difference * float(rng.uniform(0.0, 1.3))
    there = of.at(wanted)
    if there is not None:
        assert there.difference == pytest.approx(wanted, abs=1e-9)
        assert there.weights.sum() == pytest.approx(1.0)
    assert of.at(1e6) is None
    assert of.at(-1e6) is None


def test_who_leads():
    """Scores differ by 1, 2 and 3: led by all, the difference is their mean."""
    of = population([1, 0, 3, 0], [0, 2, 0, 0])
    assert of.led(1.0).difference == pytest.approx(1.5)
    assert of.led(0.0).difference == pytest.approx(0.0)
    assert of.led(0.5).difference == pytest.approx(0.75)
    assert of.led(0.5).share_differing == pytest.approx(0.75)


def test_the_deviation_is_that_of_the_standard_error():
    rng = np.random.default_rng(0)
    result = paired_permutation_test(rng.integers(0, 9, 50), rng.integers(0, 9, 50))
    rng = np.random.default_rng(0)
    of = population(rng.integers(0, 9, 50), rng.integers(0, 9, 50))
    assert of.deviation / math.sqrt(49) == pytest.approx(result.standard_error)


def test_long_tests_are_sampled():
    """Macro-F1 of four classes is no sum of two numbers."""
    rng = np.random.default_rng(0)
    gold, *random = rng.integers(0, 4, (3, 80))
    columns = [
        np.where(rng.random(80) < x, gold, y) for x, y in zip((0.9, 0.6), random, strict=True)
    ]
    result = compare(*columns, gold, "f1", average="macro", method="monte_carlo", rng=0)
    of = read_pilot(result).law
    found = of.power(60, Planned(0.05, 30, 0))
    assert found.power > 0.5
