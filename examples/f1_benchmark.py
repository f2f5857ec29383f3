"""Time exact and sampled tests of F1, and show how far the samples are off.

    python examples/f1_benchmark.py [--quick] [--seed SEED]

Sentences have up to four entities. Two systems find most of them and add some of their own; on the
other sentences they agree. All methods get the same counts, 2 tp and predicted + gold of each
sentence. They are two-sided, count ties and run on one thread.

exact     `pairedperm.paired_permutation_test(counts1, counts2, score=Ratio([1, 0], [0, 1]))`
counting  only the counting of distinct differences, with which the exact test begins
sampled   like exact, but with `method="monte_carlo"`, 20,000 resamples
scipy     `scipy.stats.permutation_test(..., permutation_type="samples", vectorized=True)` of the
          same statistic, 20,000 resamples in batches, scaled from the time of 2,000

The methods take turns. A time is a median over the rounds; a ratio is the median of the rounds'
ratios. "off" is the distance of the sampled p from the exact one in standard errors. "width" is the
width of the certified interval of log p. "memory" is what the exact call allocates besides the
counts. With the data of the quickstart there is a second table: F1 of single tags, where an example
is a sentence.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from benchmark import line
from scipy import stats
from timing import seconds

import pairedperm
from pairedperm.permutation.choose import problem_of
from pairedperm.permutation.problem import Problem
from pairedperm.results.sentence import format_pvalue
from pairedperm.scoring.arguments import read_rows

F1 = pairedperm.Ratio([1, 0], [0, 1])
N_RESAMPLES = 20_000
SCIPY_RESAMPLES = 2_000
DATA = Path(__file__).parent / "data" / "ewt_pos_test.jsonl"
TAGS = ("PROPN", "ADJ", "ADV")
PAIRS = (("logreg", "linearsvc"), ("logreg", "mostfreq"))


def sentences(n: int, effect: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows of 2 tp and predicted + gold; the recall of system 1 is effect / √n higher."""
    gold = rng.integers(0, 5, n)
    common = rng.binomial(gold, 0.8)
    counts = []
    for recall in (min(0.8 + effect / math.sqrt(n), 1.0), 0.8):
        own = rng.random(n) < 0.25
        tp = np.where(own, rng.binomial(gold, recall), common)
        spurious = np.where(own, rng.poisson(0.4, n), 0)
        counts.append(np.stack((2 * tp, gold + tp + spurious), axis=1))
    return counts[0], counts[1]


def by_scipy(counts1: np.ndarray, counts2: np.ndarray) -> float:
    """Return SciPy's p-value; one number holds both counts, so that they are swapped together."""
    pack = 2**30

    def statistic(one: np.ndarray, two: np.ndarray, axis: int = -1) -> np.ndarray:
        sum1, sum2 = one.sum(axis), two.sum(axis)
        return sum1 // pack / (sum1 % pack) - sum2 // pack / (sum2 % pack)

    return stats.permutation_test(
        tuple(counts[:, 0] * pack + counts[:, 1] for counts in (counts1, counts2)),
        statistic,
        permutation_type="samples",
        vectorized=True,
        n_resamples=SCIPY_RESAMPLES,
        batch=max(10**7 // len(counts1), 1),
        random_state=np.random.default_rng(0),  # `rng` from SciPy 1.15 on
    ).pvalue


def test(counts1: np.ndarray, counts2: np.ndarray, **options: Any):
    """Run our test."""
    return pairedperm.paired_permutation_test(counts1, counts2, score=F1, **options)


def counted(counts1: np.ndarray, counts2: np.ndarray) -> Problem:
    """Count the distinct differences, as the exact test begins."""
    return problem_of(*read_rows(counts1, counts2, F1), "two-sided")


def rounds(calls: dict[str, Callable[[], object]], budget: float) -> dict[str, list[float]]:
    """Time each call in turn until the budget is used."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in list(calls.values())[:-1]:
        call()  # a warm-up
    start = time.perf_counter()
    while not times["exact"] or time.perf_counter() - start < budget:
        for name, call in calls.items():
            began = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - began)
    return times


def examine(n: int, effect: float, seed: int, budget: float) -> dict[str, str]:
    """Return a row of the table."""
    counts = sentences(n, effect, np.random.default_rng([seed, n, int(effect)]))
    exact = test(*counts, method="exact")
    sampled = test(*counts, method="monte_carlo", n_resamples=N_RESAMPLES, rng=seed)
    calls: dict[str, Callable[[], object]] = {
        "exact": partial(test, *counts, method="exact"),
        "counting": partial(counted, *counts),
        "sampled": partial(test, *counts, method="monte_carlo", n_resamples=N_RESAMPLES, rng=seed),
    }
    if n <= 10_000:
        calls["scipy"] = partial(by_scipy, *counts)
    times = rounds(calls, budget)
    if "scipy" in times:
        times["scipy"] = [x * N_RESAMPLES / SCIPY_RESAMPLES for x in times["scipy"]]
    tracemalloc.start()
    test(*counts, method="exact")
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    p = exact.pvalue
    error = math.sqrt(p * (1.0 - p) / N_RESAMPLES)
    low, high = exact.log_pvalue_interval
    found = {name: seconds(median(values)) for name, values in times.items()}
    if "scipy" in times:
        ratios = [a / b for a, b in zip(times["scipy"], times["sampled"], strict=True)]
        found["scipy / sampled"] = f"{median(ratios):.0f}"
    return found | {
        "N": f"{n:,}",
        "p": format_pvalue(exact.log_pvalue, 6),
        "width": f"{high - low:.0e}",
        "off": f"{abs(sampled.pvalue - p) / error:.1f}" if p > 1e-3 else "",
        "memory": f"{memory / 1e6:.0f} MB",
    }


def tags() -> list[dict[str, str]]:
    """Return the lines on F1 of single tags, with the quickstart's data."""
    sentences = [json.loads(text) for text in DATA.read_text(encoding="utf-8").splitlines()]
    references = [sentence["references"] for sentence in sentences]
    found = []
    for systems in PAIRS:
        if not all(system in sentences[0] for system in systems):
            continue
        one, two = ([sentence[system] for sentence in sentences] for system in systems)
        for tag in TAGS:
            began = time.perf_counter()
            result = pairedperm.compare(one, two, references, "f1", pos_label=tag)
            found.append(
                {
                    "systems": " vs ".join(systems),
                    "tag": tag,
                    "F1": f"{result.score1:.4f} {result.score2:.4f}",
                    "p": f"{result.pvalue:.12g}",
                    "time": seconds(time.perf_counter() - began),
                }
            )
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="N up to 10^4, few rounds: seconds")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    options = parser.parse_args()
    names = ["N", "exact", "counting", "sampled", "scipy", "scipy / sampled"]
    names += ["p", "width", "off", "memory"]
    print(line(dict(zip(names, names, strict=True)), names))
    print(line(dict.fromkeys(names, "-:"), names, "-"))
    for effect in (0.5, 4.0, 50.0):
        for exponent in (3, 4) if options.quick else (3, 4, 5, 6, 7):
            budget = 0.1 if options.quick else 3.0
            print(line(examine(10**exponent, effect, options.seed, budget), names), flush=True)
    print()
    names = ["systems", "tag", "F1", "p", "time"]
    print(line(dict(zip(names, names, strict=True)), names))
    print(line(dict.fromkeys(names, "--"), names, "-"))
    for row in tags():
        print(line(row, names))


if __name__ == "__main__":
    main()
