"""How often suites of tasks say something wrong: the table of `calibration.py --suites`.

A suite has 20 tasks of 20 to 200 examples, 10 % of which differ. The systems are as good on all
tasks, or on half of them. On the others system 1 wins 85 % of the examples that differ, or loses
as many. A finding is a task with an adjusted p of at most 0.05.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm import SuiteResult, compare_suite, gate_suite
from pairedperm.results.correction import adjusted

ALPHA = 0.05
N_TASKS, SIZES, DIFFERING, WON = 20, (20, 200), 0.1, 0.85
KINDS = {"alike": (0.5,) * N_TASKS, "half": (0.5,) * 10 + (WON,) * 5 + (1.0 - WON,) * 5}
CORRECTIONS = ("Holm, of a suite", "Holm, of all tasks", "not adjusted")


class Seen(NamedTuple):
    """What one suite says, task by task, and whether it claims too much."""

    found: NDArray[np.bool_]  # shape (3, 20): by each correction
    losses: NDArray[np.bool_]  # shape (20,): tasks on which the gate says that system 1 is worse
    fails: bool


def lines(n_suites: int, seed: int) -> Iterator[str]:
    """Yield the table of Markdown."""
    yield (
        "| | any false finding, systems alike | the same, half of the tasks differ | "
        "true findings a suite |"
    )
    yield "|:--|--:|--:|--:|"
    alike, half = (
        drawn(chances, n_suites, np.random.default_rng([seed, number]))
        for number, chances in enumerate(KINDS.values())
    )
    of_half = np.array(KINDS["half"])
    is_null, is_worse = of_half == 0.5, of_half < 0.5
    found_alike, found_half = (np.array([x.found for x in some]) for some in (alike, half))
    for k, name in enumerate(CORRECTIONS):
        true = found_half[:, k][:, ~is_null].sum(axis=1).mean()
        wrong = [found_alike[:, k].any(axis=1), found_half[:, k][:, is_null].any(axis=1)]
        yield row(name, wrong, f"{true:.2f} of 10")
    losses_alike, losses_half = (np.array([x.losses for x in some]) for some in (alike, half))
    true = losses_half[:, is_worse].sum(axis=1).mean()
    wrong = [losses_alike.any(axis=1), losses_half[:, ~is_worse].any(axis=1)]
    yield row("tasks that the gate calls worse", wrong, f"{true:.2f} of 5")
    yield row("the gate fails", [np.array([x.fails for x in alike])], "")


def row(name: str, wrong: Sequence[Any], true: str) -> str:
    """Return a row of the table: rates in percent of systems alike and not, and what is true."""
    one, two = [f"{np.mean(x):.2%}" for x in wrong] + [""] * (2 - len(wrong))
    return f"| {name} | {one} | {two} | {true} |"


def drawn(chances: Sequence[float], n_suites: int, rng: np.random.Generator) -> list[Seen]:
    """Draw suites, and return what each says."""
    return [seen(compare_suite(tasks(chances, rng))) for _ in range(n_suites)]


def tasks(
    chances: Sequence[float], rng: np.random.Generator
) -> Mapping[str, tuple[NDArray[np.int64], ...]]:
    """Draw right and wrong answers of two systems; a differing one is a win with the chance."""
    found = {}
    for k, chance in enumerate(chances):
        n = int(np.exp(rng.uniform(*np.log(SIZES))))
        n_differing = rng.binomial(n, DIFFERING)
        n_wins = rng.binomial(n_differing, chance)
        one, two, right = np.ones((3, n), dtype=np.int64)
        one[n_wins:n_differing] = 0
        two[:n_wins] = 0
        found[f"task {k}"] = one, two, right
    return found


def seen(suite: SuiteResult) -> Seen:
    """Return what a suite says."""
    pvalues = [x.pvalue for x in suite.results.values()]
    by_all = [*suite.p_adjusted.values()], adjusted(pvalues, "holm"), pvalues
    gate = gate_suite(suite, alpha=ALPHA)
    losses = np.array([*gate.p_worse.values()]) <= ALPHA
    return Seen(np.array(by_all) <= ALPHA, losses, not gate.passed)
