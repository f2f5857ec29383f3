"""The interval of an average of tasks: which one it is, when it is computed, what is said of it."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from oracles.studentised import difference_and_error
from pairedperm import InputError, compare, compare_suite, gate_suite

F1 = {"metric": "f1", "pos_label": 1}
STUDENTISED = "studentised bootstrap"


def f1_tasks(seed, sizes):
    """Labels of tasks of these sizes: 1 in 3, found by 0.8 and 0.7 of both systems."""
    rng, found = np.random.default_rng(seed), {}
    for k, n in enumerate(sizes):
        gold = (rng.random(n) < 1 / 3).astype(int)
        one, two = (np.where(rng.random(n) < share, gold, 1 - gold) for share in (0.8, 0.7))
        found[f"task {k}"] = one.tolist(), two.tolist(), gold.tolist()
    return found


def words_of(found):
    return " ".join(str(found).split())


def test_where_there_is_none():
    """Of one side, of one example, and of tasks with a group in both."""
    columns = tuple(np.random.default_rng(5).integers(0, 2, (3, 60)).tolist())
    for found in (
        compare_suite({"a": columns}, alternative="less"),
        compare_suite({"a": ([1], [0], [1])}),
        compare_suite({"a": columns, "b": ([1], [0], [1])}, **F1),
        compare_suite({"a": columns, "b": columns}, groups=dict.fromkeys("ab", range(60))),
    ):
        assert found.average.figures().interval is found.to_dict()["confidence_level"] is None
        assert found.to_dict()["stat_low"] is found.to_dict()["interval_method"] is None


def test_of_one_task_it_is_that_of_a_comparison():
    """With the same bits: also where none differs, in groups, and by name."""
    columns = f1_tasks(2, (80,))["task 0"]
    same = (columns[0], columns[0], columns[2])
    for one, ids, options in (
        *((columns, None, F1), (same, None, F1), (columns, [k // 2 for k in range(80)], F1)),
        *((columns, None, {}), (columns, None, {"kind": STUDENTISED})),
        *((columns, None, {"kind": "exact"}), (columns, None, {"kind": "guaranteed"})),
    ):
        metric, kind = (options, {}) if "metric" in options else ({}, options)
        suite = compare_suite({"a": one}, groups=ids and {"a": ids}, rng=3, **metric)
        alone = compare(*one, groups=ids, rng=3, **metric)
        for level in (0.8, 0.95):
            expected = alone.confidence_interval(level, **kind)
            found = suite.average.confidence_interval(level, **kind)
            assert tuple(found) == pytest.approx(tuple(expected), rel=1e-9)
            assert found.method == expected.method


def test_other_scores_are_drawn_within_tasks():
    """The bootstrap is around the average, about two standard errors wide on each side."""
    tasks = f1_tasks(1, (30, 40, 50))
    found = compare_suite(tasks, weights={"task 0": 1, "task 1": 2, "task 2": 3}, **F1)
    interval, average = found.average.confidence_interval(), found.average
    assert interval.method == found.to_dict()["interval_method"] == STUDENTISED
    each = []
    for columns in tasks.values():  # (2 tp, predicted + gold) of each example and system
        one, two, gold = map(np.array, columns)
        rows = [np.stack((2.0 * (x & gold), 1.0 * x + gold), axis=-1) for x in (one, two)]
        each.append(difference_and_error(*rows))
    weights, (differences, errors) = np.arange(1, 4) / 6, np.array(each).T
    error = math.hypot(*(weights * errors))
    assert average.statistic == pytest.approx(weights @ differences)
    expected = average.statistic - 1.96 * error, average.statistic + 1.96 * error
    assert interval == pytest.approx(expected, abs=0.3 * error)


def test_tasks_of_weight_0_do_not_matter():
    tasks = f1_tasks(4, (50, 60)) | {"b": ([1], [0], [1])}
    weights = {"task 0": 1, "task 1": 2, "b": 0}
    for options in (F1, {}):
        found = compare_suite(tasks, weights=weights, rng=1, **options)
        alone = {name: tasks[name] for name in ("task 0", "task 1")}
        two = {name: weights[name] for name in alone}
        expected = compare_suite(alone, weights=two, rng=1, **options)
        assert found.average.figures().interval == expected.average.figures().interval


def test_where_no_example_differs():
    """The limits of the tasks, by their weights."""
    tasks = {name: (x, x, y) for name, (x, _, y) in f1_tasks(5, (30, 50)).items()}
    found = compare_suite(tasks, weights={"task 0": 3, "task 1": 1}, **F1).average
    found = found.confidence_interval()
    assert found.method == "differing share"
    limits = [compare(*x, **F1).confidence_interval().high for x in tasks.values()]
    expected = 0.75 * limits[0] + 0.25 * limits[1]
    assert found == pytest.approx((-expected, expected))


def test_it_contains_0_unless_p_says_otherwise():
    """An end may be moved to 0. Of one side there is none."""
    four = {name: ([1] * 4, [0] * 4, [1] * 4) for name in "ab"}
    average = compare_suite(four).average
    assert average.confidence_interval(0.999).low <= 0.0 < average.confidence_interval(0.5).low
    ends = []
    for seed in (0, 2, 3):
        found = compare_suite(f1_tasks(seed, (5, 6)), rng=1, **F1).average
        for level in (0.3, 0.9):
            low, high = found.confidence_interval(level)
            assert low <= 0.0 <= high or found.pvalue <= 1.0 - level + 1e-12
            ends += [low, high]
    assert 0.0 in ends
    with pytest.raises(InputError, match="`alternative` must be 'two-sided'"):
        compare_suite(four, alternative="greater").average.confidence_interval()


def test_few_that_differ_are_doubtful():
    few = {name: (x, [1 - x[0], *x[1:]], y) for name, (x, _, y) in f1_tasks(8, (60, 60)).items()}
    doubt = "The interval may hold less often than it says: only 2 examples differ."
    assert doubt in words_of(compare_suite(few, **F1))
    many = f1_tasks(9, (60, 60))
    m0, m1 = (compare(*x, **F1).n_differing for x in many.values())
    counted = Fraction(9 * m0 + m1) ** 2 / (81 * m0 + m1)
    for options, said in (
        ({"weights": {"task 0": 1, "task 1": 0}}, f"{m0 + m1} examples that differ count as {m0}."),
        ({"weights": {"task 0": 9, "task 1": 1}}, f"count as {int(counted)}."),
        ({"confidence_level": 0.995}, "not known how often such an interval holds above 99%."),
    ):
        assert said in words_of(compare_suite(many, **options, **F1))
    assert "may hold less" not in str(compare_suite(many, **F1))


def test_right_and_wrong_of_one_weight_are_one_list():
    """5,000 answers pass a margin of 2 points, as one table and as 20 tasks weighted by size."""
    rng = np.random.default_rng(0)
    kinds = [(1, 0)] * 87 + [(0, 1)] * 113 + [(1, 1)] * 4400 + [(0, 0)] * 400
    pairs = [kinds[k] for k in rng.permutation(5_000)]
    columns = [*map(list, zip(*pairs, strict=True)), [1] * 5_000]
    ends = [0, *np.sort(rng.choice(np.arange(1, 5_000), 19, replace=False)).tolist(), 5_000]
    tasks = {
        f"task {k}": tuple(x[start:end] for x in columns)
        for k, (start, end) in enumerate(itertools.pairwise(ends))
    }
    suite, whole = compare_suite(tasks, weights="size"), compare(*columns)
    interval = suite.average.confidence_interval()
    assert interval == whole.confidence_interval()
    assert (interval.method, suite.average.pvalue) == ("exact", whole.pvalue)
    assert gate_suite(suite, margin=0.02).passed
    assert compare_suite(tasks).average.confidence_interval().method == "guaranteed"


def test_groups_of_several_sizes():
    """The guaranteed interval does not hold for them: there is the bootstrap."""
    columns = tuple(np.random.default_rng(5).integers(0, 2, (3, 60)).tolist())
    ids = [*range(30), *range(30)]
    for first, method in ((0, "guaranteed"), (1, STUDENTISED)):
        tasks, groups = dict.fromkeys("ab", columns), {"a": [first, *ids[1:]]}
        found = compare_suite(tasks, groups=groups).average
        assert found.confidence_interval().method == method
    with pytest.raises(InputError, match="of groups of one size"):
        found.confidence_interval(kind="guaranteed")
