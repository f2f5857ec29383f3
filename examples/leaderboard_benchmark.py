"""Time a leaderboard and the usual loops over its pairs.

    python examples/leaderboard_benchmark.py [--systems K] [--examples N] [--repeat R] [--seed SEED]
                                             [--quick]

Each system predicts one of four labels for each example. The accuracies go from 0.6 to 0.85 and are
denser at the top. An example has a difficulty that all systems share, so they err together.

compare_many      `pairedperm.compare_many`, printed: p-values of all pairs, Holm's correction,
                  tiers and letters. They are exact, but for macro-F1, which is sampled
binomtest         `scipy.stats.binomtest` of the examples that only one system has right, for each
                  pair: McNemar's exact test, which gives the same p-value of accuracy
permutation_test  `scipy.stats.permutation_test(..., permutation_type="samples", vectorized=True)`
                  of each pair: 9,999 resamples in batches of 1,000

F1 and MCC, Matthews correlation, are those of one label. "decimals" are scores from 0 to 1 with two
decimals. SciPy is timed on a few pairs, spread evenly, and scaled to all (*). All tests are
two-sided and run on one thread. The methods take turns: a time is a median over the rounds, a ratio
the median of the rounds' ratios to `compare_many`. MB is the most memory that the process has had
so far: a metric's own is the rise. Macro-F1 takes most of the time. --quick: eight systems, once.

The p-value of 9,999 resamples is at least 2 / 10,000. Times 1,225 pairs it is above 0.05: with
Holm's correction this loop tells no pair of 50 systems apart.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from benchmark import significant
from numpy.typing import NDArray
from scipy import stats

from pairedperm import Leaderboard, compare_many

LOWEST, HIGHEST = 0.6, 0.85  # accuracies
SHARED = 0.7  # the share of an example's difficulty that is the same for all systems
N_LABELS, LABEL = 4, 1
LEAST = 50  # examples, so that some have the label
N_RESAMPLES, BATCH = 9_999, 1_000
N_BY_BINOMTEST, N_BY_PERMUTATION = 100, 3  # pairs that are timed
ROW = "{:<8}  {:<18}  {:>11}  {:>8}  {:>11}  {:>6}  {:>5}"
HEADER = ("metric", "test", "pairs timed", "seconds", "ms per pair", "ratio", "MB")
N_QUICK = 8  # systems
Labels = NDArray[np.int64]
Systems = dict[str, Labels]


class Row(NamedTuple):
    """The time of a test for all pairs of systems."""

    metric: str
    test: str
    n_pairs: int
    n_timed: int
    seconds: float
    ratio: float
    megabytes: float

    def __str__(self) -> str:
        test = self.test if self.n_timed == self.n_pairs else f"{self.test} *"
        times = (self.seconds, 1e3 * self.seconds / self.n_pairs, self.ratio)
        peak = f"{self.megabytes:,.0f}"
        return ROW.format(self.metric, test, f"{self.n_timed:,}", *map(significant, times), peak)


def peak_megabytes() -> float:
    """Return the most memory that the process has had so far."""
    try:
        import resource
    except ImportError:  # on Windows
        return math.nan
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0  # in kB on Linux


def predictions(
    n_systems: int, n: int, rng: np.random.Generator
) -> tuple[dict[str, Labels], Labels]:
    """Draw predictions by the name of the system, best first, and the references."""
    references = rng.integers(0, N_LABELS, n)
    difficulty = np.sqrt(SHARED) * rng.standard_normal(n)
    systems = {}
    for k, place in enumerate(np.linspace(0.0, 1.0, n_systems), 1):
        accuracy = HIGHEST - (HIGHEST - LOWEST) * place**1.5
        own = np.sqrt(1.0 - SHARED) * rng.standard_normal(n)
        is_right = difficulty + own < stats.norm.ppf(accuracy)
        others = (references + rng.integers(1, N_LABELS, n)) % N_LABELS
        systems[f"system {k}"] = np.where(is_right, references, others)
    return systems, references


def by_binomtest(references: Labels, one: Labels, two: Labels) -> float:
    """Return the p-value of McNemar's exact test."""
    right1, right2 = one == references, two == references
    n_only1, n_only2 = (np.count_nonzero(x) for x in (right1 & ~right2, right2 & ~right1))
    n = n_only1 + n_only2
    return float(stats.binomtest(n_only1, n).pvalue) if n else 1.0


def permuted(one: NDArray[Any], two: NDArray[Any], score: Callable[..., Any]) -> float:
    """Return SciPy's p-value for the difference of a score of rows (..., n)."""

    def difference(one: NDArray[Any], two: NDArray[Any], axis: int = -1) -> Any:
        return score(one, axis) - score(two, axis)

    found = stats.permutation_test(
        (one, two),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=N_RESAMPLES,
        batch=BATCH,
        random_state=np.random.default_rng(0),  # `rng` from SciPy 1.15 on
    )
    return float(found.pvalue)


def accuracy_by_permutation(references: Labels, one: Labels, two: Labels) -> float:
    """Return SciPy's p-value for the difference of accuracies."""

    def score(is_right: NDArray[Any], axis: int) -> Any:
        return np.count_nonzero(is_right, axis) / len(references)

    return permuted(one == references, two == references, score)


