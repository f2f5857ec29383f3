"""Measure how often tests at 5 % reject null hypotheses that are true.

    python examples/calibration.py [--repetitions 10000] [--seed SEED]
    python examples/calibration.py --intervals
    python examples/calibration.py --suites
    python examples/calibration.py --studentised --repetitions 1000

Each repetition draws right and wrong answers of systems that are equally good on average. A valid
test finds p <= 0.05 in at most 5 % of the repetitions. The table has the rate that was found, its
standard error, and the limit of 5 % + 3 standard errors. Chance lets a valid test exceed this limit
about once in 700 times at most. The exit code is 1 if a valid test exceeds it.

Documents: 40 documents of 1 to 10 questions. A fair coin says which system is better on a document,
and all questions of the document share that.
Runs: each system answers each of 60 items in 5 runs. Its chance to be right on an item is the same
in all runs. It is drawn for each system, from the same law.
Five systems alike: 100 examples of differing difficulty. On an example all systems have the same
chance. A repetition counts if any of the ten pairs is told apart.
Three of five systems alike: two systems are worse, one more than the other. A repetition counts if
any pair of the three others is told apart. Holm adjusts for all ten pairs.

Rows with * show what to avoid: they swap questions or runs one by one, or adjust no p-value though
there are ten. They should exceed the limit. 10,000 repetitions take about 4 minutes.

With --intervals, print what the intervals of a difference keep and cost, as tables of Markdown: how
often they cover it at least, how often a worse system passes a test of a margin, and their widths.
This takes about 10 minutes.

With --suites, print how often suites of tasks say something wrong, and how much they find, as a
table of Markdown. 10,000 suites of each kind take about 20 minutes.

With --studentised, print how often studentised intervals cover a mean difference, as a table of
Markdown. 1,000 samples of each cell take about 7 minutes.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import interval_tables
import numpy as np
import studentised_tables
import suite_tables
from numpy.typing import NDArray

from pairedperm import compare_many, paired_permutation_test

ALPHA, N_STANDARD_ERRORS = 0.05, 3
N_DOCUMENTS, LARGEST_DOCUMENT, ADVANTAGE = 40, 10, 0.2  # the chances are apart by twice that
N_ITEMS, N_RUNS = 60, 5
N_EXAMPLES, EASE = 100, (0.4, 0.95)  # EASE: the range of the chances on examples
SYSTEMS = "a", "b", "c", "d", "e"
WORSE = {"d": 0.6, "e": 0.3}  # factors of the chances
HEADER = f"{'scenario':<46}{'rejected':>9}{'s.e.':>8}{'limit':>8}  holds"
Ints = NDArray[np.int64]


class Row(NamedTuple):
    """The rejections of a scenario; `must_hold` says that its test is valid."""

    scenario: str
    must_hold: bool
    n_rejected: int
    n_repetitions: int

    @property
    def rate(self) -> float:
        """The share of the repetitions that were rejected."""
        return self.n_rejected / self.n_repetitions

    @property
    def standard_error(self) -> float:
        """The standard error of the rate."""
        return math.sqrt(self.rate * (1.0 - self.rate) / self.n_repetitions)

    @property
    def limit(self) -> float:
        """The level and three standard errors."""
        return ALPHA + N_STANDARD_ERRORS * self.standard_error

    @property
    def holds(self) -> bool:
        """True if the rate is within the limit."""
        return self.rate <= self.limit

    def __str__(self) -> str:
        name = self.scenario if self.must_hold else f"{self.scenario} *"
        error, limit = f"{self.standard_error:.2%}", f"{self.limit:.2%}"
        return f"{name:<46}{self.rate:>9.2%}{error:>8}{limit:>8}  {'yes' if self.holds else 'no'}"


class Scenario(NamedTuple):
    """A way to draw data, and its tests by name: whether each is valid."""

    tests: dict[str, bool]
    repeat: Callable[[np.random.Generator], tuple[bool, ...]]  # whether each test rejects


def answers(chances: NDArray[np.float64], rng: np.random.Generator) -> Ints:
    """Draw right (1) and wrong (0) answers with these chances."""
    return (rng.random(chances.shape) < chances).astype(np.int64)


def whole_and_single(scores1: Ints, scores2: Ints, groups: Ints) -> tuple[bool, bool]:
    """Tell whether the systems are told apart, by swaps of groups and of single answers."""
    whole = paired_permutation_test(scores1, scores2, groups=groups)
    single = paired_permutation_test(scores1, scores2)
    return whole.pvalue <= ALPHA, single.pvalue <= ALPHA


def documents(rng: np.random.Generator) -> tuple[bool, bool]:
    """Test questions on which the systems' difference depends on the document."""
    sizes = rng.integers(1, LARGEST_DOCUMENT + 1, N_DOCUMENTS)
    ease = rng.uniform(0.3, 0.7, N_DOCUMENTS)
    advantage = rng.choice([-ADVANTAGE, ADVANTAGE], N_DOCUMENTS)
    one, two = (answers(np.repeat(ease + x, sizes), rng) for x in (advantage, -advantage))
    return whole_and_single(one, two, np.repeat(np.arange(N_DOCUMENTS), sizes))


