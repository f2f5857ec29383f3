"""Time tests that mostly count, beside the least counting that NumPy can do.

    python examples/counting_benchmark.py [--quick] [--seed SEED] [--json FILE]

Two systems have about nine in ten right, on a million and on ten million examples. The cases are
scores of 0 and 1, integer labels, numbers of correct tokens in sentences (the paper's generator),
and F1 from rows of a sentence's counts. All calls are whole and exact, on int64 arrays and one
thread.

pairedperm  `paired_permutation_test`, `compare`, or `compute` of the `evaluate` module
bincount    `np.bincount(np.abs(scores1 - scores2))` of the scores; for labels, of their scores of
            0 and 1, made beforehand; for rows, `np.bincount` of one number for each difference

They take turns. Times are the processor's, medians over the rounds; ratios are medians of the
rounds' ratios. "memory" is the most that pairedperm allocates besides the columns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from synthetic import ORDINARY, correct_tokens, entities
from timing import Cell, Table, in_turn, megabytes, ratio, run

from pairedperm import Ratio, compare, load, paired_permutation_test

CLASSES, ACCURACIES, ROUNDS = 5, (0.9, 0.899), 15
Call = Callable[[], object]
Case = tuple[str, Call, Call]  # a label, ours, and the counting beside it


def labels(n: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
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
    """Yield all cases of a size."""
    rng = np.random.default_rng([seed, n])
    module, of_scores = (load("paired_perm", name).compute for name in (None, "scores"))

    def of_pair(label: str, one: np.ndarray, two: np.ndarray) -> Iterator[Case]:
        counting = partial(of_differences, one, two)
        yield label, partial(paired_permutation_test, one, two), counting
        by_module = partial(of_scores, predictions1=one, predictions2=two)
        yield f"{label}, by the module", by_module, counting

    one, two, gold = labels(n, rng)
    right = (one == gold).astype(np.int64), (two == gold).astype(np.int64)
    yield from of_pair("scores 0 and 1", *right)
    counting = partial(of_differences, *right)
    named = {"predictions1": one, "predictions2": two, "references": gold}
    yield "integer labels", partial(compare, one, two, gold), counting
    yield "integer labels, by the module", partial(module, **named), counting
    yield from of_pair("correct tokens", *correct_tokens(n, ORDINARY, rng))
    rows = entities(n, ORDINARY, rng)
    ours = partial(paired_permutation_test, *rows, score=Ratio([1, 0], [0, 1]))
    yield "F1 of sentences", ours, partial(of_rows, *rows)


def examine(label: str, ours: Call, counting: Call, rounds: int) -> list[Cell]:
    """Return a row of the table."""
    times = in_turn({"ours": ours, "counting": counting}, rounds, process_time)
    medians = median(times["ours"]), median(times["counting"])
    return [label, *medians, ratio(times, "ours", "counting"), megabytes(ours)]


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield a table of each size."""
    columns = {"": "", "pairedperm": "s", "bincount": "s", "ratio": "x", "memory": "MB"}
    for n in (10**4,) if quick else (10**6, 10**7):
        rows = [examine(*case, 1 if quick else ROUNDS) for case in cases(n, seed)]
        yield Table(f"{n:,} examples", columns, rows)


if __name__ == "__main__":
    run(tables, __doc__)
