"""Exact integers, and sums and assignments that are listed, against Python's and brute force."""

import itertools
import math
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oracles import reals as real_oracle
from pairedperm.convolution import law
from pairedperm.convolution.integers import (
    TOO_MANY,
    column_sums,
    enumerate_lower_tail,
    exact_dot,
    exact_sum,
    listed_sums,
    n_sums,
)
from pairedperm.convolution.law import distinct_rows
from properties import cases, one_in

int64 = st.integers(-(2**63), 2**63 - 1) | st.just(-(2**63)) | st.integers(-3, 3)


@cases(2)
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
@cases(2)
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


def test_many_assignments_are_counted_in_python_integers():
    ((_, ways),) = listed_sums(np.array([[1]]), np.array([100]))
    assert sum(ways.tolist()) == 2**100
    assert n_sums(np.ones(62, dtype=np.int64)) == TOO_MANY


# All assignments, in halves and in one integer


def by_brute_force(values, counts, bounds):
    copies = [v for v, c in zip(values, counts, strict=True) for _ in range(c)]
    sums, cumulated = real_oracle.subset_sums(copies)
    return [cumulated[sum(s <= b for s in sums)] for b in bounds]


def around(*numbers):
    return [x + step for x in numbers for step in range(-5, 6)]


HARD = [  # values, counts, bounds: around a power, whose leading bits are the same
    *(
        ([1, 2**p - 1, 2**p, 2**p + 1, 2**56 - 1, 3], [2, 3, 1, 2, 2, 1], around(0, 2**56, 2**p))
        for p in (56, 112)
    ),
    *(  # where int64 ends
        ([n // 2, n - n // 2 - 5, 2, 3], [1] * 4, around(n // 2, n - 5, n))
        for n in (2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**64)
    ),
    *(  # beyond all sums, as the slack of rounded scores may be by far
        (x, [1] * 3, [-1, -(2**100), -(2**300), 2**300])
        for x in ([1, 2, 4], [2**61, 2**61 - 1, 1], [2**200, 2**90, 1])
    ),
]


@pytest.mark.parametrize(("values", "counts", "bounds"), HARD, ids=range(len(HARD)))
def test_hard_integers(values, counts, bounds):
    expected = by_brute_force(values, counts, bounds)
    assert enumerate_lower_tail(values, counts, bounds) == expected


@pytest.mark.parametrize("unit", [1, 2**70])
@pytest.mark.parametrize("counts", [(62, 38), (88, 1)])
def test_more_assignments_than_int64_holds(unit, counts):
    """Of two distinct values there are few sums, however many examples; by binomial ways."""
    ways = [[math.comb(n, k) for k in range(n + 1)] for n in counts]
    bounds = [unit * b for b in (0, 3, 100, 274, 275, 548)]
    expected = [
        sum(
            x * y
            for (i, x), (j, y) in itertools.product(*map(enumerate, ways))
            if unit * (7 * i + 3 * j) <= bound
        )
        for bound in bounds
    ]
    assert enumerate_lower_tail([7 * unit, 3 * unit], [*counts], bounds) == expected
