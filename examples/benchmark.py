"""Time the exact test and its alternatives, and show how exact each of them is.

    python examples/benchmark.py [--quick] [--seed SEED] [--json FILE]

All methods get the same int64 scores, are two-sided, count ties and run on one thread.

pairedperm  `pairedperm.paired_permutation_test(scores1, scores2)`, the whole call
bincount    `np.bincount(np.abs(scores1 - scores2))`: only reading and counting the differences
Alg. 4      Algorithm 4 of Zmigrod, Vieira & Cotterell (NAACL 2022) as printed: the mass functions
            of the N examples, convolved by recursive halving with `scipy.signal.fftconvolve`
batched     a fair version of Alg. 4: all pairs of a level in one real FFT of a fast length
counted     the best version of that idea: one binomial law per distinct difference, on half the
            lattice; the two shortest laws are convolved first
samples     their Algorithm 1, 20,000 samples: one random bit per differing example, vectorised
each        pairedperm, but it looks at each frequency, without skipping intervals of them
wilcoxon    `scipy.stats.wilcoxon(method="exact")`, for signed ranks

The methods take turns. A time is the processor's, a median over the rounds; a ratio is the median
of the rounds' ratios to pairedperm. A method has no time if it would need more than about 20 s, or
does not fit the case. "memory" is what pairedperm allocates beside the scores. "width" is that of
the certified interval, relative to p; beside it are the relative errors of the other methods' p.

Inputs: the paper's generator (its Table 1; `synthetic.py`), with an ordinary and a large effect.
Then differences on fine lattices (`fine_lattices.py`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any, NamedTuple
from unittest import mock

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import fine_lattices
import numpy as np
from numpy.random import Generator
from peers import algorithm4, batched, counted_fft, monte_carlo, wilcoxon
from synthetic import ORDINARY, correct_tokens
from timing import Cell, Table, in_turn, megabytes, ratio, run

from pairedperm import PairedPermutationResult, paired_permutation_test
from pairedperm.convolution.line import intervals
from pairedperm.results.sentence import format_pvalue

LARGE, ROUNDS = 3.0, 7  # effect: p is about 1e-30
OURS, COUNTING = "pairedperm", "bincount"


class Case(NamedTuple):
    """Two systems' scores in integers, and the arguments of our call if they differ."""

    scores1: np.ndarray
    scores2: np.ndarray
    given: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def differences(self) -> np.ndarray:
        """What the other methods get."""
        return self.scores1 - self.scores2


Draw = tuple[str, Callable[[Generator], Case], bool]  # label, how to draw, whether --quick does
Method = tuple[Callable[[Case], Any], Callable[[Case], bool]]  # which returns p, where it fits


def sentences(effect: float, *exponents: int) -> Iterator[Draw]:
    """Yield corpora of 10^e sentences."""
    for e in exponents:
        label = f"{10**e:,} sentences" + (", large effect" if effect == LARGE else "")
        yield label, partial(tokens, 10**e, effect), e <= 4


def tokens(n: int, effect: float, rng: Generator) -> Case:
    """Draw numbers of correct tokens."""
    return Case(*correct_tokens(n, effect, rng))


def fine(draw: fine_lattices.Draw, rng: Generator) -> Case:
    """Draw scores on a fine lattice; our call gets decimals as floats."""
    one, two, digits = draw(rng)
    return Case(one, two, (one / 10**digits, two / 10**digits) if digits else None)


def ours(case: Case, **options: Any) -> PairedPermutationResult:
    """Run the test: p = P(|S| ≥ |t|) for S = Σ ±d with fair signs, t = Σ d."""
    scores = case.given or (case.scores1, case.scores2)
    return paired_permutation_test(*scores, **options)


def each_frequency(case: Case) -> float:
    """Return the exact p without skipping intervals of frequencies."""
    with mock.patch.object(intervals, "LONG_TRANSFORM", math.inf):
        return ours(case, method="exact").pvalue


def of_differences(pvalue: Callable[[np.ndarray], Any]) -> Callable[[Case], Any]:
    """Give another method the same scores as our call."""
    return lambda case: pvalue(case.differences)


