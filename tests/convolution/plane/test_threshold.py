"""Regions of the plane that bisection finds: bounds, corners, and mass against big integers."""

import math
from fractions import Fraction
from itertools import accumulate
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from convolution.tails import plane_tail
from corpora.staircases import Staircase, probability, random_law, region_of, step_cases
from oracles import swaps as oracle
from oracles import vectors as sum_oracle
from oracles.swaps import AsResult
from pairedperm.convolution.plane import law as planar_law
from pairedperm.convolution.plane import tail as plane
from pairedperm.convolution.plane.law import PlanarLaw, ThresholdRegion
from pairedperm.convolution.plane.tail import enumerate_planar_tail
from properties import cases, generators, one_in, some


def between(first, last):
    return np.arange(first, last + 1)


def random_bounds(rng, law):
    (left, right), (bottom, top) = law.support
    bounds = rng.integers(left - 1, right + 1, top - bottom + 1)
    kind = rng.integers(0, 4, bounds.size)
    return np.where(kind == 0, left - 1, np.where(kind == 1, right, bounds))


@one_in(2)
@cases(0.4)
@given(rng=generators, sign=st.sampled_from([-1, 1]))
@pytest.mark.parametrize("together", [1, 3, 2**16])
def test_bisection(together, rng, sign):
    """Exact in every row, also in those without any point and those with all; whatever the sign."""
    k = int(rng.integers(1, 5))
    vectors = rng.integers(-30, 31, (k, 2))
    vectors[0, 1] = sign * rng.integers(1, 31)
    law = PlanarLaw(vectors, rng.integers(1, 4, k))
    (_, _), (bottom, top) = law.support
    assert bottom < 0 or sign > 0
    bounds = random_bounds(rng, law)
    region = region_of(law, bounds)
    assert region.convex_parts() == [(bottom, top)]
    first, last = np.sort(rng.integers(bottom, top + 1, 2)).tolist()
    with mock.patch.object(planar_law, "BLOCK_ROWS", together):
        found = region.bounds(between(first, last))
        assert np.array_equal(found, bounds[first - bottom : last - bottom + 1])
        assert np.array_equal(region.bounds(between(bottom, top)), bounds)
        some = rng.integers(bottom, top + 1, 9)
        assert np.array_equal(region.bounds(some), bounds[some - bottom])


def test_sums_fewer_than_rows():
    """Are looked at one by one, and not by the ends of all rows."""
    law = PlanarLaw(np.array([[1, 0], [0, 1], [5, 1000]]), np.array([2, 1, 1]))
    bounds = np.arange(law.shape[1]) // 300
    region = region_of(law, bounds)
    sums = [(i, j) for i in (0, 1, 1, 2) for j in (0, 1)]
    sums += [(i + 5, j + 1000) for i, j in sums]
    expected = sum(i <= bounds[j] for i, j in sums)
    assert enumerate_planar_tail(law, region) == expected
    assert "_bounds" not in vars(region)


