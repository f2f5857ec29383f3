"""The exact interval: an implementation in fractions, p, symmetry, coverage by enumeration."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracles.paired_shares import binomial_tail, chance
from oracles.paired_trinomial import masses
from pairedperm.population.paired_shares import exact_interval
from properties import cases, one_in

ERROR = 2.1e-9  # of a tail: 1e-9 outwards, and as much in the arithmetic
LEVELS = [0.5, 0.8, 0.875, 0.9, 0.95, 0.99, 1.0 - 1e-9]

levels = st.sampled_from(LEVELS) | st.floats(1e-3, 1.0 - 1e-12)


def tables(most):
    return st.integers(1, most).flatmap(
        lambda n: st.integers(0, n).flatmap(
            lambda wins: st.tuples(st.just(wins), st.integers(0, n - wins), st.just(n))
        )
    )


def half_of(level):
    return (1 - Fraction(str(level))) / 2


@cases(0.3)
@given(tables(24), levels)
def test_the_tail_at_the_lower_limit(table, level):
    """It is α / 2 less 1e-9, which the next floats outwards and inwards hold."""
    wins, losses, n = table
    low, _ = exact_interval(*table, level)
    half = half_of(level)
    is_positive = binomial_tail(wins, wins + losses) <= half
    assert (low >= 0.0) == is_positive
    if low in (-1.0, 0.0):
        assert low == (0.0 if is_positive else -1.0)
        return
    if wins:
        tail = chance(wins, losses, n, low, is_positive=is_positive)
    else:  # P(τ_up ≥ -low)
        c, m = Fraction(-low), losses
        tail = sum(math.comb(n, k) * c**k * (1 - c) ** (n - k) for k in range(m + 1))
    assert -ERROR < float(tail / half - 1) <= 0.0


@given(tables(300), levels)
def test_of_one_mind_with_p(table, level):
    wins, losses, _ = table
    low, high = exact_interval(*table, level)
    p = min(1, 2 * binomial_tail(max(wins, losses), wins + losses))
    assert (low >= 0.0 < high or low < 0.0 >= high) == (p <= 1 - Fraction(str(level)))


@given(tables(300), levels)
def test_systems_swapped(table, level):
    wins, losses, n = table
    low, high = exact_interval(*table, level)
    assert -1.0 <= low < high <= 1.0
    assert exact_interval(losses, wins, n, level) == (-high, -low)


@given(tables(100), levels)
def test_more_wins_and_fewer_losses_are_higher(table, level):
    wins, losses, n = table
    here = exact_interval(*table, level)
    higher = [(wins + 1, losses, n)] if wins + losses < n else []
    higher += [(wins, losses - 1, n)] if losses else []
    for other in higher:
        assert (np.array(exact_interval(*other, level)) >= np.array(here) - 1e-12).all()


@given(tables(100), levels, levels)
def test_a_higher_level_is_wider(table, level1, level2):
    narrow, wide = (exact_interval(*table, x) for x in sorted((level1, level2)))
    assert wide[0] <= narrow[0] + 1e-12
    assert wide[1] >= narrow[1] - 1e-12


@pytest.mark.parametrize("n", [1, 7, 1000, 10**7])
def test_the_ends_that_have_a_formula(n):
    share = -math.expm1(math.log(0.025) / n)
    assert exact_interval(0, 0, n, 0.95) == pytest.approx((-share, share), rel=1e-8)
    assert exact_interval(0, n, n, 0.95)[0] == -1.0


@pytest.mark.parametrize("wins", [1, 4, 9])
def test_all_differ(wins):
    """Clopper and Pearson's interval of θ; the limit that is positive uses τ_low."""
    low, high = exact_interval(wins, 10 - wins, 10, 0.95)
    shares = stats.binomtest(wins, 10).proportion_ci(0.95)
    for limit, share in ((low, shares.low), (-high, 1.0 - shares.high)):
        if limit < 0.0:
            assert limit == pytest.approx(2.0 * share - 1.0, rel=1e-7)


def test_a_limit_of_0_is_p_of_alpha():
    assert exact_interval(4, 0, 9, 0.875)[0] == 0.0  # p = 1/8
    assert exact_interval(4, 0, 9, 0.8750000000000001)[0] < 0.0
    assert exact_interval(3, 0, 20, 0.95)[0] < -0.05  # one-sided p = 0.125


@pytest.mark.parametrize("table", [(31, 0, 20), (31, 0, 40), (33, 1, 40)])
def test_a_limit_next_to_0(table):
    """The inner probability jumps at θ = ½ there, on a scale of x, and τ is the outer variable."""
    wins, losses, more = table
    n = wins + losses + more
    low, _ = exact_interval(wins, losses, n, 1.0 - 1e-9)
    half = half_of(1.0 - 1e-9)
    tail = chance(wins, losses, n, low, is_positive=low >= 0.0)
    assert -ERROR < float(tail / half - 1) <= 0.0


def test_integers_decide_where_floats_do_not():
    """Also of more differing examples than the integers hold exactly."""
    wins, m = 4_700, 9_000
    p = binomial_tail(wins, m)
    for below in (True, False):
        level = 1 - 2 * p * (1 + Fraction(1, 10**15) * (1 if below else -1))
        printed = f"{float(level)!r}"
        low, _ = exact_interval(wins, m - wins, 10**6, float(printed))
        assert (low >= 0.0) == (2 * p <= 1 - Fraction(printed))


@pytest.mark.parametrize("level", [5e-324, 1e-200, 1e-17, 1 - 2**-53])
@pytest.mark.parametrize(
    "table", [(0, 0, 5), (5, 0, 5), (2, 1, 9), (1, 0, 49), (10**8 + 1, 7, 10**9 + 7)]
)
def test_levels_next_to_0_and_1(table, level):
    low, high = exact_interval(*table, level)
    assert -1.0 <= low <= high <= 1.0
    assert exact_interval(*table, level) == (low, high)


def excess_of_errors(n, level, n_between):
    """The greatest P(low ≥ Δ) less α / 2, for all limits Δ, over τ from |Δ| to 1, ends included."""
    wins, losses = np.array([(w, x) for w in range(n + 1) for x in range(n + 1 - w)]).T
    pairs = zip(wins.tolist(), losses.tolist(), strict=True)
    low = np.array([exact_interval(w, x, n, level)[0] for w, x in pairs])
    worst = -1.0
    for delta in np.unique(low[low > -1.0]).tolist():  # -1 itself is never excluded
        is_above = low >= delta
        for tau in np.linspace(abs(delta), 1.0, n_between + 2).tolist():
            p, q = max(tau + delta, 0.0) / 2.0, max(tau - delta, 0.0) / 2.0
            mass = masses(wins[is_above], losses[is_above], n, p, q).sum()
            worst = max(worst, float(mass) - (1.0 - level) / 2.0)
    return worst


@one_in(2)
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize(
    ("n", "n_between"),
    [
        (5, 19),
        *(pytest.param(*case, marks=pytest.mark.thorough) for case in ((10, 19), (20, 9))),
    ],
)
def test_neither_limit_errs_more_often_than_promised(n, n_between, level):
    """Both limits are mirror images, so the interval covers Δ with at least the level."""
    assert excess_of_errors(n, level, n_between) <= 1e-9
