"""Valid tests reject true null hypotheses at most as often as said, the others much more often."""

import math
import sys

import pytest

from scripts import loaded, refusal

N_REPETITIONS, SEED = 200, 1
VALID = {
    "documents, swapped as a whole",
    "runs, all of an item together",
    "five systems alike, Holm",
    "three of five systems alike, Holm",
}
INVALID = {"documents, single questions", "runs, single ones", "five systems alike, not adjusted"}


@pytest.fixture(scope="module")
def calibration():
    return loaded("calibration")


@pytest.fixture(scope="module")
def rows(calibration):
    return {row.scenario: row for row in calibration.rates(N_REPETITIONS, SEED)}


@pytest.mark.thorough
def test_scenarios(rows):
    assert {name for name, row in rows.items() if row.must_hold} == VALID
    assert {name for name, row in rows.items() if not row.must_hold} == INVALID
    assert {row.n_repetitions for row in rows.values()} == {N_REPETITIONS}


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(VALID))
def test_valid(rows, name):
    rate = rows[name].n_rejected / N_REPETITIONS
    assert 0.0 < rate <= 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / N_REPETITIONS)  # some must be
    assert rows[name].holds


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(INVALID))
def test_invalid(rows, name):
    """They lie above any limit that a valid test might reach."""
    assert rows[name].n_rejected / N_REPETITIONS > 0.12
    assert not rows[name].holds


@pytest.mark.parametrize(("n_rejected", "holds"), [(0, True), (5, True), (12, True), (16, False)])
def test_limit(calibration, n_rejected, holds):
    """Of 100: 0.12 is below 0.05 + 3 √(0.12 · 0.88 / 100) = 0.147, 0.16 not below 0.1599…"""
    row = calibration.Row("some", True, n_rejected, 100)
    rate = n_rejected / 100
    assert row.standard_error == pytest.approx(math.sqrt(rate * (1.0 - rate) / 100))
    assert row.limit == pytest.approx(0.05 + 3.0 * row.standard_error)
    assert row.holds == holds


@pytest.mark.parametrize(
    ("is_valid", "n_rejected", "code"), [(True, 0, 0), (True, 1, 1), (False, 1, 0)]
)
def test_prints_and_exits(calibration, monkeypatch, capsys, is_valid, n_rejected, code):
    """Code 1 if a test that is said to be valid exceeds the limit, and only then."""
    some = calibration.Scenario({"some": is_valid}, lambda rng: (bool(n_rejected),))
    monkeypatch.setattr(calibration, "SCENARIOS", (some,))
    monkeypatch.setattr(sys, "argv", ["calibration.py", "--repetitions", "9"])
    assert calibration.main() == code
    header, row = capsys.readouterr().out.splitlines()
    assert max(len(header), len(row)) <= 80
    assert header.split() == ["scenario", "rejected", "s.e.", "limit", "holds"]
    name = ["some"] if is_valid else ["some", "*"]
    found = (
        ["100.00%", "0.00%", "5.00%", "no"] if n_rejected else ["0.00%", "0.00%", "5.00%", "yes"]
    )
    assert row.split() == name + found


@pytest.mark.parametrize("arguments", [("--repetitions", "0"), ("--seed", "-1")])
def test_refused(calibration, monkeypatch, capsys, arguments):
    error = refusal(calibration.main, arguments, monkeypatch, capsys)
    assert "--repetitions is at least 1, --seed at least 0" in error
