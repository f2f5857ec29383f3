"""Time tests of means of scores of many digits, or of real ones: proven beside sampled.

    python examples/real_scores_benchmark.py [--quick] [--seed SEED] [--json FILE]

The scores are normal, and system 1 is better by so much that p is about 0.05. Scores of 6 to 16
decimals are tested by default, with `method="exact"` unless that is refused, and by 20,000 samples.
Real scores have no common unit; they are enumerated or bracketed.

The methods take turns in one thread. Times are the processor's, medians over the rounds; the ratio
is the median of the rounds' ratios of the first time to that of the samples. The width of p's
interval is relative to p. "memory" is what the first method allocates.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import NamedTuple

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import numpy as np
from timing import Cell, Table, in_turn, megabytes, ratio, run

from pairedperm import BudgetError, InputError, paired_permutation_test
from pairedperm.options import Method
from pairedperm.results.sentence import format_pvalue

SAMPLES, ROUNDS, Z = 20_000, 5, 2.0


class Case(NamedTuple):
    """A number of scores, their decimals, if they have a last one, and the method that is timed."""

    n: int
    decimals: int | None = None
    method: Method = "auto"

    def __str__(self) -> str:
        if self.decimals is None:
            return f"{self.method} of {self.n:,}"
        return f"{self.n:,} of {self.decimals} decimals"


DECIMALS = [Case(n, digits) for digits in (6, 8, 10, 16) for n in (100, 200, 400, 800)]
REAL = [
    *(Case(n, method="enumeration") for n in (20, 40, 44)),
    *(Case(n, method="bracket") for n in (100, 10_000, 1_000_000)),
]
QUICK = {100, 800, 20, 10_000}  # numbers of scores


def scores(n: int, decimals: int | None, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw two systems' scores; the mean difference is Z of its standard deviations."""
    scores1, scores2 = np.random.default_rng([seed, n]).normal(size=(2, n))
    differences = scores1 - scores2
    scores1 += Z * math.sqrt((differences**2).sum()) / n - differences.mean()
    if decimals is None:
        return scores1, scores2
    return np.round(scores1, decimals), np.round(scores2, decimals)


def examine(case: Case, rounds: int, seed: int) -> dict[str, Cell]:
    """Return the cells of a row by column."""
    columns = scores(case.n, case.decimals, seed)
    ours = partial(paired_permutation_test, *columns, method=case.method)
    sampled = partial(
        paired_permutation_test, *columns, method="monte_carlo", n_resamples=SAMPLES, rng=seed
    )
    calls: dict[str, Callable[[], object]] = {"time": ours, "samples": sampled}
    if case.decimals is not None:
        exact = partial(paired_permutation_test, *columns, method="exact")
        try:
            exact()
        except (BudgetError, InputError):
            pass
        else:
            calls["exact"] = exact
    times, result = in_turn(calls, rounds, process_time), ours()
    low, high = result.pvalue_interval
    return {
        **{name: median(times[name]) for name in calls},
        "": str(case),
        "time / samples": ratio(times, "time", "samples"),
        "memory": megabytes(ours),
        "p": format_pvalue(result.log_pvalue, 4),
        "width": f"{(high - low) / high:.0e}",
    }


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield both tables."""
    columns = {"": "", "time": "s", "samples": "s", "time / samples": "x"}
    others = {"memory": "MB", "p": "", "width": ""}
    for name, cases, more in (("decimals", DECIMALS, {"exact": "s"}), ("real scores", REAL, {})):
        chosen = [x for x in cases if not quick or (x.n in QUICK and x.decimals in (8, None))]
        found = [examine(case, 1 if quick else ROUNDS, seed) for case in chosen]
        names = columns | more | others
        yield Table(name, names, [[*map(cells.get, names)] for cells in found])


if __name__ == "__main__":
    run(tables, __doc__)
