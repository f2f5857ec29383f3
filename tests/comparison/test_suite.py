"""Suites of tasks: the weighted average by brute force over all swaps."""

import json
import math
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from corpora.small import some_tasks
from oracles import groups as oracle
from pairedperm import compare, compare_suite
from pairedperm.scoring import F1, Accuracy
from properties import cases, generators, one_in

TIE = 1e-12


def brute_force(tasks, scores=None, weights=None, ids=None):
    """The p-value of Σ weight · score, over all swaps of examples, or of groups by their ids.

    Of accuracy, and of equal weights, unless others are given.
    """
    scores = scores or dict.fromkeys(tasks, accuracy)
    weights = weights or dict.fromkeys(tasks, Fraction(1, len(tasks)))
    own = {name: [(name, k) for k in range(len(x[2]))] for name, x in tasks.items()}
    ids = own | (ids or {})
    keys = sorted({key for some in ids.values() for key in some}, key=str)

    def difference(swapped):
        found = 0
        for name, (one, two, right) in tasks.items():
            pairs = [
                (b, a) if key in swapped else (a, b)
                for a, b, key in zip(one, two, ids[name], strict=True)
            ]
            first, second = map(list, zip(*pairs, strict=True))
            found += weights[name] * (scores[name](first, right) - scores[name](second, right))
        return found

    observed = abs(difference(set()))
    n_extreme = sum(
        abs(difference({k for k, is_swapped in zip(keys, swaps, strict=True) if is_swapped}))
        >= observed - TIE
        for swaps in product((False, True), repeat=len(keys))
    )
    return n_extreme / 2 ** len(keys)


def accuracy(predictions, references):
    hits = sum(x == y for x, y in zip(predictions, references, strict=True))
    return Fraction(hits, len(references))


def macro_f1(predictions, references):
    pairs, found = [*zip(predictions, references, strict=True)], []
    for label in {*predictions, *references}:
        right = sum(x == y == label for x, y in pairs)
        found.append(2 * right / (predictions.count(label) + references.count(label)))
    return sum(found) / len(found)


def perplexity(log_likelihoods, sizes):
    return math.exp(-sum(log_likelihoods) / sum(sizes))


@one_in(3)
@pytest.mark.parametrize("kind", ["equal", "size", "given"])
@given(generators)
@cases(0.25)
def test_accuracy_by_listing_swaps(kind, rng):
    tasks = some_tasks(rng)
    weights = kind
    parts = dict.fromkeys(tasks, Fraction(1, 3))
    if kind == "size":
        total = sum(len(x[2]) for x in tasks.values())
        parts = {name: Fraction(len(x[2]), total) for name, x in tasks.items()}
    if kind == "given":
        given_weights = [0.25, 3, Decimal("0.1")]
        weights = dict(zip(tasks, given_weights, strict=True))
        parts = {name: Fraction(str(x)) / Fraction("3.35") for name, x in weights.items()}
    found = compare_suite(tasks, weights=weights)
    true = brute_force(tasks, weights=parts)
    assert found.pvalue == pytest.approx(true, rel=1e-9)
    assert found.method == "exact"
    difference = [parts[x] * (accuracy(a, r) - accuracy(b, r)) for x, (a, b, r) in tasks.items()]
    assert found.statistic == pytest.approx(float(sum(difference)), abs=TIE)
    for task in found.tasks:
        alone = compare(*tasks[task["task"]]).to_dict()
        assert task["p"] == alone["p"]
        assert task["weight"] == pytest.approx(float(parts[task["task"]]))


@given(generators)
@cases(0.3)
def test_groups_that_tasks_share(rng):
    tasks = some_tasks(rng)
    ids = {name: rng.integers(0, 6, len(x[2])).tolist() for name, x in tasks.items()}
    found = compare_suite(tasks, groups=ids)
    assert found.pvalue == pytest.approx(brute_force(tasks, ids=ids), rel=1e-9)
    assert found.n_groups == len({x for some in ids.values() for x in some})
    some = {"task 1": ids["task 1"]}
    found = compare_suite(tasks, groups=some)
    assert found.pvalue == pytest.approx(brute_force(tasks, ids=some), rel=1e-9)


@pytest.mark.thorough
@given(generators)
@cases(0.1)
def test_other_scores_by_listing_swaps(rng):
    """A mean and a function of sums together: few sums are all looked at."""
    one, two, right = rng.integers(0, 2, (3, 5)).tolist()
    labels = rng.integers(0, 3, (3, 4))
    labels[2] = [0, 1, 2, 0]
    tasks = {"a": (one, two, right), "b": tuple(labels.tolist())}
    metrics = {"a": "accuracy", "b": F1(average="macro")}
    ids = {"a": [1, 2, 3, 1, 4], "b": [5, 5, 2, 6]}
    for groups in (None, ids):
        found = compare_suite(tasks, metrics, groups=groups)
        scores = {"a": accuracy, "b": macro_f1}
        true = brute_force(tasks, scores, ids=groups)
        assert found.pvalue == pytest.approx(true, rel=1e-9)


@given(generators)
@cases(0.2)
def test_numbers_by_listing_swaps(rng):
    """Log-likelihoods are means of real numbers, perplexities functions of these."""
    tasks = {
        name: (*(-rng.random((2, n)) * 3).tolist(), rng.integers(1, 5, n).tolist())
        for name, n in (("a", 4), ("b", 3))
    }
    for metric, score in (
        ("log_likelihood", lambda x, sizes: sum(x) / sum(sizes)),
        ("perplexity", perplexity),
    ):
        found = compare_suite(tasks, metric, weights={"a": 1, "b": 2})
        true = brute_force(tasks, dict.fromkeys(tasks, score), {"a": 1 / 3, "b": 2 / 3})
        assert found.pvalue == pytest.approx(true, rel=1e-6), metric


