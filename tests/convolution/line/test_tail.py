"""Tails on a line: every engine against the oracle, windows and frequencies of the tilted sum."""

import functools
import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from convolution.tails import line_tail
from oracles import swaps as oracle
from pairedperm.convolution.integers import MAX_HALVED, halved_lower_tail
from pairedperm.convolution.law import TiltedLaw, tilted_to
from pairedperm.convolution.line import intervals as intervals_module
from pairedperm.convolution.line import tail as tail_module
from pairedperm.convolution.line import tilted as tilted_module
from pairedperm.convolution.line import tilted as window_module
from pairedperm.convolution.line.intervals import search
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.line.tilted import fit, tilted_lower_tail
from pairedperm.convolution.polynomials import count_lower_tail
from pairedperm.convolution.waves import TwoPointWaves
from pairedperm.options import Budget
from properties import cases, generators


def count_at_most(values, counts, bound):
    """How many assignments of B = Σ values·Binomial(counts) are at most `bound`."""
    differences = np.repeat(values, counts).tolist()
    total = sum(differences)  # S = W - 2B
    return sum(c for s, c in sum_counts(*differences).items() if (total - s) // 2 <= bound)


@functools.lru_cache(maxsize=2)  # of several bounds, one after the other
def sum_counts(*differences):
    return oracle.signed_sum_counts(differences)


def tilted(values, counts, bound, total):
    """The tilted sum, whatever else could be used."""
    return tilted_lower_tail(fit(values, counts, bound, total), bound, Budget())


def check(p, truth, tolerance=1e-12):
    assert oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
    assert oracle.relative_error(oracle.AsResult(p), truth) <= tolerance
    if truth >= Fraction(1, 10**300):
        assert p.high - p.low <= 1e-10 * p.value


@st.composite
def laws(draw, max_value=25, max_count=30):
    values = draw(st.lists(st.integers(1, max_value), min_size=1, max_size=6, unique=True))
    counts = draw(st.lists(st.integers(1, max_count), min_size=len(values), max_size=len(values)))
    divisor = math.gcd(*values)
    values = np.array(sorted(v // divisor for v in values), dtype=np.int64)
    return values, np.array(counts, dtype=np.int64)


@cases(3)
@given(laws(), st.floats(0, 1))
def test_engines_agree_with_the_oracle(law, where):
    values, counts = law
    total = int((values * counts).sum())
    bound = round(where * total)
    truth = Fraction(count_at_most(values, counts, bound), 2 ** int(counts.sum()))
    check(line_tail(values, counts, total, bound), truth)
    if values[0] <= bound and 2 * bound + 1 < total:  # what the other two are for
        check(tilted(values, counts, bound, total), truth)
        if counts.sum() <= MAX_HALVED:
            check(halved_lower_tail(values, counts, bound), truth)
        assert (
            Fraction(
                count_lower_tail(values.tolist(), counts.tolist(), bound), 2 ** int(counts.sum())
            )
            == truth
        )


@pytest.mark.thorough
@cases(2)
@given(rng=generators)
def test_tilted_sum_on_random_laws(rng):
    values = np.unique(rng.integers(1, rng.choice([2, 10, 60, 200]), rng.integers(1, 9)))
    values //= np.gcd.reduce(values)
    counts = rng.integers(1, rng.choice([2, 8, 60]), values.size)
    if rng.random() < 0.3:
        counts[0] += 500
    total = int((values * counts).sum())
    bound = int(total * rng.choice([0.5 * rng.random(), 0.05 * rng.random(), 0.49]))
    bound = max(bound, int(values[0]))
    assume(2 * bound + 1 < total)
    truth = Fraction(count_at_most(values, counts, bound), 2 ** int(counts.sum()))
    check(tilted(values, counts, bound, total), truth)


@pytest.mark.parametrize("below", [1, 2, 301])
@pytest.mark.parametrize("n_even", [3000, 1_000_000])
def test_second_peak_of_the_characteristic_function(n_even, below):
    """Many differences of 2 and three of 1: as much of φ near the frequency M/2 as near 0."""
    values, counts = np.array([1, 2]), np.array([3, n_even])
    total = 3 + 2 * n_even
    bound = total // 2 - below
    p = tilted(values, counts, bound, total)
    if n_even == 3000:
        check(p, Fraction(count_at_most(values, counts, bound), 2 ** (n_even + 3)))
    # P(2 · Binomial(n_even, 1/2) + Binomial(3, 1/2) ≤ bound) by the value of the second
    ways = np.array([1, 3, 3, 1]) / 8
    parts = stats.binom.cdf((bound - np.arange(4)) // 2, n_even, 0.5) * ways
    assert p.value == pytest.approx(parts.sum(), rel=1e-10)
    assert p.high - p.low <= 1e-10 * p.value


def test_every_tilt_gives_the_same_tail():
    values, counts = np.array([1, 3, 7]), np.array([20, 10, 5])
    total, bound = 85, 30
    law = tilted_to(values, counts, bound, total)
    assert abs(law.mean - bound) <= 0.011 * math.sqrt(law.variance)
    by_definition = {
        tau: _tail_by_definition(law.at(tau), bound) for tau in (0.0, 0.01, law.tau, 0.3)
    }
    assert np.ptp(list(by_definition.values())) <= 1e-13


def _tail_by_definition(law, bound):
    """Σ e^{κ + tau b} Q(B = b) over b ≤ bound, Q convolved factor by factor."""
    pmf = np.ones(1)
    for value, count, chance in zip(law.values, law.counts, law.chance, strict=True):
        factor = np.zeros(value + 1)
        factor[0], factor[value] = 1.0 - chance, chance
        for _ in range(count):
            pmf = np.convolve(pmf, factor)
    b = np.arange(bound + 1)
    return float((np.exp(law.log_scale + law.tau * b) * pmf[: bound + 1]).sum())


@cases(0.5)
@given(laws(max_value=25, max_count=200), st.floats(0.01, 0.49), st.booleans())
def test_window_leaks_no_more_than_it_says(law, where, chernoff):
    values, counts = law
    total = int((values * counts).sum())
    bound = round(where * total)
    assume(values[0] <= bound and 2 * bound + 1 < total)
    with (  # much more is dropped than in use, to see it, and root-finding where it is not used
        mock.patch.object(window_module, "DROPPED_SHARE", 0.01),
        mock.patch.object(window_module, "SLOW_SUM", 0.0 if chernoff else math.inf),
    ):
        fitted = fit(values, counts, bound, total)
    tilted, window, tolerance = fitted.law, fitted.window, fitted.tolerance
    pmf = np.ones(1)
    for value, count, chance in zip(tilted.values, tilted.counts, tilted.chance, strict=True):
        binomial = np.zeros(value * count + 1)
        binomial[::value] = stats.binom.pmf(np.arange(count + 1), count, chance)
        pmf = np.convolve(pmf, binomial)
    outside = (
        pmf[: max(bound - window.n_tail + 1, 0)].sum() + pmf[bound + window.n_guard + 1 :].sum()
    )
    assert outside <= window.leak + 1e-14
    assert window.leak <= 1.1 * tolerance


@pytest.mark.parametrize("side", [+1, -1])
@pytest.mark.parametrize("ulps", range(-3, 4))
def test_window_of_a_law_whose_end_has_just_the_tolerance(side, ulps):
    law = TiltedLaw(np.array([1, 3]), np.array([10, 4]), 0.5)
    end = -law.log_scale - 14 * math.log(2.0) - (law.tau * 22 if side < 0 else 0.0)
    point = window_module._chernoff_point(law, 22, end * (1.0 + ulps * 2.0**-52), side)
    assert point < 1e-6 if side > 0 else point > 22 - 1e-6


@given(laws(max_value=40), st.integers(10, 400), st.floats(0.0, 2.0), st.floats(-30.0, -1.0))
def test_no_frequency_is_lost(law, length, tau, log_tolerance):
    tilted = TiltedLaw(*law, tau)
    source = TwoPointWaves(tilted, length)
    kept = search(source, length, log_tolerance, Budget()).frequencies.tolist()
    assert kept == sorted(set(kept))
    assert all(0 <= f <= length // 2 for f in kept)
    for f in set(range(length // 2 + 1)) - set(kept):
        angle = 2j * np.pi * f / length
        factors = 1 - tilted.chance + tilted.chance * np.exp(angle * tilted.values)
        assert np.log(np.abs(factors)) @ tilted.counts <= log_tolerance + 1e-6


@given(laws(max_value=40, max_count=30))
def test_pruning_factor_by_factor(law):
    values, counts = law
    total = int((values * counts).sum())
    bound = total // 3
    assume(values[0] <= bound and 2 * bound + 1 < total)
    truth = Fraction(count_at_most(values, counts, bound), 2 ** int(counts.sum()))
    with mock.patch.object(intervals_module, "BLOCK_TERMS", 16):  # several blocks
        check(tilted(values, counts, bound, total), truth)


@cases(0.5)
@given(laws(max_count=40), st.integers(1, 30), st.floats(0, 1), st.booleans())
def test_one_value_above_the_sum_of_all_others(law, count, where, is_next):
    """Set apart, from the least above the sum of the others on."""
    values, counts = law
    others = int((values * counts).sum())
    largest = others + 1 if is_next else 10**9 + others
    values, counts = np.append(values, largest), np.append(counts, count)
    assume(np.gcd.reduce(values) == 1)
    total = others + largest * count
    bound = min(round(where * count) * largest + round(where * others), total)
    differences = np.repeat(values, counts).tolist()
    inner = {
        (others - s) // 2: c for s, c in oracle.signed_sum_counts(differences[:-count]).items()
    }
    n_tail = sum(
        math.comb(count, k) * sum(c for b, c in inner.items() if b <= bound - k * largest)
        for k in range(count + 1)
    )
    truth = Fraction(n_tail, 2 ** len(differences))
    found = line_tail(values, counts, total, bound)
    check(found, truth)
    with mock.patch.object(tail_module, "is_long", return_value=True):
        check(line_tail(values, counts, total, bound), truth)


@cases(0.2)
@given(rng=generators)
def test_halves_of_large_values(rng):
    """Up to 150 examples with a hundred thousand units in all, against integers."""
    n = int(rng.choice([46, 90, 150]))
    values = np.unique(rng.integers(1, rng.choice([300, 3000]), n))
    counts = np.ones(values.size, dtype=np.int64)
    total = int(values.sum())
    bound = int(total * rng.choice([0.03, 0.2, 0.4, 0.499]))
    ways = np.zeros(bound + 1, dtype=object)
    ways[0] = 1
    for value in values:
        ways[value:] += ways[: max(bound + 1 - value, 0)].copy()
    check(halved_lower_tail(values, counts, bound), Fraction(int(ways.sum()), 2**values.size))


def test_digits_that_are_lost_are_not_returned(monkeypatch):
    monkeypatch.setattr(tilted_module, "PROMISED", 1e-17)
    with pytest.raises(ArithmeticError, match=r"lost its digits.*report it with the input"):
        tilted(np.array([1, 2]), np.array([300, 100]), 200, 500)


def test_laws_of_halves_where_the_budget_allows_no_more():
    """Slower than the tilted sum here, and without frequencies."""
    squares = np.arange(1, 201) ** 2
    line = Line(squares, np.ones(200, dtype=np.int64), int(squares.sum()))
    tail = LineTail(line, 1_200_000, 200)
    costs = [LINE.cost(tail, budget) for budget in (Budget(), Budget(max_points=1))]
    assert [x.how for x in costs] == [
        *("a tilted sum on a line", "the laws of two halves of the examples are added")
    ]


@pytest.mark.thorough
def test_a_lattice_of_more_points_than_half_a_word():
    """Two scales, one a multiple of what exceeds all of the other: 7e11 points, from 2e8."""
    unit, coins = 10**9 + 7, np.ones(300, dtype=np.int64)
    small = np.sort(np.random.default_rng(0).choice(2 * 10**6, 300, replace=False)) + 1
    digits, counts = np.arange(1, 10), np.full(9, 22)
    total, large = int(small.sum()), int((digits * counts).sum())
    bound, rest = round(0.42 * large), round(0.45 * total)
    assert total < unit
    law = np.append(small, unit * digits), np.append(coins, counts)
    fitted = fit(*law, unit * bound + rest, total + unit * large)
    assert fitted.window.length > 2**39
    p = tilted_lower_tail(fitted, unit * bound + rest, Budget())
    below, up_to = (count_at_most(digits, counts, b) for b in (bound - 1, bound))
    among = tilted(small, coins, rest, total)
    low, high = (
        (below + (up_to - below) * Fraction(share)) / 2 ** int(counts.sum())
        for share in (among.low, among.high)
    )
    assert p.low <= high
    assert low <= p.high
    assert p.high - p.low < 1e-11 * p.value
