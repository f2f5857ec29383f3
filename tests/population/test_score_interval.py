"""Tango's interval: published values, an oracle of 50 digits, symmetry, coverage by enumeration."""

import decimal
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracles.paired_trinomial import constrained_variance, masses, score_ends
from pairedperm.population.paired_shares import score_interval
from properties import cases, one_in

PUBLISHED = {
    # Tango 1998, section 6.1 and table V: soft contact lenses
    (0, 1, 44, 0.9): (-0.096, 0.037),
    # the cells 4, 9, 3, 16, which Tango 1998 and R's ratesci have for an example
    (9, 3, 32, 0.95): (-0.027, 0.390),
    # Agresti and Min, Statistics in Medicine 24, 2005: cells 53, 16, 8, 9
    (16, 8, 86, 0.95): (-0.020, 0.207),
    # Fagerland, Lydersen and Laake, Statistics in Medicine 33, 2014: cells 1, 1, 7, 12
    (1, 7, 21, 0.95): (-0.517, -0.026),
    # Chang et al., continuity corrected score interval, 2022: floppy eyelids, 7, 25, 2, 68
    (25, 2, 102, 0.95): (0.139, 0.321),
}


@pytest.mark.parametrize("table", PUBLISHED, ids=str)
def test_published_intervals(table):
    assert score_interval(*table) == pytest.approx(PUBLISHED[table], abs=5.1e-4)


def test_the_published_statistic():
    """Tango 1998, section 6.1: of no win and one loss among 44, against -0.1, Z is 1.709."""
    variance = float(constrained_variance(0, 1, 44, decimal.Decimal("-0.1")))
    assert (-1 / 44 + 0.1) / math.sqrt(variance / 44) == pytest.approx(1.709, abs=5e-4)
    level = 2.0 * stats.norm.cdf((-1 / 44 + 0.1) / math.sqrt(variance / 44)) - 1.0
    assert score_interval(0, 1, 44, level)[0] == pytest.approx(-0.1, abs=1e-12)


def same(found, expected):
    """To 1e-12, and to 1e-11 of the interval's width, and the rounding of its ends."""
    rounding = 4e-16 * max(map(abs, expected))
    tolerance = min(1e-12, 1e-11 * (expected[1] - expected[0]) + rounding)
    return np.abs(np.subtract(found, expected)).max() <= tolerance


@pytest.mark.thorough
@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.9999])
@pytest.mark.parametrize(
    ("wins", "losses", "n"),
    [
        *((1, 0, 1), (0, 0, 1), (1, 1, 2), (2, 1, 3), (0, 5, 5), (5, 0, 20), (12, 7, 19)),
        *((3, 0, 10**9), (10**8, 10**8 - 5, 10**9), (10**9 - 1, 0, 10**9), (0, 0, 10**9)),
    ],
)
def test_the_score_equation_by_brute_force(wins, losses, n, level):
    assert same(score_interval(wins, losses, n, level), score_ends(wins, losses, n, level))


tables = st.integers(1, 300).flatmap(
    lambda n: st.integers(0, n).flatmap(
        lambda wins: st.tuples(st.just(wins), st.integers(0, n - wins), st.just(n))
    )
)
levels = st.floats(1e-3, 1.0 - 1e-9)  # nearer to 0 the oracle's z loses digits


@pytest.mark.thorough
@cases(0.5)
@given(tables, levels)
def test_any_counts_against_brute_force(table, level):
    assert same(score_interval(*table, level), score_ends(*table, level))


@given(tables, levels)
def test_systems_swapped(table, level):
    wins, losses, n = table
    low, high = score_interval(*table, level)
    assert -1.0 <= low <= (wins - losses) / n <= high <= 1.0
    assert score_interval(losses, wins, n, level) == (-high, -low)


@given(tables, levels, levels)
def test_a_higher_level_is_wider(table, level1, level2):
    narrow, wide = (score_interval(*table, x) for x in sorted((level1, level2)))
    assert wide[0] <= narrow[0] + 1e-15
    assert wide[1] >= narrow[1] - 1e-15


@pytest.mark.parametrize("n", [1, 7, 1000])
def test_the_ends_that_have_a_formula(n):
    z2 = stats.norm.isf(0.025) ** 2
    assert score_interval(0, 0, n, 0.95) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)))
    assert score_interval(n, 0, n, 0.95) == pytest.approx(((n - z2) / (n + z2), 1.0))


@pytest.mark.parametrize("level", [5e-324, 1e-200, 1e-17, 1 - 2**-53])
@pytest.mark.parametrize(
    "table", [(0, 0, 5), (5, 0, 5), (2, 1, 9), (1, 0, 49), (10**8 + 1, 7, 10**9 + 7)]
)
def test_levels_next_to_0_and_1(table, level):
    wins, losses, n = table
    low, high = score_interval(*table, level)
    assert -1.0 <= low <= high <= 1.0
    if level < 0.5:
        assert low == pytest.approx((wins - losses) / n, abs=1e-15)
        assert high == pytest.approx((wins - losses) / n, abs=1e-15)


def coverage(n, level, chances):
    """Of δ = p - q."""
    wins, losses = np.array([(w, x) for w in range(n + 1) for x in range(n + 1 - w)]).T
    pairs = zip(wins.tolist(), losses.tolist(), strict=True)
    low, high = np.array([score_interval(w, x, n, level) for w, x in pairs]).T
    found = []
    for p, q in chances:
        mass, delta = masses(wins, losses, n, p, q), p - q
        found.append(mass[(low <= delta + 1e-12) & (delta <= high + 1e-12)].sum())
    return np.array(found)


@one_in(2)
@pytest.mark.parametrize(
    ("n", "level", "mean", "least"),
    [
        *((10, 0.95, 0.964, 0.924), (20, 0.9, 0.903, 0.839), (20, 0.99, 0.992, 0.97)),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in ((20, 0.95, 0.956, 0.927), (50, 0.95, 0.950, 0.921))
        ),
    ],
)
def test_coverage_over_all_outcomes(n, level, mean, least):
    """On a grid of chances of a win and a loss in steps of 0.02; near the level on average."""
    steps = np.arange(0.0, 1.0 + 1e-9, 0.02)
    found = coverage(n, level, [(p, q) for p in steps for q in steps if p + q <= 1.0 + 1e-9])
    assert mean <= found.mean() <= mean + 0.01
    assert least <= found.min()
