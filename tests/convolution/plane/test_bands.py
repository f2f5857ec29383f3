"""Bands of a region in the plane: however badly they are chosen, an interval holds the truth."""

import functools
import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

from corpora.planar_laws import Parabola, tail_cases
from oracles import swaps as oracle
from pairedperm import BudgetError
from pairedperm.convolution.engine import Meter
from pairedperm.convolution.plane import band, bands
from pairedperm.convolution.plane import law as planar_law
from pairedperm.convolution.plane.band import band_mass, box
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.law import NO_TILT, PlanarLaw
from pairedperm.convolution.plane.series import product
from pairedperm.options import Budget
from properties import one_in, some

DIVIDED_ALWAYS = {"GOAL": 1e-20, "HELPED": -1000.0, "SUITED": 0.0}


def tail_or_none(law, region, is_absolute):
    try:
        return tail_by_bands(law, region, is_absolute=is_absolute, budget=Budget())
    except BudgetError:
        return None


@pytest.mark.parametrize(
    ("settings", "n_refused"),
    [
        ({"NEGLIGIBLE": -1.0}, 0.25),
        (DIVIDED_ALWAYS | {"NEGLIGIBLE": -0.7}, 1.0),
        pytest.param(DIVIDED_ALWAYS, 0.0, marks=pytest.mark.thorough),
        pytest.param({"NEGLIGIBLE": -10.0}, 0.02, marks=pytest.mark.thorough),
        pytest.param({"MAX_BANDS": 1}, 0.02, marks=pytest.mark.thorough),
        pytest.param({"MAX_BANDS": 2}, 0.1, marks=pytest.mark.thorough),
        pytest.param({"STEPS": 0}, 0.1, marks=pytest.mark.thorough),
        pytest.param({"STEPS": 1}, 0.0, marks=pytest.mark.thorough),
    ],
    ids=lambda x: " ".join(f"{k}={v}" for k, v in x.items()) if isinstance(x, dict) else "",
)
@pytest.mark.parametrize("is_absolute", [False, True], ids=["relatively", "absolutely"])
def test_any_bands_and_tilts(monkeypatch, settings, n_refused, is_absolute):
    """What is neglected, or tilted badly, widens the interval; if it is too wide, it is refused."""
    for name, value in settings.items():
        monkeypatch.setattr(planar_law if name == "STEPS" else bands, name, value)
    laws = tail_cases()[::-1]
    if settings is DIVIDED_ALWAYS:  # down to single rows, of which long laws have the same
        laws = [x for x in laws if x[0].shape[1] <= 51]
    chosen = some(laws, every=12)
    tails = [tail_or_none(law, region, is_absolute) for law, region, _ in chosen]
    for p, (_, _, truth) in zip(tails, chosen, strict=True):
        assert p is None or oracle.is_certified(oracle.AsResult(p), truth)
    assert tails.count(None) <= n_refused * len(chosen)


@pytest.mark.parametrize(("dropped", "n_tilts"), [(2.0**-54, 2), (1e-12, 6)])
@pytest.mark.parametrize("is_absolute", [False, True], ids=["relatively", "absolutely"])
def test_rows_beyond_a_box(monkeypatch, is_absolute, dropped, n_tilts):
    """They hold at most what leaks from the box; only if that matters, they get their own tilts."""
    monkeypatch.setattr(band, "_DROPPED_OF_BAND", dropped)
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([2000, 2000]))
    find = mock.Mock(side_effect=PlanarLaw._tilt_to)
    monkeypatch.setattr(PlanarLaw, "_tilt_to", lambda *args: find(*args))
    region = Parabola(2000, 950.0, 0.0, 0.0, 0)  # i ≤ 950 in every row
    p = tail_by_bands(law, region, is_absolute=is_absolute, budget=Budget())
    truth = Fraction(sum(math.comb(2000, k) for k in range(951)), 2**2000)
    assert Fraction(p.low) <= truth <= Fraction(p.high)
    assert p.high - p.low <= 1e-10
    assert find.call_count == n_tilts


