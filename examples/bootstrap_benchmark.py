"""Time the bootstrap without resampling and the one with resampling.

    python examples/bootstrap_benchmark.py [--quick] [--seed SEED]

There are three tables of two-sided tests on one thread. The methods take turns. A time is a median
over 5 rounds (3 for sampled sentences); a ratio is the median of the rounds' ratios.

Means: integer scores from 0 to 5, spread like those of the paper's generator (`benchmark.py`).
counting  `PairedCounts.from_rows(scores1, scores2)`
test      `paired_bootstrap_test(counts)`: p and three percentile intervals of all n^n resamples
call      `paired_bootstrap_test(scores1, scores2)`, both of these
bincount  `np.bincount` of the differences: only reading and counting them
sampled   the test of the counts with `method="monte_carlo"`: 999 multinomial resamples
scipy *   `scipy.stats.bootstrap` of the differences' mean: one percentile interval and no p; 99
          resamples, in batches, the time scaled to 999; not beyond N = 100,000

Macro-F1 of ten classes: `compare(..., "f1", average="macro", test="bootstrap")`. Beside it is a
loop with scikit-learn's `f1_score`, if that is installed: few resamples, the time scaled (*).

Accuracy of tokens: sentences of 1 to 60 tokens, on which two systems mostly agree. The bootstrap is
exact for a thousand sentences; for more it draws 9999 resamples. "width" is the width of the
interval of p, certified or of 95 %, relative to p.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from benchmark import ACCURACY, ORDINARY, seconds, significant, truncated_normal
from scipy import stats

from pairedperm import PairedCounts, Ratio, compare, paired_bootstrap_test

N_RESAMPLES, SCIPY_RESAMPLES, SCIPY_LARGEST = 999, 99, 10**5
SIZES, QUICK_SIZES = (10**4, 10**5, 10**6, 10**7), (10**3, 10**4)
SENTENCES = (10**3, "exact", 5), (10**4, "monte_carlo", 3), (10**5, "monte_carlo", 3)
QUICK_SENTENCES = (50, "exact", 1), (200, "monte_carlo", 1)
TABLES = {  # titles and columns
    "Means": "         N|counting|  test|  call|bincount|sampled|scipy *|      p|call/bincount",
    "Macro-F1 of ten classes": "          method|     N|resamples| timed|     p|   time|loop/ours",
    "Accuracy of tokens, by sentences": "     method|      N|        p|  width|  time",
}
Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


def ratings(n: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw two systems' scores: five times the accuracies of the paper's generator, rounded."""
    mean, sd = ACCURACY
    return [
        np.rint(5.0 * truncated_normal(rng, share * mean, sd, 1.0, n)).astype(np.int64)
        for share in (1.0, 1.0 - ORDINARY / math.sqrt(n))
    ]


def classes(n: int, rng: np.random.Generator) -> Columns:
    """Draw two systems' predictions and the references: ten classes, a tenth drawn anew."""
    references = rng.integers(0, 10, n)
    errors = 0.1 - 0.4 / math.sqrt(n), 0.1
    one, two = (np.where(rng.random(n) < e, rng.integers(0, 10, n), references) for e in errors)
    return one, two, references


