"""Time tests of means of scores of many digits, or of real ones: proven beside sampled.

    python examples/real_scores_benchmark.py [--quick]

"auto" is the default call, on scores of 6 to 16 decimals. Enumeration and bracket have real scores,
without a common unit. The scores are normal, and system 1 is better by so much that p is about
0.05. The methods take turns in one thread, and times are medians over the
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
Case = tuple[Method, int, int | None]  # the decimals, None for real scores
CASES: tuple[Case, ...] = (
    *(("auto", n, digits) for digits in (6, 8, 10, 16) for n in (100, 200, 400, 800)),
    *(("enumeration", n, None) for n in (20, 40, 44)),
    *(("bracket", n, None) for n in (100, 10_000, 1_000_000)),
)
QUICK: tuple[Case, ...] = (
    *(("auto", n, 8) for n in (100, 800)),
    *(("enumeration", n, None) for n in (20, 30)),
    *(("bracket", n, None) for n in (100, 10_000)),
)
COLUMNS = (
    *("method", "examples", "decimals", "p", "width of the interval"),
    *("time", "memory", "sampling / ours"),
)


def scores(n: int, decimals: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Draw two systems' scores; the mean difference is Z of its standard deviations."""
    scores1, scores2 = np.random.default_rng(n).normal(size=(2, n))
    differences = scores1 - scores2
    shift = Z * math.sqrt((differences**2).sum()) / n - differences.mean()
    scores1 += shift
    if decimals is None:
        return scores1, scores2
    return np.round(scores1, decimals), np.round(scores2, decimals)


def measured(method: Method, n: int, decimals: int | None, n_rounds: int) -> list[str]:
    """Return a row of the table."""
    columns = scores(n, decimals)
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
    names = method, f"{n:,}", "any" if decimals is None else str(decimals)
    return [*names, f"{result.pvalue:.4g}", width, seconds(times), size, ratio(ratios)]


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
    for case in QUICK if is_quick else CASES:
        row = measured(*case, 1 if is_quick else ROUNDS)
        cells = (text.rjust(len(name)) for text, name in zip(row, COLUMNS, strict=True))
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
