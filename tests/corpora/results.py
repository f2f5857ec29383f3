"""Results of every kind, by what is particular about each."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import pairedperm as p
from corpora.pilots import PILOT, f1_pilot, labels, real_pilot
from corpora.planned import largest
from pairedperm.readers.read import Comparisons, Logged
from pairedperm.results.several import with_adjusted
from pairedperm.scoring import MeanScore

A, B, RIGHT = [1, 1, 1, 1, 1, 1, 0, 1], [0, 1, 0, 0, 0, 0, 1, 0], [1] * 8
WINS = [1] * 5, [0] * 5, [1] * 5
BOARD: dict[str, list[int]] = {"org/large_v2": A, "<b>|&": B, "日本語": [0] * 8}
GRADED = np.random.default_rng(1).integers(0, 101, (2, 40)) / 100
compare: Any = p.compare  # with options that a type cannot tell
SUITE = {"arc_c|": (A, B, RIGHT), "日本": (B, A, RIGHT)}
FEW: Any = [0.55, 0.65, 0.4], [0.5, 0.55, 0.45]
A_LITTLE: Any = [1.0] * 8, [0.95] * 8
RANGE: dict[str, Any] = {"metric": "mean_score", "score_range": (0, 1)}
SECONDS = MeanScore(of="seconds", lower_is_better=True)
BOTH: Any = {"right": "accuracy", "wrong": "hamming_loss"}
LONG: list[str] = [
    f"leaderboard_bbh_logical_deduction_{n}_objects" for n in ("three", "five", "seven")
]
LONG += ["日本語の読解タスク_とても長い名前のベンチマーク", "arc"]
HALF: Any = [1] * 20, [1] * 8 + [0] * 12, [1] * 20


def first_sum(sums: Any) -> Any:
    """A score, which a pickle tells by its name."""
    return sums[..., 0]


def of_three(metric: str, **options: Any) -> Any:
    """80 labels of three classes."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 80)
    columns = (np.where(rng.random(80) < x, gold, rng.integers(0, 3, 80)) for x in (0.8, 0.5))
    return compare(*columns, gold, metric, **options)


def sequential(one: Any, two: Any) -> Any:
    test = p.SequentialTest()
    test.update(one, two)
    return test


def gated(wins: int, losses: int, n: int, **options: Any) -> Any:
    return p.gate(p.compare(*labels(wins, losses, n)), **options)


def equivalent(wins: int, losses: int, margin: float) -> Any:
    return p.equivalence_test(p.compare(*labels(wins, losses, 1000)), margin=margin)


def of_guaranteed() -> Any:
    """All gain a little of a range of 1."""
    return compare(*A_LITTLE, None, **RANGE, constant="system")


def suite_of(flips: dict[str, tuple[int, int, int]], **options: Any) -> Any:
    return p.compare_suite({task: labels(*x) for task, x in flips.items()}, **options)


def without_average() -> Any:
    """Right and wrong, and seconds."""
    tasks = {"right": HALF, "seconds": HALF[1::-1]}
    return p.compare_suite(tasks, {"right": "accuracy", "seconds": SECONDS})


def comparisons() -> Any:
    results = [(Logged(task, "acc_norm"), p.compare(A, B, RIGHT)) for task in ("arc", "mmlu")]
    return Comparisons(with_adjusted(results, "holm"), "holm", 0.05, "large", "a_b | c")


