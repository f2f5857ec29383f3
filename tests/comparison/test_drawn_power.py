"""Power from multinomial draws, beside whole tests of examples that are drawn at random."""

import numpy as np
import pytest

from oracles import whole_tests as oracle
from pairedperm.comparison.pilot import _alike, drawn_power
from pairedperm.results.sentence import fewest_differing
from properties import one_in


def of_numbers(numbers):
    """Differences of scores, and their mean."""
    rows = np.asarray(numbers, dtype=float)[:, None]
    return rows, np.zeros_like(rows), lambda sums: sums[:, 0], rows[:, 0]


def of_f1(numbers):
    """Rows of (both, predicted, right), and by how much a swap moves F1 where all are alike."""
    gold, one, two = numbers
    rows1, rows2 = (np.stack([x & gold, x, gold], axis=1).astype(float) for x in (one, two))
    both, sizes = (rows1 + rows2).sum(axis=0)[0] / 2.0, (rows1 + rows2).sum(axis=0)[1:].sum() / 2.0
    f1 = 2.0 * both / sizes
    moves = (rows1 - rows2) @ (np.array([2.0, -f1, -f1]) / sizes) * len(gold)
    return rows1, rows2, lambda s: 2.0 * s[:, 0] / np.maximum(s[:, 1] + s[:, 2], 1.0), moves


def tagged(rng, n=200):
    gold = (rng.random(n) < 0.4).astype(int)
    return gold, *(np.where(rng.random(n) < x, gold, 1 - gold) for x in (0.95, 0.86))


GRADES = [-2, -1, 0, 1, 2], [0.04, 0.06, 0.6, 0.1, 0.2]
FEW = [-1, 0, 1, 2], [0.05, 0.78, 0.12, 0.05]
PILOTS = {
    "lognormal": lambda rng: of_numbers(rng.lognormal(0.0, 1.0, 100) - 1.2),
    "normal": lambda rng: of_numbers(rng.normal(0.3, 1.0, 200)),
    "grades": lambda rng: of_numbers(rng.choice(GRADES[0], 200, p=GRADES[1])),
    "few differ": lambda rng: of_numbers(rng.choice(FEW[0], 200, p=FEW[1])),
    "f1": lambda rng: of_f1(tagged(rng)),
}


def drawn(rows1, rows2, moves, n, alpha=0.05):
    differs = (rows1 != rows2).any(axis=1)
    shares = np.full(differs.sum(), 1.0 / differs.size)
    return drawn_power(moves[differs], shares, n, alpha, float(moves.mean()))


@one_in(2)
@pytest.mark.parametrize(
    "n", [30, *(pytest.param(x, marks=pytest.mark.thorough) for x in (60, 150))]
)
@pytest.mark.parametrize("name", PILOTS)
def test_whole_tests(name, n):
    rng = np.random.default_rng(0)
    rows1, rows2, score, moves = PILOTS[name](rng)
    found = drawn(rows1, rows2, moves, n)
    true = oracle.power(rows1, rows2, score, n, 0.05, rng, 800)
    assert found.power == pytest.approx(true, abs=0.06)
    assert found.approximation_error == 0.05


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(16))
def test_whole_tests_of_random_pilots(seed):
    """The error that is told holds, within two standard errors of the simulation."""
    rng = np.random.default_rng([seed, 1])
    n, size = int(rng.choice([20, 40, 80])), int(rng.choice([30, 100, 300]))
    lead = rng.uniform(0.0, 3.0) / np.sqrt(n)
    numbers = [
        rng.normal(lead, 1.0, size),
        rng.lognormal(0.0, rng.uniform(0.5, 2.0), size) * rng.choice([1, -1], size, p=[0.7, 0.3]),
        np.round(rng.normal(2.0 * lead, 1.2, size)),
        rng.standard_t(2.5, size) + 1.5 * lead,
    ][seed % 4]
    rows1, rows2, score, moves = of_numbers(numbers)
    found = drawn(rows1, rows2, moves, n)
    is_few = n * (moves**2).mean() ** 2 / (moves**4).mean() < 4.0
    assert found.approximation_error == (0.3 if is_few else 0.05)
    true = oracle.power(rows1, rows2, score, n, 0.05, rng)
    assert found.power == pytest.approx(true, abs=found.approximation_error + 0.026)


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 6), (2.0**-5, 6), (0.01, 8), (0.9, 2)])
def test_fewer_show_nothing(alpha, fewest):
    """However clear the difference is, p cannot reach α."""
    assert fewest_differing(alpha) == fewest
    one = np.ones(1), np.ones(1)
    assert drawn_power(*one, fewest - 1, alpha, 1.0).power == 0.0
    assert drawn_power(*one, 30, alpha, 1.0).power == 1.0


def test_the_wrong_sign():
    """With equal systems half of the findings are on either side."""
    moves = np.random.default_rng(0).normal(size=300)
    found = drawn_power(moves - moves.mean(), np.full(300, 1 / 300), 100, 0.05, 1e-9)
    assert found.power == pytest.approx(0.05, abs=0.01)
    assert found.wrong == pytest.approx(found.power / 2.0, abs=0.01)


def test_alike_moves_are_drawn_together():
    """Hardly anything is lost, not even of a heavy tail."""
    rng = np.random.default_rng(0)
    moves, shares = rng.lognormal(0.0, 1.5, 5000) - 2.0, np.full(5000, 1 / 5000)
    few, of_few = _alike(moves, shares)
    assert few.size <= 513
    assert of_few.sum() == pytest.approx(1.0)
    assert of_few @ few == pytest.approx(moves.mean())
    for power in (2, 4):
        assert of_few @ few**power == pytest.approx((moves**power).mean(), rel=1e-2)
    assert (moves.max(), moves.min()) == (few.max(), pytest.approx(few.min(), abs=0.1))
