"""What a suite says of its tasks: their adjusted p, and on how many of them a system is better."""

import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given

from corpora.small import some_tasks
from oracles.discrete import discrete_holm, law_of_pvalue
from oracles.discrete import pvalue as all_swaps
from pairedperm import compare_suite
from pairedperm.results.correction import adjusted
from pairedperm.results.partial_conjunction import at_least
from properties import cases, generators, one_in


def moves_of(task, ids=None):
    """What each example, or each group of them, adds to the first system's lead."""
    moves = Counter()
    for key, one, two, right in zip(ids or range(len(task[2])), *task, strict=True):
        moves[key] += (one == right) - (two == right)
    return [*moves.values()]


@given(generators)
@cases(0.5)
def test_discrete_as_in_fractions(rng):
    """Holm's procedure with the law of each task, also where tasks share groups."""
    tasks = some_tasks(rng, int(rng.integers(1, 5)))
    alternative = str(rng.choice(["two-sided", "greater", "less"]))
    ids = None
    if rng.random() < 0.5:
        ids = {name: rng.integers(0, 6, len(x[2])).tolist() for name, x in tasks.items()}
    found = compare_suite(tasks, correction="discrete", groups=ids, alternative=alternative)
    pvalues, laws = [], []
    for name, task in tasks.items():
        moves = moves_of(task, ids and ids[name])
        laws.append(law_of_pvalue([*map(abs, moves)], alternative))
        pvalues.append(all_swaps(moves, alternative))
    assert [x["p"] for x in found.tasks] == pytest.approx([*map(float, pvalues)])
    expected = discrete_holm(pvalues, laws)
    assert [x["p_adjusted"] for x in found.tasks] == pytest.approx([*map(float, expected)])


def test_discrete():
    """Small tasks cost the others nothing; of sampled ones nothing is known, as in Holm's."""
    tasks = {"large": ([1] * 9, [0] * 8 + [1], [1] * 9), "small": ([1], [0], [1])}
    found = compare_suite(tasks, correction="discrete")
    assert [x["p_adjusted"] for x in found.tasks] == [2.0**-7, 1.0]
    one_sided = compare_suite(tasks, correction="discrete", alternative="greater")
    assert [x["p_adjusted"] for x in one_sided.tasks] == [2.0**-8, 0.5]
    sampled = {"method": "monte_carlo", "rng": 4}
    found = compare_suite(tasks, correction="discrete", **sampled)
    assert found.tasks == compare_suite(tasks, correction="holm", **sampled).tasks
    assert "(discrete Holm)" in str(found)


def one_sided(tasks, ids=None):
    """For each system, the logarithms of p in its direction; 1 where it does not lead."""
    for sign in (1, -1):
        logs = []
        for name, task in tasks.items():
            moves = [sign * x for x in moves_of(task, ids and ids[name])]
            logs.append(math.log(all_swaps(moves, "greater")) if sum(moves) > 0 else 0.0)
        yield logs


@given(generators)
@cases(0.5)
def test_on_how_many_tasks(rng):
    tasks = some_tasks(rng, 5)
    tasks |= {f"clear {k}": ([1] * 6, [0] * 6, [1] * 6) for k in range(int(rng.integers(0, 4)))}
    ids = {name: rng.integers(0, 9, len(x[2])).tolist() for name, x in tasks.items()}
    alpha = float(rng.choice([0.05, 0.2, 0.45]))
    for groups in (None, ids):
        found = compare_suite(tasks, groups=groups, alpha=alpha)
        expected = [
            at_least(logs, alpha / 2.0, are_independent=groups is None)
            for logs in one_sided(tasks, groups)
        ]
        assert [found.n_better1, found.n_better2] == expected
        assert found.to_dict()["n_better1"] == expected[0]
        turned = {name: (two, one, right) for name, (one, two, right) in tasks.items()}
        turned = compare_suite(turned, groups=groups, alpha=alpha)
        assert [turned.n_better2, turned.n_better1] == expected


def test_on_how_many_tasks_in_other_directions():
    """An error rate is better if lower; sampled p-values are counted as Holm does."""
    tasks = {f"{k}": ([1] * 6, [0] * 6, [1] * 6) for k in range(3)}
    found = compare_suite(tasks)
    assert (found.n_better1, found.n_better2) == (3, 0)
    assert "Better on at least 3 of 3 tasks (system 1), 0 (system 2), at α = 0.05." in str(found)
    found = compare_suite(tasks, "hamming_loss", alternative="less")
    assert (found.n_better1, found.n_better2) == (3, None)
    assert str(found).endswith("Better on at least 3 of 3 tasks (system 1), at α = 0.05.")
    found = compare_suite(tasks, alternative="less")
    assert (found.n_better1, found.n_better2) == (None, 0)
    found = compare_suite(tasks, method="monte_carlo", n_resamples=2**12, rng=1)
    assert found.n_better1 == sum(p <= 0.025 for p in adjusted([x["p"] / 2 for x in found.tasks]))


@one_in(2)
@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_the_numbers_are_too_large_in_at_most_alpha(alpha):
    """All swaps of two tasks of systems that are alike: any number above 0 is too large."""
    signs = [*product((0, 1), repeat=4)]
    n_wrong = 0
    for first, second in product(signs, signs):
        tasks = {
            "a": (first, [1 - x for x in first], [1] * 4),
            "b": (second, [1 - x for x in second], [1] * 4),
        }
        found = compare_suite(tasks, alpha=alpha)
        n_wrong += found.n_better1 + found.n_better2 > 0
    assert 0 < n_wrong <= alpha * len(signs) ** 2