def test_runs_in_a_suite():
    """Items of the first task were run three times; those of the second were not."""
    rng = np.random.default_rng(2)
    right = rng.integers(0, 2, 5).tolist()
    one, two = rng.integers(0, 2, (2, 5, 3)).tolist()
    single = tuple(rng.integers(0, 2, (3, 4)).tolist())
    found = compare_suite({"runs": (one, two, right), "single": single}, weights="size")
    flat = [[x for runs in column for x in runs] for column in (one, two)]
    items = np.repeat(np.arange(5), 3).tolist()
    tasks = {"runs": (*flat, [right[k] for k in items]), "single": single}
    ids = {"runs": items, "single": [10, 11, 12, 13]}
    weights = {"runs": Fraction(15, 19), "single": Fraction(4, 19)}
    true = brute_force(tasks, weights=weights, ids=ids)
    assert found.pvalue == pytest.approx(true, rel=1e-9)
    assert (found.n, found.n_groups) == (19, 9)


def test_one_task_and_a_weight_of_zero():
    tasks = {"a": ([1, 1, 1, 0], [0, 0, 1, 0], [1] * 4), "b": ([0, 1], [1, 0], [1, 1])}
    alone = compare(*tasks["a"])
    for found in (compare_suite({"a": tasks["a"]}), compare_suite(tasks, weights={"a": 2, "b": 0})):
        assert found.pvalue == alone.pvalue
        assert found.standard_error == pytest.approx(alone.standard_error)


@pytest.mark.thorough
def test_fine_lattices_are_bracketed():
    """Sizes whose common multiple is large, and beyond int64: a proven interval in either case."""
    rng = np.random.default_rng(0)
    for sizes in ((198, 500, 164, 541), tuple(range(401, 431, 2))):
        tasks = {}
        for n in sizes:
            hard = rng.random(n)
            one, two = ((rng.random(n) < p).astype(int) for p in (hard, hard - 0.03))
            tasks[f"task of {n}"] = (one, two, np.ones(n, dtype=int))
        found = compare_suite(tasks)
        assert found.method == "bracket"
        low, high = found.pvalue_interval
        assert low < high < low * 1.001
        sampled = compare_suite(tasks, method="monte_carlo", n_resamples=2000, rng=1)
        assert sampled.pvalue_interval[0] < low < sampled.pvalue_interval[1]


def test_standard_errors():
    """Independent tasks add their variances; one group that all share has none of its own."""
    rng = np.random.default_rng(3)
    tasks = {name: tuple(rng.integers(0, 2, (3, 30)).tolist()) for name in "ab"}
    found = compare_suite(tasks)
    errors = [compare(*x).standard_error for x in tasks.values()]
    assert found.standard_error == pytest.approx(math.hypot(*errors) / 2)
    assert found.n_wins == sum(compare(*x).n_wins for x in tasks.values())
    ids = {name: list(range(30)) for name in tasks}
    shared = compare_suite(tasks, groups=ids)
    differences = [
        sum(
            Fraction(int(one[k] == right[k]) - int(two[k] == right[k]), 60)
            for one, two, right in tasks.values()
        )
        for k in range(30)
    ]
    expected = math.sqrt(oracle.standard_error(differences, list(range(30)))) * 30
    assert shared.standard_error == pytest.approx(expected)
    assert compare_suite({"a": ([1], [0], [1]), "b": tasks["b"]}).standard_error is None
    assert compare_suite(tasks, groups={"a": [1] * 30}).standard_error is None


def test_what_it_says():
    tasks = {"a|b": ([1] * 9, [0] * 8 + [1], [1] * 9), "c": ([1, 0], [0, 0], [1, 1])}
    found = compare_suite(tasks)
    lines = str(found).splitlines()
    assert " ".join(lines[0].split()) == "task n system 1 system 2 difference p adjusted p"
    assert lines[3].split()[:2] == ["average", "11"]
    assert lines[-6] == "Accuracy of 2 tasks, 11 examples."
    assert lines[-3] == "The outputs differ; the interval of the difference includes 0."
    assert max(map(len, lines)) <= 80
    as_dict = found.to_dict()
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    assert (as_dict["p"], as_dict["n_wins"], as_dict["n_ties"]) == (found.pvalue, 9, 2)
    assert isinstance(found.table, pd.DataFrame)
    assert found.table["task"].tolist() == ["a|b", "c"]
    assert "| a\\|b | 9 |" in found.to_markdown()
    grouped = compare_suite(
        tasks, groups={"c": [1, 2]}, correction=None, method="monte_carlo", rng=0
    )
    assert "11 examples in 11 groups" in str(grouped)
    assert "99% interval" in str(grouped)
    assert "adjusted for" not in str(grouped)


GOOD = {"a": ([1, 0], [0, 1], [1, 1]), "b": ([1], [0], [1])}


def test_metrics_as_objects_and_without_references():
    runs = ([[1, 0], [1, 1], [0, 0]], [[0, 0], [1, 0], [0, 0]])
    found = compare_suite({"a": runs, "b": runs}, "pass_at_k", k=2)
    assert found.pvalue <= compare(*runs, None, "pass_at_k", k=2).pvalue
    assert compare_suite(GOOD, Accuracy()) == compare_suite(GOOD)
