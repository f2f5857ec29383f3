"""The exact interval of wins, losses and ties: fractions and 50 digits, p, other software."""

import decimal
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from oracles.paired_shares import binomial_tail, chance
from oracles.paired_trinomial import constrained_variance
from oracles.products_of_betas import exact, tail
from pairedperm.population.shares import exact_interval, likeliest
from properties import cases, generators, some

LEVELS = [0.5, 0.8, 0.875, 0.9, 0.95, 0.99, 1.0 - 1e-9]
levels = st.sampled_from(LEVELS) | st.floats(1e-3, 1.0 - 1e-12)


@st.composite
def tables(draw, most):
    """Wins, losses, and all examples."""
    n = draw(st.integers(1, most))
    wins = draw(st.integers(0, n))
    return wins, draw(st.integers(0, n - wins)), n


ERROR = 2.1e-9  # of a tail: 1e-9 outwards, and as much in the arithmetic


def half_of(level):
    return (1 - Fraction(str(level))) / 2


@cases(0.5)
@given(tables(24), levels)
@example((31, 0, 51), 1.0 - 1e-9)  # next to 0, where the inner probability jumps at θ = ½
@example((33, 1, 74), 1.0 - 1e-9)
def test_the_tail_at_the_lower_limit(table, level):
    """It is α / 2 less 1e-9, which the next floats hold; of one mind with p."""
    (wins, losses, n), half = table, half_of(level)
    low, high = exact_interval(*table, level)
    is_positive = binomial_tail(wins, wins + losses) <= half
    assert (low >= 0.0) == is_positive
    p = min(1, 2 * binomial_tail(max(wins, losses), wins + losses))
    assert (low >= 0.0 < high or low < 0.0 >= high) == (p <= 2 * half)
    if low in (-1.0, 0.0):
        assert low == (0.0 if is_positive else -1.0)
        return
    if wins:
        below = chance(*table, low, is_positive=is_positive)
    else:  # P(τ_up ≥ -low)
        c = Fraction(-low)
        below = sum(math.comb(n, k) * c**k * (1 - c) ** (n - k) for k in range(losses + 1))
    assert -ERROR < float(below / half - 1) <= 0.0


@cases(1)
@given(tables(100), levels, st.floats(-0.999, 0.999))
def test_more_wins_are_higher_and_which_shares_are_likeliest(table, level, delta):
    """The latter against the likelihood's maximum by 50 digits."""
    wins, losses, n = table
    higher = [(wins + 1, losses, n)] if wins + losses < n else []
    higher += [(wins, losses - 1, n)] if losses else []
    for other in higher:
        more = np.subtract(exact_interval(*other, level), exact_interval(*table, level))
        assert more.min() >= -1e-12
    p, q = likeliest(wins, losses, n, delta)
    variance = float(constrained_variance(wins, losses, n, decimal.Decimal(delta)))
    assert p - q == pytest.approx(delta, abs=1e-15)
    assert p + q - delta**2 == pytest.approx(variance, abs=1e-12)


@pytest.mark.parametrize("n", [1, 7, 1000, 10**7])
def test_the_ends_that_have_a_formula(n):
    share = -math.expm1(math.log(0.025) / n)
    assert exact_interval(0, 0, n, 0.95) == pytest.approx((-share, share), rel=1e-8)
    assert exact_interval(0, n, n, 0.95)[0] == -1.0
    for wins in (1, 4, 9):  # all differ: Clopper and Pearson's interval of θ
        low, high = exact_interval(wins, 10 - wins, 10, 0.95)
        shares = stats.binomtest(wins, 10).proportion_ci(0.95)
        for limit, share in ((low, shares.low), (-high, 1.0 - shares.high)):
            assert limit >= 0.0 or limit == pytest.approx(2.0 * share - 1.0, rel=1e-7)


