"""Measure what power, equivalence and the sequential test promise.

    python examples/deciding.py [--repetitions 100000] [--seed SEED]

Power: the computed power for wins, losses and ties, beside the share of that many simulated tests
that reject. It should be within 3 standard errors.
Size: how often a system that is worse by the margin is called not worse, by all outcomes. It is
the largest over some shares of differing examples, and should be at most 5 %.
Peeking: how often one of ten ordinary tests of two equal systems has p <= 5 %, by the number of
examples that differ between two looks. It is exact.
Looks: how often the sequential test rejects a true null hypothesis within 10,000 looks, in a
hundredth of the repetitions. It should be at most 5 % + 3 standard errors.
Stops: after how many examples it stops if one system is better, beside the number that a test of
fixed size needs for a power of 80 %.

The exit code is 1 if a promise does not hold. 100,000 repetitions take about two minutes.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm import (
    PairedCounts,
    SequentialTest,
    examples_needed,
    paired_permutation_test,
    power,
)
from pairedperm.population.paired_shares import exact_interval

ALPHA, N_STANDARD_ERRORS = 0.05, 3
POWERS = (  # shares of wins and losses, and the number of examples
    (0.06, 0.03, 1000),
    (0.1, 0.05, 200),
    (0.2, 0.1, 100),
    (0.02, 0.0, 500),
    (0.5, 0.4, 60),
    (0.1, 0.1, 300),
)
NUMBERS = 30, 50, 100, 200, 500
MARGINS = 0.01, 0.02, 0.05, 0.1, 0.2
SHARES = 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0
BETWEEN_LOOKS = 1, 2, 5, 10, 20, 50, 100
N_LOOKS = 10_000
LEADS = (0.075, 0.035), (0.1, 0.06), (0.3, 0.26), (0.05, 0.01), (0.06, 0.05)
Floats = NDArray[np.float64]


class Row(NamedTuple):
    """A line of a table, and whether its promise holds."""

    text: str
    holds: bool = True

    def __str__(self) -> str:
        return self.text if self.holds else f"{self.text}  FAILS"


def shown(rate: float, error: float) -> str:
    """Write a rate with its standard error."""
    return f"{rate:>9.2%}{error:>8.2%}"


@cache
def pvalue(wins: int, losses: int) -> float:
    """Return the p-value of these wins and losses; ties do not change it."""
    if not wins + losses:
        return 1.0
    return paired_permutation_test(PairedCounts([1, 0], [0, 1], [wins, losses])).pvalue


def powers(n_repetitions: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the lines on power, computed and simulated."""
    yield Row(f"{'better':>7}{'worse':>7}{'n':>7}{'power':>9}{'drawn':>9}{'s.e.':>8}")
    for better, worse, n in POWERS:
        true = power((better, worse), n).power or 0.0
        drawn = rng.multinomial(n, [better, worse, 1.0 - better - worse], n_repetitions)
        outcomes, counts = np.unique(drawn[:, :2], axis=0, return_counts=True)
        rejected = [pvalue(*outcome) <= ALPHA for outcome in outcomes.tolist()]
        rate = float(counts @ np.array(rejected)) / n_repetitions
        error = math.sqrt(true * (1.0 - true) / n_repetitions)
        text = f"{better:>7.0%}{worse:>7.0%}{n:>7,}{true:>9.2%}{shown(rate, error)}"
        yield Row(text, abs(rate - true) <= N_STANDARD_ERRORS * error)


def likely(n: int, share: float) -> NDArray[np.int64]:
    """Return the likely numbers of examples of a kind, out of n."""
    around = 7.0 * math.sqrt(n * share * (1.0 - share)) + 20.0
    return np.arange(
        max(math.floor(n * share - around), 0), min(math.ceil(n * share + around), n) + 1
    )


@cache
def least_wins(losses: int, n: int, margin: float) -> int:
    """Return the least wins that show "not worse", or n - losses + 1 if none do."""

    def is_noninferior(wins: int) -> bool:
        return exact_interval(wins, losses, n, 1.0 - 2.0 * ALPHA)[0] > -margin

    low, high = -1, n - losses + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_noninferior(middle) else (middle, high)
    return high


def size(n: int, margin: float, share: float) -> float:
    """Return the chance of "not worse" for a system worse by the margin, if this share differs."""
    from scipy.stats import binom

    losses = likely(n, (share + margin) / 2.0)
    masses = binom.pmf(losses, n, (share + margin) / 2.0)
    wins = np.array([least_wins(k, n, margin) for k in losses.tolist()])
    left = (share - margin) / 2.0 / (1.0 - (share + margin) / 2.0)  # of those that are no losses
    return float(masses @ binom.sf(wins - 1, n - losses, min(left, 1.0)))


