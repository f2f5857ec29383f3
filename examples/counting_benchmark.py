"""Time tests that mostly count, beside the least counting that NumPy can do.

    python examples/counting_benchmark.py [--quick] [--seed SEED]

Two systems have about nine in ten right, on a million and on ten million examples. The cases are
scores of 0 and 1, numbers of correct tokens in sentences (the paper's generator), integer labels,
and F1 from rows of a sentence's counts. All calls are whole and exact, on int64 arrays and one
thread.

bincount   `np.bincount(np.abs(scores1 - scores2))` of the scores; for labels, of their scores of 0
           and 1, made beforehand; for rows, `np.bincount` of one number for each difference of rows
ours       `paired_permutation_test`, `compare`, or `compute` of the `evaluate` module

They take turns until each has used some milliseconds. Times are medians over the rounds, ratios are
medians of the rounds' ratios. "memory" is the most that ours allocates besides the columns.
"""

from __future__ import annotations

import argparse
import os
import timeit
import tracemalloc
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import f1_benchmark
import numpy as np
from benchmark import ORDINARY, line, sentences
from timing import seconds, significant

import pairedperm

CLASSES, ACCURACIES = 5, (0.9, 0.899)
ROUNDS, SHORTEST = 15, 5e-3  # seconds that are timed at once
Columns = tuple[np.ndarray, ...]


class Case(NamedTuple):
    """A call of ours, and the counting beside it."""

    label: str
    ours: Callable[[], object]
    bincount: Callable[[], object]


def labels(n: int, rng: np.random.Generator) -> Columns:
    """Draw two systems' predictions and the references."""
    gold = rng.integers(0, CLASSES, n)
    ids = [np.where(rng.random(n) < a, gold, rng.integers(0, CLASSES, n)) for a in ACCURACIES]
    return *ids, gold


def of_differences(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Count how often each size of a difference occurs."""
    return np.bincount(np.abs(one - two))


def of_rows(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Count how often each difference of rows occurs."""
    numbers: Any = 0
    for column in (one - two).T:
        low, high = int(column.min()), int(column.max())
        numbers = numbers * (high - low + 1) + (column - low)
    return np.bincount(numbers)


def cases(n: int, seed: int) -> Iterator[Case]:
    """Return all cases of a size."""
    rng = np.random.default_rng([seed, n])
    test = pairedperm.paired_permutation_test
    module, of_scores = (pairedperm.load("paired_perm", name) for name in (None, "scores"))
    one, two, gold = columns = labels(n, rng)
    right = [(x == gold).astype(np.int64) for x in (one, two)]
    named = dict(zip(("predictions1", "predictions2", "references"), columns, strict=True))
    tokens = list(sentences(n, ORDINARY, rng)[1:3])

    def counting(pair: list[np.ndarray]) -> Callable[[], object]:
        return lambda: of_differences(*pair)

    def scored(pair: list[np.ndarray]) -> Callable[[], object]:
        return lambda: of_scores.compute(predictions1=pair[0], predictions2=pair[1])

    yield Case("scores 0 and 1", lambda: test(*right), counting(right))
    yield Case("... by the module", scored(right), counting(right))
    yield Case("integer labels", lambda: pairedperm.compare(one, two, gold), counting(right))
    yield Case("... by the module", lambda: module.compute(**named), counting(right))
    yield Case("correct tokens", lambda: test(*tokens), counting(tokens))
    yield Case("... by the module", scored(tokens), counting(tokens))
    rows = f1_benchmark.sentences(n, ORDINARY, rng)
    yield Case("F1 of sentences", lambda: f1_benchmark.test(*rows), lambda: of_rows(*rows))


def examine(case: Case) -> dict[str, str]:
    """Return a row of the table."""
    calls = {"ours": case.ours, "bincount": case.bincount}
    often = {
        name: int(SHORTEST / timeit.timeit(call, number=1)) + 1 for name, call in calls.items()
    }
    times = [
        [timeit.timeit(call, number=often[name]) / often[name] for name, call in calls.items()]
        for _ in range(ROUNDS)
    ]
    tracemalloc.start()
    case.ours()
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    found = {
        name: seconds(median(t)) for name, t in zip(calls, zip(*times, strict=True), strict=True)
    }
    ratio = significant(median(ours / theirs for ours, theirs in times))
    return found | {"ours / bincount": ratio, "memory": f"{significant(memory / 1e6)} MB"}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="10,000 examples: seconds")
    parser.add_argument("--seed", type=int, default=0, help="seed of the examples (default: 0)")
    options = parser.parse_args()
    for n in (10**4,) if options.quick else (10**6, 10**7):
        first = f"{n:,} examples".ljust(19)
        names = [first, "ours", "bincount", "ours / bincount", "memory"]
        print(line(dict(zip(names, names, strict=True)), names))
        print(line({name: "--" if name == first else "-:" for name in names}, names, "-"))
        for case in cases(n, options.seed):
            found = examine(case) | {first: case.label.ljust(len(first))}
            print(line(found, names), flush=True)
        print()


if __name__ == "__main__":
    main()
