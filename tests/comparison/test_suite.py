"""Suites of tasks: the weighted average by brute force over all swaps, and its tasks."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given

from corpora.small import some_tasks
from oracles import groups as oracle
from oracles.discrete import holm_of_some, law_of_pvalue
from oracles.discrete import pvalue as all_swaps
from oracles.label_averages import label_score
from oracles.suites import differences
from pairedperm import BudgetError, InputError, compare, compare_suite
from pairedperm.results.several import adjusted
from pairedperm.scoring import F1, Accuracy, MeanScore
from properties import cases, generators

TIE = 1e-12
EXTREME = {
    "two-sided": lambda x, observed: abs(x) >= abs(observed) - TIE,
    "greater": lambda x, observed: x >= observed - TIE,
    "less": lambda x, observed: x <= observed + TIE,
}


def accuracy(predictions, references):
    return Fraction(sum(map(int.__eq__, predictions, references)), len(references))


MACRO = partial(label_score, "f1", average="macro", there=[0, 1, 2])


def mean(scores):
    return Fraction(sum(scores), len(scores))


def labels(rng):
    tasks = some_tasks(rng)
    return tasks, "accuracy", dict.fromkeys(tasks, accuracy)


def classes(rng):
    """A mean and a function of sums together: few sums are all looked at."""
    one, two, right = rng.integers(0, 2, (3, 4)).tolist()
    others = rng.integers(0, 3, (3, 3))
    others[2] = [0, 1, 2]
    metrics = {"a": "accuracy", "b": F1(average="macro")}
    tasks = {"a": (one, two, right), "b": tuple(others.tolist())}
    return tasks, metrics, {"a": accuracy, "b": MACRO}


def likelihoods(rng):
    """Means of real numbers."""
    tasks = {
        name: (*(-rng.random((2, n)) * 3).tolist(), rng.integers(1, 5, n).tolist())
        for name, n in (("a", 4), ("b", 3))
    }
    return tasks, "log_likelihood", dict.fromkeys(tasks, lambda x, n: sum(x) / sum(n))


def perplexities(rng):
    """Functions of these; lower is better on all tasks."""
    tasks, *_ = likelihoods(rng)
    return tasks, "perplexity", dict.fromkeys(tasks, lambda x, n: math.exp(-sum(x) / sum(n)))


WORST = 3
SCORE = MeanScore(score_range=(0, WORST))
LOSS = MeanScore(score_range=(0, WORST), lower_is_better=True)


def losses(rng):
    """Where lower is better on some tasks, theirs count as negative."""
    tasks = {
        name: tuple(rng.integers(0, WORST + 1, (2, n)).tolist())
        for name, n in zip("abc", rng.integers(1, 4, 3).tolist(), strict=True)
    }
    lower = {"b", "c"} if rng.random() < 0.5 else {"c"}
    metrics = {name: LOSS if name in lower else SCORE for name in tasks}
    return tasks, metrics, {x: (lambda y: -mean(y)) if x in lower else mean for x in tasks}


def some_weights(rng, kind, tasks):
    """As they are given, and their shares."""
    if kind == "equal":
        return kind, dict.fromkeys(tasks, Fraction(1, len(tasks)))
    some = {x: len(y[0]) for x, y in tasks.items()}
    if kind == "given":
        some = dict(zip(tasks, rng.permutation([Decimal("0.1"), 3, 0.25, 0])[:3], strict=False))
    total = sum(Fraction(str(x)) for x in some.values())
    shares = {name: Fraction(str(x)) / total for name, x in some.items()}
    return (some if kind == "given" else kind), shares


@pytest.mark.parametrize("kind", [labels, classes, likelihoods, perplexities, losses])
@given(generators)
@cases(0.4)
def test_the_average_by_listing_swaps(kind, rng):
    """With groups that tasks share, groups of one task alone, and none."""
    tasks, metric, scores = kind(rng)
    asked, shares = some_weights(rng, str(rng.choice(["size", "given", "equal"])), tasks)
    ids = {name: rng.integers(0, 6, len(x[0])).tolist() for name, x in tasks.items()}
    first = next(iter(tasks))
    groups = [None, ids, {first: ids[first]}][int(rng.integers(3))]
    alternative = str(rng.choice([*EXTREME]))
    options = {"weights": asked, "groups": groups, "alternative": alternative}
    found = compare_suite(tasks, metric, **options)
    observed, *others = differences(tasks, scores, shares, groups)
    n_extreme = 1 + sum(EXTREME[alternative](x, observed) for x in others)
    expected = n_extreme / (1 + len(others))
    rel = 1e-9 if kind in (labels, losses) else 1e-6
    average = found.average
    assert average.pvalue == pytest.approx(expected, rel=rel)
    assert average.statistic == pytest.approx(float(observed), abs=TIE)
    if groups == ids:
        assert average.n_groups == len({x for some in ids.values() for x in some})
    if kind is labels:
        assert average.method == "exact"
    for task in found.to_dict()["tasks"]:
        assert task["weight"] == pytest.approx(float(shares[task["task"]]))
        if kind is labels and groups is None:
            alone = compare(*tasks[task["task"]], alternative=alternative).to_dict()
            assert task["p"] == alone["p"]


def test_one_task_and_a_weight_of_zero():
    tasks = {"a": ([1, 1, 1, 0], [0, 0, 1, 0], [1] * 4), "b": ([0, 1], [1, 0], [1, 1])}
    alone = compare(*tasks["a"])
    for found in (compare_suite({"a": tasks["a"]}), compare_suite(tasks, weights={"a": 2, "b": 0})):
        assert found.average.pvalue == alone.pvalue
        assert found.average.standard_error == pytest.approx(alone.standard_error)
    assert compare_suite(tasks, Accuracy()) == compare_suite(tasks)


@pytest.mark.thorough
def test_fine_lattices_are_bracketed():
    """Sizes whose common multiple is beyond int64: a proven interval."""
    rng = np.random.default_rng(0)
    tasks = {}
    for n in range(401, 431, 2):
        hard = rng.random(n)
        one, two = ((rng.random(n) < p).astype(int) for p in (hard, hard - 0.03))
        tasks[f"task of {n}"] = (one, two, np.ones(n, dtype=int))
    found = compare_suite(tasks).average
    assert found.method == "bracket"
    low, high = found.pvalue_interval
    assert low < high < low * 1.001


def test_standard_errors():
    """Independent tasks add their variances; one group that all share has none of its own."""
    rng = np.random.default_rng(3)
    tasks = {name: tuple(rng.integers(0, 2, (3, 30)).tolist()) for name in "ab"}
    found = compare_suite(tasks)
    errors = [compare(*x).standard_error for x in tasks.values()]
    assert found.average.standard_error == pytest.approx(math.hypot(*errors) / 2)
    ids = {name: list(range(30)) for name in tasks}
    shared = compare_suite(tasks, groups=ids)
    lead = sum((np.equal(x[0], x[2]) * 1 - np.equal(x[1], x[2]) * 1) for x in tasks.values())
    moves = [Fraction(int(x), 60) for x in lead]
    expected = math.sqrt(oracle.standard_error(moves, list(range(30)))) * 30
    assert shared.average.standard_error == pytest.approx(expected)
    assert compare_suite({"a": ([1], [0], [1]), "b": tasks["b"]}).average.standard_error is None
    assert compare_suite(tasks, groups={"a": [1] * 30}).average.standard_error is None


def moves_of(task, ids=None):
    """What each example, or each group of them, adds to the first system's lead."""
    moves = Counter()
    for key, one, two, right in zip(ids or range(len(task[2])), *task, strict=True):
        moves[key] += (one == right) - (two == right)
    return [*moves.values()]


