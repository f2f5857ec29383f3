"""Distinct rows and how often each occurs: the counts of the rows one by one."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given

from pairedperm import paired_counts
from pairedperm.scoring import F1
from properties import cases, generators
from refusals import refuses
from scoring.counted import TESTS

THREE, HOW_OFTEN = [["a", "b", "b"], ["a", "a", "b"], ["a", "b", "a"]], [50, 6, 2]
COUNTED = paired_counts(*(np.repeat(x, HOW_OFTEN).tolist() for x in THREE))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("metric", "options"), [("accuracy", {}), ("f1", {"average": "macro"})])
@given(generators)
@cases(0.3)
def test_groups_as_one_by_one(metric, options, rng):
    """A group stands in several rows, and a row for several examples of its group."""
    rows = [*rng.choice([*"xyz"], (3, 7)).tolist(), [0, 1, *rng.integers(0, 3, 5).tolist()]]
    n = rng.integers(1, 4, 7)
    *each, groups = ([y for y, k in zip(x, n, strict=True) for _ in range(k)] for x in rows)
    found = paired_counts(*rows[:3], metric, groups=rows[3], multiplicities=n, **options)
    truth = paired_counts(*each, metric, groups=groups, **options)
    assert found == truth
    assert found.to_json() == truth.to_json()
    for test in TESTS:
        assert test(found, n_resamples=99, rng=0) == test(truth, n_resamples=99, rng=0)


def test_places_without_a_label_count_as_often():
    columns, n = ([[1, 2], [0]], [[0, 1], [1]], [[1, -100], [0]]), [3, 2]
    each = ([y for y, k in zip(x, n, strict=True) for _ in range(k)] for x in columns)
    assert paired_counts(*columns, multiplicities=n).to_json() == paired_counts(*each).to_json()


@pytest.mark.parametrize(
    "column",
    [
        np.array(HOW_OFTEN, dtype=np.float32),
        [*map(Decimal, HOW_OFTEN)],  # as some databases answer
        pd.Series(HOW_OFTEN, dtype="Int64"),
        pa.chunked_array([[50], [6, 2]]),
    ],
)
def test_types_of_multiplicities(column):
    assert paired_counts(*THREE, multiplicities=column) == COUNTED


def labels(multiplicities, **options):
    return paired_counts(*THREE, multiplicities=multiplicities, **options)


@refuses
def test_refusals():
    labels([1, -2, 3])
    # -> `multiplicities` must be numbers of examples, integers from 1: `multiplicities`[1] is -2.
    #    They say how often each row occurs. Leave out rows that never occur, in pandas by
    labels(pd.Series([1, None, 3]))
    # -> `multiplicities` … integers from 1 … [1] is nan
    labels([1, 2])
    # -> `multiplicities` must have one number per row, shape (3,), got shape (2,)
    labels(3)
    # -> `multiplicities` must be a sequence … got 3
    paired_counts([[1, 1]], [[1, 0]], [1], multiplicities=[2**62])
    # -> `multiplicities` must add up to at most 2^63 - 1 examples
    paired_counts(
        [["a"]],
        [["a"]],
        [["a"]],
        F1(average="samples", multilabel=True),
        groups=[1],
        multiplicities=[3],
    )
    # -> `groups` … sample-averaged F1 is a mean
