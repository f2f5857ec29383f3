"""What a suite says of its tasks: their adjusted p."""

from collections import Counter

import pytest
from hypothesis import given

from corpora.small import some_tasks
from oracles.discrete import holm_of_some, law_of_pvalue
from oracles.discrete import pvalue as all_swaps
from pairedperm import compare_suite, gate_suite
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
