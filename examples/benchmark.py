"""Time the exact test and its alternatives, and show how exact each of them is.

    python examples/benchmark.py [--quick] [--markdown FILE] [--seed SEED]

All methods get the same int64 scores, are two-sided, count ties and run on one thread.

ours      `pairedperm.paired_permutation_test(scores1, scores2)`, the whole call
bincount  `np.bincount(np.abs(scores1 - scores2))`: only reading and counting the differences
Alg. 4    Algorithm 4 of Zmigrod, Vieira & Cotterell (NAACL 2022) as printed: the mass functions of
          the N examples, convolved by recursive halving with `scipy.signal.fftconvolve`
batched   a fair version of Alg. 4: all pairs of a level in one real FFT of a fast length
counted   the best version of that idea: one binomial law per distinct difference, on half the
          lattice; the two shortest laws are convolved first
MC        their Algorithm 1, 20,000 samples: one random bit per differing example, vectorised
each      ours, but it looks at each frequency, without skipping intervals of them
wilcoxon  `scipy.stats.wilcoxon(method="exact")`, for signed ranks

The methods take turns, round by round, until each has used its seconds. A time is a median over
the rounds; a ratio is the median of the rounds' ratios. Calls below 5 ms are timed several in a
row. A dash marks a method that would need more than about 20 s, or that does not fit the case.

Inputs: the paper's generator (its Table 1). The mean accuracy of system 2 is lowered by the share
effect / √N, so that p has the same order for every N: ordinary, or tiny for a large effect. Then
differences on fine lattices (`fine_lattices.py`).
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import time
import timeit
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import tee
from statistics import median
from typing import Any, NamedTuple
from unittest import mock

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import fine_lattices
import numpy as np
import scipy
from numpy.random import Generator
from peers import algorithm4, batched, counted_fft, monte_carlo, wilcoxon
from timing import seconds, significant

import pairedperm
from pairedperm.convolution.line import intervals

ACCURACY, LENGTH = (0.9543, 0.1116), (12.08, 10.60)  # mean, standard deviation: Table 1
ORDINARY, LARGE = 0.5, 3.0  # effects: p about 0.05, and 1e-30
MAX_ROUNDS = 30


Fits = Callable[["Case"], bool]


class Case(NamedTuple):
    """Two systems' scores in integers, and the arguments of our call if they differ."""

    label: str
    scores1: np.ndarray
    scores2: np.ndarray
    given: tuple[np.ndarray, np.ndarray] | None = None


def sentences(n: int, effect: float, rng: Generator) -> Case:
    """Draw ⌊accuracy · length⌋ correct tokens of each sentence by the paper's generator."""
    lengths = np.ceil(truncated_normal(rng, *LENGTH, math.inf, n))
    mean, sd = ACCURACY
    scores = [
        np.floor(truncated_normal(rng, share * mean, sd, 1.0, n) * lengths).astype(np.int64)
        for share in (1.0, 1.0 - effect / math.sqrt(n))
    ]
    return Case(f"N = {n:,}" + (", large effect" if effect == LARGE else ""), *scores)


def truncated_normal(rng: Generator, mean: float, sd: float, high: float, n: int) -> np.ndarray:
    """Draw normal variables in (0, high]; values outside are drawn again."""
    values = rng.normal(mean, sd, n)
    while (outside := np.flatnonzero((values <= 0.0) | (values > high))).size:
        values[outside] = rng.normal(mean, sd, outside.size)
    return values


def fine(label: str, rng: Generator) -> Case:
    """Draw scores on a fine lattice; our call gets decimals as floats."""
    draw, _ = fine_lattices.CASES[label]
    one, two, digits = draw(rng)
    return Case(label, one, two, (one / 10**digits, two / 10**digits) if digits else None)


CASES = (  # how to draw a case, and whether --quick runs it
    *((partial(sentences, 10**e, ORDINARY), e <= 5) for e in (3, 4, 5, 6, 7)),
    *((partial(sentences, 10**e, LARGE), e <= 4) for e in (3, 4, 5)),
)
FINE = [(partial(fine, label), is_quick) for label, (_, is_quick) in fine_lattices.CASES.items()]


