"""Valid tests reject true null hypotheses at most as often as said, the others much more often.

The tables of the intervals: errors and power are held against sums in fractions.
"""

import math
import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from oracles import discrete as oracle
from pairedperm.population.intervals import FEWEST_DIFFERING
from pairedperm.population.paired_shares import exact_interval
from properties import one_in
from scripts import EXAMPLES, loaded, refusal

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
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        return loaded("calibration")


@pytest.fixture(scope="module")
def tables(calibration):
    return calibration.interval_tables


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


def chance(n, difference, share, is_counted):
    """Of the outcomes whose intervals are counted, in fractions."""
    p, q = ((share + side) / 2 for side in (difference, -difference))
    return sum(
        math.comb(n, wins)
        * math.comb(n - wins, losses)
        * p**wins
        * q**losses
        * (1 - p - q) ** (n - wins - losses)
        for (wins, losses), interval in intervals(n).items()
        if is_counted(*interval)
    )


@cache
def intervals(n):
    pairs = [(wins, losses) for wins in range(n + 1) for losses in range(n + 1 - wins)]
    return {pair: exact_interval(*pair, n, 0.8) for pair in pairs}


def test_errors_of_an_interval(tables):
    n, greatest = 3, [0.0] * 3
    for limit in {low for low, _ in intervals(n).values()} - {-1.0}:
        for share in np.linspace(abs(limit), 1.0, 3).tolist():
            at = n, Fraction(limit), Fraction(share)
            low = float(chance(*at, lambda low, _, limit=limit: low >= limit))
            both = low + float(chance(*at, lambda _, high, limit=limit: high <= limit))
            errors = low, low * (-0.2 <= limit <= 0.0), both
            greatest = list(map(max, greatest, errors))
    assert tables.greatest_errors(exact_interval, n, 0.8, 3) == pytest.approx(greatest, rel=1e-12)


def test_power_of_a_margin(tables):
    expected = chance(9, Fraction(0), Fraction(1, 4), lambda low, _: low > -0.3)
    found = tables.power(exact_interval, 9, 0.3, 0.25, 0.8)
    assert found == pytest.approx(float(expected), abs=1e-8)


@one_in(2)
@pytest.mark.parametrize("n", [50, 10_000])
def test_bounds_of_order_statistics(tables, n):
    """The exact interval is about as wide as the bound of Gaffke."""
    low, high = exact_interval(n // 10, n // 10, n, 0.95)
    least, most = tables.order_statistic_widths(n, n // 10, 0.95)
    assert least == pytest.approx(high - low, rel=0.01)
    assert most > 1.5 * least


@pytest.mark.thorough
def test_tables_of_intervals(tables, calibration, monkeypatch, capsys):
    monkeypatch.setattr(tables, "POWER", tables.POWER[:1])
    monkeypatch.setattr(sys, "argv", ["calibration.py", "--intervals"])
    monkeypatch.setattr(tables, "SIZES", (5,))
    assert calibration.main() == 0
    blocks = capsys.readouterr().out.strip().split("\n\n")
    assert len(blocks) == 8
    rows = [block.splitlines()[2] for block in blocks[1::2]]
    assert rows[0].startswith("| 5 | 83.21 % |")
    assert rows[1] == "| 5 | 2.50% | 3.11% |"
    assert rows[2] == "| 30 | 10% | 20% | 0.195 |"
    assert rows[3].startswith("| 50 | 0.2959 | 0.4301 | 1.45 |")


def test_the_table_of_suites(calibration, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["calibration.py", "--suites", "--repetitions", "3"])
    assert calibration.main() == 0
    _, line, *rows = capsys.readouterr().out.strip().splitlines()
    assert line == "|:--|--:|--:|--:|"
    cells = {row.split(" | ")[0]: row.strip("| ").split(" | ")[1:] for row in rows}
    assert [*cells] == [
        "| Holm, of a suite",
        "| Holm, of all tasks",
        "| not adjusted",
        "| tasks that the gate calls worse",
        "| the gate fails",
    ]
    found = [float(cells[x][2].removesuffix(" of 10")) for x in [*cells][:3]]
    assert found[1] <= found[0] <= found[2]


@pytest.mark.thorough
def test_the_table_of_studentised_intervals(calibration, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["calibration.py", "--studentised", "--repetitions", "2"])
    assert calibration.main() == 0
    header, line, *rows = capsys.readouterr().out.strip().splitlines()
    tables = calibration.studentised_tables
    assert (header.count("|"), line) == (6, "|--:|--:|--:|--:|--:|")
    assert [int(row.split("|")[1]) for row in rows] == [*tables.DIFFERING]


def studentised_rows():
    """The guide's table."""
    text = (EXAMPLES / "guide" / "results.md").read_text("utf-8")
    rows = text.partition("| differ | uniform |")[2].partition("\n\n")[0].splitlines()[2:]
    return {int(x): cells for x, *cells in (row.strip("| ").split(" | ") for row in rows)}


def test_the_threshold_of_studentised_intervals():
    """From 30 differing on 95 % are kept by 2 %, if sizes are alike; with half as many not.

    What the guide says of sizes that are not alike: 86 to 93 %.
    """
    shares = {x: [float(y.rstrip("%")) for y in cells] for x, cells in studentised_rows().items()}
    alike = {x: min(found[:2]) for x, found in shares.items()}
    unlike = [y for x, found in shares.items() if x >= FEWEST_DIFFERING for y in found[2:]]
    assert min(y for x, y in alike.items() if x >= FEWEST_DIFFERING) >= 93.0
    assert max(y for x, y in alike.items() if x <= FEWEST_DIFFERING / 2) < 93.0
    assert (round(min(unlike)), round(max(unlike))) == (86, 93)


@pytest.mark.thorough
def test_the_guide_has_what_the_script_finds(calibration):
    rare = [*calibration.studentised_tables.SIZES][3]
    found = calibration.studentised_tables.coverage(rare, 5, 1000, np.random.default_rng([0, 0, 3]))
    assert f"{found:.1%}" == studentised_rows()[5][3]


def test_what_a_suite_says(calibration):
    """Against the procedures themselves."""
    tables = calibration.suite_tables
    suite = tables.compare_suite(tables.tasks(tables.KINDS["half"], np.random.default_rng(4)))
    said = tables.seen(suite)
    pvalues = [x.pvalue for x in suite.results.values()]
    least = [2.0 ** (1 - x.n_differing) for x in suite.results.values()]
    assert said.found.shape == (3, 20)
    assert said.found[0].tolist() == [p <= 0.05 for p in suite.p_adjusted.values()]
    expected = oracle.holm_of_some(pvalues, least, 0.05)
    assert said.found[0].tolist() == [p <= 0.05 for p in expected]
    assert said.found[1].tolist() == [p <= 0.05 for p in oracle.holm(pvalues)]
    assert said.found[2].tolist() == [p <= 0.05 for p in pvalues]
    assert said.found[2].any()
