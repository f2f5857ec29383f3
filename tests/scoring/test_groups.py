"""Groups of examples, and runs of an item, which are swapped and drawn together."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given

from oracles import groups as oracle
from pairedperm import InputError, Ratio, compare, paired_bootstrap_test
from properties import cases, generators


def test_one_group():
    """Nothing tells how groups vary: p is 1, and there is no error."""
    found = compare([1, 1, 1], [0, 0, 0], [1, 1, 1], groups=[4, 4, 4])
    assert (found.pvalue, found.n_groups, found.standard_error) == (1.0, 1, None)


def test_denominators_that_are_the_same_of_groups_only():
    """Ratios are of the groups' sums: drawn exactly, with the same standard error."""
    one, two = [[1, 2], [1, 1], [2, 2], [0, 1]], [[0, 1], [1, 2], [1, 2], [1, 1]]
    sums = [[2, 3], [2, 3]], [[1, 3], [2, 3]]
    of_groups = paired_bootstrap_test(one, two, score=Ratio([1, 0], [0, 1]), groups=[1, 1, 2, 2])
    of_sums = paired_bootstrap_test(*sums, score=Ratio([1, 0], [0, 1]))
    assert of_groups.method == of_sums.method == "exact"
    assert (of_groups.pvalue, of_groups.standard_error) == (of_sums.pvalue, of_sums.standard_error)


# Runs


def flat(columns, right, items, **options):
    """The same, with the items as groups."""
    columns = [[*chain.from_iterable(column)] for column in columns]
    return compare(*columns, [right[k] for k in items], groups=items, **options)


@given(generators)
@cases(0.3)
def test_runs_are_swapped_with_their_item(rng):
    """By listing swaps of items, which may have one to four runs."""
    right, n_runs = rng.choice([*"abc"], 7).tolist(), rng.integers(1, 5, 7).tolist()
    columns = [[rng.choice([*"abc"], k).tolist() for k in n_runs] for _ in range(2)]
    items = np.repeat(np.arange(7), n_runs).tolist()
    hits = [
        [int(x == right[k]) for k, x in zip(items, chain.from_iterable(y), strict=True)]
        for y in columns
    ]
    found = compare(*columns, right)
    truth = oracle.by_swaps(lambda x: sum(x) / len(x), *hits, items, 1e-12)
    assert found.pvalue == pytest.approx(float(truth), 1e-9)
    assert (found.n, found.n_groups) == (sum(n_runs), 7)
    assert found == flat(columns, right, items)
    users = rng.integers(0, 5, 7)
    rows = [[*chain.from_iterable(column)] for column in columns]
    of_users = compare(*rows, [right[k] for k in items], groups=[users[k] for k in items])
    assert compare(*columns, right, groups=users) == of_users


def test_runs_of_bits():
    """Of two classes; if all rows of both have a single 1, they look one-hot."""
    bits = np.eye(3, dtype=int)[np.arange(12) % 3].tolist()
    runs, right = [[*bits, [1, 1, 0]], [*bits[::-1], [1, 1, 0]]], [k % 2 for k in range(13)]
    assert compare(*runs, right) == flat(runs, right, [k // 3 for k in range(39)])
    one, two = [[0, 1]] * 6, [[1, 1], *[[0, 1]] * 5]
    assert compare(one, two, [0, 1] * 3).n_groups == 6
    assert compare(one[:4], one[:4], [0, 1] * 2).n_groups == 4
    with pytest.raises(InputError, match="look one-hot: rows of 2"):
        compare(one, one, [0, 1] * 3)
