"""Time the methods on the same corpora, for the papers' two figures of runtimes.

The methods take turns, round by round, and right after each the reference is timed, so that a
ratio compares what was measured at the same time: machines are noisy. Times and ratios are
medians over the rounds; calls below 20 ms are timed several in a row.
"""

from __future__ import annotations

import math
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmark_peers import SAMPLES, monte_carlo
from benchmark_tables import seconds
from figures import Style, draw_lines
from tables import print_rows, write_csv
from taggers import systems

import pairedperm

FACTOR = 0.98  # of the second system's mean accuracy: as in the authors' runtime experiment
N_ROUNDS, N_ROUNDS_QUICK = 7, 2
LEAST, MOST_CALLS = 0.02, 100  # seconds of a timing, and calls in it
WARM_UP = 100  # sentences of the first call, which imports what it needs
BUDGET = 2**40  # frequencies: no method is refused
CHUNK = 2**18  # random numbers that are held at once

Row = dict[str, Any]


class Method(NamedTuple):
    """A way to a p-value: its name in CSV, number of samples, label, and the function."""

    name: str
    k: int | None
    label: str
    pvalue: Callable[[np.ndarray, np.ndarray], float]


def computed(name: pairedperm.options.Method, label: str) -> Method:
    """Return a method of this package, to be timed."""

    def pvalue(scores1: np.ndarray, scores2: np.ndarray) -> float:
        result = pairedperm.paired_permutation_test(
            scores1, scores2, method=name, budget={"max_points": BUDGET}
        )
        return result.pvalue

    return Method(name, None, label, pvalue)


def plain_monte_carlo(
    differences: np.ndarray,
    n_samples: int = SAMPLES,
    rng: int | np.random.Generator = 0,
) -> float:
    """Return the share of samples with |S| ≥ |t|, as it is usually written in NumPy.

    A uniform random number for each example says whether it is swapped.
    """
    rng = np.random.default_rng(rng)
    observed, n = float(differences.sum()), differences.size
    differences = differences.astype(np.float64)
    n_rows, n_extreme = max(CHUNK // n, 1), 0
    for start in range(0, n_samples, n_rows):
        swapped = rng.random((min(n_rows, n_samples - start), n)) < 0.5
        sums = observed - 2.0 * (swapped @ differences)
        n_extreme += int(np.count_nonzero(np.abs(sums) >= abs(observed)))
    return n_extreme / n_samples


def plain(k: int) -> Method:
    """Monte Carlo as it is usually written."""
    return Method(*("monte_carlo", k, f"MC {k // 1000}k"), lambda a, b: plain_monte_carlo(a - b, k))


def coins(k: int) -> Method:
    """The same, faster: one random bit per coin."""
    return Method(
        *("monte_carlo_bits", k, f"MC bits {k // 1000}k"), lambda a, b: monte_carlo(a - b, k)
    )


def report(methods: Sequence[Method], sizes: Sequence[int], asked: Namespace) -> list[Row]:
    """The CSV's rows; the times are printed as soon as they are measured."""
    rows: list[Row] = []
    columns = ["N", *(method.label for method in methods)]
    print_rows(columns, _lines(methods, sizes, asked.seed, asked.quick, rows))
    return rows


def save(
    path: Path, methods: Sequence[Method], rows: Sequence[Row], styles: Sequence[Style], title: str
) -> None:
    """Write the rows, and a figure of the times, to files of this name."""
    write_csv(path.with_suffix(".csv"), rows)
    sizes = list(dict.fromkeys(row["n"] for row in rows))
    lines = {label: (sizes, y) for label, y in by_method(methods, rows, "seconds").items()}
    labels = "N (sentences)", "runtime (seconds)"
    draw_lines(path.with_suffix(".png"), lines, styles, title, labels)


def _lines(
    methods: Sequence[Method], sizes: Sequence[int], seed: int, quick: bool, found: list[Row]
) -> Iterator[list[str]]:
    """A line of times for each size; `found` gets the rows."""
    for n in sizes:
        scores = systems(n, FACTOR, np.random.default_rng([seed, n]))
        rows = measured(methods, scores, N_ROUNDS_QUICK if quick else N_ROUNDS)
        found += rows
        yield [f"{n:,}", *(seconds(row["seconds"]) for row in rows)]


def measured(
    methods: Sequence[Method], scores: tuple[np.ndarray, np.ndarray], n_rounds: int
) -> list[Row]:
    """A row for each method; the first is the reference of the ratios."""
    calls = [partial(method.pvalue, *scores) for method in methods]
    pvalues, n_calls = [], []
    for method, call in zip(methods, calls, strict=True):
        method.pvalue(*(x[:WARM_UP] for x in scores))
        start = time.perf_counter()
        pvalues.append(call())
        n_calls.append(min(math.ceil(LEAST / (time.perf_counter() - start)), MOST_CALLS))
    times: list[list[float]] = [[] for _ in methods]
    ratios: list[list[float]] = [[] for _ in methods]
    for _ in range(n_rounds):
        for k in range(1, len(methods)):
            times[k].append(timed(calls[k], n_calls[k]))
            times[0].append(timed(calls[0], n_calls[0]))
            ratios[k].append(times[k][-1] / times[0][-1])
    ratios[0] = [1.0]
    return [
        {
            "n": scores[0].size,
            "method": method.name,
            "k": method.k,
            "seconds": median(times[k]),
            "p": pvalues[k],
            f"ratio_to_{methods[0].name}": median(ratios[k]),
        }
        for k, method in enumerate(methods)
    ]


def timed(call: Callable[[], float], n_calls: int) -> float:
    """Seconds of a call, as the mean of several."""
    start = time.perf_counter()
    for _ in range(n_calls):
        call()
    return (time.perf_counter() - start) / n_calls


def by_method(methods: Sequence[Method], rows: Sequence[Row], column: str) -> dict[str, list[Any]]:
    """A column of the rows for each method, by its label, in the order of the sizes."""
    return {
        method.label: [row[column] for row in rows if (row["method"], row["k"]) == method[:2]]
        for method in methods
    }
