"""The mass of regions of the plane that bisection finds, against big integers."""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

from convolution.tails import plane_tail
from corpora.staircases import probability, random_law, region_of, step_cases
from oracles import swaps as oracle
from oracles import vectors as sum_oracle
from oracles.swaps import AsResult
from pairedperm.convolution.plane import tail as plane
from pairedperm.convolution.plane.law import PlanarLaw
from properties import one_in, some

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


@one_in(2)
@pytest.mark.parametrize(
    ("depth", "jump"), some([(2, 1), (2, 6), (4, 3), (4, 6), (8, 3), (6, 6)], every=2)
)
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
