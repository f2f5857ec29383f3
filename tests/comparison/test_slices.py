"""Slices of one list of examples: a suite of the columns that are split by hand."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extras import needs
from oracles.suites import differences
from pairedperm import compare, compare_suite
from properties import cases, generators

NAMES = ["de", "en", "fr"]


def by_hand(columns, by, groups=None):
    """The tasks of the slices, and their groups, in the order of the names."""
    places = {str(x): [k for k, y in enumerate(by) if y == x] for x in sorted({*by})}
    tasks = {x: tuple([column[k] for k in at] for column in columns) for x, at in places.items()}
    ids = groups and {x: [groups[k] for k in at] for x, at in places.items()}
    return {"tasks": tasks, "groups": ids}


KINDS = [
    ("accuracy", {}),
    ("f1", {"average": "macro"}),
    ("cohen_kappa", {}),
    ("mean_score", {"score_range": (0, 3)}),
]


@pytest.mark.parametrize(("metric", "options"), KINDS, ids=[x for x, _ in KINDS])
@given(generators, st.sampled_from([list, np.array, pd.Series, tuple]), st.booleans())
@cases(0.3)
def test_the_suite_of_columns_split_by_hand(metric, options, rng, kind, has_groups):
    """To the bit, whatever holds the columns; groups may stand in several slices."""
    n = int(rng.integers(3, 30))
    columns = rng.integers(0, 3, (2 if metric == "mean_score" else 3, n)).tolist()
    by = [*map([NAMES, [10, 2, 3]][n % 2].__getitem__, rng.integers(0, 3, n).tolist())]
    groups = rng.integers(0, 5, n).tolist() if has_groups else None
    options = options | {"weights": ["equal", "size"][n // 2 % 2], "rng": 0, "n_resamples": 99}
    expected = compare_suite(metric=metric, **by_hand(columns, by, groups), **options)
    given = [kind(x) for x in columns]
    ids = None if groups is None else kind(groups)
    found = compare_suite(given, metric, by=kind(by), groups=ids, **options)
    assert found.to_dict() == expected.to_dict()
    assert str(found) == str(expected)


@given(generators)
@cases(0.2)
def test_the_average_over_slices_by_listing_swaps(rng):
    """A group that stands in two slices is swapped in both."""
    columns = rng.integers(0, 2, (3, 8)).tolist()
    by, groups = (rng.integers(0, x, 8).tolist() for x in (3, 6))
    hand = by_hand(columns, by, groups)
    tasks = hand["tasks"]
    shares = {x: Fraction(1, len(tasks)) for x in tasks}
    scores = dict.fromkeys(tasks, lambda x, y: Fraction(sum(map(int.__eq__, x, y)), len(y)))
    observed, *others = differences(tasks, scores, shares, hand["groups"])
    n_extreme = 1 + sum(abs(x) >= abs(observed) for x in others)
    found = compare_suite(columns, by=by, groups=groups)
    assert found.average.pvalue == pytest.approx(n_extreme / (1 + len(others)), rel=1e-9)


def test_by_size_it_is_the_whole_list():
    rng = np.random.default_rng(5)
    columns, by = rng.integers(0, 2, (3, 40)), rng.integers(0, 3, 40)
    average = compare_suite([*columns], by=by, weights="size").average
    whole = compare(*columns)
    assert (average.score1, average.score2) == (whole.score1, whole.score2)
    assert average.pvalue == pytest.approx(whole.pvalue, rel=1e-12)


def test_what_a_slice_may_be_called():
    columns = [1, 1, 0, 1], [0, 1, 0, 0], [1, 1, 1, 1]
    for by, names in (
        ([10, 9, 10, 9], ["9", "10"]),
        ([True, False, True, False], ["False", "True"]),
        (np.array([True, False, True, False]), ["False", "True"]),
        (np.array(["b", "a", "a", "b"]), ["a", "b"]),
        (pd.Series(["b", "a", "a", " b"], dtype="category").str.strip(), ["a", "b"]),
        (pd.cut(pd.Series([1, 5, 2, 9]), [0, 3, 10]).astype(str), ["(0, 3]", "(3, 10]"]),
        (["x\n y"] * 4, ["x y"]),
    ):
        assert [*compare_suite(columns, by=by).results] == names


def test_rows_of_matrices_and_tensors():
    """Rows that are sets of labels stay rows."""
    torch = needs("torch", "transformers")
    rng = np.random.default_rng(1)
    columns, by = rng.integers(0, 2, (3, 12, 3)), [0, 1, 1] * 4
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    hand = {
        str(x): tuple(column[[k for k in range(12) if by[k] == x]] for column in columns)
        for x in (0, 1)
    }
    expected = compare_suite(hand, **options).to_dict()
    assert compare_suite([*columns], by=by, **options).to_dict() == expected
    tensors = [*map(torch.tensor, columns)]
    assert compare_suite(tensors, by=torch.tensor(by), **options).to_dict() == expected
