"""The script tells what errs too often, and what the guides say of intervals is what it found."""

import numpy as np
import pytest

from pairedperm.population.intervals import FEWEST_DIFFERING
from scripts import EXAMPLES, loaded

N_REPETITIONS, SEED = 100, 1
TO_BE_AVOIDED = (
    *("documents, single questions", "runs, single ones"),
    *("five systems alike, not adjusted", "suites, not adjusted"),
    *("judges, one is always first", "missing, dropped"),
)


@pytest.fixture(scope="module")
def calibration():
    return loaded("calibration")


@pytest.fixture(scope="module")
def rows(calibration):
    found, calibration.N_LOOKS = {}, 500  # of 10,000
    for number, scenario in enumerate(calibration.scenarios()):
        rng = np.random.default_rng([SEED, number])
        has_looks = "looks" in next(iter(scenario.promises))
        n = 10 if has_looks else N_REPETITIONS * scenario.n_repetitions // 10_000
        found |= {row.name: row for row in calibration.rows(scenario, n, rng)}
    return found


@pytest.mark.thorough
def test_what_is_promised_holds(rows):
    assert [name for name, row in rows.items() if not row.holds] == []
    assert sum(row.promise is not None for row in rows.values()) >= 15
    for name in TO_BE_AVOIDED:
        assert rows[name].promise is None
        assert rows[name].rate > 0.12


def studentised_rows():
    """The guide's table: how many differ, and how often an interval errs, by the law of sizes."""
    text = (EXAMPLES / "guide" / "results.md").read_text("utf-8")
    rows = text.partition("| differ | uniform |")[2].partition("\n\n")[0].splitlines()[2:]
    return {int(x): cells for x, *cells in (row.strip("| ").split(" | ") for row in rows)}


def test_the_threshold_of_studentised_intervals():
    """From 30 differing on 5 % are kept by 2 %, if sizes are alike; the errors are about 1 %."""
    alike = {
        x: [float(y.rstrip("%")) for y in cells[:2]] for x, cells in studentised_rows().items()
    }
    assert max(y for x, cells in alike.items() if x >= FEWEST_DIFFERING for y in cells) < 8.0
    assert min(y for x, cells in alike.items() if x < FEWEST_DIFFERING for y in cells) > 8.0