@pytest.mark.parametrize("dropped", [2.0**-54, 1e-6])
@pytest.mark.parametrize("beside", [-60, 0, 60])
@pytest.mark.parametrize(("most", "is_short"), [(490, False), (420, True), (200, True), (80, True)])
def test_short_periods(monkeypatch, most, is_short, beside, dropped):
    """If p is small, a short period folds little onto the wanted points, whatever the tilt."""
    search = mock.Mock(side_effect=band.surviving_grid_frequencies)
    monkeypatch.setattr(band, "surviving_grid_frequencies", search)
    monkeypatch.setattr(band, "_DROPPED_OF_BAND", dropped)
    ones, threes = 400, 200
    law = PlanarLaw(np.array([[1, 0], [3, 0], [0, 1]]), np.array([ones, threes, 50]))
    region = Parabola(50, float(most), 0.0, 0.0, 0)  # i ≤ most in every row
    tilt = law.tilt_to((most + beside, 0.0), (most + beside, 50.0))
    tilted, corners = law.tilted(tilt), region.corners(0, 50)
    within, bound = box(law, tilted), law.log_bound(tilt, *corners)
    mass = band_mass(tilted, region, 0, 50, bound, within, Meter(Budget()))
    ways = ways_to_add(ones, threes)
    truth = Fraction(sum(ways[: most + 1]), 2 ** (ones + threes))
    off = abs(float(truth / Fraction(math.exp(mass.exponent))) - mass.tail)
    assert off <= mass.tail_error + 1e-12 * mass.tail
    # what is folded, in floats
    period, mu = search.call_args.args[1][0], math.ldexp(tilt.i, -tilt.exponent)
    width = within.columns[1] - within.columns[0] + 1
    assert beside or (period < width) == is_short
    if period < width:
        masses = np.array([math.exp(math.log(n) - mu * i) for i, n in enumerate(ways)])
        weights = np.exp(mu * (np.arange(most + 1) - most))
        assert folded(masses / masses.sum(), weights, period) <= within.tolerance / 2.0
        if beside == 0:
            assert folded(masses / masses.sum(), weights, period // 2) > within.tolerance / 2.0


@functools.cache
def ways_to_add(ones, threes):
    """The number of assignments of so many variables 1 and 3 that add up to 0, 1, …"""
    ways = [math.comb(ones, i) for i in range(ones + 1)] + [0] * 3 * threes
    several = [math.comb(threes, k) for k in range(threes + 1)]
    return [
        sum(several[k] * ways[i - 3 * k] for k in range(min(i // 3, threes) + 1))
        for i in range(len(ways))
    ]


def folded(masses, weights, period):
    """The mass at 0, 1, … that a period folds onto the first points, which have these weights."""
    return sum(
        weight * (masses[i % period :: period].sum() - masses[i])
        for i, weight in enumerate(weights.tolist())
    )


@pytest.mark.parametrize(("suited", "n_bands"), [(None, 1), (1.0, 3)])
def test_rounding_is_not_divided(monkeypatch, suited, n_bands):
    """Two halves of a band whose tilt suits are known no better than the whole."""
    monkeypatch.setattr(bands, "GOAL", 1e-14)
    if suited is not None:
        monkeypatch.setattr(bands, "SUITED", suited)
    sums = mock.Mock(side_effect=band_mass)
    monkeypatch.setattr(bands, "band_mass", sums)
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([2000, 2000]))
    region = Parabola(2000, 1900.0, -1.0, 0.0, 0)  # i + j ≤ 1900
    p = tail_by_bands(law, region, is_absolute=False, budget=Budget())
    truth = Fraction(sum(math.comb(4000, k) for k in range(1901)), 2**4000)
    assert oracle.is_certified(oracle.AsResult(p), truth)
    assert sums.call_count == n_bands


def far_rows():
    """A law of 20,004 examples, and rows from 14,000 on: 57 standard deviations away."""
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([4, 20_000]))
    return law, Parabola(20_000, -14_000.0, 1.0, 0.0, 0)  # j - i ≥ 14,000


def test_a_tilt_that_does_not_reach_the_band(monkeypatch):
    law, region = far_rows()
    n, ways, above = 20_000, 1, []  # ways of at least n, n - 1, … of the second vector
    for j in range(n, 13_999, -1):
        above.append(ways + (above[-1] if above else 0))
        ways = ways * j // (n - j + 1)
    truth = Fraction(sum(math.comb(4, i) * above[6000 - i] for i in range(5)), 2 ** (n + 4))
    p = tail_by_bands(law, region, is_absolute=False, budget=Budget())
    assert oracle.is_certified(oracle.AsResult(p), truth)
    monkeypatch.setattr(planar_law, "STEPS", 0)  # no tilt at all
    law, region = far_rows()  # no tilt is known
    with pytest.raises(BudgetError, match="can be certified only to a relative error of 1:"):
        tail_by_bands(law, region, is_absolute=False, budget=Budget())
    p = tail_by_bands(law, region, is_absolute=True, budget=Budget())
    assert 0.0 == p.low == p.value < p.high < 1e-15


def test_a_band_beyond_the_window_has_what_its_leak_allows():
    law, region = far_rows()
    tilted = law.tilted(NO_TILT)
    within, meter = box(law, tilted), Meter(Budget())
    mass = band_mass(tilted, region, 14_000, 14_010, -2000.0, within, meter)
    assert (mass.exponent, mass.tail, mass.tail_error) == (-2000.0, 0.0, within.leak)


@one_in(3)
@pytest.mark.parametrize("n_rows", [1, 16, 47, 48, 500])
@pytest.mark.parametrize("n_columns", [1, 86, 256, 257, 5000])
def test_a_product_in_parts_is_that_of_the_whole(n_rows, n_columns):
    rng = np.random.default_rng(n_rows * n_columns)
    shapes = (n_rows, 64), (64, n_columns)
    one, other = (rng.standard_normal(s) for s in shapes)
    bound = 2.0 * 64 * 2.0**-53 * (np.abs(one) @ np.abs(other))
    assert (np.abs(product(one, other) - one @ other) <= bound).all()
