"""Exact integers, against Python's and against brute force."""

import itertools
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairedperm.convolution import law
from pairedperm.convolution.integers import column_sums, exact_dot, exact_sum
from pairedperm.convolution.law import distinct_differences, distinct_rows
from properties import cases, one_in

int64 = st.integers(-(2**63), 2**63 - 1) | st.just(-(2**63)) | st.integers(-3, 3)


@cases(5)
@given(st.lists(st.tuples(st.integers(1, 2**31 - 1) | st.integers(1, 2**62), int64), max_size=5))
@example([(2**31 - 1, 2**63 - 1)] * 3)
@example([(2**31 - 1, -(2**63))] * 3)
@example([(2**31, -(2**63)), (1, 1)])
def test_sums_that_leave_int64(pairs):
    counts, values = np.array([*pairs], dtype=np.int64).reshape(-1, 2).T
    assert exact_sum(values) == sum(values.tolist())
    expected = sum(m * v for m, v in pairs)
    assert exact_dot(counts, values) == expected
    if pairs:
        table = np.stack([values, np.ones_like(values)], axis=1)
        assert column_sums(table, None) == [sum(values.tolist()), len(pairs)]
        assert column_sums(table, counts) == [expected, sum(counts.tolist())]


def counted(rows, multiplicities):
    found = Counter()
    for row, m in zip(rows, multiplicities, strict=False):
        found[tuple(row)] += m
    return found


@one_in(2)
@cases(5)
@pytest.mark.parametrize("dense", [0, 2**16], ids=["sorted", "in an array"])
@given(
    rows=st.lists(st.tuples(int64, st.integers(-2, 2), int64), max_size=8),
    is_counted=st.booleans(),
)
def test_distinct_rows(dense, rows, is_counted):
    """Also of numbers so far apart that a row's number must be made smaller."""
    columns = list(np.array(rows, dtype=np.int64).reshape(-1, 3).T)
    multiplicities = np.arange(1, len(rows) + 1) if is_counted else None
    with mock.patch.object(law, "DENSE_CODES", dense):
        where, how_often = distinct_rows(columns, multiplicities)
    found = [rows[k] for k in where.tolist()]
    assert found == sorted(set(rows))
    each = [1] * len(rows) if multiplicities is None else multiplicities.tolist()
    assert dict(zip(found, how_often.tolist(), strict=True)) == counted(rows, each)


@cases(2)
@given(st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), max_size=12))
def test_distinct_differences(rows):
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    vectors, how_often = distinct_differences(table[:, :2], table[:, 2:], None)
    turned = [max((a - c, b - d), (c - a, d - b)) for a, b, c, d in rows]
    expected = counted([x for x in turned if any(x)], itertools.repeat(1))
    found = [tuple(x) for x in vectors.tolist()]
    assert found == sorted(expected)
    assert how_often.tolist() == [expected[x] for x in found]