@given(generators)
@cases(0.3)
def test_holm_of_tasks_that_can_be_significant(rng):
    """At the level of the suite, and at that of a gate, which reads it again; others of all."""
    tasks = some_tasks(rng, int(rng.integers(1, 6)))
    alternative = str(rng.choice(["two-sided", "greater", "less"]))
    ids = None
    if rng.random() < 0.5:  # of groups that tasks share
        ids = {name: rng.integers(0, 6, len(x[2])).tolist() for name, x in tasks.items()}
    pvalues, least = [], []
    for name, task in tasks.items():
        moves = moves_of(task, ids and ids[name])
        pvalues.append(all_swaps(moves, alternative))
        least.append(min(law_of_pvalue([*map(abs, moves)], alternative)))
    options = {"groups": ids, "alternative": alternative}
    found = compare_suite(tasks, **options)
    for alpha in (0.05, 0.3):
        expected = [*map(float, holm_of_some(pvalues, least, alpha))]
        assert [*found.at(alpha).p_adjusted.values()] == pytest.approx(expected)
        assert found.at(alpha, 0.9).p_adjusted == found.at(alpha).p_adjusted
    for correction in ("bonferroni", None):
        suite = compare_suite(tasks, correction=correction, **options)
        expected = adjusted([*map(float, pvalues)], correction)
        assert [x["p_adjusted"] for x in suite.to_dict()["tasks"]] == pytest.approx(expected)
        assert suite.table["p_adjusted"].tolist() == [*suite.p_adjusted.values()]


def test_many_tasks_take_little_memory():
    """All differ in one direction: 60 of them, of one weight, so p = 2 / 2^60.

    Of other scores each task has two distinct rows of two sums, for each of two systems.
    """
    budget = {"max_bytes": 10**5}
    lost = [1] * 2, [0, 1], [1] * 2
    suite = compare_suite({f"t{k}": lost for k in range(60)}, budget=budget)
    assert suite.average.method == "exact"
    assert suite.average.log_pvalue == pytest.approx(math.log(2) * -59, rel=1e-14)
    sizes = range(401, 431, 2)  # whose common multiple is beyond int64
    tasks = {f"{n}": ([1] * n, [0] * 9 + [1] * (n - 9), [1] * n) for n in sizes}
    with pytest.raises(InputError, match="the tasks are many, of many sizes"):
        compare_suite(tasks, method="exact", budget={"max_bytes": 10**3})
    tasks = {f"t{k}": ([1, 0] * 9, [0, 1] * 9, [1, 1] * 9) for k in range(60)}
    with pytest.raises(BudgetError) as caught:
        compare_suite(tasks, "f1", budget=budget)
    assert str(caught.value).startswith(f"the average of 60 tasks needs {2 * 120 * 120 * 8:.3g} ")
