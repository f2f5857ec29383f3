"""Calls with groups, of many systems, of several runs, and of suites."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import scores
from answers.package import (
    compare,
    compare_many,
    compare_suite,
    paired_bootstrap_test,
    paired_permutation_test,
)

RNG = np.random.default_rng(24)
REFERENCES = RNG.integers(0, 3, 60).tolist()
SYSTEMS = {
    f"system {k}": np.where(RNG.random(60) < 0.4 + 0.12 * k, REFERENCES, 0).tolist()
    for k in range(5)
}
ONE, TWO = SYSTEMS["system 4"], SYSTEMS["system 2"]
GROUPS = [f"document {k}" for k in RNG.integers(0, 12, 60)]
RUNS = [[ONE[k : k + 3], TWO[k : k + 3], REFERENCES[k]] for k in range(0, 45, 3)]
TASKS = {
    name: (ONE[some], TWO[some], REFERENCES[some])
    for name, some in (("a", slice(0, 10)), ("b", slice(10, 23)), ("c", slice(23, 60)))
}
IDS = {"a": GROUPS[:10], "c": GROUPS[23:]}

GROUPED = [
    ("accuracy", {}),
    ("f1", {"pos_label": 1}),
    ("f1", {"average": "macro", "method": "monte_carlo", "rng": 1}),
    ("recall", {"average": "macro"}),
    ("cohen_kappa", {"method": "monte_carlo", "rng": 1}),
    ("accuracy", {"test": "bootstrap"}),
    ("f1", {"pos_label": 1, "test": "bootstrap", "rng": 1}),
]
MANY = {
    "accuracy": {},
    "by": {"correction": "by", "alpha": 0.2},
    "f1 in groups": {"metric": "f1", "pos_label": 1, "groups": GROUPS},
    "against a baseline": {"baseline": "system 2", "alternative": "greater"},
}
SUITES = {
    "equal": {},
    "size": {"weights": "size", "correction": "discrete"},
    "weights": {"weights": {"a": 1, "b": 0.5, "c": 2}, "alternative": "greater"},
    "shared groups": {"groups": IDS, "correction": "bonferroni"},
    "f1": {"metric": "f1", "pos_label": 1, "method": "monte_carlo", "rng": 2},
}

CALLS = [
    Call(
        f"groups, {metric} {number}",
        partial(compare, ONE, TWO, REFERENCES, metric, groups=GROUPS, **options),
    )
    for number, (metric, options) in enumerate(GROUPED)
]
CALLS += [
    Call("groups of scores", partial(paired_permutation_test, *scores(60, 9), groups=GROUPS)),
    Call("groups of scores, drawn", partial(paired_bootstrap_test, *scores(60, 9), groups=GROUPS)),
    Call("runs of items", partial(compare, *map(list, zip(*RUNS, strict=True)))),
]
CALLS += [
    Call(f"many systems, {what}", partial(compare_many, SYSTEMS, REFERENCES, **options))
    for what, options in MANY.items()
]
CALLS += [
    Call(f"suite, {what}", partial(compare_suite, TASKS, **options))
    for what, options in SUITES.items()
]
