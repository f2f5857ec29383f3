"""Several runs of each system on an item: they are swapped together, by brute force."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given

from doors import DOORS
from oracles import groups as oracle
from pairedperm import InputError, compare, compare_many, load, paired_permutation_test
from properties import cases, generators

LETTERS = np.array(["a", "b", "c"])


def some(rng, n=7):
    """Runs of two systems, one to four an item, and references."""
    references = LETTERS[rng.integers(0, 3, n)].tolist()
    n_runs = rng.integers(1, 5, n).tolist()
    columns = [[LETTERS[rng.integers(0, 3, k)].tolist() for k in n_runs] for _ in range(2)]
    return columns, references, n_runs


@given(generators)
@cases(0.5)
def test_by_listing_swaps_of_items(rng):
    columns, references, n_runs = some(rng)
    items = np.repeat(np.arange(7), n_runs).tolist()
    right = [
        [int(x == references[k]) for k, x in zip(items, chain.from_iterable(y), strict=True)]
        for y in columns
    ]

    def share(values):
        return sum(values) / len(values)

    found = compare(*columns, references)
    true = float(oracle.by_swaps(share, *right, items, 1e-12))
    assert found.pvalue == pytest.approx(true, 1e-9)
    assert (found.n, found.n_groups) == (sum(n_runs), 7)
    assert found == paired_or_flat(columns, references, items)
    numbers = [[[ord(x) for x in runs] for runs in y] for y in columns]
    of_integers = compare(*numbers, [ord(x) for x in references])
    assert of_integers.pvalue == found.pvalue


def paired_or_flat(columns, references, items):
    flat = [[*chain.from_iterable(column)] for column in columns]
    return compare(*flat, [references[k] for k in items], groups=items)


def test_items_in_groups():
    rng = np.random.default_rng(4)
    columns, references, n_runs = some(rng, 12)
    users = rng.integers(0, 5, 12)
    found = compare(*columns, references, "f1", average="macro", groups=users)
    items = np.repeat(np.arange(12), n_runs)
    flat = [[*chain.from_iterable(column)] for column in columns]
    expected = compare(
        *flat, [references[k] for k in items], "f1", average="macro", groups=users[items]
    )
    assert found == expected


def test_every_door():
    columns, references, _ = some(np.random.default_rng(5))
    found = compare(*columns, references, "f1", average="micro", labels=["a", "b"])
    module = load("paired_perm", "f1", average="micro", labels=["a", "b"])
    given = dict(zip(("predictions1", "predictions2"), columns, strict=True))
    assert module.compute(**given, references=references) == found.to_dict()
    systems = {
        "one": columns[0],
        "two": columns[1],
        "right": [[x] * len(y) for x, y in zip(references, columns[0], strict=True)],
    }
    board = compare_many(systems, references)
    assert board.systems[0] == "right"
    assert board.pairs[0]["n_groups"] == 7


def test_runs_of_scores_are_flat():
    rng = np.random.default_rng(6)
    scores = rng.integers(0, 10, (2, 9, 3))
    items = np.repeat(np.arange(9), 3)
    found = paired_permutation_test(*scores.reshape(2, 27), groups=items)
    assert found.pvalue == paired_permutation_test(*scores.sum(axis=2)).pvalue


RIGHT = np.arange(12) % 3
BITS = [np.eye(3, dtype=int)[x] for x in (RIGHT, RIGHT[::-1])]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, lambda x: x.astype(bool)])
def test_one_hot_rows_are_no_runs(door, form):
    """They would score 1/3, whatever the systems predict."""
    for metric in ("accuracy", "exact_match", "balanced_accuracy", "hamming_loss"):
        with pytest.raises(InputError, match="one-hot"):
            door(*map(form, BITS), RIGHT.tolist(), metric=metric)


@pytest.mark.parametrize("door", DOORS)
def test_thresholded_rows_are_no_runs(door):
    """No row of zeros is one-hot, but runs of bits cannot be right of the label 2."""
    some = [np.where(RIGHT[::-1, None] == 1, 0, x).tolist() for x in BITS]
    with pytest.raises(InputError, match=r"one-hot|all columns in one call"):
        door(*some, RIGHT.tolist())


def test_runs_of_bits():
    """Runs of two classes, some rows of which have a single 1; and all rows, as advised."""
    right = RIGHT % 2
    runs = [np.append(x, [[1, 1, 0]], axis=0) for x in BITS]
    found = compare(*runs, [*right, 1])
    assert found == paired_or_flat([x.tolist() for x in runs], [*right, 1], np.arange(39) // 3)
    groups = np.repeat(np.arange(12), 3)
    flat = compare(*map(np.ravel, BITS), np.repeat(right, 3), groups=groups)
    assert (flat.n, flat.n_groups) == (36, 12)
    labels = [np.argmax(x, -1) for x in (BITS[0].tolist(), BITS[1])]
    assert compare(*labels, RIGHT).score1 == 1


def test_two_runs_that_always_disagree():
    """Of one system; if those of both do in five examples, they look one-hot."""
    one, two, right = [[0, 1]] * 6, [[1, 1], *[[0, 1]] * 5], [0, 1] * 3
    assert compare(one, two, right).n_groups == 6
    assert compare(one[:4], one[:4], right[:4]).n_groups == 4
    with pytest.raises(InputError, match="look one-hot: rows of 2"):
        compare(one, one, right)
