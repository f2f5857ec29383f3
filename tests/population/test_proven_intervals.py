"""Intervals that are proven: each promise asked of each kind, and coverage by all outcomes."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given

from oracles.betting import fixed_wealth
from oracles.coverage import greatest_errors
from pairedperm import compare_suite
from pairedperm.population.intervals import guaranteed_interval
from pairedperm.population.shares import exact_interval
from properties import cases, generators, one_in


class Sample(NamedTuple):
    """A difference up to a largest one; its interval, by level and by which system is first (±1).

    `wealth` is that of bets against a difference, in fractions: it is 2 / α at a limit.
    """

    largest: float
    difference: float
    interval: Callable
    wealth: Callable = None


def wins_and_losses(rng):
    n = int(rng.integers(1, 301))
    wins = int(rng.integers(0, n + 1))
    pair = wins, int(rng.integers(0, n + 1 - wins))
    return Sample(
        1, (pair[0] - pair[1]) / n, lambda level, sign: exact_interval(*pair[::sign], n, level)
    )


def sums_of_groups(rng):
    """Differences up to a bound, of single examples, or of groups of several sizes."""
    n, largest, widest = int(rng.integers(1, 12)), int(rng.integers(1, 4)), None
    sizes = [1] * n
    if rng.random() < 0.5:
        sizes, widest = rng.integers(1, 5, n).tolist(), int(rng.integers(4, 9))
    sums = [Fraction(int(rng.integers(-4 * k, 4 * k + 1)), 4) * largest for k in sizes]

    def interval(level, sign, order=range(n), unit=1):
        differences = np.array([unit * sign * sums[k] for k in order], dtype=float)
        given = differences, np.ones(n, dtype=int), float(unit * largest), level
        return guaranteed_interval(*given, np.array(sizes)[[*order]], widest)

    def wealth(delta, half, sign):
        groups = [(sign * x, n) for x, n in zip(sums, sizes, strict=True)]
        return fixed_wealth(groups, largest, delta, half, widest)

    return Sample(largest, float(sum(sums) / sum(sizes)), interval, wealth)


def average_of_tasks(rng):
    """Right and wrong answers of some tasks, in groups or alone, weighted."""
    is_grouped, n_tasks = rng.random() < 0.5, int(rng.integers(1, 4))
    weights = dict(zip("abc", rng.integers(1, 6, n_tasks).tolist(), strict=False))
    columns, ids, groups = {}, {}, []
    for name, weight in weights.items():
        size = int(rng.integers(1, 4)) if is_grouped else 1
        n = size * int(rng.integers(2, 5 if is_grouped else 9))
        own = rng.permutation(np.repeat(range(n // size), size))
        one, two = rng.integers(0, 2, (2, n))
        columns[name], ids[name] = (one.tolist(), two.tolist()), [f"{name} {x}" for x in own]
        share = Fraction(weight, sum(weights.values()) * n)
        sums = np.bincount(own, one - two).astype(int).tolist()
        groups += [(share * x, share * size) for x in sums]

    def suite(sign):
        tasks = {name: (*pair[::sign], [1] * len(pair[0])) for name, pair in columns.items()}
        return compare_suite(tasks, weights=weights, groups=ids if is_grouped else None)

    def interval(level, sign):
        return tuple(suite(sign).average.confidence_interval(level, kind="guaranteed"))

    def wealth(delta, half, sign):
        """K(Δ) = mean over c of Π (1 + c a_g (d_g - Δ n_g) / (max a_g n_g (1 + Δ)))."""
        return fixed_wealth([(sign * x, n) for x, n in groups], 1, delta, half)

    return Sample(1, suite(1).average.statistic, interval, wealth)


LEVELS = [0.5, 0.8, 0.875, 0.9, 0.95, 0.99, 1.0 - 1e-9]


@pytest.mark.parametrize("draw", [wins_and_losses, sums_of_groups, average_of_tasks])
@cases(0.7)
@given(generators)
def test_turned_and_wider_at_a_higher_level(draw, rng):
    """It holds the difference, and stays within what is possible."""
    sample = draw(rng)
    level1, level2 = sorted(rng.choice([*LEVELS, rng.uniform(1e-3, 1.0)], 2).tolist())
    narrow, wide = (sample.interval(x, 1) for x in (level1, level2))
    assert -sample.largest <= wide[0] <= narrow[0] + 1e-12
    assert narrow[0] - 1e-12 <= sample.difference <= narrow[1] + 1e-12
    assert narrow[1] - 1e-12 <= wide[1] <= sample.largest
    low, high = sample.interval(level1, -1)
    assert (-high, -low) == narrow


@pytest.mark.parametrize("draw", [sums_of_groups, average_of_tasks])
@cases(0.7)
@given(generators)
def test_the_wealth_at_both_limits(draw, rng):
    """It is 2 / α, in fractions; an end that was extended to 0 has more."""
    sample, level = draw(rng), float(rng.choice([0.5, 0.9, 0.95, 0.999]))
    half, (low, high) = (1.0 - level) / 2.0, sample.interval(level, 1)
    for sign, limit in ((1, low), (-1, -high)):
        is_extended = limit == 0.0 and draw is average_of_tasks
        if limit >= -0.999 * sample.largest and not is_extended:  # where it is not steep
            at = float(sample.wealth(limit, half, sign)) * half
            assert 1.0 - 1e-12 <= at <= 1.0 + 1e-6


@cases(1)
@given(generators)
def test_order_and_scale_of_sums(rng):
    sample = sums_of_groups(rng)
    low, high = sample.interval(0.95, 1)
    n = len(sample.interval.__defaults__[0])
    assert sample.interval(0.95, 1, rng.permutation(n).tolist()) == (low, high)
    assert sample.interval(0.95, 1, unit=4) == (4.0 * low, 4.0 * high)


# Coverage, by all outcomes


def outcomes(n, chances):
    """All numbers of n examples that have each value, and their probabilities."""
    for some_counts in itertools.product(range(n + 1), repeat=len(chances) - 1):
        counts = *some_counts, n - sum(some_counts)
        if counts[-1] >= 0:
            ways = math.factorial(n) // math.prod(map(math.factorial, counts))
            mass = ways * math.prod(p**k for p, k in zip(chances, counts, strict=True))
            if mass > 0.0:
                yield mass, np.array(counts)


@one_in(5)
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize(
    ("n", "n_shares"),
    [
        *((5, 41), (8, 21), (12, 11)),
        pytest.param(20, 11, marks=pytest.mark.thorough),
    ],
)
def test_the_exact_interval_errs_at_most_as_often_as_said(n, n_shares, level):
    """At all lower limits: a test of a margin errs as often as the lower limit.

    The share that differs runs from the difference to 1, both included; there the error is that of
    Clopper and Pearson's interval.
    """
    errors = greatest_errors(exact_interval, n, level, n_shares)
    assert errors.low <= (1.0 - level) / 2.0 + 1e-9
    assert errors.both <= 1.0 - level + 1e-9


LAWS = [  # values of a difference in units of a half, and their chances; many at the corners
    ((-2, 0, 2), (0.01, 0.0, 0.99)),
    ((-2, 0, 2), (0.1, 0.8, 0.1)),
    ((-2, 1, 2), (0.05, 0.9, 0.05)),
    ((-2, 0, 1), (0.02, 0.0, 0.98)),
    ((-2, -1, 2), (0.0, 0.98, 0.02)),
    ((-1, 0, 2), (0.5, 0.3, 0.2)),
]


@one_in(5)
@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(("values", "chances"), LAWS)
def test_coverage_of_bounded_differences(values, chances, level):
    missed, mean = [0.0, 0.0], np.dot(values, chances) / 2.0
    for mass, counts in outcomes(12, chances):
        low, high = guaranteed_interval(np.array(values) / 2.0, counts, 1.0, level)
        missed[0] += mass * (low > mean + 1e-15)
        missed[1] += mass * (high < mean - 1e-15)
    assert max(missed) <= (1.0 - level) / 2.0 + 1e-9


OF_TASKS = [  # chances of a loss, a tie and a win in two tasks
    ((0.01, 0.0, 0.99), (0.1, 0.8, 0.1)),
    ((0.0, 0.98, 0.02), (0.3, 0.0, 0.7)),
    ((0.5, 0.5, 0.0), (0.0, 0.5, 0.5)),
]


@one_in(5)
@pytest.mark.parametrize("weights", [(1, 1), (9, 1), (2, 1)])
@pytest.mark.parametrize("laws", OF_TASKS)
def test_coverage_of_averages(laws, weights):
    """Of 4 and 2 examples, at 80 %: each end misses in at most 10 %. With weights by size exact."""
    means = [win - loss for loss, _, win in laws]
    mean, missed = np.average(means, weights=weights), [0.0, 0.0]
    for both in itertools.product(outcomes(4, laws[0]), outcomes(2, laws[1])):
        columns = {}
        for name, (_, counts) in zip("ab", both, strict=True):
            one, two = np.repeat([0, 1, 1], counts), np.repeat([1, 1, 0], counts)
            columns[name] = one, two, np.ones(one.size, dtype=int)
        shares = dict(zip("ab", weights, strict=True))
        found = compare_suite(columns, weights=shares).average.confidence_interval(0.8)
        assert (found.method == "exact") == (weights == (2, 1))
        missed[0] += both[0][0] * both[1][0] * (found.low > mean + 1e-12)
        missed[1] += both[0][0] * both[1][0] * (found.high < mean - 1e-12)
    assert max(missed) <= 0.1 + 1e-9


def test_groups_of_several_sizes():
    """Their largest size must be fixed beforehand: the largest that is drawn is no limit.

    Of 50 documents, 55 % have one sentence (a tie), 44 % one (won), and 1 % a hundred (lost).
    """
    mean, missed = -0.56 / 1.99, dict.fromkeys((None, 100), 0.0)
    for lost, widest in itertools.product(range(2), missed):
        for won in range(51 - lost):
            counts = np.array([50 - won - lost, won, lost])
            ways = math.factorial(50) // math.prod(map(math.factorial, counts.tolist()))
            mass = ways * math.prod(
                p**k for p, k in zip((0.55, 0.44, 0.01), counts.tolist(), strict=True)
            )
            there = counts > 0
            sums, sizes = np.array([0.0, 1.0, -100.0])[there], np.array([1, 1, 100])[there]
            low, high = guaranteed_interval(sums, counts[there], 1.0, 0.95, sizes, widest)
            missed[widest] += mass * (not low <= mean <= high)
    assert 0.55 < missed[None] < 0.65
    assert missed[100] == 0.0
