"""Sums of vectors in the plane: the engines against each other, and the certificate."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from convolution.coarse import machine
from convolution.tails import plane_tail
from corpora.planar_laws import Parabola, pmf, tail_cases
from corpora.staircases import region_of
from oracles import swaps as oracle
from oracles.swaps import AsResult
from pairedperm import BudgetError
from pairedperm.convolution.engine import Cost, Meter
from pairedperm.convolution.grid import frequencies as grid_frequencies
from pairedperm.convolution.grid.frequencies import (
    grid_pmf,
    search_cost,
    surviving_grid_frequencies,
)
from pairedperm.convolution.integers import n_sums
from pairedperm.convolution.law import GridLaw
from pairedperm.convolution.plane import tail as plane
from pairedperm.convolution.plane.bands import tail_by_bands, tilted_cost
from pairedperm.convolution.plane.law import PlanarLaw, Tilt
from pairedperm.convolution.plane.tail import (
    PLANE,
    Lattice,
    PlaneTail,
    count_planar_tail,
    enumerate_planar_tail,
    spanned,
)
from pairedperm.options import Budget
from properties import cases, generators, one_in, some


@pytest.mark.parametrize("engine", ["bands", "counting", "enumeration"])
def test_engines(engine):
    for law, region, truth in some(tail_cases(), every=2):
        n = int(law.counts.sum())
        if engine == "bands":
            p = tail_by_bands(law, region, is_absolute=False, budget=Budget())
            assert oracle.is_certified(AsResult(p), truth)
            assert oracle.relative_error(AsResult(p), truth) <= 1e-13
            assert p.high - p.low <= 1e-10 * p.value
        elif engine == "counting":
            assert Fraction(count_planar_tail(law, region), 2**n) == truth
        elif n_sums(law.counts) < 10**5:
            assert Fraction(enumerate_planar_tail(law, region), 2**n) == truth


def test_known_absolutely():
    """Also where there is nothing, and where it is far below what matters."""
    for law, region, truth in tail_cases()[:40]:
        p = tail_by_bands(law, region, is_absolute=True, budget=Budget())
        assert Fraction(p.low) <= truth <= Fraction(p.high)
        assert p.high - p.low < 1e-11
    law, region, _ = tail_cases()[0]
    region = Parabola(region.last, -1000.0, 0.0, 0.0, 0.0)
    nothing = tail_by_bands(law, region, is_absolute=True, budget=Budget())
    assert nothing.low == 0.0 <= nothing.high < 1e-15
    assert plane_tail(law, region, is_absolute=True).complement().value == 1.0


def test_which_engine(monkeypatch):
    """Counting and enumeration where they are quick; again where the frequencies are too many."""
    law, region, truth = max(tail_cases(), key=lambda case: case[0].counts.sum())
    for name, value in (("COUNTED", -1), ("ENUMERATED", -1)):
        monkeypatch.setattr(plane, name, value)
    few = Budget(max_points=1)
    p = plane_tail(law, region, few)
    assert p.low <= truth <= p.high
    assert math.nextafter(p.low, 1.0) >= math.nextafter(p.high, 0.0)  # counted
    for name, value in (("MANY_BITS", -1), ("MANY_SUMS", -1)):
        monkeypatch.setattr(plane, name, value)
    with pytest.raises(BudgetError, match=r"a Fourier transform in two dim"):
        plane_tail(law, region, few)
    tight = Budget(max_bytes=1000)
    with pytest.raises(BudgetError, match=r"needs \S+ bytes for sums in two .* allows 1e\+03"):
        plane_tail(law, region, tight)
    with pytest.raises(
        BudgetError, match=r"needs \S+ bytes for a F.*`max_bytes` of `budget` allows 1e\+03"
    ):
        tail_by_bands(law, region, is_absolute=False, budget=tight)


def test_what_takes_more_than_estimated(monkeypatch):
    """Is counted after all, if that is possible."""
    law, region, truth = max(tail_cases(), key=lambda case: case[0].counts.sum())
    for name in ("COUNTED", "ENUMERATED"):
        monkeypatch.setattr(plane, name, -1)
    monkeypatch.setattr(plane, "tilted_cost", lambda *_: Cost(2, seconds=1e-9))
    few = Budget(max_points=1)
    p = plane_tail(law, region, few)
    assert p.low <= truth <= p.high
    for name in ("MANY_BITS", "MANY_SUMS"):
        monkeypatch.setattr(plane, name, -1)
    with pytest.raises(BudgetError, match="takes at least as long as"):
        plane_tail(law, region, few)


def test_a_slow_tilted_sum_is_compared(monkeypatch):
    """With counting, which is exact."""
    law, region, truth = max(tail_cases(), key=lambda case: case[0].counts.sum())
    for name in ("COUNTED", "ENUMERATED"):
        monkeypatch.setattr(plane, name, -1)
    problem = PlaneTail(law, region, is_absolute=False)
    assert PLANE.cost(problem, Budget()).work.engine.name == "tilted"
    monkeypatch.setattr(plane, "QUICK_NS", 0.0)
    monkeypatch.setattr(plane, "tilted_cost", lambda *_: Cost(2, seconds=1e3))
    cost = PLANE.cost(problem, Budget())
    assert cost.how == "all swaps are counted"
    assert PLANE.run(problem, Budget(), cost).p.low <= truth


def test_nothing_to_sum_costs_little():
    law, _, _ = tail_cases()[0]
    (left, _), (bottom, top) = law.support
    nothing = region_of(law, np.full(top - bottom + 1, left - 1))
    far, _, _ = max(tail_cases(), key=lambda case: case[0].counts.sum())
    far = PlanarLaw(far.vectors, 1000 * far.counts)
    little = Parabola(far.support[1][1], float(far.support[0][0]), 0.0, 0.0, 0.0)
    for problem in ((law, nothing, False), (far, little, True)):
        cost = tilted_cost(*problem, Budget())
        assert cost.seconds < 1e-2
        assert cost.excess is None
    assert tilted_cost(far, little, False, Budget()).seconds > 1e-2


@one_in(3)
@pytest.mark.parametrize(
    "settings", [{"BOXES": 1, "FEW_FREQUENCIES": 0, "BLOCK_BOXES": 8}, {"BOXES": 1}, {}]
)
def test_no_frequency_is_lost(monkeypatch, settings):
    """Whatever the boxes are that the search begins with, and with a sample of them."""
    for name, value in settings.items():
        monkeypatch.setattr(grid_frequencies, name, value)
    n_all, n_found = 0, 0
    for small, _, _ in some(tail_cases()[:40], every=2):
        law = PlanarLaw(small.vectors, 20 * small.counts)
        mean = (law.counts[:, None] * law.vectors).sum(axis=0) / 2.0
        below = float(mean[0] - 20.0), float(mean[1])
        for tilt in (Tilt(0, 0, 0), law.tilt_to(below, below)):
            tilted, lengths = law.tilted(tilt), (61, 96)
            f, g = np.meshgrid(np.arange(31), np.arange(96), indexing="ij")
            i, j = tilted.vectors.T / np.array(lengths)[:, None]
            angles = 2.0 * math.pi * (f[..., None] * i + g[..., None] * j)
            factors = np.abs(1.0 - tilted.chance + tilted.chance * np.exp(1j * angles))
            modulus = (factors**tilted.counts).prod(axis=-1)
            found = surviving_grid_frequencies(tilted, lengths, math.log(1e-3), Meter(Budget()))
            assert len(np.unique(found, axis=0)) == len(found)
            is_found = np.zeros(modulus.shape, dtype=bool)
            is_found[found[:, 0], found[:, 1]] = True
            assert is_found[modulus > 1e-3].all()
            n_all, n_found = n_all + modulus.size, n_found + len(found)
            assert is_found.sum() <= 3 * (modulus > 1e-4).sum()
    assert n_found < n_all / 4


def test_vectors_count_modulo_the_lengths():
    """However long they are: a tilt can let them compensate, and the period be short."""
    law, lengths = tail_cases()[7][0].tilted(Tilt(0, 0, 0)), (61, 96)
    turns = np.array([[2**47 - 9 * k, (-1) ** k * 2**45] for k in range(len(law.vectors))])
    long = replace(law, vectors=law.vectors + turns * lengths)
    found = [
        surviving_grid_frequencies(x, lengths, math.log(0.3), Meter(Budget())).tolist()
        for x in (law, long)
    ]
    assert found[0] == found[1]
    assert 0 < len(found[0]) < 31 * 96 / 2


def test_the_cost_of_a_search(monkeypatch):
    """About what it finds, and how large its box is; also of many, by the best size of boxes."""
    small = max(tail_cases(), key=lambda case: case[0].counts.sum())[0]
    law = PlanarLaw(small.vectors, 200 * small.counts).tilted(Tilt(0, 0, 0))
    lengths, log_tolerance = (1024, 1024), math.log(1e-18)
    found = surviving_grid_frequencies(law, lengths, log_tolerance, Meter(Budget()))
    costs = []
    for few in (2**25, 0):
        monkeypatch.setattr(grid_frequencies, "FEW_FREQUENCIES", few)
        cost = search_cost(law, lengths, log_tolerance)
        assert len(found) / 4 <= cost.n_surviving <= 4 * len(found)
        sides = [np.unique(column).size for column in found.T]
        assert all(n / 4 <= side <= 4 * n for n, side in zip(sides, cost.sides, strict=True))
        costs.append(cost.nanoseconds)
    assert 0.0 < costs[1] <= 4.0 * costs[0]


def test_the_search_is_costed(monkeypatch):
    law = max(tail_cases(), key=lambda case: case[0].counts.sum())[0]
    tilted = law.tilted(Tilt(0, 0, 0))
    for few in (0, 2**25):
        monkeypatch.setattr(grid_frequencies, "FEW_FREQUENCIES", few)
        with pytest.raises(BudgetError, match=r"takes at least as long as \S+ frequencies"):
            surviving_grid_frequencies(
                tilted, (2**12, 2**12), math.log(1e-3), Meter(Budget(max_points=10))
            )


def test_pmf(monkeypatch):
    for law, _, _ in tail_cases()[:30]:
        ways, n = pmf(law), int(law.counts.sum())
        for convolved in (2**27, -1):
            monkeypatch.setattr(f"{grid_pmf.__module__}.CONVOLVED_PMF", convolved)
            points, masses = grid_pmf(GridLaw(law.vectors, law.counts), Budget())
            assert {tuple(p) for p in points.tolist()} == set(ways)
            truth = np.array([ways[tuple(p)] / 2**n for p in points.tolist()])
            assert np.abs(masses - truth).max() < 1e-15


# The lattice


@cases(5)
@given(rng=generators)
def test_lattice(rng):
    k = int(rng.integers(1, 6))
    vectors = rng.integers(-9, 10, (k, 2)) * int(rng.integers(1, 4))
    if rng.random() < 0.3:
        vectors = np.outer(rng.integers(-5, 6, k), rng.integers(-4, 5, 2))
    vectors = vectors[vectors.any(axis=1)]
    assume(len(vectors))
    lattice = spanned(vectors, np.ones(len(vectors), dtype=np.int64))
    assert lattice.rank == np.linalg.matrix_rank(vectors)
    if lattice.rank == 1:
        sizes = lattice.multiples(vectors)
        assert np.array_equal(np.outer(sizes, lattice.direction), vectors)
        assert np.gcd.reduce(sizes) == 1
        return
    i, j = lattice.coordinates(vectors).T
    assert np.array_equal(i * lattice.step + j * lattice.shear, vectors[:, 0])
    assert np.array_equal(j * lattice.rise, vectors[:, 1])
    minors = np.outer(vectors[:, 0], vectors[:, 1])
    assert np.gcd.reduce((minors - minors.T).ravel()) == lattice.step * lattice.rise


@given(rng=generators, size=st.integers(20, 60))
def test_coordinates_beyond_int64(rng, size):
    """Two vectors span a lattice whose shear times row is of the size of their cubes."""
    vectors = rng.integers(-(2**size), 2**size, (2, 2))
    (a, b), (c, d) = vectors.tolist()
    assume(a * d != b * c and abs(a * d - b * c) < 2**62)
    lattice = spanned(vectors, np.ones(2, dtype=np.int64))
    i, j = lattice.coordinates(vectors).astype(object).T
    assert (i * lattice.step + j * lattice.shear).tolist() == [a, c]
    assert (j * lattice.rise).tolist() == [b, d]


def test_lattice_is_sheared_to_be_compact():
    vectors, counts = np.array([[5, 1], [6, 1], [11, 2]]), np.array([10, 10, 10])
    lattice = spanned(vectors, counts)
    assert lattice in (Lattice(1, 5, 1), Lattice(1, 6, 1))
    assert np.abs(lattice.coordinates(vectors)).max() <= 2


# The certificate, as in test_certificate


def some_misses(modules, chosen):
    """Does any interval not contain the truth?"""
    for law, region, truth in chosen:
        copied = modules.planar_law.PlanarLaw(law.vectors, law.counts)
        p = modules.planar_bands.tail_by_bands(copied, region, False, Budget())
        if not oracle.is_certified(AsResult(p), truth):
            return True
    return False


@pytest.mark.parametrize("seed", [None, *range(4)])
def test_no_interval_misses(seed):
    assert not some_misses(machine(seed), some(tail_cases()[:60], every=3))


@pytest.mark.thorough
@cases(0.1)
@given(rng=generators)
def test_no_interval_misses_whatever_is_dropped(rng):
    dropped = f"_DROPPED_OF_BAND = {10.0 ** rng.uniform(-10, -3)!r}"
    edits = [("planar_band", "_DROPPED_OF_BAND = 2.0**-54", dropped)]
    chosen = [tail_cases()[i] for i in rng.choice(len(tail_cases()), 40)]
    seed = int(rng.integers(2**32)) if rng.random() < 0.5 else None
    assert not some_misses(machine(seed, edits), some(chosen, every=2))


@one_in(2)
@pytest.mark.parametrize(
    ("edit", "seed"),
    [
        (("planar_band", "UNIT * error / n_points", "0.0"), 0),
        (("planar_band", "within.tolerance + error", "error"), None),
        (("planar_band", "(log_odds + other", "(0.5 * log_odds + other"), None),
        (("planar_bands", "error += math.fsum", "0.0 + math.fsum"), -1),
    ],
    ids=["rounding", "pruning", "short periods", "neglected bands"],
)
def test_what_the_certificate_needs(edit, seed):
    dropped = ("planar_band", "_DROPPED_OF_BAND = 2.0**-54", "_DROPPED_OF_BAND = 1e-3")
    edits = [edit] if seed == 0 else [edit, dropped, _NO_LEAK]
    if seed == -1:
        seed, edits = None, [edit, ("planar_bands", "math.log(2.0**-50)", "math.log(0.5)")]
    assert some_misses(machine(seed, edits), tail_cases())


_NO_LEAK = (
    "planar_band",
    "log_odds = math.log(4.0 / tolerance)",
    "log_odds = math.log(4.0 / tolerance**9)",
)
