"""Time the bootstrap without resampling and the one with resampling.

    python examples/bootstrap_benchmark.py [--quick] [--seed SEED] [--json FILE]

All tests are two-sided and run on one thread. The methods take turns. A time is the processor's, a
median over the rounds; a ratio is the median of the rounds' ratios.

Means: integer scores from 0 to 5, spread like those of the paper's generator (`synthetic.py`).
counting  `PairedCounts.from_rows(scores1, scores2)`
test      `paired_bootstrap_test(counts)`: p and three percentile intervals of all n^n resamples
call      `paired_bootstrap_test(scores1, scores2)`, both of these
bincount  `np.bincount` of the differences: only reading and counting them
sampled   the test of the counts with `method="monte_carlo"`: 999 multinomial resamples
scipy *   `scipy.stats.bootstrap` of the differences' mean: one percentile interval and no p; 99
          resamples, in batches, the time scaled to 999; not beyond N = 100,000

Macro-F1 of ten classes: `compare(..., "f1", average="macro", test="bootstrap")`. Beside it is a
loop with scikit-learn's `f1_score`, if that is installed: few resamples, the time scaled (*).

Sentences: accuracy of tokens of 1 to 60 a sentence, on which two systems mostly agree. The
bootstrap is exact for a thousand sentences; for more it draws 9999 resamples. "width" is the width
of the interval of p, certified or of 95 %, relative to p.
"""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from scipy import stats
from synthetic import ORDINARY, accuracies
from timing import Cell, Table, in_turn, ratio, run

from pairedperm import PairedCounts, Ratio, compare, paired_bootstrap_test

N_RESAMPLES, SCIPY_RESAMPLES, SCIPY_LARGEST = 999, 99, 10**5
ROUNDS = 5
SIZES, QUICK_SIZES = (10**4, 10**5, 10**6, 10**7), (10**3, 10**4)
SENTENCES, QUICK_SENTENCES = (10**3, 10**4, 10**5), (50, 200)
MACRO_F1, QUICK_MACRO_F1 = (10_000, 10_000, 20), (500, 1_000, 5)  # examples, resamples, looped
TIMED = ("counting", "test", "call", "bincount", "sampled", "scipy *")
Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


def ratings(n: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw two systems' scores: five times the accuracies of the paper's generator, rounded."""
    return [np.rint(5.0 * x).astype(np.int64) for x in accuracies(n, ORDINARY, rng)]


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


def of_means(n: int, rounds: int, seed: int) -> list[Cell]:
    """Return a row of the first table."""
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
    times = in_turn(calls, rounds, process_time)
    if "scipy *" in times:
        times["scipy *"] = [x * N_RESAMPLES / SCIPY_RESAMPLES for x in times["scipy *"]]
    medians = [median(times[name]) if name in times else None for name in TIMED]
    p = f"{paired_bootstrap_test(counts).pvalue:.3g}"
    return [f"{n:,}", *medians, p, ratio(times, "call", "bincount")]


def of_macro_f1(
    n: int, n_resamples: int, n_looped: int, rounds: int, seed: int
) -> Iterator[list[Cell]]:
    """Yield the rows of the second table."""
    columns = classes(n, np.random.default_rng([seed, n]))
    ours = partial(resampled, columns, n_resamples, seed)
    calls: dict[str, Callable[[], object]] = {"ours": ours}
    if importlib.util.find_spec("sklearn"):
        calls["loop"] = partial(looped, columns, n_looped, np.random.default_rng(seed))
    times = in_turn(calls, rounds, process_time)
    name = f"{n_resamples:,} resamples of macro-F1 of ten classes, {n:,} examples"
    yield [name, median(times["ours"]), 1.0, f"{ours():.4f}"]
    if "loop" in times:
        share = (n_resamples + 1) / (n_looped + 1)  # with the observed difference
        times["loop"] = [x * share for x in times["loop"]]
        loop = median(times["loop"]), ratio(times, "loop", "ours")
        yield ["the same with scikit-learn's `f1_score` in a loop *", *loop, None]


def of_sentences(n: int, method: str, rounds: int, seed: int) -> list[Cell]:
    """Return a row of the third table."""
    rows = tokens(n, np.random.default_rng([seed, n]))
    options: dict[str, Any] = {"score": Ratio([1, 0], [0, 1]), "method": method, "rng": seed}
    call = partial(paired_bootstrap_test, *rows, **options)
    times, result = in_turn({"": call}, rounds, process_time)[""], call()
    low, high = result.pvalue_interval
    p, width = f"{result.pvalue:.4g}", f"{(high - low) / result.pvalue:.1g}"
    return [f"{n:,}", method, median(times), p, width]


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the three tables."""
    rounds = 1 if quick else ROUNDS
    columns = {"N": ""} | dict.fromkeys(TIMED, "s") | {"p": "", "call / bincount": "x"}
    yield Table(
        "means", columns, [of_means(n, rounds, seed) for n in (QUICK_SIZES if quick else SIZES)]
    )
    columns = {"": "", "time": "s", "time / ours": "x", "p": ""}
    macro_f1 = QUICK_MACRO_F1 if quick else MACRO_F1
    yield Table("macro-F1", columns, [*of_macro_f1(*macro_f1, rounds, seed)])
    columns = {"sentences": "", "method": "", "time": "s", "p": "", "width": ""}
    first, *others = QUICK_SENTENCES if quick else SENTENCES
    found = [of_sentences(n, "monte_carlo", rounds, seed) for n in others]
    yield Table("sentences", columns, [of_sentences(first, "exact", rounds, seed), *found])


if __name__ == "__main__":
    run(tables, __doc__)
