"""How the law of a sum of vectors is laid out, and what no budget allows."""

import importlib

import numpy as np
import pytest

from pairedperm import BudgetError
from pairedperm.convolution.grid.product_law import product_law
from pairedperm.options import Budget

BUDGET = Budget()
LAYOUT = importlib.import_module("pairedperm.convolution.grid.product_law")  # the function's module


@pytest.fixture(autouse=True)
def with_a_lattice(monkeypatch):
    """Also where there are few points."""
    monkeypatch.setattr(LAYOUT, "FEW_POINTS", 0)


def test_what_is_chosen():
    """A side for each vector where that makes no more points."""
    apart = product_law(np.array([[1], [10**6], [10**6 + 1]]), np.array([1, 2, 1]))
    assert (apart.rank, apart.grid) == (1, (2, 3, 2))
    grid = product_law(np.array([[1], [2], [3]]), np.array([5, 5, 5]))
    assert (grid.rank, grid.grid) == (1, (31,))
    assert grid.how == "all sums, by a grid on which differences are added one by one"
    both = product_law(np.array([[1, 1], [2, 2], [0, 1]]), np.array([5, 5, 9]))
    assert both.rank == 2
    assert sorted(both.grid) == [10, 16]
    assert both.n_points == 160
    assert both.n_bytes >= 8 * 160
    # multiples of a vector whose sums are beyond 2^53, and on no grid, and of one with less
    for size, sides in ((2**49, (6, 6, 6)), (2**48, (31,))):
        law = product_law(np.array([[size], [2 * size], [3 * size]]), np.array([5, 5, 5]))
        assert law.grid == sides


def test_masses_are_added_where_a_transform_takes_longer(monkeypatch):
    """On the whole support, unless that has many more points than the transform's window."""
    added, transformed = "a grid on which differences are added", "a Fourier transform on a grid"
    few = product_law(np.array([[1, 0], [0, 1], [1, 1]]), np.array([6, 6, 6]))
    assert added in few.how
    assert few.is_relative
    monkeypatch.setattr(LAYOUT, "CONVOLVED", 0)
    same = product_law(np.array([[1, 0], [0, 1], [1, 1]]), np.array([6, 6, 6]))
    assert (same.how, same.grid, same.nanoseconds) == (few.how, few.grid, few.nanoseconds)
    monkeypatch.setattr(LAYOUT, "WIDER", 0.0)
    other = product_law(np.array([[1, 0], [0, 1], [1, 1]]), np.array([6, 6, 6]))
    assert transformed in other.how
    assert not other.is_relative
    assert other.nanoseconds > few.nanoseconds
    many = product_law(np.array([[1, 0], [0, 1], [1, 1]]), np.array([900, 900, 900]))
    assert transformed in many.how
    assert 0 < many.n_attained < many.n_points


def test_as_whole():
    n = 1000
    law = product_law(np.array([[1]]), np.array([n]))
    whole = law.as_whole()
    assert not law.is_whole
    assert whole.is_whole
    assert whole.grid == (n + 1,)
    part = whole.masses(BUDGET)
    assert part.masses.size == n + 1
    assert part.lost < 1e-300


# What is refused


def test_out_of_reach():
    """41 independent vectors make 2^41 points at least, which are not laid out."""
    law = product_law(np.eye(50, dtype=np.int64), np.ones(50, dtype=np.int64))
    assert law.grid is None
    assert law.layout is None
    assert (law.rank, law.n_points) == (50, 2**41)
    most = product_law(np.eye(40, dtype=np.int64), np.ones(40, dtype=np.int64))
    assert most.grid == (2,) * 40
    # beyond 2^53 as coordinates, and too many apart
    far = product_law(np.array([[2**49], [2**50], [3 * 2**49]]), np.full(3, 2**14))
    assert (far.grid, far.rank, far.n_points) == (None, 1, (2**14 + 1) ** 3)


def test_what_exceeds_the_budget():
    law = product_law(np.array([[1], [2], [3]]), np.array([300, 300, 300]))
    assert law.grid == (1801,)
    law.check(Budget(max_points=1801, max_bytes=law.n_bytes))
    with pytest.raises(BudgetError):
        law.check(Budget(max_bytes=law.n_bytes - 1))
    assert law.as_whole().masses(BUDGET).masses.size == 1801
