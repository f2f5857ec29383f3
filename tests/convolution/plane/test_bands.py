"""Bands of a region in the plane: however badly they are chosen, an interval holds the truth."""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

from convolution.tails import plane_tail
from corpora.planar_laws import Parabola, region_of, tail_cases
from oracles import swaps as oracle
from pairedperm import BudgetError
from pairedperm.convolution.plane import bands
from pairedperm.convolution.plane import law as planar_law
from pairedperm.convolution.plane.bands import tail_by_bands
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.series import product
from pairedperm.convolution.plane.tail import enumerate_planar_tail, spanned
from pairedperm.options import Budget
from properties import some

DIVIDED_ALWAYS = {"GOAL": 1e-20, "HELPED": -1000.0, "SUITED": 0.0}


def tail_or_none(law, region, is_absolute):
    try:
        return tail_by_bands(law, region, is_absolute=is_absolute, budget=Budget())
    except BudgetError:
        return None


@pytest.mark.parametrize("is_absolute", [False, True], ids=["relatively", "absolutely"])
@pytest.mark.parametrize(
    ("settings", "n_refused"),
    [
        ({"NEGLIGIBLE": -1.0}, 0.25),
        (DIVIDED_ALWAYS | {"NEGLIGIBLE": -0.7}, 1.0),
        ({"MAX_BANDS": 2}, 0.2),
        pytest.param({"STEPS": 0}, 0.1, marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_any_bands_and_tilts(monkeypatch, settings, n_refused, is_absolute):
    """What is neglected, or tilted badly, widens the interval; if it is too wide, it is refused."""
    for name, value in settings.items():
        monkeypatch.setattr(planar_law if name == "STEPS" else bands, name, value)
    laws = tail_cases()[::-3]
    if "GOAL" in settings:  # down to single rows, of which long laws have the same
        laws = [x for x in laws if x[0].shape[1] <= 25]
    chosen = some(laws, every=4)
    tails = [tail_or_none(law, region, is_absolute) for law, region, _ in chosen]
    for p, (_, _, truth) in zip(tails, chosen, strict=True):
        assert p is None or oracle.is_certified(oracle.AsResult(p), truth)
    assert tails.count(None) <= n_refused * len(chosen)


def far_rows():
    """A law of 3,004 examples, and rows from 2,400 on: 33 standard deviations away."""
    law = PlanarLaw(np.array([[1, 0], [0, 1]]), np.array([4, 3_000]))
    return law, Parabola(3_000, -2_400.0, 1.0, 0.0, 0)  # j - i ≥ 2,400


def test_a_tilt_that_does_not_reach_the_band(monkeypatch):
    law, region = far_rows()
    above = [*accumulate(math.comb(3_000, k) for k in range(601))]  # ways of at least 3,000 - k
    truth = Fraction(sum(math.comb(4, i) * above[600 - i] for i in range(5)), 2**3_004)
    p = tail_by_bands(law, region, is_absolute=False, budget=Budget())
    assert oracle.is_certified(oracle.AsResult(p), truth)
    monkeypatch.setattr(planar_law, "STEPS", 0)  # no tilt at all
    law, region = far_rows()  # no tilt is known
    with pytest.raises(BudgetError, match="can be certified only to a relative error of 1:"):
        tail_by_bands(law, region, is_absolute=False, budget=Budget())
    p = tail_by_bands(law, region, is_absolute=True, budget=Budget())
    assert 0.0 == p.low == p.value < p.high < 1e-15


@pytest.mark.parametrize("shape", [(1, 5000), (47, 256), (500, 1)])
def test_a_product_in_parts_is_that_of_the_whole(shape):
    rng = np.random.default_rng(shape)
    one, other = rng.standard_normal((shape[0], 64)), rng.standard_normal((64, shape[1]))
    bound = 2.0 * 64 * 2.0**-53 * (np.abs(one) @ np.abs(other))
    assert (np.abs(product(one, other) - one @ other) <= bound).all()


def test_nothing():
    """Is known absolutely."""
    law, region, _ = tail_cases()[0]
    (left, _), (bottom, top) = law.support
    nothing = region_of(law, np.full(top - bottom + 1, left - 1))
    for empty in (nothing, Parabola(region.last, -1000.0, 0.0, 0.0, 0.0)):
        p = tail_by_bands(law, empty, is_absolute=True, budget=Budget())
        assert p.low == 0.0 <= p.high < 1e-12
        assert plane_tail(law, empty, is_absolute=True).complement().value == 1.0


def test_sums_fewer_than_rows():
    """They are looked at one by one."""
    law = PlanarLaw(np.array([[1, 0], [0, 1], [5, 1000]]), np.array([2, 1, 1]))
    bounds = np.arange(law.shape[1]) // 300
    sums = [(i + k, j + 200 * k) for i in (0, 1, 1, 2) for j in (0, 1) for k in (0, 5)]
    n_tail = enumerate_planar_tail(law, region_of(law, bounds))
    assert n_tail == sum(i <= bounds[j] for i, j in sums)


def test_lattice():
    """Its area is the greatest common divisor of all minors, 2, 10 and 20."""
    vectors = np.array([[1, -2], [3, -4], [5, 0]])
    lattice = spanned(vectors, np.ones(3, dtype=np.int64))
    assert lattice.step * lattice.rise == 2
    assert np.array_equal(lattice.points(lattice.coordinates(vectors)), vectors)
    line = spanned(vectors[:1], np.ones(1, dtype=np.int64))
    assert (line.rank, line.direction, line.multiples(vectors[:1])) == (1, (-1, 2), [-1])
