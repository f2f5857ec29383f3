"""Time a leaderboard and the usual loops over its pairs.

    python examples/leaderboard_benchmark.py [--quick] [--seed SEED] [--json FILE]

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
the median of the rounds' ratios to `compare_many`. "told apart" counts the pairs of systems in
different tiers. Macro-F1 takes most of the time.

The p-value of 9,999 resamples is at least 2 / 10,000. Times 1,225 pairs it is above 0.05: with
Holm's correction this loop tells no pair of 50 systems apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from statistics import median
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from timing import Cell, Table, in_turn, megabytes, ratio, run

from pairedperm import Leaderboard, compare_many

SYSTEMS, EXAMPLES, ROUNDS = 50, 10_000, 3
QUICK = 4, 500  # systems and examples
LOWEST, HIGHEST = 0.6, 0.85  # accuracies
SHARED = 0.7  # the share of an example's difficulty that is the same for all systems
N_LABELS, LABEL = 4, 1
N_RESAMPLES, BATCH = 9_999, 1_000
N_BY_BINOMTEST, N_BY_PERMUTATION = 100, 3  # pairs that are timed
Labels = NDArray[np.int64]
Systems = dict[str, Labels]


def predictions(n_systems: int, n: int, rng: np.random.Generator) -> tuple[Systems, Labels]:
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


def over(
    pairs: Sequence[tuple[Labels, Labels]],
    test: Callable[[Labels, Labels, Labels], float],
    references: Labels,
) -> None:
    """Test each pair."""
    for one, two in pairs:
        test(references, one, two)


def measured(metric: str, systems: Systems, references: Labels, rounds: int) -> list[list[Cell]]:
    """Return the rows of a metric."""
    call = CALLS[metric](systems, references)
    pairs = [*combinations(systems.values(), 2)]
    n_timed = {"compare_many": len(pairs)}
    boards: list[Leaderboard] = []

    def printed() -> str:
        boards[:] = [compare_many(**call)]
        return str(boards[0])

    calls: dict[str, Callable[[], object]] = {"compare_many": printed}
    for name, (test, most) in LOOPS.get(metric, {}).items():
        few = spread(pairs, most)
        calls[name], n_timed[name] = partial(over, few, test, references), len(few)
    times = in_turn(calls, rounds)
    n_apart = sum(tier - 1 for tier in boards[0].tiers.values())
    rows: list[list[Cell]] = []
    for name, n in n_timed.items():
        times[name] = [x * len(pairs) / n for x in times[name]]
        seconds, scaled = median(times[name]), "" if n == len(pairs) else " *"
        told = f"{n_apart:,}" if name == "compare_many" else None
        ratios = ratio(times, name, "compare_many"), megabytes(calls[name]), told
        rows.append([f"{metric}: {name}{scaled}", seconds, seconds / len(pairs), *ratios])
    return rows


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield a table of all metrics."""
    n_systems, n = QUICK if quick else (SYSTEMS, EXAMPLES)
    inputs = predictions(n_systems, n, np.random.default_rng(seed))
    rows = [row for metric in CALLS for row in measured(metric, *inputs, 1 if quick else ROUNDS)]
    columns = {"": "", "time": "s", "per pair": "s", "ratio": "x", "memory": "MB", "told apart": ""}
    yield Table(f"{n_systems} systems, {n:,} examples", columns, rows)


if __name__ == "__main__":
    run(tables, __doc__)
