"""The script of tables: its own oracles, what holds and what fails, and what it refuses."""

import math
import sys
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from oracles import flips
from properties import one_in
from scripts import loaded, refusal


@pytest.fixture(scope="module")
def deciding():
    return loaded("deciding")


@pytest.mark.thorough
def test_power_and_its_draws(deciding):
    rows = [*deciding.powers(2_000, np.random.default_rng(1))][1:]
    assert len(rows) == len(deciding.POWERS)
    assert all(row.holds for row in rows)
    better, worse, n = deciding.POWERS[-2]
    true = float(sum(flips.power(better, worse, n, 0.05)[:1]))
    assert f"{true:.2%}" in rows[-2].text


def test_a_wrong_power_fails(deciding, monkeypatch):
    monkeypatch.setattr(deciding, "pvalue", lambda wins, losses: 1.0)
    rows = [*deciding.powers(200, np.random.default_rng(0))][1:]
    assert not any(row.holds for row in rows[:-1])  # the last has a power of 3.7 %
    assert str(rows[0]).endswith("  FAILS")


@one_in(3)
@pytest.mark.parametrize(
    ("n", "margin", "share"), [(30, 0.1, 1.0), (30, 0.05, 0.2), (50, 0.1, 0.1)]
)
def test_size_is_that_of_all_outcomes(deciding, n, margin, share):
    """The probabilities of all wins and losses of so many."""
    p, q = (share - margin) / 2.0, (share + margin) / 2.0
    size = 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            ways = math.comb(n, wins) * math.comb(n - wins, losses)
            mass = ways * p**wins * q**losses * max(1.0 - p - q, 0.0) ** (n - wins - losses)
            if mass > 1e-7 and deciding.least_wins(losses, n, margin) <= wins:
                size += mass
    assert deciding.size(n, margin, share) == pytest.approx(size, abs=1e-4)


def test_sizes(deciding, monkeypatch):
    monkeypatch.setattr(deciding, "NUMBERS", (30,))
    monkeypatch.setattr(deciding, "MARGINS", (0.1,))
    monkeypatch.setattr(deciding, "SHARES", (0.2, 0.5))
    head, row = deciding.sizes()
    assert head.text.split() == ["n", "margin", "10%"]
    assert row.holds
    assert 0.02 < float(row.text.split()[-1].rstrip("%")) / 100.0 <= 0.05


@pytest.mark.thorough
def test_ten_looks(deciding):
    """All ways in which ten examples are won, one between two looks."""
    n_found = 0
    for wins in product((0, 1), repeat=10):
        looks = ((sum(wins[:k]), k) for k in range(1, 11))
        n_found += any(binomtest(w, n).pvalue <= 0.05 for w, n in looks)
    assert deciding.ten_looks(1) == pytest.approx(n_found / 2**10)


def test_looks_and_stops(deciding, monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(deciding, "N_LOOKS", 500)
    rows = [*deciding.looks(20, rng)][1:]
    assert [row.text.split("  ")[0] for row in rows] == [*deciding.NULLS]
    assert all(row.holds for row in rows)
    monkeypatch.setattr(deciding, "LEADS", ((0.2, 0.05),))
    _, row = deciding.stops(20, rng)
    median, most, *_ = map(int, row.text.split()[2:4])
    assert 0 < median <= most
    assert row.holds


def test_main_counts_what_fails(deciding, monkeypatch, capsys):
    one = [deciding.Row("head"), deciding.Row("a row", holds=False)]
    for name in ("powers", "sizes", "peeking", "looks", "stops"):
        monkeypatch.setattr(deciding, name, lambda *_: iter(one))
    monkeypatch.setattr(sys, "argv", ["deciding.py", "--repetitions", "100"])
    assert deciding.main() == 1
    assert capsys.readouterr().out.count("a row  FAILS") == 5
    one[1] = deciding.Row("a row")
    assert deciding.main() == 0


@pytest.mark.parametrize("arguments", [["--repetitions", "99"], ["--seed", "-1"]], ids=" ".join)
def test_refused(deciding, monkeypatch, capsys, arguments):
    said = refusal(deciding.main, arguments, monkeypatch, capsys)
    assert "--repetitions is at least 100, --seed at least 0" in said
