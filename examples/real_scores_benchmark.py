"""Time tests of means of real scores, which have no common unit: exact beside sampled.

    python examples/real_scores_benchmark.py [--quick]

The exact tests are enumeration and bracket. The scores are normal, and system 1 is better by so
much that p is about 0.05. The methods take turns in one thread, and times are medians over the
rounds. The ratio is the time of 20,000 samples divided by ours.
"""

from __future__ import annotations

import argparse
import math
import os
import time
import tracemalloc
from statistics import median
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np

from pairedperm import paired_permutation_test
from pairedperm.options import Method

SAMPLES, ROUNDS, Z = 20_000, 5, 2.0
SIZES: dict[Method, tuple[int, ...]] = {
    "enumeration": (20, 40, 44),
    "bracket": (100, 10_000, 1_000_000),
}
QUICK: dict[Method, tuple[int, ...]] = {"enumeration": (20, 30), "bracket": (100, 10_000)}
COLUMNS = ("method", "examples", "p", "width of the interval", "time", "memory", "sampling / ours")


def scores(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw two systems' scores; the mean difference is Z of its standard deviations."""
    scores1, scores2 = np.random.default_rng(n).normal(size=(2, n))
    differences = scores1 - scores2
    shift = Z * math.sqrt((differences**2).sum()) / n - differences.mean()
    return scores1 + shift, scores2


def measured(method: Method, n: int, n_rounds: int) -> list[str]:
    """Return a row of the table."""
    columns = scores(n)
    times: list[float] = []
    ratios = []
    for _ in range(n_rounds):
        start = time.perf_counter()
        result = paired_permutation_test(*columns, method=method)
        times.append(time.perf_counter() - start)
        start = time.perf_counter()
        options: dict[str, Any] = {"n_resamples": SAMPLES, "rng": 0}
        paired_permutation_test(*columns, method="monte_carlo", **options)
        ratios.append((time.perf_counter() - start) / times[-1])
    tracemalloc.start()
    paired_permutation_test(*columns, method=method)
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    low, high = result.pvalue_interval
    width = f"{(high - low) / high:.2g} of p" if high > low else "0"
    size = f"{memory / 1e6:,.0f} MB"
    return [method, f"{n:,}", f"{result.pvalue:.4g}", width, seconds(times), size, ratio(ratios)]


def seconds(times: list[float]) -> str:
    """Write the median of the times."""
    return f"{median(times):.3g} s"


def ratio(ratios: list[float]) -> str:
    """Write the median of the ratios."""
    return f"{median(ratios):.2g}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: seconds")
    is_quick = parser.parse_args().quick
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + " --: |" * len(COLUMNS))
    for method, sizes in (QUICK if is_quick else SIZES).items():
        for n in sizes:
            row = measured(method, n, 1 if is_quick else ROUNDS)
            cells = (text.rjust(len(name)) for text, name in zip(row, COLUMNS, strict=True))
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
