"""The power of wins, losses and ties: by listing in fractions, published values, every n tried."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles import flips as oracle
from pairedperm import compare, power
from pairedperm.population.laws import OutcomesLaw
from properties import cases, generators


def shares(rng):
    parts = rng.dirichlet([1, 0.7, 2]) if rng.random() < 0.8 else [*rng.dirichlet([1, 1]), 0]
    return [Fraction(float(x)) for x in parts[:2]]


@given(generators)
@cases(1.0)
def test_power_by_listing(rng):
    better, worse = shares(rng)
    worse = min(worse, 1 - better)
    n = int(rng.integers(1, 25))
    alpha = float(rng.choice([0.05, 0.25, 0.0625, 0.5, 0.001, rng.random()]))
    true, wrong = oracle.power(max(better, worse), min(better, worse), n, Fraction(alpha))
    found = OutcomesLaw(float(better), float(worse)).power(n, alpha)
    assert found.power == pytest.approx(float(true), rel=1e-12, abs=1e-300)
    assert found.wrong == pytest.approx(float(wrong), rel=1e-10, abs=1e-300)
    assert found.approximation_error is None


def test_published_numbers():
    """Of the R packages pwrss 1.3 and MESS 0.5, the former checked against PASS and G*Power.

    Connor's normal approximation gives 23, which the exact test exceeds by 2.
    """
    assert OutcomesLaw(0.2, 0.1).power(249, 0.05).power == pytest.approx(0.801446921, abs=1e-9)
    for shares, n, alpha, expected, error in (
        ((0.32, 0.08), 50, 0.1, 0.839356985, 1e-9),
        ((0.45, 0.25), 144, 0.05, 0.80, 5e-3),
    ):
        one_sided = OutcomesLaw(*shares).power(n, alpha)
        assert one_sided.power - one_sided.wrong == pytest.approx(expected, abs=error)
    assert OutcomesLaw(0.2, 0.1).n_needed(0.8, 0.05) == 249
    assert OutcomesLaw(0.45, 0.05).n_needed(0.8, 0.05) == 25
    powers = [OutcomesLaw(0.7, 0.3).power(n, 0.05).power for n in range(40, 60)]
    assert min(np.diff(powers)) < -0.03  # more examples may have less power


@given(generators)
@cases(0.5)
def test_detectable(rng):
    share, n = float(rng.choice([1.0, rng.uniform(0.05, 1.0)])), int(rng.integers(20, 5000))
    power, alpha = float(rng.choice([0.5, 0.8, 0.99])), 0.05
    found = OutcomesLaw(share, 0.0).detectable(n, power, alpha)
    if found is None:
        assert OutcomesLaw(share, 0.0).power(n, alpha).power < power
        return
    assert found.share_differing == pytest.approx(share)
    assert found.power(n, alpha).power == pytest.approx(power, abs=1e-9)
    less = OutcomesLaw(found.better - 1e-4 * share, found.worse + 1e-4 * share)
    assert less.power(n, alpha).power < power


def test_shares_of_a_difference():
    law = OutcomesLaw(0.2, 0.1, 2.0, (20, 10, 100))
    assert law.difference == pytest.approx(0.2)
    assert law.at(0.2).shares == pytest.approx((0.2, 0.1))
    assert law.at(-0.1).difference == pytest.approx(-0.1)
    assert law.at(2.0).shares == (1.0, 0.0)
    assert law.at(2.1) is None
    assert OutcomesLaw(0.2, 0.1).at(0.1) is None


@pytest.mark.parametrize(("limit", "most"), [("_MOST_COUNTS", 0), ("_MOST_COUNTED", 1)])
def test_too_many_outcomes_are_not_enumerated(monkeypatch, limit, most):
    """The normal approximation is near then."""
    right = [1] * 90 + [0] * 10
    pilot = compare(
        [1] * 85 + [0] * 15, [0] * 4 + [1] * 86 + [0] * 10, right, "recall", pos_label=1
    )
    exact = power(pilot, 120, margin=0.05)
    monkeypatch.setattr(f"pairedperm.population.laws.{limit}", most)
    found = power(pilot, 120, margin=0.05)
    assert (exact.method, found.method) == ("exact", "normal approximation")
    assert found.power == pytest.approx(exact.power, abs=found.approximation_error)