def test_a_limit_of_0_is_p_of_alpha():
    """Integers decide where floats do not, also of more examples than they hold exactly."""
    assert exact_interval(4, 0, 9, 0.875)[0] == 0.0  # p = 1/8
    assert math.copysign(1.0, exact_interval(0, 4, 9, 0.875)[1]) == 1.0  # no -0.0
    assert exact_interval(4, 0, 9, 0.8750000000000001)[0] < 0.0
    wins, m = 4_700, 9_000
    p = binomial_tail(wins, m)
    for below in (1, -1):
        level = float(1 - 2 * p * (1 + Fraction(below, 10**15)))
        low, _ = exact_interval(wins, m - wins, 10**6, level)
        assert (low >= 0.0) == (p <= half_of(level))


@pytest.mark.parametrize("level", [5e-324, 1e-200, 1e-17, 1 - 2**-53])
@pytest.mark.parametrize(
    "table", [(0, 0, 5), (5, 0, 5), (2, 1, 9), (1, 0, 49), (10**8 + 1, 7, 10**9 + 7)]
)
def test_levels_next_to_0_and_1(table, level):
    low, high = exact_interval(*table, level)
    assert -1.0 <= low <= high <= 1.0


@pytest.mark.parametrize(
    ("x", "m", "n", "level", "low", "high"),
    [  # mcnemarExactDP of exact2x2 1.7.0, R 4.2.2: x wins and m - x losses, conf.int
        (1, 8, 21, 0.95, -0.54549962, 0.02044939),  # the example of its manual
        (9, 11, 161, 0.95, -0.00245, 0.09383),
        (2, 49, 50, 0.99, -0.98904, -0.61783),
        (0, 5, 30, 0.95, -0.34721, 0.00741),
        (40, 60, 160, 0.99, -0.00514, 0.25213),
        (5, 7, 1000, 0.95, -0.00348, 0.01006),
        (300, 550, 2000, 0.95, 0.00152, 0.04846),
    ],
)
def test_the_intervals_of_r(x, m, n, level, low, high):
    """R's root finder stops within 1.2e-4."""
    assert exact_interval(x, m - x, n, level) == pytest.approx((low, high), abs=2e-4)


def many(rng):
    """Wins, losses, n up to 10^7 and a level; many tables of few wins, losses or ties."""
    n = int(10.0 ** rng.uniform(0.0, 7.0))
    few = int(min(n, 10.0 ** rng.uniform(0.0, math.log10(n) + 0.01)))
    m = int(rng.choice([few, n - few, rng.integers(0, n + 1), n * rng.beta(0.5, 2.0)]))
    few = int(10.0 ** rng.uniform(0.0, math.log10(m + 1))) - 1
    near_half = round(m / 2 + 2.0 * rng.normal() * math.sqrt(m))
    wins = min(max(int(rng.choice([few, m - few, rng.integers(0, m + 1), near_half])), 0), m)
    return wins, m - wins, n, float(rng.choice([*LEVELS, 0.999, 1.0 - 1e-6]))


@cases(0.25)
@given(generators)
def test_fifty_digits(rng):
    """The lower limit's tail is α / 2 less 1e-9 to 2e-9, or that of the next float is above."""
    for _ in some(range(10), 10):
        wins, losses, n, level = many(rng)
        m, half = wins + losses, half_of(level)
        low, _ = exact_interval(wins, losses, n, level)
        if low in (-1.0, 0.0):
            assert low == -1.0 or binomial_tail(wins, m) >= half * (1 - Fraction(1, 10**9))
            continue
        theta, tau = (wins, losses + 1), (m, n - m + 1)
        if low < 0.0:
            theta, tau = (losses + 1, wins), (m + 1, n - m)

        def excess(x, theta=theta, tau=tau, half=half, is_above=low < 0.0):
            return float(tail(theta, tau, abs(x), is_above=is_above) / exact(half) - 1)

        here = excess(low)
        assert here <= -0.9e-9
        assert here >= -2.1e-9 or excess(math.nextafter(low, 1.0)) >= -2.1e-9
