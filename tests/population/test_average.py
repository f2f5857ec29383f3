"""The interval of an average of tasks: wealth in fractions, coverage by enumeration, one task."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles.betting import fixed_bets
from pairedperm import compare, compare_suite
from properties import cases, generators

PERCENT_95 = (1.0 - 0.95) / 2.0


def wealth(tasks, weights, delta, half):
    """K(Δ) = mean over c of Π (1 + c a_g (d_g - Δ n_g) / (max a_g n_g (1 + Δ))), in fractions."""
    delta = Fraction(delta)
    groups = [
        (weight / sum(n for _, n in task) * d, weight / sum(n for _, n in task) * n)
        for task, weight in zip(tasks, weights, strict=True)
        for d, n in task
        if weight
    ]
    widest = max(n for _, n in groups)
    found = [
        math.prod(1 + c * (d - delta * n) / (widest * (1 + delta)) for d, n in groups)
        for c in fixed_bets(len(groups), half)
    ]
    return sum(found) / len(found)


def drawn(rng, *, grouped):
    """Columns of right and wrong answers, ids or none, and (d, n) of each group by task."""
    columns, ids, tasks = {}, {}, []
    for k in range(int(rng.integers(1, 4))):
        name, n = f"task {k}", int(rng.integers(2, 9))
        one, two = rng.integers(0, 2, (2, n)).tolist()
        columns[name] = (one, two, [1] * n)
        ids[name] = [f"{k} {x}" for x in (rng.integers(0, 4, n) if grouped else range(n))]
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
        assert found.average_interval.method == "guaranteed"
        low, high = found.average_interval
        parts = [x / sum(parts) for x in parts]
        for sign, limit in ((1, low), (-1, -high)):
            if limit in (-1.0, 0.0):  # the end of the range, or extended to 0
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


@pytest.mark.parametrize("weights", [{"a": 1, "b": 1}, {"a": 9, "b": 1}])
@pytest.mark.parametrize("laws", LAWS)
def test_coverage_over_all_outcomes(laws, weights):
    """Of 6 and 3 examples, at 80 %: each end misses in at most 10 %."""
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
        low, high = found.average_interval
        missed[0] += mass * (low > mean + 1e-12)
        missed[1] += mass * (high < mean - 1e-12)
    assert max(missed) <= 0.1 + 1e-9


def test_where_there_is_one():
    """Of one task it is that of `compare`; a score without a range has none, nor a shared group."""
    columns = tuple(np.random.default_rng(5).integers(0, 2, (3, 60)).tolist())
    alone = compare_suite({"a": columns})
    expected = compare(*columns).confidence_interval(kind="guaranteed")
    assert alone.average_interval == pytest.approx(expected, rel=1e-9)
    assert alone.to_dict()["stat_low"] == alone.average_interval.low
    assert f"interval of its difference: {100 * alone.average_interval.low:.2f}" in str(alone)
    without = [
        compare_suite({"a": columns}, alternative="less"),
        compare_suite({"a": columns}, "f1", pos_label=1),
        compare_suite({"a": ([1], [0], [1])}),
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