def f1_by_permutation(references: Labels, one: Labels, two: Labels) -> float:
    """Return SciPy's p-value for the difference of the F1 of one label."""
    is_gold = references == LABEL
    n_gold = np.count_nonzero(is_gold)

    def score(is_found: NDArray[Any], axis: int) -> Any:
        n_true = np.count_nonzero(is_found & is_gold, axis)
        return 2.0 * n_true / (np.count_nonzero(is_found, axis) + n_gold)

    return permuted(one == LABEL, two == LABEL, score)


def labelled(systems: Systems, references: Labels, **options: Any) -> dict[str, Any]:
    """Return a call of labels."""
    return {"systems": systems, "references": references, **options}


def of_one_label(systems: Systems, references: Labels) -> dict[str, Any]:
    """Return the call of Matthews correlation: is it the label or not?"""
    is_label = {name: (x == LABEL).astype(np.int64) for name, x in systems.items()}
    return labelled(is_label, (references == LABEL).astype(np.int64), metric="matthews_correlation")


def with_decimals(systems: Systems, references: Labels) -> dict[str, Any]:
    """Return the call of scores of two decimals, which rise where the label is right."""
    rng = np.random.default_rng(references[:4])
    own = {name: 0.2 * (x == references) for name, x in systems.items()}
    return {
        "systems": {
            name: np.round(np.clip(x + 0.4 + 0.15 * rng.standard_normal(x.size), 0.0, 1.0), 2)
            for name, x in own.items()
        }
    }


CALLS: dict[str, Callable[[Systems, Labels], dict[str, Any]]] = {
    "accuracy": partial(labelled, metric="accuracy"),
    "F1": partial(labelled, metric="f1", pos_label=LABEL),
    "MCC": of_one_label,
    "decimals": with_decimals,
    "macro-F1": partial(labelled, metric="f1", average="macro"),
}
LOOPS: dict[str, dict[str, tuple[Callable[[Labels, Labels, Labels], float], int]]] = {
    "accuracy": {
        "binomtest": (by_binomtest, N_BY_BINOMTEST),
        "permutation_test": (accuracy_by_permutation, N_BY_PERMUTATION),
    },
    "F1": {"permutation_test": (f1_by_permutation, N_BY_PERMUTATION)},
}


def spread(pairs: Sequence[tuple[Labels, Labels]], n: int) -> list[tuple[Labels, Labels]]:
    """Return at most n of the pairs, spread evenly."""
    n = min(n, len(pairs))
    return [pairs[(2 * k + 1) * len(pairs) // (2 * n)] for k in range(n)]


def measure(
    metric: str, systems: dict[str, Labels], references: Labels, repeat: int
) -> tuple[list[Row], Leaderboard]:
    """Return the rows of a metric, and its leaderboard."""
    pairs = [*combinations(systems.values(), 2)]
    n_timed = {"compare_many": len(pairs)}
    megabytes: dict[str, float] = {}
    times: dict[str, list[float]] = {"compare_many": []}
    call = CALLS[metric](systems, references)
    few_systems = dict([*call["systems"].items()][:3])
    board = compare_many(**(call | {"systems": few_systems}))  # a warm-up
    for _ in range(repeat):
        start = time.perf_counter()
        board = compare_many(**call)
        str(board)
        times["compare_many"].append(time.perf_counter() - start)
        megabytes.setdefault("compare_many", peak_megabytes())
        for name, (test, most) in LOOPS.get(metric, {}).items():
            few = spread(pairs, most)
            start = time.perf_counter()
            for one, two in few:
                test(references, one, two)
            passed = time.perf_counter() - start
            megabytes.setdefault(name, peak_megabytes())
            times.setdefault(name, []).append(passed * len(pairs) / len(few))
            n_timed[name] = len(few)
    rows = []
    for name, found in times.items():
        ratio = median(x / y for x, y in zip(found, times["compare_many"], strict=True))
        numbers = len(pairs), n_timed[name], median(found), ratio, megabytes[name]
        rows.append(Row(metric, name, *numbers))
    return rows, board


def table(n_systems: int, n: int, repeat: int, seed: int) -> Iterator[str]:
    """Yield the lines of the table, those of a metric as soon as it is done."""
    systems, references = predictions(n_systems, n, np.random.default_rng(seed))
    n_pairs = n_systems * (n_systems - 1) // 2
    yield f"{n_systems:,} systems, {n:,} examples, {n_pairs:,} pairs"
    yield ""
    yield ROW.format(*HEADER)
    told = []
    for metric in CALLS:
        rows, board = measure(metric, systems, references, repeat)
        yield from map(str, rows)
        n_apart = sum(x - 1 for x in board.tiers.values())
        told.append(f"{n_apart:,} {metric}")
    yield ""
    yield "* scaled from the pairs timed to all"
    yield f"Told apart: {', '.join(told)}"


def main() -> None:
    """Print each line of the table as soon as it is done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=50, help="their number (default: 50)")
    parser.add_argument("--examples", type=int, default=10_000, help="of each (default: 10000)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    parser.add_argument("--quick", action="store_true", help="eight systems, one round")
    asked = parser.parse_args()
    if asked.quick:
        asked.systems, asked.repeat = N_QUICK, 1
    if asked.systems < 2 or asked.examples < LEAST or asked.repeat < 1 or asked.seed < 0:
        parser.error(f"at least: --systems 2, --examples {LEAST}, --repeat 1, --seed 0")
    for text in table(asked.systems, asked.examples, asked.repeat, asked.seed):
        print(text, flush=True)


if __name__ == "__main__":
    main()
