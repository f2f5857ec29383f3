"""Sums of vectors in the plane: the engines against each other, and which is chosen."""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from convolution.tails import plane_tail
from corpora.planar_laws import Parabola, region_of, tail_cases
from oracles import swaps as oracle
from oracles.swaps import AsResult
from pairedperm import BudgetError
from pairedperm.convolution.engine import Cost
from pairedperm.convolution.plane import tail as plane
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import (
    PLANE,
    PlaneTail,
    enumerate_planar_tail,
    spanned,
)
from pairedperm.options import Budget
from properties import cases, generators, one_in

FEW = Budget(max_points=1)
OF_COUNTING = "COUNTED", "ENUMERATED"


def test_nothing():
    """Is known absolutely."""
    law, region, _ = tail_cases()[0]
    (left, _), (bottom, top) = law.support
    nothing = region_of(law, np.full(top - bottom + 1, left - 1))
    for empty in (nothing, Parabola(region.last, -1000.0, 0.0, 0.0, 0.0)):
        p = tail_by_bands(law, empty, is_absolute=True, budget=Budget())
        assert p.low == 0.0 <= p.high < 1e-12
        assert plane_tail(law, empty, is_absolute=True).complement().value == 1.0


def largest():
    """The problem of most variables, and its truth."""
    law, region, truth = max(tail_cases(), key=lambda case: case[0].counts.sum())
    return PlaneTail(law, region, is_absolute=False), truth


@pytest.mark.parametrize("told", [None, 1e-9])
def test_which_engine(monkeypatch, told):
    """Counting where it is quick; again where frequencies are, or prove to be, too many."""
    (law, region, *_), truth = largest()
    for name in OF_COUNTING:
        monkeypatch.setattr(plane, name, -1)
    if told:
        monkeypatch.setattr(plane, "tilted_cost", lambda *_: Cost(2, seconds=told))
    p = plane_tail(law, region, FEW)
    assert p.low <= truth <= p.high
    assert math.nextafter(p.low, 1.0) >= math.nextafter(p.high, 0.0)  # counted
    for name in ("MANY_BITS", "MANY_SUMS"):
        monkeypatch.setattr(plane, name, -1)
    with pytest.raises(BudgetError, match=r"a Fourier transform in two dim.* at least as long as"):
        plane_tail(law, region, FEW)
    tight = Budget(max_bytes=1000)
    if not told:
        with pytest.raises(BudgetError, match=r"needs \S+ bytes for sums in two .* allows 1e\+03"):
            plane_tail(law, region, tight)
    with pytest.raises(
        BudgetError, match=r"needs \S+ bytes for a F.*`max_bytes` of `budget` allows 1e\+03"
    ):
        tail_by_bands(law, region, is_absolute=False, budget=tight)


def test_a_slow_tilted_sum_is_compared(monkeypatch):
    """With counting, which is exact."""
    problem, truth = largest()
    for name in OF_COUNTING:
        monkeypatch.setattr(plane, name, -1)
    assert PLANE.cost(problem, Budget()).work.engine.name == "tilted"
    monkeypatch.setattr(plane, "QUICK_NS", 0.0)
    monkeypatch.setattr(plane, "tilted_cost", lambda *_: Cost(2, seconds=1e3))
    cost = PLANE.cost(problem, Budget())
    assert cost.how == "all swaps are counted"
    assert PLANE.run(problem, Budget(), cost).p.low <= truth


def test_sums_fewer_than_rows():
    """They are looked at one by one."""
    law = PlanarLaw(np.array([[1, 0], [0, 1], [5, 1000]]), np.array([2, 1, 1]))
    bounds = np.arange(law.shape[1]) // 300
    sums = [(i + k, j + 200 * k) for i in (0, 1, 1, 2) for j in (0, 1) for k in (0, 5)]
    n_tail = enumerate_planar_tail(law, region_of(law, bounds))
    assert n_tail == sum(i <= bounds[j] for i, j in sums)


@one_in(4)
@pytest.mark.parametrize(("depth", "jump"), [(2, 1), (2, 6), (4, 6), (8, 3), (14, 2), (6, 6)])
def test_bounds_that_jump_from_row_to_row(depth, jump):
    """Every other row ends several standard deviations before those beside it.

    X + Z and Y + Z of 300 variables each, which are too many to count; the truth by all values
    of Z and Y + Z. With X + Z ≤ b and Z = z there are X ≤ b - z.
    """
    n, rows = 300, np.arange(601)
    law = PlanarLaw(np.array([[1, 0], [0, 1], [1, 1]]), np.array([n, n, n]))
    bounds = np.floor(n - (depth + jump * (rows % 2)) * math.sqrt(n / 2)).astype(np.int64)
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


# The lattice


@cases(3)
@given(rng=generators, size=st.integers(3, 60))
def test_lattice(rng, size):
    """Coordinates beyond int64, too: shear times row may be of the size of the vectors' cubes."""
    largest = 2**size if size > 19 else 9
    vectors = rng.integers(-largest, largest, (2 if size > 19 else int(rng.integers(1, 6)), 2))
    if rng.random() < 0.3 and size < 20:
        vectors = np.outer(rng.integers(-5, 6, len(vectors)), rng.integers(-4, 5, 2))
    vectors = vectors[vectors.any(axis=1)]
    assume(len(vectors))
    lattice, exact = spanned(vectors, np.ones(len(vectors), dtype=np.int64)), vectors.astype(object)
    minors = np.outer(exact[:, 0], exact[:, 1])
    determinant = np.gcd.reduce((minors - minors.T).ravel())
    if lattice.rank == 1:
        sizes = lattice.multiples(vectors)
        assert np.array_equal(np.outer(sizes, lattice.direction), vectors)
        assert np.gcd.reduce(sizes) == 1
        assert determinant == 0
        return
    assume(determinant < 2**62)
    i, j = lattice.coordinates(vectors).astype(object).T
    found = np.stack((i * lattice.step + j * lattice.shear, j * lattice.rise), axis=1)
    assert np.array_equal(found, exact)
    assert determinant == lattice.step * lattice.rise