@pytest.mark.parametrize("width", [*range(1, 20), 63, 64, 65, 2**20, 2**40])
def test_every_bound_of_a_row_is_found(width):
    """For any number of columns, all or the first and last of their bounds, one for each row."""
    chosen = np.unique(np.concatenate((np.arange(-1, min(width, 70)), [width // 2, width - 1])))
    law = PlanarLaw(np.array([[width - 1, 0], [0, 1]]), np.array([1, chosen.size - 1]))
    assert law.support == ((0, width - 1), (0, chosen.size - 1))
    assert np.array_equal(region_of(law, chosen).bounds(np.arange(chosen.size)), chosen)


def test_rows_are_bisected_once(monkeypatch):
    """Some by halving the columns, the others from there, and none again."""
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([1000, 500]))
    steps = Staircase(0, np.arange(501) % 7)
    region = ThresholdRegion(law, steps)
    region.bounds(between(3, 5))
    n_asked = len(steps.asked)
    assert sum(map(len, steps.asked)) < 501 * 10  # halving alone would take as many
    region.bounds(between(0, 500))
    region.corners(0, 500)
    assert len(steps.asked) == n_asked
    monkeypatch.setattr(planar_law, "BLOCK_ROWS", 300)
    steps = Staircase(0, np.arange(501) % 7)
    ThresholdRegion(law, steps).bounds(between(0, 0))
    assert max(len(points) for points in steps.asked) == 300


@pytest.mark.parametrize("apart", [1, 3, 100])
@pytest.mark.parametrize("reach", [0, 1, 5, 2000])
def test_wherever_the_search_begins(monkeypatch, apart, reach):
    monkeypatch.setattr(planar_law, "APART", apart)
    monkeypatch.setattr(planar_law, "REACH", reach)
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([300, 150]))
    bounds = np.random.default_rng(apart + reach).integers(-1, 301, 151)
    region = ThresholdRegion(law, Staircase(0, bounds))
    assert region.bounds(between(0, 150)).tolist() == bounds.tolist()


# Corners


def on_line(corners, rows):
    (i, j), (k, m) = corners
    slope = (k - i) / (m - j) if m > j else 0.0
    return i + slope * (np.asarray(rows) - j)


def test_corners_bound_every_point():
    """The line through them is beyond all rows' ends and touches one; they are the region's."""
    rng = np.random.default_rng(6)
    n_touching_inside = 0
    for law, _, steps, _ in step_cases():
        (left, _), (bottom, top) = law.support
        for bounds in (steps, random_bounds(rng, law)):
            region = region_of(law, bounds)
            for first, last in np.sort(rng.integers(bottom, top + 1, (6, 2))).tolist():
                rows = np.arange(first, last + 1)
                rows = rows[bounds[rows - bottom] >= left]
                corners = region.corners(first, last)
                assert (corners is None) == (not rows.size)
                if corners is None:
                    continue
                assert (corners[0][1], corners[1][1]) == (rows[0], rows[-1])
                gaps = on_line(corners, rows) - bounds[rows - bottom]
                assert gaps.min() > 0.0
                assert gaps.min() < 1e-5
                n_touching_inside += gaps[0] > 0.5 and gaps[-1] > 0.5
    assert n_touching_inside > 50


def test_no_rows_have_more_mass_than_their_corners_bound():
    """By the best tilt towards them: from above, and not far from it where there is one row."""
    for law, ways, bounds, _ in step_cases()[:60]:
        _, (bottom, top) = law.support
        region = region_of(law, bounds)
        total = 2 ** int(law.counts.sum())
        middle = (bottom + top) // 2
        for first, last in ((bottom, top), (bottom, middle), (middle, middle)):
            corners = region.corners(first, last)
            if corners is None:
                continue
            n_tail = sum(
                n for (i, j), n in ways.items() if first <= j <= last and i <= bounds[j - bottom]
            )
            log_bound = law.log_bound(law.tilt_to(*corners), *corners)
            if n_tail:
                assert log_bound >= float(oracle.log(Fraction(n_tail, total)))


def test_by_hand():
    """Rows 0 to 4 end at 5, nothing, 2, 4, 1: a line from 5 to 1 falls by 1, and 4 is 2 beyond."""
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([9, 4]))
    region = region_of(law, [5, -1, 2, 4, 1])
    assert region.bounds(between(0, 4)).tolist() == [5, -1, 2, 4, 1]
    (first, second) = region.corners(0, 4)
    assert first == (pytest.approx(7.0, abs=1e-5), 0.0)
    assert second == (pytest.approx(3.0, abs=1e-5), 4.0)
    assert region.corners(1, 1) is None
    first, second = region.corners(1, 2)
    assert first == second == (pytest.approx(2.0, abs=1e-5), 2.0)
    # of 2^13: rows 0 to 4 have 1, 4, 6, 4, 1 ways, times Σ binom(9, i) up to the bound
    n_tail = 382 + 0 + 6 * 46 + 4 * 256 + 10
    p = plane_tail(law, region)
    assert p.value == n_tail / 2**13


COUNTING = ("COUNTED", "ENUMERATED", "MANY_BITS", "MANY_SUMS")


def only_bands(monkeypatch):
    for name in COUNTING:
        monkeypatch.setattr(plane, name, -1)


def is_convex(bounds):
    """As those of a difference of ratios are."""
    return (np.diff(bounds, 2) >= 0).all()


def test_the_cases_are_hard():
    """Most are not convex, many neither ascend nor descend; and the far tail is among them."""
    assert sum(not is_convex(bounds) for _, _, bounds, _ in step_cases()) > 100
    assert sum(bool((np.diff(bounds) > 0).all()) for _, _, bounds, _ in step_cases()) < 50
    assert sum(truth < Fraction(1, 10**8) for *_, truth in step_cases()) > 5
    assert sum(truth > Fraction(1, 10) for *_, truth in step_cases()) > 20


@one_in(2)
@pytest.mark.parametrize("engine", ["bands", "any"])
def test_tails(monkeypatch, engine):
    if engine == "bands":
        only_bands(monkeypatch)
    for law, _, bounds, truth in some(step_cases(), every=2):
        p = plane_tail(law, region_of(law, bounds))
        assert oracle.is_certified(AsResult(p), truth)
        assert oracle.relative_error(AsResult(p), truth) <= 1e-12
        assert p.high - p.low <= 1e-9 * p.value


@one_in(2)
@pytest.mark.parametrize("engine", ["bands", "any"])
def test_complements(monkeypatch, engine):
    """One minus a tail that may be nothing."""
    if engine == "bands":
        only_bands(monkeypatch)
    for law, _, bounds, truth in some(step_cases(), every=3):
        p = plane_tail(law, region_of(law, bounds), is_absolute=True)
        assert Fraction(p.low) <= truth <= Fraction(p.high)
        assert p.high - p.low < 1e-9
        rest = p.complement()
        assert Fraction(rest.low) <= 1 - truth <= Fraction(rest.high)
        assert abs(Fraction(rest.value) - (1 - truth)) < Fraction(1, 10**12)
    for law, *_ in step_cases()[:20]:
        (left, _), (bottom, top) = law.support
        nothing = region_of(law, np.full(top - bottom + 1, left - 1))
        p = plane_tail(law, nothing, is_absolute=True)
        assert p.low == 0.0 <= p.high < 1e-12
        assert p.complement().value == 1.0


def far_cases():
    """Some 200 variables; where the rows at both ends matter no tilt suits the whole."""
    rng = np.random.default_rng(200)
    for counts in ([110, 60, 30], [140, 40, 15], [60, 60, 60]):
        law = random_law(rng, np.array(counts))
        ways = sum_oracle.law(law.vectors, law.counts)
        (left, right), (bottom, top) = law.support
        first = np.full(top - bottom + 1, right + 1)
        for i, j in ways:
            first[j - bottom] = min(first[j - bottom], i)
        first[first == right + 1] = left - 1  # a row that no sum is in
        deviation = math.sqrt(law.squares[0]) / 2.0
        rows = np.abs(np.arange(first.size) / (first.size - 1.0) - 0.5)
        for depth in (0.0, 0.2, 0.5):  # above the first point of each row
            wobble = np.abs(rng.normal(0.0, 1.0, first.size)) * depth * deviation
            bounds = np.floor(first + wobble).astype(np.int64) - (rng.random(first.size) < 0.4)
            for nearest in (0.0, 0.3, 0.45):  # rows: all, or those at both ends
                chosen = np.where(rows >= nearest, np.maximum(bounds, left - 1), left - 1)
                chosen[0] = bounds[0]
                yield law, ways, chosen, probability(law, ways, chosen)


@pytest.mark.thorough
def test_far_tails(monkeypatch):
    """Beyond 1e-30, and relatively as accurate as any."""
    only_bands(monkeypatch)
    pvalues = []
    for law, _, bounds, truth in far_cases():
        assert 0 < truth < Fraction(1, 2)
        p = plane_tail(law, region_of(law, bounds))
        assert oracle.is_certified(AsResult(p), truth)
        assert oracle.relative_error(AsResult(p), truth) <= 1e-11
        assert p.high - p.low <= 1e-9 * p.value
        absolute = plane_tail(law, region_of(law, bounds), is_absolute=True)
        assert Fraction(absolute.low) <= truth <= Fraction(absolute.high)
        pvalues.append(truth)
    assert min(pvalues) < Fraction(1, 10**45)
    assert sum(truth < Fraction(1, 10**30) for truth in pvalues) >= 8


@one_in(4)
@pytest.mark.parametrize(("depth", "jump"), [(2, 1), (2, 6), (4, 3), (4, 6), (8, 3), (6, 6)])
def test_bounds_that_jump_from_row_to_row(depth, jump):
    """Every other row ends several standard deviations before those beside it.

    X + Z and Y + Z of 300 variables each, which are too many to count; the truth by all values
    of Z and Y + Z. With X + Z ≤ b and Z = z there are X ≤ b - z.
    """
    n = 300
    law = PlanarLaw(np.array([[1, 0], [0, 1], [1, 1]]), np.array([n, n, n]))
    deviation = math.sqrt(n / 2)
    rows = np.arange(2 * n + 1)
    bounds = np.floor(n - (depth + jump * (rows % 2)) * deviation).astype(np.int64)
    ways = [math.comb(n, k) for k in range(n + 1)]
    at_most = list(accumulate(ways))
    n_tail = sum(
        ways[z] * ways[j - z] * at_most[min(int(bounds[j]) - z, n)]
        for j in rows.tolist()
        for z in range(max(0, j - n), min(n, j, int(bounds[j])) + 1)
    )
    p = plane_tail(law, region_of(law, bounds))
    assert oracle.is_certified(AsResult(p), Fraction(n_tail, 2 ** (3 * n)))
    assert p.high - p.low <= 1e-8 * p.value


def test_one_assignment():
    """The least point there is, in a row of its own: 2^-n."""
    law = PlanarLaw(np.array([[1, 0], [0, 1], [1, 1]]), np.array([200, 150, 100]))
    (left, _), (bottom, top) = law.support
    bounds = np.full(top - bottom + 1, left - 1)
    bounds[0] = 0
    p = plane_tail(law, region_of(law, bounds))
    assert oracle.is_certified(AsResult(p), Fraction(1, 2**450))
    assert p.log == pytest.approx(-450 * math.log(2.0), rel=1e-13)
