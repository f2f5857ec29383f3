"""Examples like a pilot's: how they are weighed and drawn, and searches for numbers of them."""

import math

import numpy as np
import pytest
from hypothesis import given

from oracles import whole_tests as oracle
from pairedperm import Ratio
from pairedperm.population.evidence import Evidence
from pairedperm.population.laws import (
    ScoresLaw,
    _alike,
    drawn_power,
    edge_of,
    fewest_differing,
    least_sufficient,
)
from pairedperm.population.shares import MOST_NEEDED
from pairedperm.scoring.arguments import read_arguments
from properties import cases, generators, one_in

F1 = Ratio([2, 0, 0], [0, 1, 1])


def law_of(*arguments, **options):
    return ScoresLaw.of(
        *Evidence(*read_arguments(*arguments, **{"score": None, **options})[:2]).drawn
    )


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
    tables = led.rows.tables
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


def test_who_leads():
    """Scores differ by 1, 2 and 3: led by all, the difference is their mean."""
    of = law_of([1, 0, 3, 0], [0, 2, 0, 0])
    assert of.led(1.0).difference == pytest.approx(1.5)
    assert of.led(0.0).difference == pytest.approx(0.0)
    assert of.led(0.5).difference == pytest.approx(0.75)
    assert of.led(0.5).share_differing == pytest.approx(0.75)
    gains = law_of([1.0, 0.25, 1.0, 0.25], [0.0] * 4)  # below the mean gain is a gain, too
    assert (gains.led(1.0).difference, gains.led(-1.0).difference) == pytest.approx((0.625, -0.625))


@pytest.mark.parametrize("seed", range(5))
def test_whole_tests_of_random_pilots(seed):
    """The error that is told holds, within two standard errors of the simulation."""
    rng = np.random.default_rng([seed, 1])
    n, size = int(rng.choice([20, 40, 80])), int(rng.choice([30, 100, 300]))
    lead = rng.uniform(0.0, 3.0) / np.sqrt(n)
    numbers = [
        rng.normal(lead, 1.0, size),
        rng.lognormal(0.0, rng.uniform(0.5, 2.0), size) * rng.choice([1, -1], size, p=[0.7, 0.3]),
        np.round(rng.normal(2.0 * lead, 1.2, size)),
        rng.standard_t(2.5, size) + 1.5 * lead,
        rng.choice([-1, 0, 1, 2], size, p=[0.05, 0.78, 0.12, 0.05]),
    ][seed % 5]
    differs = numbers != 0.0
    shares = np.full(differs.sum(), 1.0 / size)
    found = drawn_power(numbers[differs], shares, n, 0.05, float(numbers.mean()))
    is_few = n * (numbers**2).mean() ** 2 / (numbers**4).mean() < 4.0
    assert found.approximation_error == (0.3 if is_few else 0.05)
    rows = numbers[:, None].astype(float)
    true = oracle.power(rows, 0.0 * rows, lambda sums: sums[:, 0], n, 0.05, rng, 800)
    assert found.power == pytest.approx(true, abs=found.approximation_error + 0.035)


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 6), (2.0**-5, 6), (0.01, 8), (0.9, 2)])
def test_fewer_show_nothing(alpha, fewest):
    """However clear the difference is, p cannot reach α."""
    assert fewest_differing(alpha) == fewest
    assert edge_of(5e-324) > 38.0  # half of it is 0
    one = np.ones(1), np.ones(1)
    assert drawn_power(*one, fewest - 1, alpha, 1.0).power == 0.0
    assert drawn_power(*one, 30, alpha, 1.0).power == 1.0


def test_the_wrong_sign():
    """With equal systems half of the findings are on either side."""
    moves = np.random.default_rng(0).normal(size=300)
    found = drawn_power(moves - moves.mean(), np.full(300, 1 / 300), 100, 0.05, 1e-9)
    assert found.power == pytest.approx(0.05, abs=0.01)
    assert found.wrong == pytest.approx(found.power / 2.0, abs=0.01)


def test_alike_moves_are_drawn_together():
    """Hardly anything is lost, not even of a heavy tail: the moments stay."""
    moves = np.random.default_rng(0).lognormal(0.0, 1.5, 5000) - 2.0
    few, shares = _alike(moves, np.full(5000, 1 / 5000))
    assert few.size <= 513
    for power in (0, 1, 2, 4):
        assert shares @ few**power == pytest.approx((moves**power).mean(), rel=1e-2)