def sizes() -> Iterator[Row]:
    """Yield the lines on size, the largest over all shares."""
    head = "".join(f"{f'margin {margin:.0%}':>12}" for margin in MARGINS)
    yield Row(f"{'n':>6}{head}")
    for n in NUMBERS:
        found = []
        for margin in MARGINS:
            shares = [margin, *(share for share in SHARES if share > margin)]
            found.append(max(size(n, margin, share) for share in shares))
        text = "".join(f"{x:>12.2%}" for x in found)
        yield Row(f"{n:>6,}{text}", max(found) <= ALPHA * (1.0 + 1e-9))


def ten_looks(n_each: int) -> float:
    """Return the chance that p ≤ α at one of ten looks, if so many examples that differ come each.

    A fair coin says whether one of them is a win.
    """
    from scipy.stats import binom

    wins, found = np.ones(1), 0.0  # the chances of each number of wins, if no look found p ≤ α
    for _ in range(10):
        wins = np.convolve(wins, binom.pmf(np.arange(n_each + 1), n_each, 0.5))
        n = wins.size - 1
        is_found = np.array([pvalue(k, n - k) <= ALPHA for k in range(n + 1)])
        found += float(wins[is_found].sum())
        wins[is_found] = 0.0
    return found


def peeking() -> Iterator[Row]:
    """Yield the lines on ten looks with an ordinary test."""
    yield Row(f"{'differ between looks':<24}{'rejected':>9}")
    yield from (Row(f"{n:<24}{ten_looks(n):>9.2%}") for n in BETWEEN_LOOKS)


def coins(sizes: Callable[[np.random.Generator], Floats]) -> Callable[[np.random.Generator], bool]:
    """Return a function that tells whether a test rejects these sizes with random signs."""

    def is_rejected(rng: np.random.Generator) -> bool:
        differences = sizes(rng)
        signed = differences * rng.choice([-1.0, 1.0], differences.size)
        pair = np.maximum(signed, 0.0), np.maximum(-signed, 0.0)
        return SequentialTest().update(*pair) is not None

    return is_rejected


NULLS: dict[str, Callable[[np.random.Generator], bool]] = {
    "all examples differ": coins(lambda rng: np.ones(N_LOOKS)),
    "one in ten differs": coins(lambda rng: (rng.random(N_LOOKS) < 0.1).astype(float)),
    "real scores": coins(lambda rng: rng.random(N_LOOKS)),
}


def looks(n_repetitions: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the lines on looks: rejections of true null hypotheses."""
    yield Row(f"{'null hypothesis':<24}{'rejected':>9}{'s.e.':>8}")
    error = math.sqrt(ALPHA * (1.0 - ALPHA) / n_repetitions)
    for name, is_rejected in NULLS.items():
        rate = sum(is_rejected(rng) for _ in range(n_repetitions)) / n_repetitions
        yield Row(f"{name:<24}{shown(rate, error)}", rate <= ALPHA + N_STANDARD_ERRORS * error)


def stops(n_repetitions: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the lines on stops: the examples needed, in the median and by 80 and 90 % of tests."""
    yield Row(
        f"{'better':>7}{'worse':>7}{'median':>9}{'80%':>8}{'90%':>8}{'fixed n':>9}{'wrong':>8}"
    )
    for better, worse in LEADS:
        fixed = examples_needed((better, worse)).n_examples or 0
        numbers, n_wrong = [], 0
        for _ in range(n_repetitions):
            test = SequentialTest()
            while test.decision is None:
                u = rng.random(fixed)
                test.update((u < better).astype(int), (u > 1.0 - worse).astype(int))
            numbers.append(test.n_decided or 0)
            n_wrong += test.decision == "worse"
        found = np.quantile(numbers, [0.5, 0.8, 0.9], method="inverted_cdf").astype(int)
        text = "".join(f"{x:>{width},}" for x, width in zip(found, (9, 8, 8), strict=True))
        yield Row(
            f"{better:>7.1%}{worse:>7.1%}{text}{fixed:>9,}{n_wrong / n_repetitions:>8.2%}",
            n_wrong / n_repetitions <= ALPHA,
        )


def main() -> int:
    """Print the tables, and return 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=100_000, help="default: 100,000")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    asked = parser.parse_args()
    if asked.repetitions < 100 or asked.seed < 0:
        parser.error("--repetitions is at least 100, --seed at least 0")
    rng = np.random.default_rng(asked.seed)
    few = asked.repetitions // 100
    tables = {
        "Power, exact and drawn": powers(asked.repetitions, rng),
        "Size of not being worse, at the margin": sizes(),
        "Rejections of equal systems at ten looks with an ordinary test": peeking(),
        f"Rejections of true null hypotheses within {N_LOOKS:,} looks": looks(few, rng),
        "Examples until the sequential test stops": stops(few, rng),
    }
    holds = True
    for number, (title, rows) in enumerate(tables.items()):
        print(f"{chr(10) if number else ''}{title}", flush=True)
        for row in rows:
            print(row, flush=True)
            holds &= row.holds
    return 0 if holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
