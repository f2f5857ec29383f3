"""Time exact and sampled tests of F1, and show how far the samples are off.

    python examples/f1_benchmark.py [--quick] [--seed SEED] [--json FILE]

Sentences have up to four entities (`entities` of `synthetic.py`). All methods get the same counts,
2 tp and predicted + gold of each sentence. They are two-sided, count ties and run on one thread.

exact     `pairedperm.paired_permutation_test(counts1, counts2, score=Ratio([1, 0], [0, 1]))`
counting  only the counting of distinct differences, with which the exact test begins
samples   like exact, but with `method="monte_carlo"`, 20,000 resamples
scipy *   `scipy.stats.permutation_test(..., permutation_type="samples", vectorized=True)` of the
          same statistic, 20,000 resamples in batches, scaled from the time of 2,000

The methods take turns. A time is the processor's, a median over the rounds; a ratio is the median
of the rounds' ratios. "memory" is what the exact call allocates besides the counts. "width" is the
width of the certified interval of log p. "off" is the distance of the sampled p from the exact one
in standard errors. The second table has the data of the quickstart: F1 of single tags, where an
example is a sentence.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from scipy import stats
from synthetic import entities
from timing import Cell, Table, in_turn, megabytes, ratio, run

from pairedperm import PairedPermutationResult, Ratio, compare, paired_permutation_test
from pairedperm.permutation.choose import problem_of
from pairedperm.permutation.problem import Problem
from pairedperm.results.sentence import format_pvalue
from pairedperm.scoring.arguments import read_arguments

F1 = Ratio([1, 0], [0, 1])
N_RESAMPLES, SCIPY_RESAMPLES, SCIPY_LARGEST = 20_000, 2_000, 10_000
EFFECTS, ROUNDS = (4.0, 50.0), 7  # p is about 0.01, and tiny
DATA = Path(__file__).parent / "data" / "ewt_pos_test.jsonl"
TAGS = ("PROPN", "ADJ", "ADV")
PAIRS = (("logreg", "linearsvc"), ("logreg", "mostfreq"))


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


def test(counts1: np.ndarray, counts2: np.ndarray, **options: Any) -> PairedPermutationResult:
    """Run our test."""
    return paired_permutation_test(counts1, counts2, score=F1, **options)


def counted(counts1: np.ndarray, counts2: np.ndarray) -> Problem:
    """Count the distinct differences, as the exact test begins."""
    return problem_of(*read_arguments(counts1, counts2, F1)[:2], "two-sided")


def examine(n: int, effect: float, rounds: int, seed: int) -> dict[str, Cell]:
    """Return the cells of a row by column."""
    counts = entities(n, effect, np.random.default_rng([seed, n, int(effect)]))
    exact = partial(test, *counts, method="exact")
    sampled = partial(test, *counts, method="monte_carlo", n_resamples=N_RESAMPLES, rng=seed)
    calls: dict[str, Callable[[], object]] = {
        "exact": exact,
        "counting": partial(counted, *counts),
        "samples": sampled,
    }
    if n <= SCIPY_LARGEST:
        calls["scipy *"] = partial(by_scipy, *counts)
    times = in_turn(calls, rounds, process_time)
    cells: dict[str, Cell] = {"exact / samples": ratio(times, "exact", "samples")}
    if "scipy *" in times:
        times["scipy *"] = [x * N_RESAMPLES / SCIPY_RESAMPLES for x in times["scipy *"]]
        cells["scipy / samples"] = ratio(times, "scipy *", "samples")
    result = exact()
    p, (low, high) = result.pvalue, result.log_pvalue_interval
    error = math.sqrt(p * (1.0 - p) / N_RESAMPLES)
    return {
        **cells,
        **{name: median(times[name]) for name in calls},
        "": f"{n:,} sentences, effect {effect:g}",
        "memory": megabytes(exact),
        "p": format_pvalue(result.log_pvalue, 6),
        "width": f"{high - low:.0e}",
        "off": f"{abs(sampled().pvalue - p) / error:.1f}" if p > 1e-3 else None,
    }


def tags(rounds: int) -> Iterator[list[Cell]]:
    """Yield the rows on F1 of single tags, with the quickstart's data."""
    sentences = [json.loads(text) for text in DATA.read_text(encoding="utf-8").splitlines()]
    references = [sentence["references"] for sentence in sentences]
    for systems in PAIRS:
        one, two = ([sentence[system] for sentence in sentences] for system in systems)
        for tag in TAGS:
            call = partial(compare, one, two, references, "f1", pos_label=tag)
            time, result = median(in_turn({"": call}, rounds, process_time)[""]), call()
            scores = f"{result.score1:.4f}", f"{result.score2:.4f}"
            yield [f"{' vs '.join(systems)}, {tag}", *scores, f"{result.pvalue:.12g}", time]


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield both tables."""
    rounds, exponents = (1, (3, 4)) if quick else (ROUNDS, (3, 4, 5, 6, 7))
    columns = {"": ""} | dict.fromkeys(("exact", "counting", "samples", "scipy *"), "s")
    columns |= {"exact / samples": "x", "scipy / samples": "x", "memory": "MB"}
    columns |= dict.fromkeys(("p", "width", "off"), "")
    found = [examine(10**e, effect, rounds, seed) for effect in EFFECTS for e in exponents]
    yield Table("F1 of sentences", columns, [[*map(cells.get, columns)] for cells in found])
    columns = {"systems, tag": "", "F1": "", "and": "", "p": "", "time": "s"}
    yield Table("F1 of tags", columns, [*tags(rounds)])


if __name__ == "__main__":
    run(tables, __doc__)
