"""The exact interval and Tango's: fractions and 50 digits, p, published values, coverage."""

import decimal
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracles.paired_shares import binomial_tail, chance
from oracles.paired_trinomial import constrained_variance, masses, score_ends
from oracles.products_of_betas import exact, tail
from pairedperm.population.paired_shares import exact_interval, fewest_wins, score_interval
from properties import cases, generators, one_in, some

TABLES = some(range(20), 20)  # of a case
ERROR = 2.1e-9  # of a tail: 1e-9 outwards, and as much in the arithmetic
LEVELS = [0.5, 0.8, 0.875, 0.9, 0.95, 0.99, 1.0 - 1e-9]

# mcnemarExactDP of exact2x2 1.7.0, R 4.2.2: x wins of m = wins + losses, conf.level, conf.int
R_INTERVALS = [
    (1, 7, 21, 0.95, -0.54549962, 0.02044939),  # the example of its manual
    (7, 1, 21, 0.95, -0.02045, 0.54550),
    (9, 2, 161, 0.95, -0.00245, 0.09383),
    (3, 0, 20, 0.95, -0.07731, 0.37892),
    (2, 47, 50, 0.8, -0.96417, -0.75384),
    (2, 47, 50, 0.95, -0.97993, -0.68663),
    (2, 47, 50, 0.99, -0.98904, -0.61783),
    (0, 5, 30, 0.8, -0.28735, -0.03124),
    (0, 5, 30, 0.95, -0.34721, 0.00741),
    (0, 5, 30, 0.99, -0.40400, 0.05929),
    (12, 8, 100, 0.95, -0.05864, 0.13890),
    (40, 20, 160, 0.8, 0.05627, 0.19087),
    (40, 20, 160, 0.95, 0.02429, 0.22298),
    (40, 20, 160, 0.99, -0.00514, 0.25213),
    (9, 3, 32, 0.95, -0.05534, 0.41052),
    (25, 5, 30, 0.95, 0.29475, 0.88715),
    (5, 2, 1000, 0.95, -0.00348, 0.01006),
    (0, 0, 20, 0.95, -0.16843, 0.16843),
    (300, 250, 2000, 0.95, 0.00152, 0.04846),
    (60, 40, 100, 0.95, -0.00558, 0.39339),
]

both = pytest.mark.parametrize("interval", [exact_interval, score_interval])
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


@both
@given(tables(300), levels)
def test_systems_swapped(interval, table, level):
    wins, losses, n = table
    low, high = interval(*table, level)
    assert -1.0 <= low < high <= 1.0
    assert low <= (wins - losses) / n <= high
    assert interval(losses, wins, n, level) == (-high, -low)


@given(tables(100), levels)
def test_more_wins_and_fewer_losses_are_higher(table, level):
    wins, losses, n = table
    here = exact_interval(*table, level)
    higher = [(wins + 1, losses, n)] if wins + losses < n else []
    higher += [(wins, losses - 1, n)] if losses else []
    for other in higher:
        assert (np.array(exact_interval(*other, level)) >= np.array(here) - 1e-12).all()


@both
@given(tables(100), levels, levels)
def test_a_higher_level_is_wider(interval, table, level1, level2):
    narrow, wide = (interval(*table, x) for x in sorted((level1, level2)))
    assert wide[0] <= narrow[0] + 1e-12
    assert wide[1] >= narrow[1] - 1e-12


@one_in(2)
@pytest.mark.parametrize(
    ("n", "margin", "alpha"), [(1, 0.5, 0.3), (25, 0.1, 0.05), (600, 0.02, 0.01)]
)
def test_the_fewest_wins_that_show_a_loss_below_a_margin(n, margin, alpha):
    m = range(min(n, 25) + 1)
    for k, fewest in zip(m, fewest_wins(m, n, margin, alpha), strict=True):
        for wins in {fewest - 1, fewest} & {*range(k + 1)}:
            low, _ = exact_interval(wins, k - wins, n, 1.0 - 2.0 * alpha)
            assert (low > -margin) == (wins == fewest)


@pytest.mark.parametrize("n", [1, 7, 1000, 10**7])
def test_the_ends_that_have_a_formula(n):
    share = -math.expm1(math.log(0.025) / n)
    assert exact_interval(0, 0, n, 0.95) == pytest.approx((-share, share), rel=1e-8)
    assert exact_interval(0, n, n, 0.95)[0] == -1.0
    z2 = stats.norm.isf(0.025) ** 2
    assert score_interval(0, 0, n, 0.95) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)))
    assert score_interval(n, 0, n, 0.95) == pytest.approx(((n - z2) / (n + z2), 1.0))


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
@both
def test_levels_next_to_0_and_1(interval, table, level):
    low, high = interval(*table, level)
    assert -1.0 <= low <= high <= 1.0
    assert interval(*table, level) == (low, high)
    if interval is score_interval and level < 0.5:
        wins, losses, n = table
        assert (low, high) == pytest.approx(((wins - losses) / n,) * 2, abs=1e-15)


@one_in(4)
@pytest.mark.parametrize("table", R_INTERVALS)
def test_the_intervals_of_r(table):
    """R's root finder stops within 1.2e-4."""
    *counts, level, low, high = table
    assert exact_interval(*counts, level) == pytest.approx((low, high), abs=2e-4)


def drawn(rng):
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
    for _ in TABLES:
        wins, losses, n, level = drawn(rng)
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


# Tango's interval

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


@pytest.mark.thorough
@cases(0.5)
@given(tables(300), st.floats(1e-3, 1.0 - 1e-9))  # nearer to 0 the oracle's z loses digits
def test_any_counts_against_brute_force(table, level):
    assert same(score_interval(*table, level), score_ends(*table, level))


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
