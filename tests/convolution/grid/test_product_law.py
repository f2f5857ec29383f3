"""The law of a sum of vectors, point by point: every engine against big integers."""

import functools
import importlib
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from convolution.floats import FINEST, in_units
from oracles import statistics
from oracles import vectors as sum_oracle
from oracles.vectors import ALTERNATIVES
from pairedperm.convolution import law as grid_law
from pairedperm.convolution.grid import frequencies
from pairedperm.convolution.grid.product_law import product_law
from pairedperm.options import Budget
from properties import one_in, some

BUDGET = Budget()
LAYOUT = importlib.import_module("pairedperm.convolution.grid.product_law")  # the function's module


@pytest.fixture(autouse=True)
def with_a_lattice(monkeypatch):
    """Also where there are few points."""
    monkeypatch.setattr(LAYOUT, "FEW_POINTS", 0)


def engines(monkeypatch, name):
    """Have laws computed one way only."""
    if name in ("transformed", "cut"):
        monkeypatch.setattr(LAYOUT, "CONVOLVED", 0)
        monkeypatch.setattr(LAYOUT, "WIDER", 0.0)
    if name == "cut":  # a window that a part of the mass is beyond, and is folded into
        monkeypatch.setattr(grid_law, "LEAK", 1e-3)
        monkeypatch.setattr(frequencies, "DROPPED_PHI", 1e-5)


def random_vectors(rng, largest=4):
    """Up to 6 vectors, distinct and not 0, in up to 4 columns; of rank 3 at most."""
    while True:
        k, r, m = rng.integers(1, 7), rng.integers(1, 4), rng.integers(1, 5)
        sparse = rng.integers(-largest, largest + 1, (k, r)) * (rng.random((k, r)) < 0.7)
        vectors = sparse @ rng.integers(-2, 3, (r, m))
        vectors = np.unique(vectors[vectors.any(axis=1)], axis=0)
        if len(vectors):
            return vectors


def random_law(rng):
    """With its truth, which has few points."""
    while True:
        vectors = random_vectors(rng)
        counts = rng.integers(1, int(rng.choice([2, 4, 9, 30])), len(vectors))
        if math.prod((counts + 1).tolist()) <= 6000:
            return vectors, counts, sum_oracle.law(vectors, counts)


@functools.cache
def known_laws():
    """Random ones, and some that are worth a window."""
    rng = np.random.default_rng(2024)
    found = [random_law(rng) for _ in some(range(200), every=2)]
    for sizes in ([[1], [120]], [[2, 1], [3, 100]], [[1, 3, 5], [95, 90, 2]]):
        values, counts = np.array(sizes)
        vectors = np.stack((values, -2 * values), axis=1)
        found.append((vectors, counts, sum_oracle.law(vectors, counts)))
    return found


def check(part, vectors, counts, ways):
    """Points that are sums, symmetric; masses within the stated bounds. All in integers."""
    total = 2 ** int(np.sum(counts))
    points = part.points(slice(None))
    assert points.shape == (part.masses.size, vectors.shape[1])
    assert np.array_equal(part.points(np.arange(len(points))[::-1]), points[::-1])
    assert (np.diff(part.numbers) > 0).all()
    assert 0 <= part.numbers[0] <= part.numbers[-1] < math.prod(part.shape)
    assert np.array_equal(points + points[::-1], np.tile(counts @ vectors, (len(points), 1)))
    masses = Counter()
    for point, mass in zip(points.tolist(), part.masses.tolist(), strict=True):
        masses[tuple(map(int, point))] += in_units(mass)
    assert masses.keys() <= ways.keys()
    relative, error, lost = map(in_units, (part.relative_error, part.error, part.lost))
    # of all assignments: how many more than there are, in units of 2^-FINEST
    off = [(ways[point], mass * total - (ways[point] << FINEST)) for point, mass in masses.items()]
    # a sum at several points of the grid may lack the mass of those that are lost
    lacking = error if len(masses) == part.masses.size else error + lost
    for n, difference in off:
        assert -lacking * total <= difference + relative * n
        assert difference - relative * n <= error * total
    for is_above, bound in ((True, error), (False, lacking)):  # the sets that are worst known
        some = [(n, difference) for n, difference in off if (difference > 0) == is_above]
        true, difference = (
            sum(column) for column in (zip(*some, strict=True) if some else [[], []])
        )
        assert abs(difference) <= relative * true + bound * total
    missing = sum(n for point, n in ways.items() if point not in masses) << FINEST
    assert missing <= lost * total
    # what is lost is lost once: of sums that are missing, and of those that lack some
    assert missing - difference <= relative * true + (error + lost) * total
    return masses.keys() == ways.keys()