def ours(case: Case) -> pairedperm.PairedPermutationResult:
    """Run the exact test: p = P(|S| ≥ |t|) for S = Σ ±d with fair signs, t = Σ d."""
    return pairedperm.paired_permutation_test(*(case.given or (case.scores1, case.scores2)))


def each_frequency(case: Case) -> float:
    """Run the exact test without skipping intervals of frequencies."""
    with mock.patch.object(intervals, "LONG_TRANSFORM", math.inf):
        return ours(case).pvalue


def of_differences(pvalue: Callable[[np.ndarray], float]) -> Callable[[Case], float]:
    """Give a peer the same scores as our call."""
    return lambda case: pvalue(case.scores1 - case.scores2)


def fits(n: float = math.inf, total: float = math.inf, whole: float = math.inf) -> Fits:
    """Return a check that N, Σ |d| and N max |d| are at most these: about 20 s."""

    def of(case: Case) -> bool:
        sizes = np.abs(case.scores1 - case.scores2)
        return sizes.size <= n and sizes.sum() <= total and sizes.size * sizes.max() <= whole

    return of


def is_short(case: Case) -> bool:
    """Check that the transform has at most 2^25 points: each frequency is looked at."""
    differences = (case.scores1 - case.scores2).astype(np.float64)
    return 9.2 * math.sqrt((differences**2).sum()) <= 2**25


def is_ranks(case: Case) -> bool:
    """Check that the differences are signed ranks, up to 2,000."""
    sizes = np.abs(case.scores1 - case.scores2)
    return sizes.size <= 2_000 and np.array_equal(sizes, np.arange(1, sizes.size + 1))


MC = (of_differences(monte_carlo), fits(n=10**6))
FFTS = ("Alg. 4", "batched", "counted")
CASE = "case".ljust(27)
WIDTHS = "Certified p and relative width of its interval, {}p by MC"


class Suite(NamedTuple):
    """Cases, the methods to time on them, the times to compare, and the tables."""

    cases: Sequence[tuple[Callable[[Generator], Case], bool]]
    methods: dict[str, tuple[Callable[[Case], Any], Fits]]
    ratios: Sequence[tuple[str, str]]
    errors: Sequence[str] = ()

    def tables(self) -> dict[str, list[str]]:
        """The titles and columns of the tables."""
        errors = [f"error, {name}" for name in self.errors]
        title = WIDTHS.format("relative errors of the FFTs, " if errors else "")
        return {
            "Time of a call, and what ours allocates beside the scores": (
                [CASE, *self.methods, "memory"]
            ),
            "Ratios of times": [CASE, *(f"{a} / {b}" for a, b in self.ratios)],
            title: [CASE, "p", "width", *errors, "p by MC"],
        }


OURS = (lambda case: ours(case).pvalue, fits())
COUNTS = Suite(
    CASES,
    {
        "ours": OURS,
        "bincount": (lambda case: np.bincount(np.abs(case.scores1 - case.scores2)), fits()),
        "Alg. 4": (of_differences(algorithm4), fits(n=10**5, total=5e6)),
        "batched": (of_differences(batched), fits(n=10**6, whole=5e7)),
        "counted": (of_differences(counted_fft), fits(total=2e7)),
        "MC": MC,
    },
    [("ours", "bincount"), *((name, "ours") for name in (*FFTS, "MC"))],
    FFTS,
)
LATTICES = Suite(
    FINE,
    {
        "ours": OURS,
        "MC": MC,
        "each": (each_frequency, is_short),
        "wilcoxon": (of_differences(wilcoxon), is_ranks),
    },
    [(name, "ours") for name in ("MC", "each", "wilcoxon")],
)