def tokens(n: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw rows of correct tokens and tokens; nine of ten are right or wrong for both."""
    lengths = rng.integers(1, 61, n)
    hard = rng.binomial(lengths, 0.1)
    common = rng.binomial(lengths - hard, 0.95)
    shares = 0.5 + 0.8 / math.sqrt(n), 0.5
    return [np.stack((common + rng.binomial(hard, p), lengths), axis=1) for p in shares]


def scipy_bootstrap(differences: np.ndarray) -> object:
    """Return SciPy's percentile interval of SCIPY_RESAMPLES resamples, in the fastest batches."""
    options = {"batch": max(SCIPY_LARGEST // differences.size, 1), "rng": np.random.default_rng(0)}
    options |= {"vectorized": True, "method": "percentile", "n_resamples": SCIPY_RESAMPLES}
    return stats.bootstrap((differences,), np.mean, **options)


def looped(columns: Columns, n_resamples: int, rng: np.random.Generator) -> float:
    """Return the p-value of a plain loop: two calls of scikit-learn for each resample."""
    from sklearn.metrics import f1_score

    def difference(one: np.ndarray, two: np.ndarray, right: np.ndarray) -> float:
        score = partial(f1_score, right, average="macro", zero_division=0)
        return score(one) - score(two)

    observed, n = difference(*columns), len(columns[2])
    drawn = (rng.integers(n, size=n) for _ in range(n_resamples))
    found = np.array([difference(*(column[chosen] for column in columns)) for chosen in drawn])
    n_extreme = np.count_nonzero(np.abs(found - observed) >= abs(observed) - 1e-12)
    return (n_extreme + 1) / (n_resamples + 1)


def resampled(columns: Columns, n_resamples: int, seed: int) -> float:
    """Return the p-value of our bootstrap."""
    options: dict[str, Any] = {"test": "bootstrap", "method": "monte_carlo"}
    options |= {"n_resamples": n_resamples, "rng": seed}
    return compare(*columns, "f1", average="macro", **options).pvalue


def rounds(calls: dict[str, Callable[[], object]], n_rounds: int) -> dict[str, np.ndarray]:
    """Time each call in turn, after a warm-up."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(n_rounds + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: np.array(values[1:]) for name, values in times.items()}


def of_means(sizes: tuple[int, ...], n_rounds: int, seed: int) -> Iterator[list[str]]:
    """Yield the rows of the first table."""
    for n in sizes:
        scores = ratings(n, np.random.default_rng([seed, n]))
        counts, differences = PairedCounts.from_rows(*scores), scores[0] - scores[1]
        sampling: dict[str, Any] = {"method": "monte_carlo", "n_resamples": N_RESAMPLES}
        calls: dict[str, Callable[[], object]] = {
            "counting": partial(PairedCounts.from_rows, *scores),
            "test": partial(paired_bootstrap_test, counts),
            "call": partial(paired_bootstrap_test, *scores),
            "bincount": partial(lambda one, two: np.bincount(one - two + 5), *scores),
            "sampled": partial(paired_bootstrap_test, counts, **sampling, rng=seed),
        }
        if n <= SCIPY_LARGEST:
            calls["scipy *"] = partial(scipy_bootstrap, differences)
        times = rounds(calls, n_rounds)
        ratio = significant(median(times["call"] / times["bincount"]))
        if "scipy *" in times:
            times["scipy *"] *= N_RESAMPLES / SCIPY_RESAMPLES
        shown = [seconds(median(values)) for values in times.values()]
        shown += [""] * (6 - len(shown))
        yield [f"{n:,}", *shown, f"{paired_bootstrap_test(counts).pvalue:.3g}", ratio]


def of_macro_f1(
    n: int, n_resamples: int, n_looped: int, n_rounds: int, seed: int
) -> Iterator[list[str]]:
    """Yield the rows of the second table."""
    columns = classes(n, np.random.default_rng([seed, n]))
    calls: dict[str, Callable[[], object]] = {
        "ours": partial(resampled, columns, n_resamples, seed)
    }
    if importlib.util.find_spec("sklearn"):
        calls["loop"] = partial(looped, columns, n_looped, np.random.default_rng(seed))
    times = rounds(calls, n_rounds)
    asked, p = [f"{n:,}", f"{n_resamples:,}"], f"{resampled(columns, n_resamples, seed):.4f}"
    yield ["ours", *asked, asked[-1], p, seconds(median(times["ours"])), ""]
    if "loop" in times:
        times["loop"] *= (n_resamples + 1) / (n_looped + 1)  # with the observed difference
        ratio = significant(median(times["loop"] / times["ours"]))
        shown = seconds(median(times["loop"])), ratio
        yield ["scikit-learn's *", *asked, str(n_looped), "", *shown]


def of_sentences(cases: tuple[tuple[int, str, int], ...], seed: int) -> Iterator[list[str]]:
    """Yield the rows of the third table."""
    for n, method, n_rounds in cases:
        rows = tokens(n, np.random.default_rng([seed, n]))
        options: dict[str, Any] = {"score": Ratio([1, 0], [0, 1]), "method": method, "rng": seed}
        call = partial(paired_bootstrap_test, *rows, **options)
        times, result = rounds({"": call}, n_rounds)[""], call()
        low, high = result.pvalue_interval
        width = f"{(high - low) / result.pvalue:.1g}"
        yield [method, f"{n:,}", f"{result.pvalue:.4g}", width, seconds(median(times))]


def main() -> None:
    """Print the tables, row by row as they are done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: seconds")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    asked = parser.parse_args()
    n_rounds = 1 if asked.quick else 5
    macro_f1 = (500, 1_000, 5) if asked.quick else (10_000, 10_000, 20)
    found = (
        of_means(QUICK_SIZES if asked.quick else SIZES, n_rounds, asked.seed),
        of_macro_f1(*macro_f1, n_rounds, asked.seed),
        of_sentences(QUICK_SENTENCES if asked.quick else SENTENCES, asked.seed),
    )
    for (title, header), rows in zip(TABLES.items(), found, strict=True):
        columns = header.split("|")
        rule = "".join("-" * (len(name) + 1) + ":|" for name in columns)
        print(f"**{title}**", "", f"| {' | '.join(columns)} |", f"|{rule}", sep="\n")
        for row in rows:
            cells = (text.rjust(len(name)) for text, name in zip(row, columns, strict=True))
            print(f"| {' | '.join(cells)} |", flush=True)
        print()


if __name__ == "__main__":
    main()
