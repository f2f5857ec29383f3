"""The interval of an average of tasks: wealth in fractions, coverage by enumeration, one task."""

import copy
import itertools
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from oracles.betting import fixed_wealth
from oracles.studentised import difference_and_error
from pairedperm import InputError, compare, compare_suite, gate, gate_suite
from pairedperm.population.average import average_interval
from pairedperm.results import average_of_tasks
from pairedperm.scoring import MeanScore
from properties import cases, generators, one_in

F1 = {"metric": "f1", "pos_label": 1}
PERCENT_95 = (1.0 - 0.95) / 2.0


def wealth(tasks, weights, delta, half):
    """K(Δ) = mean over c of Π (1 + c a_g (d_g - Δ n_g) / (max a_g n_g (1 + Δ))), in fractions."""
    groups = [
        (weight / sum(n for _, n in task) * d, weight / sum(n for _, n in task) * n)
        for task, weight in zip(tasks, weights, strict=True)
        for d, n in task
        if weight
    ]
    return fixed_wealth(groups, 1, delta, half)


def drawn(rng, *, grouped):
    """Columns of right and wrong answers, ids or none, and (d, n) of each group by task."""
    columns, ids, tasks = {}, {}, []
    for k in range(int(rng.integers(1, 4))):
        name, size = f"task {k}", int(rng.integers(1, 4)) if grouped else 1
        n = size * int(rng.integers(2, 5 if grouped else 9))
        one, two = rng.integers(0, 2, (2, n)).tolist()
        columns[name] = (one, two, [1] * n)
        ids[name] = [f"{k} {x}" for x in rng.permutation(np.repeat(range(n // size), size))]
        groups = {
            x: [y for y, own in zip(range(n), ids[name], strict=True) if own == x]
            for x in ids[name]
        }
        tasks.append([(sum(one[y] - two[y] for y in some), len(some)) for some in groups.values()])
    return columns, ids if grouped else None, tasks


@pytest.mark.parametrize("grouped", [False, True])
def test_the_wealth_at_both_limits(grouped):
    @cases(0.5)
    @given(generators)
    def holds(rng):
        columns, ids, tasks = drawn(rng, grouped=grouped)
        if sum(map(len, tasks)) < 2:
            return
        parts = [Fraction(int(x)) for x in rng.integers(0, 5, len(tasks))]
        parts[0] += 1
        weights = {name: int(x) for name, x in zip(columns, parts, strict=True)}
        if sum(len(task) for task, x in zip(tasks, parts, strict=True) if x) < 2:
            return
        found = compare_suite(columns, weights=weights, groups=ids)
        assert found.average_interval.method in ("exact", "guaranteed")
        low, high = found.confidence_interval(kind="guaranteed")
        parts = [x / sum(parts) for x in parts]
        for sign, limit in ((1, low), (-1, -high)):
            if limit < -0.999 or limit == 0.0:  # where the wealth is steep, or extended to 0
                continue
            signed = [[(sign * d, n) for d, n in task] for task in tasks]
            at = float(wealth(signed, parts, limit, PERCENT_95)) * PERCENT_95
            assert 1.0 - 1e-12 <= at <= 1.0 + 1e-6

    holds()


LAWS = [  # chances of a loss, a tie and a win in two tasks
    ((0.01, 0.0, 0.99), (0.1, 0.8, 0.1)),
    ((0.0, 0.98, 0.02), (0.3, 0.0, 0.7)),
    ((0.5, 0.5, 0.0), (0.0, 0.5, 0.5)),
]


@one_in(5)
@pytest.mark.parametrize("weights", [{"a": 1, "b": 1}, {"a": 9, "b": 1}, {"a": 6, "b": 3}])
@pytest.mark.parametrize("laws", LAWS)
def test_coverage_over_all_outcomes(laws, weights):
    """Of 6 and 3 examples, at 80 %: each end misses in at most 10 %. With weights by size exact."""
    sizes, share = (6, 3), [x / sum(weights.values()) for x in weights.values()]
    mean = sum(w * (law[2] - law[0]) for w, law in zip(share, laws, strict=True))
    missed = [0.0, 0.0]
    outcomes = [[(x, y, n - x - y) for x in range(n + 1) for y in range(n + 1 - x)] for n in sizes]
    for both in itertools.product(*outcomes):
        mass, columns = 1.0, {}
        for name, counts, law in zip("ab", both, laws, strict=True):
            ways = math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))
            mass *= ways * math.prod(p**k for p, k in zip(law, counts, strict=True))
            one, two = np.repeat([0, 1, 1], counts), np.repeat([1, 1, 0], counts)
            columns[name] = (one, two, np.ones(one.size, dtype=int))
        if mass == 0.0:
            continue
        found = compare_suite(columns, weights=weights, confidence_level=0.8)
        assert (found.average_interval.method == "exact") == (weights["b"] == 3)
        low, high = found.average_interval
        missed[0] += mass * (low > mean + 1e-12)
        missed[1] += mass * (high < mean - 1e-12)
    assert max(missed) <= 0.1 + 1e-9


def test_where_there_is_one():
    """Of one task it is that of `compare`; one example has none, nor tasks with a shared group."""
    columns = tuple(np.random.default_rng(5).integers(0, 2, (3, 60)).tolist())
    alone = compare_suite({"a": columns})
    for kind in ("auto", "exact", "guaranteed"):
        expected = compare(*columns).confidence_interval(kind=kind)
        assert tuple(alone.confidence_interval(kind=kind)) == pytest.approx(expected, rel=1e-9)
    assert alone.to_dict()["stat_low"] == alone.average_interval.low
    assert f"interval of its difference: {100 * alone.average_interval.low:.2f}" in str(alone)
    without = [
        compare_suite({"a": columns}, alternative="less"),
        compare_suite({"a": ([1], [0], [1])}),
        compare_suite({"a": columns, "b": ([1], [0], [1])}, **F1),
        compare_suite({"a": columns, "b": columns}, groups=dict.fromkeys("ab", range(60))),
    ]
    for found in without:
        assert found.average_interval is found.confidence_level is None
        assert found.to_dict()["stat_low"] is found.to_dict()["stat_interval"] is None
        assert "interval of its difference" not in str(found)


def test_it_contains_0_unless_p_says_otherwise():
    """At a level where p is above 1 - level, an end may be moved to 0; that is said."""
    tasks = {"a": ([1] * 4, [0] * 4, [1] * 4), "b": ([1] * 4, [0] * 4, [1] * 4)}
    found = compare_suite(tasks, confidence_level=0.999)
    assert found.pvalue == 2.0**-7
    assert found.average_interval.low <= 0.0
    found = compare_suite(tasks, confidence_level=0.5)
    assert found.average_interval.low > 0.0


def f1_columns(rng, sizes):
    """Labels of tasks of these sizes: 1 in 3, found by 0.8 and 0.7 of both systems."""
    for n in sizes:
        gold = (rng.random(n) < 1 / 3).astype(int)
        one, two = (np.where(rng.random(n) < share, gold, 1 - gold) for share in (0.8, 0.7))
        yield one.tolist(), two.tolist(), gold.tolist()


def f1_tasks(seed, sizes):
    rng = np.random.default_rng(seed)
    return {f"task {k}": x for k, x in enumerate(f1_columns(rng, sizes))}


def f1_rows(columns):
    """(2 tp, predicted + gold) of each example and system."""
    one, two, gold = map(np.array, columns)
    return [np.stack((2.0 * (x & gold), 1.0 * x + gold), axis=-1) for x in (one, two)]


def test_one_sided_it_contains_0_unless_p_says_otherwise():
    """On the side that was tested: p is then at most half of what the level leaves."""
    n_extended = 0
    for seed, alternative in itertools.product(range(12), ("greater", "less")):
        found = compare_suite(f1_tasks(seed, (5, 6)), alternative=alternative, **F1)
        for level in (0.3, 0.8):
            interval = found.confidence_interval(level)
            excludes = interval.low > 0.0 if alternative == "greater" else interval.high < 0.0
            assert not excludes or found.pvalue <= (1.0 - level) / 2.0 + 1e-12
            n_extended += 0.0 in (interval.low, interval.high)
    assert n_extended


def test_other_scores_are_drawn_within_tasks():
    """The bootstrap is around the average, about two standard errors wide on each side."""
    tasks = f1_tasks(1, (40, 60, 90))
    found = compare_suite(tasks, weights={"task 0": 1, "task 1": 2, "task 2": 3}, **F1)
    interval = found.average_interval
    assert interval.method == "studentised bootstrap"
    assert interval == found.confidence_interval() == found.confidence_interval(0.95)
    each = np.array([difference_and_error(*f1_rows(x)) for x in tasks.values()])
    weights = np.arange(1, 4) / 6
    difference, error = weights @ each[:, 0], math.hypot(*(weights * each[:, 1]))
    assert found.statistic == pytest.approx(difference)
    expected = difference - 1.96 * error, difference + 1.96 * error
    assert interval == pytest.approx(expected, abs=0.3 * error)
    assert "(studentised bootstrap)" in " ".join(str(found).split())
    assert found.to_dict()["stat_interval"] == "studentised bootstrap"


def test_of_one_task_it_is_that_of_a_comparison():
    """With the same bits: also where none differs, in groups, and by name."""
    columns = f1_tasks(2, (80,))["task 0"]
    same = (columns[0], columns[0], columns[2])
    groups = [k // 2 for k in range(80)]
    for one, ids in ((columns, None), (same, None), (columns, groups)):
        suite = compare_suite({"a": one}, groups=None if ids is None else {"a": ids}, rng=3, **F1)
        alone = compare(*one, groups=ids, rng=3, **F1)
        for level in (0.8, 0.95):
            expected = alone.confidence_interval(level)
            found = suite.confidence_interval(level)
            assert (found, found.method) == (expected, expected.method)
    kind = "studentised bootstrap"
    found = compare_suite({"a": columns}).confidence_interval(0.9, kind=kind)
    assert found == compare(*columns).confidence_interval(0.9, kind=kind)
    assert found.high - found.low < np.ptp(compare_suite({"a": columns}).confidence_interval(0.9))


def test_tasks_of_weight_0_do_not_matter():
    tasks = f1_tasks(4, (50, 60)) | {"b": ([1], [0], [1])}
    weights = {"task 0": 1, "task 1": 2, "b": 0}
    for options in (F1, {}):
        found = compare_suite(tasks, weights=weights, rng=1, **options)
        alone = {name: tasks[name] for name in ("task 0", "task 1")}
        two = {name: weights[name] for name in alone}
        expected = compare_suite(alone, weights=two, rng=1, **options).average_interval
        assert found.average_interval == expected


def test_where_no_example_differs():
    """The limits of the tasks, by their weights."""
    tasks = {name: (x, x, y) for name, (x, _, y) in f1_tasks(5, (30, 50)).items()}
    found = compare_suite(tasks, weights={"task 0": 3, "task 1": 1}, **F1).average_interval
    assert found.method == "differing share"
    limits = [compare(*x, **F1).confidence_interval().high for x in tasks.values()]
    expected = 0.75 * limits[0] + 0.25 * limits[1]
    assert found == pytest.approx((-expected, expected))


def test_it_is_computed_when_it_is_asked_for():
    with mock.patch.object(
        average_of_tasks, "average_interval", wraps=average_interval
    ) as computed:
        found = compare_suite(f1_tasks(6, (30, 30)), confidence_level=0.9, **F1)
        assert found.pvalue <= 1.0
        assert found.tasks
        assert computed.call_count == 0
        first = found.average_interval
        assert (found.confidence_level, computed.call_count) == (0.9, 1)
        assert str(found) == str(found)
        assert found.to_dict()["stat_low"] == first.low
        assert found.confidence_interval(0.9) == replace(found, alpha=0.1).confidence_interval()
        assert computed.call_count == 1


def test_pickles():
    """One has all rows, and so every interval."""
    found = compare_suite(f1_tasks(7, (30, 40)), rng=2, **F1)
    half = found.confidence_interval(0.5)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again == found
        assert again.average_interval == found.average_interval
        assert again.confidence_interval(0.5) == half
        assert again.to_dict() == found.to_dict()
        assert again.confidence_interval(0.6) == found.confidence_interval(0.6)
    shared = compare_suite(
        f1_tasks(7, (30, 30)), groups=dict.fromkeys(("task 0", "task 1"), range(30)), **F1
    )
    assert pickle.loads(pickle.dumps(shared)).average_interval is None


@one_in(2)
@pytest.mark.parametrize("options", [{}, F1])
def test_one_sided_suites(options):
    """The same two ends; they agree with the p-value on the side that it tests."""
    for seed in range(3):
        tasks = f1_tasks(seed, (25, 35))
        both = compare_suite(tasks, rng=1, **options)
        for alternative, sign in (("greater", 1), ("less", -1)):
            found = compare_suite(tasks, alternative=alternative, rng=1, **options)
            assert found.average_interval is found.confidence_level is None
            for level in (0.5, 0.9, 0.95):
                low, high = interval = found.confidence_interval(level)
                least, most = both.confidence_interval(level)
                assert (min(low, 0.0), max(high, 0.0)) == (min(least, 0.0), max(most, 0.0))
                if (low if sign > 0 else -high) > 0.0:
                    assert found.pvalue <= (1.0 - level) / 2.0 + 1e-12
                    assert not interval.is_extended


def test_few_that_differ_are_doubtful():
    few = {name: (x, [1 - x[0], *x[1:]], y) for name, (x, _, y) in f1_tasks(8, (60, 60)).items()}
    text = " ".join(str(compare_suite(few, **F1)).split())
    assert "The interval may hold less often than it says: only 2 examples differ." in text
    many = f1_tasks(9, (60, 60))
    weights = {"task 0": 1, "task 1": 0}
    m0, m1 = (compare(*x, **F1).n_differing for x in many.values())
    text = " ".join(str(compare_suite(many, weights=weights, **F1)).split())
    assert f"by their weights, the {m0 + m1} examples that differ count as {m0}." in text
    uneven = compare_suite(many, weights={"task 0": 9, "task 1": 1}, **F1)
    expected = Fraction(9 * m0 + m1) ** 2 / (81 * m0 + m1)
    assert f"count as {int(expected)}." in " ".join(str(uneven).split())
    assert average_of_tasks.n_telling(compare_suite(many, weights="size")) == m0 + m1
    assert "may hold less" not in str(compare_suite(many, **F1))
    high = " ".join(str(compare_suite(many, confidence_level=0.995, **F1)).split())
    assert "It is not known how often such an interval holds above 99%." in high
    assert "may hold" not in str(compare_suite(few))


def test_right_and_wrong_of_one_weight_are_one_list():
    """10,000 answers pass a margin of 1 point, as one table and as 50 tasks weighted by size."""
    rng = np.random.default_rng(0)
    kinds = [(1, 0)] * 175 + [(0, 1)] * 225 + [(1, 1)] * 8800 + [(0, 0)] * 800
    pairs = [kinds[k] for k in rng.permutation(10_000)]
    columns = [*map(list, zip(*pairs, strict=True)), [1] * 10_000]
    ends = [0, *np.sort(rng.choice(np.arange(1, 10_000), 49, replace=False)).tolist(), 10_000]
    tasks = {
        f"task {k}": tuple(x[start:end] for x in columns)
        for k, (start, end) in enumerate(itertools.pairwise(ends))
    }
    suite, whole = compare_suite(tasks, weights="size"), compare(*columns)
    assert suite.average_interval == whole.confidence_interval()
    assert suite.average_interval.method == "exact"
    assert suite.pvalue == whole.pvalue
    assert gate(whole, margin=0.01).passed
    assert gate_suite(suite, margin=0.01).passed
    assert suite.confidence_interval(0.9, kind="guaranteed").low < -0.01
    one, two, _ = tasks["task 0"]
    given = {x: (*scores[:2], None) for x, scores in tasks.items()}
    given["task 0"] = [1 - x for x in one], [1 - x for x in two], None
    metrics = dict.fromkeys(tasks, MeanScore(score_range=(0, 1)))
    metrics["task 0"] = MeanScore(score_range=(0, 1), lower_is_better=True)
    turned = compare_suite(given, metrics, weights="size")
    assert turned.average_interval == whole.confidence_interval()
    assert compare_suite(tasks).average_interval.method == "guaranteed"


def test_groups_of_several_sizes():
    """The guaranteed interval does not hold for them: there is the bootstrap."""
    columns = tuple(np.random.default_rng(5).integers(0, 2, (3, 60)).tolist())
    ids = [*range(30), *range(30)]
    one_size = compare_suite({"a": columns, "b": columns}, groups={"a": ids})
    assert one_size.average_interval.method == "guaranteed"
    several = compare_suite({"a": columns, "b": columns}, groups={"a": [1, *ids[1:]]})
    assert several.average_interval.method == "studentised bootstrap"
    with pytest.raises(InputError, match="of groups of one size"):
        several.confidence_interval(kind="guaranteed")
