"""Examples like a pilot's: how they are drawn, weighed, and what simulated tests find."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from pairedperm import Ratio, compare, paired_permutation_test
from pairedperm.comparison import simulation
from pairedperm.comparison.pilot import ScoresLaw, least_sufficient, read_pilot
from pairedperm.population.evidence import Evidence
from pairedperm.population.flips import FlipsLaw, Planned
from pairedperm.population.paired_shares import MOST_NEEDED
from pairedperm.results.sampled import sampling_bar
from pairedperm.scoring.arguments import read_arguments
from properties import cases, generators, one_in

TEST = Planned(0.05, 400, 0)
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
        found, exact = flips().power(n, TEST), FlipsLaw(0.2, 0.08).power(n, TEST)
        assert abs(found.power - exact.power) <= 3.0 * found.standard_error
        assert found.wrong <= found.power
    assert flips().share_differing == pytest.approx(0.28)
    assert flips().difference == pytest.approx(0.12)


@pytest.mark.thorough
def test_numbers_of_flips():
    test = Planned(0.05, 1000, 0)
    exact = FlipsLaw(0.2, 0.08)
    assert flips().n_needed(0.8, test) == pytest.approx(exact.n_needed(0.8, test), rel=0.08)
    found, true = flips().detectable(100, 0.8, test), exact.detectable(100, 0.8, test)
    assert found.difference == pytest.approx(true.difference, rel=0.05)


def test_as_many_groups_as_are_asked_for():
    rng = np.random.default_rng(0)
    groups = np.array([0, 1, 1, 2, 2, 2])
    drawn = law_of([0, 1, 1, 2, 2, 2], [0, 0, 0, 0, 1, 1], groups=groups).drawn(1000, rng)
    assert drawn.n_groups == 1000
    sizes = np.bincount(drawn.groups)
    assert set(sizes.tolist()) == {1, 2, 3}
    for group in range(50):  # whole groups
        here = drawn.groups == group
        assert (drawn.rows1[here] == sizes[group] - 1).all()
        assert drawn.rows2[here].tolist() == [[0], [0, 0], [0, 1, 1]][sizes[group] - 1]
    assert np.bincount(sizes)[1:] == pytest.approx(1000 / 3, abs=60)
    alone = law_of([3, 5], [1, 1]).drawn(10, rng)
    assert alone.groups is None
    assert alone.n == 10


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
    """Of an example that is drawn with the systems exchanged, each has the other's row."""
    rows = rng.integers(1, 5, (2, 6, 3))
    of = law_of(*rows, score=F1)
    led = of.led(-1.0)
    assert led.weights.sum() == pytest.approx(1.0)
    drawn = led.drawn(6000, np.random.default_rng(0))
    result = paired_permutation_test(
        *(np.repeat(x, drawn.how_often, axis=0) for x in drawn.tables),
        score=F1,
        method="monte_carlo",
        n_resamples=9,
        rng=0,
    )
    assert result.statistic == pytest.approx(led.difference, abs=0.05)


def digits(n=899, n_classes=10):
    """Two classifiers that are right on 90 and 92 % of the examples, and mostly fail together."""
    rng = np.random.default_rng(0)
    gold, hard = rng.integers(0, n_classes, n), rng.random(n)
    columns = []
    for share in (0.90, 0.92):
        size = 0.6 * hard + 0.4 * rng.random(n)
        other = (gold + 1 + rng.integers(0, n_classes - 1, n)) % n_classes
        columns.append(np.where(size < np.quantile(size, share), gold, other))
    return (*columns, gold)


@pytest.fixture(scope="module")
def macro_f1():
    options = {"average": "macro", "method": "monte_carlo", "n_resamples": 99, "rng": 0}
    return read_pilot(compare(*digits(), "f1", **options)).law


def counted_tests(law, test, ask):
    """Return the number of tests while something is asked of a law."""
    posed = []
    with mock.patch.object(simulation, "_pvalue", lambda *x: posed.append(x) or 0.5):
        ask(law, test)
    return len(posed)


@one_in(3)
@pytest.mark.parametrize(
    "ask",
    [
        lambda law, test: law.power(900, test),
        lambda law, test: law.n_needed(0.8, test),
        lambda law, test: law.detectable(900, 0.8, test),
    ],
    ids=["power", "n_needed", "detectable"],
)
def test_work_is_bounded(macro_f1, ask):
    """A million simulations are asked for, and as many are made as the seconds allow."""
    assert 0 < counted_tests(macro_f1, Planned(0.05, 10**6, 0, 3.0), ask) <= 4 * 3.0 / 3e-3
    assert counted_tests(macro_f1, Planned(0.05, 10**6, 0, 1e-3), ask) == 0


