"""Rows counted in one pass, against Python's Counter; codes of columns in few numbers."""

from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.scoring import pairs
from pairedperm.scoring.label_counts import compact
from pairedperm.scoring.pairs import few_rows
from properties import cases

near = st.integers(-3, 3)
rows_near = st.integers(-(2**45), 2**45).flatmap(
    lambda low: st.lists(st.tuples(near.map(lambda x: x + low), near, near), min_size=1)
)


def is_counter(found, rows):
    columns, how_often = found
    distinct = [*zip(*(column.tolist() for column in columns), strict=True)]
    return distinct == sorted({*rows}) and how_often.tolist() == [
        x for _, x in sorted(Counter(rows).items())
    ]


@pytest.mark.parametrize(("block", "first"), [(1, 1), (3, 2), (2**17, 2**12)])
@cases(0.5)
@given(rows=rows_near, most=st.sampled_from([1, 6, 40, 2**16]))
def test_few_rows(block, first, rows, most):
    """None where the table is too large, however the blocks cut the rows, also in views."""
    table = np.array(rows)
    extent = int(np.prod(table.max(axis=0) - table.min(axis=0) + 1))
    with mock.patch.multiple(pairs, CACHED_ROWS=block, _FIRST=first, TABLE_CELLS=most):
        found = few_rows([*table.T])
    assert found is None if extent > min(most, len(rows)) else is_counter(found, rows)


@pytest.mark.parametrize(
    "rows",
    [[], [(2**63 - 1, -(2**63))], [(2**63 - 1, 0), (-(2**63), 0)], [(0,) * 17]],
    ids=["none", "beyond differences", "far apart", "many columns"],
)
def test_others(rows):
    """No table of what is not there, nor of numbers whose differences wrap around."""
    width = len(rows[0]) if rows else 2
    assert few_rows([*np.array(rows * 9, dtype=np.int64).reshape(-1, width).T]) is None


@pytest.mark.parametrize(
    "columns",
    [
        [[], [], []],
        [[0, 1, 0], [1, 1, 1], [4, 0, 0]],
        [[-(2**63), 0], [2**63 - 1], [0, 5]],
        [[2**63 - 2], [2**63 - 1], [2**63 - 3]],
    ],
    ids=str,
)
def test_codes_in_few_numbers(columns):
    codes = [np.array(column, dtype=np.int64) for column in columns]
    distinct, numbers = compact(codes)
    assert distinct.tolist() == sorted({x for column in columns for x in column})
    assert [distinct[number].tolist() for number in numbers] == columns