def runs(rng: np.random.Generator) -> tuple[bool, bool]:
    """Test several runs of each system on the same items."""
    one, two = (answers(np.repeat(rng.random(N_ITEMS), N_RUNS), rng) for _ in range(2))
    return whole_and_single(one, two, np.repeat(np.arange(N_ITEMS), N_RUNS))


def told_apart(worse: dict[str, float], rng: np.random.Generator) -> tuple[bool, bool]:
    """Tell whether any two equally good systems are told apart, by adjusted p and by p."""
    ease = rng.uniform(*EASE, N_EXAMPLES)
    board = compare_many({name: answers(ease * worse.get(name, 1.0), rng) for name in SYSTEMS})
    alike = [
        pair for pair in board.pairs if worse.keys().isdisjoint((pair["system1"], pair["system2"]))
    ]
    by_holm, unadjusted = (min(pair[p] for pair in alike) <= ALPHA for p in ("p_adjusted", "p"))
    return by_holm, unadjusted


def five_alike(rng: np.random.Generator) -> tuple[bool, bool]:
    """Test five systems for which all null hypotheses are true."""
    return told_apart({}, rng)


def three_alike(rng: np.random.Generator) -> tuple[bool]:
    """Test five systems for which three of ten null hypotheses are true."""
    by_holm, _ = told_apart(WORSE, rng)
    return (by_holm,)


SCENARIOS = (
    Scenario(
        {"documents, swapped as a whole": True, "documents, single questions": False}, documents
    ),
    Scenario({"runs, all of an item together": True, "runs, single ones": False}, runs),
    Scenario(
        {"five systems alike, Holm": True, "five systems alike, not adjusted": False}, five_alike
    ),
    Scenario({"three of five systems alike, Holm": True}, three_alike),
)


def rates(n_repetitions: int, seed: int) -> Iterator[Row]:
    """Yield the rows of the table, as soon as each scenario is done."""
    for number, (tests, repeat) in enumerate(SCENARIOS):
        rng = np.random.default_rng([seed, number])
        rejected = np.array([repeat(rng) for _ in range(n_repetitions)])
        for (name, must_hold), count in zip(tests.items(), rejected.sum(axis=0), strict=True):
            yield Row(name, must_hold, int(count), n_repetitions)


def main() -> int:
    """Print the tables, and return 1 if a valid test exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=10_000, help="default: 10,000")
    parser.add_argument("--seed", type=int, default=0, help="seed of the answers (default: 0)")
    parser.add_argument("--intervals", action="store_true", help="print tables of the intervals")
    parser.add_argument("--suites", action="store_true", help="print the table of suites")
    parser.add_argument(
        "--studentised", action="store_true", help="print the table of studentised intervals"
    )
    asked = parser.parse_args()
    if asked.repetitions < 1 or asked.seed < 0:
        parser.error("--repetitions is at least 1, --seed at least 0")
    tables = [
        (asked.intervals, interval_tables.lines()),
        (asked.suites, suite_tables.lines(asked.repetitions, asked.seed)),
        (asked.studentised, studentised_tables.lines(asked.repetitions, asked.seed)),
    ]
    if asked_for := [lines for is_asked, lines in tables if is_asked]:
        for line in itertools.chain(*asked_for):
            print(line, flush=True)
        return 0
    print(HEADER, flush=True)
    is_valid = True
    for row in rates(asked.repetitions, asked.seed):
        print(row, flush=True)
        is_valid &= row.holds or not row.must_hold
    return 0 if is_valid else 1


if __name__ == "__main__":
    raise SystemExit(main())
