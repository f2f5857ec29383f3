"""Results of every kind, by what is particular about each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import pairedperm as p
from corpora.pilots import PILOT, f1_pilot, labels, real_pilot
from pairedperm.readers.comparisons import Comparisons, Logged
from pairedperm.results.correction import with_adjusted

A, B, RIGHT = [1, 1, 1, 1, 1, 1, 0, 1], [0, 1, 0, 0, 0, 0, 1, 0], [1] * 8
WINS = [1] * 5, [0] * 5, [1] * 5
BOARD: dict[str, list[int]] = {"org/large_v2": A, "<b>|&": B, "日本語": [0] * 8}
GRADED = np.random.default_rng(1).integers(0, 101, (2, 40)) / 100
compare: Any = p.compare  # with options that a type cannot tell
SUITE = {"arc_c|": (A, B, RIGHT), "日本": (B, A, RIGHT)}


def of_three(metric: str, **options: Any) -> Any:
    """200 labels of three classes."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 200)
    one, two = (np.where(rng.random(200) < x, gold, rng.integers(0, 3, 200)) for x in (0.8, 0.6))
    return compare(one, two, gold, metric, **options)


def sequential() -> Any:
    test = p.SequentialTest()
    test.update(A, B)
    return test


def comparisons() -> Any:
    results = [(Logged(task, "acc_norm"), p.compare(A, B, RIGHT)) for task in ("arc", "mmlu")]
    return Comparisons(with_adjusted(results, "holm"), "holm", 0.05, "large", "a_b | c")


_TESTS: dict[str, Callable[[], Any]] = {
    "exact": lambda: p.compare(A, B, RIGHT),
    "too few": lambda: p.compare(*WINS),
    "no difference": lambda: p.compare(A, A, RIGHT),
    "groups": lambda: p.compare(*WINS, groups=[*"aabbc"]),
    "greater": lambda: p.compare(A, B, RIGHT, alternative="greater"),
    "less": lambda: p.compare(A, B, RIGHT, alternative="less"),
    "sampled": lambda: p.compare(*labels(40, 20, 100), method="monte_carlo", n_resamples=99, rng=0),
    "bracket": lambda: p.paired_permutation_test(*np.random.default_rng(0).random((2, 60))),
    "macro F1": lambda: of_three("f1", average="macro"),
    "F1 of a label": lambda: of_three("f1", pos_label=2),
    "kappa": lambda: of_three("cohen_kappa"),
    "a loss": lambda: of_three("hamming_loss"),
    "graded": lambda: compare(*GRADED, None, "mean_score", score_range=(0, 1)),
    "no range": lambda: compare(*GRADED, None, "mean_score"),
    "zeros and ones": lambda: p.paired_permutation_test(A, B),
    "a constant": lambda: p.paired_permutation_test([1] * 20, [0.95] * 20),
    "no shares": lambda: p.paired_permutation_test([0.5, 1.5, 2.5], [5, 6, 7.25]),
    "no scores": lambda: p.structured_permutation_test([[1]], [[2]], lambda sums: sums[..., 0]),
    "a ratio": lambda: p.paired_permutation_test(
        [[1, 2], [3, 4], [2, 2]], [[0, 2], [1, 4], [1, 2]], score=p.Ratio([1, 0], [0, 1])
    ),
    "bootstrap": lambda: p.compare(A, B, RIGHT, test="bootstrap"),
    "bootstrap by samples": lambda: of_three("f1", average="macro", test="bootstrap", rng=0),
}
_DECISIONS: dict[str, Callable[[], Any]] = {
    "equivalence": lambda: p.equivalence_test(A, B, RIGHT, margin=0.1),
    "equivalent": lambda: p.equivalence_test(*labels(20, 20, 1000), margin=0.05),
    "noninferior": lambda: p.equivalence_test(*labels(60, 40, 1000), margin=0.02),
    "gate": lambda: p.gate(p.compare(*labels(2, 8, 100))),
    "gate that fails": lambda: p.gate(p.compare(*labels(2, 18, 100))),
    "gate that asks for better": lambda: p.gate(p.compare(*labels(18, 2, 100)), require="better"),
    "gate with a margin": lambda: p.gate(p.compare(*labels(40, 45, 1000)), margin=0.015),
    "gate of too few": lambda: p.gate(p.compare(*WINS), margin=0.1),
    "gate of a suite": lambda: p.gate_suite(p.compare_suite(SUITE)),
    "sequential": sequential,
}
_SEVERAL: dict[str, Callable[[], Any]] = {
    "board": lambda: p.compare_many(BOARD, RIGHT),
    "baseline": lambda: p.compare_many(BOARD, RIGHT, baseline="<b>|&"),
    "suite": lambda: p.compare_suite(SUITE),
    "suites": lambda: p.compare_suites(
        {"t": ({"one": A, "two": B}, RIGHT), "u": ({"one": B, "two": A}, RIGHT)}
    ),
    "comparisons": comparisons,
}
_PLANS: dict[str, Callable[[], Any]] = {
    "power": lambda: p.power((0.06, 0.03), 1000),
    "power of a margin": lambda: p.power((0.1, 0.1), 30, margin=0.1),
    "hardly any power": lambda: p.power((0.01, 0.0), 20),
    "power of groups": lambda: p.power(
        p.compare(*labels(20, 8, 100), groups=np.arange(100) // 7), 30
    ),
    "normal approximation": lambda: replace(
        p.power(PILOT, 300), method="normal approximation", approximation_error=0.01
    ),
    "always significant": lambda: p.power(f1_pilot(), 2_000),
    "one example decides": lambda: p.power(
        p.paired_permutation_test([1.0] * 9 + [90.5], [0.0] * 10), 20
    ),
    "examples": lambda: p.examples_needed((0.06, 0.03)),
    "examples for a margin": lambda: p.examples_needed((0.05, 0.05), margin=0.02),
    "examples by a pilot": lambda: p.examples_needed(PILOT),
    "an unclear pilot": lambda: p.examples_needed(p.compare(*labels(4, 1, 15))),
    "all are wins": lambda: p.examples_needed(p.PairedCounts([1], [0], [20])),
    "too many examples": lambda: p.examples_needed((0.1, 0.0999)),
    "detectable": lambda: p.minimum_detectable_difference((0.03, 0.06), 1000),
    "detectable by draws": lambda: p.minimum_detectable_difference(real_pilot(), 60),
    "bounds": lambda: p.pvalue_bounds(396, 378, 500),
    "bounds of percents": lambda: p.pvalue_bounds("0.79", "0.78", 1319, accuracies=True),
}
RESULTS = _TESTS | _DECISIONS | _SEVERAL | _PLANS


@cache
def result(name: str) -> Any:
    """The result of this name, computed once."""
    return RESULTS[name]()