def test_a_bar_counts_the_tests(macro_f1):
    """It knows their number and seconds, which `datasets` may hide."""
    test = Planned(0.05, 10**6, 0, 1.5)
    with mock.patch.object(simulation, "sampling_bar", wraps=sampling_bar) as bar:
        counted_tests(macro_f1, test, lambda law, test: law.power(300, test))
    total, seconds, unit = bar.call_args.args
    assert total >= simulation.FEWEST_TESTS
    assert 1.0 < seconds <= 1.5
    assert unit == "tests"


def test_sampled_tests_are_not_planned_again(macro_f1):
    """The plan of each took as long as its samples."""
    with mock.patch.object(simulation, "_quick", wraps=simulation._quick) as plan:
        assert macro_f1.power(900, Planned(0.05, 20, 0, 3.0)).n_simulations == 20
    assert plan.call_count == 3


@pytest.mark.thorough
def test_the_approximation_is_near_the_simulation(macro_f1):
    rough, test = Planned(0.05, 10**6, 0, 1e-3), Planned(0.05, 200, 0, 1e9)
    for n in (500, 2000):
        found, simulated = macro_f1.power(n, rough), macro_f1.power(n, test)
        assert abs(found.power - simulated.power) <= 3.0 * simulated.standard_error + 0.01


def test_without_simulations_the_answer_is_approximate(macro_f1):
    rough = Planned(0.05, 10**6, 0, 1e-3)
    found = macro_f1.power(500, rough)
    assert found.standard_error is found.n_simulations is None
    assert 0.0 < found.approximation_error < 0.03
    n = macro_f1.n_needed(0.8, rough)
    assert macro_f1.power(n, rough).power == pytest.approx(0.8, abs=1e-3)
    led = macro_f1.detectable(900, 0.8, rough)
    assert led.power(900, rough).power == pytest.approx(0.8, abs=0.02)


@pytest.mark.thorough
def test_simulated_tests_correct_the_approximation():
    """Of few gains it is wrong: six are always significant."""
    of, exact = law_of([0.0] * 9 + [1.0, 2.0], [0.0] * 11), Planned(0.05, 500, 1, 1e9)
    rough, found = (of.n_needed(0.8, Planned(0.05, 200, 0, x)) for x in (1e-3, 1e9))
    assert of.power(rough, exact).power > 0.84
    assert of.power(found, exact).power == pytest.approx(0.8, abs=0.08)


def small_pilot():
    """Of 20 texts: the normal approximation finds 8 examples, whose power is 70 %."""
    reference = "the cat sat on the mat today ok"
    one = [reference if k % 4 else "the cat sat on that mat today" for k in range(20)]
    two = [
        f"the {'cat' if k % 3 else 'dog'} sat on {'a' if k % 3 else 'the'} mat today ok"
        for k in range(20)
    ]
    return read_pilot(compare(one, two, [reference] * 20, "chrf")).law


@pytest.mark.parametrize("n_simulations", [100, pytest.param(600, marks=pytest.mark.thorough)])
def test_few_examples_have_the_power(n_simulations):
    """Of six the power is 19 %, and one example more adds up to 25 %."""
    of, test = small_pilot(), Planned(0.05, n_simulations, 0)
    n = of.n_needed(0.8, test)
    assert of.power(n - 1, test).power < 0.8 <= of.power(n, test).power
    assert n in (8, 9, 10)


@pytest.mark.parametrize("n", [6, pytest.param(12, marks=pytest.mark.thorough)])
def test_few_examples_detect_the_difference(n):
    test = Planned(0.05, 100, 0)
    found = small_pilot().detectable(n, 0.8, test).power(n, test)
    assert abs(found.power - 0.8) <= 2.0 * found.standard_error


@pytest.mark.parametrize("true", [6, 7, 9, 23, 50, 1000, 400_000])
@pytest.mark.parametrize("off", [0.5, 0.9, 1.0, 1.1, 2.0])
@pytest.mark.parametrize("steep", [0.5, 1.0, 3.0])
def test_the_least_integer_is_found(true, off, steep):
    """By changes that are right, too small or too large: at most 2 % more, and never less."""

    def change(n):
        asked.append(n)
        return math.nextafter((true / n) ** (0.5 * steep), math.inf if n < true else 0.0)

    asked = []
    found = least_sufficient(change, max(round(off * true), 6), 6, 2)
    assert found in asked
    assert true <= found <= 1.02 * true
    assert len(asked) <= (20 if steep < 1.0 else 10)


def test_each_integer_is_too_small():
    asked = []
    assert least_sufficient(lambda n: asked.append(n) or 1.5, 6, 6, 2) is None
    assert asked[-1] == MOST_NEEDED
    assert len(asked) < 20


def test_so_few_are_never_significant():
    """Six must differ: n is at least that, however clear the difference is."""
    of = law_of(10.0 + np.arange(9) / 9.0, np.zeros(9))
    assert of.n_needed(0.8, Planned(0.05, 100, 0, 1e-3)) == 6


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
    squares = np.average(np.square(of.examples.effects), weights=of.weights[0])
    assert of.moments.of_swaps == pytest.approx(np.sqrt(squares))