def fits(
    n: float = math.inf, total: float = math.inf, whole: float = math.inf
) -> Callable[[Case], bool]:
    """Return a check that N, Σ |d| and N max |d| are at most these: about 20 s."""

    def of(case: Case) -> bool:
        sizes = np.abs(case.differences)
        return sizes.size <= n and sizes.sum() <= total and sizes.size * sizes.max() <= whole

    return of


def is_short(case: Case) -> bool:
    """Check that the transform has at most 2^25 points: each frequency is looked at."""
    return 9.2 * math.sqrt((case.differences.astype(np.float64) ** 2).sum()) <= 2**25


def is_ranks(case: Case) -> bool:
    """Check that the differences are signed ranks, up to 2,000."""
    sizes = np.abs(case.differences)
    return sizes.size <= 2_000 and np.array_equal(sizes, np.arange(1, sizes.size + 1))


SAMPLES: Method = of_differences(monte_carlo), fits(n=10**6)
SUITES: dict[str, tuple[list[Draw], dict[str, Method]]] = {
    "sentences": (
        [*sentences(ORDINARY, 3, 4, 5, 6, 7), *sentences(LARGE, 3, 4, 5)],
        {
            OURS: (ours, fits()),
            COUNTING: (of_differences(lambda x: np.bincount(np.abs(x))), fits()),
            "Alg. 4": (of_differences(algorithm4), fits(n=10**5, total=5e6)),
            "batched": (of_differences(batched), fits(n=10**6, whole=5e7)),
            "counted": (of_differences(counted_fft), fits(total=2e7)),
            "samples": SAMPLES,
        },
    ),
    "scores": (
        [(x, partial(fine, draw), quick) for x, (draw, quick) in fine_lattices.CASES.items()],
        {
            OURS: (ours, fits()),
            "samples": SAMPLES,
            "each": (each_frequency, is_short),
            "wilcoxon": (of_differences(wilcoxon), is_ranks),
        },
    ),
}


def measured(case: Case, methods: dict[str, Method], rounds: int) -> list[dict[str, Cell]]:
    """Return the cells of a case in the three tables by column, where a method fits it."""
    found: dict[str, Any] = {}

    def run_one(name: str) -> None:
        found[name] = methods[name][0](case)

    calls = {name: partial(run_one, name) for name, (_, is_fit) in methods.items() if is_fit(case)}
    times = in_turn(calls, rounds, process_time)
    result = found[OURS]
    low, high = result.log_pvalue_interval
    medians: dict[str, Cell] = {name: median(times[name]) for name in calls}
    ratios: dict[str, Cell] = {name: ratio(times, name, OURS) for name in calls}
    pvalues: dict[str, Cell] = {
        name: f"{abs(found[name] / result.pvalue - 1.0):.0e}"
        for name in calls.keys() - {OURS, COUNTING}
    }
    pvalues |= {"p": format_pvalue(result.log_pvalue, 4), "width": f"{high - low:.0e}"}
    return [medians | {"memory": megabytes(partial(ours, case))}, ratios, pvalues]


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield three tables of each suite."""
    for suite, (cases, methods) in SUITES.items():
        found = []
        for k, (label, draw, is_quick) in enumerate(cases):
            if is_quick or not quick:
                case = draw(np.random.default_rng([seed, k]))
                found.append((label, measured(case, methods, 1 if quick else ROUNDS)))
        others = [name for name in methods if name != OURS]
        names = {
            "times": dict.fromkeys(methods, "s") | {"memory": "MB"},
            "ratios to pairedperm": dict.fromkeys(others, "x"),
            "p": dict.fromkeys(["p", "width", *(x for x in others if x != COUNTING)], ""),
        }
        for k, (name, columns) in enumerate(names.items()):
            rows = [[label, *map(cells[k].get, columns)] for label, cells in found]
            yield Table(f"{suite}: {name}", {"": ""} | columns, rows)


if __name__ == "__main__":
    run(tables, __doc__)
