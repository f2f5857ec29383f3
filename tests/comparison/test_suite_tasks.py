"""What a suite says of its tasks: their adjusted p."""

import math
from collections import Counter

import pytest
from hypothesis import given

from corpora.small import some_tasks
from oracles.discrete import holm_of_some, law_of_pvalue
from oracles.discrete import pvalue as all_swaps
from pairedperm import BudgetError, compare_suite, gate_suite
from pairedperm.comparison.tasks import why_no_average
from pairedperm.scoring import MeanScore
from properties import cases, generators


def moves_of(task, ids=None):
    """What each example, or each group of them, adds to the first system's lead."""
    moves = Counter()
    for key, one, two, right in zip(ids or range(len(task[2])), *task, strict=True):
        moves[key] += (one == right) - (two == right)
    return [*moves.values()]


@given(generators)
@cases(0.5)
def test_holm_of_tasks_that_can_be_significant(rng):
    """At the level of the suite, and at that of a gate, which reads it again."""
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
    found = compare_suite(tasks, groups=ids, alternative=alternative, alpha=0.05)
    for alpha in (0.05, 0.3):
        expected = [*map(float, holm_of_some(pvalues, least, alpha))]
        assert [*found.at(alpha).p_adjusted.values()] == pytest.approx(expected)
        assert found.at(alpha, 0.9).p_adjusted == found.at(alpha).p_adjusted


def test_words_of_tasks_that_do_not_count():
    tasks = {"large": ([1] * 9, [0] * 8 + [1], [1] * 9), "small": ([1], [0], [1])}
    found = compare_suite(tasks)
    assert [*found.p_adjusted.values()] == [2.0**-7, 1.0]
    assert "(Holm, without 1 task that cannot have p ≤ 0.05)." in " ".join(str(found).split())
    assert "(Holm)." in str(compare_suite({"large": tasks["large"]}))
    assert "(Holm, without 1 task that" in " ".join(str(gate_suite(found)).split())


def test_many_metrics():
    """Whether they have an average is told in linear time."""
    metrics = {f"t{k}": MeanScore(of=f"m{k}", score_range=(0, 1)) for k in range(5_000)}
    assert why_no_average(metrics) == ""
    metrics["other"] = MeanScore(of="other", score_range=(0, 2))
    metrics["percent"] = MeanScore(of="percent", score_range=(0, 3))
    apart = "'m0' of task 't0' and 'other' of task 'other' differ in their range"
    assert why_no_average(metrics) == apart


def lost(n, n_lost):
    """Columns of n examples, some of which the first system has right alone."""
    return [1] * n, [0] * n_lost + [1] * (n - n_lost), [1] * n


def test_means_of_many_tasks_take_little_memory():
    """All differ in one direction: 60 of them, of one weight, so p = 2 / 2^60."""
    suite = compare_suite({f"t{k}": lost(2, 1) for k in range(60)}, budget={"max_bytes": 10**5})
    assert suite.method == "exact"
    assert suite.log_pvalue == pytest.approx(math.log(2) * -59, rel=1e-14)


def test_other_scores_of_many_tasks_are_refused():
    """Of each task there are two distinct rows of two sums, for each of two systems."""
    tasks = {f"t{k}": ([1, 0] * 9, [0, 1] * 9, [1, 1] * 9) for k in range(60)}
    with pytest.raises(BudgetError) as caught:
        compare_suite(tasks, "f1", budget={"max_bytes": 10**5})
    assert str(caught.value).startswith(f"the average of 60 tasks needs {2 * 120 * 120 * 8:.3g} ")
    assert "; `max_bytes` of `budget` allows 1e+05. Raise it" in str(caught.value)
