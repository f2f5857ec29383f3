"""The rows of the benchmarks about many systems, and about many tasks: boards and suites.

Each system predicts one of four labels for each example. The accuracies go from 0.6 to 0.85 and are
denser at the top. An example has a difficulty that all systems share, so they err together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import benchmark_peers as others
import numpy as np
from benchmark_rows import Call, Inputs, Peer, Row, by, ids
from benchmark_scores import NO_BITS, SAMPLED
from scipy import stats

LOWEST, HIGHEST = 0.6, 0.85  # accuracies
SHARED = 0.7  # the share of an example's difficulty that is the same for all systems
N_LABELS, LABEL = 4, 1
N_BY_BINOMTEST, N_BY_PERMUTATION = 100, 3  # pairs that are timed
Labels = np.ndarray
Test = Callable[[Labels, Labels, Labels], float]


class Systems(NamedTuple):
    """The predictions, or scores, of each system by its name, the best first; the right labels."""

    systems: dict[str, Any]
    references: Any = None


def predictions(n_systems: int, inputs: Inputs) -> Systems:
    """Draw predictions and the references."""
    n, rng = inputs.n, inputs.rng
    references = rng.integers(0, N_LABELS, n)
    difficulty = math.sqrt(SHARED) * rng.standard_normal(n)
    systems = {}
    for k, place in enumerate(np.linspace(0.0, 1.0, n_systems), 1):
        accuracy = HIGHEST - (HIGHEST - LOWEST) * place**1.5
        own = math.sqrt(1.0 - SHARED) * rng.standard_normal(n)
        is_right = difficulty + own < stats.norm.ppf(accuracy)
        others = (references + rng.integers(1, N_LABELS, n)) % N_LABELS
        systems[f"system {k}"] = np.where(is_right, references, others)
    return Systems(systems, references)


def of_one_label(n_systems: int, inputs: Inputs) -> Systems:
    """Draw whether it is the label or not."""
    systems, references = predictions(n_systems, inputs)
    is_label = {name: (x == LABEL).astype(np.int64) for name, x in systems.items()}
    return Systems(is_label, (references == LABEL).astype(np.int64))


def decimals(n_systems: int, digits: int, inputs: Inputs) -> Systems:
    """Draw scores of so many decimals, which rise where the label is right."""
    systems, references = predictions(n_systems, inputs)
    noise = inputs.rng.standard_normal
    scores = {name: 0.4 + 0.2 * (x == references) for name, x in systems.items()}
    return Systems(
        {
            name: np.round(np.clip(x + 0.15 * noise(x.size), 0.0, 1.0), digits)
            for name, x in scores.items()
        }
    )


def real(n_systems: int, inputs: Inputs) -> Systems:
    """Draw normal scores with a common part."""
    n, rng = inputs.n, inputs.rng
    common = rng.normal(size=n)
    names = [f"system {k}" for k in range(n_systems)]
    return Systems({x: common - 0.05 * k + rng.normal(size=n) for k, x in enumerate(names)})


def right(n_systems: int, inputs: Inputs) -> Systems:
    """Draw scores of 0 and 1."""
    systems, references = predictions(n_systems, inputs)
    return Systems({name: (x == references).astype(int) for name, x in systems.items()})


def spread(data: Systems, n: int) -> list[tuple[Labels, Labels, Labels]]:
    """Return the columns of at most n pairs of systems, spread evenly."""
    pairs = [*combinations(data.systems.values(), 2)]
    n = min(n, len(pairs))
    chosen = (pairs[(2 * k + 1) * len(pairs) // (2 * n)] for k in range(n))
    return [(*pair, data.references) for pair in chosen]


def over(test: Test, n: int, n_systems: int, **options: Any) -> Peer:
    """Return a test of n pairs, whose time is scaled to all, beside `compare` of these pairs."""

    def call(data: Systems) -> list[float]:
        return [test(*columns) for columns in spread(data, n)]

    def agrees(data: Systems, ours: Any, theirs: list[float]) -> bool:
        pairs = spread(data, n)
        pvalues = [by("compare", **options)(columns).pvalue for columns in pairs]
        n_samples = math.inf if test is others.mcnemar else others.BOARD_SWAPS
        errors = (8.0 * math.sqrt(p * (1 - p) / n_samples) + 4.0 / n_samples for p in pvalues)
        triples = zip(pvalues, theirs, errors, strict=True)
        return all(abs(p - q) <= error + 1e-12 for p, q, error in triples)

    n_pairs = math.comb(n_systems, 2)
    return Peer(call, agrees, n_pairs / min(n, n_pairs))


def printed(name: str, **options: Any) -> Call:
    """Return a call whose result is printed."""
    return lambda data: str(by(name, **options)(data))


def then(part: str, name: str, **options: Any) -> Call:
    """Return a call of whose result an attribute is taken, or a method called."""

    def call(data: Any) -> Any:
        found = getattr(by(name, **options)(data), part)
        return found() if callable(found) else found

    return call


def boards() -> Iterator[Row]:
    """Yield the rows of leaderboards with all pairs, as printed."""
    row = partial(Row, "Boards", n=10_000, quick=100)
    peers = {
        "binomtest *": over(others.mcnemar, N_BY_BINOMTEST, 50),
        "permutation_test *": over(others.accuracy_of_labels, N_BY_PERMUTATION, 50),
    }
    ours = printed("compare_many")
    make = partial(predictions, 50)
    yield row("accuracy of 50 systems, {n:,} examples", make, ours, peers=peers)
    ours = printed("compare_many", metric="f1", pos_label=LABEL)
    f1 = partial(others.f1_of_label, label=LABEL)
    one = {"metric": "f1", "pos_label": LABEL}
    peers = {"permutation_test *": over(f1, N_BY_PERMUTATION, 12, **one)}
    yield row("F1 of 12 systems, {n:,} examples", partial(predictions, 12), ours, peers=peers)
    ours = printed("compare_many", metric="matthews_correlation")
    yield row("MCC of 8 systems, {n:,} examples", partial(of_one_label, 8), ours)
    ours, label = printed("compare_many"), "two decimals of 20 systems, {n:,} examples"
    yield row(label, partial(decimals, 20, 2), ours)
    ours = printed("compare_many", metric="f1", average="macro", **SAMPLED)
    label = "macro-F1 of 5 systems, {n:,} examples, samples"
    yield row(label, partial(predictions, 5), ours, quick=500, **NO_BITS)


def intervals() -> Iterator[Row]:
    """Yield the rows of leaderboards with the interval of each difference."""
    row = partial(Row, "Intervals of boards", n=5_000, quick=200)
    of_baseline: dict[str, Any] = {"baseline": "system 0"}
    ours = printed("compare_many", **of_baseline)
    make, label = partial(real, 3), "real scores of 3 systems, a baseline, printed"
    yield row(label, make, ours)
    ours = printed("compare_many", **of_baseline, confidence_level=0.975)
    yield row("the same, both at once", make, ours)
    label = "two decimals of 3 systems, all pairs, to_dict"
    yield row(label, partial(decimals, 3, 2), then("to_dict", "compare_many"))
    label = "four decimals of 3 systems, all pairs, the table"
    yield row(label, partial(decimals, 3, 4), then("table", "compare_many"))
    ours = then("to_markdown", "compare_many", confidence_level=1.0 - 0.05 / 28)
    yield row("0 and 1 of 8 systems, all at once, to_markdown", partial(right, 8), ours)


def tasks(inputs: Inputs) -> list[Any]:
    """Draw 57 tasks with so many labels each."""
    return [{f"task {k}": tuple(ids(4, inputs)) for k in range(57)}]


def suites() -> Iterator[Row]:
    """Yield the rows of `compare_suite`."""
    row = partial(Row, "Suites", quick=40)
    label = "accuracy of 57 tasks of {n:,}, printed"
    yield row(label, tasks, printed("compare_suite"), n=250)
    yield row("the same, as a dict", tasks, then("to_dict", "compare_suite"), n=250)
    ours = printed("compare_suite", metric="f1", average="micro")
    yield row("micro-F1 of 57 tasks of {n:,}", tasks, ours, n=250, quick=None)
    label = "accuracy of 57 tasks of {n:,}, weights by size"
    yield row(label, tasks, printed("compare_suite", weights="size"), n=2_500)