@one_in(3)
@pytest.mark.parametrize("engine", ["default", "transformed", "cut", "whole"])
def test_laws(monkeypatch, engine):
    engines(monkeypatch, engine)
    ways_used, n_all = Counter(), 0
    for vectors, counts, ways in known_laws():
        law = product_law(vectors, counts)
        if engine == "whole":
            law = law.as_whole()
            assert law.is_whole
        assert law.rank == np.linalg.matrix_rank(vectors)
        assert law.n_points == math.prod(law.grid)
        part = law.masses(BUDGET)
        assert part.masses.size <= law.n_points == math.prod(part.shape)
        is_all = check(part, vectors, counts, ways)
        ways_used[law.layout.how] += 1
        n_all += is_all
        if law.layout.how == "convolved" and not part.lost:
            assert is_all
        if engine == "whole":
            assert is_all
            assert part.error == part.lost == 0.0
        if engine != "cut":
            assert part.relative_error <= 1e-13
            assert part.error <= 1e-12
            assert part.lost <= 1e-10
    assert set(ways_used) == {"transformed" if engine in ("transformed", "cut") else "convolved"}
    assert n_all >= (len(known_laws()) if engine == "whole" else len(known_laws()) // 4)


def test_a_cut_window_is_smaller_and_less_is_known(monkeypatch):
    """The bounds of a law of which a thousandth may be beyond the window say so."""
    vectors, counts = np.array([[1], [2]]), np.array([40, 40])
    monkeypatch.setattr(LAYOUT, "CONVOLVED", 0)
    monkeypatch.setattr(LAYOUT, "WIDER", 0.0)
    whole = product_law(vectors, counts).masses(BUDGET)
    monkeypatch.setattr(grid_law, "LEAK", 1e-3)
    law = product_law(vectors, counts)
    cut = law.masses(BUDGET)
    assert law.grid == cut.shape < whole.shape
    assert 1e-3 <= cut.error <= 3e-3
    assert whole.error < 1e-13
    assert not check(cut, vectors, counts, sum_oracle.law(vectors, counts))


def score(sums):
    return Fraction(sums[0] ** 2 - 3 * sums[-1] + sums[0] * sums[-1], 7)


@functools.cache
def small_corpora():
    """Pairs of rows, and their p-values by brute force, the structured one last."""
    rng, found = np.random.default_rng(5), []
    for _ in range(40):
        n, m = rng.integers(1, 9), rng.integers(1, 4)
        rows = rng.integers(0, 4, (2, n, m))
        pvalues = [sum_oracle.brute_force(*rows, score, name) for name in ALTERNATIVES]
        found.append((*rows, [*pvalues, statistics.brute_force(*rows, score)]))
    return found


@one_in(3)
@pytest.mark.parametrize("engine", ["default", "transformed", "whole"])
def test_pvalues_from_the_points(monkeypatch, engine):
    """Of the score x² - 3 y + x y of the sums, and of a structured statistic, by brute force."""
    engines(monkeypatch, engine)
    pvalues = set()
    for rows1, rows2, truths in small_corpora():
        d = rows1 - rows2
        d = d[d.any(axis=1)]
        if not len(d):
            continue
        d *= np.sign(d[np.arange(len(d)), (d != 0).argmax(axis=1)])[:, None]
        law = product_law(*np.unique(d, axis=0, return_counts=True))
        part = (law.as_whole() if engine == "whole" else law).masses(BUDGET)
        total = (rows1 + rows2).sum(axis=0)
        counted = (total + d.sum(axis=0)) // 2 - part.points(slice(None)).astype(np.int64)
        sums = zip(counted.tolist(), (total - counted).tolist(), strict=True)
        values = [score(sums1) - score(sums2) for sums1, sums2 in sums]
        observed = score(rows1.sum(axis=0).tolist()) - score(rows2.sum(axis=0).tolist())
        for alternative, truth in zip(ALTERNATIVES, truths[:-1], strict=True):
            extreme = [sum_oracle.EXTREME[alternative](value, observed) for value in values]
            assert part.masses[extreme].sum() == pytest.approx(float(truth), abs=1e-14)
            pvalues.add(truth)
        at_least = [score(c) >= score(rows1.sum(axis=0).tolist()) for c in counted.tolist()]
        assert part.masses[at_least].sum() == pytest.approx(float(truths[-1]), abs=1e-14)
    assert len(pvalues) > 30


def test_hand_counted():
    """The oracle itself: precision 2/2 and 1/3 of two examples, as in `test_ratio`.

    Swapping the first: 1/2 and 2/3; the second: 2/3 and 1/2; both: the mirror image. The law of
    the sum of 2 · (1, 0) and 1 · (1, 1): 1, 2, 1 ways of (0, 0), (1, 0), (2, 0) without the latter.
    """
    rows1, rows2 = [(1, 1), (1, 1)], [(0, 1), (1, 2)]

    def precision(sums):
        return Fraction(*sums)

    expected = {"two-sided": Fraction(1, 2), "greater": Fraction(1, 4), "less": Fraction(1)}
    for alternative, p in expected.items():
        assert sum_oracle.brute_force(rows1, rows2, precision, alternative) == p
    # the first system's precision: 2/2, 1/2, 2/3, 1/3
    assert statistics.brute_force(rows1, rows2, precision) == Fraction(1, 4)
    assert statistics.brute_force(rows2, rows1, precision) == Fraction(1)
    without = {(0, 0): 1, (1, 0): 2, (2, 0): 1}
    ways = Counter(without) + Counter({(x + 1, 1): n for (x, _), n in without.items()})
    assert sum_oracle.law([(1, 0), (1, 1)], [2, 1]) == ways


def test_a_law_with_less_than_the_least_float():
    """2000 variables: masses down to 2^-2000, which is below all floats."""
    vectors, counts = np.array([[1], [2]]), np.array([400, 800])
    ways = sum_oracle.law(vectors, counts)
    law = product_law(vectors, counts).as_whole()
    assert law.layout.how == "convolved"
    part = law.masses(BUDGET)
    check(part, vectors, counts, ways)
    assert 0.0 < part.lost < 1e-300


# Very many examples


@pytest.mark.parametrize("n", [10**5, 10**5 + 1])
def test_a_binomial_law_within_a_window(n):
    vectors, counts = np.array([[3, 1, -2]]), np.array([n])
    law = product_law(vectors, counts)
    part = law.masses(BUDGET)
    assert law.how == "all sums, by a Fourier transform on a grid"
    assert law.n_points < 4000
    points = part.points(slice(None))
    k = points[:, 1]
    assert np.array_equal(points, k[:, None] * vectors)
    assert k[0] + k[-1] == n
    expected = binom.pmf(k, n, 0.5)
    off = np.abs(part.masses - expected) - 1e-8 * expected  # of binom.pmf, mostly
    assert off.max() <= part.error < 1e-12
    assert 2.0 * binom.cdf(k[0] - 1, n, 0.5) <= part.lost < 1e-12


def test_a_transform_within_a_window():
    """X + 2Y, with X and Y of 10^5 variables each: a sum over all values of Y."""
    n = 10**5
    vectors, counts = np.array([[1, 1], [2, 2]]), np.array([n, n])
    law = product_law(vectors, counts)
    assert law.how == "all sums, by a Fourier transform on a grid"
    assert law.grid[0] < 10**4
    part = law.masses(BUDGET)
    points = part.points(slice(None))
    assert np.array_equal(points + points[::-1], np.full((len(points), 2), 3.0 * n))
    y = np.arange(n // 2 - 1700, n // 2 + 1701)
    for place in (0, 1, len(points) // 3, len(points) // 2):
        b = points[place, 0]
        expected = (binom.pmf(y, n, 0.5) * binom.pmf(b - 2 * y, n, 0.5)).sum()
        assert part.masses[place] == pytest.approx(expected, abs=1e-17, rel=1e-8)
    mean, deviation = 1.5 * n, math.sqrt(5 * n / 4)
    assert points[0, 0] < mean - 7.0 * deviation
    assert part.masses.sum() == pytest.approx(1.0, abs=1e-13)
    assert part.error < 1e-13
    assert part.lost < 1e-12


def test_a_transform_in_two_dimensions_within_a_window():
    """X + Z and Y + Z: both are binomial, and so is X - Y + n."""
    n = 1500
    law = product_law(np.array([[1, 0], [0, 1], [1, 1]]), np.array([n, n, n]))
    assert law.how == "all sums, by a Fourier transform on a grid"
    assert law.n_points < (2 * n + 1) ** 2 / 4
    part = law.masses(BUDGET)
    points = part.points(slice(None)).astype(np.int64)
    first, second = points.T
    for values in (first, second, first - second + n):
        marginal = np.bincount(values, weights=part.masses, minlength=2 * n + 1)
        assert np.abs(marginal - binom.pmf(np.arange(2 * n + 1), 2 * n, 0.5)).sum() < 1e-10
    assert part.error < 1e-12
    assert part.lost < 1e-9