def measure(
    suite: Suite, case: Case, budget: float
) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """Return p-values and seconds per call in each round, for methods that can run the case."""
    pvalues, n_calls, times = {}, {}, {}
    for name, (pvalue, is_for) in suite.methods.items():
        if is_for(case):
            start = time.perf_counter()
            pvalues[name] = pvalue(case)
            elapsed = time.perf_counter() - start
            n_calls[name] = min(math.ceil(5e-3 / elapsed), 100)
            times[name] = [elapsed] if elapsed > budget else []  # else a warm-up
    for _ in range(MAX_ROUNDS):
        for name, rounds in times.items():
            calls = n_calls[name]
            if calls * sum(rounds) <= budget:
                rounds.append(
                    timeit.timeit(partial(suite.methods[name][0], case), number=calls) / calls
                )
    return pvalues, times


def examine(suite: Suite, case: Case, budget: float) -> dict[str, str]:
    """Return the entries of a case by column, without methods that cannot run it."""
    pvalues, times = measure(suite, case, budget)
    found = {name: seconds(median(rounds)) for name, rounds in times.items()}
    found[CASE] = case.label.ljust(len(CASE))
    for a, b in suite.ratios:
        if a in times:
            ratios = (x / y for x, y in zip(times[a], times[b], strict=False))
            found[f"{a} / {b}"] = significant(median(ratios))
    tracemalloc.start()
    result = ours(case)
    found["memory"] = f"{significant(tracemalloc.get_traced_memory()[1] / 1e6)} MB"
    tracemalloc.stop()
    found["p"], (low, high) = f"{result.pvalue:.4g}", result.pvalue_interval
    if result.pvalue < 1e-300:
        found["p"] = f"e^{result.log_pvalue:.6g}"
        low, high = np.exp(np.subtract(result.log_pvalue_interval, result.log_pvalue))
    found["width"] = f"{(high - low) / low:.1g}"
    for name in pvalues.keys() & set(FFTS):
        found[f"error, {name}"] = f"{abs(pvalues[name] / result.pvalue - 1.0):.1g}"
    if "MC" in pvalues:
        found["p by MC"] = f"{pvalues['MC']:.5f}"
    return found


def line(texts: dict[str, str], columns: list[str], fill: str = " ") -> str:
    """Return a row of a Markdown table that is aligned in plain text, too."""
    cells = (texts.get(name, "\N{EN DASH}").rjust(max(len(name), 9), fill) for name in columns)
    return f"| {' | '.join(cells)} |"


def report(seed: int, quick: bool) -> Iterator[str]:
    """Yield the lines of the report, those of the first table as soon as each case is done."""
    yield (
        f"pairedperm {pairedperm.__version__}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"Python {platform.python_version()}, {os.cpu_count()} CPUs; seed {seed}"
    )
    pairedperm.paired_permutation_test([1, 0], [0, 0])  # the first call imports
    for suite in (COUNTS, LATTICES):
        chosen = [
            (draw, k) for k, (draw, is_quick) in enumerate(suite.cases) if is_quick or not quick
        ]
        cases = (draw(np.random.default_rng([seed, k])) for draw, k in chosen)
        found = (examine(suite, case, budget=0.1 if quick else 3.0) for case in cases)
        tables = suite.tables()
        for (title, columns), rows in zip(tables.items(), tee(found, len(tables)), strict=True):
            names = dict(zip(columns, columns, strict=True))
            yield from ("", f"**{title}**", "", line(names, columns))
            yield line({name: "--" if name == CASE else "-:" for name in columns}, columns, "-")
            yield from (line(texts, columns) for texts in rows)


def main() -> None:
    """Print the report, and write it to the file that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="N up to 10^5, few rounds: seconds")
    parser.add_argument("--markdown", metavar="FILE", default=os.devnull, help="write it there too")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    options = parser.parse_args()
    with open(options.markdown, "w", encoding="utf-8") as copy:
        for text in report(options.seed, options.quick):
            print(text, flush=True)
            print(text, file=copy)


if __name__ == "__main__":
    main()
