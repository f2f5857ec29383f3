"""Examples like a pilot's: how they are weighed, and searches for numbers of them."""

import math

import numpy as np
import pytest
from hypothesis import given

from pairedperm import Ratio, paired_permutation_test
from pairedperm.comparison.pilot import ScoresLaw, least_sufficient
from pairedperm.population.evidence import Evidence
from pairedperm.population.flips import FlipsLaw
from pairedperm.population.paired_shares import MOST_NEEDED
from pairedperm.scoring.arguments import read_arguments
from properties import cases, generators, one_in

F1 = Ratio([2, 0, 0], [0, 1, 1])


def law_of(*arguments, **options):
    return ScoresLaw.of(Evidence(*read_arguments(*arguments, **{"score": None, **options})[:2]))


def flips():
    """Of labels: 20 % wins, 8 % losses."""
    one = [1] * 20 + [0] * 8 + [1] * 72
    two = [0] * 20 + [1] * 8 + [1] * 72
    return law_of(one, two)


def test_the_power_of_flips():
    """That of FlipsLaw is exact."""
    for n in (60, 150):
        found, exact = flips().power(n, 0.05), FlipsLaw(0.2, 0.08).power(n, 0.05)
        assert abs(found.power - exact.power) <= found.approximation_error
        assert found.wrong <= found.power
    assert flips().share_differing == pytest.approx(0.28)
    assert flips().difference == pytest.approx(0.12)


def test_numbers_of_flips():
    exact = FlipsLaw(0.2, 0.08)
    assert flips().n_needed(0.8, 0.05) == pytest.approx(exact.n_needed(0.8, 0.05), rel=0.08)
    found, true = flips().detectable(100, 0.8, 0.05), exact.detectable(100, 0.8, 0.05)
    assert found.difference == pytest.approx(true.difference, rel=0.05)


@given(generators)
@cases(0.5)
def test_weights_of_a_difference(rng):
    """They are the data's at its own difference; every difference in reach is found."""
    n = int(rng.integers(5, 40))
    if rng.random() < 0.5:
        of = law_of(rng.normal(0.3, 1, n).round(2), rng.normal(0, 1, n).round(2))
    else:
        of = law_of(*(rng.integers(1, 5, (2, n, 3))), score=F1)
    same = of.at(of.difference)
    assert same.weights == pytest.approx(of.weights, rel=1e-6)
    assert not same.weights[1].any()
    wanted = of.difference * float(rng.uniform(0.0, 1.3))
    there = of.at(wanted)
    if there is not None:
        assert there.difference == pytest.approx(wanted, abs=1e-9)
        assert there.weights.sum() == pytest.approx(1.0)
    assert of.at(1e6) is None
    assert of.at(-1e6) is None


@given(generators)
@cases(0.3)
def test_exchanged_examples(rng):
    """Of an example with the systems exchanged, each has the other's row."""
    rows = rng.integers(1, 5, (2, 6, 3))
    led = law_of(*rows, score=F1).led(-1.0)
    assert led.weights.sum() == pytest.approx(1.0)
    as_is, turned = 6e6 * led.weights
    tables = led.evidence.drawn[0].tables
    sums = [as_is @ one + turned @ two for one, two in (tables, tables[::-1])]
    one, two = (x[0] / x[1] for x in sums)
    assert led.difference == pytest.approx(one - two)


@one_in(2)
@pytest.mark.parametrize("true", [6, 7, 9, 1000, 400_000])
@pytest.mark.parametrize("off", [0.5, 1.1, 2.0])
@pytest.mark.parametrize("steep", [0.5, 1.0, 3.0])
def test_the_least_integer_is_found(true, off, steep):
    """By factors that are right, too small or too large."""

    def growth(n):
        asked.append(n)
        return math.nextafter((true / n) ** (0.5 * steep), math.inf if n < true else 0.0)

    asked = []
    never = least_sufficient(lambda n: asked.append(n) or 1.5, 6, 6, 2)
    assert (never, asked[-1], len(asked) < 20) == (None, MOST_NEEDED, True)
    asked = []
    assert least_sufficient(growth, max(round(off * true), 6), 6, 2) == true
    assert len(asked) <= 30


def test_so_few_are_never_significant():
    """Six must differ: n is at least that, however clear the difference is."""
    of = law_of(10.0 + np.arange(9) / 9.0, np.zeros(9))
    assert of.n_needed(0.8, 0.05) == 6


def test_who_leads():
    """Scores differ by 1, 2 and 3: led by all, the difference is their mean."""
    of = law_of([1, 0, 3, 0], [0, 2, 0, 0])
    assert of.led(1.0).difference == pytest.approx(1.5)
    assert of.led(0.0).difference == pytest.approx(0.0)
    assert of.led(0.5).difference == pytest.approx(0.75)
    assert of.led(0.5).share_differing == pytest.approx(0.75)
    gains = law_of([1.0, 0.25, 1.0, 0.25], [0.0] * 4)  # below the mean gain is a gain, too
    assert (gains.led(1.0).difference, gains.led(-1.0).difference) == pytest.approx((0.625, -0.625))


def test_the_deviation_is_that_of_the_standard_error():
    rng = np.random.default_rng(0)
    result = paired_permutation_test(rng.integers(0, 9, 50), rng.integers(0, 9, 50))
    rng = np.random.default_rng(0)
    of = law_of(rng.integers(0, 9, 50), rng.integers(0, 9, 50))
    assert of.moments.deviation / math.sqrt(49) == pytest.approx(result.standard_error)
    squares = np.average(np.square(of.effects), weights=of.weights[0])
    assert of.moments.of_swaps == pytest.approx(np.sqrt(squares))