_TESTS: dict[str, Callable[[], Any]] = {
    "exact": lambda: p.compare(A, B, RIGHT),
    "too few": lambda: p.compare(*WINS),
    "no difference": lambda: p.compare(A, A, RIGHT),
    "no difference, one-sided": lambda: p.compare(A, A, RIGHT, alternative="less"),
    "groups": lambda: p.compare(*WINS, groups=[*"aabbc"]),
    "dp": lambda: p.compare(A, B, RIGHT, method="dp"),
    "too large to be exact": lambda: p.paired_permutation_test(
        *np.random.default_rng(0).integers(0, 1000, (2, 60, 6)), score=largest, rng=0
    ),
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
    "no scores": lambda: p.structured_permutation_test([[1]], [[2]], first_sum),
    "a ratio": lambda: p.paired_permutation_test(
        [[1, 2], [3, 4], [2, 2]], [[0, 2], [1, 4], [1, 2]], score=p.Ratio([1, 0], [0, 1])
    ),
    "bootstrap": lambda: p.compare(A, B, RIGHT, test="bootstrap"),
    "bootstrap by samples": lambda: of_three("f1", average="macro", test="bootstrap", rng=0),
    "no resample is so extreme": lambda: p.compare(A, A, RIGHT, test="bootstrap", ties="exclude"),
    "a tiny p": lambda: p.compare(*labels(3000, 0, 3000)),
    "one example": lambda: p.compare([1], [0], [1]),
    "statistic": lambda: p.structured_permutation_test([1, 2, 3], [0, 1, 5], np.square),
    "another level": lambda: p.compare(A, B, RIGHT, confidence_level=0.9),
    "few": lambda: compare(*FEW, None, **RANGE),
    "guaranteed": of_guaranteed,
}
VERDICTS = [*"AAAAAAAA", "tie", *"BAAAAAAAB"], [*"ABABABABABABABABAB"]  # who wins, who is first
_PREFERENCES: dict[str, Callable[[], Any]] = {
    "preference by a coin": lambda: p.preference(VERDICTS[0], order="random"),
    "preference in both orders": lambda: p.preference(
        VERDICTS[0], first=VERDICTS[1], items=[k // 2 for k in range(18)]
    ),
    "preference for a place": lambda: p.preference(
        ["first"] * 18, first=VERDICTS[1], order="balanced"
    ),
    "preference of an unknown order": lambda: p.preference(VERDICTS[0], order="unknown"),
    "preference, one-sided": lambda: p.preference([1], order="random", alternative="greater"),
}
_DECISIONS: dict[str, Callable[[], Any]] = {
    "equivalence": lambda: p.equivalence_test(p.compare(A, B, RIGHT), margin=0.1),
    "equivalent": lambda: equivalent(20, 20, 0.05),
    "noninferior": lambda: equivalent(60, 40, 0.02),
    "better": lambda: equivalent(40, 10, 0.01),
    "better, perhaps by the margin": lambda: equivalent(40, 10, 0.02),
    "worse": lambda: equivalent(10, 40, 0.01),
    "worse, perhaps by the margin": lambda: equivalent(10, 40, 0.04),
    "worse, yet within the margin": lambda: equivalent(10, 40, 0.05),
    "inconclusive": lambda: equivalent(40, 45, 0.015),
    "gate": lambda: gated(2, 8, 100),
    "gate that fails": lambda: gated(2, 18, 100),
    "gate that asks for better": lambda: gated(18, 2, 100, require="better"),
    "gate that is not shown better": lambda: gated(8, 2, 100, require="better"),
    "gate that could detect more": lambda: gated(8, 2, 100),
    "gate that could detect nothing": lambda: gated(1, 1, 9),
    "gate of no difference": lambda: gated(0, 0, 9),
    "gate with a margin": lambda: gated(40, 45, 1000, margin=0.015),
    "gate beyond its margin": lambda: gated(10, 40, 1000, margin=0.01),
    "gate within its margin": lambda: gated(10, 40, 1000, margin=0.05),
    "gate of ties": lambda: gated(0, 0, 100, margin=0.01),
    "gate of too few": lambda: p.gate(p.compare(*WINS), margin=0.1),
    "gate of one example": lambda: p.gate(p.compare([1], [0], [1]), margin=0.1),
    "gate of few groups": lambda: p.gate(
        p.compare([1] * 4, [0] * 4, [1] * 4, groups=[1, 1, 2, 3]), margin=0.1
    ),
    "gate of scores": lambda: p.gate(real_pilot(), margin=0.1),
    "gate of sizes": lambda: p.gate(p.paired_permutation_test([1e6, 2.5e6], [1e-6, 0.0])),
    "gate at a level that is too fine": lambda: p.gate(f1_pilot(), margin=0.2, alpha=0.004),
    "gate of outputs that differ": lambda: p.gate(of_guaranteed(), margin=0.04),
    "gate where lower is better": lambda: p.gate(
        p.compare([0.5] * 6 + [0.25], [0.25] * 7, None, SECONDS, constant="system")
    ),
    "gate with ids": lambda: replace(
        gated(2, 8, 100), gained=("a", 7), lost=tuple(f"id {k} of `doc`" for k in range(12))
    ),
    "gate of a suite": lambda: p.gate_suite(p.compare_suite(SUITE)),
    "gate of a suite that fails": lambda: p.gate_suite(
        suite_of({f"task {k}": (1, x, 200) for k, x in enumerate((20, 60, 30, 50, 40, 25, 1))})
    ),
    "gate of a suite with margins": lambda: p.gate_suite(
        suite_of({"a": (5, 5, 200), "b": (3, 4, 300)}), margin=0.05, task_margin=0.2
    ),
    "gate of a suite that is open": lambda: p.gate_suite(
        suite_of({"a": (5, 5, 200), "b": (1, 0, 1)}), margin=0.001, task_margin=0.01
    ),
    "gate of losses it could detect": lambda: p.gate_suite(
        suite_of({"a": (5, 5, 200), "b": (0, 0, 50), "c": (8, 9, 300)})
    ),
    "gate of a suite at its own level": lambda: p.gate_suite(
        suite_of({"a": (5, 40, 200), "b": (4, 4, 300)}, alpha=1e-9), alpha=0.1, margin=0.01
    ),
    "gate of tasks whose outputs differ": lambda: p.gate_suite(
        p.compare_suite({"a": A_LITTLE, "b": A_LITTLE}, **RANGE, constant="system"),
        margin=0.04,
        task_margin=0.04,
    ),
    "gate without an average": lambda: p.gate_suite(
        without_average(), task_margin={"right": 0.9, "seconds": 0.9}
    ),
    "sequential": lambda: sequential(A, B),
    "sequential that is decided": lambda: sequential([0] * 12, [1] * 12),
    "sequential without examples": lambda: p.SequentialTest(alpha=0.1),
}
_SEVERAL: dict[str, Callable[[], Any]] = {
    "board": lambda: p.compare_many(BOARD, RIGHT),
    "baseline": lambda: p.compare_many(BOARD, RIGHT, baseline="<b>|&"),
    "baseline, one-sided": lambda: p.compare_many(
        BOARD, RIGHT, baseline="<b>|&", alternative="greater"
    ),
    "board of long names": lambda: p.compare_many(
        {f"organisation/{x}": HALF[k % 2] for k, x in enumerate(LONG)}, HALF[2]
    ),
    "board of few": lambda: p.compare_many(
        dict(zip("ab", FEW, strict=True)), **RANGE, baseline="b"
    ),
    "suite": lambda: p.compare_suite(SUITE),
    "suite of groups": lambda: p.compare_suite(
        SUITE, groups={"arc_c|": range(8)}, correction=None, method="monte_carlo", rng=0
    ),
    "suite of outputs that differ": lambda: suite_of({"a": (8, 0, 9), "b": (1, 0, 1)}),
    "suite of long names": lambda: p.compare_suite(dict.fromkeys(LONG, HALF)),
    "suite of a task called average": lambda: p.compare_suite({"average": HALF}),
    "suite of few": lambda: p.compare_suite({"t": FEW, "u": FEW}, **RANGE),
    "suite of both directions": lambda: p.compare_suite(
        {"right": HALF, "wrong": (*HALF[1::-1], HALF[2])}, BOTH
    ),
    "suite without an average": without_average,
    "suites": lambda: p.compare_suites(
        {"t": ({"one": A, "two": B}, RIGHT), "u": ({"one": B, "two": A}, RIGHT)}
    ),
    "suites against a baseline": lambda: p.compare_suites(
        {"t": ({"one": A, "two": B}, RIGHT)}, baseline="one", groups={"t": [0, 0, *range(6)]}
    ),
    "suites of both directions": lambda: p.compare_suites(
        {"right": ({"one": A, "two": B}, RIGHT), "wrong": ({"one": B, "two": A}, RIGHT)}, BOTH
    ),
    "comparisons": comparisons,
}
_ROUGHLY: dict[str, Any] = {"method": "normal approximation", "approximation_error": 0.01}
_PLANS: dict[str, Callable[[], Any]] = {
    "power": lambda: p.power((0.06, 0.03), 1000),
    "power of a margin": lambda: p.power((0.1, 0.1), 30, margin=0.1),
    "hardly any power": lambda: p.power((0.01, 0.0), 20),
    "power of groups": lambda: p.power(
        p.compare(*labels(20, 8, 100), groups=np.arange(100) // 7), 30
    ),
    "normal approximation": lambda: replace(p.power(PILOT, 300), **_ROUGHLY),
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
    "a tiny difference": lambda: p.examples_needed(
        p.PairedCounts([1, 0, 1], [0, 1, 1], [50_000, 49_000, 10**8])
    ),
    "too many examples by draws": lambda: p.examples_needed(
        p.paired_permutation_test(np.linspace(-10.0, 10.0, 100) + 0.001, np.zeros(100))
    ),
    "no system is worse": lambda: p.power((0.1, 0.1), 1),
    "one example for a margin": lambda: p.power((0.05, 0.05), 1, margin=0.96),
    "a margin of scores": lambda: p.power(real_pilot(), 300, margin=1.0),
    "a margin and an unclear pilot": lambda: p.examples_needed(
        p.compare(*labels(4, 3, 30)), margin=0.1
    ),
    "nothing is detectable": lambda: p.minimum_detectable_difference((0.05, 0.05), 30),
    "detectable": lambda: p.minimum_detectable_difference((0.03, 0.06), 1000),
    "detectable by draws": lambda: p.minimum_detectable_difference(real_pilot(), 60),
    "bounds": lambda: p.pvalue_bounds(396, 378, 500),
    "bounds of one p": lambda: p.pvalue_bounds(20, 2, 20, alternative="greater"),
    "bounds of no difference": lambda: p.pvalue_bounds(17, 14, 20),
    "bounds of one example": lambda: p.pvalue_bounds(1, 0, 1),
    "bounds of percents": lambda: p.pvalue_bounds("0.79", "0.78", 1319, accuracies=True),
}
RESULTS = _TESTS | _PREFERENCES | _DECISIONS | _SEVERAL | _PLANS


@cache
def result(name: str) -> Any:
    """The result of this name, computed once; some are warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return RESULTS[name]()
