"""What comparisons of several systems or tasks refuse."""

import numpy as np
import pandas as pd

from corpora.pilots import labels
from pairedperm import (
    PairedCounts,
    adjust,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.scoring import MeanScore
from refusals import refuses

FEW = labels(5, 2, 50)
TWO = {"a": [1, 0], "b": [0, 1]}
BOARDS = {"a": (TWO, [1, 1]), "b": ({"b": [1], "a": [0]}, [1])}
TASKS = {"a": ([1, 0], [0, 1], [1, 1]), "b": ([1], [0], [1])}
SCORES = {"a": ([1, 0], [0, 1]), "b": ([1, 0], [0, 1])}
UNITS = {"a": "accuracy", "b": "cohen_kappa"}
RANGED, LOSS = MeanScore(score_range=(0, 1)), MeanScore(of="loss", lower_is_better=True)


def suite(**options):
    return compare_suite(TASKS, **options)


@refuses
def test_refusals():
    # several systems
    compare_many({"a": [1]})
    # -> `systems` must hold at least 2, got 1: 'a'.
    compare_many([[1], [2]])
    # -> `systems` must be a dict from names to predictions, or a list of such pairs, got [[1],
    #    [2]] (list)
    compare_many(pd.DataFrame({1: [1], 2: [2]}))
    # -> `systems` must have names, as text, got 1 (int).
    compare_many({"a": [1], "a ": [2]})
    # -> `systems` holds 'a' twice: give each a name of its own
    compare_many(TWO, [1, 1], baseline="c")
    # -> `baseline` must be one of the systems, 'a', 'b', got 'c' (str).
    compare_many({"large": [1], "small": [0]}, [1], baseline="smal")
    # -> `baseline` … Did you mean 'small'?
    compare_many(TWO, [1, 1], alternative="less")
    # -> `alternative` must be 'two-sided' where every pair is compared … Name a `baseline`.
    compare_many(TWO | {"c": [1]}, [1, 1])
    # -> `systems`['c'] has 1 examples and `references` has 2
    compare_many(TWO | {"c": [1]})
    # -> `systems`['c'] and `systems`['a'] must have the same length
    compare_many({("a", "b"): [1, 0], "c": [0, 1]}, [1, 1])
    # -> `systems` must have
    compare_many(TWO | {"c": PairedCounts.from_rows([1], [2])})
    # -> `systems`['c'] is a PairedCounts, of two systems: give each system's own scores
    compare_many(TWO, [1, 1], score=np.sum)
    # -> `score` is of counts: leave it out with `references` or a `metric`
    compare_many(TWO, average="macro")
    # -> `average` is an option of a metric, and `metric` is missing
    _ = compare_many(TWO, [1, 1], baseline="a").letters
    # -> `letters` needs every pair
    # several tasks
    compare_suite([TASKS["a"]])
    # -> `tasks` must be a dict from names to columns
    compare_suite({"a": [1, 2, 3, 4]})
    # -> `tasks`['a'] must be (predictions1, predictions2, references), got [1, 2, 3, 4] (list).
    compare_suite(TASKS | {"b": ([], [], [])})
    # -> `predictions1` of task 'b' is empty
    suite(groups={"a": [1, 2], "b": [1]}).confidence_interval()
    # -> NoIntervalError: tasks that share groups have no interval of their average
    suite(metric="f1", pos_label=1).confidence_interval(kind="studentised bootstrap")
    # -> NoIntervalError: at least two examples or groups of each task … got one … how they vary
    suite(metric="f1", pos_label=1).confidence_interval(kind="guaranteed")
    # -> `kind` must be one of 'auto', 'studentised bootstrap' for these scores, got 'guaranteed'
    compare_suite({"b": TASKS["b"]}).confidence_interval()
    # -> NoIntervalError: at least two examples or groups, some dozens … got one
    compare_suite(TASKS, weights="even")
    # -> `weights` must be 'equal', 'size' or a dict from task to number … got 'even'
    compare_suite(TASKS, weights=pd.Series([1, 2]))
    # -> `weights` must be 'equal', 'size' or a dict from task to number … (Series).
    compare_suite(TASKS, weights={})
    # -> `weights` lacks task 'a': it must have all tasks
    compare_suite(TASKS, weights={"a": 1})
    # -> `weights` lacks task 'b': it must have all tasks
    compare_suite(TASKS, weights={"a": 1, "b": 1, "c": 2})
    # -> `weights` has 'c' (str), which is no task: they are 'a', 'b'.
    compare_suite(TASKS, weights={"a": 1, "b": -1})
    # -> `weights`['b'] must be a number from 0, such as 2 or 0.25, got -1 (int).
    compare_suite(TASKS, weights={"a": 1, "b": float("nan")})
    # -> `weights`['b'] must be a number from 0
    compare_suite(TASKS, weights={"a": 1, "b": "2"})
    # -> `weights` … got '2' (str)
    compare_suite(TASKS, weights={"a": 0, "b": 0})
    # -> `weights` are all 0: one must be positive
    compare_suite(TASKS, groups=[1, 2])
    # -> `groups` must be a dict from task to ids, got [1, 2] (list).
    compare_suite(TASKS, groups={"a": [1, None]})
    # -> `groups` of task 'a' must hold an id
    compare_suite(TASKS, metric={"a": "accuracy", "b": "f1"}, average="macro")
    # -> `average` is an option of one metric, but `metric` names several. Give objects, such as
    #    {'task':
    compare_suite(TASKS, metric=UNITS, weights="size")
    # -> `metric` 'accuracy' of task 'a' and 'cohen_kappa' of task 'b' differ in their unit: their
    #    average means nothing. Leave out `weights`.
    compare_suite(SCORES, metric={"a": RANGED, "b": MeanScore(score_range=(0, 5))}, weights="size")
    # -> 'a' and 'mean_score' of task 'b' differ in their range
    compare_suite(SCORES, metric={"a": RANGED, "b": LOSS}, weights="size")
    # -> `metric` … differ in their direction, and not both have a known range (score_range)
    compare_suite(SCORES, metric={"a": RANGED, "b": LOSS}).confidence_interval()
    # -> NoIntervalError: there is no average. 'mean_score' of task 'a' and 'loss' of task 'b'
    compare_suite(SCORES, metric={"a": RANGED, "b": LOSS}).lead()
    # -> there is no average. 'mean_score' of task 'a' and 'loss' of task 'b'
    # several systems on several tasks
    compare_suites(BOARDS, metric=UNITS)
    # -> `metric` … differ in their unit … Compare these tasks apart.
    compare_suites([1])
    # -> `tasks` must be a dict from names to (systems, references)
    compare_suites({"a": TWO})
    # -> `tasks`['a'] must be (systems, references), got {'a': [1, 0], 'b': [0, 1]} (dict).
    compare_suites({"a": ({"x": [1]}, [1])})
    # -> `systems` of task 'a' must hold at least 2, got 1: 'x'.
    compare_suites({"a": ([[1], [0]], [1])})
    # -> `systems` of task 'a' must be a dict from names to predictions
    compare_suites(BOARDS | {"c": (TWO | {"x": [1, 1]}, [1, 1])})
    # -> `tasks`['a'] lacks 'x': all tasks must have the same systems. Leave the others out.
    compare_suites(BOARDS | {"b": ({"b": [1], "a": [0, 1]}, [1])})
    # -> `systems`['a'] of task 'b' has 2 examples and `references` of task 'b' has 1
    compare_suites(BOARDS | {"b": ({"b": [1], "a": [0]}, [])})
    # -> `references` of task 'b' is empty
    compare_suites(BOARDS, baseline="c")
    # -> `baseline` must be one of the systems, 'a', 'b', got 'c' (str).
    compare_suites(BOARDS, alternative="less")
    # -> `alternative` must be 'two-sided' where every pair is compared
    compare_suites(BOARDS, weights={"a": 1})
    # -> `weights` lacks task 'b': it must have all tasks
    compare_suites(BOARDS, groups={"b": [None]})
    # -> `groups` of task 'b' must hold an id
    # results that one has
    adjust(compare(*FEW))
    # -> `results` must be a list of results, such as [compare(...), compare(...)], got
    adjust([compare(*FEW), 0.25])
    # -> `results` must be a list of results … got 0.25 (float)
    # counts
    paired_counts([0.1 + 1e-17, 2**0.5], [0, 0], None, "mean_score")
    # -> `predictions1` … shares as Fractions
    paired_counts([[1], [0]], [[0], [0]], None, "pass_at_k", k=1, groups=[1, 1])
    # -> `groups` … single examples … `compare`, or count their scores, metric='mean_score'
    _ = paired_permutation_test(paired_counts(*FEW, groups=[1, 2] * 25)).n_wins
    # -> do not tell how many examples each system wins
